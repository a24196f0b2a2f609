"""A patient guest: looks at everything in every room, twice, and then leads the light through one table after the other."""

from __future__ import annotations

from typing import Any

ROOMS: dict[str, list[str]] = {
    "stairs": ["window", "back", "clock", "back", "steps", "portrait", "plant"],
    "dressing": ["vanity", "back", "wardrobe", "back", "box", "ring", "comb", "gem", "shell", "back", "screen", "stool",
                 "gown"],
    "salon": ["candles", "back", "piano", "back", "music", "waltz", "study", "fork", "taper", "back", "fire", "view",
              "curtain"],
    "workshop": ["bench", "lens1", "wheel", "rouge", "plan", "globe", "back", "shelf", "book1", "book2", "book3", "lamp",
                 "cup", "back", "wheel", "chart", "great"],
    "garden": ["sundial", "back", "fountain", "back", "sunset", "tower", "hedge", "gull"],
}  # fmt: skip
"""What there is to look at in each room."""
PLACE = {"piano": "salon", "wardrobe": "dressing", "clock": "stairs", "fountain": "garden"}


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
    out = ["gate", "lever", "back", "stand", "umbrella", "hat", "glove", "card", "back", "meter", "lamp"]
    for room, things in [*ROOMS.items(), *ROOMS.items()]:
        out += [f"to_{room}", *things, "back"]
    for table, room in PLACE.items():
        out += [f"to_{room}", table, *turns(case, table), "lever", f"in_{table}", "back"]
    out.append("gate")
    for n, table in enumerate(PLACE, 1):
        out += [f"glass_{table}", f"ring_{n}"]
    return [*out, *turns(case, "gate"), "lever"]


def turns(case: dict[str, Any], table: str) -> list[str]:
    return [f"mirror_{i + 1}" for i in case["boards"][table]["turn"]]
