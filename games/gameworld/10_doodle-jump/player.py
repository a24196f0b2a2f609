"""A scripted player for Lily Leaper: plays the next few steps in its head and takes the way that ends highest.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from typing import Any

STEP = 12
"""Updates in one 200 ms step."""
DEPTH = 6
WAYS = {"wait": 0, "move_left": -1, "move_right": 1}


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """The first step of the best way found."""
    frog, raw = state["game_state"]["player"], state["raw"]
    now = (frog["x"], frog["height"], frog["vx"], frog["vy"], raw["best"], 0)
    pads = [(e["x"], e["height"], e["drift"], e["flower"], e["kind"] == "dry")
            for e in state["game_state"]["entities"] if e["kind"] != "rotten"]  # fmt: skip
    return max(WAYS, key=lambda way: _value(WAYS[way], now, frozenset(), DEPTH, pads, raw))


def _value(wish: int, now: tuple, broken: frozenset[int], depth: int, pads: list[tuple], raw: dict[str, Any]) -> float:
    """Height of the last leap and a share of where the frog is then; falling out of the picture counts as lost."""
    x, h, vx, v, landed, frames = now
    width = raw["right"] - raw["left"]
    for _ in range(STEP):
        frames += 1
        vx += (wish * raw["fastest"] - vx) * raw["steer"]
        x = raw["left"] + (x + vx - raw["left"]) % width
        before = h
        v = max(-raw["fastest_fall"], v - raw["gravity"])
        h += v
        if v < 0:
            for i, (px, ph, drift, flower, dry) in enumerate(pads):
                if (
                    before >= ph >= h
                    and i not in broken
                    and abs(x - _drifted(px, drift, frames, raw)) < raw["reach"] - 6
                ):
                    h, landed = ph, ph
                    v = raw["flower"] if flower else raw["leap"]
                    if dry:
                        broken = broken | {i}
                    break
        if h < max(raw["camera"], landed - 300) - raw["below"] + 20:
            return -10_000.0 + frames
    if depth > 1:
        state = (x, h, vx, v, landed, frames)
        return max(_value(w, state, broken, depth - 1, pads, raw) for w in (0, -1, 1))
    # What is still to come of an upward flight counts; a fall past the last pad is a danger.
    rise = v * v / (2 * raw["gravity"]) if v > 0 else 0.0
    return landed + 0.4 * (h + rise - landed) - (250 if v < 0 and h < landed else 0)


def _drifted(x: float, drift: float, frames: int, raw: dict[str, Any]) -> float:
    """Where a drifting pad will be, turned back at the walls."""
    low, high = raw["left"] + raw["drift_margin"], raw["right"] - raw["drift_margin"]
    x += drift * frames
    return 2 * low - x if x < low else 2 * high - x if x > high else x
