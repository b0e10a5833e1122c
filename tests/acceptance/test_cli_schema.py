"""The schema of a program on the command line: checked, registered by use, compared, refused where it differs."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import CommandLine, unused_name

from graph_memory.cli import exit_codes

pytestmark = pytest.mark.server

SOURCE = """
from graph_memory import Kind, Schema, attribute

class Client(Kind):
    {tier}: {type} = attribute("Tier", memory_type="state")
    {cases}: list[str] = attribute("Open cases")

schema = Schema("{name}", version={version}, kinds=[Client])
"""


class Project:
    """A program's folder with its declaration, which changes as the program does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name, self.tier, self.cases = unused_name(), unused_name(), unused_name()

    def declare(self, version: int = 1, type_: str = "str") -> list[str]:
        """Write the declaration; return the option that names it."""
        path = self.folder / f"v{version}_{type_}.py"
        path.write_text(
            SOURCE.format(name=self.name, tier=self.tier, cases=self.cases, version=version, type=type_)
        )
        return ["--schema", f"{path}:schema"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_check_stores_nothing_and_use_stores_it(cli: CommandLine, project: Project) -> None:
    option = project.declare()
    checked = cli("schema check", *option, "--json")
    assert checked.json == {"schema": f"{project.name}/1", "stored": False, "versions": []}
    assert cli("schema show", project.name).code == exit_codes.NOTHING
    assert "it will be stored" in cli("schema check", *option).out

    assert cli("state", "acme", *option, tenant="t").code == exit_codes.NOTHING
    assert cli("schema check", *option, "--json").json["stored"] is True
    assert "fits the database: it is stored" in cli("schema check", *option).out
    for label in (project.name, f"{project.name}/1"):
        shown = cli("schema show", label, "--json").json
        assert (shown["name"], shown["version"]) == (project.name, 1)
        assert shown["declaration"]["attributes"][project.tier]["memory_type"] == "state"
    assert project.tier in cli("schema show", project.name).out
    assert f"{project.name}/1" in cli("schema show").out


def test_another_declaration_of_a_version_is_refused_with_the_difference_by_every_command(
    cli: CommandLine, project: Project
) -> None:
    cli("state", "acme", *project.declare(), tenant="t")
    changed = project.declare(type_="int")
    for command, tenant in (("schema check", None), ("state", "t")):
        arguments = ["acme"] if tenant else []
        refused = cli(command, *arguments, *changed, tenant=tenant)
        assert refused.code == exit_codes.INVALID
        assert f'attributes.{project.tier}.type: "str" -> "int"' in refused.err
    assert cli("schema diff", *changed, "--json").json["differences"] == [
        f'attributes.{project.tier}.type: "str" -> "int"'
    ]


def test_versions_are_compared_and_a_name_alone_is_its_newest(cli: CommandLine, project: Project) -> None:
    for version, type_ in ((2, "str"), (10, "int")):
        cli("state", "acme", *project.declare(version, type_), tenant="t")
    line = f'attributes.{project.tier}.type: "str" -> "int"'
    two = cli("schema diff", f"{project.name}/2", f"{project.name}/10", "--json").json
    assert two == {"before": f"{project.name}/2", "after": f"{project.name}/10", "differences": [line]}
    assert line in cli("schema diff", f"{project.name}/2", project.name).out
    assert cli("schema show", project.name, "--json").json["version"] == 10
    declared = cli("schema diff", *project.declare(11, "int")).out.splitlines()
    assert declared == [f"{project.name}/10 -> {project.name}/11", "Nothing differs."]
    assert cli("schema diff", "nowhere/1", f"{project.name}/2").code == exit_codes.NOTHING


def test_a_cardinality_that_is_recorded_otherwise_does_not_fit(cli: CommandLine, project: Project) -> None:
    tenant = unused_name()
    cli("record", "x", "--id", "e1", tenant=tenant)
    cli("assert", "acme", project.cases, "c1", "--from", "2026-01-01", "-e", "e1", tenant=tenant)
    refused = cli("schema check", *project.declare())
    assert refused.code == exit_codes.INVALID
    assert f"{project.cases} is recorded with cardinality one and declared with many" in refused.err


def test_writes_are_checked_by_the_schema_and_carry_it(cli: CommandLine, project: Project) -> None:
    option, tenant = project.declare(), unused_name()
    cli("record", "x", "--id", "e1", *option, tenant=tenant)
    given = ["--from", "2026-01-01", "-e", "e1", *option]
    written = cli("assert", "acme", project.tier, "7", "--json", *given, tenant=tenant).json
    assert (written["value"], written["schema_version"]) == ("7", f"{project.name}/1")
    corrected = cli("correct", written["id"], "--value", "8", "-e", "e1", "--json", *option, tenant=tenant).json
    assert corrected["value"] == "8"
    for case in ("1", "2"):
        assert cli("assert", "acme", project.cases, case, *given, tenant=tenant).code == exit_codes.OK
    ended = ["--at", "2026-02-01", "--value", "1", "-e", "e1", *option]
    assert cli("end", "acme", project.cases, *ended, tenant=tenant).code == exit_codes.OK
    refused = cli("assert", "acme", project.tier, "7", "--type", "int", *given, tenant=tenant)
    assert refused.code == exit_codes.INVALID
    assert "it takes a value of type str" in refused.err
    assert cli("assert", "acme", project.cases, "3", "--many", *given, tenant=tenant).code == exit_codes.INVALID
