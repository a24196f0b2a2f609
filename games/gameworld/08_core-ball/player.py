"""A scripted marksman: knows how the wheel turns and fires when the ball will land in a gap without wasting room."""

import math

TURN = {
    1: lambda t: 1.25,
    2: lambda t: -1.75,
    3: lambda t: 1.5 + 0.8 * math.sin(t / 41),
    4: lambda t: 2 if t % 300 < 170 else -2,
    5: lambda t: 1.9 * math.sin(t / 53) + 1.1,
}


def act(state, role, task):
    """`shoot` if the ball fits now, and fits snugly where room is short."""
    game, raw = state["game_state"], state["raw"]
    if game["player"]["in_flight"] or not game["player"]["balls_left"]:
        return "wait"
    angle, turn = raw["angle"], TURN[game["level"]]
    for i in range(1, raw["flight"] + 1):
        angle += turn(raw["frame"] + i)
    at = -angle % 360
    pins = sorted(raw["pins"])
    if not pins:
        return "shoot"
    ahead = min((p - at) % 360 for p in pins)
    behind = min((at - p) % 360 for p in pins)
    need = raw["apart"]
    if min(ahead, behind) < need:
        return "wait"
    room = 360 - need * len(pins)
    # Room that this ball would make useless: what is left on a side is lost when no further ball fits into it.
    spare = room - need * game["player"]["balls_left"]
    lost = sum((side % need) if side < 2 * need else min(side % need, 3) for side in (ahead, behind))
    return "shoot" if lost <= max(4, spare / max(1, game["player"]["balls_left"]) * 1.6) else "wait"
