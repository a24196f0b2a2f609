"""A careful detective: talks to everybody about everything, looks at everything, and goes home only with three proofs."""

from __future__ import annotations

from typing import Any

PLACES: dict[str, list[str]] = {
    "museum": ["lions", "lion", "coat_berta", "ledger", "painting", "plant", "pillar"],
    "harbour": ["boat", "coat_rook", "ropes", "timetable", "houses", "sun"],
    "market": ["clock", "flowers", "coat_ilse", "fountain", "left_house", "yellow_house", "tower_door"],
    "hill": ["coat_pym", "lion_picture", "books", "violin", "magnifier", "quill", "window"],
    "lighthouse": ["lamp", "coat_wren", "stairs", "sea"],
}
WHO = {"museum": "berta", "harbour": "rook", "market": "ilse", "hill": "pym", "lighthouse": "wren"}
SMALL = {
    "museum": ["curiosities", "mask", "crown", "shell", "tooth"],
    "harbour": ["lost", "umbrella", "shoe", "ticket", "duck", "dice"],
    "market": ["bric", "watch", "horn", "candle", "fish"],
    "hill": ["collection", "gem1", "gem2", "gem3", "gem4", "empty"],
    "lighthouse": ["desk", "cup", "rope", "log", "photo"],
}
"""Where small things lie, and what they are."""
ASKED = ["say1", "say1", "say2", "say1", "say3", "say1", "say4", "say2"]
"""Everything that can be asked, and goodbye."""


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
    out: list[str] = []
    for place in ("museum", "harbour", "market", "hill", "lighthouse"):
        out += [] if place == "museum" else ["map", f"to_{place}"]
        missed = [thing for thing, at in case["lies"].items() if at == f"in_{SMALL[place][0]}"]
        out += PLACES[place] + [WHO[place], *ASKED] + [*SMALL[place], *missed, "back"]
    # Once more around the island, to hold what was said against what is worn.
    out += ["hatch"]
    for place in ("museum", "harbour", "market", "hill"):
        out += ["map", f"to_{place}", f"coat_{WHO[place]}", WHO[place], "say3", "say1", "say4", "say2", "book", "close"]
    for place, thing in (
        ("museum", "glass"),
        ("market", "scissors"),
        ("hill", "flower"),
        ("harbour", "pipe"),
        ("lighthouse", "oil"),
    ):
        out += ["map", f"to_{place}", thing, WHO[place], "say2"]
    out += ["hatch", "barrels", "mouse", "bottles", "book", "close", "sea_chest"]
    for dial, digit in enumerate(case["code"], 1):
        n = int(digit)
        out += [f"up{dial}"] * n if n <= 5 else [f"down{dial}"] * (10 - n)
    out += ["handle", "proof", "book", "close", "back", "map", "to_museum", "berta", "say5"]
    return [*out, f"say{['berta', 'rook', 'ilse', 'pym', 'wren'].index(case['thief']) + 1}"]
