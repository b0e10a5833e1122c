"""The report of an import: how many rows were written, were already there or were refused, and why."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TextIO

from graph_memory.cli.error_wording import in_shell_words
from graph_memory.cli.importing.loader import Refusal, Tally
from graph_memory.cli.output import Output, complain
from graph_memory.cli.render import layout
from graph_memory.domain.records import Outcomes
from graph_memory.domain.wording import counted

# The same number that the library keeps for one call.
KEPT_REFUSALS = Outcomes.KEPT
SHOWN_REFUSALS = 20


class Account:
    """Collects refused rows and prints the result of an import.

    Args:
        output: prints the result.

    Attributes:
        write_to: the file that gets every refused row as JSON Lines; None: no file.
    """

    def __init__(self, output: Output) -> None:
        self.write_to: TextIO | None = None
        self._output = output
        self._first: list[tuple[int, str]] = []

    def refuse(self, refusal: Refusal) -> None:
        """Keep a refused row for the report; its reason names the fields of the row, and no Python type."""
        refusal = replace(refusal, reason=in_shell_words(refusal.reason))
        if len(self._first) < KEPT_REFUSALS:
            self._first.append((refusal.line, refusal.reason))
        if self.write_to is not None:
            self.write_to.write(json.dumps(asdict(refusal)) + "\n")

    def close(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Print the result; for people, print nothing where no row was read.

        Args:
            tally: the counts.
            seconds: the duration.
            stopped: why the import stopped before the end of the file; None: it reached the end.
        """
        if self._output.json:
            first = [{"line": line, "reason": reason} for line, reason in self._first]
            document = {**asdict(tally), "seconds": round(seconds, 3), "finished": stopped is None}
            self._output.document({**document, "refusals": first})
        elif tally.rows:
            self._show(tally, seconds)
        if stopped is not None and tally.rows:
            rows = counted(tally.rows, "row")
            complain(f"{stopped} after {rows}. Run the command again to go on: it writes nothing twice.")

    def _show(self, tally: Tally, seconds: float) -> None:
        rate = f" ({tally.rows / seconds:,.0f} rows a second)" if seconds > 0 else ""
        self._output.show(f"{counted(tally.rows, 'row')} in {seconds:,.1f} s{rate}")
        episodes, facts = tally.episodes, tally.facts
        self._output.show(
            layout.fields(
                [
                    (
                        "episodes",
                        f"{episodes['recorded']:,} recorded, {episodes['replayed']:,} already there",
                    ),
                    (
                        "facts",
                        f"{facts['committed']:,} new, {facts['confirmed']:,} confirmed, "
                        f"{facts['replayed']:,} already there",
                    ),
                    ("refused", f"{tally.refused:,}"),
                ]
            )
        )
        if not self._first:
            return
        rows = layout.Listing("Line", "Reason", prose=("Reason",))
        for line, reason in self._first[:SHOWN_REFUSALS]:
            rows.add(str(line), reason)
        self._output.show("", rows)
        if tally.refused > SHOWN_REFUSALS:
            more = tally.refused - SHOWN_REFUSALS
            hint = "" if self.write_to is not None else " --refused FILE writes all of them."
            self._output.show(f"and {more:,} more.{hint}")
