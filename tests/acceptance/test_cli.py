"""The commands that write and read, on a real server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import CommandLine, Process, Result, unused_name
from servers import TestServer

from graph_memory import GraphMemory, Ref, Tenant

pytestmark = pytest.mark.server

OfTenant = Callable[..., Result]

START, CHANGE = "2026-06-01T09:00:00Z", "2026-06-03T10:00:00Z"


@pytest.fixture
def mira(cli: CommandLine, tenant: Tenant) -> OfTenant:
    """A command line for the test's tenant, with one deadline and its change."""

    def call(command: str, *arguments: str) -> Result:
        return cli(command, *arguments, tenant=tenant.name)

    call("record", "Her passport deadline is 2026-07-15.", "--id", "e1")
    call("record", "It is now 2026-06-30.", "--id", "e2", "--source", "crm")
    call("assert", "mira", "deadline", "2026-07-15", "--from", START, "-e", "e1", "--quote", "2026-07-15")
    call("assert", "mira", "deadline", "2026-06-30", "--from", CHANGE, "-e", "e2")
    return call


def test_record_stores_what_it_is_given_and_prints_it(cli: CommandLine, tenant: Tenant) -> None:
    said = "Hello [/world]"
    arguments = [
        "--id", "e1", "--kind", "event", "--source", "crm",
        "--occurred-at", START, "--session", "s1", "--retention", "short",
        "--metadata", '{"channel": "mail"}',
    ]  # fmt: skip
    printed = cli("record", said, *arguments, "--json", tenant=tenant.name).json
    assert printed["text"] == said
    assert printed["occurred_at"] == START
    stored = tenant.episode("e1")
    assert (stored.kind, stored.source, stored.session, stored.retention) == ("event", "crm", "s1", "short")
    assert stored.metadata == {"channel": "mail"}
    assert said in cli("record", said, *arguments, tenant=tenant.name).out
    again = cli("record", "Other words", "--id", "e1", tenant=tenant.name)
    assert again.code == 4
    assert "e1" in again.err


def test_record_reads_standard_input(process: Process, tenant: Tenant) -> None:
    running = process("record", "-", "--id", "e1", "--json", tenant=tenant.name)
    out, err = running.communicate("Zażółć\n".encode())
    assert (running.returncode, err) == (0, b"")
    assert json.loads(out)["text"] == tenant.episode("e1").text == "Zażółć\n"


def test_record_refuses_input_that_is_not_utf8(process: Process, tenant: Tenant) -> None:
    running = process("record", "-", "--id", "e1", tenant=tenant.name)
    _, err = running.communicate(b"caf\xe9")
    assert running.returncode == 2
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    ("given", "value", "value_type"),
    [
        (["42"], 42, "int"),
        (["42", "--type", "str"], "42", "str"),
        (["1.0"], 1.0, "float"),
        (["true"], True, "bool"),
        (["2026-07-15"], "2026-07-15", "date"),
        (["2026-07-15T02:00:00+02:00"], "2026-07-15T00:00:00Z", "datetime"),
        (["globex", "--type", "ref:Company"], "globex", "ref:Company"),
        (["--", "-5"], -5, "int"),
    ],
)
def test_a_value_keeps_its_type_from_the_command_line_to_json(
    cli: CommandLine, tenant: Tenant, given: list[str], value: object, value_type: str
) -> None:
    tenant.record("words", "e1")
    options = ["--from", START, "-e", "e1", "--json"]
    written = (
        cli("assert", *options, "mira", "thing", *given, tenant=tenant.name)
        if given[0] != "--"
        else cli("assert", *options, "--", "mira", "thing", given[1], tenant=tenant.name)
    )
    assert written.code == 0, written.err
    read = cli("current", "mira", "thing", "--json", tenant=tenant.name).json
    for fact in (written.json, read):
        assert (fact["value"], fact["value_type"]) == (value, value_type)
        assert type(fact["value"]) is type(value)


def test_as_of_and_current_show_value_validity_source_and_quote(mira: OfTenant) -> None:
    before = mira("as-of", "mira", "deadline", "2026-06-02")
    assert before.code == 0
    for shown in ("2026-07-15", f"[{START}, {CHANGE})", "user, episode e1", "quote"):
        assert shown in before.out
    now = mira("current", "mira", "deadline")
    for shown in ("2026-06-30", f"[{CHANGE}, unbounded)", "crm, episode e2"):
        assert shown in now.out
    assert mira("as-of", "mira", "deadline", CHANGE, "--json").json["value"] == "2026-06-30"


