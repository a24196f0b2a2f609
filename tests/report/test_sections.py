"""Report sections from outside the package."""

import csv
import io
import sys
from importlib.metadata import EntryPoint

import polars as pl
import pytest
from runs_to_report import sweep

from gwray.errors import UsageError
from gwray.report import Section
from gwray.report.behaviour import cost_section
from gwray.report.comparisons import genre_section, level_section, pair_section, profile_section
from gwray.report.content import Figure
from gwray.report.results import Results, make_results
from gwray.report.sections import make_sections
from gwray.tables import Column, Table

SOURCE = """
from gwray.report import Results, Section
from gwray.tables import Column, Table


def tokens(results: Results) -> Section:
    columns = (Column.text("cell", lambda u: results.name(u.cell)), Column.number("tokens", "input_tokens", 0))
    table = Table.build("my-tokens", "Tokens", columns, results.usages.values())
    return Section("my", "My section", "", (table,))


def wrong(results: Results) -> str:
    return "no section"
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
    with pytest.raises(UsageError, match=r"report section 'my_sections\.token'"):
        make_sections(results, ["my_sections.token"])


def test_installed_section_is_added(results, my_sections, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("tokens", "my_sections:tokens", "gwray.report_sections")
    monkeypatch.setattr("gwray.registry._installed", lambda group, _: {"mine": entry} if group == entry.group else {})
    assert make_sections(results)[-1].id == "my"


def test_section_without_parts_is_skipped(results):
    assert all(s.parts for s in make_sections(results))
    assert Section.build("x", "X", None).parts == ()


@pytest.mark.parametrize(("games", "note"), [(3, False), (12, True)])
def test_paired_comparisons_say_what_few_games_cannot_know(games, note):
    section = pair_section(make_results(sweep({"a": 0.4, "b": 0.5}, n_games=games, tasks_per_game=1)))
    assert section is not None
    table = next(p for p in section.parts if isinstance(p, Table))
    assert ("rarer than one in 4 may be missing from 12 games" in table.note) == note


def table_of(section: Section | None, id: str) -> Table:
    assert section is not None
    return next(p for p in section.parts if isinstance(p, Table) and p.id == id)


def test_genres_are_compared_pair_by_pair():
    """Genres are families of their own; those with fewer than 6 games are compared on these tasks again."""
    two = make_results(sweep({"a": 0.4, "b": 0.6}, repeats=2))
    rows = list(csv.DictReader(io.StringIO(table_of(genre_section(two), "genre-pairs").to_csv())))
    assert [r["genre"] for r in rows] == ["arcade", "platformer", "puzzle", "runner", "simulation"]
    assert float(rows[2]["p, Holm"]) == pytest.approx(2 / 2**7) and float(rows[4]["p, Holm"]) < 0.01
    assert [c.sub.endswith("again") for c in (r[3] for r in table_of(genre_section(two), "genre-pairs").rows)] == [
        False, False, False, False, True,
    ]  # fmt: skip
    five = genre_section(make_results(sweep({m: 0.5 for m in "abcde"}, repeats=1)))
    assert five is not None and "genre-pairs" not in [p.id for p in five.parts]


def test_levels_that_repeat_the_genres_are_left_out():
    frame = sweep({"a": 0.4, "b": 0.6}, tasks_per_game=1)
    assert level_section(make_results(frame)) is not None
    number = {"arcade": 1, "platformer": 2, "puzzle": 3, "runner": 4, "simulation": 5}
    same = frame.with_columns(level=pl.col("genre").replace_strict(number).cast(frame.schema["level"]))
    assert level_section(make_results(same)) is None


def test_matrix_of_one_pair_is_left_out():
    two, three = (pair_section(make_results(sweep({m: 0.5 for m in models}, n_games=7))) for models in ("ab", "abc"))
    assert two is not None and three is not None
    assert [p.id for p in two.parts] == ["pairs-table"] and [p.id for p in three.parts] == ["pairs", "pairs-table"]
    matrix = three.parts[0]
    assert isinstance(matrix, Figure) and matrix.plot.data[0].showscale is False, "no pair has a color"


def test_profiles_need_tasks_and_partial_progress():
    frame = sweep({"a": 0.4, "b": 0.6})
    section = profile_section(make_results(frame))
    assert section is not None and isinstance(section.parts[0], Figure)
    assert "games like these" in section.parts[0].note and len(section.parts[0].lines) == 40
    won = frame.with_columns(progress=pl.col("success").cast(pl.Float64))
    assert profile_section(make_results(won)) == Section("profiles", "Performance profiles")
    assert profile_section(make_results(sweep({"a": 0.4}, n_games=3, tasks_per_game=1))) is None


@pytest.mark.parametrize(("usd", "shown"), [
    ([None, None], "price unknown"), ([0.5, None], "$0.50 at least"), ([0.0, 0.0], "$0.00"),
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
