"""The words for times in some two hundred languages: months, weekdays, units, yesterday, last week and the like.

Taken from the tables of `dateparser`, and compared in the form that `words_of` gives.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from graph_memory.domain.folding import folded

Meaning = TypeVar("Meaning")

Phrase: TypeAlias = tuple[str, ...]
"""Some words, one after the other; of a script without spaces, its characters."""

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
UNITS = ("second", "minute", "hour", "day", "week", "month", "year")
MAX_WORDS = 5
# Numbers, letters with their marks, and each character of a script that writes no spaces between words.
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"\d+|[{_UNSPACED}]|(?:(?![\d_{_UNSPACED}])[\w\u0300-\u036f\u064b-\u0652\u0900-\u0dff])+")
_RELATIVE = re.compile(r"(?:in )?(\d+) (second|minute|hour|day|week|month|year)(?: ago)?")


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The words of all languages together.

    Attributes:
        months: number of the month, 1 to 12.
        weekdays: number of the weekday, Monday 0.
        units: one of UNITS.
        relative: how many of which unit later (negative: earlier).
        numbers: words for small numbers.
    """

    months: dict[Phrase, set[int]] = field(default_factory=dict)
    weekdays: dict[Phrase, set[int]] = field(default_factory=dict)
    units: dict[Phrase, set[str]] = field(default_factory=dict)
    relative: dict[Phrase, set[tuple[int, str]]] = field(default_factory=dict)
    numbers: dict[Phrase, set[int]] = field(default_factory=dict)


def words_of(text: str) -> list[str]:
    """Return the numbers and words of a text, folded; a script without spaces gives its characters."""
    return _WORD.findall(folded(text))


def is_short(phrase: Phrase) -> bool:
    """Whether a word is too short to say anything by itself, as `an` (a year in French, an article in English)."""
    return len(phrase) == 1 and len(phrase[0]) < 3 and not re.match(rf"[{_UNSPACED}]", phrase[0])


@lru_cache(maxsize=1)
def time_words() -> TimeWords:
    """Return the words of all languages; reading the tables takes a fifth of a second, once."""
    from dateparser.languages.loader import default_loader

    found = TimeWords()
    for locale in default_loader.get_locales(languages=None):
        _take(found, locale.info)
    return found


def _take(found: TimeWords, info: dict[str, Any]) -> None:
    for names, into in ((MONTHS, found.months), (WEEKDAYS, found.weekdays)):
        for number, name in enumerate(names):
            for word in info.get(name, ()):
                _add(into, word, number + (1 if into is found.months else 0))
    for unit in UNITS:
        known = {phrase for word in info.get(unit, ()) if (phrase := tuple(words_of(word)))}
        inflected = (info.get("relative-type-regex") or {}).items()
        said = {w for key, forms in inflected if f" {unit}" in key for form in forms for w in _letters(form)}
        known |= {(w,) for w in said for phrase in known if len(phrase[-1]) > 2 and w.startswith(phrase[-1][:3])}
        for phrase in known:
            _add(found.units, " ".join(phrase), unit)
    for key, forms in (info.get("relative-type") or {}).items():
        if (match := _RELATIVE.fullmatch(key)) is not None:
            number = int(match[1]) * (-1 if key.endswith("ago") else 1)
            for form in forms:
                _add(found.relative, form, (number, match[2]))
    for simplification in info.get("simplifications") or ():
        for form, number in simplification.items():
            if number.isdigit() and re.fullmatch(r"[\w ]+", form):
                _add(found.numbers, form, int(number))


def _letters(form: str) -> list[str]:
    return [word for word in words_of(re.sub(r"\\.|\(.*?\)", " ", form)) if not word.isdigit()]


def _add(into: dict[Phrase, set[Any]], form: str, meaning: Any) -> None:
    phrase = tuple(words_of(form))
    if phrase and len(phrase) <= MAX_WORDS and not all(word.isdigit() for word in phrase):
        for one in (phrase, _stem(phrase)):
            into.setdefault(one, set()).add(meaning)


def _stem(phrase: Phrase) -> Phrase:
    """Return a word without its last letter, which changes with its case in many languages."""
    return (f"{phrase[0][:-1]}*",) if len(phrase) == 1 and len(phrase[0]) > 3 else phrase


def meanings(table: Mapping[Phrase, set[Meaning]], phrase: Phrase) -> set[Meaning]:
    """Return what a phrase means, or else a word that differs from it in its last letter."""
    return table.get(phrase) or table.get(_stem(phrase)) or set()
