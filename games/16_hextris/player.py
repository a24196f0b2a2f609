"""A scripted player: turns the side to the next block that makes the biggest group, and hurries when it fits."""


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
        frames = (first["distance"] - raw["hex"] - raw["layer"] * (len(sides[side]) + 0.5)) / raw["fall"]
        if abs(turn) * 15 > frames + 10:
            continue
        worth = value(sides, side, first["color"]) - 0.2 * abs(turn)
        if len(falling) > 1:
            second = falling[1]
            other = [list(c) for c in sides]
            other[side].append(first["color"])
            worth += 0.4 * max(value(other, (second["lane"] - after - t) % 6, second["color"]) for t in (-1, 0, 1))
        if best is None or worth > best[0]:
            best = (worth, turn)
    turn = best[1] if best else 0
    if turn == 0:
        return "accelerate"
    return "rotate_right" if turn > 0 else "rotate_left"


def value(sides, side, color):
    """How good it is that this colour lands on this side."""
    after = [list(c) for c in sides]
    after[side].append(color)
    height = len(after[side])
    found = {(side, height - 1)}
    queue = list(found)
    while queue:
        c, h = queue.pop()
        for n, k in ((c, h - 1), (c, h + 1), ((c + 1) % 6, h), ((c - 1) % 6, h)):
            if 0 <= k < len(after[n]) and after[n][k] == color and (n, k) not in found:
                found.add((n, k))
                queue.append((n, k))
    size = len(found)
    return (size * size * 2 if size >= 3 else size * 1.5) - 0.7 * height - (20 if height > 4 else 0)
