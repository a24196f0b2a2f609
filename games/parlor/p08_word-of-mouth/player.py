"""A scripted player for Word of Mouth: watches every new clip that is listed, and searches words along a known way.

Each word of the way is said in a clip that an earlier word has led to, so a player who only knows what it has heard
could choose the same words.
"""

from __future__ import annotations

from typing import Any

WAYS = {
    "low-water": """
        a after am bad before bones asked don't ever i've every time vault amos bessie both better he'd car
        cut find behind face houses i'm looked none hear round she'd satchel taught you'll bell didn't dad
        dead family june nine pell sent should until agent always born church dark dug eighteenth haigh's
        head home known monday set seventy thought tin upon best call capitals carpet carrara caught ferri
        grandad invent
    """,
    "winter-garden": """
        a back came brother like then five case could did himself how after hundred before behind called
    """,
}


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns the first new clip of the list, or else the next word."""
    s = state["game_state"]
    for number, clip in enumerate(s["entities"], start=1):
        if clip["new"]:
            return f"play_clip {number}"
    return f"search {next((word for word in WAYS[s['archive']].split() if word not in s['searched']), 'nothing')}"
