"""Do longer blind sequences cost more with sticks than with named moves? A noisy walker in the harbour, no model.

    python bench/blind.py [--seeds 4] [--json FILE]

It knows the way and, once a reply, where it is, a little wrong. It says one or three actions a reply, those after the
first by dead reckoning. With sticks it names angles and durations, and its hand is not steady; a named move is always
the same.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import math
import random
import sys
from pathlib import Path
from typing import Any

from gwray.authoring.lab import Lab, open_labs, timeline
from gwray.catalog import Task, load_catalog
from gwray.evaluation import holds

TOWN = load_catalog().game("town")
STICKS = TOWN.model_copy(update={"roles": tuple(r.model_copy(update={"controls": r.parametric}) for r in TOWN.roles)})
AIMS = {"n1": "tickets", "n2": "heron", "n3": "telescope", "n4": "well"}
SPEED, TURN = 2.6, 112.5
"""Metres and degrees a second."""
MISSEES = (0.15, 3.0)
"""Standard deviation of where it thinks it is: metres, degrees."""
SHAKES = (0.3, 12.0)
"""Of its hand at a stick: share of the duration, degrees."""
NEAR = 0.7

spec = importlib.util.spec_from_file_location("town_player", TOWN.folder / "player.py")
assert spec and spec.loader
ways: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ways)

Pose = tuple[float, float, float, float]


def ahead(pose: Pose, aim: str) -> tuple[float, float]:
    """Degrees to turn to the next place of the way, and metres to it."""
    x, y, z, yaw = pose
    to = ways.NODES[ways._next((x, y, z), aim)]
    bearing = math.degrees(math.atan2(to[0] - x, to[2] - z))
    return (bearing - yaw + 180) % 360 - 180, math.hypot(to[0] - x, to[2] - z)


def move(pose: Pose, aim: str) -> tuple[str, Pose]:
    """The next named move, and where it is thought to lead."""
    x, y, z, yaw = pose
    left, _ = ahead(pose, aim)
    if abs(left) > 11.5:
        turn = math.copysign(22.5, left)
        return ("rotate_right" if turn > 0 else "rotate_left"), (x, y, z, yaw + turn)
    rad = math.radians(yaw)
    return "move_forward", (x + 1.3 * math.sin(rad), y, z + 1.3 * math.cos(rad), yaw)


def stick(pose: Pose, aim: str, die: random.Random) -> tuple[str, Pose]:
    """The next pull of a stick, as a hand does it that is not steady, and where it was meant to lead."""
    x, y, z, yaw = pose
    left, far = ahead(pose, aim)
    shaken = 1 + die.gauss(0, SHAKES[0])
    if abs(left) > 11.5:
        ms = min(1000.0, 1000 * abs(left) / TURN)
        turned = math.copysign(ms * TURN / 1000, left)
        return f"right_stick {0 if left > 0 else 180} 1 {held(ms * shaken)}", (x, y, z, yaw + turned)
    ms = min(2000.0, max(150.0, 1000 * far / SPEED))
    rad, gone = math.radians(yaw), ms * SPEED / 1000
    angle = round(90 + die.gauss(0, SHAKES[1])) % 360
    return f"left_stick {angle} 1 {held(ms * shaken)}", (x + gone * math.sin(rad), y, z + gone * math.cos(rad), yaw)


def held(ms: float) -> int:
    return round(min(2000, max(50, ms)))


async def walk(lab: Lab, task: Task, sticks: bool, per_reply: int, seed: int) -> tuple[bool, int]:
    """Whether it arrived, and after how many steps."""
    die, aim = random.Random(f"{task.id} {seed}"), AIMS[task.id.partition("_")[0]]
    budget = task.max_steps or 0
    await lab.reset(42)
    state = await lab.run()
    before, walked, steps = (0.0, 0.0), False, 0
    while steps < budget:
        p = state["game_state"]["player"]
        stuck = walked and math.dist(before, (p["x"], p["z"])) < 0.05
        before, walked = (p["x"], p["z"]), False
        dx, dz, turned = (die.gauss(0, s) for s in (MISSEES[0], MISSEES[0], MISSEES[1]))
        pose = (p["x"] + dx, p["y"], p["z"] + dz, p["yaw"] + turned)
        for n in range(min(per_reply, budget - steps)):
            if stuck and n == 0:
                side = die.random() < 0.5
                word = f"left_stick {0 if side else 180} 1 500" if sticks else ("move_right" if side else "move_left")
            else:
                word, pose = stick(pose, aim, die) if sticks else move(pose, aim)
            state = await lab.run(timeline(STICKS if sticks else TOWN, [word]))
            walked |= word.startswith(("move", "left_stick"))
            steps += 1
            if task.goal is not None and holds(task.goal, state):
                return True, steps
    return False, steps


async def measured(seeds: int) -> list[dict[str, Any]]:
    rows = []
    async with open_labs() as labs:
        for task in (TOWN.task(f"{q}_goal") for q in AIMS):
            lab = await labs.open(TOWN, task.options)
            for sticks in (False, True):
                for per_reply in (1, 3):
                    done = [await walk(lab, task, sticks, per_reply, seed) for seed in range(seeds)]
                    sr, steps = (100 * sum(ok for ok, _ in done) / seeds, sum(n for _, n in done) / seeds)
                    row = {"quest": task.id[:2], "sticks": sticks, "per_reply": per_reply, "sr": sr, "steps": steps}
                    rows.append(row)
                    print(row, file=sys.stderr, flush=True)
            await lab.close()
    return rows


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", type=int, default=4, help="episodes of each quest and way to act")
    p.add_argument("--json", type=Path, help="write the numbers there")
    args = p.parse_args()
    rows = asyncio.run(measured(args.seeds))
    mean: dict[tuple[bool, int], tuple[float, float]] = {}
    for sticks in (False, True):
        for n in (1, 3):
            mine = [r for r in rows if (r["sticks"], r["per_reply"]) == (sticks, n)]
            mean[sticks, n] = sum(r["sr"] for r in mine) / len(mine), sum(r["steps"] for r in mine) / len(mine)
            sr, steps = mean[sticks, n]
            print(f"{'sticks' if sticks else 'moves':7} {n} a reply: SR {sr:5.1f} %, {steps:6.1f} steps")
    cost = {sticks: mean[sticks, 3][1] / mean[sticks, 1][1] for sticks in (False, True)}
    lost = {sticks: mean[sticks, 1][0] - mean[sticks, 3][0] for sticks in (False, True)}
    print(f"three a reply take {cost[False]:.2f} times the steps with moves, {cost[True]:.2f} times with sticks")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0 if cost[True] > cost[False] and lost[True] >= lost[False] else 1


if __name__ == "__main__":
    sys.exit(main())
