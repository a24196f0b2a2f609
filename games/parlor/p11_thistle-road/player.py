"""A scripted player for The Thistle Road: it knows the story, and looks for the way on the complete maps.

It reads the maps, the party and the battle from `getState()`. It walks by `move_to` over what has been explored, towards
the door, the edge or the person that the next event needs. Before the trainers and the leader it fights wild creatures
until its own are strong enough.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

State = dict[str, Any]
Tile = tuple[int, int]

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
ROADS = {
    "loft": ["house"],
    "house": ["loft", "village"],
    "village": ["house", "aunt", "hall", "road"],
    "aunt": ["village"],
    "hall": ["village"],
    "road": ["village", "town"],
    "town": ["road", "rest", "store", "wood"],
    "rest": ["town"],
    "store": ["town"],
    "wood": ["town", "city"],
    "city": ["wood", "inn", "arena"],
    "inn": ["city"],
    "arena": ["city"],
}
"""Maps that lead to one another."""
STARTERS = {"bramblet", "eelkin"}
"""Those that are strong against the leader."""
STRONG = {
    "leaf": ("tide", "stone"),
    "ember": ("leaf",),
    "tide": ("ember", "stone"),
    "stone": ("ember", "gust"),
    "gust": ("leaf",),
    "plain": (),
}
WEAK = {
    "leaf": ("leaf", "ember", "gust"),
    "ember": ("ember", "tide", "stone"),
    "tide": ("tide", "leaf"),
    "stone": ("stone", "leaf"),
    "gust": ("stone",),
    "plain": ("stone",),
}
BEDS = {"house": "mother", "rest": "rest", "inn": "rest"}
READY = {"wood": 7, "city": 9}
"""Level of the first creature before it goes on to a place."""
SPARE_BELLS = 3
WOUNDED = 0.45


def act(state: State, role: str, task: State) -> str:
    """Returns the next tool or button."""
    s = state["game_state"]
    if s["talk"]:
        return _talk(s)
    if s["menu"]:
        return "b"
    if s["enemy"]:
        return _battle(s)
    return _field(s)


def _talk(s: State) -> str:
    options, cursor = s["talk"]["options"], s["talk"]["cursor"]
    if not options:
        return "continue_dialog"
    wanted = 0
    if options[0].startswith("Bell"):
        bells, coins = s["bag"].get("Bell", 0), s["coins"]
        need = 0 if "friend" in s["events"] else SPARE_BELLS
        wanted = 0 if bells < need and coins >= 40 else 1 if s["bag"].get("Balm", 0) < 3 and coins >= 60 else 2
    return "a" if cursor == wanted else "down"


def _factor(kind: str, on: str) -> float:
    return 2 if on in STRONG[kind] else 0.5 if on in WEAK[kind] else 1


def _best(creature: State, foe: State) -> tuple[float, str]:
    moves = [m for m in creature["moves"] if m["left"]] or creature["moves"]
    worth = [
        (m["power"] * _factor(m["type"], foe["type"]) * (1.25 if m["type"] == creature["type"] else 1), m["name"])
        for m in moves
    ]
    return max(worth)


def _battle(s: State) -> str:
    foe, mine, party = s["enemy"], s["entities"][s["ahead"]], s["entities"]
    able = [c for c in party if c["hp"] > 0 and c is not mine]
    if foe["must"]:
        return f"switch {max(able, key=lambda c: (c['level'], c['hp']))['name']}"
    weak = mine["hp"] < WOUNDED * mine["max"]
    if not foe["duel"] and "friend" not in s["events"] and s["bag"].get("Bell"):
        gentle = min((m for m in mine["moves"] if m["power"] and m["left"]), key=lambda m: m["power"], default=None)
        if foe["hp"] > 0.5 * foe["max"] and foe["level"] + 3 > mine["level"] and gentle:
            return f"select_move {gentle['name']}"
        return "use_item Bell none"
    if weak and s["bag"].get("Balm") and (foe["duel"] or foe["level"] + 2 >= mine["level"]):
        return f"use_item Balm {mine['name']}"
    if weak and not foe["duel"]:
        return "run_away"
    return f"select_move {_best(mine, foe)[1]}"


def _goal(s: State) -> tuple[str, str]:
    """Returns the map of the next event and what to do there."""
    done = s["events"]
    if "home" not in done:
        return "village", ""
    if "warden" not in done:
        return "road", ""
    if "companion" not in done:
        return "hall", "basket"
    if "duel" not in done:
        return "village", ""
    if "map" not in done:
        return "aunt", "aunt"
    if _hurt(s):
        return _bed(s)
    if "parcel" not in done:
        return "store", "store"
    if "delivery" not in done:
        return "hall", "hall"
    if "bell" not in done or ("friend" not in done and not s["bag"].get("Bell") and s["coins"] >= 40):
        return "store", "store"
    if "friend" not in done or s["entities"][0]["level"] < READY["wood"]:
        return "road" if s["place"] in ("road", "town", "store") else "wood", "grass"
    if "city" not in done:
        return "city", ""
    if s["entities"][0]["level"] < READY["city"]:
        return "wood", "grass"
    return "arena", "leader"


def _hurt(s: State) -> bool:
    first = s["entities"][0]
    return first["hp"] < WOUNDED * first["max"] or not any(m["left"] for m in first["moves"] if m["power"])


def _bed(s: State) -> tuple[str, str]:
    """Returns the nearest place to rest, and who is asked there."""
    return min(BEDS.items(), key=lambda bed: _distance(s["place"], bed[0]))


def _field(s: State) -> str:
    where, what = _goal(s)
    board = s["board"]
    if s["place"] != where:
        step = min(ROADS[s["place"]], key=lambda other: _distance(other, where))
        for door in board["doors"]:
            if door["to"] == step:
                return _go(s, {(door["x"], door["y"])}, f"warp_with_warp_point {door['x']} {door['y']}")
        side = next(e for e in board["sides"] if e["to"] == step)
        if step == "wood" and any(t["event"] == "gate" for t in board["things"]):
            return _meet(s, "gate")
        return _go(s, {tuple(t) for t in side["at"]}, f"overworld_map_transition {side['side']}")
    if what == "grass":
        return _graze(s)
    return _meet(s, what)


def _distance(here: str, there: str) -> int:
    """Returns the number of maps on the shortest way."""
    reached, distance = {here}, 0
    while there not in reached:
        reached |= {other for at in reached for other in ROADS[at]}
        distance += 1
    return distance


def _meet(s: State, what: str) -> str:
    things = [t for t in s["board"]["things"] if t["event"] == what]
    if what == "basket":
        things = [t for t in things if _starter(s, t)]
    thing = things[0]
    beside = {(thing["x"] + dx, thing["y"] + dy) for dx, dy in STEPS.values()}
    return _go(s, beside, f"interact_with_object {thing['name']}", doors=False, see=(thing["x"], thing["y"]))


def _starter(s: State, thing: State) -> bool:
    names = [t["name"] for t in sorted(s["board"]["things"], key=lambda t: t["name"]) if t["event"] == "basket"]
    order = {"Left": 0, "Upper": 0, "Middle": 1, "Right": 2, "Lower": 2}
    assert thing["name"] in names
    return s["starters"][order[thing["name"].split()[0]]] in STARTERS


def _graze(s: State) -> str:
    """Walks to and fro in the nearest tall grass."""
    rows, at = s["board"]["rows"], (s["player"]["x"], s["player"]["y"])

    def grass(tile: Tile) -> bool:
        return tile != at and rows[tile[1]][tile[0]] == ","

    way = _path(s, grass, doors=False)
    assert way, "no grass on this map"
    return _go(s, {way[-1]}, f"move_to {way[-1][0]} {way[-1][1]}")


def _path(s: State, goal: Callable[[Tile], bool], doors: bool = True) -> list[Tile]:
    """Returns the shortest way to a goal on the complete map, without the tile where the player stands."""
    rows = s["board"]["rows"]
    start = (s["player"]["x"], s["player"]["y"])
    came: dict[Tile, Tile | None] = {start: None}
    queue = deque([start])
    while queue:
        tile = queue.popleft()
        if goal(tile):
            way: list[Tile] = []
            at: Tile | None = tile
            while at is not None and at != start:
                way.append(at)
                at = came[at]
            return way[::-1]
        if tile != start and rows[tile[1]][tile[0]] == "W":
            continue
        for dx, dy in STEPS.values():
            x, y = tile[0] + dx, tile[1] + dy
            if 0 <= y < len(rows) and 0 <= x < len(rows[0]) and rows[y][x] == "v" and dy == 1:
                y += 1
            if not (0 <= y < len(rows) and 0 <= x < len(rows[0])) or rows[y][x] in "#Sv" or (x, y) in came:
                continue
            if rows[y][x] == "W" and not (doors and goal((x, y))):
                continue
            came[x, y] = tile
            queue.append((x, y))
    return []


def _go(s: State, goals: set[Tile], tool: str, doors: bool = True, see: Tile | None = None) -> str:
    """Returns `tool` where the way to a goal has been explored, and the tile `see`; else the walk to the last explored
    tile on the way."""
    at = (s["player"]["x"], s["player"]["y"])
    way = _path(s, goals.__contains__, doors)
    if not way and at not in goals:
        raise ValueError(f"no way to {goals} on {s['place']} from {at}")
    seen = s["board"]["seen"]
    explored = []
    for x, y in way:
        if seen[y][x] != "1":
            break
        explored.append((x, y))
    if len(explored) == len(way) and (see is None or seen[see[1]][see[0]] == "1"):
        return tool
    x, y = explored[-1]
    return f"move_to {x} {y}"
