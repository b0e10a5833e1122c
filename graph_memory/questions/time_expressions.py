"""When a question asks about: the dates in an English text, and the time that they bound."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph_memory.domain import date_forms
from graph_memory.domain.date_forms import DAY, MONTHS, NUMBER
from graph_memory.domain.instants import FIRST_INSTANT, LAST_INSTANT, MICROSECOND, parse_instant
from graph_memory.errors import InvalidInputError

_BINDING_WIDTH = 40
# So that no text costs more than this many calls of the parser.
MAX_DATES = 8


class Bound(StrEnum):
    """How a date bounds the time that is asked about."""

    WITHIN = "within"
    FROM = "from"
    AFTER = "after"
    BEFORE = "before"
    UNTIL = "until"
    BY = "by"
    ALSO = "also"


@dataclass(frozen=True, slots=True)
class Period:
    """A time that is asked about: an instant, or an interval [start, end).

    Attributes:
        start: the instant, or the first one of the interval (UTC).
        end: the first one after the interval; None: there is no interval, but the instant alone.
    """

    start: datetime
    end: datetime | None = None

    @property
    def last(self) -> datetime:
        """The last instant of it."""
        return self.start if self.end is None else self.end - MICROSECOND


@dataclass(frozen=True, slots=True)
class Date:
    """A date as it stands in a text.

    Attributes:
        start: offset of its first character, the words that bind it included.
        end: offset after its last one.
        words: the date itself.
        window: what it means.
        bound: how the words before it bind it; `also`: it is named beside the date before it.
        bare: whether no word before it says that it is a time: it may as well be a value.
    """

    start: int
    end: int
    words: str
    window: Period
    bound: Bound
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Bounded:
    """The time that some dates bound together.

    Attributes:
        window: None: they bound none, so it is about now.
        left: the dates that do not go with those before them. Where there are any, `window` is not all of what was
            meant.
    """

    window: Period | None
    left: tuple[Date, ...] = ()


_OPENING = (Bound.FROM, Bound.AFTER, Bound.WITHIN)
_CLOSING = (Bound.UNTIL, Bound.BEFORE, Bound.BY)
_EDGE = (
    r"(?:(?:either|both)\s+)?(?:the\s+(?:month|year|course)\s+of\s+)?"
    r"(?:(?:the\s+)?(?:(?P<last>end)|(?P<first>beginning|start))\s+of\s+)?(?:the\s+)?"
)
_BINDING = re.compile(
    r"\b(?:(?P<within>as\s+(?:of|at)|on|in|at|during|around|within|for|over|throughout)"
    r"|(?P<from>since|from|starting|between|on\s+or\s+after|not?\s+(?:before|earlier\s+than))|(?P<after>after|following|later\s+than)"
    r"|(?P<before>before|prior\s+to|earlier\s+than)|(?P<until>until|till|up\s+to|(?P<end>to|through|and))"
    rf"|(?P<by>by|on\s+or\s+before|not?\s+(?:after|later\s+than)))\s+{_EDGE}$",
    re.IGNORECASE,
)
# What stands between two dates of which the second one is named beside the first, or ends what the first begins.
_BESIDE = re.compile(rf"\s*(?:,|,?\s*\b(?:and|or)\b|&)\s*(?:(?:in|on)\s+)?{_EDGE}", re.IGNORECASE)
_ONWARD = re.compile(rf"\s*(?:\b(?:to|through|until|till|up\s+to)\b|[-\u2013])\s*{_EDGE}", re.IGNORECASE)
# After these a number is rather a sum, a size, or that of a house.
_NOT_OF_YEARS = re.compile(r"\b(?:at|on|within|for|over)\s+(?:the\s+)?$", re.IGNORECASE)
_SHIFT = re.compile(
    rf"\b(?P<number>{NUMBER}|the)\s+(?P<unit>day|week|month|year)s?\s+"
    r"(?:(?P<before>before|prior\s+to)|after|following)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
# With these words before it, or after it, a date means another time than it says.
_ALTERED = re.compile(
    r"(?:\b(?:early|mid|late)(?:\s+in)?[\s-]+|\b(?:\d{1,2}(?:st|nd|rd|th)|middle|half|third|quarter|weeks?|weekend|eve|days?|night|morning|"
    rf"afternoon|evening)\s+of\s+|\b(?:from|between)\s+(?:the\s+)?{DAY}\s*(?:to|and|until|through|till|[-\u2013])\s*)"
    r"(?:the\s+)?$",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"\s+['\u2019]\d{2}")
_AFTER_MONTH = re.compile(
    rf"\b{MONTHS}\s*(?:,|\b(?:to|and|or|through|until|till)\b|[-\u2013])\s*(?:the\s+)?$", re.IGNORECASE
)
_GOES_ON = re.compile(
    rf"\s*(?:\b(?:to|and|until|through|till)\b|[-\u2013])\s*(?:the\s+)?{DAY}(?![\w:./-]|\s+(?:of\b|[a-z]))",
    re.IGNORECASE,
)


def dates(text: str, now: datetime) -> list[Date]:
    """Return the dates of a text in their order, at most MAX_DATES; relative ones count from `now` (UTC).

    A date is the whole of its day, month or year, and a date with a time of the day an instant; without an offset
    it is UTC. A month without a year is the latest one that has begun, a weekday the latest one before today. Of
    two dates that belong together, one without a year goes by the other.
    """
    found: list[Date] = []
    matches: list[re.Match[str]] = []
    for match in date_forms.forms(text):
        if len(found) == MAX_DATES:
            break
        date = _read(text, match, now, found)
        if date is not None:
            found.append(date)
            matches.append(match)
    undated = {i for i, match in enumerate(matches) if date_forms.yearless(match)}
    for i in range(1, len(found)):
        if i in undated and i - 1 not in undated and _together(found[i - 1], found[i]):
            after = date_forms.following(matches[i], found[i - 1].window.start)
            found[i] = _read(text, matches[i], after, found[:i]) or found[i]
            undated.remove(i)
    for i in range(len(found) - 2, -1, -1):
        if i in undated and _together(found[i], found[i + 1]):
            found[i] = _read(text, matches[i], found[i + 1].window.last, found[:i]) or found[i]
    return found


def _together(first: Date, second: Date) -> bool:
    return second.bound is Bound.ALSO or (first.bound in _OPENING and second.bound in _CLOSING)


def _read(text: str, match: re.Match[str], now: datetime, found: Sequence[Date]) -> Date | None:
    """Return what stands at a match as a date; None: it is none, or another one than its words say."""
    before = text[max(0, match.start() - _BINDING_WIDTH) : match.start()]
    shift = _SHIFT.search(before)
    start = match.start() - (0 if shift is None else len(shift[0]))
    before = before if shift is None else before[: shift.start()]
    binding = _BINDING.search(before)
    if binding is not None and binding["end"] and not any(d.bound is Bound.FROM for d in found):
        binding = None
    near = bool(found) and start - found[-1].end <= _BINDING_WIDTH
    beside = _beside(found[-1], text[found[-1].end : start]) if near else None
    # A month, a weekday or a number alone is a date only where a word says so: "may", "march", "2000".
    said = binding is not None or beside is not None or shift is not None
    if match["alone"] and not said and "year" not in match["alone"].lower():
        return None
    if beside is None and (_AFTER_MONTH.search(before) or (match["year"] and _NOT_OF_YEARS.search(before))):
        return None
    if _is_altered(text, match, before):
        return None
    span = date_forms.span_of(match, now)
    if span is not None and shift is not None:
        span = _shifted(span, shift)
    if span is None:
        return None
    window = Period(*span)
    bare = binding is None and shift is None and not (date_forms.counts(match) or match["part"])
    bound = Bound.WITHIN if binding is None else next(bound for bound in Bound if binding[bound])
    edge = binding
    if beside is not None:
        (bound, edge), bare = beside, found[-1].bare
        start = found[-1].end
    elif binding is not None:
        start -= len(binding[0])
    if edge is not None and (edge["first"] or edge["last"]):
        window = Period(window.start if edge["first"] else window.last)
    return Date(start, match.end(), match[0], window, bound, bare)


def _is_altered(text: str, match: re.Match[str], before: str) -> bool:
    after = _GOES_ON.match(text, match.end()) if match["dated"] else None
    return bool(after or _ALTERED.search(before) or _SHORT_YEAR.match(text, match.end()))


def _shifted(span: date_forms.Span, shift: re.Match[str]) -> date_forms.Span | None:
    before, unit = bool(shift["before"]), shift["unit"].lower()
    try:
        if shift["number"].lower() == "the":
            return date_forms.beside(span, unit, before=before)
        return date_forms.shifted(span, date_forms.counted(shift["number"]) * (-1 if before else 1), unit)
    except (ValueError, OverflowError):
        return None


def _beside(previous: Date, between: str) -> tuple[Bound, re.Match[str]] | None:
    """Return how a date is bound by the one before it, and by which words; None: it stands for itself."""
    if (words := _ONWARD.fullmatch(between)) is not None:
        return Bound.UNTIL, words
    if (words := _BESIDE.fullmatch(between)) is not None:
        ends = previous.bound is Bound.FROM and "and" in words[0].lower()
        return (Bound.UNTIL if ends else Bound.ALSO), words
    return None


def counts_from_now(text: str) -> bool:
    """Whether what the dates of a text mean depends on the instant at which it is asked."""
    for match in date_forms.forms(text):
        if date_forms.counts(match) or date_forms.yearless(match):
            return True
        binding = _BINDING.search(text[max(0, match.start() - _BINDING_WIDTH) : match.start()])
        if binding is not None and (binding["from"] or binding["after"]):
            return True
    return False


def asked(found: Sequence[Date], now: datetime, *, changes: bool = False) -> Bounded:
    """Return the time that the dates of a question bound together.

    Args:
        found: in their order.
        now: the end of what began and has no end.
        changes: whether the question is about what changed: then "before" a date is all the time before it, where
            else it is the last instant before.
    """
    if not found:
        return Bounded(None)
    first, rest = found[0], list(found[1:])
    window = first.window
    while rest and rest[0].bound is Bound.ALSO and (wider := _joined(window, rest[0].window)) is not None:
        window = wider
        del rest[0]
    if rest and rest[0].bound in _CLOSING and first.bound in _OPENING:
        start = _just_after(window.last) if first.bound is Bound.AFTER else window.start
        end = rest[0].window.start if rest[0].bound is Bound.BEFORE else _just_after(rest[0].window.last)
        if start < end:
            return Bounded(Period(start, end), tuple(rest[1:]))
    if first.bound in (Bound.BEFORE, Bound.UNTIL) and window.start == FIRST_INSTANT:
        return Bounded(None, tuple(found))  # there is no time before it
    return Bounded(_alone(first.bound, window, now, changes), tuple(rest))


def _just_after(at: datetime) -> datetime:
    """Return the first instant after; of the last one there is, that one."""
    return at if at == LAST_INSTANT else at + MICROSECOND


def _joined(one: Period, other: Period) -> Period | None:
    """Return two intervals that meet as one; None: there is time between them."""
    if one.end is None or other.end is None or one.end < other.start or other.end < one.start:
        return None
    return Period(min(one.start, other.start), max(one.end, other.end))


def _alone(bound: Bound, window: Period, now: datetime, changes: bool) -> Period:
    if bound in (Bound.FROM, Bound.AFTER):
        start = window.start if bound is Bound.FROM else _just_after(window.last)
        end = _just_after(max(now, window.last, start))
        return Period(start, end) if start < end else Period(start)
    if bound in (Bound.BEFORE, Bound.UNTIL):
        if changes:
            return Period(FIRST_INSTANT, window.start if bound is Bound.BEFORE else _just_after(window.last))
        return Period(window.start - MICROSECOND)
    if bound is Bound.BY:
        return Period(FIRST_INSTANT, _just_after(window.last)) if changes else Period(window.last)
    return window


def period_of(start: str | None, end: str | None) -> Period | None:
    """Return the time that two texts bound, dates or instants with offset; None for both: none is bound.

    Raises:
        InvalidInputError: one of them is neither, or the end does not come after the start.
    """
    if start is None:
        if end is None:
            return None
        raise InvalidInputError(f"the end {end!r} has no start")
    first = parse_instant(start, "start")
    if end is None:
        return Period(first) if "T" in start else Period(*date_forms.period(first, "day"))
    last = parse_instant(end, "end")
    if last <= first:
        raise InvalidInputError(f"the end {end!r} does not come after the start {start!r}")
    return Period(first, last)
