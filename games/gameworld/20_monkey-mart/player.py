"""A scripted shopkeeper: chooses the mat that is worth most right now and walks there along the lattice.

It reads the state that `getState()` gives, which a model never sees.
"""

from __future__ import annotations

from typing import Any

Place = tuple[float, float]
COLUMNS = range(115, 1200, 150)
"""Where mats lie, from left to right."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """One of `move_up`, `move_down`, `move_left`, `move_right`, `wait`."""
    game = state["game_state"]
    return _toward(game["player"], _goal(game, task["target"]), state["raw"]["counters"])


def _goal(game: dict[str, Any], target: float) -> Place:
    """The place to stand on next: collect, wake, invest, serve, stock, pick, in this order of worth."""
    me, basket = game["player"], game["player"]["basket"]
    offers = {o["id"]: o for o in game["offers"]}
    tray = game["tray"]
    if tray["coins"] and (tray["coins"] >= 12 or _far(me, tray) < 320 or game["score"] + tray["coins"] >= target):
        return tray["x"], tray["y"]
    for h in game["helpers"]:
        if h["asleep"] and _far(me, h) < (500 if me["x"] < 500 else 300):
            return 115 + 150 * round((h["x"] - 115) / 150), 160 + 150 * round((h["y"] - 160) / 150)
    for name in ("cashier", "corn", "helper"):
        offer = offers[name]
        if not offer["bought"]:
            if game["money"] >= offer["cost"]:
                return offer["x"], offer["y"]
            break
    cashier = offers["cashier"]["bought"]
    till = game["till"]
    if not cashier and till["waiting"] and (till["waiting"] >= 2 or _far(me, till) < 400):
        return till["x"], till["y"]

    shelves = {s["good"]: s for s in game["shelves"] if s["open"]}
    room = {good: s["most"] - s["stock"] for good, s in shelves.items()}
    mine = {good: basket.count(good) for good in shelves}
    ready = [s for good, s in shelves.items() if mine[good] and room[good]]
    on_plant = next((p for p in game["plants"] if p["open"] and p["fruit"] and _far(me, p) < 72), None)
    if ready and (len(basket) >= me["basket_size"] or on_plant is None):
        nearest = min(ready, key=lambda s: _far(me, s) - 40 * mine[s["good"]])
        if len(basket) >= 3 or _far(me, nearest) < 250:
            return nearest["x"], nearest["y"]
    if len(basket) < me["basket_size"]:
        price = {"banana": 1.0, "corn": 2.0}
        plants = [p for p in game["plants"] if p["open"] and p["fruit"]]
        if plants:
            best = max(
                plants,
                key=lambda p: (
                    min(p["fruit"], me["basket_size"] - len(basket), room[p["good"]] + 1) * price[p["good"]] * 100
                    - _far(me, p) / 2
                ),
            )
            return best["x"], best["y"]
    if ready:
        return ready[0]["x"], ready[0]["y"]
    return (till["x"], till["y"]) if not cashier else (265.0, 460.0)


def _far(a: Any, b: Any) -> float:
    return abs(a["x"] - b["x"]) + abs(a["y"] - b["y"])


def _toward(me: dict[str, Any], goal: Place, counters: list[Place]) -> str:
    """The next half second of walking, around the counters (shelves and till), given by their middles: they bar only
    ways up and down, so it changes rows in the free column that is the least detour."""
    dx, dy = goal[0] - me["x"], goal[1] - me["y"]
    if abs(dx) <= 50 and abs(dy) <= 50:
        # A short walk to and fro takes half a second, waiting takes a whole one.
        return "wait"
    low, high = sorted((me["y"], goal[1]))
    free = [c for c in COLUMNS if not any(abs(c - x) < 100 and low < y < high for x, y in counters)]
    column = min(free, key=lambda c: (abs(me["x"] - c) + abs(goal[0] - c), abs(goal[0] - c)))
    if abs(dy) > 50 and abs(me["x"] - column) <= 50:
        return "move_down" if dy > 0 else "move_up"
    to = dx if abs(dy) <= 50 else column - me["x"]
    return "move_right" if to > 0 else "move_left"
