"""Where the processor time of a step goes: by process, and by part of the step.

    python bench/step_profile.py                                         # a canvas game, with and without pictures
    python bench/step_profile.py --game games/casebook/c01_opal-eye      # another game folder
    python bench/step_profile.py --python profile.txt                    # also the profile of the Python process

A step is one key held for 200 ms of game time (12 frames), then the state and a JPEG. Processor time is hardly affected
by other load on the machine, so that the shares can be compared between runs.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import io
import os
import pstats
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil
from sandbox import GAMES, source

from gwray.records import PressKey, events
from gwray.sandbox import Browser, GamePage
from gwray.sandbox.processes import process_tree

Call = Callable[[], Awaitable[object]]


def kind_of(process: psutil.Process) -> str:
    """Returns which part of the browser a process is."""
    words = process.cmdline()
    named = next((w.removeprefix("--type=") for w in words if w.startswith("--type=")), "")
    if named == "utility":
        return next((w.rpartition("=")[2].split(".")[0] for w in words if w.startswith("--utility-sub-type=")), named)
    return named or ("driver" if "node" in Path(words[0] if words else "").name else "browser")


def seconds(browser: Browser) -> dict[str, tuple[float, float]]:
    """Returns user and system time of each kind of process so far, Python's own included."""
    found: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    own = psutil.Process(os.getpid())
    everyone = {p.pid: p for p in (*process_tree([browser.pid]), *own.children(recursive=True))}
    for process in everyone.values():
        try:
            times, kind = process.cpu_times(), kind_of(process)
        except psutil.Error:
            continue
        found[kind] = found[kind][0] + times.user, found[kind][1] + times.system
    times = own.cpu_times()
    return dict(found) | {"python": (times.user, times.system)}


async def measure(browser: Browser, call: Call, times: int) -> dict[str, tuple[float, float]]:
    """Returns milliseconds of user and system time of one call, by kind of process."""
    for _ in range(10):
        await call()
    before = seconds(browser)
    for _ in range(times):
        await call()
    after = seconds(browser)
    return {
        kind: tuple(1e3 * (now - then) / times for now, then in zip(after[kind], before.get(kind, (0, 0)), strict=True))
        for kind in after
    }  # pyright: ignore[reportReturnType]


def parts(lane: GamePage, key: str) -> dict[str, Call]:
    """The calls that are measured, each with the parts of those before it."""
    hold, tap = events(PressKey(key=key), 200), events(PressKey(key=key, duration_ms=0), 0)
    return {
        "empty call": lane.read,
        "12 frames": lambda: lane.advance(200),
        "key": lambda: lane.perform(tap),
        "step": lambda: lane.step(hold, observe=False),
        "picture": lane.observe,
        "step with picture": lambda: lane.step(hold, observe=True),
    }


async def run(options: argparse.Namespace) -> None:
    browser = await Browser.launch()
    try:
        page = await browser.open(source(options.game, not options.screenshot))
        found = {name: await measure(browser, call, options.times) for name, call in parts(page, options.key).items()}
        if options.python:
            profile, text = cProfile.Profile(), io.StringIO()
            profile.enable()
            for _ in range(options.times):
                await page.step(events(PressKey(key=options.key), 200), observe=True)
            profile.disable()
            pstats.Stats(profile, stream=text).sort_stats("tottime").print_stats(40)
            options.python.write_text(text.getvalue(), "utf-8")
    finally:
        await browser.close()
    kinds = sorted({k for part in found.values() for k in part}, key=lambda k: -sum(found["step with picture"][k]))
    kinds = [k for k in kinds if any(sum(part.get(k, (0, 0))) >= 0.05 for part in found.values())]
    print(f"{options.game.name}: processor milliseconds of one of {options.times} calls (in the kernel)\n")
    print("| " + " | ".join(["call", *kinds, "all"]) + " |")
    print("|---" * (len(kinds) + 2) + "|")
    for name, part in found.items():
        cells = [part.get(k, (0.0, 0.0)) for k in kinds]
        total = sum(sum(c) for c in part.values())
        print(f"| {name} | " + " | ".join(f"{sum(c):.1f} ({c[1]:.1f})" for c in cells) + f" | {total:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", type=Path, default=GAMES / "gameworld/13_flappy-bird", help="a game's folder")
    parser.add_argument("--key", default="Space", help="key that is held")
    parser.add_argument("--times", type=int, default=200, help="calls of each part")
    parser.add_argument("--screenshot", action="store_true", help="screenshots of the page instead of its canvas")
    parser.add_argument("--python", type=Path, help="file for the profile of the Python process")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
