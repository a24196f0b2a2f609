"""One table type for every output: HTML pages, CSV files, Markdown, LaTeX and the terminal.

Each column is declared once: its heading, and how its cell is made from the object that a row shows. A getter is a
function, or the path of an attribute:

    columns = (Column.text("player", "name"), Column.number("steps", "usage.steps", 0), Column.percent("SR %", "sr"))
    table = Table.build("scores", "Scores", columns, rows)
    table.to_csv()
"""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol

from gwray.pages.visible_text import SHORT, csv_text, safe_text

if TYPE_CHECKING:
    import rich.table

DASH = "–"
Getter = str | Callable[[Any], Any]
CellFunction = Callable[[Any], "TableCell"]


class Estimate(Protocol):
    """A value with its interval, both as fractions."""

    @property
    def value(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True)
class TableCell:
    """One cell."""

    text: str
    sort: float | str | None = None
    """Sort key; None sorts last."""
    sub: str = ""
    """Small print below the text: an interval, a count."""
    href: str = ""
    mark: str = ""
    """CSS class: `best`, `refused`, `dim`, `warn`, `published` or `reply`."""
    raw: object = None
    """Value for the CSV, in the displayed unit; (value, low, high) for an estimate; None: `text`."""

    def __str__(self) -> str:
        return f"{self.text} ({self.sub})" if self.sub else self.text


NO_VALUE = TableCell(DASH, mark="dim", raw="")


def text_cell(text: object, **fields: Any) -> TableCell:
    """Returns the cell of a name: bounded, with invisible characters spelled out."""
    shown = safe_text(text, SHORT)
    return TableCell(shown, shown.casefold(), **fields)


def setting_cell(value: str | float | None, words: Callable[[str | float], str]) -> TableCell:
    """Returns the cell of a setting: `words` of its value on a page, the value itself in a CSV; a dash without one."""
    return NO_VALUE if value is None else text_cell(words(value), raw=value)


def number_cell(x: float | None, digits: int = 1, *, scale: float = 1.0, sub: str = "", mark: str = "") -> TableCell:
    raw = x if x is None or scale == 1 else x * scale
    if x is None:
        return NO_VALUE
    return TableCell(f"{x * scale:z,.{digits}f}".replace("-", "−"), x, sub, mark=mark, raw=raw)


def percent_cell(e: Estimate | None, *, mark: str = "", best: bool = False) -> TableCell:
    """Returns the cell of an estimate in percent, with its interval below."""
    if e is None:
        return replace(NO_VALUE, mark=mark or "dim")
    low, high = (None if x is None else 100 * x for x in (e.low, e.high))
    raw = (100 * e.value, low, high)
    return TableCell(points(e.value, e), e.value, ends(e), mark="best" if best else mark, raw=raw)


def points(x: float, estimate: Estimate, *, signed: bool = False) -> str:
    """Returns a fraction in percent, with the decimals of the estimate that it is part of."""
    text = f"{100 * x:{'+' if signed else ''}z.{_digits(estimate.low, estimate.high)}f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("+")


def ends(e: Estimate | None, between: str = " – ") -> str:
    """Returns the ends of an interval in percent; empty without one."""
    return "" if e is None or e.low is None or e.high is None else f"{points(e.low, e)}{between}{points(e.high, e)}"


def _digits(low: float | None, high: float | None) -> int:
    """Returns the decimals of an estimate in percent: one if its interval is known and at most 10 points long."""
    return 1 if low is not None and high is not None and high - low <= WIDE else 0


SMALL_FROM = 5
"""Columns that fit the lines of an article in its usual size."""
WIDE = 0.1
"""Longer intervals are shown without decimals."""


def money_cell(usd: float | None, sub: str = "", *, least: bool = False) -> TableCell:
    """Returns the cell of an amount in USD; `least`: prices of parts are missing."""
    if usd is None or (least and not usd):
        return TableCell("price unknown", None, sub, mark="dim", raw="")
    return TableCell(f"{'≥ ' if least else ''}${usd:,.{2 if usd < 100 else 0}f}", usd, sub, raw=usd)


def p_value_cell(p: float | None) -> TableCell:
    return NO_VALUE if p is None else TableCell("< 0.001" if p < 0.001 else f"{p:.3f}", p, raw=p)


def _no_value(row: Any) -> TableCell:
    return NO_VALUE


