"""A scripted marble: from the square where it would come to rest, the first push of the shortest way to the hole."""

from collections import deque

WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def act(state, role, task):
    """The next push: `move_left`, …"""
    game = state["game_state"]
    board, me = game["board"], game["player"]
    still = state["raw"]["roll"] / (1 - state["raw"]["roll"])
    here = (me["column"], me["row"])
    rest = (round(me["x"] + me["vx"] * still), round(me["y"] + me["vy"] * still))
    if board[rest[1]][rest[0]] == "#" or abs(rest[0] - here[0]) + abs(rest[1] - here[1]) > 1:
        rest = here
    far = distances(board)
    for way, (dx, dy) in WAYS.items():
        to = (rest[0] + dx, rest[1] + dy)
        if far.get(to, 9999) < far[rest]:
            return f"move_{way}"
    return "wait"


def distances(board):
    """Squares from the hole to every other."""
    goal = next((line.index("G"), y) for y, line in enumerate(board) if "G" in line)
    far, queue = {goal: 0}, deque([goal])
    while queue:
        x, y = queue.popleft()
        for dx, dy in WAYS.values():
            to = (x + dx, y + dy)
            if board[to[1]][to[0]] != "#" and to not in far:
                far[to] = far[(x, y)] + 1
                queue.append(to)
    return far
