"""Quotes the part of an episode around the best match of a query, unchanged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from graph_memory.episodes.quotes import Quote
from graph_memory.search.query import is_word_character

LONGEST = 240
_MAX_QUERY = 10_000
# In scripts without spaces between words, each character counts as a word.
_WORD = re.compile(
    r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f]\s+|\n+|[\u3002\uff01\uff1f]")
_ENDING = 3


def excerpt(text: str, query: str, start: int = 0, end: int | None = None) -> Quote:
    """Return the part of a text, at most LONGEST characters, that has the most words of a query.

    Words are equal if they differ only in their endings. Rare words count more. If the text has none of the words,
    the part is its beginning.

    Args:
        text: the text of an episode.
        query: any text.
        start: offset at which the part may begin.
        end: offset at which the part must end; None: the end of the text.
    """
    end = len(text) if end is None else min(end, len(text))
    if end - start > LONGEST:
        places = _places(text, query, start, end)
        start, end = _window(text, places, start, end)
    return _stripped(text, start, end)


def _stripped(text: str, start: int, end: int) -> Quote:
    exact = text[start:end]
    start += len(exact) - len(exact.lstrip())
    exact = exact.strip()
    return Quote(exact, start, start + len(exact))


def _places(text: str, query: str, start: int, end: int) -> list[tuple[int, int, str]]:
    """Return the places of words of the query, each as (start, end, word)."""
    wanted: dict[str, list[str]] = {}
    for word in dict.fromkeys(_WORD.findall(query[:_MAX_QUERY].lower())):
        wanted.setdefault(word[:_ENDING], []).append(word)
    places = []
    for match in _WORD.finditer(text, start, end):
        found = match.group().lower()
        same = next((word for word in wanted.get(found[:_ENDING], ()) if _alike(word, found)), None)
        if same is not None:
            places.append((match.start(), match.end(), same))
    return places


def _alike(one: str, other: str) -> bool:
    longest = max(len(one), len(other))
    if longest <= _ENDING:
        return one == other
    stem = max(_ENDING, longest - _ENDING)
    return one[:stem] == other[:stem] and min(len(one), len(other)) >= stem


def _window(text: str, places: Sequence[tuple[int, int, str]], start: int, end: int) -> tuple[int, int]:
    """Return the part with the heaviest set of different words, widened to whole sentences or words."""
    if not places:
        return start, _cut(text, start, min(start + LONGEST, end), end)
    weights = {word: 1 / number for word, number in Counter(word for _, _, word in places).items()}
    best, first, held = (-1.0, 0, 0), 0, Counter[str]()
    for last, (_, stop, word) in enumerate(places):
        held[word] += 1
        while stop - places[first][0] > LONGEST and first < last:
            held[places[first][2]] -= 1
            first += 1
        weight = sum(weights[one] for one in _present(held))
        if weight > best[0]:
            best = weight, first, last
    _, first, last = best
    return _widened(text, places[first][0], min(places[last][1], places[first][0] + LONGEST), start, end)


def _present(held: Counter[str]) -> Iterable[str]:
    return [word for word, number in held.items() if number]


def _widened(text: str, first: int, last: int, start: int, end: int) -> tuple[int, int]:
    room = LONGEST - (last - first)
    before = max(start, first - room)
    sentences = [match.end() for match in _SENTENCE_END.finditer(text, before, first)]
    begin = sentences[-1] if sentences else (start if before == start else _next_word(text, before, first))
    stop = min(end, begin + LONGEST)
    closing = _SENTENCE_END.search(text, last, stop)
    if closing is not None:
        return begin, closing.end()
    return begin, _cut(text, last, stop, end)


def _next_word(text: str, position: int, limit: int) -> int:
    while position < limit and is_word_character(text[position]) and is_word_character(text[position - 1]):
        position += 1
    return position


def _cut(text: str, least: int, position: int, end: int) -> int:
    """Return the last offset after `least` and up to `position` that cuts no word; `position` if there is none."""
    cut = position
    while position < end and cut > least and is_word_character(text[cut]) and is_word_character(text[cut - 1]):
        cut -= 1
    return cut if cut > least else position