def test_nothing_known_leaves_with_3_and_null(mira: OfTenant) -> None:
    none = mira("as-of", "mira", "deadline", "2026-01-01")
    assert (none.code, none.out) == (3, "")
    assert none.err == "Nothing is known of deadline of mira at 2026-01-01.\n"
    assert mira("current", "mira", "nothing").err == "Nothing is known of nothing of mira now.\n"
    as_json = mira("as-of", "mira", "deadline", "2026-01-01", "--json")
    assert (as_json.code, as_json.json, as_json.err) == (3, None, "")
    assert mira("history", "nobody", "deadline", "--json").json == []
    assert mira("state", "nobody", "--json").json == {}
    assert [mira(*command).code for command in (["history", "nobody", "x"], ["state", "nobody"])] == [3, 3]
    assert mira("search", "xyzzy").code == 3
    for command in (
        ["explain", "no-such-fact"],
        ["entity", "nobody"],
        ["episode", "e99"],
        ["reject", "c1", "--reason", "x"],
    ):
        unknown = mira(*command, "--json")
        assert (unknown.code, unknown.json) == (3, None)
        assert unknown.err.startswith("Error: ")


def test_a_name_in_the_place_of_a_key_is_told_with_the_key(mira: OfTenant) -> None:
    assert mira("name-entity", "mira", "--alias", "Mimi").code == 0
    for command in (["current", "Mimi", "deadline"], ["state", "Mimi"], ["history", "Mimi", "deadline"]):
        said = mira(*command)
        assert said.code == 3
        assert "'Mimi' is a name of 'mira': give the key" in said.err


def test_known_at_answers_with_what_was_recorded_by_then(mira: OfTenant) -> None:
    recorded = mira("as-of", "mira", "deadline", "2026-06-04", "--json").json["recorded_at"]
    first = mira("as-of", "mira", "deadline", "2026-06-02", "--json").json["recorded_at"]
    assert (
        mira("as-of", "mira", "deadline", "2026-06-04", "--known-at", recorded, "--json").json["value"]
        == "2026-06-30"
    )
    assert (
        mira("as-of", "mira", "deadline", "2026-06-04", "--known-at", first, "--json").json["value"]
        == "2026-07-15"
    )


def test_an_end_is_known_and_says_so(mira: OfTenant) -> None:
    ended = mira("end", "mira", "deadline", "--at", "2026-06-20", "-e", "e2")
    assert (ended.code, "(ended)" in ended.out) == (0, True)
    read = mira("as-of", "mira", "deadline", "2026-06-25", "--json")
    assert read.code == 0
    assert (read.json["ended"], read.json["value"], read.json["value_type"]) == (True, None, None)
    assert mira("state", "mira", "--at", "2026-06-25").code == 3
    assert len(mira("history", "mira", "deadline", "--json").json) == 3


def test_correct_and_retract_change_what_is_known(mira: OfTenant) -> None:
    wrong = mira("current", "mira", "deadline", "--json").json["id"]
    right = mira("correct", wrong, "--value", "2026-06-29", "-e", "e1", "--json").json
    assert (right["value"], right["supersedes"], right["asserted_from"]) == ("2026-06-29", wrong, CHANGE)
    conflict = mira("correct", wrong, "--value", "2026-06-28", "-e", "e1")
    assert conflict.code == 4
    assert right["id"] in conflict.err
    bounded = mira("correct", right["id"], "--until", "2026-06-10", "-e", "e1", "--json").json
    assert bounded["until"] == "2026-06-10T00:00:00Z"
    free = mira("correct", bounded["id"], "--no-until", "-e", "e1", "--json").json
    assert free["until"] is None
    gone = mira("retract", free["id"], "--reason", "said in jest", "-e", "e2")
    assert (gone.code, "nowhere" in gone.out) == (0, True)
    assert mira("current", "mira", "deadline", "--json").json["value"] == "2026-07-15"
    why = mira("explain", free["id"])
    assert "said in jest" in why.out


def test_explain_names_what_replaced_what(mira: OfTenant) -> None:
    late = mira("current", "mira", "deadline", "--json").json
    why = mira("explain", late["id"], "--json").json
    assert why["replaced"]["id"] == late["supersedes"]
    assert why["replaced_as"] == "change"
    assert why["replaced"]["value_type"] == "date"
    assert "replaced (change)" in mira("explain", late["id"]).out
    assert "replaced by" in mira("explain", late["supersedes"]).out
    assert mira("explain", "no-such-fact").code == 3


def test_contradiction_is_a_conflict_that_names_the_stored_fact(mira: OfTenant) -> None:
    stored = mira("current", "mira", "deadline", "--json").json["id"]
    conflict = mira("assert", "mira", "deadline", "2026-01-01", "--from", CHANGE, "-e", "e1")
    assert (conflict.code, conflict.out) == (4, "")
    assert conflict.err.count(stored) == 1


