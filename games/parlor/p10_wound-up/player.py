"""A scripted player for Wound Up: three yards, the toys that beat those it has seen, and one large army.

It reads what its side may know (`game_state.knows`), plans five orders ahead and keeps count of what they cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

ORDERS = 5
COSTS = {
    "mouse": (50, 0, 1), "drummer": (100, 0, 2), "top": (75, 25, 1), "frog": (100, 25, 2), "slinger": (125, 50, 2),
    "patcher": (50, 75, 2), "bear": (250, 100, 4), "cannon": (300, 175, 6), "kite": (150, 75, 2), "glider": (225, 150, 4),
    "chest": (400, 0, 0), "shelf": (100, 0, 0), "oil_press": (75, 0, 0), "workshop": (150, 0, 0),
    "workbench": (150, 0, 0), "anvil": (150, 0, 0), "tower": (150, 0, 0), "post": (100, 0, 0), "clock": (150, 100, 0),
    "foundry": (150, 100, 0), "press_hall": (150, 150, 0), "loft": (150, 150, 0),
    "blades_1": (100, 100, 0), "blades_2": (200, 200, 0), "blades_3": (300, 300, 0), "plates_1": (100, 100, 0),
    "plates_2": (200, 200, 0), "plates_3": (300, 300, 0), "long_slings": (150, 150, 0), "long_barrel": (150, 150, 0),
    "spring_legs": (100, 100, 0), "swift_workshop": (50, 50, 0),
}  # fmt: skip
"""Tin, oil and room of what it uses."""
AIR = ("kite", "glider", "airship")
HEAVY = ("slinger", "bear", "cannon")
LIGHT = ("drummer", "top", "frog", "patcher", "conductor")
MACHINES = ("bear", "cannon", "lantern")
MICE, YARDS = 44, 3
SCHEDULE = (
    (0, "build_workshop", 1), (55, "build_oil_press", 1), (60, "build_workbench", 1), (75, "build_chest", 2),
    (110, "build_workshop", 2), (140, "build_workshop", 3), (160, "build_anvil", 1), (200, "build_tower", 1),
    (220, "build_oil_press", 2), (240, "build_tower", 2), (250, "research_blades_1", 1), (270, "build_workshop", 4),
    (290, "build_tower", 3), (310, "build_post", 1), (330, "build_foundry", 1), (350, "build_oil_press", 3),
    (370, "build_tower", 4), (390, "research_plates_1", 1), (420, "build_workshop", 5), (430, "build_oil_press", 4),
    (440, "build_clock", 1), (460, "build_tower", 6), (470, "research_long_slings", 1), (480, "research_blades_2", 1),
    (500, "build_press_hall", 1), (510, "build_foundry", 2), (530, "build_workshop", 6), (540, "build_chest", 3),
    (570, "research_plates_2", 1), (580, "research_spring_legs", 1), (600, "build_tower", 8), (640, "research_blades_3", 1),
    (660, "research_long_barrel", 1), (680, "build_oil_press", 6),
)  # fmt: skip
"""Time in seconds from which a building or research is due, and how many of it there have to be."""
NEEDS = {
    "workshop": "shelf", "workbench": "workshop", "tower": "anvil", "post": "workbench", "clock": "workbench",
    "foundry": "workbench", "press_hall": "foundry", "oil_press": "workshop",
}  # fmt: skip
RESEARCH = {
    "blades_1": ("anvil", ""), "blades_2": ("anvil", "blades_1"), "blades_3": ("anvil", "blades_2"),
    "plates_1": ("anvil", ""), "plates_2": ("anvil", "plates_1"), "long_slings": ("clock", ""),
    "spring_legs": ("clock", ""), "long_barrel": ("press_hall", ""),
}  # fmt: skip
"""Where it is researched, and what comes before."""
FULL_ROOM = 104
"""Room in use at which the army attacks."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns five orders, each on a line."""
    known = state["game_state"]["knows"]
    plan = Plan(known.get(role, known["red"]))
    out: list[str] = []
    while len(out) < ORDERS:
        order = next((o for o in plan.wishes() if o == "save" or plan.take(o)), "empty")
        plan.tin += plan.income
        out.append("empty" if order == "save" else order)
    return "\n".join(out)


