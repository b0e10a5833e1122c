"""The intent of a question, by its words. Pure; it reads English."""

from __future__ import annotations

import re

from graph_memory.questions.records import Intent
from graph_memory.questions.stop_words import OVERVIEW_WORDS

# The patterns read at most this many characters at each end of a text: some take time by the square of its length.
_READ = 2000
_SEVERAL = re.compile(r"\bhow (?:many|often)\b|\ball\b", re.IGNORECASE)
_WHO_BESIDE = re.compile(r"\bwho(?:m|ever)?\b[^?]{0,40}\b(?:at|in|with|for|by|from|to|under)\b", re.IGNORECASE)

_BEFORE = r"\b(?:previous|former|prior|earlier)(?:ly)?\b|(?<!how )\bold\b|\bbefore\b|\bused to\b"
_INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = tuple(
    (intent, re.compile(pattern, re.IGNORECASE))
    for intent, pattern in (
        (
            Intent.WHO_SAID,
            r"\bwho(?:m|ever)?\b[^?]{0,40}\b(?:said|says|told|tells|stated?|claim\w*|report\w*|mention\w*|wrote|"
            r"recorded|confirm\w*)\b|\bsays who\b|\bsources?\b|\baccording to wh\w+\b|"
            r"\bhow do (?:we|you|i) know\b|\bwhy do (?:we|you|i) (?:think|believe)\b|"
            r"\bwhere (?:does|did|do) (?:this|that|it|we|you|the)\b[^?]{0,40}\b(?:come|from)\b|"
            r"\bevidence\b|\bproof\b|\bin which (?:episode|message|words)\b|\bin what words\b",
        ),
        (
            Intent.REPLACED_BY,
            r"\b(?:what|who|which)\b[^?]{0,30}\b(?:has |have |was it that )?(?:replaced|supersede[ds]|succeeded|"
            r"overrode|replaces|took over)\b|\b(?:replaced|superseded|succeeded|followed) (?:by|with)\b|"
            r"\b(?:came|come|was|is|held) next\b|\bafter\b",
        ),
        (
            Intent.REPLACED,
            r"\b(?:did|does|has|had)\b[^?]{0,60}\b(?:replaced?|superseded?|succeed(?:ed)?)\b|" + _BEFORE,
        ),
        (
            Intent.CHANGED,
            r"\bchang\w*\b|\bhistor\w+\b|\btimeline\b|\bover (?:the )?(?:time|years)\b|\bevol\w+\b|"
            r"\bcorrect(?:ed|ions?)\b|\bupdat\w+\b|\bhappened\b|\bever\b|\ball (?:the )?(?:past|values)\b",
        ),
        (
            Intent.SINCE,
            r"\bsince (?:when|what|which)\b|\bhow long\b|\b(?:from|until) when\b|\bwhen did\b|"
            r"\bwhen (?:has|have|was|were)\b[^?]*\b(?:start\w*|begin|began|begun|become|became|join\w*|set)\b",
        ),
        # A question for the first value is answered with all values in their order.
        (Intent.CHANGED, r"\b(?:first|initial(?:ly)?|original(?:ly)?|ago)\b"),
    )
)
# "Where has she lived", "who has been her boss"; not "who has Ana as named", "has to be renewed", "does it have".
_PERFECT = re.compile(
    r"(?<!to )\b(?:has|have|had)\b(?:\s+(?!(?:to|as|an?|that|which|who)\b)[\w'’-]+){0,6}?\s+"  # noqa: RUF001
    r"(?:been|had|done|gone|held|kept|led|made|met|owned|run|spent|spoken|taken|taught|\w{2,}ed)\b",
    re.IGNORECASE,
)
_DOES_HAVE = re.compile(r"\b(?:do|does|did)\b[^?]*\bhave\b", re.IGNORECASE)
# "What did X replace" asks for the value before, though "what ... replaced" asks for the value after.
_DID_REPLACE = re.compile(r"\b(?:did|does)\b[^?]*\b(?:replace|supersede|succeed)\b", re.IGNORECASE)
_FORMER = re.compile(_BEFORE, re.IGNORECASE)
# "Did you know where she worked?" is about what was so; "where did we think she worked?" is about what was known.
_WH = r"\b(?:what|who|whom|whose|where|which|when|how)\b(?:\s+[\w'\u2019-]+){0,4}?\s+"
_THINK = r"(?:known?|believed?|th(?:ink|ought)|assumed?|supposed?)\b"
_BELIEVED = re.compile(
    rf"{_WH}(?:did|had)\s+(?:we|you|they|i|one|people)\s+{_THINK}"
    rf"|{_WH}(?:was|were|been)\s+(?:[\w'\u2019-]+\s+){{0,4}}?{_THINK}"
    r"|\bwhat\s+(?:we|you|they|i|one|people)\s+(?:knew|believed|thought|assumed)\b|\bas\s+(?:known|believed|recorded)\b",
    re.IGNORECASE,
)


