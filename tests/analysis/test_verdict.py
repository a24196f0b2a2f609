"""The result in one sentence: no winner among ties, no headline for an incomplete run."""

import statistics

import polars as pl
import pytest
from synthetic_sweep import manifest, sweep

from gwray.analysis import (
    cell_summaries,
    compare_all,
    main_table,
    plan_of,
    run_verdict,
    same_tasks,
    score,
    score_notes,
    scores_by,
)
from gwray.analysis.intervals import Interval, clopper_pearson
from gwray.pages import ends, percent_cell, points


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
         ["a: progress ", "b: progress ", "difference +", "on these 170 tasks, p < 0.001",
          "also on games like these: yes, ["], ["not enough"]),
        (lambda: sweep({"a": 0.5, "b": 0.5}), ["not enough data to tell them apart"], ["better", "p = ", "p < "]),
        (sixteen, ["], the highest of 16 cells; not enough data to tell it from any of the 3 others"], ["better", "−"]),
        (alone, ["a · named controls: ", "a · mouse and keyboard: ", "difference +", "not ranked together"], []),
        (lambda: sweep({"a": 0.7, "b": 0.5, "c": 0.4}), ["a is better than all 2 others, closest: a minus b = +"], []),
        (lambda: sweep({"a": 0.6, "b": 0.6, "c": 0.3}), ["it from 1 of the 2 others with its"], ["is better"]),
        (lambda: sweep({"a": 0.6, "b": 0.4}, n_games=3, repeats=3),
         ["difference +", "these 15 tasks", "games like these: not known from 3 games, needs 6"], []),
        (lambda: sweep({"a": 0.6}), ["a: success ", "progress "], ["better"]),
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


def test_run_without_a_model_counts_wins_in_plain_words():
    plan = manifest(frame := sweep({"random": 0.0}, n_games=3))
    cells = tuple(c.model_copy(update={"spec": {"model": {"provider": "random"}}}) for c in plan.cells)
    sentence = said(frame, manifests=[plan.model_copy(update={"cells": cells})])
    assert "without an AI model: automatic players in 3 games. Random actions won 0 of 15 plays. More" in sentence
    assert sentence.endswith(" points (95 %).")


def test_cells_without_a_playable_reply_are_noted():
    frame = sweep({"a": 0.5, "b": 0.5}, n_games=2)
    mute = pl.when(pl.col("model") == "a").then(pl.col("proposals")).otherwise(0)
    rows = main_table(frame.with_columns(no_tool_call=mute, out_of_space=0))
    assert [n for n in score_notes(rows) if "no reply" in n] == [
        "no reply was an allowed action: a. Compare its replies with its action format"
    ]


def test_few_episodes_have_no_decimals():
    frame = sweep({"a": 0.5, "b": 0.5}, n_games=1, tasks_per_game=1, repeats=2)
    frame = frame.with_columns(progress=pl.when(pl.col("repeat") == 0).then(1.0).otherwise(0.333))
    sentence = said(frame)
    assert "; difference 0 points [" in sentence and "-0" not in sentence and "." not in sentence[:40]


def test_one_rule_decides_decimals():
    """The interval decides: at most 10 points long, one; longer or none, no decimals. Zero has no sign."""
    narrow, wide, alone = (Interval(0.123, low, high, None, 1, None, "") for low, high in
                           ((0.08, 0.18), (-0.2, 0.4), (None, None)))  # fmt: skip
    assert [(points(e.value, e), ends(e)) for e in (narrow, wide, alone)] == [
        ("12.3", "8.0 – 18.0"), ("12", "−20 – 40"), ("12", "")
    ]  # fmt: skip
    assert points(0.001, wide, signed=True) == "0" and points(0.3, wide, signed=True) == "+30"
    assert f"{percent_cell(narrow)}" == "12.3 (8.0 – 18.0)"


def test_all_lost_has_the_exact_interval():
    lost = same_tasks([0.0] * 60, [n // 3 for n in range(60)])
    assert lost.high == pytest.approx(clopper_pearson(0, 60, 0.95)[1], abs=0.002)


@pytest.mark.parametrize("games", [1, 3, 4, 6, 34])
def test_each_score_has_an_interval_on_these_tasks(games):
    frame = sweep({"a": 0.7}, n_games=games, repeats=3)
    s, (row,) = score(frame, plan_of(frame), "a-semantic"), main_table(frame)
    assert s.sr == row.sr and s.sr.kind == "tasks" and s.sr.low < s.sr.value < s.sr.high and row.rank is None
    assert (s.sr_games.low is None) == (games < 4)
    assert s.sr_games.low is None or s.sr_games.low <= s.sr.low < s.sr.high <= s.sr_games.high
    values = cell_summaries(frame, manifest(frame))["a-semantic"]
    assert values["n_games"] == games and values["n_tasks"] == 5 * games
    assert (values["sr/overall/low"], values["sr/overall/high"]) == (s.sr.low, s.sr.high)
    averages = [values[f"rerun/sr/{i}"] for i in range(values["n_repeats"])]
    assert len(averages) == 3 and values["rerun/sr/mean"] == pytest.approx(sum(averages) / 3)
    assert values["rerun/sr/se"] == pytest.approx(statistics.stdev(averages) / 3**0.5)
    for s in scores_by(frame, plan_of(frame), "task"):
        assert s.pg.low is not None


def test_ranks_are_shown_as_intervals():
    frame = sweep({"a": 0.6, "b": 0.6, "c": 0.3})
    rows = {r.cell.model: r for r in main_table(frame, comparisons=compare_all(frame, plan_of(frame)))}
    assert [rows[m].rank_text for m in "abc"] == ["1–2", "1–2", "3"]
