"""Why episodes failed, in the labels of a judge or of people: shares of each player's failures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from gwray.analysis import Labelled
from gwray.tables import Column, Table, TableCell, number_cell, text_cell

NONE = "none of these"


def why_failed(frame: pl.DataFrame, cells: Mapping[str, str], labelled: Iterable[Labelled]) -> list[Table]:
    """A table for each judge: a row for each of these cells (id → name) and whoever gave labels. None where nobody
    gave any."""
    by_judge: dict[str, list[Labelled]] = {}
    for one in labelled:
        by_judge.setdefault(one.judge, []).append(one)
    missed = frame.filter((pl.col("status") == "finished") & ~pl.col("success"))
    failures = {c: missed.filter(pl.col("cell") == c)["key"].to_list() for c in cells}
    tables = [_table(judge, given, failures, cells) for judge, given in by_judge.items()]
    return [table for table in tables if table.rows]


def _table(
    judge: str,
    given: Sequence[Labelled],
    failures: Mapping[str, Sequence[str]],
    cells: Mapping[str, str],
) -> Table:
    labels = tuple(dict.fromkeys(label for one in given for label in one.labels))
    said: dict[str, dict[str, frozenset[str]]] = {}
    for one in given:  # several runs may have been judged by one model
        said.setdefault(one.by, {}).update(one.said)
    rows = tuple(
        (text_cell(cells[c]), text_cell(by), *_shares([of[key] for key in keys if key in of], labels, len(keys)))
        for c, keys in failures.items() for by, of in said.items() if not of.keys().isdisjoint(keys)
    )  # fmt: skip
    columns = (
        Column("player", numeric=False),
        Column("by", numeric=False, hint="the model that judged; people: annotations.csv"),
        *(Column(f"{label.replace('_', ' ')} %") for label in labels),
        Column(f"{NONE} %", hint="no label was given, or the answer could not be read"),
        Column("judged", hint="failures that were judged, of all"),
    )
    note = (
        "Shares of the failures that were judged; one may have several labels. The paper's own shares are not among "
        "the tables kept here, so none stands beside; how far its judge agreed with people is under Judges."
    )
    return Table(f"town-{judge}", f"Why episodes failed (judge “{judge}”)", columns, rows, note)


def _shares(found: Sequence[frozenset[str]], labels: Sequence[str], failed: int) -> tuple[TableCell, ...]:
    n = len(found)
    shares = [sum(label in of for of in found) / n for label in labels] + [sum(not of for of in found) / n]
    counted = TableCell(f"{n} / {failed}", float(n), mark="" if n == failed else "warn", raw=n)
    return (*(number_cell(share, scale=100) for share in shares), counted)
