"""Every template says what it answers, with which parameters and columns, and is run by the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import graph_memory
from graph_memory.storage.templates import template, template_names

PACKAGE = Path(graph_memory.__file__).parent
FILES = PACKAGE.parent / "cypher"
CODE = "\n".join(path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py")))
NAMES = template_names()
FOLDERS = sorted({name.split("/")[0] for name in NAMES})
TWINS = [name for name in NAMES if name.endswith("_known")]

HEADER = re.compile(
    r"(?P<answers>[A-Z].*\.)\n"
    r"Parameters:(?: none|(?P<parameters>(?:\n {2}.+)+))\n"
    r"Columns: (?P<columns>.+)",
    re.DOTALL,
)
# Of a list of rows the header says which fields each has; a parameter's line may go on, further in.
PARAMETER = re.compile(r"\n {2}(?P<name>[a-z]\w*): (?P<meaning>\S.*(?:\n {4}.+)*)")


def run_by_name(name: str) -> bool:
    """Whether the code names the template, runs its folder, or builds a twin's name; or people run it."""
    folder = name.split("/")[0]
    return (
        folder == "questions"  # tests/integration/test_questions.py runs each
        or f'"{name}"' in CODE
        or f'template_names("{folder}")' in CODE
        or (name in TWINS and f'"{name.removesuffix("_known")}"' in CODE and '_known"' in CODE)
    )


def test_the_folders_have_no_other_files() -> None:
    strangers = [path.name for path in FILES.rglob("*") if path.is_file() and path.suffix != ".cypher"]
    assert strangers == []


@pytest.mark.parametrize("name", NAMES)
def test_a_template_begins_with_its_header_and_has_no_comments_after_it(name: str) -> None:
    text = (FILES / f"{name}.cypher").read_text(encoding="utf-8")
    assert text.startswith("// ")
    assert text.endswith("\n")
    assert "//" not in template(name).text


@pytest.mark.parametrize("name", NAMES)
def test_a_header_says_what_it_answers_its_parameters_and_its_columns(name: str) -> None:
    header = HEADER.fullmatch(template(name).header)
    assert header is not None
    assert len(PARAMETER.sub("", header["parameters"] or "").strip()) == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_declared_parameters_are_those_used(name: str) -> None:
    assert template(name).declared == template(name).used


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("migrations/")])
def test_a_template_outside_the_migrations_is_one_statement(name: str) -> None:
    assert len(template(name).statements) == 1


@pytest.mark.parametrize("name", NAMES)
def test_a_template_is_run_by_the_code(name: str) -> None:
    assert run_by_name(name)


def test_the_templates_that_the_code_names_exist() -> None:
    named = set(re.findall(rf'"((?:{"|".join(FOLDERS)})/[a-z0-9_]+)"', CODE))
    assert named - set(NAMES) == set()


def test_migrations_are_numbered_without_a_gap() -> None:
    numbers = [int(name.removeprefix("migrations/")[:4]) for name in template_names("migrations")]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("name", template_names("migrations"))
def test_every_statement_of_a_migration_may_be_run_again(name: str) -> None:
    again = ("MATCH", "MERGE", "CALL db.awaitIndexes")
    assert [s for s in template(name).statements if " IF NOT EXISTS " not in s and not s.startswith(again)] == []


def test_the_twins_of_the_two_slots_differ_in_the_slot_alone() -> None:
    first, second = template("evidence/nearest_a"), template("evidence/nearest_b")
    assert first.text.replace("passage_a", "passage_b") == second.text


def _retracted_by_now(past: str) -> str:
    """What was known of retractions then, as what is known of them now."""
    known = r"CASE WHEN f\.retracted_at <= \$known_at\s+THEN (f\.retracted_at\.epochSeconds [^,]+?) END\b"
    present, told = re.subn(known, r"\1", past)
    assert told == 1
    return present


def test_the_facts_of_evidence_in_the_past_differ_in_what_was_known_alone() -> None:
    said = r"\s+WHERE f\.recorded_at <= \$known_at AND c\.recorded_at <= \$known_at"
    held = r"\s+AND h\.recorded_at <= \$known_at AND coalesce\(h\.retracted_at > \$known_at, true\)"
    present, filters = re.subn(f"{said}|{held}", "", _retracted_by_now(template("evidence/found_past").text))
    assert filters == 2
    present = re.sub(r"\bh:Fact\b", "h:Live", present)
    assert present.split() == template("evidence/found").text.split()


@pytest.mark.parametrize("name", TWINS)
def test_a_read_of_the_past_differs_from_its_twin_only_in_what_was_live(name: str) -> None:
    past, expected = template(name).text, template(name.removesuffix("_known")).text
    if "marks" in expected:
        # Each slot has an instant of its own, and what is live now has not been retracted.
        past = re.sub(r",\s+(coalesce\(\$known\[position\], \$known\[0\]\)|\$known_at) AS known\b", "", past)
        past = re.sub(r"(?<=<= )known\b|(?<=> )known\b", "$known_at", past)
        past = re.sub(r", known\b", "", past)
        present = re.sub(r"CASE WHEN f\.retracted_at <= \$known_at\s+THEN [^,]+? END\b", "null", past)
    else:
        present = _retracted_by_now(past)
    known = r"\s+AND (\w+)\.recorded_at <= \$known_at AND coalesce\(\1\.retracted_at > \$known_at, true\)"
    present, filters = re.subn(known, "", present)
    assert filters == len(re.findall(r"MATCH \(\w+:Fact\)", past))
    present = re.sub(r"(\w+):Fact(?=[()])", r"\1:Live", present)
    assert present.split() == expected.split()


def test_an_unknown_template_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(LookupError, match="read/as_of"):
        template("read/nothing")
