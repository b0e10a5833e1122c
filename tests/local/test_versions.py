from __future__ import annotations

from pathlib import Path

import pytest

from graph_memory.errors import LocalServerError
from graph_memory.local.distribution.jars import JarCache
from graph_memory.local.distribution.versions import (
    DEFAULT_VERSION,
    SUPPORTED_VERSIONS,
    server_version,
    version_order,
)


@pytest.mark.parametrize(("version", "count"), [("2026.08.1", 238), ("5.26.30", 217)])
def test_the_shipped_lock_names_the_server_the_browser_and_a_sum_for_every_jar(
    version: str, count: int, tmp_path: Path
) -> None:
    jars = JarCache(tmp_path, server_version(version)).jars()
    names = {jar.name for jar in jars}
    assert len(jars) == len({jar.path for jar in jars}) == count
    assert {f"neo4j-{version}.jar", f"neo4j-server-{version}.jar", "neo4j-browser-5.24.0.jar"} <= names
    assert all(len(bytes.fromhex(jar.sha256)) == 32 for jar in jars)


def test_jars_are_kept_inside_the_cache_and_fetched_over_an_encrypted_line(tmp_path: Path) -> None:
    for jar in JarCache(tmp_path, server_version(DEFAULT_VERSION)).jars():
        assert jar.path.resolve().is_relative_to(tmp_path.resolve())
        assert jar.url.startswith("https://")


def test_versions_are_compared_as_numbers() -> None:
    assert version_order("5.26.30") < version_order("2026.08.1") < version_order("2026.10.0")
    assert version_order("5.9.0") < version_order("5.26.30")


def test_an_unknown_version_is_refused_with_those_that_work() -> None:
    with pytest.raises(LocalServerError, match=r"'4\.4'.*2026\.08\.1 or 5\.26\.30.*NEO4J_URI"):
        server_version("4.4")


def test_the_default_is_a_supported_version() -> None:
    assert SUPPORTED_VERSIONS[0] == DEFAULT_VERSION
