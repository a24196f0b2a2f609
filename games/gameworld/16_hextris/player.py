"""A scripted player: turns the side to the next block that leaves the best board, and hurries when it fits.

It looks two blocks ahead, with all that vanishes, and thinks the more of low sides the higher they are.
"""

STEP = 15
"""Frames of one turn."""


def act(state, role, task):
    """`rotate_left`, `rotate_right`, `accelerate` or `wait`."""
    game, raw = state["game_state"], state["raw"]
    turned, sides = game["player"]["turned"], game["board"]
    falling = sorted(game["entities"], key=lambda b: b["distance"])
    if not falling:
        return "accelerate"
    first = falling[0]
    best = None
    for turn in range(-2, 4):
        after = turned + turn
        side = (first["lane"] - after) % 6
        room = first["distance"] - raw["hex"] - raw["layer"] * (len(sides[side]) + 0.5)
        if abs(turn) * STEP > room / raw["fall"] + 10:
            continue
        board, points = land(sides, side, first["color"])
        worth = points / 10 + value(board) - 0.2 * abs(turn)
        if len(falling) > 1:
            second, after_that = falling[1], []
            gap = (second["distance"] - first["distance"]) / raw["fall"]
            reach = min(3, int(gap / STEP) + 1)
            for t in range(-reach, reach + 1):
                other, more = land(board, (second["lane"] - after - t) % 6, second["color"])
                after_that.append(more / 10 + value(other) - 0.1 * abs(t))
            worth = points / 10 + 0.3 * value(board) - 0.2 * abs(turn) + 0.7 * max(after_that)
        if best is None or worth > best[0]:
            best = (worth, turn)
    turn = best[1] if best else 0
    if turn == 0:
        near = first["distance"] - raw["hex"] - raw["layer"] * (max(len(c) for c in sides) + 0.5)
        return "accelerate" if max(len(c) for c in sides) < 5 or near > 0 else "wait"
    return "rotate_right" if turn > 0 else "rotate_left"


def land(sides, side, color):
    """The board after a block of this colour lands on this side, and the points for what vanishes."""
    board, points = [list(c) for c in sides], 0
    board[side].append(color)
    found = group(board, side, len(board[side]) - 1)
    while len(found) >= 3:
        for c, h in sorted(found, key=lambda p: -p[1]):
            del board[c][h]
        points += 10 * len(found) ** 2
        groups = (group(board, c, h) for c in range(6) for h in range(len(board[c])))
        found = next((g for g in groups if len(g) >= 3), set())
    return board, points


def value(board):
    """How good a board is: pairs that wait for a third are good, high sides are bad."""
    pairs = sum(len(group(board, c, h)) - 1 for c in range(6) for h in range(len(board[c])))
    high = sum(max(0, len(c) - 2) ** 2 for c in board)
    return 1.2 * pairs - 1.0 * high - 0.6 * sum(len(c) for c in board) - 60 * sum(len(c) > 5 for c in board)


def group(board, side, height):
    """Cells of the same colour that touch this one."""
    color = board[side][height]
    found = {(side, height)}
    queue = [(side, height)]
    while queue:
        c, h = queue.pop()
        for n, k in ((c, h - 1), (c, h + 1), ((c + 1) % 6, h), ((c - 1) % 6, h)):
            if 0 <= k < len(board[n]) and board[n][k] == color and (n, k) not in found:
                found.add((n, k))
                queue.append((n, k))
    return found
