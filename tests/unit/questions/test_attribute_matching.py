"""What a question asks for, by its words."""

from __future__ import annotations

import pytest
from declared import SCHEMA

from graph_memory.entities.normalization import places
from graph_memory.questions.attribute_matching import (
    Lexicon,
    MatchedAttributes,
    Topic,
    attributes,
    declared,
    longest,
    mentions,
    overlap,
    says,
    words_of,
)
from graph_memory.questions.intent import asks_what_was_known, intent
from graph_memory.questions.records import Intent

DECLARED = declared(SCHEMA)


def named(text: str, lexicon: Lexicon = DECLARED) -> MatchedAttributes:
    return attributes(text, lexicon, dict.fromkeys(lexicon.topics, 3))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is the passport deadline?", ("passport_deadline",)),
        ("passport_deadline", ("passport_deadline",)),
        ("the deadline of the passport", ("passport_deadline",)),
        ("When must the passport be renewed?", ("passport_deadline",)),
        ("Where does she work?", ("employer",)),
        ("Who employs her?", ("employer",)),
        ("Which tier is the account?", ("tier",)),
        ("Is it gold?", ("tier",)),
        ("What does she like?", ("likes",)),
        ("Which city does she live in?", ("home",)),
        ("the height and the age", ("height", "age")),
        ("Which company is it?", ("employer",)),
    ],
)
def test_an_attribute_is_named_or_described(text: str, found: tuple[str, ...]) -> None:
    assert named(text).decided == found


def test_what_is_described_by_less_than_most_words_is_only_possible() -> None:
    found = named("Did she lose the passport in the train?")
    assert (found.decided, found.possible) == ((), ("passport_deadline",))


def test_what_is_about_nothing_that_is_declared_is_left_open() -> None:
    assert named("What is the favourite colour?") == MatchedAttributes(left=frozenset({"favourit", "colour"}))


def test_a_longer_name_hides_one_within_it_and_alike_names_stand_together() -> None:
    lexicon = Lexicon(map(Topic, ("city", "from_city", "to_city", "p463_member_of", "p54_member_of_sports_team")))
    assert named("Which from city?", lexicon).decided == ("from_city",)
    assert named("Which city?", lexicon).decided == ("city",)
    assert named("Which city?", Lexicon(map(Topic, ("from_city", "to_city")))).decided == ("from_city", "to_city")
    assert named("the member of it", lexicon).decided == ("p463_member_of",)
    assert named("member of sports team", lexicon).decided == ("p54_member_of_sports_team",)


def test_names_that_stand_apart_are_all_asked_for() -> None:
    assert named("the employer, the tier and the height").decided == ("employer", "tier", "height")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What is it?", None),
        ("Who told us that?", Intent.WHO_SAID),
        ("How do you know that?", Intent.WHO_SAID),
        ("What is the source of that?", Intent.WHO_SAID),
        ("What replaced it?", Intent.REPLACED_BY),
        ("By what was it superseded, replaced by what?", Intent.REPLACED_BY),
        ("What did it replace?", Intent.REPLACED),
        ("What was it before?", Intent.REPLACED),
        ("What is the former one?", Intent.REPLACED),
        ("What has changed?", Intent.CHANGED),
        ("Show the history", Intent.CHANGED),
        ("Since when?", Intent.SINCE),
        ("What was it before Oslo?", Intent.REPLACED),
        ("What was it after Oslo?", Intent.REPLACED_BY),
        ("What was the first one?", Intent.CHANGED),
        ("How long has it been so?", Intent.SINCE),
        ("When did she join?", Intent.SINCE),
        ("When must it be done?", None),
    ],
)
def test_what_of_it_is_asked_for(text: str, found: Intent | None) -> None:
    assert intent(text) is found


@pytest.mark.parametrize(
    "text",
    [
        "Where did we think Rui worked in May 2026?",
        "On May 3 which city did you believe that was?",
        "What, as known in May, was it?",
        "Where was Rui Melo thought to work in May 2026?",
        "What we knew of it in May",
    ],
)
def test_what_was_believed_is_asked_for(text: str) -> None:
    assert asks_what_was_known(text)


@pytest.mark.parametrize(
    "text",
    [
        "Did you know where Rui worked in May 2026?",
        "I thought Rui worked at Initech in May 2026, where did he work?",
        "They assumed that she lives in Porto. Where does she live?",
        "Where did he work, did you know?",
        "Who was expected in May 2026?",
        "Which song was recorded in May 2026?",
    ],
)
def test_what_somebody_says_to_have_believed_is_not_asked_for(text: str) -> None:
    assert not asks_what_was_known(text)


def test_what_was_believed_is_told_from_what_was_so() -> None:
    assert asks_what_was_known("What did we believe it was?")
    assert asks_what_was_known("What was known of it?")
    assert not asks_what_was_known("What do we know of it?")


def test_a_longer_name_of_an_entity_hides_those_within_it() -> None:
    spots = list(places("Does Acme Corp's owner know Acme?"))
    found = {("acme corp", False): ["acme-corp"], ("acme", False): ["acme", "acme-2"], ("corp", True): ["corp"]}
    assert [(m.start, m.end, m.keys) for m in longest(mentions(spots, found))] == [
        (5, 14, ("acme-corp",)),
        (28, 32, ("acme", "acme-2")),
    ]


def test_a_value_is_named_by_all_of_its_words() -> None:
    assert says("Is it the Rua Nova 1?", "rua nova 1")
    assert not says("Is it the Rua Nova?", "rua nova 1")
    assert not says("anything", "!")


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Who said on which channel what the mode is?", False),
        ("Who said that the mode is on?", True),
        ('What replaced "on" as the mode?', True),
        ("What replaced on as the mode?", False),
    ],
)
def test_a_value_of_words_that_say_nothing_is_named_at_the_end_or_in_quotes(question: str, named: bool) -> None:
    assert says(question, "on") == named


def test_words_of_an_attribute_are_counted_declared_or_not() -> None:
    assert overlap({"work", "employ"}, DECLARED, "employer") == 2
    assert overlap({"seat"}, DECLARED, "seats_taken") == 1


def test_words_are_the_same_however_their_letters_are_composed() -> None:
    assert words_of("Cafe\u0301 Zoe\u0308") == words_of("caf\u00e9 zo\u00eb") == ["caf\u00e9", "zo\u00eb"]
