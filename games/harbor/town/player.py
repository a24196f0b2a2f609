"""A scripted player for Harbour: it knows the ways through the town, and where to stand for each thing that is to be done.

It reads the state that `getState()` gives, which a model never sees. It keeps nothing between two calls.
"""

from __future__ import annotations

import heapq
import itertools
import math
from typing import Any

NODES: dict[str, tuple[float, float, float]] = {
    "barrels": (1.9, 0, 9.5), "cannery": (5, 0, 9.8), "quay17": (17, 0, 10.8), "quay24": (24.8, 0, 10.8), "quay31": (31, 0, 10),
    "painter": (32.5, 0, 10.6), "quay37": (37.2, 0, 10.8), "quay42": (42, 0, 10.6), "fisher": (46.6, 0, 10.2), "board": (47, 0, 11.9),
    "quay48": (48.4, 0, 11.2), "blue": (49.8, 0, 12.3), "gate": (50.1, 0, 10.7), "pier": (42, 0, 7), "pier2": (42, 0, 3.5), "stair": (50.05, 0, 12.8),
    "landing": (50.05, 3.4, 19.3), "roof": (47.8, 3.4, 19.25), "roof2": (43.6, 3.4, 18.8), "telescope": (42.9, 3.4, 16),
    "door": (17, 0, 12.2), "lobby": (17, 0, 14.6), "desk": (14.9, 0, 16.7), "foot": (20.9, 0, 13.9), "top": (20.9, 3.1, 19.1),
    "gallery": (18.6, 3.1, 19.5), "parcel": (16.4, 3.1, 19.5), "lane12": (24.8, 0, 12.5), "baker": (24.7, 0, 20.4), "high24": (24.7, 0, 22.7),
    "high22": (22, 0, 23), "alley": (22, 0, 30.6), "north22": (22, 0, 34.2), "tickets": (14, 0, 34), "garden": (18.9, 0, 30.65),
    "garden2": (16.7, 0, 31.3), "garden3": (14.5, 0, 31.8), "well": (14.1, 0, 29.6), "high15": (15, 0, 22.6), "high27": (27, 0, 22.9),
    "high31": (31, 0, 23), "market26": (26.8, 0, 25), "herbs": (27.4, 0, 30.1), "high35": (35.4, 0, 23), "shells": (35.4, 0, 30),
    "lane37": (37.2, 0, 12.4), "high37": (37.2, 0, 22), "office": (44.8, 0, 21.6), "keeper": (44.8, 0, 17.8), "arcade": (27.5, 0, 21.4),
    "hall": (27.6, 0, 18.5), "hall2": (34.4, 0, 18.4), "hall3": (34.4, 0, 15.4), "heron": (32.2, 0, 15.2),
}  # fmt: skip
"""Places by name: x, y, z."""
WAYS = (
    "barrels cannery quay17 quay24 quay31 painter quay37 quay42 fisher board quay48 blue stair landing roof roof2 telescope",
    "quay48 gate", "quay48 stair", "quay42 pier pier2", "quay17 door lobby desk", "lobby foot top gallery parcel",
    "quay24 lane12 baker high24 high22 alley north22 tickets", "alley garden garden2 garden3 well", "high22 high15",
    "high24 high27 high31 high35 high37 office keeper", "high27 market26 herbs", "high35 shells", "quay37 lane37 high37",
    "high27 arcade hall hall2 hall3 heron",
)  # fmt: skip
"""Places that are joined, one after the other."""
NEAR = 0.7
"""Metres from which on a place is reached."""


def _graph() -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {n: {} for n in NODES}
    for way in WAYS:
        names = way.split()
        for a, b in itertools.pairwise(names):
            out[a][b] = out[b][a] = math.dist(NODES[a], NODES[b])
    return out


GRAPH = _graph()


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """The next control on the way through the quest."""
    game = state["game_state"]
    if game["talking"]:
        return "press_a"
    place, thing = _stage(game)
    if place == "mump":
        return _fight(game)
    if thing and state["metrics"]["in_reach"] == thing[0]:
        return "press_a"
    here = (game["player"]["x"], game["player"]["y"], game["player"]["z"])
    if math.dist(here, NODES[place]) < NEAR and thing:
        return _towards(game["player"], thing[1:], turn_only=True) or "move_forward"
    return _towards(game["player"], NODES[_next(here, place)]) or "move_forward"


