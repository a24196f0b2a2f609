"""A scripted player for Miner's Descent: plays the next steps in its head and keeps to the middle of the shaft.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from typing import Any

STEP = 15
"""Updates in one 250 ms step."""
DEPTH = 6
WAYS = {"wait": 0, "move_left": -1, "move_right": 1}


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """The first step of the way that lives longest, with the most health and the best place."""
    miner, raw = state["game_state"]["player"], state["raw"]
    ledges = [(e["x"], e["y"], e["kind"]) for e in state["game_state"]["entities"]]
    on = next((i for i, e in enumerate(state["game_state"]["entities"]) if e["under_miner"]), -1)
    worn = state["game_state"]["entities"][on]["worn"] if on >= 0 else 0
    now = (miner["x"], miner["y"], miner["vy"], on, worn, -1, 0.0, 0)
    return max(WAYS, key=lambda way: _value(WAYS[way], now, DEPTH, ledges, raw))


def _value(wish: int, now: tuple, depth: int, ledges: list[tuple], raw: dict[str, Any]) -> float:
    x, y, vy, on, worn, gone, up, damage = now
    for frame in range(STEP):
        up += raw["rise"]
        x = min(raw["right"], max(raw["left"], x + wish * raw["walk"]))
        if on >= 0 and abs(x - ledges[on][0]) < raw["reach"]:
            y, vy = ledges[on][1] - up, 0.0
            kind = ledges[on][2]
            if kind in ("left", "right"):
                x = min(raw["right"], max(raw["left"], x + (raw["belt"] if kind == "right" else -raw["belt"])))
            if kind == "sand":
                worn += 1
                if worn >= raw["crumble"]:
                    on, gone = -1, on
        else:
            on, before = -1, y
            vy = min(raw["fastest_fall"], vy + raw["gravity"])
            y += vy
            for i, (lx, ly, kind) in enumerate(ledges):
                under = i != gone and abs(x - lx) < raw["reach"] - 4
                if under and before <= ly - up + raw["rise"] + 0.001 and y >= ly - up:
                    on, y, vy, worn = i, ly - up, 0.0, 0
                    damage += 4 if kind == "spikes" else -1
                    break
        if y < raw["highest"] + 14 or y > 740:
            return -10_000.0 - 100 * depth + frame
    if depth > 1:
        state = (x, y, vy, on, worn, gone, up, damage)
        return max(_value(w, state, depth - 1, ledges, raw) for w in (0, -1, 1))
    # Best is to stand in the middle, in the lower half; in the air near the bottom nothing may be left to land on.
    air = 60 if on < 0 else 0
    return -40 * damage - air - abs(x - 640) * 0.15 - abs(y - 470) * 0.4 - (300 if on < 0 and y > 600 else 0)
