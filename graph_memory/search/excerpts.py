"""Quotes the part of an episode around the best match of a query, unchanged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from graph_memory.episodes.quotes import Quote
from graph_memory.search.analysis import Analyzer, Term, is_word_character

LONGEST = 240
_MAX_QUERY = 10_000
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f]\s+|\n+|[\u3002\uff01\uff1f]")


def excerpt(text: str, query: str, analyzer: Analyzer, start: int = 0, end: int | None = None) -> Quote:
    """Return the part of a text, at most LONGEST characters, that has most of a query's words.

    Words are equal as the text index has it. Rare ones count more. Where none is found, it is the beginning.

    Args:
        text: the text of an episode.
        query: any text.
        analyzer: what makes terms of texts.
        start: where to look from.
        end: where to look to; None: to the end.
    """
    end = len(text) if end is None else min(end, len(text))
    if end - start > LONGEST:
        wanted = frozenset(analyzer.asked(query[:_MAX_QUERY]))
        places = [term for term in analyzer.terms(text[start:end]) if term.text in wanted]
        places = [Term(term.text, start + term.start, start + term.end) for term in places]
        start, end = _window(text, places, start, end)
    return _stripped(text, start, end)


def _stripped(text: str, start: int, end: int) -> Quote:
    exact = text[start:end]
    start += len(exact) - len(exact.lstrip())
    exact = exact.strip()
    return Quote(exact, start, start + len(exact))


def _window(text: str, places: Sequence[Term], start: int, end: int) -> tuple[int, int]:
    """Return the stretch that holds the heaviest set of different words, widened to sentences or words."""
    if not places:
        return start, _cut(text, start, min(start + LONGEST, end), end)
    weights = {word: 1 / number for word, number in Counter(place.text for place in places).items()}
    best, first, held = (-1.0, 0, 0), 0, Counter[str]()
    for last, place in enumerate(places):
        held[place.text] += 1
        while place.end - places[first].start > LONGEST and first < last:
            held[places[first].text] -= 1
            first += 1
        weight = sum(weights[one] for one in _present(held))
        if weight > best[0]:
            best = weight, first, last
    _, first, last = best
    return _widened(text, places[first].start, min(places[last].end, places[first].start + LONGEST), start, end)


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
