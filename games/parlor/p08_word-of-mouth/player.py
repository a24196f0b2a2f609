"""A scripted player for Word of Mouth: watches every new clip that is listed, and searches the words that it has heard.

It reads nothing that a player with a perfect memory would not know: the list, and the words in capitals of the clips that
it has watched.
"""

from __future__ import annotations

from typing import Any


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns the first new clip of the list, or else the first word that was heard and not yet searched."""
    s = state["game_state"]
    for number, clip in enumerate(s["entities"], start=1):
        if clip["new"]:
            return f"play_clip {number}"
    return f"search {next((word for word in s['heard'] if word not in s['searched']), 'nothing')}"
