"""A scripted player: follows the ball ahead in time, and meets it where the rebound breaks most bricks."""

import math

SPEED, WIDEST, HALF, RADIUS, LINE, MOVE = 15, 1.05, 75, 13, 640, 9
LEFT, RIGHT, TOP = 172, 1108, 84


def act(state, role, task):
    """`move_left`, `move_right` or `wait`."""
    game = state["game_state"]
    ball = next(e for e in game["entities"] if e["kind"] == "ball")
    bricks = [
        [e["left"], e["top"], e["width"], e["height"], e["hits"]] for e in game["entities"] if e["kind"] == "brick"
    ]
    paddle = game["player"]["x"]
    frames, x, _, left = fly([ball["x"], ball["y"], ball["vx"], ball["vy"]], bricks, 400)
    if frames is None:
        return "wait"
    best = None
    for k in range(-9, 10):
        # Whole steps of 108 pixels while there is time, or the part of one that fits before the ball arrives.
        if abs(k) > max(1, frames // 12):
            continue
        shift = k * MOVE * 12 if frames >= 12 * abs(k) else (k > 0) * MOVE * frames - (k < 0) * MOVE * frames
        at = min(RIGHT - HALF, max(LEFT + HALF, paddle + shift))
        off = (x - at) / (HALF + RADIUS)
        if abs(off) > 0.93:
            continue
        angle = off * WIDEST
        after = fly([x, LINE - RADIUS, SPEED * math.sin(angle), -SPEED * math.cos(angle)], left, 300)
        far = abs(after[1] - at) / (MOVE * 12) > (after[0] or 300) / 12 - 1
        value = (not far, sum(b[4] for b in left) - sum(b[4] for b in after[3]), -(after[0] or 300), -abs(k))
        if best is None or value > best[0]:
            best = (value, k)
    if best is None:
        return "move_left" if x < paddle - 60 else "move_right" if x > paddle + 60 else "wait"
    return "wait" if best[1] == 0 else "move_left" if best[1] < 0 else "move_right"


def fly(ball, bricks, limit):
    """Frames until the ball is at the paddle's line going down (None: not within `limit`), x there, hits, bricks left."""
    x, y, vx, vy = ball
    bricks = [list(b) for b in bricks]
    broken = 0
    for frame in range(1, limit + 1):
        for _ in range(2):
            x += vx / 2
            if strike(x, y, bricks):
                x, vx, broken = x - vx / 2, -vx, broken + 1
            y += vy / 2
            if strike(x, y, bricks):
                y, vy, broken = y - vy / 2, -vy, broken + 1
            if x < LEFT + RADIUS or x > RIGHT - RADIUS:
                vx = abs(vx) if x < 640 else -abs(vx)
                x = max(LEFT + RADIUS, min(RIGHT - RADIUS, x))
            if y < TOP + RADIUS:
                vy, y = abs(vy), TOP + RADIUS
            if vy > 0 and y > LINE - RADIUS:
                return frame, x, broken, bricks
    return None, x, broken, bricks


def strike(x, y, bricks):
    for i, (left, top, w, h, _) in enumerate(bricks):
        dx = x - max(left, min(x, left + w))
        dy = y - max(top, min(y, top + h))
        if dx * dx + dy * dy <= RADIUS * RADIUS:
            bricks[i][4] -= 1
            if not bricks[i][4]:
                del bricks[i]
            return True
    return False
