"""A scripted player for Gap Flyer: looks a few steps ahead with the game's own fall and flap.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from typing import Any

STEP = 12
"""Updates in one 200 ms step."""
DEPTH = 7


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`flap` or `wait`, whichever keeps the bird in the air longest and nearest to the next gap's middle."""
    bird, raw = state["game_state"]["player"], state["raw"]
    pipes = [p for p in state["game_state"]["entities"] if p["x"] + p["width"] > bird["x"] - bird["radius"]]
    wait = _best(False, bird["y"], bird["vy"], 0, DEPTH, bird, pipes, raw)
    flap = _best(True, bird["y"], bird["vy"], 0, DEPTH, bird, pipes, raw)
    return "flap" if flap > wait else "wait"


def _best(flap: bool, y: float, vy: float, shift: float, depth: int, bird: dict, pipes: list[dict], raw: dict) -> float:
    """Value of one decision and of the best ones after it; steps survived count more than anything else."""
    value = 0.0
    if flap:
        vy = raw["flap"]
    for _ in range(STEP):
        vy = min(raw["fastest_fall"], vy + raw["gravity"])
        y = max(bird["radius"], y + vy)
        shift += raw["speed"]
        margin = _margin(y, shift, bird, pipes, raw)
        if margin <= 0:
            return value
        value += min(margin, 40.0) / 40.0
    value += 1000.0
    if depth > 1:
        value += max(_best(f, y, vy, shift, depth - 1, bird, pipes, raw) for f in (False, True))
    return value


def _margin(y: float, shift: float, bird: dict, pipes: list[dict], raw: dict) -> float:
    """Free pixels above and below the bird, with a pipe taken a little wider than it is."""
    room = raw["ground"] - y - bird["radius"]
    for p in pipes:
        left = p["x"] - shift
        if left - 30 < bird["x"] < left + p["width"] + 30:
            room = min(room, y - bird["radius"] - p["gap_top"], p["gap_bottom"] - y - bird["radius"])
    return room
