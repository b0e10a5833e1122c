"""Delays Ctrl-C until a write has ended, so that nothing is left half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class PatientInterrupt:
    """A context in which a first Ctrl-C waits for a `writing` block to end, and a second one does not."""

    def __init__(self) -> None:
        self._writing = False
        self._pressed = False
        self._before: Any = None

    def __enter__(self) -> PatientInterrupt:
        # Python sets signal handlers and delivers Ctrl-C in the main thread only.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Return a block that the first Ctrl-C does not interrupt.

        Raises:
            KeyboardInterrupt: at the end of the block, if Ctrl-C was pressed in it.
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
