"""A careful guest: looks at everything in every room, twice, and then sets one order of colours after the other."""

from __future__ import annotations

from typing import Any

ROOMS: dict[str, list[str]] = {
    "vats": ["jars", "back", "press", "back", "vats", "pole", "apron", "window"],
    "store": ["rolls", "linen", "felt", "tally", "silk", "bill", "gloves", "back", "cloths", "back", "bells", "back",
              "dummy", "scales", "moth"],
    "office": ["sampler", "back", "coffer", "back", "desk", "ledger", "quill", "glass", "mail", "stamp", "back",
               "portrait", "window", "chair"],
    "yard": ["line", "back", "hutch", "back", "pump", "cat", "bed", "office_window"],
    "loft": ["music_box", *["crank"] * 6, "back", "cupboard", "back", "trunk", "mask", "doll", "horn", "score", "crown",
             "back", "pigeons", "round_window", "wheel"],
}  # fmt: skip
"""What there is to look at in each room."""
COLORS = ["red", "orange", "yellow", "green", "blue", "purple"]
PLACE = {"coffer": "office", "press": "vats", "hutch": "yard", "cupboard": "loft", "bells": "store"}


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`choose_cell` with the cell of the next target of the plan."""
    plan = walkthrough(state["raw"]["data"])
    n = state["metrics"]["inputs"]
    cells = {e["id"]: e["cell"] for e in state["game_state"]["entities"]}
    if state["game_state"]["ended"]:
        return "finish"
    return f"choose_cell {cells[plan[n]]}" if n < len(plan) and cells.get(plan[n]) else "wait"


def walkthrough(case: dict[str, Any]) -> list[str]:
    """Every target that is clicked, in order."""
    out = ["banner", "back", "loom", "treadle", "back", "bench", "basket", "yarn", "shears", "pins", "thimble", "back"]
    for room, things in [*ROOMS.items(), *ROOMS.items()]:
        out += [f"to_{room}", *things, "back"]
    for lock, room in PLACE.items():
        code = case["codes"][lock]
        out += [f"to_{room}", lock, *([f"ring_{c}" for c in code] if lock == "bells" else dials(code))]
        out += [f"in_{lock}", "back"]
    out.append("loom")
    for peg, color in enumerate(case["banner"], 1):
        out += [f"spool_{color}", f"peg_{peg}"]
    return [*out, "treadle"]


def dials(wanted: list[str]) -> list[str]:
    out: list[str] = []
    for dial, color in enumerate(wanted, 1):
        n = COLORS.index(color)
        out += [f"up{dial}"] * n if n <= 3 else [f"down{dial}"] * (6 - n)
    return [*out, "handle"]
