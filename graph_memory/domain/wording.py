"""Numbers and articles in English messages: "1 fact", "2 entities", "an Account"."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, given in the singular: "1 fact", "0 facts", "2 entities"."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of a regular English noun: facts, entities, matches."""
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def with_article(noun: str) -> str:
    """Return a noun with its indefinite article, by its first letter: "an Account", "a Ticket"."""
    return f"{'an' if noun[:1].casefold() in tuple('aeiou') else 'a'} {noun}"
