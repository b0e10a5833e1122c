"""The account that an import gives: how many rows ended in which way, and which were refused."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TextIO

from graph_memory.cli.importing.loader import Refusal, Tally
from graph_memory.cli.output import Output, complain
from graph_memory.cli.render import ledger
from graph_memory.domain.records import Outcomes

# As many as the library keeps of the rows of one call.
KEPT_REFUSALS = Outcomes.KEPT
SHOWN_REFUSALS = 20


class Account:
    """Collects refusals and prints the result.

    Args:
        output: where the result goes.

    Attributes:
        write_to: where every refused row goes, as JSON Lines; None: nowhere.
    """

    def __init__(self, output: Output) -> None:
        self.write_to: TextIO | None = None
        self._output = output
        self._first: list[tuple[int, str]] = []

    def refuse(self, refusal: Refusal) -> None:
        """Take note of a refused row."""
        if len(self._first) < KEPT_REFUSALS:
            self._first.append((refusal.line, refusal.reason))
        if self.write_to is not None:
            self.write_to.write(json.dumps(asdict(refusal)) + "\n")

    def close(self, tally: Tally, seconds: float, stopped: str | None) -> None:
        """Print the result. People are told nothing where nothing was done.

        Args:
            tally: the counts.
            seconds: how long it took.
            stopped: why it ended before the file did; None where it did not.
        """
        if self._output.json:
            first = [{"line": line, "reason": reason} for line, reason in self._first]
            document = {**asdict(tally), "seconds": round(seconds, 3), "finished": stopped is None}
            self._output.document({**document, "refusals": first})
        elif tally.rows:
            self._show(tally, seconds)
        if stopped is not None and tally.rows:
            complain(f"{stopped} after {tally.rows:,} rows. Run it again to go on: nothing is written twice.")

    def _show(self, tally: Tally, seconds: float) -> None:
        rate = f" ({tally.rows / seconds:,.0f} rows a second)" if seconds > 0 else ""
        self._output.show(f"{tally.rows:,} rows in {seconds:,.1f} s{rate}")
        episodes, facts = tally.episodes, tally.facts
        self._output.show(
            ledger.fields(
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
        rows = ledger.Listing("Line", "Reason", prose=("Reason",))
        for line, reason in self._first[:SHOWN_REFUSALS]:
            rows.add(str(line), reason)
        self._output.show("", rows)
        if tally.refused > SHOWN_REFUSALS:
            more = tally.refused - SHOWN_REFUSALS
            hint = "" if self.write_to is not None else " --refused FILE writes all of them."
            self._output.show(f"and {more:,} more.{hint}")
