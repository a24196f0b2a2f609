"""A scripted player for Star Tube: plays the next steps in its head and keeps to the ways that stay on tiles.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

FRAMES = {"wait": 30, "move_left": 12, "move_right": 12, "jump": 12}
SIDE = {"move_left": -1, "move_right": 1}
DEPTH = 11
WIDTH = 160
"""Of more runners of equal depth only about so many are followed."""
HORIZON = 52
"""Units ahead that are planned; the rings beyond are not known for sure."""

Runner = tuple[float, float, float, float, float]
"""Units ahead, column, drift, height, upward speed."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """The control after which most ways through the tunnel as far as it is known stay open."""
    raw, board = state["raw"], state["game_state"]["board"]
    start: Runner = (0.0, raw["u"], raw["side"], state["game_state"]["player"]["height"], raw["vh"])
    ways: list[tuple[str, Runner]] = [("", start)]
    arrived: Counter[str] = Counter()
    best, furthest = "wait", 0.0
    for _ in range(DEPTH):
        further: dict[tuple[Any, ...], tuple[str, Runner]] = {}
        for first, runner in ways:
            for control in FRAMES:
                end = _run(runner, control, raw, board)
                if end is None:
                    continue
                z, u, side, h, vh = end
                if z > furthest:
                    best, furthest = first or control, z
                key = (round(z), round(u * 3), round(side * 30), round(h * 2), vh > 0, first or control)
                further[key] = (first or control, end)
        ways = []
        for way in further.values():
            if way[1][0] > HORIZON:
                arrived[way[0]] += 1
            else:
                ways.append(way)
        # Both the fast and the careful ones, evenly.
        ways = ways[:: max(1, len(ways) // WIDTH)]
    if not arrived:
        return best
    return max(FRAMES, key=lambda c: arrived[c] * (1.6 if c == "wait" else 1))


def _run(runner: Runner, control: str, raw: dict[str, Any], board: list[str]) -> Runner | None:
    """The runner after one step, or None after a fall."""
    z, u, side, h, vh = runner
    push = SIDE.get(control, 0) * raw["side_speed"]
    for frame in range(FRAMES[control]):
        z += raw["speed"]
        side += (push - side) * raw["side_ease"]
        u += side
        if control == "jump" and frame == 0 and h == 0:
            vh = raw["jump"]
        floor = _tile(z, u, raw, board)
        if h > 0 or vh > 0 or not floor:
            h += vh
            vh -= raw["gravity"]
            if h <= 0:
                if not floor:
                    return None
                h = vh = 0.0
    return z, u, side, h, vh


def _tile(z: float, u: float, raw: dict[str, Any], board: list[str]) -> bool:
    row = int((raw["z"] + z) // raw["tile"]) - int(raw["z"] // raw["tile"])
    return row >= len(board) or board[row][int(u // 1) % len(board[0])] == "#"
