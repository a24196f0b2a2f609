"""`gwray dev library check` finds games whose states depend on more than their inputs."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from environments.conftest import world
from environments.grid_world import GridWorld

from gwray.catalog import load_catalog
from gwray.plugins.authoring.repeatability import check_repeatability


async def test_game_with_hidden_input_is_found_and_others_pass(monkeypatch):
    """A counter over all plays stands for real time."""
    read, plays = GridWorld.read, count()

    async def read_clock(self: GridWorld):
        return replace(await read(self), state_hash=str(next(plays)))

    (same,) = await check_repeatability([world("grid")], steps=4)
    monkeypatch.setattr(GridWorld, "read", read_clock)
    (other,) = await check_repeatability([world("grid")], steps=4)
    assert same.ok and same.verdict == "repeatable"
    assert not other.ok and other.verdict == "different"


@pytest.mark.slow
async def test_bundled_game_is_repeatable_under_load():
    (result,) = await check_repeatability([load_catalog().game("13_flappy-bird")], steps=5)
    assert result.verdict == "repeatable"


async def test_results_come_in_batches(monkeypatch):
    """Games are compared a few at a time, so that an interruption loses few plays."""
    played, order = [], []
    note = {"on_played": played.append, "on_checked": lambda _: order.append(len(played))}
    await check_repeatability([world("grid")] * 5, steps=2, **note)
    assert order == [8] * 4 + [10]
