"""Scores in the games of the parlor without a model: random and waiting players, and the scripted expert.

    python bench/parlor.py [GAME…] [--seeds 10] [--json FILE]

Everything is played on the game's lab, by the same input as in an episode. Values are progress in percent. The blind
floor is that of `gwray dev library measure`.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from types import ModuleType
from typing import Any

from gwray.catalog import Game, Solution, Task, load_catalog, write_solutions
from gwray.evaluation import BestSoFar, evaluate_step
from gwray.plugins.authoring.lab import LAB_JS, Lab, moves, open_labs, rules, timeline

LIBRARY = "parlor"
MOST_DRAWN = 2000
"""Actions of a random or waiting player; no game of the parlor lasts longer for them."""


@dataclass(frozen=True)
class Row:
    """Progress in one task, in percent."""

    task: str
    random: float
    random_sd: float
    waiting: float
    expert: float
    expert_least: float
    expert_steps: float


def player(game: Game) -> ModuleType:
    """The game's `player.py`."""
    spec = importlib.util.spec_from_file_location(f"player_of_{game.id[:3]}", game.folder / "player.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def expert(lab: Lab, task: Task, seed: int) -> tuple[float, list[str]]:
    """The progress of the scripted player in one episode, and its actions."""
    act, known = player(lab.game).act, {}
    await lab.reset(seed)
    state, best, way, reached = await lab.run(), BestSoFar(), [], 0.0
    for _ in range(task.budget):
        for entry in act(state, "player", {"id": task.id, "options": task.options}).splitlines():
            way.append(entry)
            line = known.setdefault(entry, list(timeline(lab.game, [entry])))
            state = await lab.run(line)
            result, best = evaluate_step(state, task, task.steps_allowed(lab.game.per_reply) - len(way), best)
            reached = result.progress if task.progress.take == "last" else max(reached, result.progress)
            if state["terminal"]["isTerminal"] or (best.success and task.ends_at_target):
                return reached, way
    return reached, way


def drawn_steps(game: Game, task: Task) -> int:
    """The steps of an episode of a random or waiting player."""
    return min(MOST_DRAWN, task.steps_allowed(game.per_reply))


def drawn(game: Game, task: Task, seed: int) -> list[list[dict[str, Any]]]:
    """The input of a player that draws a control uniformly, and then its arguments."""
    draw = random.Random(f"{task.id} {seed}")
    entries: dict[str, list[Any]] = {}
    for move in moves(game):
        entries.setdefault(move.names[0].split()[0], []).append(list(move.events))
    controls = list(entries.values())
    return [draw.choice(draw.choice(controls)) for _ in range(drawn_steps(game, task))]


async def play(lab: Lab, task: Task, seed: int, lines: list[list[dict[str, Any]]]) -> float:
    """The progress of an episode whose actions are known in advance."""
    script = f"([task, seed, lines]) => {{ {LAB_JS}\nreturn playEpisode(gameAPI.lab, task, seed, lines).progress; }}"
    return await lab.call(script, [rules(task), seed, lines])


async def measure(lab: Lab, task: Task, seeds: Sequence[int], skilled: bool) -> Row:
    chance = [await play(lab, task, s, drawn(lab.game, task, s)) for s in seeds]
    hold = lab.game.roles[0].hold_ms
    idle = await play(lab, task, seeds[0], [[{"at_ms": hold, "kind": "end"}]] * drawn_steps(lab.game, task))
    # Labs run no programs.
    skilled = skilled and lab.game.roles[0].stepwise is lab.game.roles[0]
    ways = [await expert(lab, task, s) for s in seeds] if skilled else [(0.0, [])]
    best = [100 * progress for progress, _ in ways]
    return Row(
        task.id, round(100 * fmean(chance), 1), round(100 * stdev(chance), 1), round(100 * idle, 1),
        round(fmean(best), 1), round(min(best), 1),
        round(fmean(len(way) for _, way in ways), 1),
    )  # fmt: skip


async def measure_all(games: Sequence[Game], seeds: Sequence[int], skilled: bool) -> list[Row]:
    rows = []
    async with open_labs() as labs:
        for game in games:
            for task in game.tasks:
                lab = await labs.open(game, task.options)
                rows.append(await measure(lab, task, seeds, skilled))
                print(json.dumps(asdict(rows[-1])), flush=True)
                await lab.close()
    return rows


async def solve(games: Sequence[Game], seed: int = 42) -> None:
    """Writes the actions of the scripted player as the committed solutions."""
    async with open_labs() as labs:
        for game in games:
            found = {}
            for task in game.tasks:
                lab = await labs.open(game, task.options)
                progress, way = await expert(lab, task, seed)
                await lab.close()
                print(task.id, progress, len(way))
                found[task.id] = Solution(found="scripted player", roles={"player": tuple(way)})
            write_solutions(game, found)


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("game", nargs="*", help="game ids; all of the library if left out")
    p.add_argument("--seeds", type=int, default=10)
    p.add_argument("--solve", action="store_true", help="write solutions.json instead, by the scripted player")
    p.add_argument("--no-expert", action="store_true", help="leave out the scripted player")
    p.add_argument("--json", type=Path, help="write the values there")
    args = p.parse_args()
    catalog = load_catalog()
    games = [catalog.game(g) for g in args.game] or [
        g for g in catalog.games.values() if catalog.library_of(g.id).id == LIBRARY
    ]
    if args.solve:
        asyncio.run(solve(games))
        return
    rows = asyncio.run(measure_all(games, range(42, 42 + args.seeds), not args.no_expert))
    if args.json:
        args.json.write_text(json.dumps([asdict(r) for r in rows], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
