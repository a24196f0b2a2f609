"""A patient observer: looks at everything in every room, twice, and then sets the four patterns."""

from __future__ import annotations

from typing import Any

ROOMS: dict[str, list[str]] = {
    "library": [
        "window",
        "back",
        "lock_blue",
        "back",
        "books",
        *(f"b{n}" for n in range(1, 9)),
        "back",
        "book",
        "globe",
        "chair",
    ],
    "garden": ["pond", "back", "statues", "back", "lock_red", "back", "flowers", "trees", "night"],
    "gallery": [
        "paintings",
        "back",
        "landscape",
        "drawers",
        *(f"d{n}" for n in range(1, 6)),
        "back",
        "mask",
        "horn",
        "plant",
    ],
    "dome": ["lock_white", "back", "model", "telescope", "lens", "notes"],
    "cellar": ["lock_green", "back", "barrels", "bottles", "mouse", "ladder"],
}
ANIMALS = ["owl", "hare", "fox", "fish", "snail", "crow"]


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
    out = ["star_door", "plant", "lamp"]
    for room, things in [*ROOMS.items(), *ROOMS.items()]:
        out += [f"to_{room}", *things, "back"]
    out += ["to_garden", "lock_red", *lamps(case["tower"]), "crystal_red", "back"]
    out += [
        "to_library",
        "lock_blue",
        *lamps([case["pond"][i] for i in (6, 7, 8, 3, 4, 5, 0, 1, 2)]),
        "crystal_blue",
        "back",
    ]
    out += [
        "to_dome",
        "lock_white",
        *dials([(case["moon"] + 1 + 2 * i) % 8 for i in range(3)], 8),
        "crystal_white",
        "back",
    ]
    out += ["to_cellar", "lock_green", *dials([ANIMALS.index(a) for a in case["statues"]], 6), "crystal_green", "back"]
    for color in ("red", "blue", "white", "green"):
        out += [f"crystal_{color}", "star_door"]
    return out


def lamps(cells: list[bool]) -> list[str]:
    return [*(f"lamp{i + 1}" for i, lit in enumerate(cells) if lit), "lever"]


def dials(wanted: list[int], of: int) -> list[str]:
    out: list[str] = []
    for dial, n in enumerate(wanted, 1):
        out += [f"up{dial}"] * n if n <= of // 2 else [f"down{dial}"] * (of - n)
    return [*out, "handle"]
