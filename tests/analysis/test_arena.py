"""Ratings of players that met in matches."""

from __future__ import annotations

from itertools import combinations, permutations
from math import log10

import numpy as np
import polars as pl
import pytest

from gwray.analysis import Match, arena_verdict, arenas, rate, rating_table
from gwray.analysis.cells import Cell, PlannedTasks


def round_robin(winner, players="abcde", games=3) -> list[Match]:
    """All pairs on both sides; `winner(first, second)` is the lead of the first."""
    return [Match(i, j, winner(i, j)) for i, j in permutations(players, 2) for _ in range(games)]


def test_players_of_known_skill_come_out_in_order():
    skill = dict(zip("abcde", (4, 1, 3, 0, 2), strict=True))
    rng = np.random.default_rng(1)

    def winner(i: str, j: str) -> float:
        return 1.0 if rng.random() < 1 / (1 + 3.0 ** (skill[j] - skill[i])) else -1.0

    arena = rate(round_robin(winner, games=40))
    assert arena.players == sorted(skill, key=lambda p: -skill[p])
    assert np.mean([r.elo for r in arena.ratings]) == pytest.approx(1500)
    for better, worse in zip(arena.ratings, arena.ratings[1:], strict=False):
        assert better.elo - worse.elo == pytest.approx(400 * log10(3), abs=100)
        assert better.low < better.elo < better.high


def test_intervals_of_level_players_cover_their_rating():
    rng = np.random.default_rng(2)
    covered = [
        r.low <= 1500 <= r.high
        for _ in range(60)
        for r in rate(round_robin(lambda i, j: rng.choice([-1.0, 1.0]), "abcd")).ratings
    ]
    assert 0.9 <= np.mean(covered) <= 0.99


def test_cycle_of_three_is_level():
    beats = {("a", "b"), ("b", "c"), ("c", "a")}
    arena = rate(round_robin(lambda i, j: 1 if (i, j) in beats else -1, "abc"))
    assert [r.elo for r in arena.ratings] == pytest.approx([1500] * 3)
    assert [r.rank for r in arena.ratings] == [1, 1, 1]


def test_equal_ratings_are_ordered_by_their_own_matches():
    won = ["ab", "ad", "ca", "bc", "bd", "dc"]
    ratings = rate([Match(first, second, 1) for first, second in won]).ratings
    assert [r.player for r in ratings] == ["a", "b", "d", "c"] and [r.rank for r in ratings] == [1, 2, 3, 4]
    assert ratings[0].elo == pytest.approx(ratings[1].elo) and ratings[2].elo == pytest.approx(ratings[3].elo)


def test_perfect_record_is_finite():
    arena = rate(round_robin(lambda i, j: 1 if i < j else -1))
    best = arena.ratings[0]
    assert (best.player, best.rank, best.wins, best.losses) == ("a", 1, 24, 0)
    assert 1500 < best.low < best.elo < best.high < 4000 and (best.rank_low, best.rank_high) == (1, 2)


def test_winner_of_all_matches_leads():
    assert arena_verdict("duel", rate([Match("a", "b", 1)] * 5)).startswith(
        "duel: none of the 2 players leads; a minus"
    )
    sure = rate([Match("a", "b", 1)] * 6)
    assert arena_verdict("duel", sure).startswith(
        "duel: a leads the 2 players, ahead of b by +"
    ) and sure.p == pytest.approx(2 / 64, abs=0.01)
    gap, low, high = sure.gap
    assert 0 < low < gap < high
    flat = rate(round_robin(lambda i, j: 1), "abcde").gap
    assert flat == pytest.approx((0, -flat[2], flat[2]), abs=1e-4) and 100 < flat[2] < 300


def test_unfair_side_is_found_and_moves_no_rating():
    arena = rate(round_robin(lambda i, j: 1))
    assert arena.first_side[0] == 1 and arena.first_side[1] > 0.9
    assert [r.elo for r in arena.ratings] == pytest.approx([1500] * 5)
    fair = rate(round_robin(lambda i, j: 1 if i < j else -1))
    assert fair.first_side[1] < 0.5 < fair.first_side[2]


def test_size_of_a_lead_counts_where_the_game_says_so():
    leads = [Match("a", "b", 900), Match("b", "a", 100), Match("b", "a", 100)]
    by_sign, by_size = rate(leads), rate(leads, weighted=True)
    assert by_sign.players == ["b", "a"] and by_size.players == ["a", "b"]
    assert by_size.record("a", "b") == (1, 3, pytest.approx(700 / 3))
    assert rate([Match("a", "b", 0)], weighted=True).ratings[0].elo == pytest.approx(1500)


