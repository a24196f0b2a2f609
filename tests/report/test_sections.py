"""Report sections from outside the package."""

import sys

import polars as pl
import pytest
from runs_to_report import sweep

from gwray.errors import UsageError
from gwray.pages import Column, Table
from gwray.report import Section
from gwray.report.behaviour import cost_section
from gwray.report.comparisons import level_section
from gwray.report.results import Results, make_results
from gwray.report.sections import make_sections

SOURCE = """
from gwray.report import Results, Section
from gwray.pages import Column, Table


def tokens(results: Results) -> Section:
    columns = (Column.text("cell", lambda u: results.name(u.cell)), Column.number("tokens", "input_tokens", 0))
    table = Table.build("my-tokens", "Tokens", columns, results.usages.values())
    return Section("my", "My section", "", (table,))


def wrong(results: Results) -> str:
    return "no section"


def broken(results: Results) -> Section:
    return results.main["first"]
"""


@pytest.fixture
def results() -> Results:
    return make_results(sweep({"a": 0.4}, n_games=2, tasks_per_game=1))


@pytest.fixture
def my_sections(tmp_path, monkeypatch):
    (tmp_path / "my_sections.py").write_text(SOURCE)
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    sys.modules.pop("my_sections", None)


def test_named_section_is_added(results, my_sections):
    made = make_sections(results, ["my_sections.tokens"])
    assert made[-1].id == "my" and {s.id for s in make_sections(results)} == {s.id for s in made[:-1]}
    with pytest.raises(UsageError, match=r"'my_sections\.wrong' returned a str"):
        make_sections(results, ["my_sections.wrong"])
    with pytest.raises(UsageError, match=r"'my_sections\.broken' failed: TypeError.*line \d+"):
        make_sections(results, ["my_sections.broken"])
    with pytest.raises(UsageError, match=r"report section 'my_sections\.token'"):
        make_sections(results, ["my_sections.token"])


def test_section_without_parts_is_skipped(results):
    assert all(s.parts for s in make_sections(results))
    assert Section.build("x", "X", None).parts == ()


def table_of(section: Section | None, id: str) -> Table:
    assert section is not None
    return next(p for p in section.parts if isinstance(p, Table) and p.id == id)


def test_levels_that_repeat_the_genres_are_left_out():
    frame = sweep({"a": 0.4, "b": 0.6}, tasks_per_game=1)
    assert level_section(make_results(frame)) is not None
    number = {"arcade": 1, "platformer": 2, "puzzle": 3, "runner": 4, "simulation": 5}
    same = frame.with_columns(level=pl.col("genre").replace_strict(number).cast(frame.schema["level"]))
    assert level_section(make_results(same)) is None


@pytest.mark.parametrize(("usd", "shown"), [
    ([None, None], "price unknown"), ([0.5, None], "≥ $0.50"), ([0.0, 0.0], "$0.00"),
])  # fmt: skip
def test_unknown_prices_are_not_zero(usd, shown):
    frame = sweep({"a": 0.4}, n_games=2, tasks_per_game=1).with_columns(pl.Series("cost_usd", usd, pl.Float64))
    table = table_of(cost_section(make_results(frame)), "cost-table")
    spent = table.rows[0][[c.name for c in table.columns].index("USD spent")]
    assert f"{spent.text} {spent.sub}".strip() == shown


def test_table_columns_make_cells_footers_and_groups():
    columns = (
        Column.text("name", "numerator", footer=lambda row: Column.text("", str).cell(row)),
        Column.number("half", lambda n: n / 2 if n else None, 1),
    )
    table = Table.build("t", "T", columns, [3, 0], unranked=[1], footer=["sum"], group=lambda n: f"g{n}")
    assert table.to_csv().splitlines() == ["group,name,half", "g3,3,1.5", "g0,0,", ",1,0.5", ",sum,"]
    assert [name for name, _ in table.blocks] == ["g3", "g0"]
