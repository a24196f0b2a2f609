"""The harbor town, and questions about its screenshots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gwray.catalog import load_catalog
from gwray.plugins.authoring.lab import Lab, timeline

TOWN = load_catalog().game("town")
QUESTS = tuple(dict.fromkeys(task.id.partition("_")[0] for task in TOWN.tasks))
MOVES = {c.id: timeline(TOWN, [c.id]) for c in TOWN.roles[0].controls}
LEAST = 50
"""Of 921,600 pixels, from which on something can be seen."""
_PICTURE = (Path(__file__).parent / "town_picture.js").read_text()


async def look(lab: Lab, call: str, *arguments: Any) -> Any:
    """Returns the result of a call of `town_picture.js`; its arguments are `a`."""
    return await lab.call(f"async a => {{ {_PICTURE}\nreturn {call}; }}", list(arguments))
