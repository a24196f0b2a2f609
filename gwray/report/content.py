"""The shapes a page is made of: tables, figures, sections. Data only; templates and scripts draw them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from gwray.analysis import Comparison, Counts, Interval
from gwray.report.sanitize import SHORT, csv_text, safe_text


@dataclass(frozen=True)
class TableCell:
    """One table cell."""

    text: str
    sort: float | str | None = None
    """What sorting goes by; None sorts last."""
    sub: str = ""
    """Small print under it: an interval, a count."""
    href: str = ""
    mark: str = ""
    """A word for the stylesheet: best, refused, dim."""
    raw: object = None
    """The value for the CSV, in the unit that the page shows; `text` when None."""


@dataclass(frozen=True)
class Column:
    name: str
    numeric: bool = True
    hint: str = ""
    """What it means, as a tooltip and for screen readers."""


@dataclass(frozen=True)
class Table:
    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    note: str = ""
    unranked: tuple[tuple[TableCell, ...], ...] = ()
    """Rows that stand apart below and are not sorted among the others."""
    among: tuple[str, ...] = ()
    """For each of `rows`, the name of the block it stands in; none: all in one. Rows are sorted within a block."""
    paper: str = ""
    """Which table of the paper this is the counterpart of: `Table 6`."""

    @property
    def blocks(self) -> list[tuple[str, list[tuple[TableCell, ...]]]]:
        """The rows with the name of each block, which is empty where all are in one."""
        if len(set(self.among)) < 2:
            return [("", list(self.rows))]
        named = zip(self.among, self.rows, strict=True)
        return [(name, [row for _, row in rows]) for name, rows in groupby(named, key=lambda x: x[0])]

    def filled(self) -> Table:
        """Without the columns in which no row has anything to say."""
        kept = [
            i
            for i in range(len(self.columns))
            if any(len(r) > i and r[i] != NO_VALUE for r in (*self.rows, *self.unranked))
        ]

        def of(rows: Sequence[tuple[TableCell, ...]]) -> tuple[tuple[TableCell, ...], ...]:
            return tuple(tuple(r[i] for i in kept if i < len(r)) for r in rows)

        columns = tuple(self.columns[i] for i in kept)
        return replace(self, columns=columns, rows=of(self.rows), unranked=of(self.unranked))

    def csv(self) -> str:
        if len(set(self.among)) > 1:
            block = Column("among", numeric=False)
            names = [*self.among, *("" for _ in self.unranked)]
            rows = [(TableCell(n), *r) for n, r in zip(names, (*self.rows, *self.unranked), strict=True)]
            return Table(self.id, self.title, (block, *self.columns), tuple(rows)).csv()
        rows = [*self.rows, *self.unranked]
        header: list[str] = []
        widen = [any(_interval(r[i].raw) for r in rows) for i in range(len(self.columns))]
        for c, wide in zip(self.columns, widen, strict=True):
            header += [c.name, f"{c.name} low", f"{c.name} high"] if wide else [c.name]
        lines = []
        for row in rows:
            line: list[object] = []
            for td, wide in zip(row, widen, strict=True):
                e = td.raw
                if isinstance(e, Interval):
                    line += [e.value, e.low, e.high] if wide else [e.value]
                elif wide:
                    line += [e if isinstance(e, int | float) else None, None, None]
                else:
                    line.append(td.text if e is None else e)
            lines.append(line)
        return csv_of(header, lines)


def _interval(raw: object) -> bool:
    return isinstance(raw, Interval)


@dataclass(frozen=True)
class Figure:
    """A plotly figure as plain JSON, and the numbers in it as CSV."""

    id: str
    title: str
    data: list[dict[str, Any]]
    layout: dict[str, Any]
    header: tuple[str, ...]
    lines: list[list[object]]
    note: str = ""
    height: int = 420
    paper: str = ""
    """Which figure of the paper this is the counterpart of: `Figure 3`."""

    def csv(self) -> str:
        return csv_of(self.header, self.lines)


@dataclass(frozen=True)
class KeyFrame:
    """One picture with what belongs under it."""

    picture: str
    """Path from the site's root; empty: there is none."""
    href: str
    step: int
    """From 1; one past the last step: how it ended."""
    control: str
    thought: str
    progress: float
    note: str = ""


