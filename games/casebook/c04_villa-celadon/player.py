"""A careful inspector: asks everybody everything, looks at everything in the dark, and again when the lights are on."""

from __future__ import annotations

from typing import Any

ASKED = ["say1", "say1", "say2", "say1", "say3", "say1", "say4"]
"""Everything that can be asked, and goodbye."""
GUESTS = ["basil", "ines", "otto", "greta", "lucan"]
GEMS = ["emerald", "ruby", "sapphire", "topaz", "pearl"]
ROOMS: dict[str, list[str]] = {
    "dining": ["dark_table", "cushion", "big_clock", "window", "chandelier"],
    "music": ["portraits", "back", "piano", "bench", "song", "fork", "comb", "back", "harp", "curtain",
              "bust"],
    "terrace": ["moon", "park", "lanterns", "easel", "peacock"],
    "kitchen": ["drawer", "whisk", "matchbox", "list", "pear", "back", "moulds", "pans",
                "stove", "cat"],
}  # fmt: skip
"""What there is to look at in each room."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`choose_cell` with the cell of the next target of the plan."""
    plan = walkthrough(state["raw"]["data"])
    n = state["metrics"]["inputs"]
    cells = {e["id"]: e["cell"] for e in state["game_state"]["entities"]}
    if state["game_state"]["ended"]:
        return "finish"
    return f"choose_cell {cells[plan[n]]}" if n < len(plan) and cells.get(plan[n]) else "wait"


def guests(case: dict[str, Any], room: str) -> list[str]:
    return [who for who in GUESTS if case["stands"][who]["room"] == room]


def found(case: dict[str, Any], names: list[str]) -> list[str]:
    """Takes what is needed wherever a place is opened in which it lies."""
    needed = {name: [thing for thing, at in case["lies"].items() if at == f"in_{name}"] for name in names}
    return [target for name in names for target in (name, *needed[name])]


def walkthrough(case: dict[str, Any]) -> list[str]:
    """Every target that is clicked, in order."""
    out = ["celadon", *ASKED, "study", "back", "winter", "stand", "tophat", "umbrella", "glove", "mask", "back"]
    out += ["clock", "floor"]
    for room, things in ROOMS.items():
        out += [
            f"to_{room}",
            *(step for who in guests(case, room) for step in (who, *ASKED)),
            *things,
            *([] if room == "kitchen" else ["back"]),
        ]
    out += ["to_cellar", "fusebox", "shelf", "bottle1", "candle", "rope", "back", "barrels", "web", "footprints"]
    out = found(case, out)
    out += ["fuse", "fusebox", "back", "back", "to_dining", "near_table", "back", "chandelier", "back"]
    # The portraits once more, now that there is light, and then the study.
    out += ["to_music", "portraits", "back", "back", "study"]
    for dial, hat in enumerate(case["asked"], 1):
        n = GEMS.index(case["worn"][hat])
        out += [f"up{dial}"] * n if n <= 2 else [f"down{dial}"] * (5 - n)
    out += [
        "handle",
        "study",
        "blotter",
        "back",
        "books",
        "b1",
        "b2",
        "b3",
        "b4",
        "back",
        "desk",
        "globe",
        "safe",
        "fire",
    ]
    out += [
        "mirror",
        "blotter",
        "book",
        "close",
        "back",
        "back",
        "to_music",
        "piano",
        "back",
        "key",
        "winter",
        "winter",
    ]
    out += ["fountain", "orchids", "palm", "frog", "bench", "valve", "tap", "valve", "bundle", "book", "close"]
    out += ["back", "back"]
    # Who sat where is asked again, with the table in sight, before anybody is named.
    for room in ROOMS:
        out += [f"to_{room}", *(["near_table", "back"] if room == "dining" else [])]
        out += [step for one in guests(case, room) for step in (one, "say1", "say2")] + ["back"]
    return [*out, "celadon", "say1", "say1", "say4", f"say{GUESTS.index(case['thief']) + 1}"]
