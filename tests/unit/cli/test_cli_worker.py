"""What a worker shows of itself."""

from __future__ import annotations

import json
import logging

import pytest

from graph_memory import WorkerProgress
from graph_memory.cli import exit_codes
from graph_memory.cli.app import run
from graph_memory.cli.output import Output
from graph_memory.cli.render.worker import WorkerView, summary

SOME = WorkerProgress(done=1200, committed=3000, failed=2, running=4, queued=1000, rate=12.34, seconds=99.0)


def test_a_line_says_what_occurred_and_nothing_else() -> None:
    assert summary(WorkerProgress()) == "0 done, 0.0 a second, 0 facts"
    assert summary(SOME) == "1,200 done, 12.3 a second, 3,000 facts, 2 failed, 4 in work, 1,000 in the queue"
    everything = WorkerProgress(for_review=1, refused=2, retried=3, lost=4, away=True, queued=0)
    assert summary(everything).endswith(
        "1 for review, 2 refused, 3 tried again, 4 taken over by others, 0 in the queue, waiting for the database"
    )


def test_without_a_terminal_lines_come_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with WorkerView(Output(json=False), every=3600) as view:
        for _ in range(3):
            view.show(SOME)
    assert capsys.readouterr() == ("", "")
    with WorkerView(Output(json=False), every=0) as view:
        view.show(SOME)
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", summary(SOME) + "\n")
    view.end(SOME)
    assert capsys.readouterr().out == summary(SOME) + "\n"


def test_for_programs_every_line_is_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    with WorkerView(Output(json=True), every=0) as view:
        view.show(SOME)
        view.end(SOME)
    shown = capsys.readouterr()
    assert shown.err == ""
    assert [json.loads(line) for line in shown.out.splitlines()] == [SOME.model_dump()] * 2


def test_what_the_library_logs_is_said_without_what_a_terminal_obeys(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("graph_memory.worker")
    with WorkerView(Output(json=True), every=0):
        logger.warning("failed: episode %s", "a\x1b[2Jb")
        logger.info("not this")
    logger.warning("nor this")
    assert capsys.readouterr().err == "failed: episode a\\x1b[2Jb\n"


@pytest.mark.parametrize("seconds", ["1e30", "nan", "inf", "2592001"])
@pytest.mark.parametrize("option", ["--lease", "--grace", "--every"])
def test_a_time_that_nothing_can_wait_for_is_refused_before_anything_is_opened(option: str, seconds: str) -> None:
    assert run(["worker", option, seconds]) == exit_codes.INVALID
