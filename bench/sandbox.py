"""How many steps per second one browser plays, and where the time goes.

    python bench/sandbox.py                                    # the test suite's canvas game
    python bench/sandbox.py --game games/gameworld/13_flappy-bird         # a game folder
    python bench/sandbox.py --lanes 1 4 --seconds 10 --json
    git worktree add ../before COMMIT                          # compare two versions of gwray
    python bench/sandbox.py --against ../before --rounds 3     # on all bundled games, or on those of --game

A step is one key held for 200 ms of game time (12 frames), then the state and, if wanted, a JPEG. The native clock
plays the same steps by waiting in real time, in the same run; the ratio says what stepping gains.

With `--against`, two processes with a browser each, one per version, play the same steps of the same game in turns, and
the processor time of a step is compared within each pair: load of other work hits both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import psutil
from rich.console import Console
from rich.table import Table

from gwray.records import PressKey, events
from gwray.sandbox import Browser, GamePage, PageSource, find_browser
from gwray.sandbox.processes import process_tree

HERE = Path(__file__).resolve().parent
GAMES = HERE.parent / "games"
OWN_GAME = HERE.parent / "tests/sandbox/pages/flight"


def source(game: Path, canvas: bool) -> PageSource:
    """The game folder's page, served from the library it lies in."""
    game = game.resolve()
    page = "/".join((*game.parts[-2:], "index.html"))
    return PageSource((("", game.parent.parent),), page, query="", seed=42, viewport=(1280, 720), canvas=canvas)


async def rate(lanes: list[GamePage], key: str, hold_ms: float, seconds: float, picture: bool) -> float:
    """Steps per second over all lanes together."""
    done = 0
    end = time.perf_counter() + seconds

    async def play(lane: GamePage) -> None:
        nonlocal done
        while time.perf_counter() < end:
            await lane.step(events(PressKey(key=key), hold_ms), observe=picture)
            done += 1

    began = time.perf_counter()
    await asyncio.gather(*(play(lane) for lane in lanes))
    return done / (time.perf_counter() - began)


