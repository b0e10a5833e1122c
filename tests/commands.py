"""What calls of the command line are made of, for tests."""

from __future__ import annotations

import json
import subprocess
import uuid
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the JSON document that it must be."""
        return json.loads(self.out)


class CommandLine(Protocol):
    """Calls a command in this process; the options that lead to the server are put in."""

    def __call__(self, command: str, *arguments: str, tenant: str | None = None) -> Result: ...


class Process(Protocol):
    """Starts a command as a process of its own, with pipes; the same options are put in."""

    def __call__(self, command: str, *arguments: str, tenant: str) -> subprocess.Popen[bytes]: ...


def unused_name() -> str:
    """Return a name of a tenant or an attribute that no other test uses."""
    return f"t_{uuid.uuid4().hex[:12]}"
