"""A scripted hamster: looks a dozen crossings ahead for points and keeps away from where a slime could be first."""

from collections import deque
from functools import cache

WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
BACK = {"up": "down", "down": "up", "left": "right", "right": "left"}
DEPTH = 10
FADE = 0.93
HUNT = 84 / 5.6 / 12
"""Steps that a hunting slime needs from crossing to crossing."""


def act(state, role, task):
    """The way to take at this crossing: `move_left`, …"""
    game, raw = state["game_state"], state["raw"]
    board = tuple(game["board"])
    me = game["player"]
    here = (me["column"], me["row"])
    hunters, prey = [], []
    for slime in game["entities"]:
        at = (slime["column"], slime["row"])
        dx, dy = WAYS[slime["direction"]] if slime["off"] else (0, 0)
        part = slime["off"] / raw["pitch"]
        near = (at[0] + dx * round(part), at[1] + dy * round(part))
        if slime["scared"]:
            if not slime["asleep"]:
                prey.append((near, slime["scared"] / 12))
        else:
            away = distances(graph(board), near)
            # What a hunter needs to each crossing: it is on a tunnel and may turn at its end only.
            delay = slime["asleep"] / 12
            forward = distances(graph(board), (at[0] + dx, at[1] + dy)) if slime["off"] else away
            lead = (1 - part) if slime["off"] else 0
            hunters.append({c: (forward[c] + lead) * HUNT + delay for c in forward})
    chase = {}
    reward = 200 * 2 ** raw["chain"]
    for near, _ in prey:
        for c, d in distances(graph(board), near).items():
            if d <= 1:
                chase[c] = max(chase.get(c, 0), 1 if d == 0 else 0.6)
    far = distances_to_food(board, here)
    best = (-1e9, "up")
    for way in WAYS:
        to = (here[0] + WAYS[way][0], here[1] + WAYS[way][1])
        if to not in graph(board)[here]:
            continue
        value = look(board, here, to, way, 1, frozenset(), hunters, chase, reward, far, raw["cherry"], prey)
        if value > best[0]:
            best = (value, way)
    return f"move_{best[1]}"


def look(board, at, to, way, depth, eaten, hunters, chase, reward, far, cherry, prey):
    """The best sum of points of all ways on from here."""
    if any(h.get(to, 99) <= depth + 0.35 for h in hunters):
        return -2000 * FADE**depth
    gain = 0
    new = []
    middle = (at[0] + to[0], at[1] + to[1])
    for x, y in (middle, (to[0] * 2, to[1] * 2)):
        if (x, y) not in eaten and board[y][x] in ".o":
            gain += 10 if board[y][x] == "." else berry(depth, hunters, at)
            new.append((x, y))
    if to in chase and to not in eaten and any(left > depth + 1 for _, left in prey):
        gain += reward * chase[to]
        new.append(to)
    if cherry and (cherry["col"], cherry["row"]) == to and ("c",) not in eaten:
        gain += 100
        new.append(("c",))
    value = gain * FADE**depth
    if depth == DEPTH:
        return value - 3 * far.get(to, 0)
    onward = [
        look(board, to, (to[0] + WAYS[w][0], to[1] + WAYS[w][1]), w, depth + 1, eaten | set(new), hunters, chase,
             reward, far, cherry, prey)
        for w in WAYS
        if w != BACK[way] and (to[0] + WAYS[w][0], to[1] + WAYS[w][1]) in graph(board)[to]
    ]  # fmt: skip
    return value + (max(onward) if onward else 0)


def berry(depth, hunters, at):
    """A berry is worth more the nearer the slimes are."""
    near = sum(1 for h in hunters if h.get(at, 99) < depth + 5)
    return 20 + 120 * near


@cache
def graph(board):
    """Crossings and where their tunnels lead."""
    out = {}
    for y in range(0, len(board), 2):
        for x in range(0, len(board[0]), 2):
            out[(x // 2, y // 2)] = [
                (x // 2 + dx, y // 2 + dy)
                for dx, dy in WAYS.values()
                if 0 <= y + dy < len(board) and 0 <= x + dx < len(board[0]) and board[y + dy][x + dx] != "#"
            ]
    return out


def distances(net, start):
    """Tunnels from a crossing to every other."""
    far, queue = {start: 0}, deque([start])
    while queue:
        at = queue.popleft()
        for to in net[at]:
            if to not in far:
                far[to] = far[at] + 1
                queue.append(to)
    return far


def distances_to_food(board, here):
    """For every crossing, tunnels to the nearest crumb."""
    net = graph(board)
    food = [(x // 2, y // 2) for y, line in enumerate(board) for x, c in enumerate(line) if c in ".o"]
    far = dict.fromkeys(food, 0)
    queue = deque(food)
    while queue:
        at = queue.popleft()
        for to in net[at]:
            if to not in far:
                far[to] = far[at] + 1
                queue.append(to)
    return far
