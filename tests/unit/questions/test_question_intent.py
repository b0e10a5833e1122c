"""What the words of a question ask for: what has been, all that is known, and bounds by something else."""

from __future__ import annotations

import pytest

from graph_memory.questions.intent import asks_for_all, asks_what_has_been, condition


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("When does Mira's lease end?", None),
        ("Can you tell me when Mira's lease ends?", None),
        ("What is the date when Mira's lease ends?", None),
        ("What is Mira's employer, and when did she join?", None),
        ("What does it say about Mira's deadline?", None),
        ("Did anybody tell that Mira's boss is Rui?", None),
        ("To whom does Mira report?", None),
        ("Who was Mira's boss when she lived in Porto?", "when she"),
        ("When she lived in Porto, who was Mira's boss?", "When she"),
        ("Who has the same boss as Mira?", "same boss as"),
        ("What did Rui Costa tell about Mira's boss?", "did Rui Costa tell"),
        ("According to Rui, who is Mira's boss?", "According to Rui"),
    ],
)
def test_a_bound_by_something_else_is_found(question: str, words: str | None) -> None:
    assert condition(question) == words


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Where has Mira lived?", True),
        ("Who have been her bosses?", True),
        ("Where had she worked?", True),
        ("What has to be renewed?", False),
        ("Who has a fixed salary?", False),
        ("Which hobbies has Mira?", False),
        ("Does Mira have a job that is needed?", False),
        ("Where does she live?", False),
    ],
)
def test_the_perfect_is_told_from_what_somebody_has(question: str, asked: bool) -> None:
    assert asks_what_has_been(question) is asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What do you know about      ?", True),
        ("How has      changed?", True),
        ("Since when?", True),
        ("", True),
        ("How old is      ?", False),
        ("Where?", False),
        ("When did      start?", False),
    ],
)
def test_all_is_asked_for_without_words_for_anything_else(question: str, asked: bool) -> None:
    assert asks_for_all(question) is asked
