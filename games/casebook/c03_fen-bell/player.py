"""A careful bailiff: asks everybody everything, looks at every boat, and only then goes out into the reeds."""

from __future__ import annotations

from typing import Any

ASKED = ["say1", "say1", "say2", "say1", "say3", "say1", "say4"]
"""Everything that can be asked, and goodbye."""
AGAIN = ["say1", "say2"]
"""The alibi once more, and goodbye."""
SUSPECTS = ["hob", "tansy", "odo", "wick", "lisbet"]
BIRDS = ["heron", "owl", "teal", "crow", "swan"]
HOME = {"hob": "mill", "tansy": "eels", "odo": "tower", "wick": "ferry", "lisbet": "inn"}
WAYS = {"inn": ["paintings", "back", "box", "shoe", "dice", "almanac", "horn", "matches", "back", "inn_sign", "window", "fog"],
        "mill": ["window", "back", "sack", "spoon", "mouse", "gear", "knife", "back", "sacks", "stones", "sails"],
        "eels": ["shelf", "fish", "teapot", "ring", "brush", "back", "nets", "barrels", "smoke", "cat"],
        "tower": ["window", "back", "cupboard", "rope", "candle", "hymns", "cup", "lantern", "back", "frame", "rope",
                  "tomb"],
        "ferry": ["stone", "brush", "stone", "stone", "back", "raft", "board", "bank", "lamp"]}  # fmt: skip
"""What there is to look at in each place."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`choose_cell` with the cell of the next target of the plan."""
    plan = walkthrough(state["raw"]["data"])
    n = state["metrics"]["inputs"]
    cells = {e["id"]: e["cell"] for e in state["game_state"]["entities"]}
    if state["game_state"]["ended"]:
        return "finish"
    return f"choose_cell {cells[plan[n]]}" if n < len(plan) and cells.get(plan[n]) else "wait"


def punt(case: dict[str, Any], place: str) -> list[str]:
    at = case["at"][place]
    return ["map", "pole", f"field_{at['c'] + 1}_{at['r'] + 1}"]


def walkthrough(case: dict[str, Any]) -> list[str]:
    """Every target that is clicked, in order."""
    out = ["reeve", "say1", "say1", "say2", "say1", "say3", "say2"]
    for who, place in (("lisbet", "inn"), ("hob", "mill"), ("tansy", "eels"), ("odo", "tower"), ("wick", "ferry")):
        out += [] if place == "inn" else ["map", f"to_{place}"]
        out += [who, *ASKED, f"boat_{who}", *WAYS[place]]
    out += ["lantern", "matches"]
    # What is missed is brought back; the herons are looked at once more, with the chart in mind.
    out += ["horn", "wick", "say2", "map", "to_eels", "knife", "tansy", "say2", "book", "close"]
    for place in ("mill", "tower"):
        out += ["map", f"to_{place}", "window", "back"]
    out += ["map", "to_inn", "paintings", "back", "poles"]
    out += [*punt(case, "weir"), "sunken", "baskets", "heron", "crank", "sluice", "board", "back"]
    out += [*punt(case, "hide"), "slit", "seat", "feathers", "rules", "case"]
    for dial, bird in enumerate(case["birds"], 1):
        n = BIRDS.index(bird)
        out += [f"up{dial}"] * n if n <= 2 else [f"down{dial}"] * (5 - n)
    out += ["handle", "guests", "back"]
    out += [*punt(case, "chapel"), "dark", "light", "dark", "saint", "font", "glass", "rail", "back"]
    for who, place in HOME.items():
        out += ["map", f"to_{place}", f"boat_{who}", who, *AGAIN]
    return [*out, "reeve", "say4", f"say{SUSPECTS.index(case['thief']) + 1}"]
