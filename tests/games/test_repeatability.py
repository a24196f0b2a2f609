"""`gwray library check` finds games whose states depend on more than their inputs."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from environments.conftest import world
from environments.grid_world import GridWorld

from gwray.authoring import Repeatability, check_repeatability
from gwray.catalog import load_catalog
from gwray.cli import library


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


async def test_bundled_game_is_repeatable_under_load():
    (result,) = await check_repeatability([load_catalog().game("13_flappy-bird")], steps=5)
    assert result.verdict == "repeatable"


def test_interrupted_check_prints_its_results_and_the_command_for_the_rest(monkeypatch, capsys):
    async def interrupted(games, *, on_checked, **_):
        on_checked(Repeatability(games[0].id, "repeatable"))
        on_checked(Repeatability(games[1].id, "different", "two plays"))
        raise KeyboardInterrupt

    monkeypatch.setattr("gwray.authoring.check_repeatability", interrupted)
    with pytest.raises(KeyboardInterrupt):
        library.library_check(["01_2048,03_astray,13_flappy-bird"], steps=7, lanes=2)
    output = capsys.readouterr().out
    assert "1 of 3  repeatable 01_2048" in output and "different" in output
    assert "To check the others: gwray library check 13_flappy-bird --steps 7" in output
    assert output.rstrip().endswith("1 of 2 checked games repeatable")


async def test_results_come_in_batches(monkeypatch):
    """Games are compared a few at a time, so that an interruption loses few plays."""
    seen: list[str] = []
    games = [world("grid")] * 5
    played, order = [], []
    await check_repeatability(
        games,
        steps=2,
        on_played=lambda _: played.append(1),
        on_checked=lambda r: (seen.append(r.game), order.append(len(played))),
    )
    assert len(seen) == 5 and order == [8] * 4 + [10]
