"""Words to look for in episodes, as a query that no text can break out of."""

from __future__ import annotations

import hashlib
import re

MAX_WORDS = 256
MAX_WORD = 255  # the analyzer cuts longer ones into many
_WORD = re.compile(r"\w+")


def tenant_token(tenant: str) -> str:
    """Return the word that is indexed with every episode of a tenant, and required by every search."""
    return f"t{hashlib.sha256(tenant.encode()).hexdigest()[:32]}"


def lucene_query(tenant: str, text: str) -> str | None:
    """Return the Lucene query for a tenant's episodes that hold any of the words, or None without words.

    Only letters, digits and underscores of the text reach the query, in lower case, so nothing in it can be an
    operator. The tenant's token is required and adds nothing to the score.
    """
    words = [word for word in dict.fromkeys(_WORD.findall(text.lower())) if len(word) <= MAX_WORD][:MAX_WORDS]
    if not words:
        return None
    return f"+tenant_token:{tenant_token(tenant)}^0 +text:({' '.join(words)})"
