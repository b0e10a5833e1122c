"""Whether a text speaks of a date: it holds it, or reaches it by its words from when it was said.

Pure. English is read as questions are; of other languages the words for months, weekdays, units and times such as
yesterday are known, and numbers are read in any. It is generous: a date that a text may mean passes, and one that
nothing in it leads to does not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, lru_cache

from graph_memory.domain import date_forms
from graph_memory.domain.instants import format_instant
from graph_memory.domain.time_words import MAX_WORDS, Phrase, TimeWords, is_short, meanings, time_words, words_of

_DAY = timedelta(days=1)
# How far from when it was said a date lies at most that is given without its year, or in words for no exact time.
_NEAR = timedelta(days=366)
_WEEKDAYS_AWAY = timedelta(days=14)
# How many words lie between a month and its day or year at most.
_BESIDE = 3
# How many a unit without a number may be: "some weeks", "years ago".
_SOME: dict[Phrase, int] = {("year",): 2, ("years",): 50}
_SOME_OF_OTHERS = 12
_SLACK = {"second": 1, "minute": 1, "hour": 1, "day": 1, "week": 7, "month": 31, "year": 366}
_NUMERIC = re.compile(
    r"(?<!\d)(\d{1,4})\s?[-./年월년]\s?(\d{1,2})\s?[-./月월]\s?(\d{1,4})(?!\d)|(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)"
)


@dataclass(frozen=True)
class StatedTimes:
    """The times of which a text speaks.

    Attributes:
        text: what was said, such as an episode's text.
        said_at: when it was said (UTC).
    """

    text: str
    said_at: datetime

    def hold(self, said: datetime | date, *beside: datetime | date) -> bool:
        """Whether the text speaks of a day, or of the day before it, since an exclusive end is one day later.

        Args:
            said: the day; of an instant, its day in UTC or in its own offset.
            beside: other days that the text speaks of, from which it may count ("for two years").
        """
        days = _days(said)
        bases = [self.said_at.date(), *(day for other in beside for day in _days(other))]
        return any(day in (self.said_at.date(), *self._written) or self._reaches(day, bases) for day in days)

    def lacks(self, given: Mapping[str, object], *beside: datetime | date) -> str | None:
        """Return what is wrong with the first of some dates, by name, of which the text does not speak."""
        for name, value in given.items():
            if isinstance(value, date) and not self.hold(value, *beside):
                shown = format_instant(value) if isinstance(value, datetime) else value.isoformat()
                at = format_instant(self.said_at)
                return f"{name} {shown} is a date of which the episode, said at {at}, does not speak"
        return None

    def _reaches(self, day: date, bases: list[date]) -> bool:
        return (
            self._within_english(day)
            or any(self._is_named(one, day) for one in _and_before(day))
            or self._is_counted(day, bases)
        )

    @cached_property
    def _written(self) -> frozenset[date]:
        """The days that stand in the text in numbers, in any order of them, and the ones after."""
        text = unicodedata.normalize("NFKC", self.text)
        found = set()
        for match in _NUMERIC.finditer(text):
            one, two, three = (int(part) for part in match.groups() if part is not None)
            orders = [(one, two, three), (three, two, one), (three, one, two)]
            found |= {day for order in orders if (day := _date(*order)) is not None}
        return frozenset(found | {_next(day) for day in found})

    @cached_property
    def _spans(self) -> list[tuple[date, date]]:
        """The days that English words mean, the first one after included."""
        found = []
        for match in date_forms.forms(self.text):
            if match["alone"]:
                continue
            for now in (self.said_at, *self._beside_year()) if date_forms.yearless(match) else (self.said_at,):
                span = date_forms.span_of(match, now)
                if span is not None:
                    found.append((span[0].date(), (span[1] or span[0]).date()))
        return found

    def _beside_year(self) -> Iterator[datetime]:
        for days in (-365, 365):
            try:
                yield self.said_at + timedelta(days=days)
            except OverflowError:
                continue

    @cached_property
    def _is_vague(self) -> bool:
        """Whether English words name a time that is no exact one: last summer, early in May."""
        return date_forms.names_vague_time(self.text)

    def _within_english(self, day: date) -> bool:
        if any(start <= day <= end for start, end in self._spans):
            return True
        return self._is_vague and (self._is_near(day) or day.year in self._words.years)

    def _is_near(self, day: date) -> bool:
        return abs(day - self.said_at.date()) <= _NEAR

    @cached_property
    def _words(self) -> _Words:
        return _Words.of(self.text)

    def _is_named(self, one: date, day: date) -> bool:
        """Whether the year, the month and the day are named, as far as they are no firsts; or the weekday."""
        words = self._words
        if one.year in words.years and (one.month, one.day) in ((1, 1), (12, 31)):
            return True
        for month, numbers in words.months:
            years = {number for number in numbers if number > 31}
            in_year = one.year in years or one.year % 100 in years if years else self._is_near(one)
            if month == one.month and in_year and (one.day in numbers or 1 in (one.day, day.day)):
                return True
        return one.weekday() in words.weekdays and abs(one - self.said_at.date()) <= _WEEKDAYS_AWAY

    def _is_counted(self, day: date, bases: list[date]) -> bool:
        words, said_on = self._words, self.said_at.date()
        if any(_is_about(day, said_on, number, unit) for number, unit in words.relative):
            return True
        if not words.counted:
            return False
        starts = {*bases, *self._written, *(end for span in self._spans for end in span)}
        return any(
            _is_about(day, start, sign * number, unit)
            for start in starts
            for number, unit in words.counted
            for sign in (1, -1)
        )


@dataclass(frozen=True)
class _Words:
    """What the words of a text may mean, in any language.

    Attributes:
        numbers: all that stand in it in digits.
        months: those that are named, each with the numbers that stand near it.
        weekdays: those that are named.
        relative: so many of a unit later than when it was said (negative: earlier).
        counted: so many of a unit.
    """

    numbers: set[int] = field(default_factory=set)
    months: set[tuple[int, frozenset[int]]] = field(default_factory=set)
    weekdays: set[int] = field(default_factory=set)
    relative: set[tuple[int, str]] = field(default_factory=set)
    counted: set[tuple[int, str]] = field(default_factory=set)

    @property
    def years(self) -> set[int]:
        return {number for number in self.numbers if 1000 <= number <= 9999}

    @classmethod
    @lru_cache(maxsize=8)  # each date of an answer is looked for in one text
    def of(cls, text: str) -> _Words:
        found, table, words = cls(), time_words(), words_of(text)
        english = [(m.start(), m.end()) for m in date_forms.forms(text) if date_forms.counts(m)]
        blank = " ".join(_without(text, english))
        found.numbers.update(int(word) for word in words if word.isdigit() and len(word) <= 4)
        found._look(words, table)
        found._count(words_of(blank), table)
        return found

    def _look(self, words: list[str], table: TimeWords) -> None:
        for start, phrase in _phrases(words):
            if is_short(phrase):
                continue
            if months := meanings(table.months, phrase):
                near = words[max(0, start - _BESIDE) : start + len(phrase) + _BESIDE]
                numbers = frozenset(int(word) for word in near if word.isdigit() and len(word) <= 4)
                self.months.update((month, numbers) for month in months)
            self.weekdays.update(meanings(table.weekdays, phrase))

    def _count(self, words: list[str], table: TimeWords) -> None:
        """Note times such as yesterday, and units with the numbers before them, or a few without any."""
        taken: set[int] = set()
        for start, phrase in _phrases(words):
            if (meant := table.relative.get(phrase)) and not is_short(phrase) and not phrase[0].isdigit():
                self.relative.update(meant)
                taken.update(range(start, start + len(phrase)))
        for start, phrase in _phrases(words):
            if taken.intersection(range(start, start + len(phrase))):
                continue
            for unit in meanings(table.units, phrase):
                numbers = _number(words[start - 1], table) if start else set()
                if unit == "year" and not self.years.isdisjoint(numbers):
                    continue
                if not numbers and not is_short(phrase):
                    numbers = set(range(1, _SOME.get(phrase, _SOME_OF_OTHERS) + 1))
                self.counted.update((number, unit) for number in numbers)


def _number(word: str, table: TimeWords) -> set[int]:
    if word.isdigit():
        return {int(word)} if len(word) <= 4 else set()
    english = date_forms.SPELLED_NUMBERS.get(word)
    return table.numbers.get((word,), set()) if english is None else {english}


def _phrases(words: list[str]) -> Iterator[tuple[int, Phrase]]:
    """Return all runs of words, the longest first, with their places."""
    for size in range(MAX_WORDS, 0, -1):
        for start in range(len(words) - size + 1):
            yield start, tuple(words[start : start + size])


def _without(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    last = 0
    for start, end in spans:
        yield text[last:start]
        last = end
    yield text[last:]


def _is_about(day: date, start: date, number: int, unit: str) -> bool:
    """Whether a day is so many units after a start, to the length of the unit."""
    try:
        at = date_forms.moved(datetime(start.year, start.month, start.day, tzinfo=UTC), number, unit)
    except (OverflowError, ValueError):
        return False
    return abs(day - at.date()).days <= _SLACK[unit]


def _days(said: datetime | date) -> list[date]:
    if not isinstance(said, datetime):
        return [said]
    try:
        return [*{said.date(), said.astimezone(UTC).date()}]
    except OverflowError:
        return [said.date()]


def _and_before(day: date) -> list[date]:
    return [day] if day == date.min else [day, day - _DAY]


def _next(day: date) -> date:
    return day if day == date.max else day + _DAY


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year + 2000 if year < 70 else year + 1900 if year < 100 else year, month, day)
    except ValueError:
        return None
