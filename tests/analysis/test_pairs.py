"""Paired comparisons against independent implementations."""

import itertools
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from errorbars.compare import paired_compare
from errorbars.leaderboard import holm_correction
from scipy.special import stdtrit
from scipy.stats import binomtest, permutation_test
from statsmodels.stats.multitest import multipletests
from synthetic_sweep import manifest, sweep

from gwray.analysis import PlannedTasks, ablations, compare, compare_all, episode_frame, main_table, plan_of
from gwray.analysis.pairs import holm, rank_intervals, ranks
from gwray.analysis.sign_flip import sign_flip
from gwray.store import ManifestCell


@pytest.fixture(scope="module")
def two():
    return sweep({"a": 0.45, "b": 0.40})


def test_difference_equals_errorbars_except_df(two):
    own = pl.when((pl.col("model") == "b") & (pl.col("level") > 2)).then(0.2).otherwise(0.0)
    two = two.with_columns(progress=pl.col("progress") - own)
    c = compare(two, "a-semantic", "b-semantic")
    assert c
    tasks = two.pivot("model", index=["game", "task"], values="progress")
    theirs = paired_compare(tasks["a"].to_numpy(), tasks["b"].to_numpy(), clusters=tasks["game"].to_numpy())
    assert c.difference.value == pytest.approx(theirs.mean_diff)
    assert c.games.se == pytest.approx(theirs.se_clustered)
    t = stdtrit(c.games.df, 0.975) / stdtrit(33, 0.975)
    half = (theirs.ci_high_clustered - theirs.ci_low_clustered) / 2 * t
    assert c.games.low == pytest.approx(theirs.mean_diff - half, abs=1e-6)
    # Made differently, and of one mind where games are many and no more than a little skewed.
    assert c.p_games == pytest.approx(theirs.p_value_clustered, abs=0.01)


@pytest.mark.parametrize("games", [1, 2, 5, 8, 11])
def test_sign_flip_counts_every_choice_of_signs(games):
    rng = np.random.default_rng(games)
    for s in (rng.normal(0.4, 1, games), rng.integers(-2, 3, games) / 10):
        all_ways = [abs(np.dot(s, signs)) for signs in itertools.product((1, -1), repeat=games)]
        assert sign_flip(s) == pytest.approx(np.mean(np.array(all_ways) >= abs(s.sum()) - 1e-12))
        theirs = permutation_test(  # takes two games at least
            (np.append(s, 0.0),),
            lambda x, axis: x.sum(axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=True,
        )
        assert sign_flip(s) == pytest.approx(theirs.pvalue)


def test_sign_flip_is_exact_up_to_34_games():
    rng = np.random.default_rng(3)
    s = rng.normal(0.25, 1, 34)
    draws = rng.integers(0, 2, (40_000, 34)) * 2.0 - 1
    share = (np.abs(draws @ s) >= abs(s.sum())).mean()
    assert sign_flip(s) == pytest.approx(share, abs=4 * np.sqrt(share / 40_000))
    more = np.append(s, 1e-3)  # a 35th game that hardly counts
    assert sign_flip(more) == sign_flip(more) == pytest.approx(sign_flip(s), abs=0.005)
    assert sign_flip(np.ones(60)) == pytest.approx(1 / 100_001), "no p is 0"
    assert sign_flip(np.zeros(34)) == 1.0 and sign_flip([]) == 1.0


def test_false_positives_with_game_effects():
    """Each player is at home in some games: the tasks of a game go one way, and an exact test over tasks is fooled."""
    rng = np.random.default_rng(8)
    alarms = fooled = 0
    for _ in range(300):
        chance = 1 / (1 + np.exp(-2.0 * rng.normal(size=(2, 12, 1))))
        wins = rng.binomial(1, chance, (2, 12, 5))
        d = wins[0] - wins[1]
        alarms += sign_flip(d.sum(axis=1)) <= 0.05
        better, worse = int((d > 0).sum()), int((d < 0).sum())
        fooled += binomtest(better, max(1, better + worse)).pvalue <= 0.05
    assert alarms <= 27  # 15 expected of 300; more than 27 has a chance of 1 in 1,000
    assert fooled > 50


def test_repeats_count_once_in_the_success_test():
    one = [("a", 1, [1, 1, 1]), ("b", 0, [0, 0, 0])]
    rows = [
        {"key": f"{m}{r}", "cell": m, "game": "g", "task": "t", "repeat": r, "progress": x, "success": bool(x),
         "status": "finished"}
        for m, _, xs in one for r, x in enumerate(xs)
    ]  # fmt: skip
    c = compare(episode_frame(rows), "a", "b")
    assert c and (c.better, c.worse) == (1, 0)
    assert c.p_games is None and not c.significant  # one game: no test


def test_unmatched_episodes_are_skipped_and_counted(two):
    part = two.filter(~((pl.col("model") == "b") & (pl.col("game") == two["game"][0])))
    c = compare(part, "a-semantic", "b-semantic")
    assert c and (c.matched, c.unmatched, c.difference.n) == (165, 5, 165)
    assert compare(two.with_columns(seed=pl.col("model").hash() % 99), "a-semantic", "b-semantic") is None


def test_all_pairs_are_corrected_together():
    frame = sweep({"a": 0.5, "b": 0.48, "c": 0.3, "d": 0.47})
    plan = plan_of(frame)
    pairs = compare_all(frame, plan)
    assert len(pairs) == 6
    p = [c.p for c in pairs if c.p is not None]
    assert [c.p_holm for c in pairs] == pytest.approx(holm_correction(p))
    assert [c.p_games_holm for c in pairs] == pytest.approx(holm([c.p_games for c in pairs]))
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1]) and holm([]) == []


