"""A scripted builder: drops when the slab is as near to flush as it will be at the start of any step from here."""

STEP = 12


def act(state, role, task):
    """`drop_block` now, or `wait` for a better moment."""
    game, raw = state["game_state"], state["raw"]
    top = game["entities"][0]
    x, way, speed = game["player"]["x"], game["player"]["direction"], game["player"]["speed"]
    now = abs(x - top["x"])
    if now <= raw["flush"]:
        return "drop_block"
    best = now
    for _ in range(LOOK):
        for _ in range(STEP):
            x += way * speed
            if abs(x - raw["centre"]) > raw["reach"]:
                x = raw["centre"] + way * raw["reach"]
                way = -way
        best = min(best, abs(x - top["x"]))
    return "drop_block" if now <= best and now < 0.5 * top["width"] else "wait"


LOOK = 4
"""Steps looked ahead; more would wait longer for a better fit than the budget allows."""
