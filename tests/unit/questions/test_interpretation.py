"""From the words of a question to what is to be read."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from worded import NOW, words

from graph_memory.questions.interpretation import Asked, Given, kept_apart, routed
from graph_memory.questions.llm_reading import Reading
from graph_memory.questions.records import Intent, Router
from graph_memory.questions.time_expressions import Period

JUNE = datetime(2026, 6, 1, tzinfo=UTC)


def asked(text: str, read: Reading | None = None, **given: object) -> Asked:
    return routed(words(text), Given(**given), NOW, read)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "intent", "start"),
    [
        ("Where does ben work?", Intent.CURRENT, None),
        ("Where did ben work on 2026-06-01?", Intent.AS_OF, JUNE),
        ("Since when does ben work at Globex?", Intent.SINCE, None),
        ("Who said where ben works?", Intent.WHO_SAID, None),
        ("What was ben's employer before?", Intent.REPLACED, None),
    ],
)
def test_a_question_names_subject_attribute_intent_and_time(
    text: str, intent: Intent, start: datetime | None
) -> None:
    routing = asked(text).routing
    assert (routing.subjects, routing.attributes) == (("ben",), ("employer",))
    assert (routing.intent, routing.start, routing.by) == (intent, start, Router.RULES)


def test_an_entity_that_is_named_beside_the_subject_is_a_value() -> None:
    assert asked("Does ben work at Globex?").routing.values == ("globex",)


def test_what_the_caller_has_decided_wins_over_the_words() -> None:
    routing = asked("Where did ben work in 2020?", subject="ana", attribute="home", at=JUNE).routing
    assert (routing.subjects, routing.attributes, routing.start) == (("ana",), ("home",), JUNE)


def test_a_models_reading_decides_subject_attribute_and_intent_and_the_words_the_time() -> None:
    reading = Reading(("ben",), ("employer",), None, Period(JUNE))
    routing = asked("and his job?", reading).routing
    assert (routing.subjects, routing.attributes, routing.start) == (("ben",), ("employer",), JUNE)
    assert routing.by is Router.MODEL
    assert asked("and his job on 2026-06-02?", reading).routing.start == datetime(2026, 6, 2, tzinfo=UTC)


def test_words_that_nothing_explains_are_kept() -> None:
    assert "wife" in asked("Where does ben's wife work?").left


def test_a_question_without_other_words_is_about_all_that_is_known() -> None:
    assert asked("What do we know about ben?").of_all
    assert not asked("Where does ben work?").of_all


def test_a_name_within_a_date_is_no_name_and_a_date_within_a_name_no_date() -> None:
    found = words("ben on 2026-06-01")
    times, names = kept_apart(found.dates, found.mentions)
    assert ([date.words for date in times], len(names)) == (["2026-06-01"], 1)
