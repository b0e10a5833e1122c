"""How whom and what a question names stand to each other."""

from __future__ import annotations

import re
import time

import pytest

from graph_memory.entities.normalization import places
from graph_memory.questions.attribute_matching import Lexicon, Topic, longest, mentions, without_attributes
from graph_memory.questions.intent import (
    asks_for_several,
    asks_of_what_was,
    asks_what_was_known,
    asks_who_beside,
    intent,
)
from graph_memory.questions.relations import between, chained, turned

NAMES = ("Mira", "Rui")
ATTRIBUTES = ("employer", "boss", "seat", "manager", "knows")


def spans(text: str, *words: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(rf"\b(?:{'|'.join(words)})\b", text)]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is Mira's wife's employer?", ("wife",)),
        ("What is Mira's ex wife's employer?", ("ex", "wife")),
        ("What is the employer of Mira's brother?", ("brother",)),
        ("What is the employer of Mira's old friend?", ("friend",)),
        ("What is the employer of the wife of Mira?", ("wife",)),
        ("What is Mira Smith's employer?", ("Smith",)),
        ("What is the employer of Mira Smith?", ("Smith",)),
        ("What are Bob and Mira's employers?", ("Bob",)),
        ("What is the employer of Mira and Bob?", ("Bob",)),
        ("What is the cat's employer, as Mira has it?", ("cat",)),
        ("What is Mira's employer?", ()),
        ("What is Mira's new employer, by the sea?", ()),
        ("Is Globex Mira's employer?", ()),
    ],
)
def test_a_word_in_between_makes_it_another_that_is_asked_about(question: str, words: tuple[str, ...]) -> None:
    left = spans(question, "wife", "ex", "brother", "friend", "Smith", "Bob", "cat", "sea", "Globex")
    assert between(question, spans(question, *NAMES), spans(question, "employers?"), left) == words


@pytest.mark.parametrize(
    ("question", "onward", "longer"),
    [
        ("What is the employer of Mira's boss?", ("employer",), False),
        ("What is Mira's boss's employer?", ("employer",), False),
        ("What is the employer of the boss of Mira?", ("employer",), False),
        ("What is the employer of my boss?", ("employer",), False),
        ("Who is Mira's boss's boss?", ("boss",), True),
        ("What is the seat of the employer of Mira's boss?", ("seat", "employer"), True),
        ("What are the employer and the boss of Mira?", (), False),
        ("Who is Mira's boss, and who is Rui's boss?", (), False),
    ],
)
def test_a_chain_of_references_is_read_from_its_end(question: str, onward: tuple[str, ...], longer: bool) -> None:
    named = [(start, end, question[start:end]) for start, end in spans(question, *ATTRIBUTES)]
    assert chained(question, named, spans(question, *NAMES)) == (onward, longer)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Whose boss is Mira?", True),
        ("Who is Mira the boss of?", True),
        ("Of whom is Mira the boss?", True),
        ("Who has Mira as boss?", True),
        ("Who had Mira as their former boss?", True),
        ("Who is Mira's boss?", False),
        ("Who is the boss of Mira?", False),
        ("Is Rui Mira's boss?", False),
        ("Who does Mira have as boss?", False),
        ("Which boss has Mira?", False),
        ("Is Mira a boss?", None),
        ("Is Mira somebody's boss?", None),
        ("Who knows Mira?", None),
        ("Who reports to Mira?", None),
        ("Who does Mira report to?", False),
        ("To whom does Mira report?", False),
        ("Who is Mira married to?", False),
    ],
)
def test_which_way_round_a_reference_is_asked_for(question: str, expected: bool | None) -> None:
    assert turned(question, spans(question, *NAMES), spans(question, *ATTRIBUTES), False) is expected


def test_who_does_what_an_attribute_says_is_its_value() -> None:
    question = "Who manages Mira?"
    assert turned(question, spans(question, "Mira"), spans(question, "manages"), True) is False


FOUND = {
    ("employer", False): ["odd-1"],
    ("mira employer", False): ["odd-2"],
    ("employer of mira", False): ["odd-3"],
    ("mira", False): ["mira"],
    ("deadline", True): ["odd-4"],
    ("employer inc", False): ["employer-inc"],
}


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("What is Mira's employer?", ["mira"]),
        ("What is the employer of Mira?", ["mira"]),
        ("What is Mira's passport deadline?", ["mira"]),
        ("Is Employer Inc Mira's employer?", ["employer-inc", "mira"]),
        ("What is the employer?", ["odd-1"]),
    ],
)
def test_what_is_called_like_an_attribute_hides_none(question: str, keys: list[str]) -> None:
    lexicon = Lexicon(map(Topic, ("employer", "passport_deadline")))
    every = mentions(places(question), FOUND)
    kept = longest(without_attributes(question, every, lexicon, lambda key, _: key == "mira", None))
    assert [key for mention in kept for key in mention.keys] == keys


def test_of_a_given_subject_an_attribute_is_no_other_one() -> None:
    question = "What is my employer?"
    every = mentions(places(question), FOUND)
    assert without_attributes(question, every, Lexicon([Topic("employer")]), lambda *_: True, "mira") == []


@pytest.mark.parametrize(
    ("text", "several", "beside"),
    [
        ("How many are there?", True, False),
        ("List all of them", True, False),
        ("How often?", True, False),
        ("How is it?", False, False),
        ("Who was at it?", False, True),
        ("Who is it?", False, False),
    ],
)
def test_what_asks_for_several_or_for_who_is_beside(text: str, several: bool, beside: bool) -> None:
    assert (asks_for_several(text), asks_who_beside(text)) == (several, beside)


@pytest.mark.parametrize(
    "words", ["who did ", "when was ", "did we believe ", "where does the ", "what was a b c "]
)
def test_the_time_for_a_long_question_is_bounded(words: str) -> None:
    text = words * (100_000 // len(words))
    begun = time.perf_counter()
    intent(text)
    asks_what_was_known(text)
    asks_of_what_was(text)
    assert time.perf_counter() - begun < 5


def test_the_beginning_and_the_end_of_a_long_question_count() -> None:
    filler = "and so on " * 10_000
    assert intent(f"Who told us that? {filler}") is not None
    assert intent(f"{filler} What has changed?") is not None
