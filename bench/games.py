"""What every game costs: loading, a 200 ms hold, drawing, a whole step with a picture, and the size of its state.

    python bench/games.py [GAME…] [--json FILE]

One lane, nothing else running, medians. Marked with ! what is over the limits that games are made for: 2 s to load,
15 ms for a 200 ms hold without drawing; games in three dimensions 120 ms for the hold and one drawing. The exit code
is 1 then.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from gwray.catalog import load_catalog
from gwray.catalog.game import Game
from gwray.plugins.authoring.lab import Lab, Labs, moves, open_labs, timeline
from gwray.records import Event

LOAD_MS, HOLD_MS, HOLD_AND_DRAW_MS = 2000, 15, 120
THREE_D = {"09_cubefield", "18_minecraft-clone-glm", "26_run-3", "28_temple-run-2", "31_wolf3d", "town"}
REPEATS = 15
INSIDE = 10
"""Repetitions within one call into the page, so that the call itself does not count."""


@dataclass(frozen=True)
class Cost:
    """Milliseconds of wall time and characters of state."""

    game: str
    load: float
    hold: float
    """200 ms of game time in the page, no drawing."""
    draw: float
    step: float
    """The same hold as real input through the sandbox, and the state."""
    observed: float
    """… and a JPEG of it."""
    state: int
    snapshot: int

    @property
    def over(self) -> list[str]:
        out = ["load"] if self.load > LOAD_MS else []
        if self.game in THREE_D:
            return out + (["hold", "draw"] if self.hold + self.draw > HOLD_AND_DRAW_MS else [])
        return out + (["hold"] if self.hold > HOLD_MS else [])


async def median_ms(call: Callable[[], Awaitable[object]], repeats: int = REPEATS) -> float:
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        await call()
        times.append((time.perf_counter() - began) * 1e3)
    return round(statistics.median(times), 2)


async def cost(labs: Labs, game: Game) -> Cost:
    options = game.tasks[-1].options
    loads = []
    for _ in range(3):
        began = time.perf_counter()
        lab = await labs.open(game, options)
        loads.append((time.perf_counter() - began) * 1e3)
        await lab.close()
    lab = await labs.open(game, options)
    try:
        await _into_play(lab)
        begin = await lab.call("() => gameAPI.lab.snapshot()")
        await lab.call("s => { window.__begin = s }", begin)

        async def in_page(body: str) -> float:
            loop = f"() => {{ for (let i = 0; i < {INSIDE}; i++) {{ gameAPI.lab.restore(__begin); {body} }} }}"
            return await median_ms(lambda: lab.call(loop), 5) / INSIDE

        restore = await in_page("")
        hold = round(max(0.0, await in_page("gameAPI.lab.press([], 200)") - restore), 2)
        # Reading one pixel makes sure that the drawing is done.
        read = "document.querySelector('canvas').getContext('2d').getImageData(0, 0, 1, 1);"
        draw = round(max(0.0, await in_page(f"gameAPI.draw(); {read}") - restore), 2)
        line = [Event(at_ms=200, kind="end")]
        step = await median_ms(lambda: lab.game_page.step(line, observe=False))
        observed = await median_ms(lambda: lab.game_page.step(line, observe=True))
        state = len(json.dumps(await lab.run()))
        return Cost(game.id, round(statistics.median(loads)), hold, draw, step, observed, state, len(json.dumps(begin)))
    finally:
        await lab.close()


async def _into_play(lab: Lab) -> None:
    """A few moves, so that what is measured is a game in play."""
    if any(c.type_text for r in lab.game.roles for c in r.controls):
        return
    for move in moves(lab.game)[:10]:
        before = await lab.call("() => gameAPI.lab.snapshot()")
        if (await lab.run(timeline(lab.game, move.names)))["terminal"]["isTerminal"]:
            await lab.call("s => gameAPI.lab.restore(s)", before)
            return


async def measure(games: list[Game]) -> list[Cost]:
    out = []
    print(f"{'game':32} {'load':>6} {'hold':>7} {'draw':>7} {'step':>7} {'+jpeg':>7} {'state':>8} {'snapshot':>9}")
    async with open_labs() as labs:
        for game in games:
            c = await cost(labs, game)
            flag = lambda name, c=c: "!" if name in c.over else " "  # noqa: E731
            print(
                f"{c.game:32} {c.load:5.0f}{flag('load')} {c.hold:6.1f}{flag('hold')} {c.draw:6.1f}{flag('draw')} "
                f"{c.step:7.1f} {c.observed:7.1f} {c.state:8} {c.snapshot:9}",
                flush=True,
            )
            out.append(c)
    return out


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("game", nargs="*", help="game ids, genre:puzzle, level:2; all if left out")
    p.add_argument("--json", type=Path, help="write the numbers there")
    args = p.parse_args()
    games = {g.id: g for g, _ in load_catalog().select(args.game or ["all"], ["all"])}
    costs = asyncio.run(measure(list(games.values())))
    if args.json:
        args.json.write_text(json.dumps([asdict(c) for c in costs], indent=1) + "\n", encoding="utf-8")
    over = [f"{c.game}: {', '.join(c.over)}" for c in costs if c.over]
    print("\n".join(["over the limits:", *over]) if over else "all within the limits")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
