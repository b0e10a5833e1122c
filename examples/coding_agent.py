"""A coding agent's memory: conventions of a repository, tasks and what they touch, and decisions of a project.

    python examples/coding_agent.py
    graph-memory schema show --schema examples/coding_agent.py:schema

Declares what may be remembered, then shows how a later decision replaces an earlier one, and who may change what.
It needs no language model.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import StrEnum

from graph_memory import ConflictError, GraphMemory, Kind, Ref, Schema, attribute


class TaskState(StrEnum):
    """How far a task is."""

    PENDING = "pending"
    ACTIVE = "active"
    BLOCKED = "blocked"
    DONE = "done"


class Repository(Kind):
    """A code repository."""

    conventions: list[str] = attribute(
        "Rules that code and commits have to follow, once seen in two places",
        examples=["Tests live beside the module, and their names state a rule."],
        memory_type="procedural",
        recurs=2,
    )
    test_command: str = attribute(
        "The command that runs all tests",
        examples=["Run make test before you push."],
        memory_type="procedural",
        protected=True,
    )
    default_branch: str = attribute("The branch that changes are merged into", conflict="source_precedence")


class Project(Kind):
    """Something that is being built, in one or more repositories."""

    repositories: list[Ref[Repository]] = attribute("Where its code lives")
    pending_tasks: list[Ref[Task]] = attribute(
        "Tasks that are not done; a task that is done or dropped ends", memory_type="state"
    )
    decisions: list[Ref[Decision]] = attribute("What has been decided about it")


class Task(Kind):
    """A piece of work."""

    task_state: TaskState = attribute("How far it is", memory_type="state", conflict="source_precedence")
    task_goal: str = attribute("What is to be reached")
    due: date = attribute("When it has to be done")
    touches: list[Ref[Artifact]] = attribute(
        "Files, modules and documents that it changes", examples=["The fix belongs into parser.py."]
    )


class Artifact(Kind):
    """A file, module or document."""

    part_of: Ref[Repository] = attribute("The repository that it belongs to")
    owner: str = attribute("Who answers for it")


class Decision(Kind):
    """Something that was settled."""

    outcome: str = attribute(
        "What was decided, in a few words",
        examples=["We use PostgreSQL for the queue."],
        conflict="confirm",
        protected=True,
    )
    rationale: str = attribute("Why it was decided so")


schema = Schema(
    "coding-agent",
    version=1,
    kinds=[Repository, Project, Task, Artifact, Decision],
    sources=["maintainer", "ci", "agent"],
    users=["maintainer"],
)

MAY, JUNE = datetime(2026, 5, 4, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)


def main() -> None:
    """Tell how a decision changed, and what an agent may not change by itself."""
    with GraphMemory.open(schema=schema) as memory:
        team = memory.tenant("coding-example")
        start = team.record("The queue uses Redis. Tests run with make test.", "d-1", source="maintainer")
        later = team.record("We move the queue to PostgreSQL: fix-queue, in queue.py.", "d-2", source="maintainer")
        guess = team.record("It seems that pytest -x runs the tests.", "a-1", source="agent")

        team.assert_fact("shop", "repositories", Ref("shop-core"), valid_from=MAY, episode=start)
        team.assert_fact("shop", "decisions", Ref("queue-store"), valid_from=MAY, episode=start)
        team.assert_fact("queue-store", "outcome", "Redis", valid_from=MAY, episode=start, quote="Redis")
        team.assert_fact(
            "shop-core", "test_command", "make test", valid_from=MAY, episode=start, quote="make test"
        )
        team.assert_fact(
            "queue-store", "outcome", "PostgreSQL", valid_from=JUNE, episode=later, quote="PostgreSQL"
        )
        team.assert_fact("shop", "pending_tasks", Ref("fix-queue"), valid_from=JUNE, episode=later)
        team.assert_fact("fix-queue", "task_state", TaskState.PENDING, valid_from=JUNE, episode=later)
        team.assert_fact("fix-queue", "touches", Ref("queue.py"), valid_from=JUNE, episode=later, quote="queue.py")

        outcomes = team.history("queue-store", "outcome")
        print("the queue:", ", then ".join(f"{fact.value} from {fact.valid_from.date()}" for fact in outcomes))
        try:
            team.assert_fact("shop-core", "test_command", "pytest -x", valid_from=JUNE, episode=guess)
        except ConflictError as error:
            print("the agent's guess: refused, because the", error.facts[0].source, "says", error.facts[0].value)
        reached = team.traverse("shop", ["pending_tasks", "touches"], at=JUNE).edges
        print("to do:", ", ".join(f"{edge.subject} {edge.attribute} {edge.object}" for edge in reached))


if __name__ == "__main__":
    main()
