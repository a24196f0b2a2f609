"""Rules of a few games at their edges, and players that see no more than they should."""

from __future__ import annotations

import importlib.util
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gwray.actions import Click, Drag, PressKey, PressKeys, Wait, events
from gwray.places import GAMES

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


async def set_board(page: Any, rows: list[list[int]]) -> None:
    await page.ask("rows => { gameAPI.lab.peek().board = rows }", rows)


@pytest.mark.parametrize(
    ("key", "line", "slid", "gain"),
    [
        ("ArrowLeft", [2, 2, 2, 2], [4, 4, 0, 0], 8),
        ("ArrowDown", [0, 2, 0, 2], [0, 0, 0, 4], 4),
    ],
)
async def test_tiles_slide_to_the_end_and_merge_once(
    open_game: OpenGame, key: str, line: list[int], slid: list[int], gain: int
) -> None:
    page = await open_game("01_2048")
    upright = key == "ArrowDown"
    rows = [[v if not c else 0 for c in range(4)] for v in line] if upright else [line] + [[0] * 4] * 3
    await set_board(page, rows)
    state = await page.play(events(PressKey(key=key), HOLD))
    board = state["game_state"]["board"]
    if upright:
        # A key that moves nothing sideways leaves the first column where it is.
        board = [list(column) for column in zip(*board, strict=True)]
    kept = [v for v, want in zip(board[0], slid, strict=True) if want]
    assert kept == [v for v in slid if v]
    assert state["game_state"]["score"] == gain
    assert sum(v > 0 for row in board for v in row) == sum(v > 0 for v in slid) + 1


async def test_a_move_that_changes_nothing_brings_no_tile(open_game: OpenGame) -> None:
    page = await open_game("01_2048")
    await set_board(page, [[2, 4, 0, 0]] + [[0] * 4] * 3)
    state = await page.play(events(PressKey(key="ArrowLeft"), HOLD))
    assert state["game_state"]["board"] == [[2, 4, 0, 0]] + [[0] * 4] * 3


async def test_two_arrows_at_once_are_one_move_and_a_drag_is_one_too(open_game: OpenGame) -> None:
    page = await open_game("01_2048")
    await set_board(page, [[0, 0, 0, 2]] + [[0] * 4] * 3)
    state = await page.play(events(PressKeys(keys=("ArrowLeft", "ArrowDown")), HOLD))
    assert state["metrics"]["moves"] == 1
    assert state["game_state"]["board"][0][0] == 2
    await set_board(page, [[0, 0, 0, 2]] + [[0] * 4] * 3)
    state = await page.play(events(Drag(x=800, y=300, to_x=600, to_y=310), HOLD))
    assert state["metrics"]["moves"] == 2
    assert state["game_state"]["board"][0][0] == 2


async def test_a_full_board_without_equal_neighbours_ends_the_game(open_game: OpenGame) -> None:
    page = await open_game("01_2048")
    await set_board(page, [[8, 16, 8, 16], [16, 8, 16, 8], [8, 16, 8, 16], [16, 8, 32, 32]])
    state = await page.play(events(PressKey(key="ArrowLeft"), HOLD))
    assert state["terminal"]["outcome"] == "fail"


async def test_first_opened_cell_is_safe(open_game: OpenGame) -> None:
    page = await open_game("19_minesweeper")
    for seed, name in enumerate(("a1", "i9", "e5", "a5", "g2", "b8")):
        await page.lane.reset(seed)
        state = await page.play(click(name))
        assert not state["terminal"]["isTerminal"]
        assert state["game_state"]["score"] >= 4
        assert sum(row.count("*") for row in state["raw"]["mines"]) == 10


async def test_flags_are_limited_and_protect_cells(
    open_game: OpenGame,
) -> None:
    page = await open_game("19_minesweeper")
    opened = await page.play(click("e5"))
    mines = {
        f"{chr(97 + c)}{r + 1}" for r, row in enumerate(opened["raw"]["mines"]) for c, m in enumerate(row) if m == "*"
    }
    closed = [
        f"{chr(97 + c)}{r + 1}"
        for r, row in enumerate(opened["game_state"]["board"])
        for c, v in enumerate(row)
        if v == "."
    ]
    safe = [name for name in closed if name not in mines]
    one = sorted(mines)[0]
    assert (await page.play(click(one, "right")))["metrics"]["correct_flags"] == 1
    assert not (await page.play(click(one)))["terminal"]["isTerminal"]
    assert (await page.play(click(safe[0], "right")))["metrics"]["correct_flags"] == 0
    for name in (n for n in closed if n not in (one, safe[0])):
        state = await page.play(click(name, "right"))
    state = await page.state()
    assert state["metrics"]["remaining_mines"] == 0 and state["raw"]["flags"] == 10
    await page.play(click(one, "right"))
    lost = await page.play(click(one))
    assert lost["terminal"]["outcome"] == "fail"


async def test_opening_every_safe_cell_wins(open_game: OpenGame) -> None:
    page = await open_game("19_minesweeper")
    mines = (await page.play(click("e5")))["raw"]["mines"]
    state: dict[str, Any] = {}
    for name in (f"{chr(97 + c)}{r + 1}" for r in range(9) for c in range(9) if mines[r][c] != "*"):
        state = await page.run(click(name))
    assert state["terminal"]["outcome"] == "win"
    assert state["game_state"]["score"] == 71 and state["game_state"]["completion_progress"] == 1


async def test_a_bird_that_is_left_alone_falls(open_game: OpenGame) -> None:
    page = await open_game("13_flappy-bird")
    for _ in range(6):
        state = await page.play(events(Wait(), HOLD))
    state = await page.state()
    assert state["terminal"]["outcome"] == "fail" and state["game_state"]["score"] == 0


async def test_one_press_is_one_flap_however_long_it_is_held(open_game: OpenGame) -> None:
    page = await open_game("13_flappy-bird")
    assert (await page.play(events(PressKey(key="Space", duration_ms=400), HOLD)))["metrics"]["flaps"] == 1


async def test_the_seed_decides_where_the_gaps_are(open_game: OpenGame) -> None:
    page = await open_game("13_flappy-bird")
    first = (await page.state())["game_state"]["entities"]
    await page.lane.reset(7)
    assert (await page.state())["game_state"]["entities"] != first


@pytest.mark.parametrize(("kind", "leaps"), [("green", 1), ("dry", 1), ("rotten", 0)])
async def test_frog_falls_through_rotten_pad(kind: str, leaps: int, open_game: OpenGame) -> None:
    page = await open_game("10_doodle-jump")
    pad = {"x": 640, "h": 500, "kind": kind, "flower": False, "v": 0, "gone": False}
    await page.ask(
        "pad => { Object.assign(gameAPI.lab.peek(), { pads: [pad], x: 640, h: 520, v: -5, camera: 300 }) }", pad
    )
    state = await page.play(events(Wait(), HOLD))
    assert state["metrics"]["leaps"] == leaps
    assert (state["game_state"]["player"]["height"] > 500) == bool(leaps)
    assert any(e["height"] == 500 for e in state["game_state"]["entities"]) == (kind == "green")


async def test_the_mine_player_does_not_look_at_hidden_mines(open_game: OpenGame) -> None:
    page = await open_game("19_minesweeper")
    act = player("19_minesweeper")
    state = await page.play(click("e5"))
    task = {"instruction": "Open safe cells.", "target": 58}
    assert act(state, "player", task) == act(state | {"raw": {}}, "player", task)
