"""Generated cases of the casebook: each is solved by its scripted player, and chance finds next to nothing.

    python bench/generated_cases.py                     # 200 cases of every escape room, solved without pictures
    python bench/generated_cases.py --cases 20 --games c08_dyers-door
    python bench/generated_cases.py --clickers 20       # players that click anywhere, 1,000 times, in every case

Everything is played on the game's lab, by the same input as in an episode. The exit code is 1 if a case is not solved.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import random
import sys
from statistics import mean
from types import ModuleType
from typing import Any

from gwray.authoring.lab import Lab, open_labs, timeline
from gwray.catalog import Game, load_catalog
from gwray.evaluation import BestSoFar, evaluate_step

CASES = [g for g in load_catalog().games if load_catalog().library_of(g).id == "casebook"]
ESCAPES = [g for g in CASES if load_catalog().game(g).genre == "room-escape"]
CLICKS = 1000

FOLLOW = """([seed, names]) => {
    const { lab } = gameAPI;
    lab.reset(seed);
    let state = lab.run([]);
    for (const name of names) {
        const at = state.game_state.entities.find((e) => e.id === name)?.cell;
        if (!at) return `${name} is not to be seen in ${state.game_state.scene}`;
        const x = (at.charCodeAt(0) - 96.5) * 64, y = (Number(at.slice(1)) - 0.5) * 48;
        const press = { x, y, button: 'left' };
        state = lab.run([{ at_ms: 0, kind: 'mouse_move', x, y }, { at_ms: 0, kind: 'mouse_down', ...press },
            { at_ms: 30, kind: 'mouse_up', ...press }, { at_ms: 50, kind: 'end' }]);
    }
    return state.terminal.outcome;
}"""
"""Chooses targets by name, in a game of that seed; how it ended, or what was not there."""

CLICK = """lines => {
    let state;
    for (const line of lines) state = gameAPI.lab.run(line);
    return state;
}"""


def player(game: Game) -> ModuleType:
    """The game's `player.py`."""
    spec = importlib.util.spec_from_file_location(f"player_of_{game.id[:3]}", game.folder / "player.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


async def follow(lab: Lab, seed: int, names: list[str]) -> str:
    """Chooses targets by name in the case of a seed. `win` if that solves it."""
    return await lab.call(FOLLOW, [seed, names])


async def solve(lab: Lab, seed: int) -> tuple[str, int]:
    """What became of the scripted player in the case of a seed, and how many steps its way has."""
    await lab.reset(seed)
    way = player(lab.game).walkthrough((await lab.run())["raw"]["data"])
    return await follow(lab, seed, way), len(way)


async def click_anywhere(lab: Lab, seed: int) -> float:
    """The progress of a player that chooses a random cell a thousand times."""
    game = lab.game
    grid = next(c.cells for c in game.roles[0].controls if c.cells)
    draw = random.Random(seed)
    names = [draw.choice(grid.names()) for _ in range(CLICKS)]
    await lab.reset(seed)
    lines: dict[str, Any] = {n: list(timeline(game, [f"choose_cell {n}"])) for n in set(names)}
    state = await lab.call(CLICK, [lines[n] for n in names])
    return evaluate_step(state, game.tasks[0], 1, BestSoFar())[0].progress


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200, help="of each escape room")
    parser.add_argument("--clickers", type=int, default=0, help="play so many random players a case instead")
    parser.add_argument("--games", nargs="*", choices=CASES, help="which games")
    asked = parser.parse_args()
    if open_ended := [name for name in asked.games or () if name not in ESCAPES and not asked.clickers]:
        parser.error(f"{open_ended[0]} is no escape room: nothing says how it is solved. --clickers N plays it")
    failed = 0
    async with open_labs() as labs:
        for name in asked.games or (CASES if asked.clickers else ESCAPES):
            lab = await labs.open(load_catalog().game(name))
            if asked.clickers:
                came = [await click_anywhere(lab, seed) for seed in range(1, asked.clickers + 1)]
                print(f"{name}: MCR {mean(came):.2%}, at most {max(came):.1%}, {len(came)} players", flush=True)
            else:
                ends = {seed: await solve(lab, seed) for seed in range(1, asked.cases + 1)}
                lost = {seed: end for seed, (end, _) in ends.items() if end != "win"}
                steps = [n for _, n in ends.values()]
                print(
                    f"{name}: {len(ends) - len(lost)} of {len(ends)} solved, {min(steps)} to {max(steps)} steps",
                    lost or "",
                    flush=True,
                )
                failed += len(lost)
            await lab.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
