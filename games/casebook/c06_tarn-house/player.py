"""A careful visitor of Tarn House: looks at everything twice, then opens one thing after the other.

Works for every house that `case.js` can make, because it reads from the state how this one was made. It counts its own
inputs, so what it does next follows from the state alone.
"""

from __future__ import annotations

from typing import Any

ROOMS: dict[str, list[str]] = {
    "hall": ["front", "letters", "bell", "stand", "table"],
    "study": ["drawer", "left", "desk", "safe", "books", "window", "globe", "chair"],
    "kitchen": ["pantry", "stove", "teapot", "table", "apple", "cup", "knife", "sink", "shelf", "window"],
    "landing": ["workshop", "map", "plant"],
    "bedroom": ["chest", "casket", "trapdoor", "bed", "lamp", "night", "window", "wardrobe", "uncle"],
    "workshop": ["cabinet", "tools", "gears", "hammer", "watch", "parts"],
    "attic": ["trunk", "violin", "duck", "ghost", "boxes"],
}
"""What there is to look at in each room."""
UP = {
    "study": "hall",
    "kitchen": "hall",
    "landing": "hall",
    "bedroom": "landing",
    "workshop": "landing",
    "attic": "bedroom",
}
LEAVE = {
    "study": "back",
    "kitchen": "to_hall",
    "landing": "to_hall",
    "bedroom": "to_landing",
    "workshop": "to_landing",
    "attic": "to_bedroom",
}
PLACE = {"drawer": "study", "safe": "study", "pantry": "kitchen", "chest": "bedroom", "casket": "bedroom", "workshop": "landing",
         "cabinet": "workshop", "bench": "workshop", "trapdoor": "bedroom", "dark": "attic", "trunk": "attic", "front": "hall"}  # fmt: skip
OPENS = {"key_drawer": "drawer", "key_chest": "chest", "key_workshop": "workshop", "crowbar": "pantry", "hook": "trapdoor",
         "lantern": "dark", "key_trunk": "trunk", "key_front": "front"}  # fmt: skip
CODED = ("safe", "casket", "cabinet")
KEYED = ("drawer", "chest", "workshop", "pantry", "trapdoor", "front")
SMALL = {
    "left": ["nibs", "lens", "ticket", "comb"],
    "books": [f"book{n}" for n in range(1, 9)],
    "shelf": ["spoon", "fish", "matches", "candle", "pear"],
    "wardrobe": ["hat", "shoes", "flower", "gloves", "medal"],
    "parts": ["wheel", "magnet", "fuse", "oilcan"],
}
"""What lies in drawers and on shelves that stand open."""


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
    visit = Visit(case)
    for room in ("hall", "study", "kitchen", "landing", "bedroom"):
        visit.look_around(room)
    # Then a second time, with everything in mind that the other rooms have told.
    for room in ("bedroom", "landing", "hall", "study", "kitchen"):
        visit.look_around(room)
    queue = [where for where in ("safe", "casket") if case["where"][case["kinds"][where]] != "workshop"]
    carried: list[str] = []
    while "key_front" not in carried:
        if queue:
            carried.append(visit.enter_code(queue.pop(0)))
            continue
        # Hook before lantern before attic key: a ladder, a light, and then the trunk.
        thing = next(t for t in OPENS if t in carried and visit.can_use(t))
        carried.remove(thing)
        visit.try_on_the_way(thing)
        visit.use(thing)
        where = OPENS[thing]
        if where == "workshop":
            visit.look_around("workshop")
            carried.append(visit.take("bench"))
            queue = [w for w in CODED if w not in visit.opened]
        elif where == "trapdoor":
            visit.go("attic")
            visit.clicks.append("dark")
        elif where == "dark":
            visit.look_around("attic")
        elif where != "front":
            carried.append(visit.take(where))
    visit.use("key_front")
    return visit.clicks


class Visit:
    """Where the visitor is, and what was clicked."""

    def __init__(self, case: dict[str, Any]):
        self.case, self.room = case, "hall"
        self.clicks: list[str] = []
        self.opened: set[str] = set()

    def go(self, room: str) -> None:
        above = [room]
        while above[-1] in UP:
            above.append(UP[above[-1]])
        while self.room not in above:
            self.clicks.append(LEAVE[self.room])
            self.room = UP[self.room]
        for step in reversed(above[: above.index(self.room)]):
            self.clicks.append(f"to_{step}")
            self.room = step

    def look_around(self, room: str) -> None:
        self.go(room)
        for thing in ROOMS[room]:
            inside = SMALL.get(thing, [])
            self.clicks += [thing, *inside, "back"] if thing in CODED or inside else [thing]
        for kind, where in self.case["where"].items():
            if where == room:
                self.clicks += [f"clue_{kind}", "leave"]

    def enter_code(self, lock: str) -> str:
        self.go(PLACE[lock])
        self.clicks.append(lock)
        for dial, digit in enumerate(self.case["codes"][lock], 1):
            n = int(digit)
            self.clicks += [f"up{dial}"] * n if n <= 5 else [f"down{dial}"] * (10 - n)
        self.clicks.append("handle")
        return self.take(lock)

    def take(self, where: str) -> str:
        self.opened.add(where)
        self.go(PLACE[where])
        self.clicks.append(f"in_{where}")
        return self.case["holds"][where]

    def can_use(self, thing: str) -> bool:
        before = {"lantern": "trapdoor", "key_trunk": "dark"}.get(thing)
        return before is None or before in self.opened

    def try_on_the_way(self, thing: str) -> None:
        """Keys are tried on whatever is locked nearer by, as people do, whatever the plates say."""
        if thing.startswith("key_"):
            for where in KEYED:
                if where == OPENS[thing]:
                    return
                if where not in self.opened and where not in ("pantry", "trapdoor"):
                    self.go(PLACE[where])
                    self.clicks += [thing, where]

    def use(self, thing: str) -> None:
        where = OPENS[thing]
        self.go(PLACE[where])
        self.clicks += [thing, where]
        self.opened.add(where)
