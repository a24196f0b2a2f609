"""Do longer blind sequences cost more with sticks than with named moves? A noisy walker in the harbour, no model.

    python bench/blind.py [--seeds 30] [--noise 0,1,2,4] [--lengths 1,4,8] [--json FILE]

The walker knows the way and, once per reply, its approximate position. It gives one, four or eight actions per reply,
those after the first by dead reckoning. An action is the same with both: half a second ahead, or a turn of 22.5
degrees. A named move is exact. A stick is not held steadily: the direction of a pull drifts while it is held, like a
random walk, and it is released a little early or late. No measurement of how steady hands are exists, so several
are tried: `--noise` is in times of the drift and the timing below, 0 is steady. What a sequence costs is the steps
that it takes more than one action a reply does, by the same hand. Ends with 0 if that is more for the unsteady hands
together than for moves.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import math
import random
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from gwray.catalog import Task, load_catalog
from gwray.evaluation import holds
from gwray.plugins.authoring.lab import Lab, Labs, open_labs, timeline

TOWN = load_catalog().game("town")
STICKS = TOWN.model_copy(update={"roles": tuple(r.model_copy(update={"controls": r.parametric}) for r in TOWN.roles)})
AIMS = {"n1": "tickets", "n2": "heron", "n3": "telescope", "n4": "well"}
AHEAD_MS, TURN_MS = 525, 225
"""Of a pull; until it is pulled out, a stick walks and turns less, so it takes a little longer than a key."""
DOES = {False: (1.35, 22.5), True: (1.327, 21.54)}
"""Metres and degrees of an action, with and without sticks, by a hand that is steady: measured in the game."""
SLACK = 16.0
"""Degrees off the way that it does not turn for."""
MISSEES = (0.15, 3.0)
"""Standard deviation of where it thinks it is, drawn for each reply: metres, degrees."""
DRIFT = 20.0
"""Degrees by which a pull's direction has drifted after a second; it grows with the root of the time."""
LETS_GO = 30.0
"""Standard deviation of when a stick is let go, in ms."""
MOVES_EVERY_MS = 50

spec = importlib.util.spec_from_file_location("town_player", TOWN.folder / "player.py")
assert spec and spec.loader
ways: Any = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ways)
ways._distances = cache(ways._distances)


@cache
def pressed(sticks: bool, action: str) -> tuple[dict[str, Any], ...]:
    """The trusted input of an action."""
    return timeline(STICKS if sticks else TOWN, [action])


Pose = tuple[float, float, float, float]
Events = list[dict[str, Any]]
Interval = tuple[float, float, float]
"""An estimate and the ends of its interval."""


def ahead(pose: Pose, aim: str) -> float:
    """Degrees to turn to the next place of the way."""
    x, y, z, yaw = pose
    to = ways.NODES[ways._next((x, y, z), aim)]
    return (math.degrees(math.atan2(to[0] - x, to[2] - z)) - yaw + 180) % 360 - 180


def meant(pose: Pose, aim: str, sticks: bool) -> tuple[str, Pose]:
    """The next action, and where it is meant to lead."""
    x, y, z, yaw = pose
    metres, degrees = DOES[sticks]
    left = ahead(pose, aim)
    if abs(left) > SLACK:
        turn = math.copysign(degrees, left)
        return ("rotate_right" if turn > 0 else "rotate_left"), (x, y, z, yaw + turn)
    rad = math.radians(yaw)
    return "move_forward", (x + metres * math.sin(rad), y, z + metres * math.cos(rad), yaw)


PULLS = {
    "move_forward": ("left_stick", 90, AHEAD_MS), "move_left": ("left_stick", 180, AHEAD_MS),
    "move_right": ("left_stick", 0, AHEAD_MS),
    "rotate_left": ("right_stick", 180, TURN_MS), "rotate_right": ("right_stick", 0, TURN_MS),
}  # fmt: skip
CENTRES = {"left_stick": (120, 600), "right_stick": (1160, 600)}
RADIUS = 80


def pulled(control: str, die: random.Random, noise: float) -> Events:
    """The same action with a stick, as a hand does it: trusted mouse input that drifts while it is held."""
    stick, angle, ms = PULLS[control]
    held = max(50, round(ms + noise * die.gauss(0, LETS_GO)))
    aim = math.radians(angle)
    *begin, end = pressed(True, f"{stick} {round(math.cos(aim))} {round(math.sin(aim))} {held}")
    moves: Events = []
    (x, y), off, per_move = CENTRES[stick], 0.0, noise * DRIFT * math.sqrt(MOVES_EVERY_MS / 1000)
    for at_ms in range(MOVES_EVERY_MS, held, MOVES_EVERY_MS) if noise else ():
        off += die.gauss(0, per_move)
        rad = math.radians(angle + off)
        moves.append(
            {"at_ms": at_ms, "kind": "mouse_move", "x": x + RADIUS * math.cos(rad), "y": y - RADIUS * math.sin(rad)}
        )
    release = [e for e in begin if e["at_ms"] >= held]
    return [*(e for e in begin if e["at_ms"] < held), *moves, *release, end]


