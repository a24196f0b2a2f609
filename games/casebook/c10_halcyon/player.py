"""A careful passenger: looks at everything in a room, twice, before a lock is touched, and at everything once more in between."""

from __future__ import annotations

from typing import Any

ROOMS: dict[str, list[str]] = {
    "saloon": ["tea", "teapot", "cup", "spoon", "pear", "card", "back", "rack", "weekly", "flagbook", "porter",
               "ticket", "photo", "back", "sofa", "coin", "feather", "comb", "die", "earring", "back", "clouds", "lamp"],
    "bridge": ["console", "whistle", "watch", "globe", "log", "lens", "back", "panel", "to_engine", "coat",
               "pipe", "letter", "apple", "shell", "back", "helm", "sky", "tube"],
    "engine": ["tools", "hammer", "oil", "gear", "magnet", "duck", "back", "valve", "boiler", "basket",
               "bottle", "fish", "gloves", "poem", "back"],
}  # fmt: skip
"""What there is to look at in each room."""
ROOM = {"bar": "saloon", "trunk": "saloon", "chest": "bridge", "locker": "engine"}
FLAGS = ["cross", "disc", "halves", "squares", "stripes", "frame"]
LABELS = ["anchor", "star", "fish", "umbrella", "bell", "apple"]


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
    saloon = ["hatch", "bridge", *look(case, "saloon")]
    out = [*saloon, *saloon]
    for lock in ("bar", "trunk"):
        out += [lock, "back"]
    for lock in ("bar", "trunk"):
        out += [lock, *enter(case, lock), f"in_{lock}"]
    out += ["handle", "bridge", "to_bridge", *look(case, "bridge"), "chest", "back", *look(case, "bridge")]
    # Back to the saloon for what the chest may ask for, which a careful passenger does not trust to memory.
    out += ["to_saloon", *look(case, "saloon"), "to_bridge", "chest", *enter(case, "chest"), "in_chest"]
    out += ["fuse", "panel", "to_engine", *look(case, "engine"), "locker", "back", *look(case, "engine")]
    out += ["to_bridge", *clues(case, "bridge"), "to_saloon", *clues(case, "saloon"), "to_bridge", "to_engine"]
    out += ["locker", *enter(case, "locker"), "in_locker", "wheel", "valve"]
    return [*out, "to_bridge", "sky", "to_saloon", "clouds", "hatch", "ladder", "hatch"]


def clues(case: dict[str, Any], room: str) -> list[str]:
    """What is told in a room, seen from near."""
    here = [kind for kind, at in case["where"].items() if at["room"] == room]
    return [step for kind in here for step in (f"see_{kind}", "back")]


def look(case: dict[str, Any], room: str) -> list[str]:
    return [*clues(case, room), *ROOMS[room]]


def enter(case: dict[str, Any], lock: str) -> list[str]:
    """What is set on a lock, and tried."""
    kind = case["kinds"][lock]
    code = case["codes"][kind]
    if kind == "route":
        return [f"press_{leg}" for leg in code]
    of = {"gauges": list("0123456789"), "flags": FLAGS, "cases": LABELS}[kind]
    out: list[str] = []
    for dial, wanted in enumerate(code, 1):
        n = of.index(wanted)
        out += [f"up{dial}"] * n if n <= len(of) // 2 else [f"down{dial}"] * (len(of) - n)
    return [*out, "handle"]
