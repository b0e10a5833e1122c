"""The planner against the oracle, by brute force: the window is cut exactly as its documentation says."""

import itertools
import random
from collections.abc import Iterator

import pytest
from planned import MANY, Correct, PlannedStore, Retract, Say, Step

SHORT = [
    Say(value, start, until)
    for value, start in itertools.product(("a", "b", None), range(3))
    for until in (None, start + 2)
]
CHANGES: list[Step] = [
    *SHORT,
    *(Retract(which) for which in range(2)),
    *(Correct(which, start=start) for which in range(2) for start in range(3)),
    *(Correct(which, value="c") for which in range(2)),
    *(Correct(which, until=until) for which in range(2) for until in (2, 4)),
    *(Correct(which, unbounded=True) for which in range(2)),
    *(Correct(which, value="b", start=1, episode=1) for which in range(2)),
]


def pairs() -> Iterator[tuple[Say, Say]]:
    return itertools.product(SHORT, SHORT)


def test_any_change_after_any_two_assertions_gives_the_segments_of_the_rule() -> None:
    for first, second in pairs():
        for change in CHANGES:
            store = PlannedStore()
            for step in (first, second, change):
                store.commit(step)


def runs() -> Iterator[tuple[Say, ...]]:
    """Three assertions one after the other, mostly bounded, that overlap, touch or leave gaps."""
    for starts in itertools.combinations(range(5), 3):
        for lengths in itertools.product((1, 3, None), repeat=3):
            yield tuple(
                Say(value, start, None if length is None else start + length, number)
                for number, (value, start, length) in enumerate(zip("aba", starts, lengths, strict=True))
            )


AMONG: list[Step] = [
    *(Say(value, start, start + length) for value in ("c", None) for start in range(6) for length in (1, 2, 4)),
    *(Say("c", start) for start in range(6)),
    *(Retract(which) for which in range(3)),
    *(Correct(which, start=start) for which in range(3) for start in range(6)),
    *(Correct(which, until=until) for which in range(3) for until in (3, 5)),
    *(Correct(which, unbounded=True) for which in range(3)),
]


@pytest.mark.parametrize("ranking", [None, ["crm", "user"]], ids=["reject", "source_precedence"])
def test_any_change_among_bounded_assertions_gives_the_segments_of_the_rule(ranking: list[str] | None) -> None:
    for run in runs():
        for change in AMONG:
            store = PlannedStore(ranking)
            for step in (*run, change):
                store.commit(step)


def test_any_two_bounded_assertions_in_one_transaction_give_the_segments_of_the_rule() -> None:
    bounded = [Say("c", start, start + length, 4) for start in range(5) for length in (1, 2)]
    for run in itertools.islice(runs(), 0, None, 5):
        for steps in itertools.product(bounded, bounded[::3]):
            store = PlannedStore()
            for step in run:
                store.commit(step)
            store.commit(*steps)


def test_any_three_assertions_in_one_transaction_give_the_segments_of_the_rule() -> None:
    for steps in itertools.product(SHORT[::2], SHORT, SHORT[1::2]):
        PlannedStore().commit(*steps)


def random_step(chance: random.Random, created: int) -> Step:
    start, length = chance.randrange(12), chance.choice([None, None, 1, 2, 5])
    until = None if length is None else start + length
    kind = chance.choice("ssssscccrr") if created else "s"
    which, episode = chance.randrange(1000), chance.randrange(6)
    if kind == "r":
        return Retract(which)
    if kind == "c":
        return Correct(
            which,
            value=chance.choice([None, None, "a", "b", "c"]),
            start=chance.choice([None, start]),
            until=chance.choice([None, until]),
            unbounded=chance.random() < 0.2,
            episode=episode,
        )
    value = chance.choice(["a", "b", "c", None])
    return Say(value, start, until, episode, chance.choice(["home", "home", MANY]), chance.choice("ab"))


@pytest.mark.parametrize("ranking", [None, ["crm", "user"]], ids=["reject", "source_precedence"])
@pytest.mark.parametrize("most", [1, 4], ids=["one-by-one", "in-batches"])
def test_long_random_histories_follow_the_rule_under_every_policy(ranking: list[str] | None, most: int) -> None:
    chance = random.Random(20260801)
    for _ in range(1500):
        store = PlannedStore(ranking)
        for _ in range(8):
            size = chance.randint(1, most)
            store.commit(*(random_step(chance, len(store.names)) for _ in range(size)))


@pytest.mark.parametrize("ranking", [None, ["crm", "user"]], ids=["reject", "source_precedence"])
@pytest.mark.parametrize("most", [1, 4], ids=["one-by-one", "in-batches"])
def test_what_a_better_source_said_is_replaced_at_no_instant_by_a_worse_one(
    ranking: list[str] | None, most: int
) -> None:
    chance = random.Random(20260802)
    protected = 0
    for _ in range(1500):
        store = PlannedStore(ranking, protection=["crm", "user"])
        for _ in range(8):
            size = chance.randint(1, most)
            store.commit(*(random_step(chance, len(store.names)) for _ in range(size)))
        protected += store.protected
    assert protected > 300
