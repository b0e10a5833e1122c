"""How dates are written in English, and which span of time each means: the whole of its day, month or year."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import islice
from typing import Any, TypeAlias

from graph_memory.domain.instants import LAST_INSTANT, MICROSECOND, parse_instant
from graph_memory.errors import InvalidInputError

Span: TypeAlias = tuple[datetime, datetime | None]
"""The first instant and the first one after it; None: the instant alone. UTC."""

MONTHS = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_YEAR = r"[12]\d{3}"
_SPELLED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SPELLED_NUMBERS = {"a": 1, "an": 1} | {word: number for number, word in enumerate(_SPELLED, start=1)}
NUMBER = rf"(?:\d{{1,4}}|an?|{'|'.join(_SPELLED)})"
UNIT = r"(?:second|minute|hour|day|week|month|year)s?"
# The name of a zone is taken with the time of the day, so that one that is not UTC is not taken for it.
_ZONE = r"(?:\s*(?-i:Z|[A-Z]{3,4})\b)?"
_CLOCK = (
    r"(?:\s+at\s+|,\s*(?:at\s+)?|\s+)"
    r"(?:\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?|\d{1,2}\s*[ap]m|noon|midday|midnight)"
)
_MONEY = r"\s*(?:[%€$£]|euros?\b|dollars?\b|pounds?\b|eur\b|usd\b)"

_FORMS = rf"""
    (?P<instant>\d{{4}}-\d{{2}}-\d{{2}}[T\ ]\d{{2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d+)?)?
        (?:(?P<offset>Z|[+-]\d{{2}}:?\d{{2}})|(?P<zone>{_ZONE})))
    | (?:
        (?:(?:{_WEEKDAYS}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)\.?,?\s+)?(?:
            (?P<day>\d{{4}}-\d{{1,2}}-\d{{1,2}})
            | (?P<slashed>\d{{1,2}}/\d{{1,2}}/{_YEAR}) | (?P<dotted>\d{{1,2}}\.\d{{1,2}}\.{_YEAR})
            | (?P<dated>(?:the\s+)?{DAY}\s+(?:of\s+)?{MONTHS}\.?(?:,?\s+(?:of\s+)?{_YEAR})?
                | {MONTHS}\.?\s+(?:the\s+)?{DAY}(?![\d:])(?:,?\s+{_YEAR})?))
        | (?P<month>\d{{4}}-(?:0[1-9]|1[0-2]))(?![-\d])
        | (?P<written>{MONTHS}\.?,?\s+(?:of\s+)?{_YEAR})
        | (?:the\s+)?(?P<part>q[1-4]|(?:first|second|third|fourth)\s+quarter|(?:first|second)\s+half)
            (?:\s+of|,)?\s+(?P<whole>{_YEAR})
        | (?:the\s+)?(?P<toward>last|past|previous|next|coming)\s+(?P<number>{NUMBER})\s+(?P<units>{UNIT})
            (?!\s+of\b)
        | (?:the\s+(?:last|past)|past)\s+(?P<unit>week|month|year)(?!\s+of\b)
        | (?:the\s+)?(?P<near>last|next|this|past|previous)\s+(?P<named>{MONTHS}|{_WEEKDAYS}|week|month|year)
        | (?P<relative>(?:the\s+)?day\s+(?:before\s+yesterday|after\s+tomorrow)|yesterday|tomorrow
            | {NUMBER}\s+{UNIT}\s+ago(?:\s+today)? | in\s+{NUMBER}\s+{UNIT})
        | (?:the\s+)?(?P<decade>[12]\d{{2}}0)s
        | (?P<alone>{MONTHS}|{_WEEKDAYS}|(?:the\s+)?year\s+\d{{1,4}}
            |(?<![$€£\#])(?P<year>{_YEAR})(?![.,:/]\d|{_MONEY}))
    ) (?P<clock>{_CLOCK}{_ZONE})?
"""
_FORM = re.compile(rf"(?<![\w-])(?:{_FORMS})(?![\w-])", re.IGNORECASE | re.VERBOSE)

_MAX_TOLD = 8
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
_BEFORE = r"(?:on|in|at|of|over|around|during|since|from|until|till|before|after|by|last|this|next|past)"
# What names a time that none of the forms above is.
_OTHER = re.compile(
    rf"""\b(?:
    (?:early|mid|late)(?:\s+in)?[\s-]+(?:{MONTHS}|{_YEAR}|(?:this|last|next)\s+{UNIT})
    | (?:beginning|start|middle|end|half|third|quarter|weeks?|weekend|eve|days?)\s+of\s+
        (?:the\s+)?(?:{MONTHS}|{_YEAR}|{UNIT}|(?:this|last|next)\s+{UNIT})
    | {_BEFORE}\s+(?:the\s+)?(?:early\s+|late\s+)?{_SEASON} | {_SEASON}(?:\s+of)?\s+{_YEAR}
    | {_BEFORE}\s+(?:christmas|easter|thanksgiving|halloween|new\s+year)
    | {_BEFORE}\s+(?:q[1-4]|(?:the\s+)?(?:first|second|third|fourth|last)\s+quarter)(?!\s+of\b)
    | (?:last|this|next|past|previous|coming)\s+
        (?:night|morning|afternoon|evening|weekend|fortnight|quarter|decade|century|{_SEASON})
    | (?:last|past|next|coming|recent)\s+(?:(?:few|couple\s+of|several|some)\s+)?{UNIT}
    | (?:few|couple\s+of|several|some)\s+{UNIT}\s+ago
    | {NUMBER}\s+{UNIT}\s+(?:earlier|later) | the\s+other\s+day
    | (?:{_BEFORE}|to)\s+the\s+\d{{1,2}}(?:st|nd|rd|th)(?!\s+(?!of\b)[a-z])
    | on\s+(?:\d{{1,2}}[./]\d{{1,2}}|\d{{8}}) | \d{{1,2}}/{_YEAR} | {_YEAR}/\d{{1,2}} | {MONTHS}\s+['\u2019]\d{{2}}
    | {_BEFORE}\s+['\u2019]\d{{2}} | {_YEAR}-w\d{{1,2}} | week\s+\d{{1,2}} | (?:fy|fiscal(?:\s+year)?)\s*{_YEAR}
    | within\s+{NUMBER}\s+{UNIT} | tonight | {_YEAR}\s*(?:[-\u2013]|to|and|or)\s*{_YEAR}
    | \d{{4}}-\d{{1,2}}-\d{{1,2}} | \d{{1,2}}([./])\d{{1,2}}\1\d{{2,4}}
    | at\s+(?:\d{{1,2}}:\d{{2}}|\d{{1,2}}\s*[ap]m)
    )(?![\w-])""",
    re.IGNORECASE | re.VERBOSE,
)


def forms(text: str) -> Iterator[re.Match[str]]:
    """Return where something in a text is written like a date."""
    return _FORM.finditer(text)


def unread_times(text: str) -> list[str]:
    """Return the words of a text that name a time, the first few; the dates that were read are blank in it."""
    found = list(islice((match for match in _FORM.finditer(text) if not match["alone"]), _MAX_TOLD))
    for other in islice(_OTHER.finditer(text), _MAX_TOLD):
        if not _overlaps(other, found):
            found.append(other)
    return [match[0] for match in sorted(found, key=re.Match[str].start)][:_MAX_TOLD]


def names_vague_time(text: str) -> bool:
    """Whether words of a text name a time that is none of the forms above: last summer, early in May."""
    found = [match for match in _FORM.finditer(text) if not match["alone"]]
    return any(
        re.search(r"[^\W\d]", re.sub(r"\bon\s", "", other[0], flags=re.IGNORECASE)) and not _overlaps(other, found)
        for other in _OTHER.finditer(text)
    )


def _overlaps(match: re.Match[str], others: Iterable[re.Match[str]]) -> bool:
    return any(match.start() < other.end() and other.start() < match.end() for other in others)


def counts(match: re.Match[str]) -> bool:
    """Whether a form counts from an instant: yesterday, last year."""
    return any(match[name] for name in ("toward", "unit", "near", "relative"))


def yearless(match: re.Match[str]) -> bool:
    """Whether a form is a day or a month of some year, or a weekday."""
    words = match["dated"] or match["written"] or match["alone"]
    return words is not None and not re.search(r"\d{4}|year\s+\d", words, re.IGNORECASE)


def following(match: re.Match[str], start: datetime) -> datetime:
    """Return the instant from which a form without a year counts that means the next such after a start."""
    try:
        return start + timedelta(days=8 if re.match(_WEEKDAYS, match[0], re.IGNORECASE) else 365)
    except OverflowError:
        return start


def span_of(match: re.Match[str], now: datetime) -> Span | None:
    """Return what a form means, counted from `now`; None: there is no such date, or it is not in UTC."""
    try:
        if match["instant"]:
            if (match["zone"] or "Z").strip() not in ("Z", "UTC", "GMT"):
                return None
            text = match["instant"].removesuffix(match["zone"] or "").replace(" ", "T")
            return parse_instant(text if match["offset"] else f"{text}Z"), None
        span = _date(match, now)
        return span if span is None or match["clock"] is None else _at_clock(span, match["clock"])
    except (InvalidInputError, ValueError, OverflowError):
        return None


def _date(match: re.Match[str], now: datetime) -> Span | None:
    if match["day"]:
        return period(datetime(*map(int, match["day"].split("-")), tzinfo=UTC), "day")  # type: ignore[misc,arg-type]
    if match["dotted"]:
        day, month, year = map(int, match["dotted"].split("."))
        return period(datetime(year, month, day, tzinfo=UTC), "day")
    if match["month"]:
        return period(parse_instant(f"{match['month']}-01"), "month")
    if match["part"]:
        return _part(match["part"].lower(), int(match["whole"]))
    if match["decade"]:
        return _year(int(match["decade"])), _year(int(match["decade"]) + 10)
    if match["toward"] or match["unit"]:
        return _sliding(match["toward"] or "last", match["number"] or "a", match["units"] or match["unit"], now)
    if match["near"]:
        return _near(match["near"].lower(), match["named"], now)
    if match["alone"] and match["alone"][-1].isdigit():
        return period(_year(int(match["alone"].split()[-1])), "year")
    words = match["dated"] or match["slashed"] or match[0].removesuffix(match["clock"] or "")
    if words.lower().endswith(" today"):
        found = _parsed(words[: -len(" today")], now)
        return None if found is None else period(moved(now, -counted(words.split()[0]), words.split()[1]), "day")
    return _parsed(re.sub(r"\bof\b", " ", words), now)


def _at_clock(span: Span, clock: str) -> Span | None:
    """Return an instant of a day."""
    found = re.search(r"(?P<hour>\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s*(?P<half>[ap])?m?|noon|midday", clock, re.I)
    zone = re.search(r"\s*(Z|[A-Z]{3,4})$", clock)
    elsewhere = zone is not None and zone[1] not in ("Z", "UTC", "GMT")
    if found is None or elsewhere or span != period(span[0], "day"):
        return None
    if found["hour"] is None:
        return span[0] + timedelta(hours=12), None
    hour, minute, second = (int(part or 0) for part in found.groups()[:3])
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"].lower() == "p" else 0)
    return span[0].replace(hour=hour, minute=minute, second=second), None


def _part(words: str, year: int) -> Span:
    """Return a quarter or a half of a year."""
    number = (
        int(words[1]) if words[1].isdigit() else ("first", "second", "third", "fourth").index(words.split()[0]) + 1
    )
    months = 6 if words.endswith("half") else 3
    return _month(year, months * (number - 1) + 1), _month(year, months * number + 1)


def _sliding(toward: str, number: str, unit: str, now: datetime) -> Span:
    """Return so many units before now, or after it."""
    if toward.lower() in ("next", "coming"):
        return now, moved(now, counted(number), unit)
    return moved(now, -counted(number), unit), now + MICROSECOND


def _near(word: str, named: str, now: datetime) -> Span | None:
    """Return what "last June", "next week" or "this year" means: the one before now, after it, or with it."""
    name = named.lower()
    if name == "week":
        monday = _midnight(now) - timedelta(days=now.weekday())
        return period(monday + timedelta(weeks=_step(word)), "week")
    if name == "year":
        return period(_year(now.year + _step(word)), "year")
    if name == "month":
        return period(_month(now.year, now.month + _step(word)), "month")
    latest = _parsed(named, now)
    if latest is None:
        return None
    start, end = latest
    assert end is not None, named
    if name.endswith("day"):
        days = {"next": 7, "this": 0}.get(word, -7)
        begun = start if start <= now else start - timedelta(days=7)
        today = begun == _midnight(now)
        if word == "this":
            return period(begun if today else begun + timedelta(days=7), "day")
        if word == "next":
            return period(begun + timedelta(days=7), "day")
        return period(begun + timedelta(days=days if today else 0), "day")
    year = start.year
    if word == "next":
        year += 1
    elif word == "this":
        year = now.year
    elif start <= now < end:
        year -= 1
    return period(_month(year, start.month), "month")


def _step(word: str) -> int:
    return {"next": 1, "this": 0}.get(word, -1)


def _parsed(words: str, now: datetime) -> Span | None:
    found = _parser(now.replace(tzinfo=None)).get_date_data(words)
    if found.date_obj is None:
        return None
    at = found.date_obj.astimezone(UTC)
    unit = re.search(rf"{UNIT}(?=\s+ago)|(?<=\s){UNIT}$", words, re.IGNORECASE)
    if found.period == "time":
        return at, None
    # Of "two weeks ago" the day is meant, and of "a month ago" the month.
    return period(at, "day" if found.period == "week" or (unit and unit[0].startswith("week")) else found.period)


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


def counted(number: str) -> int:
    """Return what a number says, in digits or in words."""
    word = number.lower()
    return int(word) if word.isdigit() else 1 if word == "the" else SPELLED_NUMBERS[word]


def moved(at: datetime, number: int, unit: str) -> datetime:
    """Return an instant so many units later; of a month that has no such day, the last one."""
    name = unit.lower().removesuffix("s")
    if name in ("month", "year"):
        first = _month(at.year, at.month + number * (12 if name == "year" else 1))
        day = min(at.day, calendar.monthrange(first.year, first.month)[1])
        return at.replace(year=first.year, month=first.month, day=day)
    return at + number * timedelta(**{f"{name}s": 1})


def period(at: datetime, name: str) -> Span:
    """Return the day, week, month or year that begins at, or holds, an instant.

    The last one that the calendar has ends with the last instant that there is.
    """
    day = _midnight(at)
    start = {"month": day.replace(day=1), "year": day.replace(month=1, day=1)}.get(name, day)
    try:
        if name in ("month", "year"):
            return start, moved(start, 1, name)
        return start, day + timedelta(days=7 if name == "week" else 1)
    except (OverflowError, ValueError):
        return start, LAST_INSTANT


def beside(span: Span, unit: str, *, before: bool) -> Span:
    """Return the day, week, month or year just before a time, or just after it."""
    start, end = span[0], span[1] or span[0]
    return (moved(start, -1, unit), start) if before else (end, moved(end, 1, unit))


def shifted(span: Span, number: int, unit: str) -> Span | None:
    """Return the day, month or year so many units later; None: the unit is shorter than it."""
    start, end = span
    if end is None:
        return moved(start, number, unit), None
    if span == period(start, "day"):
        return period(moved(start, number, unit), "day")
    for name, units in (("month", ("month", "year")), ("year", ("year",))):
        if span == period(start, name) and unit in units:
            return period(moved(start, number, unit), name)
    return None


def _midnight(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _month(year: int, month: int) -> datetime:
    """Return the first instant of a month; month 0 is December of the year before, 13 January of the next."""
    years, index = divmod(month - 1, 12)
    return datetime(year + years, index + 1, 1, tzinfo=UTC)


def _year(year: int) -> datetime:
    return datetime(year, 1, 1, tzinfo=UTC)
