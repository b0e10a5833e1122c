"""A Neo4j in a container. Skipped where no engine answers or the image is not there, unless asked for."""

import importlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from testcontainers.community.neo4j import Neo4jContainer

IMAGE = os.environ.get("NEO4J_IMAGE", "neo4j:2026.08.1-community")
ASKED_FOR = "GRAPH_MEMORY_TEST_DOCKER"
PASSWORD = "test-password"

#: As in docker-compose.yml: fixed memory, and nothing leaves the machine.
SETTINGS = {
    "NEO4J_server_memory_heap_max__size": "512m",
    "NEO4J_server_memory_pagecache_size": "128m",
    "NEO4J_dbms_usage__report_enabled": "false",
    "NEO4J_server_fleet__discovery_enabled": "false",
    "NEO4J_dbms_fleet__manager_enabled": "false",
    "NEO4J_client_allow__telemetry": "false",
}


def obstacle() -> str | None:
    """Why no container can be started here without a download, or None."""
    try:
        docker = importlib.import_module("docker")
        importlib.import_module("testcontainers.community.neo4j")
    except ImportError as error:
        return f"{error.name} is not installed (pip install testcontainers)"
    try:
        client = docker.from_env()
    except docker.errors.DockerException:
        return "no Docker engine answers"
    try:
        client.ping()
        client.images.get(IMAGE)
    except docker.errors.ImageNotFound:
        return f"the image {IMAGE} is not on this machine"
    except (docker.errors.DockerException, OSError):
        return "no Docker engine answers"
    finally:
        client.close()
    return None


@pytest.fixture(scope="session")
def container() -> "Iterator[Neo4jContainer]":
    """A running server; with GRAPH_MEMORY_TEST_DOCKER=1 what stands in the way is an error, not a skip."""
    if not os.environ.get(ASKED_FOR) and (reason := obstacle()):
        pytest.skip(f"{reason}; {ASKED_FOR}=1 makes this an error")
    from testcontainers.community.neo4j import Neo4jContainer

    server = Neo4jContainer(IMAGE, username="neo4j", password=PASSWORD)
    for name, value in SETTINGS.items():
        server.with_env(name, value)
    with server:
        yield server
