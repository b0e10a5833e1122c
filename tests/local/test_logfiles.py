from __future__ import annotations

from pathlib import Path

from graph_memory.local.home import Home, ServerState
from graph_memory.local.launch import PortTakenError, death
from graph_memory.local.logfiles import last_words, tail

OLDER = "2026-08-01 10:00:00.000+0000 ERROR of last week\n"
FAILED = """\
2026-08-08 10:00:00.000+0000 INFO  Starting...
2026-08-08 10:00:02.000+0000 INFO  ======== Neo4j 2026.08.1 ========
2026-08-08 10:00:03.000+0000 ERROR Failed to start Neo4j on 127.0.0.1:7474.
java.lang.RuntimeException: Error starting Neo4j database server
\tat org.neo4j.Something.start(Something.java:10)
Caused by: java.io.IOException: {cause}
\tat org.neo4j.Other.run(Other.java:1)
\t... 11 more
2026-08-08 10:00:04.000+0000 INFO  Stopped.
"""


def dead_home(tmp_path: Path, cause: str, printed: str = "") -> tuple[Home, ServerState]:
    home = Home(tmp_path)
    log = home.server_log("2026.08.1")
    log.parent.mkdir(parents=True)
    log.write_text(OLDER + FAILED.format(cause=cause))
    home.console_log("2026.08.1").write_text(printed)
    return home, ServerState("2026.08.1", 7687, 7474, "starting", log_offset=len(OLDER))


def test_the_last_lines_are_given_in_order(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("one\ntwo\nthree\n")
    assert tail(log, 2) == ["two", "three"]
    assert tail(log, 9, offset=4) == ["two", "three"]
    assert tail(log, 9, offset=999) == ["one", "two", "three"]
    assert tail(tmp_path / "missing", 2) == []


def test_the_reason_of_a_death_is_its_errors_without_stack_traces_or_older_ones(tmp_path: Path) -> None:
    home, state = dead_home(tmp_path, "Permission denied")
    words = last_words(home.server_log("2026.08.1"), state.log_offset, home.console_log("2026.08.1"))
    assert words.splitlines() == [
        "2026-08-08 10:00:03.000+0000 ERROR Failed to start Neo4j on 127.0.0.1:7474.",
        "java.lang.RuntimeException: Error starting Neo4j database server",
        "Caused by: java.io.IOException: Permission denied",
    ]


def test_a_death_is_told_with_its_reason_and_the_log(tmp_path: Path) -> None:
    home, state = dead_home(
        tmp_path, "Permission denied", printed="Error: Could not create the Java Virtual Machine."
    )
    error = death(home, state)
    assert "Permission denied" in str(error)
    assert "Could not create the Java Virtual Machine" in str(error)
    assert str(home.server_log("2026.08.1")) in str(error)


def test_a_port_taken_meanwhile_is_told_from_other_deaths(tmp_path: Path) -> None:
    home, state = dead_home(tmp_path, "Address localhost:7687 is already in use")
    assert isinstance(death(home, state), PortTakenError)


def test_a_full_disk_is_said_as_such(tmp_path: Path) -> None:
    home, state = dead_home(tmp_path, "No space left on device")
    assert str(death(home, state)).startswith("the disk is full")