@dataclass(frozen=True)
class Column:
    """A heading and how its cells are made."""

    name: str
    cell: CellFunction = _no_value
    """The cell of a row."""
    numeric: bool = True
    hint: str = ""
    """Explanation, as a tooltip and for screen readers."""
    footer: CellFunction = _no_value
    """The cell of a footer row, such as a total or a published result."""
    over: str = ""
    """The beginning of the name that LaTeX sets once, above all neighbors that share it."""

    @staticmethod
    def make(
        name: str, to_cell: Callable[..., TableCell], value: Getter, hint: str = "", footer: CellFunction = _no_value,
        numeric: bool = True, **options: Any,
    ) -> Column:  # fmt: skip
        """Returns a column whose cells are `to_cell(value of the row, **options)`. A getter may also return a finished
        cell."""
        get = attrgetter(value) if isinstance(value, str) else value

        def cell(row: Any) -> TableCell:
            found = get(row)
            return found if isinstance(found, TableCell) else to_cell(found, **options)

        return Column(name, cell, numeric, hint, footer)

    @classmethod
    def text(cls, name: str, value: Getter, *, hint: str = "", footer: CellFunction = _no_value) -> Column:
        return cls.make(name, text_cell, value, hint, footer, numeric=False)

    @classmethod
    def number(
        cls, name: str, value: Getter, digits: int = 1, *, scale: float = 1.0, hint: str = "",
        footer: CellFunction = _no_value,
    ) -> Column:  # fmt: skip
        return cls.make(name, number_cell, value, hint, footer, digits=digits, scale=scale)

    @classmethod
    def percent(cls, name: str, value: Getter, *, hint: str = "", footer: CellFunction = _no_value) -> Column:
        """Returns a column of estimates in percent. `value`: gets the fraction with its interval from a row."""
        return cls.make(name, percent_cell, value, hint, footer)

    @classmethod
    def money(cls, name: str, value: Getter, *, hint: str = "", footer: CellFunction = _no_value) -> Column:
        return cls.make(name, money_cell, value, hint, footer)

    @classmethod
    def p_value(cls, name: str, value: Getter, *, hint: str = "") -> Column:
        return cls.make(name, p_value_cell, value, hint)


Row = tuple[TableCell, ...]


