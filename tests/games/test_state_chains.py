"""The committed solutions make of every game what they made when they were recorded, state by state.

`state_chains.json` has the hash over all states of each task's solution. It is recorded anew, for exactly the games
that change, in the commit that changes their rules; nothing else may move it: no clock, no loop, no other browser.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gwray.authoring import check_solutions
from gwray.catalog import load_catalog

KEPT = json.loads((Path(__file__).parent / "state_chains.json").read_text())
QUICK = ("13_01", "13_02")
PARTS = 6
"""Of the library, which are played beside each other."""


async def chains(*names: str) -> dict[str, str]:
    games = list({g.id: g for g, _ in load_catalog().select(names or ["all"], ["all"])}.values())
    return {done.task: done.state_chain for done in await check_solutions(games)}


async def test_quick_solutions_lead_through_the_same_states():
    game = load_catalog().game("13_flappy-bird")
    found = {done.task: done.state_chain for done in await check_solutions([game], tasks=QUICK)}
    assert found == {task: KEPT[task] for task in QUICK}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
async def test_all_170_solutions_lead_through_the_same_states(part: int):
    names = sorted({g.id for g, _ in load_catalog().select(["all"], ["all"])})[part::PARTS]
    found = await chains(*names)
    assert found == {task: KEPT[task] for task in found}
    assert {task.partition("_")[0] for task in found} == {name.partition("_")[0] for name in names}


def test_of_all_170_tasks_the_states_are_kept():
    assert set(KEPT) == {task.id for _, task in load_catalog().select(["all"], ["all"])} and len(KEPT) == 170