def test_saying_the_same_again_changes_nothing(mira: OfTenant) -> None:
    first = mira("current", "mira", "deadline", "--json").json
    again = mira("assert", "mira", "deadline", "2026-06-30", "--from", CHANGE, "-e", "e2", "--json").json
    assert again["id"] == first["id"]
    assert len(mira("history", "mira", "deadline", "--json").json) == 2


def test_an_attribute_may_hold_many_and_later_commands_know(cli: CommandLine, tenant: Tenant) -> None:
    attribute = unused_name()
    tenant.record("words", "e1")
    said = ["--from", START, "-e", "e1"]
    for value, many in (("tea", ["--many"]), ("jazz", [])):
        written = cli("assert", "mira", attribute, value, *said, *many, tenant=tenant.name)
        assert written.code == 0, written.err
    values = cli("values", "mira", attribute, "--json", tenant=tenant.name).json
    assert sorted(fact["value"] for fact in values) == ["jazz", "tea"]
    assert [fact["value"] for fact in cli("state", "mira", "--json", tenant=tenant.name).json[attribute]] != []
    refused = cli("current", "mira", attribute, tenant=tenant.name)
    assert refused.code == 2
    cli("end", "mira", attribute, "--value", "tea", "--at", CHANGE, "-e", "e1", tenant=tenant.name)
    left = cli("values", "mira", attribute, "--at", "2026-06-04", "--json", tenant=tenant.name).json
    assert [fact["value"] for fact in left] == ["jazz"]
    listed = cli("attributes", "--json").json
    assert {"name": attribute, "cardinality": "many"} in listed


def test_many_is_refused_for_an_attribute_that_is_recorded_with_one(cli: CommandLine, tenant: Tenant) -> None:
    attribute = unused_name()
    tenant.record("words", "e1")
    cli("assert", "mira", attribute, "tea", "--from", START, "-e", "e1", tenant=tenant.name)
    said = ["-e", "e1", "--many"]
    for refused in (
        cli("assert", "mira", attribute, "coffee", "--from", CHANGE, *said, tenant=tenant.name),
        cli("end", "mira", attribute, "--value", "tea", "--at", CHANGE, *said, tenant=tenant.name),
    ):
        assert (refused.code, refused.out) == (2, "")
        assert f"{attribute!r} is recorded with one value at a time" in refused.err
    assert [held.value for held in tenant.history("mira", attribute)] == ["tea"]
    assert {"name": attribute, "cardinality": "one"} in cli("attributes", "--json").json
    [line] = [line for line in cli("attributes").out.splitlines() if line.startswith(attribute)]
    assert line.split() == [attribute, "one"]


def test_values_with_brackets_and_long_ones_are_shown_whole(cli: CommandLine, tenant: Tenant) -> None:
    tenant.record("words", "e1")
    long = "".join(chr(0x4E00 + number) for number in range(2000))
    for number, value in enumerate(["[x]", "[bold]a[/bold]", "[/]", long]):
        tenant.assert_fact("mira", f"note_{number}", value, valid_from=START, episode="e1")
    shown = cli("state", "mira", tenant=tenant.name).out
    for value in ("[x]", "[bold]a[/bold]", "[/]"):
        assert value in shown
    assert "".join(character for character in shown if character >= "\u4e00") == long
    assert "[bold]a[/bold]" in cli("current", "mira", "note_1", tenant=tenant.name).out


def test_traverse_follows_references(cli: CommandLine, tenant: Tenant) -> None:
    tenant.record("words", "e1")
    for subject, attribute, key in (("mira", "employer", "globex"), ("globex", "city", "lisbon")):
        tenant.assert_fact(subject, attribute, Ref(key), valid_from=START, episode="e1")
    found = cli("traverse", "mira", "--json", tenant=tenant.name).json
    assert [node["key"] for node in found["nodes"]] == ["mira", "globex", "lisbon"]
    assert [edge["attribute"] for edge in found["edges"]] == ["employer", "city"]
    one = cli("traverse", "mira", "-r", "employer", "--depth", "1", "--json", tenant=tenant.name).json
    assert [edge["object"] for edge in one["edges"]] == ["globex"]
    back = cli("traverse", "lisbon", "--direction", "in", "--json", tenant=tenant.name).json
    assert [node["key"] for node in back["nodes"]] == ["lisbon", "globex", "mira"]
    assert cli("traverse", "mira", "--at", "2020-01-01", "--json", tenant=tenant.name).json["edges"] == []
    cut = cli("traverse", "mira", "--limit", "1", tenant=tenant.name)
    assert "--limit" in cut.out
    assert "globex" in cut.out
    assert cli("traverse", "nobody", tenant=tenant.name).code == 3
    assert cli("traverse", "mira", "--direction", "up", tenant=tenant.name).code == 2