@dataclass(frozen=True)
class Table:
    """Finished rows of cells under their columns."""

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str = ""
    unranked: tuple[Row, ...] = ()
    """Rows below the others that sorting leaves in place."""
    groups: tuple[str, ...] = ()
    """Group name of each of `rows`; rows are sorted within a group. Empty: one group."""
    paper: str = ""
    """The paper's counterpart: `Table 6`."""

    @classmethod
    def build(
        cls,
        id: str,
        title: str,
        columns: Iterable[Column],
        rows: Iterable[Any],
        *,
        note: str = "",
        unranked: Iterable[Any] = (),
        footer: Iterable[Any] = (),
        group: Callable[[Any], str] | None = None,
        paper: str = "",
    ) -> Table:
        """Returns a table with the cells of all rows. `footer`: objects shown below `unranked` by each column's
        `footer` function."""
        columns, rows = tuple(columns), list(rows)

        def cells(row: Any) -> Row:
            return tuple(c.cell(row) for c in columns)

        below = (*map(cells, unranked), *(tuple(c.footer(x) for c in columns) for x in footer))
        groups = tuple(map(group, rows)) if group else ()
        return cls(id, title, columns, tuple(map(cells, rows)), note, below, groups, paper)

    @property
    def blocks(self) -> list[tuple[str, list[Row]]]:
        """Rows by group; one block without a name if there is only one group."""
        if len(set(self.groups)) < 2:
            return [("", list(self.rows))]
        named = zip(self.groups, self.rows, strict=True)
        return [(name, [row for _, row in rows]) for name, rows in groupby(named, key=lambda x: x[0])]

    def without_empty_columns(self) -> Table:
        every = (*self.rows, *self.unranked)
        kept = [i for i in range(len(self.columns)) if any(r[i] != NO_VALUE for r in every)]
        columns = tuple(self.columns[i] for i in kept)
        return replace(self, columns=columns, rows=_select(self.rows, kept), unranked=_select(self.unranked, kept))

    def factored(self) -> Table:
        """Returns the table without the columns, other than the first and estimates, that are equal in all rows; its
        note has their values instead."""
        every = (*self.rows, *self.unranked)
        same = [every and len({str(r[i]) for r in every}) == 1 for i in range(len(self.columns))]
        constant = [i for i in range(1, len(same)) if same[i] and not isinstance(every[0][i].raw, tuple)]
        words = [f"{self.columns[i].name}: {every[0][i]}" for i in constant if every[0][i] != NO_VALUE]
        rest = [i for i in range(len(self.columns)) if i not in constant]
        note = f"{'All: ' if len(every) > 1 else ''}{' · '.join(words)}" if words else ""
        return replace(
            self, columns=tuple(self.columns[i] for i in rest), rows=_select(self.rows, rest),
            unranked=_select(self.unranked, rest), note="\n".join(filter(None, (self.note, note))),
        )  # fmt: skip

    def to_csv(self) -> str:
        """Returns the table as CSV, one line per row, with the columns of `records`."""
        return csv_lines(*self._values())

    def records(self) -> list[dict[str, object]]:
        """Returns a dictionary for each row, by column; None where there is no value. Estimates have three columns; the
        group comes first if there are several."""
        heads, lines = self._values()
        return [{h: None if v == "" else v for h, v in zip(heads, line, strict=True)} for line in lines]

    def _values(self) -> tuple[list[str], list[list[object]]]:
        rows = [*self.rows, *self.unranked]
        estimates = [max((len(r[i].raw) for r in rows if isinstance(r[i].raw, tuple)), default=0)  # type: ignore[arg-type]
                     for i in range(len(self.columns))]  # fmt: skip
        heads = [
            f"{c.name}{end}"
            for c, wide in zip(self.columns, estimates, strict=True)
            for end in ("", " low", " high")[: wide or 1]
        ]
        lines = [[v for td, wide in zip(r, estimates, strict=True) for v in _csv_values(td, wide)] for r in rows]
        if len(set(self.groups)) > 1:
            heads = ["group", *heads]
            named = [*self.groups, *("" for _ in self.unranked)]
            lines = [[name, *line] for name, line in zip(named, lines, strict=True)]
        return heads, lines

    def _texts(self) -> Iterator[list[list[str]]]:
        """Returns head, rows and unranked rows, as texts."""
        yield [[c.name for c in self.columns]]
        yield from ([[str(td) for td in row] for row in part] for part in (self.rows, self.unranked))

    def to_markdown(self) -> str:
        """Returns the table in GitHub's Markdown."""
        head, rows, below = self._texts()
        lines = [*head, ["---", *["---:"] * (len(self.columns) - 1)], *rows, *below]
        return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines) + "\n"

    def to_latex(self) -> str:
        """Returns a LaTeX `tabular` with the rules of booktabs; title and note are its caption, the id is its label.
        Estimates are `$33.9 \\pm 4.3$`, or have two signed ends if these differ. A table of many columns is small."""
        head = " & ".join(_latex(c.name.removeprefix(c.over).strip()) for c in self.columns) + r" \\"
        parts = [
            [*self._latex_over(), head],
            *([" & ".join(map(_latex_cell, r)) + r" \\" for r in part] for part in (self.rows, self.unranked)),
        ]
        body = "\n    \\midrule\n".join("\n".join(f"    {line}" for line in part) for part in parts if part)
        kinds = "".join("r" if c.numeric else "l" for c in self.columns)
        caption = _latex(" ".join([f"{self.title}.", *self.note.splitlines()]))
        size = "  \\small\\setlength{\\tabcolsep}{4pt}\n" if len(self.columns) > SMALL_FROM else ""
        return (
            f"% \\usepackage{{booktabs}}\n\\begin{{table}}\n  \\centering\n{size}  \\caption{{{caption}}}\n"
            f"  \\label{{tab:{re.sub(r'[^A-Za-z0-9-]+', '-', self.id)}}}\n  \\begin{{tabular}}{{{kinds}}}\n"
            f"    \\toprule\n{body}\n    \\bottomrule\n  \\end{{tabular}}\n\\end{{table}}\n"
        )

    def _latex_over(self) -> list[str]:
        """Returns the row above the headings, with its rules; empty without columns that share one."""
        if not any(c.over for c in self.columns):
            return []
        heads, rules, at = [], [], 1
        for over, same in groupby(self.columns, key=lambda c: c.over):
            n = len(list(same))
            lines = r" \\ ".join(map(_latex, over.split(" · ")))
            text = rf"\shortstack{{{lines}}}" if " · " in over else lines
            heads.append(rf"\multicolumn{{{n}}}{{c}}{{{text}}}" if over else " & " * (n - 1))
            rules += [rf"\cmidrule(lr){{{at}-{at + n - 1}}}"] if over else []
            at += n
        return [" & ".join(heads) + r" \\", " ".join(rules)]

    def to_rich(self) -> rich.table.Table:
        """Returns the table for a terminal, each column no wider than its cells. A row whose cells are all dim is
        dimmed."""
        from rich import box
        from rich.markup import escape
        from rich.table import Table as RichTable

        table = RichTable(
            title=escape(self.title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
        )
        for i, c in enumerate(self.columns):
            widest = max((len(_bracketed(r[i])) for r in (*self.rows, *self.unranked)), default=0)
            together = c.name.replace(" · ", "\xa0· ")  # no line begins with a dot
            head = "\n".join(textwrap.wrap(together, max(widest, 6), break_long_words=False)).replace("\xa0", " ")
            justify = "right" if c.numeric else "left"
            table.add_column(escape(head), justify=justify, overflow="fold", no_wrap=c.numeric)
        for part in (self.rows, self.unranked):
            for row in part:
                dim = all(td.mark == "dim" for td in row)
                table.add_row(*(escape(_bracketed(td)) for td in row), style="dim" if dim else None)
            table.add_section()
        return table


def _estimate(td: TableCell) -> tuple[float, float, float] | None:
    """Returns value and interval of an estimate in percent; None for other cells."""
    if isinstance(td.raw, tuple) and td.raw[1] is not None and td.raw[2] is not None:
        return td.raw[:3]  # type: ignore[return-value]
    return None


def _bracketed(td: TableCell) -> str:
    """Returns the text of a cell; an estimate has its interval in brackets, without decimals: names need the room."""
    found = _estimate(td)
    return str(td) if found is None else "{:z.0f} [{:z.0f}–{:z.0f}]".format(*found).replace("-", "−")


def _latex_cell(td: TableCell) -> str:
    """Returns a cell as LaTeX; an estimate with its interval."""
    if (found := _estimate(td)) is None:
        return _latex(str(td))
    value, low, high = found
    digits = _digits(low / 100, high / 100)
    value, low, high = (round(x, digits) for x in found)  # the ends that other outputs print
    up, down = f"{high - value:.{digits}f}", f"{value - low:.{digits}f}"
    ends = rf" \pm {up}" if up == down else f"^{{+{up}}}_{{-{down}}}"
    return f"${value:z.{digits}f}{ends}$"


def _select(rows: Iterable[Row], columns: Sequence[int]) -> tuple[Row, ...]:
    return tuple(tuple(r[i] for i in columns) for r in rows)


def _csv_values(td: TableCell, wide: int) -> Sequence[object]:
    """Returns the CSV values of a cell. `wide`: number of columns of an estimate; 0: not an estimate."""
    if wide:
        found = td.raw if isinstance(td.raw, tuple) else (td.raw if isinstance(td.raw, int | float) else None,)
        return (*found, *[None] * wide)[:wide]
    return (td.text if td.raw is None else td.raw,)


def csv_lines(header: Sequence[object], lines: Iterable[Sequence[object]]) -> str:
    """Returns CSV lines that no spreadsheet runs as formulas."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([csv_text(h) for h in header])
    writer.writerows([[csv_text(v) for v in line] for line in lines])
    return out.getvalue()


LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "·": r"$\cdot$", "×": r"$\times$",
    "±": r"$\pm$", "−": "$-$", "→": r"$\to$", "≤": r"$\le$", "≥": r"$\ge$", "≈": r"$\approx$",
    "…": r"\ldots{}", "—": "---",
}  # fmt: skip
"""LaTeX for characters that need an escape."""


def _latex(text: str) -> str:
    """Returns text for an article. Characters that a plain TeX does not know are their code points."""
    escaped = re.sub("|".join(map(re.escape, LATEX)), lambda found: LATEX[found[0]], text)
    return re.sub("[^\n -~À-ſ]", lambda found: f"[U+{ord(found[0]):04X}]", escaped)
