"""Record what was said, assert what it means, ask what is true: `python examples/quickstart.py`."""

from __future__ import annotations

from datetime import UTC, date, datetime

from graph_memory import Fact, GraphMemory


def show(question: str, fact: Fact | None) -> None:
    """Print an answer and the episode that said it."""
    print(f"{question}:", f"{fact.value}, because of {fact.episode_id}" if fact else "nothing is known")


def main() -> None:
    """Record two sentences on the managed local server, which is started if it does not run, or on NEO4J_URI."""
    june_1, june_3 = datetime(2026, 6, 1, 9, tzinfo=UTC), datetime(2026, 6, 3, 10, tzinfo=UTC)
    with GraphMemory.open() as memory:
        team = memory.tenant("quickstart")
        e1 = team.record("Her passport deadline is 2026-07-15.", id="e1", occurred_at=june_1)
        e2 = team.record("Correction: it is 2026-06-30.", id="e2", occurred_at=june_3)
        deadline = ("mira", "passport_deadline")
        team.assert_fact(*deadline, date(2026, 7, 15), valid_from=june_1, episode=e1, quote="2026-07-15")
        team.assert_fact(*deadline, date(2026, 6, 30), valid_from=june_3, episode=e2, quote="2026-06-30")

        show("now", team.current(*deadline))
        show("on June 2", team.as_of(*deadline, date(2026, 6, 2)))
        show("in May", team.as_of(*deadline, date(2026, 5, 1)))


if __name__ == "__main__":
    main()
