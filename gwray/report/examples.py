"""What an invalid action looks like: replies of this run, word for word, with the reason they were refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import polars as pl

from gwray.analysis import scored
from gwray.records import StepRecord
from gwray.report.content import Column, Table, TableCell, number_cell, text_cell
from gwray.report.results import Example, Results
from gwray.report.sanitize import safe_text

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
) -> list[Example]:
    """`EACH` replies of each kind. Episodes with a replay come first, then cells in their order; never by chance.

    `steps` reads an episode's rows, or cannot (None).
    """
    rows = scored(frame).sort("key")
    place = {c: i for i, c in enumerate(order)}
    out = []
    for kind in KINDS:
        have = rows.filter(pl.col(kind) > 0).select("key", "cell", "task").iter_rows()
        chosen = sorted(have, key=lambda r: (r[0] not in replays, place.get(r[1], len(place)), r[0]))
        found: list[Example] = []
        for repeated in (False, True):  # every cell once before one comes again
            for key, cell, task in chosen[:TRIED]:
                if len(found) == EACH or any(e.key == key or (e.cell == cell and not repeated) for e in found):
                    continue
                bad = next((s for s in steps(key) or () if s.validity == kind), None)
                if bad is not None:
                    reply = bad.text or bad.tool_calls
                    found.append(Example(key, cell, task, kind, bad.step, reply, bad.reason))
        out += found
    return out


def example_table(s: Results) -> Table:
    """The examples, in the words of the players."""
    columns = (
        Column("kind", numeric=False), Column("cell", numeric=False), Column("task", numeric=False), Column("step"),
        Column("reply", numeric=False, hint="as it came; long ones are cut"),
        Column("why it is no action", numeric=False),
    )  # fmt: skip

    def at(e: Example) -> TableCell:
        href = f"{s.replays[e.key]}#step={e.step + 1}" if e.key in s.replays else ""
        td = number_cell(float(e.step + 1), 0)
        return TableCell(td.text, td.sort, href=href, raw=td.raw)

    rows = tuple(
        (
            text_cell(e.kind.replace("_", " ")), text_cell(s.name(e.cell)), text_cell(e.task), at(e),
            TableCell(safe_text(e.reply, REPLY_CHARS) or "(nothing)", mark="reply"), text_cell(e.reason),
        )
        for e in s.examples
    )  # fmt: skip
    note = "Replies of this run. A step with a link leads to its replay."
    return Table("examples-table", "Examples of invalid actions", columns, rows, note, paper="Table 10")
