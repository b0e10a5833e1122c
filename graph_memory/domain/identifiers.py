"""Which names are allowed for tenants, entity keys, episode ids, attributes and kinds.

Relationship types and labels are made only from names that this module has checked. Lengths are bounded because
Neo4j's range indexes refuse keys beyond about 8 kB.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TypeGuard

from graph_memory.errors import InvalidInputError, brief

MAX_TENANT = 128
MAX_KEY = 512
MAX_ID = 256
MAX_ATTRIBUTE = 64

RESERVED_ATTRIBUTES = frozenset({"object", "supersedes", "from_episode", "retracted_by", "has_slot"})
RESERVED_KINDS = frozenset(
    {
        *("Entity", "Fact", "Live", "Open", "Slot", "Episode", "Attribute", "Schema", "Migration"),
        *("Candidate", "Signal", "Extraction", "Due", "Alias", "Merge", "Kind"),
        *("Session", "Passage", "Index", "Lease"),
    }
)
_ATTRIBUTE = re.compile(r"[a-z][a-z0-9_]*")
_KIND = re.compile(r"[A-Z][A-Za-z0-9]*")
# Control characters, lone surrogates and line separators: messages do not show them, and the driver fails on them.
_FORBIDDEN = frozenset({"Cc", "Cs", "Zl", "Zp"})


def plain_text(value: str) -> str:
    """Return text as a plain `str`: a member of a string enum becomes its value."""
    return value if type(value) is str else str.__str__(value)


def _text(value: object, what: str, limit: int) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(f"{what} {brief(value)} must be text, not {type(value).__name__}")
    value = plain_text(value)
    plain = value.isascii() and value.isprintable()  # most names: nothing to normalise, nothing forbidden
    text = value if plain else unicodedata.normalize("NFC", value)
    allowed = (
        f"allowed are 1 to {limit} characters, without control characters and without white space at either end"
    )
    if not text:
        raise InvalidInputError(f"{what} is empty: {allowed}")
    if len(text) > limit:
        raise InvalidInputError(f"{what} {brief(text)} has {len(text)} characters: {allowed}")
    fault = None if plain and text == text.strip() else _fault(text)
    if fault is not None:
        raise InvalidInputError(f"{what} {brief(text)} is not allowed, as it {fault}: {allowed}")
    return text


def _fault(text: str) -> str | None:
    """Return why a name's characters are not allowed, with the character and its place from 0; None: they are."""
    for place, character in enumerate(text):
        if unicodedata.category(character) in _FORBIDDEN:
            return f"holds U+{ord(character):04X} (character {place})"
    for end, character in (("begins", text[0]), ("ends", text[-1])):
        if character.isspace():
            return f"{end} with U+{ord(character):04X}, which is white space"
    return None


def tenant_name(value: str) -> str:
    """Return a tenant's name, normalised to NFC; raises InvalidInputError when it is not allowed."""
    return _text(value, "tenant", MAX_TENANT)


def entity_key(value: str) -> str:
    """Return an entity's key, NFC and case-sensitive; raises InvalidInputError when it is not allowed."""
    return _text(value, "entity key", MAX_KEY)


def entity_name(value: str, what: str) -> str:
    """Return a name or alias of an entity, NFC; raises InvalidInputError when it is not allowed."""
    return _text(value, what, MAX_KEY)


def episode_id(value: str) -> str:
    """Return an episode's id, normalised to NFC; raises InvalidInputError when it is not allowed."""
    return _text(value, "episode id", MAX_ID)


def fact_id(value: str) -> str:
    """Return a fact's id; raises InvalidInputError when it is not allowed."""
    return _text(value, "fact id", MAX_ID)


def label(value: str, what: str) -> str:
    """Return a short text such as an episode's kind or source; raises InvalidInputError when it is not allowed."""
    return _text(value, what, MAX_TENANT)


def is_attribute(value: object) -> TypeGuard[str]:
    """Whether a value has the form of an attribute's name: `[a-z][a-z0-9_]*`, at most 64 characters."""
    return isinstance(value, str) and len(value) <= MAX_ATTRIBUTE and _ATTRIBUTE.fullmatch(value) is not None


def attribute_name(value: str) -> str:
    """Return an attribute's name.

    Raises:
        InvalidInputError: it is not `[a-z][a-z0-9_]*` of at most 64 characters, or it is reserved.
    """
    if not is_attribute(value):
        raise InvalidInputError(
            f"attribute {brief(value)} is not allowed: use a lower-case letter, then lower-case letters, digits "
            f"and underscores, {MAX_ATTRIBUTE} at most, such as passport_deadline"
        )
    if value in RESERVED_ATTRIBUTES:
        raise InvalidInputError(
            f"attribute {value!r} is reserved for the graph itself "
            f"({', '.join(sorted(RESERVED_ATTRIBUTES))}): choose another name"
        )
    return plain_text(value)


def kind_name(value: str) -> str:
    """Return an entity kind's name, which becomes its label; raises InvalidInputError if not allowed."""
    if not isinstance(value, str) or len(value) > MAX_ATTRIBUTE or not _KIND.fullmatch(value):
        raise InvalidInputError(
            f"kind {brief(value)} is not allowed: use an upper-case letter, then letters and digits, "
            f"{MAX_ATTRIBUTE} at most, such as Company"
        )
    if value in RESERVED_KINDS:
        raise InvalidInputError(
            f"kind {value!r} is reserved for the graph itself ({', '.join(sorted(RESERVED_KINDS))}): "
            "choose another name"
        )
    return plain_text(value)


def relationship_type(attribute: str) -> str:
    """Return the relationship type of a validated attribute: its name in upper snake case."""
    return attribute.upper()
