"""A player sees only permitted state."""

from __future__ import annotations

import runpy

from gwray.places import GAMES
from gwray.records import Click, events


async def test_the_mine_player_does_not_look_at_hidden_mines(open_game) -> None:
    page = await open_game("19_minesweeper")
    act = runpy.run_path(str(GAMES / "gameworld/19_minesweeper/player.py"))["act"]
    state = await page.play(events(Click(x=640, y=382), 200.0))  # cell e5
    task = {"instruction": "Open safe cells.", "target": 58}
    assert act(state, "player", task) == act(state | {"raw": {}}, "player", task)
