"""A scripted worm: the shortest way to the apple that leaves a way to the tail, otherwise where there is most room."""

from collections import deque

WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def act(state, role, task):
    """The control for this square: `move_left`, …"""
    game = state["game_state"]
    board = game["board"]
    size = (board["columns"], board["rows"])
    body = [(p["x"], p["y"]) for p in game["entities"]]
    apple = (board["apple"]["x"], board["apple"]["y"])
    path = way(body[0], apple, set(body[:-1]), size)
    if path and safe_after(body, path, size):
        return name(body[0], path[0])
    moves = []
    for move in WAYS:
        to = step(body[0], move)
        if inside(to, size) and to not in body[:-1]:
            moves.append((room(to, set(body[:-1]), size), move))
    return f"move_{max(moves)[1]}" if moves else "wait"


def step(at, move):
    return at[0] + WAYS[move][0], at[1] + WAYS[move][1]


def inside(at, size):
    return 0 <= at[0] < size[0] and 0 <= at[1] < size[1]


def name(at, to):
    return next(f"move_{m}" for m in WAYS if step(at, m) == to)


def way(start, goal, blocked, size):
    """Squares of a shortest way, the start left out; None if there is none."""
    came, queue = {start: None}, deque([start])
    while queue:
        at = queue.popleft()
        if at == goal:
            out = []
            while came[at] is not None:
                out.append(at)
                at = came[at]
            return out[::-1]
        for move in WAYS:
            to = step(at, move)
            if inside(to, size) and to not in blocked and to not in came:
                came[to] = at
                queue.append(to)
    return None


def safe_after(body, path, size):
    """After eating along this way, can the head still reach the tail?"""
    grown = [*path[::-1], *body][: len(body) + 1]
    return way(grown[0], grown[-1], set(grown[:-1]), size) is not None


def room(start, blocked, size):
    """Squares that can be reached."""
    seen, queue = {start}, deque([start])
    while queue:
        at = queue.popleft()
        for move in WAYS:
            to = step(at, move)
            if inside(to, size) and to not in blocked and to not in seen:
                seen.add(to)
                queue.append(to)
    return len(seen)
