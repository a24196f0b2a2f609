"""Contents of a report page: figures, case studies and sections, and the table cells that show results."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from gwray.analysis import Comparison, Counts
from gwray.pages import NO_VALUE, CellFunction, Column, Getter, Table, TableCell, csv_lines, number_cell


@dataclass(frozen=True)
class Figure:
    """A plotly figure, and its values as CSV."""

    id: str
    title: str
    plot: go.Figure
    header: tuple[str, ...]
    lines: list[list[object]]
    note: str = ""
    height: int = 420
    paper: str = ""
    """The paper's counterpart: `Figure 3`."""

    def to_json(self) -> dict[str, Any]:
        """Traces and layout, as the page draws them."""
        return {**self.plot.to_plotly_json(), "height": self.height, "title": self.title}

    def to_csv(self) -> str:
        return csv_lines(self.header, self.lines)


@dataclass(frozen=True)
class KeyFrame:
    """One screenshot with its caption."""

    screenshot: str
    """Path from the site's root; empty: none."""
    href: str
    step: int
    """From 1; one past the last step: the end."""
    control: str
    thought: str
    progress: float
    note: str = ""


@dataclass(frozen=True)
class CaseRow:
    """One episode of a case study."""

    cell: str
    outcome: str
    frames: tuple[KeyFrame, ...]


@dataclass(frozen=True)
class CaseStudy:
    """Key frames of one task, played by one or two cells."""

    id: str
    title: str
    rows: tuple[CaseRow, ...]
    paper: str = ""
    note: str = "Key frames: the start, the steps that made progress, and the end. Select one to open that step."

    def to_csv(self) -> str:
        header = ("cell", "step", "control", "thought", "progress", "note", "screenshot")
        lines = [
            [r.cell, f.step, f.control, f.thought, f.progress, f.note, f.screenshot]
            for r in self.rows
            for f in r.frames
        ]
        return csv_lines(header, lines)


Part = Table | Figure | CaseStudy


@dataclass(frozen=True)
class Section:
    """A headed part of the report page.

    Example: `Section("energy", "Energy", "", (Table.build("energy-table", "Energy", columns, results.main),))`
    """

    id: str
    title: str
    intro: str = ""
    parts: tuple[Part, ...] = ()

    @classmethod
    def build(cls, id: str, title: str, *parts: Part | None, intro: str = "") -> "Section":
        """Returns a section with the parts that are not None; it may have none."""
        return cls(id, title, intro, tuple(p for p in parts if p is not None))


def counts_cell(n: Counts) -> TableCell:
    """Returns finished / planned episodes, with the failed, missing and excluded ones below."""
    extra = [
        f"{k:,} {what}" for k, what in ((n.failed, "failed"), (n.missing, "missing"), (n.excluded, "excluded")) if k
    ]
    done = n.finished / n.planned if n.planned else None
    mark = "" if n.complete else "warn"
    return TableCell(f"{n.finished:,} / {n.planned:,}", done, ", ".join(extra), mark=mark, raw=str(n))


def counts_column(value: Getter = "counts", footer: CellFunction = lambda row: NO_VALUE) -> Column:
    hint = "episodes; failed, missing and excluded ones are listed below"
    return Column.make("finished / planned", counts_cell, value, hint, footer)


def pairs_cell(c: Comparison | None) -> TableCell:
    """Returns how many episodes a paired difference is based on, and how many have no partner."""
    if c is None:
        return NO_VALUE
    return number_cell(float(c.matched), 0, sub=f"{c.unmatched:,} without partner" if c.unmatched else "")


PAIRS_HINT = "episodes with a partner of the same task, seed and repeat"


def join(*groups: Iterable[Column] | Column) -> tuple[Column, ...]:
    """Columns and groups of columns, as one row of columns."""
    return tuple(c for g in groups for c in ((g,) if isinstance(g, Column) else g))
