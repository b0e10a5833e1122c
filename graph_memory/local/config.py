"""The configuration files of Neo4j and its Java machine: settings, memory, flags and the first password."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from graph_memory.local.distribution.versions import ServerVersion

USERNAME = "neo4j"
HOST = "127.0.0.1"

HEAP_INITIAL = "512m"
HEAP_MAXIMUM = "1g"
PAGE_CACHE = "512m"

_AUTH_ROUNDS = 1024

_JVM_FLAGS = (
    # Neo4j reaches into these packages; without them it starts slower or not at all.
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
    # As in the configuration that Neo4j ships.
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dlog4j2.disable.jmx=true",
    "-XX:-OmitStackTraceInFastThrow",
    # A server that is out of memory is unusable; ending it lets the next start recover.
    "-XX:+ExitOnOutOfMemoryError",
    "-Djava.awt.headless=true",
)


def render_settings(version: ServerVersion, bolt_port: int, http_port: int) -> str:
    """Return the text of `neo4j.conf`: local only, authenticated, bounded memory, nothing sent anywhere.

    A setting that is given twice, or that the version does not know, would stop the start.
    """
    settings = {
        "server.default_listen_address": HOST,
        "server.default_advertised_address": HOST,
        "server.bolt.listen_address": f"{HOST}:{bolt_port}",
        "server.bolt.advertised_address": f"{HOST}:{bolt_port}",
        "server.http.listen_address": f"{HOST}:{http_port}",
        "server.http.advertised_address": f"{HOST}:{http_port}",
        "server.https.enabled": "false",
        "dbms.security.auth_enabled": "true",
        "server.memory.heap.initial_size": HEAP_INITIAL,
        "server.memory.heap.max_size": HEAP_MAXIMUM,
        "server.memory.pagecache.size": PAGE_CACHE,
        # Else each database takes half a gigabyte of disk before it holds anything.
        "db.tx_log.preallocate": "false",
        # They serve recovery after a crash; kept for longer they grow as fast as the data.
        "db.tx_log.rotation.size": "64m",
        "db.tx_log.rotation.retention_policy": "256M size",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        **version.settings,
    }
    lines = ["# Written at each start by graph-memory; changes are overwritten."]
    lines += [f"{name}={value}" for name, value in settings.items()]
    return "\n".join(lines) + "\n"


def render_java_arguments(jars: Sequence[Path]) -> bytes:
    """Return the content of an argument file for `java @file`: memory, flags and class path.

    The class path is too long for some systems' command lines. Inside double quotes java's launcher takes a
    backslash as an escape, so each is doubled.
    """
    class_path = os.pathsep.join(str(jar) for jar in jars)
    arguments = [f"-Xms{HEAP_INITIAL}", f"-Xmx{HEAP_MAXIMUM}", *_JVM_FLAGS, "-cp", class_path]
    quoted = ('"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"' for argument in arguments)
    text = "\n".join(quoted) + "\n"
    # The launcher reads the file in the encoding of the system's file names.
    return text.encode("mbcs") if os.name == "nt" else os.fsencode(text)


def render_auth_ini(password: str, salt: bytes) -> bytes:
    """Return the content of `data/dbms/auth.ini`, as `neo4j-admin dbms set-initial-password` writes it.

    SHA-256 over salt and password, then over its own digest, 1024 rounds in all. Neo4j reads the file only when it
    first makes the system database.
    """
    digest = salt + password.encode("utf-8")
    for _ in range(_AUTH_ROUNDS):
        digest = hashlib.sha256(digest).digest()
    return f"{USERNAME}:SHA-256,{digest.hex()},{salt.hex()},{_AUTH_ROUNDS}:\n".encode("ascii")
