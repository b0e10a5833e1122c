"""Write the lock of jars for each Neo4j version that the managed local server can run.

    python scripts/lock_jars.py [VERSION ...]

Resolves the server's coordinates with jgo, in a folder of its own that is thrown away afterwards, and writes
``graph_memory/local/distribution/locks/neo4j-VERSION.lock.toml``. Commit the result: a user's machine fetches
exactly this list. A lock without a SHA-256 for every jar is not written.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from graph_memory.local.distribution.versions import SUPPORTED_VERSIONS, server_version

LOCKS = Path(__file__).parent.parent / "graph_memory" / "local" / "distribution" / "locks"


def lock(version: str) -> Path:
    """Resolve one version and write its lock; returns the lock's path."""
    import jgo

    known = server_version(version)
    environment = jgo.build("+".join(known.coordinates), update=True)
    locked = environment.lockfile
    if locked is None:
        raise SystemExit(f"jgo made no lock for {version}")
    unsealed = [str(jar) for jar in locked.dependencies if not jar.sha256]
    if unsealed:
        raise SystemExit(f"no SHA-256 for {', '.join(unsealed)}")
    target = LOCKS / known.lock_name
    target.write_bytes(environment.lock_path.read_bytes())
    print(f"{target}: {len(locked.dependencies)} jars")
    return target


def main(versions: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="lock-jars-") as scratch:
        # jgo reads these when it looks for its repository and its environments.
        os.environ["M2_REPO"] = str(Path(scratch, "repository"))
        os.environ["JGO_CACHE_DIR"] = str(Path(scratch, "environments"))
        for version in versions:
            lock(version)


if __name__ == "__main__":
    main(sys.argv[1:] or list(SUPPORTED_VERSIONS))
