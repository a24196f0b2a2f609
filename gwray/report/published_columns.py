"""Published results next to ours: the printed value, and how far ours is from it. Published values were measured on
other games and are shown as printed; the interval is ours alone. A difference whose interval includes zero is grey."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from gwray.analysis import LABEL, SOURCE, Cell, GroupTable, Interval, PublishedTable, published
from gwray.pages import NO_VALUE, CellFunction, Column, Getter, Table, TableCell, percent_cell, points
from gwray.report.results import Results, matches_published_main

PEOPLE = {"novice": "human-novice", "expert": "human-expert"}
"""`gwray play --player` and the published group of people it is compared with."""
HINT = "ours − published, percentage points, with our interval; grey: the interval includes zero"


def published_cell(x: float | str | None, digits: int = 1, sub: str = "") -> TableCell:
    """Returns a published value; some are printed as `<0.1`."""
    if x is None:
        return NO_VALUE
    if isinstance(x, str):
        return TableCell(x, float(x.lstrip("<")), sub, mark="published", raw=x)
    return TableCell(f"{x:,.{digits}f}", x, sub, mark="published", raw=x)


def published_column(
    name: str, value: Getter, digits: int = 1, *, hint: str = "", footer: CellFunction = lambda row: NO_VALUE
) -> Column:
    return Column.make(name, published_cell, value, hint, footer, digits=digits)


def difference_cell(ours: Interval | None, printed: float | None) -> TableCell:
    """Returns our estimate minus a published percentage."""
    if ours is None or printed is None:
        return NO_VALUE
    by = printed / 100
    low, high = (None if x is None else x - by for x in (ours.low, ours.high))
    moved = replace(ours, value=ours.value - by, low=low, high=high)
    unclear = low is None or high is None or low <= 0 <= high
    return replace(percent_cell(moved, mark="dim" if unclear else ""), text=points(moved.value, moved, signed=True))


@dataclass(frozen=True)
class PublishedColumns:
    """Columns with the published values of the same models under the same conditions."""

    table: PublishedTable
    columns: Mapping[str, str]
    """Fields of the published table and the headings of our columns that they belong to."""
    comparable: Callable[[Cell], bool] = matches_published_main
    ours: Mapping[str, Callable[[str], Interval | None]] = field(default_factory=dict)
    """Our estimate by cell id, for fields that get a column of differences."""
    spread: Mapping[str, str] = field(default_factory=dict)
    """Fields and the field of their standard deviation, shown below the value."""
    digits: Mapping[str, int] = field(default_factory=dict)

    def rows(self, results: Results, cells: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Returns the published row of each cell played under its conditions; a person's cell need only be paused."""
        by_model = {(r["model"], r["interface"]): r for r in published(self.table).to_dicts()}
        out = {}
        for c in cells:
            cell = results.cell(c)
            comparable = self.comparable(cell) or (cell.person and cell.timing == "paused")
            if comparable and (row := by_model.get(_published_key(cell))):
                out[c] = row
        return out

    def build(self, found: Mapping[str, Mapping[str, Any]], cell_id: str = "cell") -> Iterator[Column]:
        """Returns the columns; none if nothing was found. `cell_id`: where a row has its cell's id. Footer rows are
        published rows (mappings); other footer rows have no values here."""
        get_id = attrgetter(cell_id)
        for f, heading in self.columns.items() if found else ():

            def value(row: Mapping[str, Any] | None, f: str = f) -> TableCell:
                if not isinstance(row, Mapping) or f not in row:
                    return NO_VALUE
                sub = f"± {row[self.spread[f]]:.1f}" if f in self.spread else ""
                return published_cell(row[f], self.digits.get(f, 1), sub)

            def difference(row: Any, f: str = f) -> TableCell:
                printed = found.get(get_id(row))
                return difference_cell(self.ours[f](get_id(row)), printed[f] if printed else None)

            yield Column(f"{heading} ({LABEL})", lambda row, value=value: value(found.get(get_id(row))), footer=value)
            if f in self.ours:
                yield Column(f"{heading.removesuffix(' %')} difference, points", difference, hint=HINT)


def _published_key(c: Cell) -> tuple[str, str]:
    """Returns model and interface under which the paper prints a cell's results."""
    return (PEOPLE.get(c.model, ""), "human") if c.person else (c.model, c.interface)


@dataclass(frozen=True)
class _GenreRow:
    name: str
    genre: str
    estimates: Mapping[str, Interval | None]
    published: Mapping[str, Any]

    def printed(self, metric: str) -> float | None:
        return self.published.get(f"{self.genre}_{metric}")


def genres_with_published(results: Results, g: GroupTable) -> Table | None:
    """Returns every genre of every cell that has published values."""
    found = PublishedColumns("table6_main", {}).rows(results, g.cells)
    main = {r.cell.id: r for r in results.main}
    rows = []
    for c in (c for c in results.order if c in found):
        i = g.cells.index(c)
        both = [(x, g.sr[i][j], g.pg[i][j]) for j, x in enumerate(g.groups)]
        for genre, sr, pg in [*both, ("overall", main[c].sr, main[c].pg)]:
            rows.append(_GenreRow(results.name(c), genre, {"sr": sr, "pg": pg}, found[c]))
    if not rows:
        return None
    columns = [Column.text("cell", "name"), Column.text("genre", "genre")]
    for m in ("sr", "pg"):
        columns += [
            Column.percent(f"{m.upper()} %", lambda r, m=m: r.estimates[m]),
            published_column(f"{m.upper()} % ({LABEL})", lambda r, m=m: r.printed(m)),
            Column(
                f"{m.upper()} difference, points", lambda r, m=m: difference_cell(r.estimates[m], r.printed(m)),
                hint=HINT,
            ),
        ]  # fmt: skip
    note = f"Percent and percentage points. {LABEL.capitalize()}: {SOURCE}; the games played here are others."
    return Table.build("genres-beside", "Genres beside the published ones", columns, rows, note=note)
