"""The command that answers questions, on a real server."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from commands import CommandLine, Result

from graph_memory import Tenant
from graph_memory.cli.demo.story import tell

pytestmark = pytest.mark.server


@pytest.fixture
def ask(cli: CommandLine, tenant: Tenant, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Ask the demo's story."""
    monkeypatch.delenv("GRAPH_MEMORY_MODEL", raising=False)
    list(tell(tenant))
    return lambda *arguments: cli("ask", *arguments, tenant=tenant.name)


def test_an_answer_has_value_validity_source_and_words(ask: Callable[..., Result], tenant: Tenant) -> None:
    fact = tenant.as_of("mira", "passport_deadline", "2026-06-02")
    assert fact is not None
    result = ask("What was Mira's passport deadline on 2026-06-02?")
    assert (result.code, result.err) == (0, "")
    for words in (
        "2026-07-15",
        "[2026-06-01T09:00:00Z, 2026-06-03T10:00:00Z)",
        "user, episode e1: Her passport deadline is 2026-07-15.",
        fact.id,
    ):
        assert words in result.out
    assert "Step" not in result.out


def test_the_instant_may_be_given_and_what_was_known_then(ask: Callable[..., Result], tenant: Tenant) -> None:
    question = "What is the passport deadline?"
    assert "2026-08-01" in ask(question, "--about", "mira", "--at", "2026-05-31").out
    assert "2026-06-30" in ask("So?", "--about", "mira", "--attribute", "passport_deadline").out
    nothing = ask(question, "--about", "mira", "--known-at", "2020-01-01")
    told = "Nothing is known of passport_deadline of mira now, as known at 2020-01-01T00:00:00Z.\n"
    assert (nothing.code, nothing.out) == (3, told)


def test_the_trace_says_which_step_found_what_and_why(ask: Callable[..., Result]) -> None:
    lines = ask("What is Mira's passport deadline?", "--explain").out.splitlines()
    steps = [
        line.split("  ")[0] for line in lines[lines.index(next(x for x in lines if x.startswith("Step"))) + 2 :]
    ]
    assert steps == ["question", "time", "exact state", "related facts", "budget"]


def test_a_prompt_is_what_the_library_renders(ask: Callable[..., Result], tenant: Tenant) -> None:
    question = "What changed about Mira's passport deadline?"
    assert ask(question, "--prompt").out == f"{tenant.context(question).render()}\n"
    short = ask(question, "--prompt", "--tokens", "80").out
    assert short.endswith("(2 of 3 lines are left out: the token budget is used up.)\n")


def test_a_program_gets_the_whole_context_and_the_trace_on_demand(ask: Callable[..., Result]) -> None:
    question = "Who said that Mira's passport deadline is 2026-07-15?"
    found = ask(question, "--json").json
    assert (found["answered"], found["routing"]["intent"], found["trace"]) == (True, "who_said", [])
    assert found["facts"][0]["fact"]["value"] == "2026-07-15"
    assert found["facts"][0]["citations"][0]["episode_id"] == "e1"
    assert ask(question, "--json", "--explain").json["trace"][0]["step"] == "question"


def test_what_was_said_is_shown_where_nothing_answers_with_what_is_so(ask: Callable[..., Result]) -> None:
    result = ask("Which answers does Mira prefer?")
    assert result.code == 7
    assert "names no known attribute of mira" in result.out
    assert "Mira prefers concise answers." in result.out
    assert result.out.index("2026-06-30") < result.out.index("no longer holds")
    found = ask("Which answers does Mira prefer?", "--json")
    assert (found.code, found.json["answered"]) == (7, False)
    assert found.json["evidence"]
    assert ask("Which answers does Mira prefer?", "--prompt").code == 7


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["Who is Bob?"], 3), ([" "], 2), (["Mira?", "--tokens", "1"], 2), (["Mira?", "--at", "soon"], 2)],
)
def test_what_cannot_be_answered_or_asked_has_its_exit_code(
    ask: Callable[..., Result], arguments: list[str], code: int
) -> None:
    result = ask(*arguments)
    assert result.code == code
    assert "Traceback" not in result.err
