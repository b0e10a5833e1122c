"""What the scripts say where Python will not do."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"


def refused(script: str, python: str) -> str:
    """Run a script with another Python and return what it says on standard error."""
    process = subprocess.run(
        ["sh", SCRIPTS / script], env={**os.environ, "PYTHON": python}, capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stdout) == (1, "")
    return process.stderr


@pytest.mark.parametrize("script", ["demo", "test", "check"])
def test_a_python_that_is_too_old_is_refused_with_what_to_do(script: str, tmp_path: Path) -> None:
    old = tmp_path / "python3.10"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] || exit 1\necho Python 3.10.12\n')
    old.chmod(0o755)
    said = refused(script, str(old))
    assert "Python 3.10.12 is too old: graph-memory needs Python 3.11 or newer" in said
    assert f"PYTHON=python3.12 sh scripts/{script}" in said.replace(str(SCRIPTS.parent) + "/", "")


def test_a_python_that_is_not_there_is_refused_with_its_name() -> None:
    assert "There is no 'python9' here" in refused("demo", "python9")
