"""Ctrl-C at a moment that leaves nothing half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class PatientInterrupt:
    """Within it, Ctrl-C waits for a `writing` block to end; a second one does not wait."""

    def __init__(self) -> None:
        self._writing = False
        self._pressed = False
        self._before: Any = None

    def __enter__(self) -> PatientInterrupt:
        # Python allows signal handlers only there; elsewhere Ctrl-C is not delivered either.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A block that the first Ctrl-C lets end.

        Raises:
            KeyboardInterrupt: at its end, where Ctrl-C was pressed within it.
        """
        self._writing = True
        try:
            yield
        finally:
            self._writing = False
        if self._pressed:
            raise KeyboardInterrupt

    def _handle(self, signum: int, frame: FrameType | None) -> None:
        if self._writing and not self._pressed:
            self._pressed = True
            return
        raise KeyboardInterrupt