@dataclass(frozen=True)
class CaseRow:
    """One episode."""

    cell: str
    outcome: str
    frames: tuple[KeyFrame, ...]


@dataclass(frozen=True)
class CaseStudy:
    """One task, by one player or two: a figure of pictures and words, which needs no script."""

    id: str
    title: str
    rows: tuple[CaseRow, ...]
    paper: str = ""
    note: str = (
        "Key frames: the beginning, the steps at which progress was made, and the end. A picture leads to its step."
    )

    def csv(self) -> str:
        header = ("cell", "step", "control", "thought", "progress", "note", "picture")
        lines = [
            [r.cell, f.step, f.control, f.thought, f.progress, f.note, f.picture] for r in self.rows for f in r.frames
        ]
        return csv_of(header, lines)


@dataclass(frozen=True)
class Section:
    id: str
    title: str
    intro: str = ""
    parts: tuple[Table | Figure | CaseStudy, ...] = ()
    links: tuple[TableCell, ...] = field(default=())


def csv_of(header: Sequence[object], lines: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_text(h) for h in header])
    writer.writerows([[csv_text(v) for v in line] for line in lines])
    return out.getvalue()


DASH = "–"
NO_VALUE = TableCell(DASH, None, mark="dim", raw="")


def padded_row(tds: Sequence[TableCell], columns: int) -> tuple[TableCell, ...]:
    """A row filled up with dashes."""
    return (*tds, *(NO_VALUE,) * (columns - len(tds)))


def text_cell(text: object, **more: Any) -> TableCell:
    """A name from outside: bounded and visible."""
    s = safe_text(text, SHORT)
    return TableCell(s, s.casefold(), **more)


def percent_cell(e: Interval | None, *, mark: str = "", best: bool = False) -> TableCell:
    """An estimate in percent with its interval underneath."""
    if e is None:
        return TableCell(DASH, None, mark=mark or "dim", raw="")
    sub = "" if e.low is None or e.high is None else f"{100 * e.low:.1f} – {100 * e.high:.1f}"
    low, high = (None if x is None else 100 * x for x in (e.low, e.high))
    raw = replace(e, value=100 * e.value, low=low, high=high)
    return TableCell(f"{100 * e.value:.1f}", e.value, sub, mark="best" if best else mark, raw=raw)


def number_cell(x: float | None, digits: int = 1, *, unit: str = "", scale: float = 1.0, sub: str = "") -> TableCell:
    if x is None:
        return TableCell(DASH, None, mark="dim", raw="")
    return TableCell(f"{x * scale:,.{digits}f}{unit}", x, sub, raw=x * scale)


def money_cell(x: float | None, sub: str = "") -> TableCell:
    if x is None:
        return TableCell("price unknown", None, sub, mark="dim", raw="")
    return TableCell(f"${x:,.2f}", x, sub, raw=x)


def counts_cell(n: Counts) -> TableCell:
    """Planned / finished / failed, and what was excluded; complete ones stay quiet."""
    text = f"{n.finished:,} / {n.planned:,}"
    extra = [f"{n.failed:,} failed"] if n.failed else []
    extra += [f"{n.missing:,} missing"] if n.missing else []
    extra += [f"{n.excluded:,} excluded"] if n.excluded else []
    return TableCell(text, n.finished / n.planned if n.planned else None, ", ".join(extra),
              mark="" if n.complete else "warn", raw=str(n))  # fmt: skip


COUNTS = Column("finished / planned", hint="episodes; failed, missing and excluded ones are named underneath")


def pairs_cell(c: Comparison | None) -> TableCell:
    """How many episodes a paired difference stands on, and how many it leaves out."""
    if c is None:
        return number_cell(None)
    return number_cell(float(c.matched), 0, sub=f"{c.unmatched:,} without partner" if c.unmatched else "")


def p_value_cell(p: float | None) -> TableCell:
    if p is None:
        return TableCell(DASH, None, mark="dim", raw="")
    return TableCell("< 0.001" if p < 0.001 else f"{p:.3f}", p, raw=p)
