"""Published values next to ours, with the difference."""

import polars as pl
import pytest
from runs_to_report import rows_of, sweep, write_run

from gwray.analysis import Interval, main_table, plan_of
from gwray.catalog import published_protocol
from gwray.report import build_report
from gwray.report.published_columns import difference_cell, published_cell
from gwray.report.results import make_results, matches_published_ablation
from gwray.report.sections import paper_section
from gwray.store import ManifestCell, RunManifest

CUA = "computer_use"


def interval(value, low, high):
    return Interval(value, low, high, 0.01, 10, 5, "")


def test_difference_is_grey_if_interval_includes_zero():
    clear = difference_cell(interval(0.50, 0.46, 0.54), 30.0)
    assert (clear.text, clear.sub, clear.mark) == ("+20.0", "16.0 – 24.0", "")
    assert clear.raw[1] == pytest.approx(16)
    assert difference_cell(interval(0.32, 0.25, 0.40), 30.0).mark == "dim"
    assert difference_cell(interval(0.50, None, None), 30.0).mark == "dim", "no interval: no clear difference"
    assert difference_cell(None, 30.0).text == difference_cell(interval(0.5, 0.4, 0.6), None).text == "–"
    assert published_cell("<0.1").text == "<0.1" and published_cell("<0.1").sort == 0.1


def published_run(folder, **columns):
    """One published pair under the published conditions."""
    frame = sweep({"claude-sonnet-4.6": 0.4}, interface=CUA, n_games=8, tasks_per_game=2, **columns)
    return write_run(folder / "run", frame, axes=published_protocol().axes(CUA))


def test_tables_have_published_value_and_difference(tmp_path):
    run = published_run(tmp_path, repeats=2)
    site = build_report([run], tmp_path / "site", episodes="none").parent
    main = rows_of(site, "main")[0]
    assert main["SR % (published, original games)"] == "19.4" and main["PG % (published, original games)"] == "38.3"
    ours, by = float(main["progress %"]), float(main["PG difference, points"])
    assert by == pytest.approx(ours - 38.3) and float(main["PG difference, points low"]) < by
    genres = {r["genre"]: r for r in rows_of(site, "genres-beside")}
    assert genres["overall"]["PG % (published, original games)"] == "38.3"
    assert genres["arcade"]["SR % (published, original games)"] == "8.6"
    cost, total = rows_of(site, "cost-table")
    assert cost["input / step (published, original games)"] == "3344.9"
    assert total["cell"] == "total" and float(total["USD, 170 tasks"]) == pytest.approx(85)
    assert float(total["USD, 170 tasks (published, original games)"]) == 172.46
    validity, mean = rows_of(site, "validity-table")
    assert validity["no tool call % (published, original games)"] == "0.0"
    assert mean["cell"] == "mean" and mean["IAR % (published, original games)"] == "0.8"
    assert mean["IAR %"] == validity["IAR %"], "the mean over one cell"


def test_other_conditions_have_no_published_values(tmp_path):
    frame = sweep({"claude-sonnet-4.6": 0.4}, interface=CUA, n_games=4, tasks_per_game=1)
    run = write_run(tmp_path / "run", frame, axes={"sampling": "published", "memory_rounds": 2})
    site = build_report([run], tmp_path / "site", episodes="none").parent
    assert "USD, 4 tasks" in rows_of(site, "cost-table")[0], "the tasks of the run, not the paper's 170"
    for table in ("main", "cost-table", "validity-table"):
        assert not [h for h in rows_of(site, table)[0] if "published" in h], table
    assert not (site / "tables/genres-beside.csv").exists()


def test_paper_tab_names_cells_with_other_settings():
    def intro(**axes) -> str:
        frame = sweep({"claude-sonnet-4.6": 0.4}, interface=CUA, n_games=1)
        entry = ManifestCell(id=frame["cell"][0], model="claude-sonnet-4.6", interface=CUA, axes=axes)
        return paper_section([], make_results(frame, [RunManifest(cells=(entry,))])).intro

    published = published_protocol().axes(CUA)
    assert intro(**published) == ""
    assert "Other settings than in the paper's main table: claude-sonnet-4.6" in intro(memory_rounds=5)