def test_players_without_a_common_opponent_have_no_ranking():
    arena = rate([Match("a", "b", 1)] * 6 + [Match("c", "d", 1)] * 2 + [Match("d", "c", 1)])
    assert arena.groups == [["a", "b"], ["c", "d"]]
    assert arena_verdict("duel", arena) == (
        "duel: no common ranking, because no matches connect these players: a, b; c, d."
    )
    table = rating_table("duel", arena)
    assert "No matches connect a, b; c, d: ranks hold within a group only." in table.note
    cells = {str(row[1]): row[2] for row in table.rows}
    assert cells["a"].text.startswith("> ") and cells["a"].sub == "won all" and cells["a"].raw[2] is None
    assert cells["b"].text.startswith("< ") and "–" in cells["c"].sub


def test_draws_are_half_wins():
    [first, second] = rate([Match("a", "b", 0)] * 4).ratings
    assert (first.elo, first.draws, first.rank, second.rank) == (pytest.approx(1500), 4, 1, 1)


def test_missing_matches_leave_no_result_and_are_counted():
    """Otherwise the advantage of one side would be the lead of the player that has met the other one there."""
    profiles = [{"name": name} for name in "xy"]
    specs = {f"{a['name']}{b['name']}": {"model": a, "roles": {"right": b}} for a, b in permutations(profiles)}
    cells = {id: Cell(id, id, id[0], "semantic", {}, spec=spec) for id, spec in specs.items()}
    rows = pl.DataFrame(
        {"key": f"{c}{r}", "cell": c, "game": "duel", "task": "d1", "status": "finished", "progress": 0.0,
         "metrics.versus.lead": 1.0, "metrics.versus.weighted": 0.0, "state_chain": f"{c}{r}"}
        for c in cells for r in range(2)
    )  # fmt: skip
    plan = PlannedTasks(cells, rows.select("key", "cell", "game"))
    [complete] = arenas(rows, plan).values()
    [partial] = arenas(rows.filter(pl.col("cell") == "xy"), plan).values()
    assert "x minus y = +0 Elo" in arena_verdict("duel", complete)
    assert "every pair plays on both sides" in rating_table("duel", complete).note
    missing = "2 of 4 planned matches have no result"
    assert arena_verdict("duel", partial) == f"duel: no result, since {missing}."
    assert f"Incomplete: {missing}" in rating_table("duel", partial).note
    assert "unequal numbers of matches on the two sides: x – y 2 and 0" in rating_table("duel", partial).note


def test_matches_of_a_frame_become_an_arena_for_each_game_and_setting():
    def cell(id: str, first: str, second: str, **axes) -> Cell:
        profiles = [{"name": name, "label": name.upper()} for name in (first, second)]
        spec = {"model": profiles[0], "roles": {"right": profiles[1]}}
        return Cell(id, id, first, "semantic", axes, spec=spec)

    cells = [cell(f"{i}{j}", i, j) for i, j in permutations("xyz", 2)] + [cell("deep", "x", "y", agent="planning")]
    rows = [
        {"key": f"{c.id}{r}", "cell": c.id, "game": "duel", "task": "d1", "status": "finished", "progress": 0.0,
         "metrics.versus.lead": 1.0 if c.id[0] < c.id[-1] else -1.0, "metrics.versus.weighted": 0.0,
         "state_chain": f"{c.id}{r}"}
        for c in cells for r in range(2)
    ]  # fmt: skip
    rows[0] |= {"status": "failed", "progress": None, "metrics.versus.lead": None}
    found = arenas(pl.DataFrame(rows), PlannedTasks({c.id: c for c in cells}, pl.DataFrame()))
    assert list(found) == ["duel", "duel · agent planning"]
    assert len(found["duel"].matches) == 11, "a failed match is no result"
    assert found["duel"].players == ["X", "Y", "Z"], "a player has one label on both sides"
    alike = pl.DataFrame(rows).with_columns(state_chain=pl.col("cell"))
    once = arenas(alike, PlannedTasks({c.id: c for c in cells}, pl.DataFrame()))["duel"]
    assert (len(once.matches), once.copies) == (6, 5), "a copy of a match says nothing new"
    assert "5 more matches repeat one of these" in rating_table("duel", once).note
    assert arenas(pl.DataFrame(rows).drop("metrics.versus.lead"), PlannedTasks({}, pl.DataFrame())) == {}


def test_twenty_players_are_rated_in_order():
    order = [f"p{n:02}" for n in range(20)]
    assert rate([Match(i, j, 1) for i, j in combinations(order, 2)]).players == order
