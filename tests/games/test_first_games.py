"""Edge cases of a few games' rules, and players that see only permitted state."""

from __future__ import annotations

import importlib.util
from collections.abc import Awaitable, Callable
from typing import Any

from gwray.places import GAMES
from gwray.records import Click, events

OpenGame = Callable[..., Awaitable[Any]]
HOLD = 200.0


def player(game: str) -> Callable[[dict, str, dict], str]:
    spec = importlib.util.spec_from_file_location(f"player_{game}", GAMES / "gameworld" / game / "player.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.act


def cell(name: str) -> tuple[float, float]:
    return 368 + 68 * (ord(name[0]) - 97), 110 + 68 * (int(name[1]) - 1)


def click(name: str, button: Any = "left") -> list:
    x, y = cell(name)
    return events(Click(x=x, y=y, button=button), HOLD)


async def test_the_mine_player_does_not_look_at_hidden_mines(open_game: OpenGame) -> None:
    page = await open_game("19_minesweeper")
    act = player("19_minesweeper")
    state = await page.play(click("e5"))
    task = {"instruction": "Open safe cells.", "target": 58}
    assert act(state, "player", task) == act(state | {"raw": {}}, "player", task)