async def timed(times: int, call: Callable[[], Awaitable[Any]]) -> float:
    """Median milliseconds of one call."""
    durations = []
    for _ in range(times):
        began = time.perf_counter()
        await call()
        durations.append((time.perf_counter() - began) * 1e3)
    return sorted(durations)[times // 2]


async def parts(lane: GamePage, key: str, hold_ms: float, times: int) -> dict[str, float]:
    """Milliseconds of each part of a step, one lane alone."""
    hold = events(PressKey(key=key), hold_ms)
    tap = events(PressKey(key=key, duration_ms=0), 0)
    return {
        "key down + up": await timed(times, lambda: lane.perform(tap)),
        f"advance {hold_ms:g} ms": await timed(times, lambda: lane.advance(hold_ms)),
        "read state": await timed(times, lane.read),
        "picture": await timed(times, lane.observe),
        "whole step": await timed(times, lambda: lane.step(hold, observe=True)),
        "whole step, no picture": await timed(times, lambda: lane.step(hold, observe=False)),
    }


def cpu_seconds(browser: Browser) -> float:
    """Processor time used so far by the browser, its driver and this process."""
    total = 0.0
    for process in [*process_tree([browser._driver, browser.pid]), psutil.Process()]:
        used = process.cpu_times()
        total += used.user + used.system
    return total


async def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All numbers of one run."""
    page = source(options.game.resolve(), not options.dom)
    out: dict[str, Any] = {"rates": [], "game": options.game.name}
    for count in options.lanes:
        row: dict[str, Any] = {"lanes": count}
        clocks: tuple[Literal["stepped", "native"], ...] = ("stepped", "native")
        for clock in clocks:
            browser = await Browser.launch()
            try:
                out["browser"] = browser.version
                memory = []
                lanes = []
                for _ in range(count):
                    lanes.append(await browser.open(page, clock=clock))
                    memory.append(browser.memory_mb())
                if clock == "stepped":
                    row["memory_mb"] = memory[-1]
                    row["mb_per_further_lane"] = (memory[-1] - memory[0]) / (count - 1) if count > 1 else None
                    if count == min(options.lanes):
                        out["parts"] = await parts(lanes[0], options.key, options.hold, options.times)
                for picture in (True, False):
                    before = cpu_seconds(browser)
                    speed = await rate(lanes, options.key, options.hold, options.seconds, picture)
                    name = f"{clock}_{'picture' if picture else 'blind'}"
                    row[name] = speed
                    row[f"{name}_cpu_ms"] = (cpu_seconds(browser) - before) / (speed * options.seconds) * 1e3
            finally:
                await browser.close()
        out["rates"].append(row)
    return out


async def serve(options: argparse.Namespace) -> None:
    """Plays a game for each line of standard input; answers with the processor time of a step in ms."""
    browser = await Browser.launch()
    try:
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            lane = await browser.open(source(Path(line), canvas=False))
            hold = events(PressKey(key=options.key), options.hold)
            for _ in range(3):
                await lane.step(hold, observe=False)
            before = cpu_seconds(browser)
            for _ in range(options.times):
                await lane.step(hold, observe=False)
            print((cpu_seconds(browser) - before) / options.times * 1e3, flush=True)
            await lane.close()
    finally:
        await browser.close()


def compare(options: argparse.Namespace) -> dict[str, Any]:
    """Lets two versions play in turns. Returns the ratio of processor times, this version's over the other's, with a
    95 % interval over games."""
    games = [options.game] if options.game != OWN_GAME else sorted(p.parent for p in GAMES.glob("*/*/game.yaml"))
    words = [
        sys.executable,
        __file__,
        "--serve",
        "--key",
        options.key,
        f"--hold={options.hold}",
        f"--times={options.times}",
    ]
    players = [
        subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(root)}
        )
        for root in (HERE.parent, options.against.resolve())
    ]
    ratios: dict[str, list[float]] = {}
    try:
        for turn in range(options.rounds):
            for n, game in enumerate(games):
                took = [0.0, 0.0]
                for version in (0, 1) if (turn + n) % 2 else (1, 0):
                    stdin, stdout = players[version].stdin, players[version].stdout
                    assert stdin and stdout
                    stdin.write(f"{game.resolve()}\n")
                    stdin.flush()
                    if not (answer := stdout.readline()):
                        raise SystemExit(f"the version in {players[version].args} ended at {game.name}")
                    took[version] = float(answer)
                ratios.setdefault(game.name, []).append(took[0] / took[1])
    finally:
        for player in players:
            assert player.stdin
            player.stdin.close()
            player.wait(60)
    logs = [sum(map(math.log, of_game)) / len(of_game) for of_game in ratios.values()]
    mean = sum(logs) / len(logs)
    spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / max(1, len(logs) - 1) / len(logs))
    low, high = (math.exp(mean + side * 1.96 * spread) for side in (-1, 1))
    return {"games": len(games), "rounds": options.rounds, "steps": options.times, "ratio": math.exp(mean),
            "low": low, "high": high, "by_game": ratios}  # fmt: skip


def show(result: dict[str, Any]) -> None:
    """Print the tables."""
    console = Console()
    table = Table(title=f"{result['game']}, Chromium {result['browser']}: steps per second, all lanes together")
    for name in (
        "lanes", "JPEG", "no picture", "native, JPEG", "ratio", "CPU ms, JPEG", "CPU ms", "MB", "MB per further lane",
    ):  # fmt: skip
        table.add_column(name, justify="right")
    for row in result["rates"]:
        further = row["mb_per_further_lane"]
        table.add_row(
            str(row["lanes"]),
            f"{row['stepped_picture']:.0f}",
            f"{row['stepped_blind']:.0f}",
            f"{row['native_picture']:.1f}",
            f"{row['stepped_picture'] / row['native_picture']:.1f}×",
            f"{row['stepped_picture_cpu_ms']:.1f}",
            f"{row['stepped_blind_cpu_ms']:.1f}",
            f"{row['memory_mb']:.0f}",
            "" if further is None else f"{further:.0f}",
        )
    console.print(table)
    table = Table(title="one lane, median milliseconds")
    table.add_column("part")
    table.add_column("ms", justify="right")
    for name, ms in result["parts"].items():
        table.add_row(name, f"{ms:.2f}")
    console.print(table)


def main() -> None:
    """Parse, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", type=Path, default=OWN_GAME, help="a game folder with index.html")
    parser.add_argument("--lanes", type=int, nargs="+", default=[1, 2, 4, 8])
    parser.add_argument("--seconds", type=float, default=4.0, help="real time of each measurement")
    parser.add_argument("--times", type=int, default=40, help="repetitions for the parts of a step")
    parser.add_argument("--hold", type=float, default=200.0, help="game time of a step in ms")
    parser.add_argument("--key", default="ArrowRight")
    parser.add_argument("--dom", action="store_true", help="picture by the browser, not from the canvas")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--against", type=Path, help="a checkout of another version to compare with")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each game, with --against")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    find_browser()
    if options.serve:
        return asyncio.run(serve(options))
    if options.against:
        found = compare(options)
        if options.json:
            print(json.dumps(found, indent=1))
        else:
            ratio, low, high = (100 * (found[name] - 1) for name in ("ratio", "low", "high"))
            print(f"processor time of a step: {ratio:+.1f} % [{low:+.1f}, {high:+.1f}] over {found['games']} games")
        return None
    result = asyncio.run(measure(options))
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)


if __name__ == "__main__":
    main()