def test_entities_and_episodes_can_be_looked_up(mira: OfTenant) -> None:
    assert mira("entity", "mira", "--json").json["key"] == "mira"
    assert mira("episode", "e1", "--json").json["text"] == "Her passport deadline is 2026-07-15."
    assert "mira" in mira("entity", "mira").out
    assert "Her passport deadline" in mira("episode", "e1").out
    assert [mira(*what).code for what in (["entity", "nobody"], ["episode", "e9"])] == [3, 3]


def test_search_finds_the_episode(mira: OfTenant) -> None:
    found = mira("search", "passport deadline", "--json").json
    assert found[0]["episode"]["id"] == "e1"
    assert found[0]["score"] > 0
    assert "Her passport deadline" in mira("search", "passport", "-k", "1").out


def test_one_tenant_sees_nothing_of_another(mira: OfTenant, cli: CommandLine) -> None:
    assert cli("state", "mira", "--json", tenant=unused_name()).json == {}


def test_tenants_and_info(mira: OfTenant, cli: CommandLine, tenant: Tenant, server: TestServer) -> None:
    assert tenant.name in cli("tenants", "--json").json
    assert tenant.name in cli("tenants").out.splitlines()
    assert cli("info", "--json").json["version"] == server.version
    assert server.version in cli("info").out


def test_verify_finds_what_was_broken_and_repairs_it(
    mira: OfTenant, cli: CommandLine, tenant: Tenant, server: TestServer
) -> None:
    clean = cli("verify", "-t", tenant.name, "--json")
    assert (clean.code, clean.json["problems"], clean.json["clean"]) == (0, [], True)
    remove_edges(server, tenant.name)
    broken = cli("verify", "-t", tenant.name)
    assert broken.code == 6
    assert "--repair" in broken.out
    repaired = cli("verify", "-t", tenant.name, "--repair", "--json")
    assert (repaired.code, repaired.json["clean"]) == (0, True)
    assert repaired.json["problems"]
    assert cli("verify", "-t", tenant.name).code == 0
    assert mira("current", "mira", "deadline", "--json").json["value"] == "2026-06-30"


def remove_edges(server: TestServer, tenant: str) -> None:
    from neo4j import GraphDatabase

    with GraphDatabase.driver(server.uri, auth=server.auth, telemetry_disabled=True) as driver:
        driver.execute_query(
            "MATCH (:Entity {tenant: $tenant})-[edge:DEADLINE]->() DELETE edge", {"tenant": tenant}
        )


def test_a_server_that_is_away_is_an_error_without_a_traceback(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from graph_memory.cli.app import run

    password = tmp_path / "password"
    password.write_text("x")
    code = run(["tenants", "--uri", "bolt://127.0.0.1:1", "--password-file", str(password)])
    captured = capsys.readouterr()
    assert (code, captured.out) == (1, "")
    assert captured.err.startswith("Error: ")
    assert "Traceback" not in captured.err


def test_a_wrong_password_is_an_error_that_does_not_show_it(
    capsys: pytest.CaptureFixture[str], server: TestServer, tmp_path: Path
) -> None:
    from graph_memory.cli.app import run

    password = tmp_path / "password"
    password.write_text("not-the-password")
    code = run(["tenants", "--uri", server.uri, "--password-file", str(password)])
    captured = capsys.readouterr()
    assert code == 1
    assert captured.err.startswith("Error: ")
    assert "not-the-password" not in captured.err


def test_a_server_that_wants_a_password_says_how_to_give_one(
    capsys: pytest.CaptureFixture[str], server: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graph_memory.cli.app import run

    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    assert run(["tenants", "--uri", server.uri]) == 1
    assert "--password-file" in capsys.readouterr().err


def test_a_read_of_one_fact_does_not_read_its_history(mira: OfTenant, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Tenant, *arguments: object) -> None:
        raise AssertionError("read more than was asked for")

    monkeypatch.setattr(Tenant, "explain", refuse)
    monkeypatch.setattr(Tenant, "history", refuse)
    shown = mira("as-of", "mira", "deadline", "2026-06-02")
    assert (shown.code, "quote" in shown.out) == (0, True)
    assert mira("current", "mira", "deadline").code == 0


def test_the_memory_of_the_library_and_of_the_command_line_is_one(
    mira: OfTenant, memory: GraphMemory, tenant: Tenant
) -> None:
    fact = memory.tenant(tenant.name).current("mira", "deadline")
    assert fact is not None
    assert fact.id == mira("current", "mira", "deadline", "--json").json["id"]
