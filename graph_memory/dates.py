"""When a question asks about: the dates in an English text, and the time that they bound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Any

from graph_memory.errors import InvalidInputError
from graph_memory.instants import FIRST_INSTANT, MICROSECOND, parse_instant

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


@dataclass(frozen=True, slots=True)
class Window:
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
        bound: how the words before it bind it.
        bare: whether no word before it says that it is a time: it may as well be a value.
    """

    start: int
    end: int
    words: str
    window: Window
    bound: Bound
    bare: bool = False


_MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"[12]\d{3}"
_CLOCK = r"(?:(?:,?\s+at|,)?\s+(?:\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?|\d{1,2}\s*[ap]m))"
_NUMBER = r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_UNIT = r"(?:second|minute|hour|day|week|month|year)s?"

_FORMS = re.compile(
    rf"""
    (?P<instant>\d{{4}}-\d{{2}}-\d{{2}}[T\ ]\d{{2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d+)?)?
        (?P<zone>Z|[+-]\d{{2}}:?\d{{2}})?)
    | (?P<day>\d{{4}}-\d{{2}}-\d{{2}})
    | (?P<month>\d{{4}}-(?:0[1-9]|1[0-2]))(?![-\d])
    | (?P<slashed>\d{{1,2}}[/.]\d{{1,2}}[/.]{_YEAR})
    | (?P<written>(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTHS}\.?(?:,?\s+{_YEAR})?{_CLOCK}?
        | {_MONTHS}\.?\s+(?:the\s+)?{_DAY}(?![\d:])(?:,?\s+{_YEAR})?{_CLOCK}?
        | {_MONTHS}\.?,?\s+(?:of\s+)?{_YEAR})
    | (?:the\s+)?(?P<near>last|next|this|past|previous)\s+(?P<named>{_MONTHS}|{_WEEKDAYS}|week|month|year)
    | (?P<relative>(?:the\s+)?day\s+(?:before\s+yesterday|after\s+tomorrow)|(?:yesterday|tomorrow){_CLOCK}?
        | {_NUMBER}\s+{_UNIT}\s+ago | in\s+{_NUMBER}\s+{_UNIT})
    | (?:the\s+)?(?P<decade>[12]\d{{2}}0)s
    | (?P<alone>{_MONTHS}|{_WEEKDAYS}|(?:the\s+)?year\s+\d{{1,4}}|{_YEAR})
    """,
    re.IGNORECASE | re.VERBOSE,
)
_EDGES = re.compile(r"(?<![\w-])(?:{})(?![\w-])".replace("{}", _FORMS.pattern), _FORMS.flags)

