"""Generated cases of the casebook: each is solved by its scripted player, and neither chance nor memory finds much.

    python bench/generated_cases.py                     # 200 cases of every escape room, solved without pictures
    python bench/generated_cases.py --cases 20 --games c08_dyers-door
    python bench/generated_cases.py --clickers 20       # players that click anywhere, 1,000 times, in every case
    python bench/generated_cases.py --memory 20         # the solution of case 42 replayed in 20 other cases, beside
                                                        # bots that read nothing

Everything is played on the game's lab, by the same input as in an episode. The exit code is 1 if a case is not solved,
or if a replay of another case earns more on average than the best bot.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import random
import sys
from collections.abc import Sequence
from statistics import mean
from types import ModuleType
from typing import Any

from gwray.catalog import Game, load_catalog, read_solutions
from gwray.evaluation import BestSoFar, evaluate_step
from gwray.plugins.authoring.lab import Lab, open_labs, timeline

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
    return state.game_state.ended ? 'win' : state.terminal.outcome;
}"""
"""Chooses targets by name, in a game of that seed; how it ended, or what was not there."""

BOTS = ("least-tried", "first", "last")
"""Bots that know the targets and read nothing: the target that was tried least often, or always the first or last."""

BOT = """([seed, clicks, bot]) => {
    const { lab } = gameAPI;
    lab.reset(seed);
    let state = lab.run([]);
    let dice = seed;
    const tried = {};
    for (let n = 0; n < clicks && !state.terminal.isTerminal; n++) {
        const { scene, mode, held, entities } = state.game_state;
        if (!entities.length) break;
        const keys = entities.map((e) => [scene, mode, held, e.id].join());
        const end = { first: 0, last: entities.length - 1 }[bot];
        const least = Math.min(...keys.map((k) => tried[k] ?? 0));
        const open = entities.map((_, i) => i).filter((i) => (tried[keys[i]] ?? 0) === least);
        dice = (Math.imul(dice, 1103515245) + 12345) & 0x7fffffff;
        const chosen = end ?? open[(dice >> 8) % open.length];
        tried[keys[chosen]] = least + 1;
        const at = entities[chosen].cell;
        const x = (at.charCodeAt(0) - 96.5) * 64, y = (Number(at.slice(1)) - 0.5) * 48;
        const press = { x, y, button: 'left' };
        state = lab.run([{ at_ms: 0, kind: 'mouse_move', x, y }, { at_ms: 0, kind: 'mouse_down', ...press },
            { at_ms: 30, kind: 'mouse_up', ...press }, { at_ms: 50, kind: 'end' }]);
    }
    return state;
}"""
"""Plays one of `BOTS`. Least often: where it is, with what is in hand."""

CLICK = """lines => {
    let state;
    for (const line of lines) {
        state = gameAPI.lab.run(line);
        if (state.terminal.isTerminal) break;
    }
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
    return progress(game, await lab.call(CLICK, [lines[n] for n in names]))


def progress(game: Game, state: dict[str, Any]) -> float:
    """The progress of a game's task in a state."""
    return evaluate_step(state, game.tasks[0], 1, BestSoFar())[0].progress


async def replayed(lab: Lab, seed: int, cells: Sequence[str]) -> float:
    """The progress of choices of another case, replayed in the case of a seed until it ends."""
    lines = [list(timeline(lab.game, [one])) for one in cells]
    await lab.reset(seed)
    return progress(lab.game, await lab.call(CLICK, lines))


async def memory(lab: Lab, cases: int) -> bool:
    """Prints what the solution of case 42 earns in other cases, beside bots. False if it earns more on
    average than the best of them."""
    game = lab.game
    (solution,) = read_solutions(game).values()
    seeds = range(43, 43 + cases)
    again = [await replayed(lab, seed, solution.roles["player"]) for seed in seeds]
    bots = {bot: [progress(game, await lab.call(BOT, [seed, CLICKS, bot])) for seed in seeds] for bot in BOTS}
    held = mean(again) <= max(mean(found) for found in bots.values())
    earned = "; ".join(f"{bot} {mean(found):.1%} (at most {max(found):.0%})" for bot, found in bots.items())
    print(
        f"{game.id}: replay of another case {mean(again):.1%} (at most {max(again):.0%}), {cases} cases; bots: "
        f"{earned}{'' if held else ': memory is worth more'}",
        flush=True,
    )
    return held


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200, help="of each escape room")
    parser.add_argument("--clickers", type=int, default=0, help="play so many random players a case instead")
    parser.add_argument("--memory", type=int, default=0, help="replay the solution of case 42 in so many other cases")
    parser.add_argument("--games", nargs="*", choices=CASES, help="which games")
    asked = parser.parse_args()
    open_ended = [name for name in asked.games or () if name not in ESCAPES]
    if open_ended and not (asked.clickers or asked.memory):
        parser.error(f"{open_ended[0]} is no escape room: nothing says how it is solved. --memory N plays it")
    failed = 0
    async with open_labs() as labs:
        for name in asked.games or (CASES if asked.clickers or asked.memory else ESCAPES):
            lab = await labs.open(load_catalog().game(name))
            if asked.memory:
                failed += not await memory(lab, asked.memory)
            elif asked.clickers:
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