def test_identical_cells_and_constant_shift():
    rows = []
    for m, shift in (("a", 0.0), ("b", 0.0), ("c", 0.1)):
        for g in range(10):
            rows.append({"key": f"{m}{g}", "cell": m, "game": f"g{g}", "task": "t", "progress": 0.2 + shift,
                         "status": "finished"})  # fmt: skip
    frame = episode_frame(rows)
    same, shifted = compare(frame, "a", "b"), compare(frame, "c", "a")
    assert same and same.p == 1.0 and not same.significant
    assert shifted and shifted.p_games == pytest.approx(2 * 0.5**10)


def test_pairs_are_corrected_with_what_they_are_ranked_with():
    """Two interfaces of three models: two families of three pairs, and the nine pairs across them."""
    parts = [sweep({"a": 0.5, "b": 0.46, "c": 0.44}, interface=i, seed=n) for n, i in enumerate(("semantic", "cua"))]
    frame = pl.concat(parts)
    pairs = compare_all(frame, plan_of(frame))
    inside = [c for c in pairs if c.a.endswith("semantic") and c.b.endswith("semantic")]
    across = [c for c in pairs if c.a.endswith("semantic") != c.b.endswith("semantic")]
    for family, size in ((inside, 3), (across, 9)):
        assert len(family) == size and [c.p_holm for c in family] == pytest.approx(holm([c.p for c in family]))


def test_genre_has_a_comparison_of_its_own():
    frame = sweep({"a": 0.5, "b": 0.4})
    shift = pl.when((pl.col("genre") == "puzzle") & (pl.col("model") == "b")).then(0.4).otherwise(0.0)
    frame = frame.with_columns(progress=(pl.col("progress") + shift).clip(0, 1))
    overall, puzzle = (
        compare(frame, "a-semantic", "b-semantic"),
        compare(frame, "a-semantic", "b-semantic", genre="puzzle"),
    )
    assert overall and puzzle and overall.difference.n == 170 and puzzle.difference.n == 35
    assert puzzle.difference.value < 0 and puzzle.p_games == pytest.approx(2 / 2**7)
    assert compare(frame, "a-semantic", "b-semantic", genre="chess") is None


