"""A ruler who has learned everybody's nature: cheats, the witch, the general and the taxes are refused, and gold is kept for what brings people."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

WHO = re.findall(r"all\('(\w+)'", Path(__file__).with_name("court.js").read_text(encoding="utf-8"))
"""The petitioners in the order of the list; each comes three times."""
REFUSED = {"vex", "monk", "general", "witch", "taxman"}


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`choose_cell` with the cell of yes or no."""
    game = state["game_state"]
    cells = {e["id"]: e["cell"] for e in game["entities"]}
    day = game["vars"]["day"]
    order = state["raw"]["data"]["order"]
    if not cells or day > len(order):
        return "finish"
    who = WHO[order[day - 1] // 3]
    return f"choose_cell {cells['no' if who in REFUSED else 'yes']}"
