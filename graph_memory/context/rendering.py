"""From what was found to the smallest context: which lines fit the token budget, and how they read. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeVar

from graph_memory.context.records import Context, ContextFact, Note, NoteKind, Role, Step
from graph_memory.domain.instants import FIRST_INSTANT, format_instant
from graph_memory.domain.json_values import json_line
from graph_memory.domain.records import Fact
from graph_memory.domain.values import Ref, Value
from graph_memory.errors import InvalidInputError, brief
from graph_memory.questions.records import Routing
from graph_memory.search.records import Evidence

MAX_QUOTE = 240
MAX_SHOWN_VALUE = 400
_ID = 8
# Less of a line than this says nothing.
_LEAST_CUT = 32
_MADE = re.compile(r"[0-9a-f]{32}")
_PLAIN = re.compile(r"\w[\w .,:/@+#'’&-]*")  # noqa: RUF001
_Item = TypeVar("_Item")
_RUNS = re.compile(r"[A-Za-z]+|\d+|[^\s\w]|[^\W\da-zA-Z]|_")


def estimated_tokens(text: str) -> int:
    """Return an estimate of the tokens that a text takes in a language model; it errs on the high side.

    It counts one token for every six ASCII letters or three digits of a run, rounded up, and one for every other
    character except blanks.
    """
    count = 0
    for match in _RUNS.finditer(text):
        run = match[0]
        count += -(-len(run) // (6 if run[0].isalpha() and run.isascii() else 3))
    return count


def counter(tokens: Callable[[str], int] | None) -> Callable[[str], int]:
    """Return the function that counts the tokens of a text: `tokens`, checked at each call, or the estimate.

    Raises:
        InvalidInputError: `tokens` is not a function. The function returned raises it where `tokens` does not
            return a whole number of 0 or more.
    """
    if tokens is None:
        return estimated_tokens
    if not callable(tokens):
        raise InvalidInputError(f"tokens {brief(tokens)} must be a function that counts the tokens of a text")

    def count(text: str) -> int:
        found = tokens(text)
        if not isinstance(found, int) or found < 0:
            raise InvalidInputError(f"tokens returned {brief(found)}: it must return a whole number, 0 or more")
        return found

    return count


@dataclass
class Findings:
    """What was found for a question, before the token budget decides what is shown."""

    question: str
    tenant: str
    routing: Routing
    answered: bool = False
    facts: list[ContextFact] = field(default_factory=list)
    related: list[ContextFact] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    trace: list[Step] = field(default_factory=list)


def assembled(found: Findings, budget: int, count: Callable[[str], int]) -> Context:
    """Return the context whose text takes at most `budget` tokens, as `count` counts them.

    Answers come first, then notes, related facts and evidence. The first line that does not fit is tried without
    its quote, then cut, and nothing follows it: a worse line never takes the place of a better one. Notes get
    their room after the first answer and before the other answers. A note tells how many lines are left out, and
    whether one is cut. Every answer stays in `facts`. Where no answer fits, the text is the first answer, cut.
    """
    page = _Page(found, budget, count)
    text = page.text
    # A counter may count more tokens in the whole text than in its lines one by one.
    while (tokens := count(text)) > budget and page.lines:
        page = _Page(found, page.room - (tokens - budget), count)
        text = page.text
    if found.facts and not page.answers:
        page = _Page(found, -1, count)
        text = page.cut_answer(budget)
        tokens = count(text)
    if tokens > budget:
        text, tokens = "", 0
    notes = [*found.notes, *page.notes]
    step = Step(
        step="budget",
        found=f"{page.offered - page.left_out} of {page.offered} lines, {tokens} of {budget} tokens",
        why="answers come first, then notes, related facts and evidence",
    )
    return Context(
        question=found.question,
        tenant=found.tenant,
        routing=found.routing,
        answered=found.answered,
        facts=tuple(found.facts),
        related=tuple(page.related),
        evidence=tuple(page.evidence),
        notes=tuple(notes),
        trace=(*found.trace, step),
        text=text,
        tokens=tokens,
    )


class _Page:
    """The lines that fit into a budget.

    Attributes:
        room: the tokens that its lines may take, each counted alone.
        offered: how many lines there were, without headings.
        left_out: how many of these did not fit.
        cut: whether one of the lines that stand there is cut.
        answers: the answers that fit.
        related: the related facts that fit.
        evidence: the evidence that fits.
    """

    def __init__(self, found: Findings, room: int, count: Callable[[str], int]) -> None:
        self.room = room
        self.offered = 0
        self.left_out = 0
        self.cut = False
        self._full = False
        self._left = room
        self._count = count
        self._labels = _labels(found)
        self._named: set[str] = set()
        self._found = found
        self._heading = "Answer:" if found.answered else None
        first, self._of_answers = self._section(self._heading, found.facts[:1], self._of_fact)
        _, self._of_notes = self._section(None, found.notes, lambda note: [f"Note: {_on_one_line(note.text)}"])
        more, lines = self._section(None, found.facts[1:], self._of_fact)
        self._of_answers += lines
        self.answers = first + more
        self.related, self._of_related = self._section("Related facts:", found.related, self._of_fact)
        said = "Said in episodes (may be out of date):"
        self.evidence, self._of_said = self._section(said, found.evidence, self._of_evidence)

    @property
    def lines(self) -> list[str]:
        """The lines in the order in which they are read, headings included."""
        return [*self._of_answers, *self._of_notes, *self._of_related, *self._of_said]

    @property
    def notes(self) -> list[Note]:
        """A note that tells how many lines are left out, and whether one is cut, if any are."""
        if self.left_out:
            cut = " and one is cut" if self.cut else ""
            text = f"({self.left_out} of {self.offered} lines are left out{cut}: the token budget is used up.)"
        elif self.cut:
            text = f"(1 of {self.offered} lines is cut: the token budget is used up.)"
        else:
            return []
        return [Note(kind=NoteKind.LEFT_OUT, text=text)]

    @property
    def text(self) -> str:
        """The lines, and below them the note of what is left out."""
        return "\n".join([*self.lines, *(note.text for note in self.notes)])

    def cut_answer(self, budget: int) -> str:
        """Return the first line of the answer, cut to `budget` tokens; empty where not even one character fits."""
        self._named.clear()
        heading = "" if self._heading is None else f"{self._heading}\n"
        return self._fitted(heading, self._of_fact(self._found.facts[0])[-1], budget) or ""

    def _fitted(self, heading: str, line: str, room: int) -> str | None:
        """Return a line below its heading, cut to so many tokens; None where nothing of it fits."""
        whole = heading + line
        least, most = len(heading), len(whole)
        while least < most:
            size = (least + most + 1) // 2
            if self._count(_cut(whole, size)) <= room:
                least = size
            else:
                most = size - 1
        return _cut(whole, least) if least > len(heading) else None

    def _section(
        self, heading: str | None, items: Sequence[_Item], forms: Callable[[_Item], list[str]]
    ) -> tuple[list[_Item], list[str]]:
        """Return the items that have room, and their lines with the heading above them."""
        kept: list[_Item] = []
        lines: list[str] = []
        self.offered += len(items)
        for item in [] if self._full else items:
            above = f"{heading}\n" if heading is not None and not kept else ""
            choices = forms(item)
            line = next((one for form in choices if self._cost(one := above + form) <= self._left), None)
            if line is None:
                self._full = True
                line = self._fitted(above, choices[-1], self._left - 1)
                if line is None or len(line) - len(above) < _LEAST_CUT:
                    break
                self.cut = True
            self._left -= self._cost(line)
            kept.append(item)
            lines.append(line)
        self.left_out += len(items) - len(kept)
        return kept, lines

    def _cost(self, line: str) -> int:
        return self._count(f"{line}\n")

    def _of_fact(self, item: ContextFact) -> list[str]:
        """Return the line of a fact in two forms: with its quotes, then without them."""
        fact = item.fact
        name = "" if item.name == fact.subject or fact.subject in self._named else f" ({_plain(item.name)})"
        self._named.add(fact.subject)
        role = {Role.BEFORE: "before: ", Role.AFTER: "after: "}.get(item.role, "")
        since = (
            "" if item.since is None or item.since == fact.valid_from else f", unchanged since {_when(item.since)}"
        )
        head = f"- {role}{_plain(fact.subject)}{name} {fact.attribute} = {_value(item)} | {validity(fact)}{since}"
        ids = f"[fact {self._labels[fact.id]}]"
        plain = f"{head} | {_source(fact.source, self._labels[fact.episode_id])} {ids}"
        said = ", ".join(
            _source(c.source, self._labels[c.episode_id]) + ("" if c.quote is None else f" {_quoted(c.quote)}")
            for c in item.citations
        )
        return [f"{head} | {said} {ids}", plain] if said else [plain]

    def _of_evidence(self, item: Evidence) -> list[str]:
        episode = item.episode
        # When it was said is not known of all; when it was recorded says little about when something was so.
        said = _when(episode.said_at)
        if episode.occurred_at is None:
            said = f"recorded {said}"
        source = _source(episode.source, self._labels[episode.id])
        gone = (s.fact for s in item.facts if not s.holds)
        stale = ", ".join(dict.fromkeys(f"{_plain(fact.subject)} {fact.attribute}" for fact in gone))
        superseded = f", superseded on {stale}" if stale else ""
        return [f"- {said} | {source}{superseded}: {_quoted(item.quote)}"]


def validity(fact: Fact) -> str:
    """Return in few words when a fact holds: from its first instant, until the first one after it (UTC)."""
    if fact.valid_from == fact.valid_to:
        return "never"
    start = "" if fact.valid_from == FIRST_INSTANT else f"from {_when(fact.valid_from)}"
    end = "" if fact.valid_to is None else f"until {_when(fact.valid_to)}"
    return f"{start} {end}".strip() or "always"


def _when(at: datetime) -> str:
    """Return an instant in its shortest form: a day where it is midnight, no seconds where they are zero."""
    text = format_instant(at)
    return text.removesuffix("T00:00:00Z") if text.endswith("T00:00:00Z") else text.replace(":00Z", "Z")


def _value(item: ContextFact) -> str:
    fact = item.fact
    if fact.value is None:
        which = "" if fact.ended_value is None else f" {shown(fact.ended_value)}"
        return f"nothing, ended{which}"
    return shown(fact.value)


def shown(value: Value) -> str:
    """Return a value on one line, cut at MAX_SHOWN_VALUE characters; unusual text stands in quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Ref):
        return _plain(value.key)
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, str):
        cut = "" if len(value) <= MAX_SHOWN_VALUE else f" (cut: it has {len(value)} characters)"
        return f"{_plain(_cut(value, MAX_SHOWN_VALUE))}{cut}"
    return value.isoformat() if isinstance(value, date) else repr(value)


def _plain(text: str) -> str:
    """Return a plain text as it is, any other text in quotes, so that it cannot pass for a part of the line."""
    return text if _PLAIN.fullmatch(text) else json_line(text)


def _quoted(text: str) -> str:
    return json_line(_cut(" ".join(text.split()), MAX_QUOTE))


def _cut(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1]}…"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _source(source: str, episode: str) -> str:
    return f"{_plain(source)}, episode {_plain(episode)}"


def _labels(found: Findings) -> dict[str, str]:
    """Return a label for each id: generated ids are cut to the shortest prefix that is unique."""
    facts = (*found.facts, *found.related)
    ids = {f.fact.id for f in facts} | {f.fact.episode_id for f in facts}
    ids |= {c.episode_id for f in facts for c in f.citations} | {e.episode.id for e in found.evidence}
    made = sorted(id_ for id_ in ids if _MADE.fullmatch(id_))
    labels = {id_: id_ for id_ in ids}
    for size in range(_ID, 33):
        short = Counter(id_[:size] for id_ in made)
        labels |= {id_: id_[:size] for id_ in made if len(labels[id_]) == 32 and short[id_[:size]] == 1}
    return labels
