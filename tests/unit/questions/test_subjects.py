"""Which of the entities that a question names it is about."""

from __future__ import annotations

import pytest
from worded import words

from graph_memory.questions.subjects import Ambiguity, Whom, whom


def about(text: str, *attributes: str) -> Whom:
    found = words(text)
    keys = list(dict.fromkeys(key for mention in found.mentions for key in mention.keys))
    return whom(found, keys, False, attributes, ())


@pytest.mark.parametrize(
    ("text", "attributes", "subjects"),
    [
        ("Where does ben work?", ("employer",), ("ben",)),
        ("the employer of ana and ben", ("employer",), ("ana", "ben")),
        ("Does ben work at Globex?", ("employer",), ("ben",)),
        ("ana's employer, says ben", ("employer",), ("ana", "ben")),
    ],
)
def test_the_entities_that_have_what_is_asked_are_the_subjects(
    text: str, attributes: tuple[str, ...], subjects: tuple[str, ...]
) -> None:
    assert set(about(text, *attributes).subjects) == set(subjects)


def test_of_two_entities_of_one_name_the_one_that_has_the_attribute_is_answered_for() -> None:
    found = about("How old is Ana Silva?", "age")
    assert found.subjects[0] == "ana-2"
    assert found.ambiguous == (Ambiguity(found.subjects, tuple({"ana", "ana-2"} - set(found.subjects))),)


def test_an_entity_that_can_only_be_the_value_is_asked_for_who_has_it() -> None:
    found = about("Who has the employer Globex?", "employer")
    assert (found.subjects, found.inward) == (("globex",), ("employer",))


def test_what_somebody_has_decided_stays_the_subject() -> None:
    found = whom(words("Where does ben work?"), ["ana"], True, ("employer",), ())
    assert found.subjects == ("ana",)
