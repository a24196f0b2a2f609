"""Examples of invalid actions: replies of this run, word for word, with the reason for refusal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from gwray.analysis import scored
from gwray.records import StepRecord
from gwray.report.results import InvalidReply, Results
from gwray.tables import Column, Table, TableCell, number_cell
from gwray.visible_text import safe_text

KINDS = ("no_tool_call", "out_of_space")
EACH = 2
"""Examples of each kind, of different cells where there are several."""
TRIED = 20
"""At most so many episodes are opened in search of them."""
REPLY_CHARS = 400


def find_examples(
    frame: pl.DataFrame,
    order: Sequence[str],
    steps: Callable[[str], list[StepRecord] | None],
    replays: Mapping[str, str],
) -> list[InvalidReply]:
    """`EACH` replies of each kind. Episodes with a replay come first, then cells in their order; never by chance.

    `steps` reads an episode's rows, or cannot (None).
    """
    rows = scored(frame).sort("key")
    place = {c: i for i, c in enumerate(order)}
    out = []
    for kind in KINDS:
        have = rows.filter(pl.col(kind) > 0).select("key", "cell", "task").iter_rows()
        chosen = sorted(have, key=lambda r: (r[0] not in replays, place.get(r[1], len(place)), r[0]))
        found: list[InvalidReply] = []
        for repeated in (False, True):  # every cell once before one comes again
            for key, cell, task in chosen[:TRIED]:
                if len(found) == EACH or any(e.key == key or (e.cell == cell and not repeated) for e in found):
                    continue
                bad = next((s for s in steps(key) or () if s.validity == kind), None)
                if bad is not None:
                    reply = bad.text or bad.tool_calls
                    found.append(InvalidReply(key, cell, task, kind, bad.step, reply, bad.reason))
        out += found
    return out


def example_table(results: Results) -> Table:
    """The examples, word for word."""

    def step(e: InvalidReply) -> TableCell:
        href = f"{results.replays[e.key]}#step={e.step + 1}" if e.key in results.replays else ""
        return replace(number_cell(float(e.step + 1), 0), href=href)

    columns = (
        Column.text("kind", lambda e: e.kind.replace("_", " ")), Column.text("cell", lambda e: results.name(e.cell)),
        Column.text("task", "task"), Column("step", step),
        Column("reply", lambda e: TableCell(safe_text(e.reply, REPLY_CHARS) or "(nothing)", mark="reply"), False,
               hint="word for word; long ones are cut"),
        Column.text("why it is no action", "reason"),
    )  # fmt: skip
    note = "Replies of this run. A linked step opens its replay."
    return Table.build(
        "examples-table", "Examples of invalid actions", columns, results.examples, note=note, paper="Table 10"
    )  # fmt: skip