def test_memory_ablation_needs_the_published_prompt():
    def cell(interface, **axes):
        frame = sweep({"qwen3-vl-235b-a22b": 0.3}, interface=interface, n_games=4, tasks_per_game=1)
        cell_entry = ManifestCell(id=frame["cell"][0], model="qwen3-vl-235b-a22b", interface=interface, axes=axes)
        return next(iter(plan_of(frame, [RunManifest(cells=(cell_entry,))]).cells.values()))

    sampling = {"sampling": "published"}
    assert matches_published_ablation(cell("semantic", memory_rounds=1, **sampling), "memory_rounds")
    assert matches_published_ablation(cell("semantic", **sampling), "memory_rounds")
    assert matches_published_ablation(
        cell(CUA, memory_rounds=1, **sampling, **{"agent.memory_prompt": "full"}), "memory_rounds"
    )
    assert not matches_published_ablation(cell(CUA, memory_rounds=1, **sampling), "memory_rounds"), (
        "a line is not the whole prompt"
    )
    assert not matches_published_ablation(cell("semantic", memory_rounds=1), "memory_rounds"), "another sampling"


def test_indistinguishable_cells_share_a_rank_interval(tmp_path):
    run = write_run(tmp_path / "run", sweep({"a": 0.5, "b": 0.5}, n_games=4))
    page = build_report([run], tmp_path / "site", episodes="none").read_text()
    assert page.count(">1–2<") == 2 and "by value" not in page


def test_cells_are_ranked_within_interface_and_timing():
    slow = sweep({"b": 0.7}, timing="realtime", latency="fixed:250", cell="slow")
    frame = pl.concat([
        sweep({"a": 0.3, "b": 0.6}),
        sweep({"a": 0.5, "b": 0.2}, interface=CUA),
        slow.with_columns(key=pl.col("key") + "slow"),
    ])  # fmt: skip
    rows = main_table(frame)
    assert [(r.cell.id, r.rank, r.rank_interval and r.rank_interval[0]) for r in rows] == [
        (f"a-{CUA}", 1, 1), (f"b-{CUA}", 2, 2), ("b-semantic", 1, 1), ("a-semantic", 2, 2), ("slow", None, None),
    ]  # fmt: skip
    s = make_results(frame)
    named, cua = "named controls", "mouse and keyboard"
    assert [*map(s.block, s.order)] == [cua] * 2 + [named] * 2 + [f"{named}, real time"]


@pytest.mark.slow
async def test_sorting_within_blocks_and_figures_without_scripts(tmp_path, watched):
    frame = pl.concat([sweep({"a": 0.3, "b": 0.6}, n_games=5), sweep({"a": 0.5, "b": 0.2}, interface=CUA, n_games=5)])
    index = build_report([write_run(tmp_path / "run", frame)], tmp_path / "site", episodes="none", images=True)
    page = await watched.open(index)
    head = page.locator("#main thead th", has_text="progress %").first
    await head.locator("button").click()
    await head.locator("button").click()
    names = await page.locator("#main tbody th").all_inner_texts()
    assert names == ["mouse and keyboard", "b", "a", "named controls", "a", "b"]
    browser = page.context.browser
    assert browser
    silent = await (await browser.new_context(java_script_enabled=False)).new_page()
    await silent.goto(index.as_uri())
    drawn = silent.locator("#figure-overview img.drawn")
    assert await drawn.evaluate("i => i.naturalWidth") > 0 and await drawn.is_visible()
    ids = await silent.locator("figure.plot").evaluate_all("f => f.map(x => x.id)")
    assert {"figure-levels-named-controls", "figure-levels-mouse-and-keyboard"} <= {*ids}
