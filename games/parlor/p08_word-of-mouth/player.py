"""A scripted player for Word of Mouth: watches every new clip that is listed, and searches words that it has heard.

Which of the heard words lead on it reads from the state: they are the seed's way, which no player is shown.
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
