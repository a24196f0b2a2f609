"""The result in a sentence: never a winner among ties, never a headline of an incomplete run."""

import statistics

import polars as pl
import pytest
from synthetic_sweep import manifest, sweep

from gwray.analysis import (
    bounded_mean,
    cell_summaries,
    compare_all,
    main_table,
    plan_of,
    run_verdict,
    same_tasks,
    score,
    scores_by,
)
from gwray.analysis.scores import missing_bounds
from gwray.tables import Column, Table, percent_cell


def said(frame: pl.DataFrame, **how) -> str:
    return run_verdict(frame, plan_of(frame, **how))


def sixteen() -> pl.DataFrame:
    parts = []
    for n, (interface, timing) in enumerate((i, t) for i in ("semantic", "cua") for t in ("paused", "realtime")):
        cells = dict.fromkeys(("a", "b", "c", "d"), 0.9)
        part = sweep(cells, interface=interface, timing=timing, n_games=1, tasks_per_game=1, repeats=2, seed=n)
        parts.append(part.with_columns(success=True, progress=1.0, cell=pl.col("cell") + timing))
    return pl.concat(parts)


def alone() -> pl.DataFrame:
    return pl.concat([sweep({"a": 0.9}, interface="semantic"), sweep({"a": 0.1}, interface="computer_use")])


@pytest.mark.parametrize(
    ("frame", "says", "never"),
    [
        (lambda: sweep({"a": 0.6, "b": 0.4}), 
         ["a − b = +", "on 170 shared tasks, p < 0.001 (progress, games like these)"], ["Nothing"]),
        (lambda: sweep({"a": 0.4, "b": 0.6}), ["b − a = +"], ["Nothing"]),
        (lambda: sweep({"a": 0.5, "b": 0.5}), ["Nothing separates a and b: ", "p = "], ["better", "p < "]),
        (sixteen, ["Nothing separates the 16 cells, compared within 4 groups"], ["better", "−"]),
        (alone, ["Nothing is compared: no two of the 2 ranked cells share interface, timing"], ["separates", "better"]),
        (lambda: sweep({"a": 0.7, "b": 0.5, "c": 0.4}), ["a − b = +", "a is better than all 2 others", "for 3"], []),
        (lambda: sweep({"a": 0.6, "b": 0.6, "c": 0.3}), ["Nothing separates b, a; the clearest of 2"], ["is better"]),
        (lambda: sweep({"a": 0.6, "b": 0.4}, n_games=3, repeats=3), ["a − b = +", "15 shared", "these tasks again"],
         ["games like"]),
        (lambda: sweep({"a": 0.6}), ["a: success ", "progress ", "(games like these)"], ["better"]),
        (lambda: sweep({"a": 0.6}, n_games=1), ["(these tasks again)"], ["games like"]),
    ],
)  # fmt: skip
def test_verdict(frame, says, never):
    sentence = said(frame())
    assert all(s in sentence for s in says) and not any(s in sentence for s in never), sentence


def test_incomplete_run_has_no_verdict():
    full = sweep({"a": 0.9, "b": 0.1})
    part = full.filter(pl.col("key") != full["key"][0])
    sentence = said(part, manifests=[manifest(full)])
    assert sentence == "339 of 340 planned episodes have a score, so there is no headline yet."


def test_few_episodes_have_no_decimals():
    frame = sweep({"a": 0.5, "b": 0.5}, n_games=1, tasks_per_game=1, repeats=2)
    frame = frame.with_columns(progress=pl.when(pl.col("repeat") == 0).then(1.0).otherwise(0.333))
    sentence = said(frame)
    assert (
        "Nothing separates a and b: a − b = 0 points [" in sentence
        and "-0" not in sentence
        and "." not in sentence[:40]
    )


def test_each_score_has_both_kinds_of_interval():
    frame = sweep({"a": 0.7}, n_games=3, repeats=3)
    s = score(frame, plan_of(frame), "a-semantic")
    assert s.sr and s.sr_again and s.sr.low is None
    assert s.sr_again.low < s.sr.value == pytest.approx(s.sr_again.value) and s.sr.value < s.sr_again.high
    (row,) = main_table(frame)
    assert row.pg_again and row.pg_again.kind == "tasks" and row.pg_again.low < row.pg.value < row.pg_again.high
    values = cell_summaries(frame, manifest(frame))["a-semantic"]
    assert values["n_games"] == 3 and values["n_tasks"] == 15
    assert values["sr/again/low"] < s.sr.value < values["sr/again/high"] and "sr/overall/low" not in values
    averages = [values[f"rerun/sr/{i}"] for i in range(values["n_repeats"])]
    assert len(averages) == 3 and values["rerun/sr/mean"] == pytest.approx(sum(averages) / 3)
    assert values["rerun/sr/se"] == pytest.approx(statistics.stdev(averages) / 3**0.5)
    for s in scores_by(frame, plan_of(frame), "task"):
        assert s.pg_again and s.pg_again.low is not None
    more = sweep({"a": 0.7}, n_games=34, repeats=3)
    s = score(more, plan_of(more), "a-semantic")
    assert (s.sr.high - s.sr.low) > 2 * (s.sr_again.high - s.sr_again.low), "other games add their own spread"


def test_missing_episodes_have_bounds():
    full = sweep({"a": 0.5}, repeats=2)
    plan = plan_of(full, [manifest(full)])
    part = full.filter(pl.col("key") != full["key"][0])
    gone = full.row(0, named=True)
    (sr_low, sr_high), (low, high) = missing_bounds(part, plan, "a-semantic")
    assert high - low == pytest.approx(1 / 340) and sr_high - sr_low == pytest.approx(1 / 340)
    assert low == pytest.approx((full["progress"].sum() - gone["progress"]) / 340)
    (row,) = main_table(part, plan, allow_incomplete=True)
    assert row.bounds == ((sr_low, sr_high), (low, high)) and main_table(full, plan)[0].bounds is None


def test_csv_names_the_kind_of_an_interval():
    games, again = bounded_mean([0.2, 0.4, 0.6, 0.8], range(4)), same_tasks([0.0, 1.0], [0, 0])
    table = Table.build("t", "T", [Column.percent("PG", lambda e: e)], [games, again])
    head, first, second = table.to_csv().splitlines()
    assert head == "PG,PG low,PG high,PG interval for" and first.endswith(",") and second.endswith(",these tasks again")
    assert percent_cell(again).sub.endswith(" again") and not percent_cell(games).sub.endswith("again")
    assert (
        Table.build("t", "T", [Column.percent("PG", lambda e: e)], [games]).to_csv().startswith("PG,PG low,PG high\n")
    )


def test_ranks_are_shown_as_intervals():
    frame = sweep({"a": 0.6, "b": 0.6, "c": 0.3})
    rows = {r.cell.model: r for r in main_table(frame, comparisons=compare_all(frame, plan_of(frame)))}
    assert [rows[m].rank_text for m in "abc"] == ["1–2", "1–2", "3"]
