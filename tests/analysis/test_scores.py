"""Scores, counts, reruns and refusals."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from synthetic_sweep import manifest, sweep

from gwray.analysis import (
    TaskMeans,
    compare_all,
    counts,
    episode_frame,
    grid,
    main_table,
    plan_of,
    reruns,
    score,
    scores_by,
    usage,
)
from gwray.analysis.reruns import same_tasks
from gwray.analysis.scores import task_scores
from gwray.analysis.usage import spent_cell
from gwray.catalog import load_catalog, read_solutions
from gwray.errors import UsageError
from gwray.records import EpisodeRecord
from gwray.settings import axis_words, factors
from gwray.store import ManifestCell, RunManifest


def row(key, game="g", task="t", progress=0.5, **fields):
    return EpisodeRecord(key=key, game=game, task=task, model="m", progress=progress, **{"cell": "c", **fields})


def test_tasks_have_equal_weights():
    rows = [row("1", task="a", progress=1.0, success=True)]
    rows += [row(f"b{i}", task="b", progress=0.0, repeat=i) for i in range(9)]
    frame = episode_frame(rows)
    s = score(frame, plan_of(frame), "c")
    assert s.sr and s.pg
    assert (s.sr.value, s.pg.value, s.tasks) == (0.5, 0.5, 2)


def test_failed_episode_is_not_zero():
    frame = episode_frame([row("1"), row("2", task="u", progress=None, status="failed")])
    s = score(frame, plan_of(frame), "c")
    assert s.pg and s.pg.value == 0.5
    assert (s.counts.planned, s.counts.finished, s.counts.failed) == (2, 1, 1)


def test_failed_then_finished_episode_counts_once():
    frame = episode_frame([row("1", progress=None, status="failed"), row("1", progress=0.7)])
    assert frame["progress"].to_list() == [0.7]


def test_finished_episode_without_score_is_excluded():
    frame = episode_frame([row("1"), row("2", task="u", progress=None)])
    n = counts(frame, plan_of(frame), "c")
    assert (n.finished, n.excluded, n.scored, n.complete) == (2, 1, 1, False)


def test_headline_of_an_incomplete_cell_is_refused():
    full = sweep({"a": 0.4, "b": 0.5})
    plan = plan_of(full, [manifest(full)])
    part = full.filter(pl.col("key") != full["key"][0])
    by_cell = {r.cell.model: r for r in main_table(part, plan)}
    assert by_cell["a"].refused and by_cell["a"].pg is None and by_cell["a"].rank is None
    assert by_cell["a"].iar is None
    assert "169 of 170" in by_cell["a"].note
    asked = {r.cell.model: r for r in main_table(part, plan, allow_incomplete=True)}
    assert asked["a"].pg and "incomplete" in asked["a"].note


def test_missing_episodes_of_a_genre_are_counted():
    full = sweep({"a": 0.4})
    plan = plan_of(full, [manifest(full)])
    part = full.filter(pl.col("task") != full["task"][0])
    arcade = next(s for s in scores_by(part, plan, "genre") if s.group == "arcade")
    assert (arcade.counts.planned, arcade.counts.missing) == (35, 1)
    assert counts(part, plan, "a-semantic", genre="arcade") == arcade.counts
    g = grid(part, plan, "genre")
    assert g.pg[0][g.groups.index("arcade")] is None and g.pg[0][g.groups.index("puzzle")] is not None


def test_unplayed_game_leaves_every_genre_incomplete():
    full = sweep({"a": 0.4})
    plan_file = [manifest(full)]
    part = full.filter(pl.col("game") != full["game"][0])  # no episode of this game says that it is an arcade game
    plan = plan_of(part, plan_file)
    by_genre = {s.group: s.counts for s in scores_by(part, plan, "genre")}
    assert by_genre["arcade"].missing == 5 and not by_genre["arcade"].complete
    assert not by_genre["puzzle"].complete, "the unplayed game may be a puzzle"
    assert by_genre["puzzle"] == counts(part, plan, "a-semantic", genre="puzzle")
    assert all(e is None for e in grid(part, plan, "genre").pg[0]) and grid(part, plan, "level").groups == tuple(
        "12345"
    )
    assert [e is None for e in grid(part, plan, "game").pg[0]] == [True] + 33 * [False]


def test_weighted_genres_give_the_overall_score():
    frame = sweep({"a": 0.4})
    plan = plan_of(frame)
    parts = [s for s in scores_by(frame, plan, "genre") if s.pg]
    overall = score(frame, plan, "a-semantic").pg
    assert overall
    assert sum(s.pg.value * s.tasks for s in parts if s.pg) / 170 == pytest.approx(overall.value)
    assert [s.tasks for s in parts] == [35, 40, 35, 40, 20]


def test_rerun_sd_is_of_full_averages():
    frame = sweep({"a": 0.4}, repeats=4)
    x = frame.group_by("repeat").agg(pl.col("progress").mean()).sort("repeat")["progress"].to_numpy()
    r = reruns(frame, plan_of(frame), "a-semantic", "pg")
    assert r.averages == pytest.approx(tuple(x))
    assert r.sd == pytest.approx(np.std(x, ddof=1)) and r.mean == pytest.approx(x.mean())
    # The noise of an episode is 0.08, clipped and rounded up at success.


def test_one_repeat_has_no_spread():
    frame = sweep({"a": 0.4})
    r = reruns(frame, plan_of(frame), "a-semantic", "sr")
    assert r.mean is not None and r.sd is None


def test_incomplete_repeat_is_skipped_and_counted():
    full = sweep({"a": 0.4}, repeats=3)
    plan = plan_of(full, [manifest(full)])
    frame = full.filter(~((pl.col("repeat") == 1) & (pl.col("task") == full["task"][0])))
    r = reruns(frame, plan, "a-semantic", "pg")
    assert (r.repeats, r.incomplete) == (2, 1)
    never = full.filter(pl.col("task") != full["task"][0])
    r = reruns(never, plan, "a-semantic", "pg")
    assert (r.repeats, r.incomplete, r.mean) == (0, 3, None), "a task that failed in every repeat was still planned"
    late = full.filter(pl.col("repeat") < 2)
    assert (reruns(late, plan, "a-semantic", "pg").repeats, reruns(late, plan, "a-semantic", "pg").incomplete) == (2, 1)


def test_seeds_count_as_repeats():
    parts = [sweep({"a": 0.4}, seed=n).with_columns(seed=pl.lit(n, pl.Int64)) for n in (1, 2, 3)]
    frame = pl.concat(parts)
    r = reruns(frame, plan_of(frame), "a-semantic", "pg")
    assert r.repeats == 3 and r.averages == pytest.approx([p["progress"].mean() for p in parts])


@pytest.mark.parametrize(("given", "words"), [
    ({"observation.views": "", "observation.text": True}, ("text",)),
    ({"observation.views": "", "observation.text": "True", "observation.format": "png"},
     ("text", "format png")),
    ({"observation.text": True, "timing": "realtime"}, ("pictures + text", "real time")),
    ({"observation.views": ""}, ("views none",)),
])  # fmt: skip
def test_settings_read_as_words(given, words):
    """An observation is named by the file that has most of its settings, given as values or as text."""
    assert axis_words(given) == words


def test_default_observation_is_named_beside_others():
    rows = [row("1"), row("2", cell="d")]
    cells = (ManifestCell(id="c", axes={}), ManifestCell(id="d", axes={"observation.text": True}))
    plan = plan_of(episode_frame(rows), [RunManifest(cells=cells)])
    assert [c.name for c in plan.cells.values()] == ["m · pictures", "m · pictures + text"]
    assert factors(plan.cells.values())["observation"] == {"c": "image", "d": "both"}


def test_mean_near_zero_keeps_the_information_of_its_episodes():
    """Four values just above 0 are worth four losses at least; the floor of their error must not make them fewer."""
    low, high = (
        (i.low, i.high) for i in (same_tasks([0] * 4, [0, 0, 1, 1]), same_tasks([0.01, 0, 0, 0], [0, 0, 1, 1]))
    )
    assert high[1] is not None and low[1] is not None and high[1] < low[1] + 0.25


def test_equal_cell_names_get_their_differences():
    frame = episode_frame([row("1", cell="x"), row("2", cell="y"), row("3", cell="z")])
    specs = [{"model": {"name": "m", "sampling": {"temperature": t}}} for t in (0.0, 0.7)]
    cells = [ManifestCell(id=i, model="m", spec=s) for i, s in zip("xy", specs, strict=True)]
    named = plan_of(frame, [RunManifest(cells=(*cells, ManifestCell(id="z", model="other")))]).cells
    assert [c.name for c in named.values()] == ["m · temperature 0.0", "m · temperature 0.7", "other"]
    unsaid = plan_of(frame, [RunManifest(cells=tuple(ManifestCell(id=i, model="m") for i in "xyz"))]).cells
    assert [c.name for c in unsaid.values()] == ["m · x", "m · y", "m · z"]


def test_people_and_state_readers_are_not_ranked():
    frame = pl.concat(
        [
            sweep({"a": 0.3, "b": 0.5}),
            sweep({"human": 0.9}, interface="human"),
            sweep({"scripted": 0.95}, sees_state=True),
        ]
    )
    rows = main_table(frame)
    assert [(r.cell.model, r.rank) for r in rows] == [("b", 1), ("a", 2), ("scripted", None), ("human", None)]
    assert "state" in rows[2].note and "person" in rows[3].note


def test_cells_with_screen_text_are_ranked_separately():
    with_text = sweep({"b": 0.6, "c": 0.7}, sees_text=True).with_columns(
        key=pl.col("key") + "t", cell=pl.col("cell") + "-told"
    )
    rows = main_table(pl.concat([sweep({"a": 0.3, "b": 0.5}), with_text]))
    assert [(r.cell.id, r.rank, r.rank_interval[0]) for r in rows] == [
        ("b-semantic", 1, 1), ("a-semantic", 2, 2), ("c-semantic-told", 1, 1), ("b-semantic-told", 2, 2)
    ]  # fmt: skip
    assert "sees text" in rows[2].note and not rows[0].note


def test_ties_share_a_rank():
    frame = pl.concat([sweep({"a": 0.5}, seed=1), sweep({"b": 0.5}, seed=1), sweep({"c": 0.2}, seed=1)])
    rows = {r.cell.model: r for r in main_table(frame)}
    assert [rows[m].rank for m in "abc"] == [1, 1, 3]
    assert [rows[m].rank_interval[0] for m in "abc"] == [1, 1, 3]


def test_rates_are_per_step_and_cost_is_per_task():
    frame = sweep({"a": 0.4}, repeats=2)
    u = usage(frame, plan_of(frame), "a-semantic")
    assert u.iar == pytest.approx(3 * 340 / frame["proposals"].sum())
    assert u.input_tokens == pytest.approx(200_000 * 340 / frame["steps"].sum())
    assert u.task_usd == pytest.approx(0.5)
    assert u.spent_usd == pytest.approx(170.0)
    assert u.seconds_per_step == pytest.approx(20.0 * 340 / frame["steps"].sum())


def test_action_efficiency_compares_successes_with_the_best_known_solution():
    """Solutions of another version of a game say nothing about the played one."""
    games = load_catalog().games.values()
    best = {t: s.steps for g in games for t, s in read_solutions(g).items()}
    game_of = {t.id: g.id for g in games for t in g.tasks}
    frame = sweep({"a": 0.9, "b": 0.0}).with_columns(pl.col("task").replace_strict(game_of).alias("game"))
    won = frame.filter(pl.col("success") & (pl.col("cell") == "a-semantic"))
    shares = [best[t] / n for t, n in won.select("task", "steps").iter_rows()]
    played = manifest(frame).model_copy(update={"games": {g.id: g.files_hash for g in games}})
    (row,) = (r for r in main_table(frame, [played]) if r.cell.model == "a")
    assert shares and row.efficiency == pytest.approx(np.mean(shares))
    changed = played.model_copy(update={"games": dict.fromkeys(played.games, "0")})
    for unknown in ([changed], [played, changed], []):
        assert usage(frame, plan_of(frame, unknown), "a-semantic").efficiency is None
    lost = frame.with_columns(success=False)
    assert usage(lost, plan_of(lost, [played]), "a-semantic").efficiency is None


def test_hosted_models_cost_gpu_hours_which_their_cells_share_by_tokens():
    frame = sweep({"a": 0.4, "b": 0.4}).with_columns(
        cost_usd=pl.when(pl.col("model") == "b").then(0.001), model=pl.lit("m"),
        input_tokens=pl.when(pl.col("model") == "a").then(300).otherwise(100), output_tokens=0,
    )  # fmt: skip
    engines = ({"model": "m", "gpu_hours": 6.0}, {"model": "m", "error": "no GPU"}, {"model": "x", "gpu_hours": "y"})
    plan = plan_of(frame, [manifest(frame).model_copy(update={"engines": engines})])
    a, b = (usage(frame, plan, f"{x}-semantic") for x in "ab")
    assert (a.gpu_hours, b.gpu_hours) == (pytest.approx(4.5), pytest.approx(1.5))
    assert [spent_cell(x).text for x in (a, b)] == ["4.5 GPU-hours", "1.5 GPU-hours + $0.17"]
    unpriced = replace(a, gpu_hours=0.0)
    assert spent_cell(unpriced).text == "price unknown" and spent_cell(b, unpriced).text == "1.5 GPU-hours + ≥ $0.17"


@pytest.mark.parametrize(
    ("timing", "charged_ms", "thinking", "turn"), [("paused", 0.0, 150.0, 170.0), ("realtime", 12_000.0, 12.0, 20.0)]
)
def test_thinking_takes_as_long_as_the_game_waits_for_it(timing, charged_ms, thinking, turn):
    frame = sweep({"a": 0.4}, timing=timing, latency="fixed:100", charged_ms=charged_ms)
    u, episodes = usage(frame, plan_of(frame), "a-semantic"), len(frame) / frame["steps"].sum()
    assert (u.thinking_s, u.turn_s) == pytest.approx((thinking * episodes, turn * episodes))


def test_unknown_price_has_no_cost():
    frame = sweep({"a": 0.4}).with_columns(
        pl.when(pl.col("task") == "01_01").then(None).otherwise("cost_usd").alias("cost_usd")
    )
    u = usage(frame, plan_of(frame), "a-semantic")
    assert u.task_usd is None and u.unpriced == 1


def test_no_rows_give_no_table():
    assert main_table(episode_frame([])) == []


def test_live_means_equal_the_table_in_any_order():
    frame = sweep({"a": 0.6}, repeats=3, n_games=4).sample(fraction=0.7, seed=1, shuffle=True)
    means = TaskMeans()
    for r in frame.to_dicts():
        means.add(f"{r['game']}/{r['task']}", float(r["success"]), r["progress"])
    tasks = task_scores(frame)
    assert means.sr == pytest.approx(tasks["sr"].mean()) and means.pg == pytest.approx(tasks["pg"].mean())
    assert means.pg != pytest.approx(frame["progress"].mean(), abs=1e-9), "tasks weigh equally, not episodes"


@pytest.mark.parametrize("progress", [float("nan"), float("inf"), -float("inf")])
def test_impossible_progress_is_refused(progress):
    rows = [row("fine"), row("odd", progress=progress)]
    with pytest.raises(UsageError, match=rf"episode 'odd'.*progress {progress:g}; allowed is a finite number"):
        episode_frame(rows)


def test_row_without_game_is_refused():
    with pytest.raises(UsageError, match=r"episode 'odd'.*no game; allowed is the name of the game"):
        episode_frame([row("fine").model_dump(), {**row("odd").model_dump(), "game": None}])


@pytest.mark.parametrize(("values", "least", "most"), [
    ((0.0, 0.1, 9.0, 0.2), 0, np.inf), ((0.0, 0.1, 1.0, 0.2), 0, 1), ((-0.5, 0.1, 9.0, 0.2), -np.inf, np.inf),
])  # fmt: skip
def test_intervals_end_at_possible_values(values, least, most):
    """Progress without a cap has no negative interval if it has no negative value; ends of bounded progress are
    probabilities. All estimates of a cell and of a pair keep to it."""
    rows = [
        row(f"{cell}{g}{r}", game=f"g{g}", task=f"t{g}", progress=x * (1 + r * (x > 1)), cell=cell, repeat=r)
        for cell, order in (("c", values), ("d", values[::-1])) for g, x in enumerate(order) for r in (0, 1)
    ]  # fmt: skip
    frame = episode_frame(rows)
    plan = plan_of(frame)
    s, (pair,) = score(frame, plan, "c"), compare_all(frame, plan)
    for found in (s.pg, s.pg_games):
        assert found and found.low is not None and found.high is not None
        assert least <= found.low and found.high <= most
    assert s.pg_games and s.pg_games.low is not None and (s.pg_games.low < 0) == (least < 0)
    for found in (pair.difference, pair.games):
        assert found.low is not None and found.high is not None
        assert least - most <= found.low <= found.value <= found.high <= most - least


def test_uncapped_progress_interval_exceeds_one():
    frame = sweep({"a": 0.9}).with_columns(progress=pl.col("progress") * 2)
    pg = score(frame, plan_of(frame), "a-semantic").pg
    assert pg and pg.high is not None and pg.high > 1
