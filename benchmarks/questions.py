"""How well questions in people's words are answered by rules alone.

    python benchmarks/questions.py
    python benchmarks/questions.py --show wrong --show open

Each question of `data/*_questions.tsv` comes with the facts that answer it, as `subject attribute value` with `;`
between them and `|` between choices. `-` says that nothing answers; `*subject` asks for all that is known of a
subject. A question is

- right: `answered`, and the facts that answer are those expected; or nothing answers, and it stays open;
- wrong: `answered`, and they are others;
- open: not answered, though something answers. Its text may have the facts all the same.

The questions of the desk are split into two halves by a hash: one to tune on, one that is only reported.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import desk
from rich.console import Console
from rich.table import Table

from graph_memory import Context, ContextFact, GraphMemory, Ref, Role, Tenant
from graph_memory.cli.demo.story import tell
from graph_memory.local import LocalServer

DATA = Path(__file__).parent / "data"
NOW = "2026-12-01"
ROOM = 200


@dataclass(frozen=True)
class Asked:
    """A question with what came back.

    Attributes:
        question: its text.
        choices: the sets of facts that answer it; empty: nothing does.
        whole: key of the subject of which all is asked for; None: it asks for less.
        context: what came back.
        near: what came back within ROOM tokens.
    """

    question: str
    choices: tuple[frozenset[str], ...]
    whole: str | None
    context: Context
    near: Context

    @property
    def facts(self) -> frozenset[str]:
        """The facts that answer."""
        return frozenset(told(fact) for fact in self.context.facts if fact.role is Role.ANSWER)

    @property
    def verdict(self) -> str:
        """`right`, `wrong` or `open`."""
        if not self.context.answered:
            return "open" if self.choices or self.whole else "right"
        if self.whole is not None:
            return "right" if {fact.split()[0] for fact in self.facts} == {self.whole} else "wrong"
        return "right" if self.facts in self.choices else "wrong"

    @property
    def has_facts(self) -> bool:
        """Whether the facts of a choice stand in the text of ROOM tokens."""
        shown = {told(fact) for fact in (*self.near.facts, *self.near.related)}
        there = {fact for fact in shown if f"{fact.split(' ', 2)[2].removesuffix('.0')}" in self.near.text}
        return any(choice <= there for choice in self.choices)


def told(fact: ContextFact) -> str:
    """Return a fact as the files of questions have it."""
    value = fact.fact.value
    text = "ended" if value is None else value.key if isinstance(value, Ref) else str(value)
    return f"{fact.fact.subject} {fact.fact.attribute} {text}"


def ask(tenant: Tenant, file: str) -> Iterator[Asked]:
    """Ask the questions of a file."""
    for line in (DATA / file).read_text().splitlines()[1:]:
        question, answer = line.split("\t")
        choices = () if answer[0] in "-*" else answer.split(" | ")
        yield Asked(
            question,
            tuple(frozenset(choice.split("; ")) for choice in choices),
            answer[1:] if answer[0] == "*" else None,
            tenant.context(question, now=NOW, router="rules"),
            tenant.context(question, now=NOW, router="rules", token_budget=ROOM),
        )


def is_tuned_on(asked: Asked) -> bool:
    """Whether a question belongs to the half that rules may be tuned on."""
    return hashlib.sha256(asked.question.encode()).digest()[0] % 2 == 0


def row(name: str, asked: list[Asked]) -> list[str]:
    """Return the figures of some questions."""
    counts = {verdict: [one for one in asked if one.verdict == verdict] for verdict in ("right", "wrong", "open")}
    found = sum(one.has_facts for one in counts["open"])
    open_ = [one.context.tokens for one in asked if not one.context.answered]
    costs = f"{statistics.median(open_):.0f}" if open_ else "-"
    some = [one for one in asked if one.choices]
    there = sum(one.has_facts for one in some)
    shares = [f"{len(those)} ({len(those) / len(asked):.1%})" for those in counts.values()]
    return [name, str(len(asked)), *shares, str(found), f"{there / len(some):.1%}", costs]


@contextmanager
def server(home: Path | None) -> Iterator[tuple[str, tuple[str, str]]]:
    """Run a server, for the time of the block where `home` is None; yields its address and who may enter."""
    with TemporaryDirectory() as temporary:
        local = LocalServer(home or Path(temporary))
        info = local.up()
        try:
            yield info.uri, (info.username, info.password)
        finally:
            if home is None:
                local.down()


def main() -> int:
    """Ask all questions, and print how they were answered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, help="of a server that goes on running; else a new one is removed")
    parser.add_argument("--show", action="append", default=[], choices=["right", "wrong", "open"])
    chosen = parser.parse_args()
    table = Table("questions", "asked", "right", "wrong", "open", "open, facts there", "facts there", "open costs")
    with server(chosen.home) as (uri, auth):
        with GraphMemory.open(uri, auth, schema=desk.SCHEMA) as memory:
            tenant = memory.tenant(f"desk-{uuid4().hex[:8]}")
            desk.tell(tenant)
            asked = list(ask(tenant, "desk_questions.tsv"))
        halves: dict[str, Callable[[Asked], bool]] = {
            "desk, tuned on": is_tuned_on,
            "desk, held out": lambda one: not is_tuned_on(one),
        }
        for name, belongs in halves.items():
            table.add_row(*row(name, [one for one in asked if belongs(one)]))
        shown = [one for one in asked if is_tuned_on(one) and one.verdict in chosen.show]
        with GraphMemory.open(uri, auth) as memory:
            tenant = memory.tenant(f"demo-{uuid4().hex[:8]}")
            list(tell(tenant))
            demo = list(ask(tenant, "demo_questions.tsv"))
        table.add_row(*row("demo", demo))
        shown += [one for one in demo if one.verdict in chosen.show]
    for one in shown:
        print(f"{one.verdict}: {one.question} -> {'; '.join(sorted(one.facts)) or '-'}")
    Console(width=130).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