def test_rank_intervals_have_both_ends():
    frame = sweep({"a": 0.6, "b": 0.59, "c": 0.3, "d": 0.31})
    cells = [f"{m}-semantic" for m in "abcd"]
    found = rank_intervals(cells, compare_all(frame, plan_of(frame)))
    assert list(found.values()) == [(1, 2), (1, 2), (3, 4), (3, 4)]
    assert rank_intervals(cells, []) == dict.fromkeys(cells, (1, 4))


@pytest.mark.parametrize("games", [3, 6, 34])
def test_a_third_cell_changes_nothing_between_two(games):
    frame = sweep({"a": 0.5, "b": 0.48}, n_games=games, repeats=3)
    few = sweep({"c": 0.3}, n_games=min(games, 5), repeats=3)
    two, three = compare_all(frame, plan_of(frame)), compare_all(both := pl.concat([frame, few]), plan_of(both))
    (pair,) = (c for c in three if {c.a, c.b} == {"a-semantic", "b-semantic"})
    assert replace(pair, p_holm=None, p_games_holm=None) == replace(two[0], p_holm=None, p_games_holm=None)
    assert (pair.p_games is None) == (games < 6) == pair.elsewhere.startswith("not known from")
    assert pair.games.low is None or pair.games.low <= pair.difference.low < pair.difference.high <= pair.games.high


def test_copies_are_no_repeats():
    """Three copies of each episode of two players: no interval and no test; one of another length is no copy."""
    one = sweep({"a": 0.6, "b": 0.3}, n_games=4).with_columns(state_chain=pl.col("key"), output_tokens=pl.lit(9))
    copies = pl.concat([one.with_columns(repeat=pl.lit(r, pl.Int64), key=pl.col("key") + str(r)) for r in range(3)])
    (c,) = compare_all(copies, plan_of(copies))
    a, _ = main_table(copies)
    assert a.sr.low is None and a.sr.method == c.difference.method == "3 repeats, 1 distinct"
    assert c.p is None and not c.significant and a.rank_text == "1–2"
    (c,) = compare_all(frame := copies.with_columns(output_tokens=pl.col("repeat")), plan_of(frame))
    assert c.difference.low is not None and c.p is not None


def test_equal_values_share_the_better_rank():
    assert ranks([0.3, 0.5, None, 0.5, 0.1]) == [3, 1, None, 1, 4]


def test_family_wise_false_positives_below_five_percent():
    alarms = 0
    for seed in range(30):
        frame = sweep(dict.fromkeys("abc", 0.4), seed=seed, n_games=10, tasks_per_game=3)
        alarms += any(c.significant for c in compare_all(frame, plan_of(frame)))
    assert alarms <= 5  # 5 % of 30 is 1.5; more than 5 has a chance below 1 %


def studied(**cells: dict) -> tuple[pl.DataFrame, PlannedTasks]:
    """One player, a cell for each keyword, which says its `axes`; `level` is how well it plays."""
    parts, stored = [], {}
    for name, facts in cells.items():
        given = {k: facts[k] for k in ("axes", "spec") if k in facts}
        stored[name] = given
        part = sweep({"a": facts.get("level", 0.4)}, cell=name, n_games=6)
        parts.append(part.with_columns(key=pl.col("key") + name))
    frame = pl.concat(parts)
    listing = manifest(frame)
    cells = tuple(ManifestCell(**{**cell.stored(), **stored[cell.id]}) for cell in listing.cells)
    return frame, plan_of(frame, [listing.model_copy(update={"cells": cells})])


def charged(ms: int) -> dict:
    return {"timing": "realtime", "timing.latency": f"fixed:{ms}"}


