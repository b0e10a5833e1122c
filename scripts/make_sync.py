"""Generate `graph_memory/_sync` from `graph_memory/_async`, which is written by hand.

python scripts/make_sync.py            write the twin
python scripts/make_sync.py --check    fail where the twin is not what would be written
"""

from __future__ import annotations

import argparse
import filecmp
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import unasync

PACKAGE = Path(__file__).resolve().parent.parent / "graph_memory"
SOURCE, TWIN = PACKAGE / "_async", PACKAGE / "_sync"
_ASYNC_NAME = re.compile(r"\bAsync[A-Z]\w*")
_NOTICE = "# Generated from graph_memory/_async by scripts/make_sync.py: change that, and run it again.\n"


def generate(target: Path) -> None:
    """Write the twin of every module into `target`."""
    modules = sorted(SOURCE.rglob("*.py"))
    names = {name for module in modules for name in _ASYNC_NAME.findall(module.read_text())}
    replacements = {name: name.removeprefix("Async") for name in names}
    replacements |= {"_async": "_sync", "asyncio": "time", "ainvoke": "invoke", "started_async": "started"}
    replacements |= {"documents_async": "documents", "query_async": "query", "event_loop_async": "event_loop"}
    rule = unasync.Rule(f"{SOURCE}/", f"{target}/", additional_replacements=replacements)
    unasync.unasync_files([str(module) for module in modules], [rule])
    for module in target.rglob("*.py"):
        text = _without_awaitable(module.read_text())
        module.write_text(_NOTICE + text if text else text)
    config = str(PACKAGE.parent / "pyproject.toml")
    for command in (["check", "--select", "I,F401", "--fix"], ["format"]):
        subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--quiet", "--config", config, str(target)], check=True
        )


def _without_awaitable(text: str) -> str:
    """Return the code with each `Awaitable[T]` as plain `T`."""
    opening = "Awaitable["
    while (start := text.find(opening)) >= 0:
        depth, end = 1, start + len(opening)
        while depth:
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            end += 1
        text = text[:start] + text[start + len(opening) : end - 1] + text[end:]
    return text


def stale(target: Path) -> list[str]:
    """Return the paths of the modules in which the twin differs from `target`."""
    names = {str(path.relative_to(folder)) for folder in (target, TWIN) for path in folder.rglob("*.py")}
    _, differing, missing = filecmp.cmpfiles(target, TWIN, sorted(names), shallow=False)
    return sorted({*differing, *missing})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if not parser.parse_args().check:
        shutil.rmtree(TWIN, ignore_errors=True)
        TWIN.mkdir()
        generate(TWIN)
        return 0
    with tempfile.TemporaryDirectory(dir=PACKAGE, prefix=".twin-") as folder:
        generate(Path(folder))
        if differing := stale(Path(folder)):
            print(
                f"graph_memory/_sync is stale ({', '.join(differing)}): run scripts/make_sync.py", file=sys.stderr
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