class Plan:
    """What the side knows, and what the orders of this reply change."""

    def __init__(self, k: dict[str, Any]):
        self.k = k
        self.tin, self.oil, self.used = k["tin"], k["oil"], k["used"]
        self.given: list[str] = []
        self.winding = k["winding"]
        self.income = 0.8 * k["mice"].get("tin", 0)
        """Tin of a second, carefully."""

    def take(self, order: str) -> bool:
        """Counts an order if it can be paid, and returns whether it can."""
        kind, _, what = order.partition("_")
        if kind in ("train", "build", "research"):
            tin, oil, room = COSTS[what]
            if self.tin < tin or self.oil < oil or (room and self.used + room > self.k["room"]):
                return False
            self.tin, self.oil, self.used = self.tin - tin, self.oil - oil, self.used + room
        elif kind == "wind":
            if self.winding < 50:
                return False
            self.winding -= 50
        elif order in self.given:
            return False
        self.given.append(order)
        return True

    def houses(self, kind: str) -> int:
        """Buildings of a kind, with those that are being built."""
        rising = sum(r["what"] == kind for r in self.k["rising"])
        return self.k["houses"].get(kind, 0) + rising + self.given.count(f"build_{kind}")

    def stands(self, kind: str) -> int:
        return self.k["houses"].get(kind, 0)

    def making(self, kind: str) -> int:
        return sum(w["what"] == kind for w in self.k["busy"]) + self.given.count(f"train_{kind}")

    def toys(self, kind: str) -> int:
        return self.k["army"].get(kind, 0) + self.making(kind)

    def queue(self, house: str) -> int:
        """Toys before all buildings of a kind."""
        made = {
            "workshop": ("drummer", "frog", "slinger", "patcher"),
            "foundry": MACHINES,
            "loft": AIR,
            "chest": ("mouse",),
        }
        return sum(w["at"] == house for w in self.k["busy"]) + sum(
            self.given.count(f"train_{toy}") for toy in made[house]
        )

    def known(self, research: str) -> bool:
        busy = any(w["what"] == research for w in self.k["busy"])
        return busy or research in self.k["research"] or f"research_{research}" in self.given

    def enemies(self, kinds: tuple[str, ...]) -> int:
        return sum(self.k["remembered"].get(kind, 0) for kind in kinds)

    def wishes(self) -> Iterator[str]:
        """Orders by importance."""
        k = self.k
        yield from self.war()
        mice = sum(k["mice"].values()) + self.making("mouse")
        chests = self.houses("chest")
        workshops = self.stands("workshop") + self.stands("foundry")
        room = k["room"] + 8 * (self.houses("shelf") - self.stands("shelf"))
        if room < min(120, self.used + 4 + 3 * workshops):
            yield "build_shelf"
        wanted = min(MICE, 16 * chests + 3 * self.houses("oil_press"))
        if mice < wanted and self.queue("chest") < self.stands("chest") * (2 if self.k["time"] < 150 else 1):
            yield "train_mouse"
        yield "wind_chest" if mice < 20 else "wind_machines" if self.queue("foundry") else "wind_workshop"
        at_oil = k["mice"].get("oil", 0) + 3 * self.given.count("mice_to_oil")
        at_tin = k["mice"].get("tin", 0)
        if at_oil and at_tin < 8:
            yield "mice_to_tin"
        elif at_oil < 3 * self.stands("oil_press") and at_tin > 9 and self.oil < 250:
            yield "mice_to_oil"
        mine = [y["mice"] for y in k["yards"] if y["mine"]]
        if len(mine) == self.stands("chest") > 1 and max(mine) > 16 > 6 + min(mine):
            yield "spread_mice"
        if not self.threatened():
            yield from self.schedule()
        yield from self.army()
        if k["damaged"] and self.tin > 150:
            yield "repair"
        if k["time"] > 90 and not k["mice"].get("scout") and self.scouting_due():
            yield "scout_mouse"

    def threatened(self) -> bool:
        return sum(n for toy, n in self.k["near_home"].items() if toy not in ("mouse", "lantern")) > 1

    def scouting_due(self) -> bool:
        last = self.k["yards"][-1]["looked"]
        return (last is None or last > 75) and "attack" not in " ".join(self.k["jobs"])

    def schedule(self) -> Iterator[str]:
        """The first building or research that is due: nothing else is bought before it. `save`: it cannot be paid yet."""
        for due, order, many in SCHEDULE:
            if self.k["time"] < due:
                return
            kind, _, what = order.partition("_")
            if kind == "research":
                at, needs = RESEARCH[what]
                busy = sum(w["at"] == at for w in self.k["busy"]) + sum("research" in g for g in self.given)
                if self.known(what) or busy >= self.stands(at) or (needs and needs not in self.k["research"]):
                    continue
            else:
                limit = 2 * self.stands("chest") if what == "oil_press" else many
                if self.houses(what) >= min(many, limit) or not self.stands(NEEDS.get(what, "chest")):
                    continue
            yield order
            yield "save"
            return

    def army(self) -> Iterator[str]:
        """Toys by how much of each is missing, as an answer to what was seen."""
        want = {"slinger": 4.0, "bear": 1.5, "frog": 2.0, "cannon": 1.5}
        total = max(1, self.enemies(AIR + HEAVY + LIGHT))
        want["slinger"] += 10 * self.enemies(AIR) / total
        want["bear"] += 5 * self.enemies(HEAVY) / total
        want["frog"] += 5 * self.enemies(LIGHT) / total
        want["cannon"] += 3 * self.enemies(LIGHT) / total
        if self.enemies(AIR) > 0.3 * total:
            want |= {"bear": 0.5, "frog": 0.5, "cannon": 0.2}
        if self.toys("slinger") + self.toys("frog") > 10:
            want["patcher"] = 0.7
        lacking = sorted(want, key=lambda toy: self.toys(toy) / want[toy])
        for kind in lacking:
            house, needs = ("foundry", "foundry") if kind in MACHINES else ("workshop", "workbench")
            if kind == "cannon":
                needs = "press_hall"
            free = self.queue(house) < 2 * self.stands(house)
            # What it lacks most is worth waiting for, unless oil is missing.
            if self.stands(needs) and free and (kind != "patcher" or kind == lacking[0]):
                yield f"train_{kind}"
                if self.oil >= COSTS[kind][1]:
                    break
        if self.tin > 400 and self.stands("workshop") and self.queue("workshop") < 2 * self.stands("workshop"):
            yield "train_drummer"

    def war(self) -> Iterator[str]:
        k = self.k
        fighters = {toy: n for toy, n in k["near_home"].items() if toy not in ("mouse", "lantern")}
        jobs = {job.split()[0] for job in k["jobs"]}
        out = sum(n for job, n in k["jobs"].items() if job.startswith("attack"))
        own = sum(k["army"].values())
        if len(fighters) and sum(fighters.values()) > 1 and not out:
            if "defend" not in jobs:
                yield "defend_home"
            return
        if "defend" in jobs and not fighters:
            yield "retreat"
        if out and k["army_value"] < 0.7 * k["remembered_value"] and sum(k["in_sight"].values()) > 4:
            yield "retreat"
        elif (out and own - out > 5) or (not out and not fighters and self.strong()):
            yield "attack"

    def strong(self) -> bool:
        k = self.k
        met = max(k["remembered_value"], 600)
        return k["used"] >= FULL_ROOM or (k["time"] > 380 and k["army_value"] > 1200 + 2 * met)