def test_axis_compares_with_first_value_and_has_a_curve():
    parts = [
        sweep({"a": 0.4 - 0.1 * n}, memory_rounds=n, cell=f"m{n}", n_games=10).with_columns(key=pl.col("key") + f"m{n}")
        for n in (0, 2)
    ]
    parts += [
        sweep({"a": 0.5 - ms / 5000}, timing="realtime", latency=f"fixed:{ms}", cell=f"l{ms}", n_games=10)
        .with_columns(key=pl.col("key") + f"l{ms}")
        for ms in (0, 1000, 250)
    ]  # fmt: skip
    frame = pl.concat(parts)
    plan = plan_of(frame)
    found = {a.axis: a for a in ablations(frame, plan)}
    rows = found["memory_rounds"].rows
    assert [r.value for r in rows] == [0, 2]
    assert rows[0].against_base is None
    assert rows[1].against_base and rows[1].against_base.difference.value == pytest.approx(-0.2, abs=0.04)
    assert [p.x for p in found["memory_rounds"].points] == [0.0, 2.0]
    assert [p.x for p in found["timing"].points] == [0.0, 0.0, 0.25, 1.0], "seconds; a paused game charges none"
    assert {r.cell for r in found["timing"].rows} == {"m0", "l0", "l250", "l1000"}


def test_paused_cell_is_zero_of_the_latency_curve():
    frame, plan = studied(
        paused={},
        slow={"axes": charged(500)},
        remembers={"axes": {"memory_rounds": 2}},
        half={"axes": {"action.hold_scale": 0.5}},
    )
    found = {a.axis: a for a in ablations(frame, plan)}
    assert [(p.cell, p.x) for p in found["timing"].points] == [("paused", 0.0), ("slow", 0.5)]
    holds = found["action.hold_scale"]
    assert [(p.cell, p.x) for p in holds.points] == [("half", 0.5), ("paused", 1.0)]


def test_settings_of_a_model_have_separate_curves():
    png, cool = {"observation.format": "png"}, {"spec": {"model": {"sampling": {"temperature": 0.0}}}}
    frame, plan = studied(
        a={"axes": charged(250)}, b={"axes": charged(1000)}, c={"axes": charged(250) | png},
        d={"axes": charged(1000) | png}, e={"axes": charged(250), **cool}, f={"axes": charged(1000), **cool},
        g={"axes": charged(1000) | png | {"observation.quality": 10}},
    )  # fmt: skip
    curves: dict[str, list[str]] = {}
    for p in next(a for a in ablations(frame, plan) if a.axis == "timing.latency").points:
        curves.setdefault(p.player, []).append(p.cell)
    assert curves == {
        "a · named controls": ["a", "b"],
        "a · named controls · format png": ["c", "d"],
        "a · named controls (2)": ["e", "f"],
    }


def test_settings_of_a_preset_are_one_axis():
    plans = {"agent": "planning", "agent.models.planner": "gpt-5.2"}
    frame, plan = studied(direct={}, plans={"axes": plans}, reflects={"axes": {"agent": "reflection"}})
    (agents,) = ablations(frame, plan)
    values = {r.cell: r.value for r in agents.rows}
    assert agents.axis == "agent" and agents.points == ()
    assert values == {
        "direct": "direct", "plans": "agent planning · planner gpt-5.2", "reflects": "agent reflection"
    }  # fmt: skip
    assert agents.rows[0].cell == "direct", "what says nothing is the base"


def test_unknown_axis_has_names_table_and_curve():
    frame, plan = studied(clear={}, thin={"axes": {"fog": 1}}, thick={"axes": {"fog": 2.5}, "level": 0.2})
    assert [c.name for c in plan.cells.values()] == ["a", "a · fog 1", "a · fog 2.5"]
    (fog,) = ablations(frame, plan)
    assert (fog.axis, [(r.cell, r.value) for r in fog.rows]) == ("fog", [("clear", None), ("thin", 1), ("thick", 2.5)])
    assert [(p.cell, p.x) for p in fog.points] == [("thin", 1.0), ("thick", 2.5)]


def test_differences_along_one_axis_are_corrected_together():
    frame, plan = studied(**{f"m{n}": {"axes": {"memory_rounds": n}, "level": 0.4 - n / 50} for n in (0, 1, 2)})
    (memory,) = ablations(frame, plan)
    compared = [r.against_base for r in memory.rows if r.against_base]
    assert len(compared) == 2 and memory.rows[0].against_base is None
    assert [c.p_holm for c in compared] == pytest.approx(holm([c.p for c in compared if c.p is not None]))
    assert compared[0].p_holm != compared[0].p or compared[1].p_holm != compared[1].p
