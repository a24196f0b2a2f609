"""A careful detective: looks at everything that is cold, warms it up, and looks at everything again."""

from __future__ import annotations

from typing import Any

ASKED = ["say1", "say1", "say2", "say1", "say3", "say2"]
"""Everything that a suspect can be asked, and goodbye."""
SMALL = {
    "counter": ["pear", "menu"],
    "lost": ["hat", "violin", "duck", "shoe"],
    "shelf": ["rules", "bell", "flag", "cup"],
    "case": ["mask", "letter", "feather"],
    "tools": ["gear"],
}
"""Where small things lie; what is needed lies among them, and is taken by looking at it."""
PLACES = {"counter": "in_counter", "lost": "in_lost", "shelf": "in_levers", "case": "in_case", "tools": "in_tools"}
SUSPECTS = ["odette", "crumb", "nell", "bruno", "silvane"]


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`choose_cell` with the cell of the next target of the plan."""
    plan = walkthrough(state["raw"]["data"])
    n = state["metrics"]["inputs"]
    cells = {e["id"]: e["cell"] for e in state["game_state"]["entities"]}
    if state["game_state"]["ended"]:
        return "finish"
    return f"choose_cell {cells[plan[n]]}" if n < len(plan) and cells.get(plan[n]) else "wait"


def open_up(case: dict[str, Any], box: str) -> list[str]:
    needed = [thing for thing, at in case["lies"].items() if at == PLACES.get(box)]
    return [box, *SMALL[box], *needed, "back"]


def walkthrough(case: dict[str, Any]) -> list[str]:
    """Every target that is clicked, in order."""
    out = ["pike", "say1", "say1", "say2", "say2", "van_door", "clock", "sign", "bench", "barrow", "snow"]
    out += ["map", "to_engine", "bruno", *ASKED, "number", "tender", "boots_bruno", "gloves_bruno", "wheels", "smoke"]
    out += ["map", "to_dining", "odette", *ASKED, *open_up(case, "counter")]
    out += ["boots_odette", "gloves_odette", "tables", "car_window", "oven", "bottles"]
    out += ["map", "to_sleeping", "compartment", "lamp", "corridor", "cord", "carpet"]
    out += ["map", "to_signal", "nell", *ASKED, *open_up(case, "shelf")]
    out += ["boots_nell", "gloves_nell", "levers", "telegraph", "box_window"]
    out += ["map", "to_fence", "gate", "boards", "warning", "owl"]
    out += ["map", "to_waiting", "window", "sleeper", "boots_crumb", "gloves_crumb", *open_up(case, "lost")]
    out += ["timetable", "stove", "map", "to_engine", "scuttle", "tender"]
    out += ["map", "to_waiting", "coal", "stove", "matches", "stove", "kettle", "stove", "window"]
    out += ["crumb", *ASKED, "silvane", *ASKED]
    out += ["map", "to_sleeping", "boots_silvane", "gloves_silvane", *open_up(case, "case")]
    out += ["map", "to_signal", "fuse", "nell", "say2"]
    out += ["map", "to_platform", "pike", "say3", "say1", "clock", "van_door"]
    out += ["seal", "crate", *open_up(case, "tools"), "bags", "pigeonholes", "book", "close", "back"]
    out += ["map", "to_engine", "number", "map", "to_fence", "steam", "gate", "gate"]
    for dial, digit in enumerate(case["code"], 1):
        n = int(digit)
        out += [f"up{dial}"] * n if n <= 5 else [f"down{dial}"] * (10 - n)
    out += ["handle", "gate", "wagons", "yard_lamp", "oil", "yard_lamp", "matches", "yard_lamp"]
    out += ["prints", "shed", "swan", "lanterns", "straw", "cup", "book", "close"]
    # What was seen is held against what was found, once around the halt.
    for place, who in (("engine", "bruno"), ("dining", "odette"), ("signal", "nell")):
        out += ["map", f"to_{place}", f"boots_{who}", f"gloves_{who}", who, "say3", "say2"]
    out += ["map", "to_waiting", "boots_crumb", "gloves_crumb", "crumb", "say3", "say2", "silvane", "say3", "say2"]
    return [*out, "pike", "say3", f"say{SUSPECTS.index(case['thief']) + 1}"]