_WORD = re.compile(r"[^\W_]+")
# "Since when" and "how has she changed" may ask about all that is known; other questions with when and how do not.
_OF_ALL = re.compile(r"\bsince when\b|\bhow (?=(?:did|do|does|has|have)\b[^?]*\bchang)|\bhow (?=long\b)")
_NEAR = 80
_LAST_WORD = re.compile(r"([\w'’-]+)[\s,;]*\Z")  # noqa: RUF001
_WHEN = re.compile(
    r"\b(?:when|while|whilst)\s+(?!(?:did|do|does|is|was|were|are|has|have|had|will|must|should|can|could|in|on|"
    r"exactly|and|or)\b)[\w-]+",
    re.IGNORECASE,
)
# "Do you know when her lease ends" asks when it ends; that "when" is no condition.
_INDIRECT = frozenset(
    _WORD.findall(
        "know knows knew known me us say said says tell ask wonder remember recall find out check "
        "since from until till and or of is a exactly date day"
    )
)
_SAME = re.compile(r"\bsame\b(?:\s+[\w-]+){0,4}?\s+(?:as|like)\b", re.IGNORECASE)
_SAID = re.compile(
    r"\b(?:did|does|do|has|have|had)\s+((?:[\w'’.-]+\s+){1,3}?)"  # noqa: RUF001
    r"(?:say|said|claim(?:ed)?|tell|told|mention(?:ed)?|write|wrote|written)\s+(?=(?:about|of|that|on|is|was)\b)",
    re.IGNORECASE,
)
_ANYBODY = frozenset(_WORD.findall("you we i they one people anybody anyone somebody someone who it this that"))
_ACCORDING = re.compile(r"\baccording\s+to\s+(?!wh|(?:the|our|your)\b)[\w-]+", re.IGNORECASE)


def intent(text: str) -> Intent | None:
    """Return the intent of a question; None: it asks for the value.

    Args:
        text: the question without its dates, entities and attributes, so that no name is read as a keyword.
    """
    text = ends(text)
    if _DID_REPLACE.search(text):
        return Intent.REPLACED
    return next((intent for intent, pattern in _INTENTS if pattern.search(text)), None)


def ends(text: str) -> str:
    """Return the part of a text that the patterns read: of a long text its beginning and its end."""
    return text if len(text) <= 2 * _READ else f"{text[:_READ]}?{text[-_READ:]}"


def asks_for_several(text: str) -> bool:
    """Whether a question asks for all values, or for how many there are."""
    return _SEVERAL.search(ends(text)) is not None


def asks_what_has_been(text: str) -> bool:
    """Whether a question in the perfect tense asks for all that has been until now, as "ever" does."""
    text = ends(text)
    return _PERFECT.search(text) is not None and _DOES_HAVE.search(text) is None


def asks_who_beside(text: str) -> bool:
    """Whether a question asks for people by their relation to what it names: "who was at Globex"."""
    return _WHO_BESIDE.search(ends(text)) is not None


def asks_what_was_known(text: str) -> bool:
    """Whether a question asks what was known or believed then, and not what was so."""
    return _BELIEVED.search(ends(text)) is not None


def asks_of_what_was(text: str) -> bool:
    """Whether a question asks for an earlier value, and not which value replaced another."""
    return _FORMER.search(ends(text)) is not None


def asks_for_all(text: str) -> bool:
    """Whether all words of a question ask for all that is known, or for all changes.

    Args:
        text: the question without its dates and the names of entities.
    """
    words = _WORD.findall(_OF_ALL.sub(" ", ends(text).casefold()))
    return all(word in OVERVIEW_WORDS or (len(word) == 1 and word.isalpha()) for word in words)


def condition(text: str) -> str | None:
    """Return the words of a condition in a question, on another fact or on a speaker; None: there is none.

    Such conditions are not supported: "when she lived in Lyon", "the same city as", "what did Ana say about".
    """
    text = ends(text)
    for match in _WHEN.finditer(text):
        before = _LAST_WORD.search(text, max(0, match.start() - _NEAR), match.start())
        if before[1].casefold() not in _INDIRECT if before else "," in text[match.end() :]:
            return match[0]
    said = next((m for m in _SAID.finditer(text) if m[1].strip().casefold() not in _ANYBODY), None)
    found = said or _SAME.search(text) or _ACCORDING.search(text)
    return " ".join(found[0].split()) if found else None