_BINDING = re.compile(
    r"\b(?:(?P<within>as\s+(?:of|at)|on|in|at|during|around|within|for|over|throughout)"
    r"|(?P<from>since|from|starting|between)|(?P<after>after|following|later\s+than)"
    r"|(?P<before>before|prior\s+to|earlier\s+than)|(?P<until>until|till|up\s+to|(?P<end>to|through|and))"
    r"|(?P<by>by))\s+(?:(?:the\s+)?(?:(?P<last>end)|(?P<first>beginning|start))\s+of\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)


def dates(text: str, now: datetime) -> list[Date]:
    """Return the dates of a text in their order, at most MAX_DATES; relative ones count from `now` (UTC).

    A date is the whole of its day, month or year, and a date with a time of the day an instant; without an offset
    it is UTC. A month without a year is the latest one that has begun, a weekday the latest one before today.
    """
    found: list[Date] = []
    for match in _EDGES.finditer(text):
        if len(found) == MAX_DATES:
            break
        binding = _BINDING.search(text[max(0, match.start() - _BINDING_WIDTH) : match.start()])
        # A month, a weekday or a number alone is a date only where a word says so: "may", "march", "2000".
        if match["alone"] and binding is None and "year" not in match["alone"].lower():
            continue
        window = _window(match, now)
        if window is None:
            continue
        start = match.start() if binding is None else match.start() - len(binding[0])
        bound = Bound.WITHIN if binding is None else _bound(binding)
        if binding is not None and (binding["first"] or binding["last"]):
            window = Window(window.start if binding["first"] else window.last)
        bare = binding is None and not (match["near"] or match["relative"])
        if binding is not None and binding["end"] and not any(d.bound is Bound.FROM for d in found):
            start, bound, bare = match.start(), Bound.WITHIN, True
        found.append(Date(start, match.end(), match[0], window, bound, bare))
    return found


def counts_from_now(text: str) -> bool:
    """Whether what the dates of a text mean depends on the instant at which it is asked."""
    for match in _EDGES.finditer(text):
        complete = re.search(r"\d{4}$|year \d+$", match[0], re.IGNORECASE) and not match["written"]
        if match["near"] or match["relative"] or ((match["alone"] or match["written"]) and not complete):
            return True
        binding = _BINDING.search(text[max(0, match.start() - _BINDING_WIDTH) : match.start()])
        if binding is not None and (binding["from"] or binding["after"]):
            return True
    return False


def _window(match: re.Match[str], now: datetime) -> Window | None:
    try:
        if match["instant"]:
            text = match["instant"].replace(" ", "T")
            return Window(parse_instant(text if match["zone"] else f"{text}Z"))
        if match["day"]:
            return _period(parse_instant(match["day"]), "day")
        if match["month"]:
            return _period(parse_instant(f"{match['month']}-01"), "month")
        if match["decade"]:
            first = datetime(int(match["decade"]), 1, 1, tzinfo=UTC)
            return Window(first, _year(first.year + 10))
        if match["near"]:
            return _near(match["near"].lower(), match["named"], now)
        if match["alone"] and match["alone"][-1].isdigit():
            return _period(_year(int(match["alone"].split()[-1])), "year")
        return _parsed(match[0], now)
    except (InvalidInputError, ValueError, OverflowError):
        return None


def _near(word: str, named: str, now: datetime) -> Window | None:
    """Return what "last June", "next week" or "this year" means: the one before now, after it, or with it."""
    name = named.lower()
    if name == "week":
        monday = _midnight(now) - timedelta(days=now.weekday())
        return _period(monday + timedelta(weeks=_step(word)), "week")
    if name == "year":
        return _period(_year(now.year + _step(word)), "year")
    if name == "month":
        return _period(_month(now.year, now.month + _step(word)), "month")
    latest = _parsed(named, now)
    if latest is None or latest.end is None:
        return latest
    if name.endswith("day"):
        days = {"next": 7, "this": 0}.get(word, -7)
        begun = latest.start if latest.start <= now else latest.start - timedelta(days=7)
        today = begun == _midnight(now)
        if word == "this":
            return _period(begun if today else begun + timedelta(days=7), "day")
        if word == "next":
            return _period(begun + timedelta(days=7), "day")
        return _period(begun + timedelta(days=days if today else 0), "day")
    year = latest.start.year
    within = latest.start <= now < latest.end
    if word == "next":
        year += 1
    elif word == "this":
        year = now.year
    elif within:
        year -= 1
    return _period(_month(year, latest.start.month), "month")


def _step(word: str) -> int:
    return {"next": 1, "this": 0}.get(word, -1)


def _parsed(words: str, now: datetime) -> Window | None:
    found = _parser(now.replace(tzinfo=None)).get_date_data(words)
    if found.date_obj is None:
        return None
    at = found.date_obj.astimezone(UTC)
    unit = re.search(rf"{_UNIT}(?=\s+ago)|(?<=\s){_UNIT}$", words, re.IGNORECASE)
    if found.period == "time":
        return Window(at)
    # Of "two weeks ago" the day is meant, and of "a month ago" the month.
    return _period(at, "day" if found.period == "week" or (unit and unit[0].startswith("week")) else found.period)


@lru_cache(maxsize=8)
def _parser(now: datetime) -> Any:
    # Loading it takes half a second, and questions with a plain date do without it.
    from dateparser.date import DateDataParser

    return DateDataParser(
        languages=["en"],
        settings={
            "RELATIVE_BASE": now,
            "PREFER_DAY_OF_MONTH": "first",
            "PREFER_MONTH_OF_YEAR": "first",
            "PREFER_DATES_FROM": "past",
            "RETURN_TIME_AS_PERIOD": True,
            "TIMEZONE": "UTC",
            "RETURN_AS_TIMEZONE_AWARE": True,
        },
    )


def _period(at: datetime, period: str) -> Window:
    """Return the day, week, month or year that begins at, or holds, an instant."""
    day = _midnight(at)
    if period == "week":
        return Window(day, day + timedelta(days=7))
    if period == "month":
        return Window(_month(day.year, day.month), _month(day.year, day.month + 1))
    if period == "year":
        return Window(_year(day.year), _year(day.year + 1))
    return Window(day, day + timedelta(days=1))


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _month(year: int, month: int) -> datetime:
    """Return the first instant of a month; month 0 is December of the year before, 13 January of the next."""
    years, index = divmod(month - 1, 12)
    return datetime(year + years, index + 1, 1, tzinfo=UTC)


def _year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)


def _bound(binding: re.Match[str]) -> Bound:
    return next(bound for bound in Bound if binding[bound])


def asked(found: Sequence[Date], now: datetime, *, changes: bool = False) -> Window | None:
    """Return the time that the dates of a question bound together; None: they bound none, so it is about now.

    Args:
        found: in their order.
        now: the end of what began and has no end.
        changes: whether the question is about what changed: then "before" a date is all the time before it, where
            else it is the last instant before.
    """
    if not found:
        return None
    first = found[0]
    second = next((d for d in found[1:] if d.bound in (Bound.UNTIL, Bound.BEFORE, Bound.BY)), None)
    if second is not None and first.bound in (Bound.FROM, Bound.AFTER, Bound.WITHIN):
        start = first.window.last + MICROSECOND if first.bound is Bound.AFTER else first.window.start
        end = second.window.start if second.bound is Bound.BEFORE else second.window.last + MICROSECOND
        if start < end:
            return Window(start, end)
    window = first.window
    if first.bound is Bound.FROM:
        return Window(window.start, max(now, window.last) + MICROSECOND)
    if first.bound is Bound.AFTER:
        after = window.last + MICROSECOND
        return Window(after, max(now, after) + MICROSECOND)
    if first.bound in (Bound.BEFORE, Bound.UNTIL):
        if window.start == FIRST_INSTANT:
            return Window(window.start)
        if changes:
            return Window(
                FIRST_INSTANT, window.start if first.bound is Bound.BEFORE else window.last + MICROSECOND
            )
        return Window(window.start - MICROSECOND)
    if first.bound is Bound.BY:
        return Window(FIRST_INSTANT, window.last + MICROSECOND) if changes else Window(window.last)
    return window


def masked(text: str, found: Iterable[Date]) -> str:
    """Return a text of the same length without its dates."""
    for date in found:
        text = text[: date.start] + " " * (date.end - date.start) + text[date.end :]
    return text


def period_of(start: str | None, end: str | None) -> Window | None:
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
        return Window(first) if "T" in start else _period(first, "day")
    last = parse_instant(end, "end")
    if last <= first:
        raise InvalidInputError(f"the end {end!r} does not come after the start {start!r}")
    return Window(first, last)
