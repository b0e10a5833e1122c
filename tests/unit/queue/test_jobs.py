"""Which episodes a worker claims, how long it waits to try again, and how far it says it is."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st

from graph_memory import ExtractionError, InvalidInputError
from graph_memory.episodes.validation import EpisodeInput, episode_row
from graph_memory.queue.jobs import MAX_ERROR, Waiting, choose, error_text, limit_of, retry_delay, states_of
from graph_memory.queue.progress import Meter

FIRST, LONGEST = timedelta(seconds=2), timedelta(minutes=5)

waiting = st.tuples(st.sampled_from("abc"), st.integers(0, 20).map(str))
groups = st.lists(st.lists(waiting, unique=True), max_size=5)


@given(groups, st.integers(1, 30), st.randoms())
def test_as_many_different_ones_are_chosen_as_are_wanted_or_there(
    groups: list[list[Waiting]], number: int, chance: random.Random
) -> None:
    chosen = choose(groups, number, chance)
    there = {one for group in groups for one in group}
    assert set(chosen) <= there
    assert len(chosen) == len(set(chosen)) == min(number, len(there))


@given(st.lists(st.integers(1, 20), min_size=1, max_size=5), st.integers(1, 30), st.randoms())
def test_groups_have_their_turns(sizes: list[int], number: int, chance: random.Random) -> None:
    groups = [[(str(group), str(n)) for n in range(size)] for group, size in enumerate(sizes)]
    got = Counter(int(tenant) for tenant, _ in choose(groups, number, chance))
    shares = [got[group] for group in range(len(sizes))]
    for group, share in enumerate(shares):
        assert share == sizes[group] or share >= max(shares) - 1


def test_two_that_see_the_same_queue_seldom_want_the_same() -> None:
    group = [("a", str(n)) for n in range(36)]
    both = [set(choose([group], 4, random.Random(seed))) for seed in range(2)]
    assert len(both[0] & both[1]) < 4


@given(st.integers(1, 10_000), st.randoms())
def test_the_wait_doubles_up_to_the_longest_less_up_to_half(attempts: int, chance: random.Random) -> None:
    delay = retry_delay(attempts, FIRST, LONGEST, chance)
    full = min(FIRST.total_seconds() * 2.0 ** min(attempts - 1, 100), LONGEST.total_seconds())
    assert full / 2 <= delay.total_seconds() <= full + 1e-5


def test_a_foreign_error_is_named_and_a_long_one_is_cut() -> None:
    assert error_text(ExtractionError("no answer")) == "no answer"
    assert error_text(ValueError("no answer")) == "ValueError: no answer"
    assert error_text(KeyError()) == "KeyError: "
    assert len(error_text(ValueError("x" * 5000))) == MAX_ERROR
    error_text(ValueError("\ud800")).encode("utf-8")


def test_states_and_limits_are_checked() -> None:
    assert states_of(None) == ["queued", "running", "done", "failed"]
    assert states_of("failed") == ["failed"]
    wrong: list[tuple[Any, Any]] = [
        (states_of, "dead"), (states_of, ""), (states_of, 1), (limit_of, 0), (limit_of, 10_001), (limit_of, True)
    ]  # fmt: skip
    for check, value in wrong:
        with pytest.raises(InvalidInputError):
            check(value)


def test_an_episode_to_extract_later_says_whom_it_is_about() -> None:
    row = episode_row(EpisodeInput("I moved.", extract="later", about="mira"), lambda: "e1")
    assert (row["extract"], row["about"]) == (True, "mira")
    assert episode_row(EpisodeInput("I moved."), lambda: "e1")["extract"] is False
    with pytest.raises(InvalidInputError, match="must be 'later'"):
        episode_row(EpisodeInput("I moved.", extract="now"), lambda: "e1")
    with pytest.raises(InvalidInputError, match="give extract='later' too"):
        episode_row(EpisodeInput("I moved.", about="mira"), lambda: "e1")
    with pytest.raises(InvalidInputError, match="entity key"):
        episode_row(EpisodeInput("I moved.", extract="later", about=" mira"), lambda: "e1")


def test_a_meter_counts_what_was_done_and_how_fast_it_was_of_late() -> None:
    meter = Meter(100.0)
    for at in (101.0, 102.0, 110.0):
        meter.done(at, {"committed": 2, "for_review": 1, "unchanged": 5})
    meter.count("retried")
    meter.count("failed", 2)
    early = meter.progress(110.0, running=3, queued=7, away=False)
    assert (early.done, early.committed, early.for_review, early.refused) == (3, 6, 3, 0)
    assert (early.retried, early.failed, early.lost, early.running, early.queued) == (1, 2, 0, 3, 7)
    assert early.rate == pytest.approx(0.3)
    assert early.seconds == 10.0
    late = meter.progress(165.0, running=0, queued=None, away=True)
    assert (late.done, late.away) == (3, True)
    assert late.rate == pytest.approx(1 / 60)
