"""A scripted player for Iron Bell: keeps out of reach, guards what it can see coming and punishes what it can reach.

It reads what both fighters are doing from `getState()`, and knows the moves as the rules name them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

State = dict[str, Any]


class Move(NamedTuple):
    """Frames of winding up and striking, damage, reach in pixels, dash in pixels per frame."""

    windup: int
    strike: int
    damage: int
    reach: int
    height: str = "mid"
    dash: int = 0


COMMON = {
    "low_punch": Move(4, 2, 5, 46),
    "medium_punch": Move(7, 3, 9, 58),
    "high_punch": Move(10, 3, 14, 66),
    "low_kick": Move(5, 2, 5, 56),
    "medium_kick": Move(8, 3, 9, 76),
    "high_kick": Move(12, 3, 15, 84),
    "low_pair": Move(5, 2, 16, 30, "grab"),
    "medium_pair": Move(20, 3, 12, 64, "smash"),
    "high_pair": Move(28, 4, 26, 80),
}
MOVES = {
    "Mason": COMMON
    | {
        "special_2": Move(9, 2, 24, 52, "grab"),
        "special_3": Move(5, 8, 16, 48),
        "special_4": Move(11, 14, 15, 30, "mid", 12),
        "super": Move(9, 12, 44, 60, "mid", 13),
    },
    "Sedge": COMMON
    | {
        "low_punch": Move(3, 2, 4, 42),
        "high_punch": Move(10, 3, 12, 60),
        "medium_kick": Move(7, 3, 9, 82),
        "high_kick": Move(11, 3, 14, 92),
        "low_pair": Move(5, 2, 13, 30, "grab"),
        "special_2": Move(9, 24, 20, 54, "mid", 3),
        "special_3": Move(4, 8, 14, 50),
        "special_4": Move(8, 16, 11, 28, "mid", 13),
        "super": Move(8, 30, 45, 56, "mid", 7),
    },
}
SCRIPT = {"super": 6, "special_2": 3, "special_3": 3, "special_4": 3}
"""Frames of a move's script before its button."""
WALL = 150
"""Nearer to an edge of the ring than this there is no way back, in pixels."""
KEEP = 110
"""The gap at which to wait, in pixels: few moves reach so far."""


def act(state: State, role: str, task: State) -> str:
    """Returns the next action of a role."""
    game = state["game_state"]
    sides = game["fighters"]
    mine = "right" if role == "right" else "left"
    me, you = sides[mine], sides["left" if mine == "right" else "right"]
    return choose(me, you, game["distance"], [s["frames"] for s in game["shots"] if s["owner"] == (mine == "left")])


def choose(me: State, you: State, gap: int, shots: list[int]) -> str:
    """Returns the action for what both sides are doing. `shots`: frames until each shot of the other side arrives."""
    if me["in_air"]:
        return "high_kick" if gap < 60 and not me["rising"] else "move_away"
    if any(frames <= 9 for frames in shots):
        return "move_away"
    move = MOVES[you["character"]].get(you["doing"])
    left = you["frames_left"]
    if move and you["phase"] == "windup" and gap <= move.reach + move.dash * move.strike + 14:
        first = _best(me, gap, left)
        if move.height == "grab":
            return first or "jump_away"
        if move.height == "smash":
            return first or ("move_away" if left > 12 else "jump_away")
        return first if first and left > 8 else "move_away"
    if you["phase"] == "strike":
        return "jump_away" if move and move.height == "grab" and gap < 60 else "move_away"
    if you["stunned"] and left > 45 and gap < 70:
        return _best(me, gap, left) or "move_closer"
    if you["phase"] == "recover" or you["doing"] in ("hurt", "dizzy", "land"):
        if found := _best(me, gap, left):
            return found
        if left > 12 and not shots:
            return "move_closer"
    if you["in_air"] and you["doing"] == "jump":
        return "special_3" if gap < 50 and not you["rising"] else "move_away"
    if you["doing"] == "down":
        return "move_closer" if gap > KEEP + 60 else "move_away"
    if gap > KEEP + 40:
        return "move_closer" if not shots else "move_away"
    return "move_away"


def _best(me: State, gap: int, frames: int) -> str:
    """Returns the hardest move that lands within some frames; empty if there is none."""
    able = []
    for name, move in MOVES[me["character"]].items():
        way = max(0, -(-(gap - move.reach) // move.dash)) if move.dash else 0
        if move.height == "grab" or gap > move.reach + way * move.dash or way > move.strike:
            continue
        if name == "super" and not me["super_count"]:
            continue
        if move.windup + way + SCRIPT.get(name, 0) + 2 < frames:
            able.append((move.damage, name))
    return max(able, default=(0, ""))[1]