def _stage(game: dict[str, Any]) -> tuple[str, tuple[Any, ...]]:
    """Where to go now, and whom or what to use there: its id and where it is."""
    flags = game["flags"]
    where = {"n1": "tickets", "n2": "heron", "n3": "telescope", "n4": "well"}
    quest = game["quest"]
    if quest in where:
        return where[quest], ()
    if quest == "i1":
        return "desk", ("owner", 14.9, 0, 18.7)
    if quest == "i2":
        return "herbs", ("herbs", 27.5, 0, 31.95)
    if quest == "i3":
        if not flags["board_read"]:
            return "board", ("board", 47, 0, 12.95)
        return ("gate", ("gate", 51.1, 0, 10.6)) if flags["unlocked"] else ("blue", ("blue", 50.7, 0, 12.5))
    if quest == "m1":
        return (
            ("keeper", ("keeper", 44.8, 0, 16.2))
            if game["items"]["parcel"]
            else ("parcel", ("parcel", 15.4, 3.1, 19.7))
        )
    if quest == "m2":
        return ("fisher", ("fisher", 47.9, 0, 9.3)) if game["mump"]["mode"] == "gone" else ("mump", ())
    if not flags["asked_baker"]:
        return "baker", ("baker", 23.4, 0, 20.4)
    if not flags["asked_shells"]:
        return "shells", ("shells", 35.5, 0, 31.95)
    if not flags["asked_painter"]:
        return "painter", ("painter", 33.6, 0, 11.6)
    return "barrels", ("child", 1.1, 0, 10.7)


def _fight(game: dict[str, Any]) -> str:
    """Keeps just out of reach until the mump is out of breath, then shouts."""
    player, mump = game["player"], game["mump"]
    here = (player["x"], player["y"], player["z"])
    if player["z"] > 5.5:
        return _towards(player, NODES[_next(here, "pier2")]) or "move_forward"
    far = math.hypot(mump["x"] - player["x"], mump["z"] - player["z"])
    if mump["mode"] == "rest" and far < 2.2:
        return _towards(player, (mump["x"], 0, mump["z"]), turn_only=True) or "press_a"
    turn = _towards(player, (mump["x"], 0, mump["z"]), turn_only=True)
    if turn:
        return turn
    if mump["mode"] == "rest":
        return "move_forward"
    if mump["mode"] == "dash":
        return "press_a"
    if far < 4.7:
        return "move_backward"
    return "move_forward" if far > 6 else "press_a"


def _towards(player: dict[str, float], place: tuple[float, ...], turn_only: bool = False) -> str:
    """A turn to a place, or a step where it lies ahead; empty if it lies ahead and only turning is wanted."""
    bearing = math.degrees(math.atan2(place[0] - player["x"], place[2] - player["z"]))
    left = (bearing - player["yaw"] + 180) % 360 - 180
    if abs(left) > 11.5:
        return "rotate_right" if left > 0 else "rotate_left"
    return "" if turn_only else "move_forward"


def _next(here: tuple[float, float, float], goal: str) -> str:
    """The place to walk to next: along the way that one is on, in the direction that is shorter to the goal."""
    left = _distances(goal)
    a, b = min(((a, b) for a in GRAPH for b in GRAPH[a]), key=lambda e: (_from_edge(here, *e), e))
    best = min((a, b), key=lambda n: math.dist(here, NODES[n]) + left[n])
    while best != goal and math.dist(here, NODES[best]) < NEAR:
        best = min(GRAPH[best], key=lambda n: GRAPH[best][n] + left[n])
    return best


def _distances(goal: str) -> dict[str, float]:
    out: dict[str, float] = {}
    queue = [(0.0, goal)]
    while queue:
        far, name = heapq.heappop(queue)
        if name not in out:
            out[name] = far
            for other, length in GRAPH[name].items():
                heapq.heappush(queue, (far + length, other))
    return out


def _from_edge(here: tuple[float, float, float], a: str, b: str) -> float:
    p, q = NODES[a], NODES[b]
    along = [v - u for u, v in zip(p, q, strict=True)]
    t = sum((h - u) * d for h, u, d in zip(here, p, along, strict=True)) / sum(d * d for d in along)
    t = max(0.0, min(1.0, t))
    return math.dist(here, [u + d * t for u, d in zip(p, along, strict=True)])
