"""The form in which words are compared whatever their case and width."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """Return a text case folded, in NFKC before and after it, since each of the two may undo the other."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
