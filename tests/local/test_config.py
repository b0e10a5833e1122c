from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from graph_memory.local.config import render_auth_ini, render_java_arguments, render_settings
from graph_memory.local.distribution.versions import SUPPORTED_VERSIONS, server_version


def settings(version: str) -> dict[str, str]:
    text = render_settings(server_version(version), bolt_port=7701, http_port=7702)
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    found = dict(line.split("=", 1) for line in lines)
    assert len(found) == len(lines), "a setting given twice stops the start"
    return found


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_the_server_listens_on_the_loopback_address_only(version: str) -> None:
    found = settings(version)
    listening = {name: value for name, value in found.items() if name.endswith("listen_address")}
    assert listening == {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": "127.0.0.1:7701",
        "server.http.listen_address": "127.0.0.1:7702",
    }


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_authentication_is_on_and_nothing_is_reported_to_anybody(version: str) -> None:
    found = settings(version)
    assert found["dbms.security.auth_enabled"] == "true"
    assert found["dbms.usage_report.enabled"] == "false"
    assert found["client.allow_telemetry"] == "false"


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
def test_memory_is_bounded(version: str) -> None:
    found = settings(version)
    assert found["server.memory.heap.max_size"] == "1g"
    assert found["server.memory.pagecache.size"] == "512m"
    assert b'"-Xms512m"\n"-Xmx1g"\n' in render_java_arguments([Path("a.jar")])


def test_each_version_gets_only_the_settings_it_knows() -> None:
    new, old = settings("2026.08.1"), settings("5.26.30")
    assert new["server.fleet_discovery.enabled"] == "false"
    assert new["dbms.fleet_manager.enabled"] == "false"
    assert not [name for name in old if "fleet" in name]
    assert old["internal.dbms.bolt.netty_server_shutdown_quiet_period"] == "0"
    assert "internal.dbms.bolt.netty_server_shutdown_quiet_period" not in new


def test_the_class_path_is_exactly_the_jars_in_their_order() -> None:
    lines = render_java_arguments([Path("b.jar"), Path("a.jar")]).decode().splitlines()
    assert lines[lines.index('"-cp"') + 1] == f'"b.jar{os.pathsep}a.jar"'


def test_spaces_quotes_and_backslashes_in_paths_survive_java_s_argument_file() -> None:
    lines = render_java_arguments([Path('with space "and" \\ more.jar')]).decode().splitlines()
    assert lines[-1] == '"with space \\"and\\" \\\\ more.jar"'


def test_the_first_password_is_a_salted_digest_of_1024_rounds() -> None:
    salt = bytes(range(32))
    line = render_auth_ini('pä"ss:w,ord', salt).decode()
    digest = hashlib.sha256(salt + 'pä"ss:w,ord'.encode()).digest()
    for _ in range(1023):
        digest = hashlib.sha256(digest).digest()
    assert line == f"neo4j:SHA-256,{digest.hex()},{salt.hex()},1024:\n"
