"""What is to become of a proposal is decided by code: from the episode, the declaration, and what is stored."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from graph_memory import Cardinality, Entity, Episode, Fact, Kind, Ref, Schema, attribute
from graph_memory.candidates.records import Understood
from graph_memory.extraction.entity_linking import Fate
from graph_memory.extraction.proposals import Change, Malformed, Proposal
from graph_memory.extraction.validation import Judge, Judgement, named_in
from graph_memory.ledger.terms import Terms
from graph_memory.schema.schema import confirmers

JUNE = datetime(2026, 6, 1, tzinfo=UTC)
JULY = datetime(2026, 7, 1, tzinfo=UTC)


class Company(Kind):
    """A company."""


class Person(Kind):
    """A person."""

    home: str = attribute("Where they live")
    employer: Ref[Company] = attribute("Where they work")
    born: date = attribute("Day of birth")
    moved: datetime = attribute("When they moved")
    height: float = attribute("Metres")
    likes: list[str] = attribute("What they like")
    passport: date = attribute("When it ends", sensitive=True, recurs=2)
    nickname: str = attribute("What friends say", confirms=True, conflict="confirm")


SCHEMA = Schema("unit", version=1, kinds=[Person, Company], users=["user", "owner"])
EPISODE = Episode(
    id="e1",
    tenant="acme",
    text="Mira lives in Rome, works at Globex, likes tea, and was born on 1990-02-03. I know Mira-Lou. I am fine. "
    "From 2020-01-01 on, or 2026-05-01, or 2026-06-01, until 2026-09-01 or 2027-01-01, or the day after.",
    source="agent",
    occurred_at=JULY,
    recorded_at=JULY,
)
MIRA = Entity(tenant="acme", key="mira", name="Mira", kinds=("Person",))
GLOBEX = Entity(tenant="acme", key="globex", name="Globex", kinds=("Company",))


class Declared:
    """The attributes of the schema, as statements take them."""

    def cardinality(self, attribute: str) -> Cardinality:
        return SCHEMA.attribute(attribute).cardinality

    def check(self, attribute: str, value: object) -> Any:
        return SCHEMA.check(attribute, value)

    def terms(self, attribute: str) -> Terms:
        return SCHEMA.terms(attribute)


def fact(name: str, value: Any) -> Fact:
    """A fact that has been stored since June."""
    return Fact(
        id=f"{name}-{value}",
        tenant="acme",
        subject="mira",
        attribute=name,
        value=value,
        valid_from=JUNE,
        asserted_from=JUNE,
        recorded_at=JUNE,
        episode_id="e0",
        source="user",
    )


def proposal(attribute: str, value: Any, **given: Any) -> Proposal:
    """A proposal about Mira whose evidence is her name."""
    return Proposal(
        **(
            {
                "evidence": "Mira",
                "subject": "mira",
                "attribute": attribute,
                "current_value": None,
                "change": Change.NEW,
                "value": value,
                "valid_from": None,
                "until": None,
            }
            | given
        )
    )


def judged(one: Proposal | Malformed, *stored: Fact, about: str | None = None) -> Judgement:
    """What is to become of a proposal, where these facts are stored."""
    held: dict[tuple[str, str], list[Fact]] = {}
    for known in stored:
        held.setdefault((known.subject, known.attribute), []).append(known)
    names = {"mira": [MIRA], "Mira": [MIRA], "Globex": [GLOBEX], "globex": [GLOBEX]}
    judge = Judge(SCHEMA, Declared(), EPISODE, JULY, about, {"mira": MIRA, "globex": GLOBEX}, names, held)
    [judgement] = judge.judge([one])
    return judgement


def test_a_new_value_is_committed_from_the_episode_on_if_nothing_is_stored_still() -> None:
    judgement = judged(proposal("home", "Rome", evidence="lives  in\nRome"))
    assert (judgement.fate, judgement.reason) == (Fate.COMMIT, None)
    assert judgement.statement is not None
    assert (judgement.statement.value, judgement.statement.valid_from) == ("Rome", JULY)
    assert (judgement.statement.quote, judgement.statement.episode) == ("lives in Rome", "e1")
    assert [(expected.at, expected.value) for expected in judgement.expected] == [(JULY, None)]


@pytest.mark.parametrize(
    ("attribute", "value", "typed"),
    [
        ("born", "1990-02-03", date(1990, 2, 3)),
        ("moved", "2026-06-01T02:00:00+02:00", JUNE),
        ("height", 2, 2.0),
        ("employer", "Globex", Ref("globex")),
        ("likes", "tea", "tea"),
    ],
)
def test_values_get_the_declared_type(attribute: str, value: Any, typed: Any) -> None:
    statement = judged(proposal(attribute, value)).statement
    assert statement is not None
    assert (statement.value, type(statement.value)) == (typed, type(typed))


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (Malformed({"x": 1}, "evidence is missing"), "evidence is missing"),
        (proposal("home", "Rome", evidence="lives in Paris"), "is not in the episode"),
        (proposal("home", "Rome", evidence="—"), "is not in the episode"),
        (proposal("weight", 80), "not declared"),
        (proposal("born", "1990-02-30"), "not a date of the calendar"),
        (proposal("moved", "2026-06-01T02:00:00"), "offset"),
        (proposal("home", "Rome", valid_from="last week"), "valid_from"),
        (proposal("home", "Rome", until="2026-06-30"), "not after"),
        (proposal("home", None), "needs a value"),
        (proposal("home", "Rome", subject="Vasco"), "neither known nor named"),
        (proposal("home", "Rome", subject="Lou"), "neither known nor named"),
        (proposal("home", "Rome", subject="She"), "names nobody"),
        (proposal("employer", "Initech"), "neither known nor named"),
        (proposal("likes", None, change=Change.END), "name the value that is meant"),
        (proposal("likes", "tea", change=Change.UPDATE, current_value="rain"), "end 'rain'"),
    ],
)
def test_what_is_wrong_is_refused_with_the_reason(one: Proposal | Malformed, reason: str) -> None:
    judgement = judged(one)
    assert judgement.fate is Fate.REFUSE
    assert reason in (judgement.reason or "")


def test_an_entity_that_the_text_names_first_gets_a_key_from_its_name() -> None:
    judgement = judged(proposal("home", "Rome", subject="Mira-Lou"))
    assert judgement.fate is Fate.COMMIT
    assert [(new.key, new.name, new.kinds) for new in judgement.new] == [("mira-lou", "Mira-Lou", ("Person",))]


def test_the_one_who_speaks_needs_not_be_named() -> None:
    assert judged(proposal("home", "Rome", subject="u7", evidence="I am fine"), about="u7").fate is Fate.COMMIT


@pytest.mark.parametrize(
    ("attribute", "stored", "said"),
    [("home", "Rome", "Rome"), ("born", date(1990, 2, 3), "1990-02-03"), ("height", 2.0, 2), ("moved", JUNE,
     "2026-06-01T00:00:00Z"), ("employer", Ref("globex"), "globex"), ("employer", Ref("globex"), "Globex")],
)  # fmt: skip
def test_the_stored_value_is_recognised_as_it_was_shown(attribute: str, stored: Any, said: Any) -> None:
    same = judged(proposal(attribute, said, change=Change.NO_CHANGE, current_value=said), fact(attribute, stored))
    assert same.fate is Fate.UNCHANGED
    end = judged(proposal(attribute, None, change=Change.END, current_value=said), fact(attribute, stored))
    assert end.fate is Fate.COMMIT
    assert end.statement is not None
    assert end.statement.value is None


@pytest.mark.parametrize(
    ("one", "stored"),
    [
        (proposal("home", "Rome"), [fact("home", "Lima")]),
        (proposal("home", "Rome", change=Change.UPDATE, current_value="Oslo"), [fact("home", "Lima")]),
        (proposal("home", "Rome", change=Change.UPDATE, current_value="Oslo"), []),
        (proposal("home", "Oslo", change=Change.NO_CHANGE, current_value="Lima"), [fact("home", "Lima")]),
        (proposal("likes", "tea", change=Change.NO_CHANGE), [fact("likes", "rain")]),
        (proposal("home", None, change=Change.END), [fact("home", "Lima")]),
    ],
)
def test_another_stored_value_than_the_model_took_it_for_is_stale(one: Proposal, stored: list[Fact]) -> None:
    assert judged(one, *stored).fate is Fate.STALE


@pytest.mark.parametrize(
    "one",
    [
        proposal("home", "Rome", change=Change.UPDATE, current_value="Rome"),
        proposal("likes", "tea"),
        proposal("likes", "snow", change=Change.END),
        proposal("born", None, change=Change.END),
    ],
)
def test_what_would_change_nothing_is_unchanged(one: Proposal) -> None:
    assert judged(one, fact("home", "Rome"), fact("likes", "tea")).fate is Fate.UNCHANGED


def test_a_confirmation_repeats_the_stored_fact_exactly() -> None:
    one = proposal("nickname", "Mimi", change=Change.NO_CHANGE, current_value="Mimi")
    judgement = judged(one, fact("nickname", "Mimi"))
    assert judgement.fate is Fate.COMMIT
    assert judgement.statement is not None
    assert (judgement.statement.value, judgement.statement.valid_from) == ("Mimi", JUNE)


def test_what_holds_already_and_is_said_to_last_until_then_ends_then() -> None:
    one = proposal("home", "Rome", change=Change.UPDATE, current_value="Rome", until="2026-09-01")
    statement = judged(one, fact("home", "Rome")).statement
    assert statement is not None
    assert (statement.value, statement.valid_from.month) == (None, 9)


def test_a_weak_signal_is_weighed_before_the_user_is_asked() -> None:
    judgement = judged(proposal("passport", "2027-01-01"))
    assert judgement.fate is Fate.WEAK
    assert judgement.signal is not None
    other = judged(proposal("passport", "2027-01-02"))
    assert other.signal != judgement.signal


def test_who_may_confirm() -> None:
    assert confirmers(SCHEMA, "home") is None
    for name in ("passport", "nickname"):
        assert confirmers(SCHEMA, name) == ("user", "owner")


def test_all_names_that_proposals_use_are_to_be_resolved() -> None:
    said: list[Proposal | Malformed] = [
        proposal("employer", "Globex", current_value="initech", subject="Mira"),
        proposal("home", "Rome"),
        Malformed({}, "no"),
    ]
    assert named_in(SCHEMA, said) == {"Globex", "initech", "Mira", "mira"}


def test_an_end_is_at_until_or_else_at_valid_from_and_what_ends_has_to_hold_until_then() -> None:
    for given in (
        {"until": "2026-09-01"},
        {"valid_from": "2026-06-01", "until": "2026-09-01"},
        {"valid_from": "2026-09-01"},
    ):
        one = proposal("home", None, change=Change.END, current_value="Rome", **given)
        judgement = judged(one, fact("home", "Rome"))
        assert judgement.fate is Fate.COMMIT
        assert judgement.statement is not None
        assert (judgement.statement.valid_from.month, judgement.statement.until) == (9, None)
        assert [(e.at.month, e.value) for e in judgement.expected] == [(7, "Rome"), (8, "Rome")]


@pytest.mark.parametrize("start", ["2026-02-01", "2026-06-01"])
def test_an_end_before_what_ends_began_waits(start: str) -> None:
    one = proposal("home", None, change=Change.END, current_value="Rome", valid_from=start)
    assert judged(one, fact("home", "Rome")).fate is Fate.REVIEW


def test_an_end_of_what_has_ended_by_then_changes_nothing() -> None:
    stored = fact("home", "Rome").model_copy(update={"until": datetime(2026, 8, 1, tzinfo=UTC)})
    one = proposal("home", None, change=Change.END, current_value="Rome", until="2026-09-01")
    assert judged(one, stored).fate is Fate.UNCHANGED


def test_an_update_from_before_what_is_stored_would_not_replace_it() -> None:
    one = proposal("home", "Lima", change=Change.UPDATE, current_value="Rome", valid_from="2026-05-01")
    assert judged(one, fact("home", "Rome")).fate is Fate.REVIEW


def test_the_same_value_from_an_earlier_start_is_something_new() -> None:
    one = proposal("home", "Rome", change=Change.UPDATE, current_value="Rome", valid_from="2020-01-01")
    judgement = judged(one, fact("home", "Rome"))
    assert judgement.fate is Fate.COMMIT
    assert judgement.statement is not None
    assert judgement.statement.valid_from.year == 2020


@pytest.mark.parametrize(
    ("one", "stored", "understood"),
    [
        (
            proposal("home", "Lima", change=Change.UPDATE, current_value="Rome", valid_from="2026-05-01"),
            fact("home", "Rome"),
            Understood("mira", "home", "update", "Lima", datetime(2026, 5, 1, tzinfo=UTC)),
        ),
        (
            proposal("home", None, change=Change.END, current_value="Rome", valid_from="2026-05-01"),
            fact("home", "Rome"),
            Understood("mira", "home", "end", None, datetime(2026, 5, 1, tzinfo=UTC)),
        ),
        (
            proposal("likes", None, change=Change.END, current_value="tea", until="2026-05-01"),
            fact("likes", "tea"),
            Understood("mira", "likes", "end", "tea", datetime(2026, 5, 1, tzinfo=UTC)),
        ),
        (
            proposal("home", "Rome", change=Change.UPDATE, current_value="Rome"),
            fact("home", "Rome").model_copy(update={"until": datetime(2026, 8, 1, tzinfo=UTC)}),
            Understood("mira", "home", "update", "Rome", JULY),
        ),
        (
            proposal("home", "Rome", valid_from="2031-01-01"),
            None,
            Understood("mira", "home", "new", "Rome", datetime(2031, 1, 1, tzinfo=UTC)),
        ),
        (
            proposal("home", "Rome", change=Change.NO_CHANGE),
            None,
            Understood("mira", "home", "no_change", "Rome", JULY),
        ),
        (
            proposal("employer", "Mira", valid_from="2026-05-01"),
            None,
            Understood("mira", "employer", "new", None, datetime(2026, 5, 1, tzinfo=UTC)),
        ),
        (
            proposal("home", "Rome", subject="Globex", valid_from="2026-05-01"),
            None,
            Understood(None, "home", "new", "Rome", datetime(2026, 5, 1, tzinfo=UTC)),
        ),
        (
            proposal("home", "Rome", until="2026-05-01"),
            None,
            Understood("mira", "home", "new", "Rome", JULY, datetime(2026, 5, 1, tzinfo=UTC)),
        ),
    ],
)
def test_what_was_understood_is_kept_whatever_the_reason(
    one: Proposal, stored: Fact | None, understood: Understood
) -> None:
    judgement = judged(one, *([] if stored is None else [stored]))
    assert judgement.fate in (Fate.REVIEW, Fate.STALE, Fate.REFUSE)
    assert judgement.understood == understood


@pytest.mark.parametrize(
    "one",
    [
        proposal("home", "Rome", valid_from="2031-01-01"),
        proposal("home", "Rome", until="2031-01-01"),
        proposal("born", "1991-02-03"),
        proposal("moved", "2031-06-01T02:00:00+02:00"),
    ],
)
def test_a_date_of_the_model_of_which_the_text_does_not_speak_waits(one: Proposal) -> None:
    judgement = judged(one)
    assert judgement.fate is Fate.REVIEW
    assert "does not speak" in (judgement.reason or "")


def test_an_end_at_a_date_of_which_the_text_does_not_speak_waits() -> None:
    one = proposal("home", None, change=Change.END, current_value="Rome", until="2031-01-01")
    judgement = judged(one, fact("home", "Rome"))
    assert judgement.fate is Fate.REVIEW
    assert judgement.understood.valid_from == datetime(2031, 1, 1, tzinfo=UTC)


def test_for_good_on_a_value_that_is_to_end_waits() -> None:
    stored = fact("home", "Rome").model_copy(update={"until": datetime(2026, 8, 1, tzinfo=UTC)})
    one = proposal("home", "Rome", change=Change.UPDATE, current_value="Rome")
    assert judged(one, stored).fate is Fate.REVIEW


def test_one_name_of_two_kinds_in_one_answer_waits() -> None:
    said = [
        proposal("home", "Rome", subject="Mira-Lou"),
        proposal("employer", "Mira-Lou"),
    ]
    judge = Judge(SCHEMA, Declared(), EPISODE, JULY, None, {"mira": MIRA}, {"mira": [MIRA]}, {})
    first, second = judge.judge(said)
    assert (first.fate, second.fate) == (Fate.COMMIT, Fate.REVIEW)
    assert "a Person, and not a Company" in (second.reason or "")


@pytest.mark.parametrize(
    ("text", "fate"),
    [
        ("Bob lives in Rome", Fate.REVIEW),
        ("Bob Smith lives in Rome", Fate.COMMIT),
        ("Bob, that is bob-1, lives in Rome", Fate.COMMIT),
        ("Bobby lives in Rome", Fate.COMMIT),
    ],
)
def test_a_key_that_the_text_does_not_tell_from_another_of_the_same_name_waits(text: str, fate: Fate) -> None:
    one = Entity(tenant="acme", key="bob-1", name="Bob", aliases=("Bob Smith", "Bobby"), kinds=("Person",))
    two = Entity(tenant="acme", key="bob-2", name="Bob", aliases=("Bob Jones",), kinds=("Person",))
    episode = EPISODE.model_copy(update={"text": text})
    shown = {"bob-1": one, "bob-2": two}
    judge = Judge(SCHEMA, Declared(), episode, JULY, None, shown, {"bob-1": [one]}, {})
    [judgement] = judge.judge([proposal("home", "Rome", subject="bob-1", evidence="lives in Rome")])
    assert judgement.fate is fate
    assert fate is Fate.COMMIT or "could be bob-1, bob-2" in (judgement.reason or "")


@pytest.mark.parametrize("subject", ["I", "u7"])
def test_about_means_nobody_where_the_text_names_another(subject: str) -> None:
    judgement = judged(proposal("home", "Rome", subject=subject, evidence="lives in Rome"), about="u7")
    assert judgement.fate is Fate.REVIEW
    assert "names 'mira'" in (judgement.reason or "").lower()


def test_a_pronoun_means_the_one_who_speaks_where_that_is_known() -> None:
    judgement = judged(proposal("home", "Rome", subject="I", evidence="I am fine"), about="u7")
    assert judgement.fate is Fate.COMMIT
    assert judgement.statement is not None
    assert judgement.statement.subject == "u7"
