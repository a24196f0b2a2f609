"""The committed solutions lead every game through the states that were recorded.

`state_chains.json` has the hash over all states of each task's solution. It is recorded again, for exactly the games
that change, in the commit that changes their rules. Nothing else may change it: no clock, loop or other browser.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gwray.catalog import load_catalog, read_solutions
from gwray.plugins.authoring.check import check_solutions

KEPT = json.loads((Path(__file__).parent / "state_chains.json").read_text())
QUICK = ("13_01", "13_02")
PARTS = 6
"""Parts of the library, replayed in parallel."""
GAMES = list({g.id: g for g, _ in load_catalog().select(["all"], ["all"])}.values())


async def test_quick_solutions_lead_through_the_same_states():
    game = load_catalog().game("13_flappy-bird")
    found = {done.task: done.state_chain for done in await check_solutions([game], tasks=QUICK)}
    assert found == {task: KEPT[task] for task in QUICK}


@pytest.mark.slow
async def test_one_solution_of_each_game_leads_through_the_same_states():
    """The shortest solution of each game."""
    tasks = [min(read_solutions(g).items(), key=lambda s: s[1].steps)[0] for g in GAMES]
    found = {done.task: done.state_chain for done in await check_solutions(GAMES, tasks=tasks)}
    assert found == {task: KEPT[task] for task in tasks}


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.parametrize("part", range(PARTS))
async def test_all_170_solutions_lead_through_the_same_states(part: int):
    games = GAMES[part::PARTS]
    found = {done.task: done.state_chain for done in await check_solutions(games)}
    assert found == {task.id: KEPT[task.id] for game in games for task in game.tasks}


def test_of_all_170_tasks_the_states_are_kept():
    assert set(KEPT) == {task.id for _, task in load_catalog().select(["all"], ["all"])} and len(KEPT) == 170
