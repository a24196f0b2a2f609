"""A scripted player for Thirteen Days: parsnips on the days 1, 5 and 9, as many as it can water to the end.

It reads the numbers that `getState()` returns and keeps one energy point each day: exhaustion costs half a day.
"""

from __future__ import annotations

from typing import Any

SOWING_DAYS = (1, 5, 9)
PRICE, TOOL, TILES = 20, 2, 37
SPARE = 3
"""Tiles that are tilled beyond those that can be watered."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns the next job of the day."""
    s = state["game_state"]
    crops, energy = s["entities"], s["energy"]
    dry = sum(not c["wet"] and c["left"] > 0 for c in crops)
    most = (s["day_energy"] - 1) // TOOL
    if sum(s["store"].values()):
        return "sell"
    if s["place"] == "house":
        return "sleep" if s["day"] == 13 and not crops else "leave_house"
    if any(c["left"] == 0 for c in crops):
        return "harvest"
    if s["day"] in SOWING_DAYS:
        seeds = s["seeds"]["parsnip"]
        # The energy for tilling what is missing is not there for watering.
        wanted = min(s["gold"] // PRICE, most - len(crops) - seeds) + seeds
        while wanted and TOOL * ((0 if s["rain"] else wanted) + dry + max(0, wanted - s["tilled"])) >= energy:
            wanted -= 1
        if wanted > seeds:
            return f"buy parsnip {wanted - seeds}"
        if seeds > s["tilled"]:
            return f"till {seeds - s['tilled']}"
        if seeds:
            return "plant"
    if dry:
        return "water"
    # Before a sowing day there has to be tilled soil, and some more for what is grown over at night.
    if s["day"] < SOWING_DAYS[-1]:
        room = min((energy - 1) // TOOL, min(most + SPARE, TILES) - len(crops) - s["tilled"])
        if room > 0:
            return f"till {room}"
    return "sleep"
