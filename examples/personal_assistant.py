"""A personal assistant's memory: deadlines, employers, and what somebody likes.

    python examples/personal_assistant.py
    graph-memory schema show --schema examples/personal_assistant.py:schema

Declares what may be remembered, then shows what is checked and which source wins. It needs no language model.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

from graph_memory import ConflictError, GraphMemory, InvalidInputError, Kind, Ref, Schema, attribute


class Person(Kind):
    """Someone the assistant works for, or hears about."""

    passport_deadline: date = attribute(
        "When the passport must be renewed",
        examples=["My passport has to be renewed by July 15."],
        retention="personal",
        sensitive=True,
    )
    employer: Ref[Company] = attribute(
        "Where they work",
        examples=["I start at Globex in March."],
        conflict="source_precedence",
        protected=True,
    )
    home_city: str = attribute("The city they live in", examples=["We have moved to Porto."])
    partner: Ref[Person] = attribute("Their partner", sensitive=True)
    likes: list[str] = attribute(
        "Lasting preferences, once they have shown on three occasions",
        examples=["An aisle seat again, please."],
        memory_type="preference",
        recurs=3,
    )
    reminders: list[str] = attribute("What they want to be reminded of; ends when it is done", memory_type="state")


class Company(Kind):
    """A company or another employer."""

    seat: str = attribute("The city it is in")


schema = Schema(
    "personal-assistant",
    version=1,
    kinds=[Person, Company],
    sources=["user", "crm", "agent"],
)

JUNE_1, JUNE_3 = datetime(2026, 6, 1, 9, tzinfo=UTC), datetime(2026, 6, 3, 10, tzinfo=UTC)


def main() -> None:
    """Tell a story of one person, and of sources that know better or worse."""
    with GraphMemory.open(schema=schema) as memory:
        team = memory.tenant("assistant-example")
        first = team.record("My passport deadline is 2026-07-15. I work at Acme.", "e1", source="user")
        second = team.record("Correction: it is 2026-06-30.", "e2", source="user")
        entry = team.record("Mira Silva, employer: Initech", "e3", source="crm")

        deadline, work = ("mira", "passport_deadline"), ("mira", "employer")
        team.assert_fact(*deadline, "2026-07-15", valid_from=JUNE_1, episode=first, quote="2026-07-15")
        team.assert_fact(*work, Ref("acme"), valid_from=JUNE_1, episode=first, quote="Acme")
        fact = team.assert_fact(
            *deadline, date(2026, 6, 30), valid_from=JUNE_3, episode=second, quote="2026-06-30"
        )
        print("deadline:", fact.value, "under", fact.schema_version)

        try:
            team.assert_fact(*deadline, "soon", valid_from=JUNE_3, episode=second)
        except InvalidInputError as error:
            print("not a date:", error)
        try:
            team.assert_fact(*work, Ref("initech"), valid_from=JUNE_3, episode=entry)
        except ConflictError as error:
            print("employer: refused, the crm may not replace what the", error.facts[0].source, "said")
        print("acme is a", " and ".join(team.entity("acme").kinds))


if __name__ == "__main__":
    main()