async def walk(lab: Lab, task: Task, sticks: bool, per_reply: int, seed: int, noise: float) -> tuple[bool, int]:
    """Whether it arrived, and after how many steps."""
    eyes, hand = random.Random(f"eyes {task.id} {seed}"), random.Random(f"hand {task.id} {seed}")
    aim, budget = AIMS[task.id.partition("_")[0]], task.max_steps or 0
    await lab.reset(42)
    state = await lab.run()
    before, walked, steps = (0.0, 0.0), False, 0
    while steps < budget:
        p = state["game_state"]["player"]
        stuck = walked and math.dist(before, (p["x"], p["z"])) < 0.05
        before, walked = (p["x"], p["z"]), False
        dx, dz, turned = (eyes.gauss(0, s) for s in (MISSEES[0], MISSEES[0], MISSEES[1]))
        pose = (p["x"] + dx, p["y"], p["z"] + dz, p["yaw"] + turned)
        for n in range(min(per_reply, budget - steps)):
            if stuck and n == 0:
                control = "move_left" if eyes.random() < 0.5 else "move_right"
            else:
                control, pose = meant(pose, aim, sticks)
            state = await lab.run(pulled(control, hand, noise) if sticks else pressed(False, control))
            walked |= control.startswith("move")
            steps += 1
            if task.goal is not None and holds(task.goal, state):
                return True, steps
    return False, steps


async def walked_quest(
    labs: Labs, task: Task, seeds: Sequence[int], hands: Sequence[float], lengths: Sequence[int]
) -> list[dict[str, Any]]:
    """Rows of one quest: moves, and sticks with each hand; all lengths, all seeds."""
    rows = []
    lab = await labs.open(TOWN, task.options)
    for noise in (None, *hands):
        for per_reply in lengths:
            done = [await walk(lab, task, noise is not None, per_reply, seed, noise or 0) for seed in seeds]
            arrived, steps = [ok for ok, _ in done], [n for _, n in done]
            rows.append(
                {"quest": task.id[:2], "noise": noise, "per_reply": per_reply, "arrived": arrived, "steps": steps}
            )
            label = "moves" if noise is None else f"sticks {noise:g}"
            print(task.id[:2], label, per_reply, sum(arrived), fmean(steps), file=sys.stderr)
    await lab.close()
    return rows


async def measured(seeds: Sequence[int], hands: Sequence[float], lengths: Sequence[int]) -> list[dict[str, Any]]:
    async with open_labs() as labs:
        tasks = [TOWN.task(f"{q}_goal") for q in AIMS]
        quests = await asyncio.gather(*(walked_quest(labs, t, seeds, hands, lengths) for t in tasks))
        return [row for rows in quests for row in rows]


def cost(rows: Sequence[dict[str, Any]], noise: float | None, per_reply: int, drawn: Sequence[int]) -> float:
    """Steps that sequences of that length take more than one action a reply: of the mean over quests."""

    def mean(length: int) -> float:
        mine = [r for r in rows if (r["noise"], r["per_reply"]) == (noise, length)]
        return fmean(fmean(r["steps"][i] for i in drawn) for r in mine)

    return mean(per_reply) - mean(1)


def beside_moves(rows: Sequence[dict[str, Any]], hands: Sequence[float], per_reply: int, seeds: int) -> Interval:
    """What such sequences cost these hands in the mean more than they cost moves, in steps, and its 95 % interval:
    bootstrap over seeds."""

    def more(drawn: Sequence[int]) -> float:
        return fmean(cost(rows, n, per_reply, drawn) for n in hands) - cost(rows, None, per_reply, drawn)

    die = random.Random(1)
    found = sorted(more([die.randrange(seeds) for _ in range(seeds)]) for _ in range(2000))
    return more(range(seeds)), found[49], found[1949]


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", type=int, default=30, help="episodes of each quest, way to act and length")
    p.add_argument("--first", type=int, default=0, help="the first of these seeds")
    p.add_argument("--noise", default="0,1,2,4", help="of hands: in times of drift and timing; 0: none")
    p.add_argument("--lengths", default="1,4,8", help="actions a reply; 1 is one of them")
    p.add_argument("--json", type=Path, help="write the numbers there")
    args = p.parse_args()
    hands = [float(n) for n in args.noise.split(",")]
    lengths = [int(n) for n in args.lengths.split(",")]
    rows = asyncio.run(measured(range(args.first, args.first + args.seeds), hands, lengths))
    if args.json:
        args.json.write_text(json.dumps(rows) + "\n", encoding="utf-8")
    print("| by | actions a reply | SR %, steps | more than with one | more than with moves |")
    print("|---|---|---|---|---|")
    for noise in (None, *hands):
        for n in lengths:
            mine = [r for r in rows if (r["noise"], r["per_reply"]) == (noise, n)]
            sr, steps = 100 * fmean(fmean(r["arrived"]) for r in mine), fmean(fmean(r["steps"]) for r in mine)
            who = "moves" if noise is None else f"sticks, noise {noise:g}"
            costs = ratio = "–"
            if n > 1:
                costs = f"{cost(rows, noise, n, range(args.seeds)):.1f}"
            if n > 1 and noise is not None:
                ratio = "{:.1f} ({:.1f} – {:.1f})".format(*beside_moves(rows, [noise], n, args.seeds))
            print(f"| {who} | {n} | {sr:.1f}, {steps:.1f} | {costs} | {ratio} |")
    unsteady = [n for n in hands if n]
    of_all = beside_moves(rows, unsteady, max(lengths), args.seeds)
    print("\nUnsteady hands together, {} a reply: {:.1f} ({:.1f} – {:.1f}).".format(max(lengths), *of_all))
    return 0 if of_all[1] > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
