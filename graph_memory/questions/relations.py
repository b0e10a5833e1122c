"""How entities and attributes in a question relate: possessives, chains of references, direction. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
Placed: TypeAlias = tuple[int, int, str]
"""The place of the name of an attribute, and the attribute: (start, end, name)."""

# The most characters between a name and its attribute.
_NEAR = 80
# At most this many names and attributes are compared with each other.
_MOST = 20
_WORD = re.compile(r"[^\W_]+")
_S = r"(?:['’]s\b|(?<=[sS])['’](?!\w))"  # noqa: RUF001
_WHICH = r"(?:(?:current|present|new|own|old|other|former|previous|latest)\s+)?"
_POSSESSIVE = re.compile(_S, re.IGNORECASE)
_HAS = re.compile(rf"{_S}\s+{_WHICH}", re.IGNORECASE)
_OF = re.compile(rf"\s+of\s+(?:(?:the|her|his|their|its|my|our)\s+)?{_WHICH}", re.IGNORECASE)
_AND = re.compile(rf"{_S}?\s*(?:,\s*)?(?:\b(?:and|or|nor)\b|&)\s*", re.IGNORECASE)
_BLANK = re.compile(r"\s+")
_PASSED_OVER = frozenset(
    ("current", "present", "new", "own", "old", "other", "former", "previous", "latest", "most", "recent", "very")
)

_IS_OF = re.compile(r"\bof\s+(?:the\s+)?$", re.IGNORECASE)
_WHOSE = re.compile(rf"\bwhose\s+{_WHICH}$", re.IGNORECASE)
_OF_WHOM = re.compile(r"\bof\s+(?:whom|which|what|who)\b", re.IGNORECASE)
_OF_NOBODY = re.compile(r"\s+(?:of|for|to)\s*(?:$|[?.!,;])", re.IGNORECASE)
_AS = re.compile(rf"\s+(?:as|for)\s+(?:(?:an?|the|their|his|her|its|my|our)\s+)?{_WHICH}", re.IGNORECASE)
_A = re.compile(rf"\s+(?:an?|the|(?:any|some|every)(?:one|body)(?:\s+else)?{_S})\s+{_WHICH}", re.IGNORECASE)
_WHO = re.compile(r"\bwho(?:ever)?\s+((?:[\w'’-]+\s+){1,8})$", re.IGNORECASE)  # noqa: RUF001
# "Who does Mira ...", "who is Mira ...", "who said that Mira ...": Mira is the agent, not the person asked for.
_ASKED_OF = frozenset(
    ("do", "does", "did", "that", "what", "where", "whether", "which", "if", "when", "how", "why")
)
_AUXILIARY = frozenset(
    ("is", "was", "are", "were", "be", "been", "will", "has", "had", "have", "ever", "else", "could", "can", "may")
)


def belongs(text: str, span: Span) -> bool:
    """Whether a name in a text is a possessive: "Rui's", "of Rui"."""
    start, end = span
    return bool(_POSSESSIVE.match(text, end) or _IS_OF.search(text[max(0, start - _NEAR) : start]))


def between(text: str, subjects: Sequence[Span], named: Sequence[Span], left: Sequence[Span]) -> tuple[str, ...]:
    """Return the unknown words that make the question ask about another subject.

    "Mira's wife's employer", "the employer of Mira's wife", "the wife of Mira", "Mira Smith's employer" and "Bob
    and Mira's employer" have one such word each, if it matches nothing known.

    Args:
        text: the question.
        subjects: the places where it names its subjects.
        named: the places of the words for an attribute.
        left: the places of its words that match nothing known.
    """
    starts, ends = {start for start, _ in subjects}, {end for _, end in subjects}
    asked = {start for start, _ in named}
    found: set[Span] = set()
    for start, end in left:
        has, of, joined = _HAS.match(text, end), _OF.match(text, end), _AND.match(text, end)
        if (has and has.end() in asked) or (of and of.end() in starts) or (joined and joined.end() in starts):
            found.add((start, end))
    words, of_names = dict(left), set(named)
    for end in ends:
        beside, joined = _BLANK.match(text, end), _AND.match(text, end)
        if beside and beside.end() in words and text[beside.end()].isupper():
            found.add((beside.end(), words[beside.end()]))
        if joined and joined.end() in words:
            found.add((joined.end(), words[joined.end()]))
        if possessive := _POSSESSIVE.match(text, end):
            found.update(_first_of(text, possessive.end(), of_names, words))
    return tuple(text[start:end] for start, end in sorted(found))


def _first_of(text: str, at: int, named: Collection[Span], left: Mapping[int, int]) -> list[Span]:
    """Return the words after a possessive that match nothing known."""
    found: list[Span] = []
    for match in _WORD.finditer(text, at, at + _NEAR):
        if left.get(match.start()) == match.end():
            found.append(match.span())
        elif match.span() in named or match[0].casefold() not in _PASSED_OVER:
            break
    return found


def chained(text: str, named: Sequence[Placed], subjects: Sequence[Span]) -> tuple[tuple[str, ...], bool]:
    """Return the attributes that are asked of a referenced entity, and whether the chain has more than two steps.

    "The employer of Mira's boss" and "Mira's boss's employer" ask for the employer of her boss. Three attributes,
    or one twice as in "her boss's boss", count as more than two steps.
    """
    starts = {start: place for place, (start, _, _) in enumerate(named)}
    names = dict(subjects)
    whose: dict[int, int] = {}
    for place, (_, end, _) in enumerate(named):
        if (has := _HAS.match(text, end)) and has.end() in starts:
            whose[starts[has.end()]] = place
        if of := _OF.match(text, end):
            at = of.end()
            if at in names and (has := _HAS.match(text, names[at])):
                at = has.end()
            if at in starts:
                whose[place] = starts[at]
    longer = any(other in whose or named[one][2] == named[other][2] for one, other in whose.items())
    return tuple(dict.fromkeys(named[place][2] for place in sorted(whose))), longer


def turned(text: str, subjects: Sequence[Span], named: Sequence[Span], agents: bool) -> bool | None:
    """Whether a question asks who has the entities as a value, and not for their own value; None: it is unclear.

    "Whose boss is Mira?", "who is Mira the boss of?" and "who has Mira as boss?" ask who has her. "Who knows her?"
    may ask for either, depending on the meaning of the attribute.

    Args:
        text: the question.
        subjects: the places where it names the entities.
        named: the places of the name of the attribute; empty: the question only describes it.
        agents: whether the attribute names the one who does something, as an employer does: "who employs Mira?".
    """
    if any(belongs(text, span) for span in subjects):
        return False
    open_ = False
    for start, end in subjects[:_MOST]:
        for first, last in named[:_MOST]:
            before = text[max(0, first - _NEAR) : first]
            after = first >= end
            if last <= start and _WHOSE.search(before):
                return True
            if after and (_OF_NOBODY.match(text, last) or _OF_WHOM.search(text[max(0, start - _NEAR) : start])):
                return True
            if after and _AS.fullmatch(text, end, first):
                return True
            open_ |= after and _A.fullmatch(text, end, first) is not None
        who = _WHO.search(text[max(0, start - _NEAR) : start])
        if who is not None and not (agents and named):
            words = set(who[1].casefold().split())
            open_ |= not words & _ASKED_OF and not words <= _AUXILIARY
    return None if open_ else False
