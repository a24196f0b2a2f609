"""What an episode waits for before its first step: the start of a browser, its page, Ray, an actor. Real time, and
processor time of all processes.

Give one checkout, or an older one too for a comparison: they take turns, so that other work on the computer changes
both alike. Pages stay open while they are measured, because the time of a process that has ended is lost.

    python bench/openings.py . ../older --times 4
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

Timing = dict[str, list[tuple[float, float]]]
"""Real and processor seconds of each part."""


@contextmanager
def timed(found: Timing, part: str, times: int = 1) -> Iterator[None]:
    """Adds the time of a block that does something several times."""
    began, used = time.perf_counter(), processor_s()
    yield
    elapsed = time.perf_counter() - began
    found.setdefault(part, []).append((elapsed / times, (processor_s() - used) / times))


def processor_s() -> float:
    """Returns the processor seconds of this process and of those it started."""
    own, total = psutil.Process(), 0.0
    for process in (own, *own.children(recursive=True)):
        try:
            used = process.cpu_times()
            total += used.user + used.system
        except psutil.Error:  # it has just ended
            continue
    return total


async def browser(found: Timing, game: Path, pages: int) -> None:
    """Measures the start of a browser, the second one of this process, and the opening of pages in it."""
    from gwray.sandbox import Browser, PageSource

    page = "/".join((*game.parts[-2:], "index.html"))
    source = PageSource((("", game.parent.parent),), page, query="", seed=42, viewport=(1280, 720), canvas=True)
    await (await Browser.launch()).close()
    with timed(found, "a browser"):
        started = await Browser.launch()
    try:
        await (await started.open(source)).close()
        with timed(found, "a page", pages):
            for _ in range(pages):
                await started.open(source)
    finally:
        await started.close()


def ray(found: Timing) -> None:
    """Measures the start of Ray, and that of an actor which imports gwray."""
    import ray as library

    from gwray.actors.pool import Member
    from gwray.ray_connection import connect, disconnect

    with timed(found, "Ray"):
        connect("local")
    try:
        with timed(found, "an actor"):
            actor = library.remote(num_cpus=1)(Member).remote()
            library.get(actor.ping.remote())  # type: ignore[attr-defined]
    finally:
        disconnect()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--game", default="games/gameworld/13_flappy-bird", help="game in the checkout")
    parser.add_argument("--pages", type=int, default=16)
    parser.add_argument("--times", type=int, default=4)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    checkouts = [c.resolve() for c in asked.checkouts]
    if asked.here:
        found: Timing = {}
        asyncio.run(browser(found, checkouts[0] / asked.game, asked.pages))
        ray(found)
        print(json.dumps(found))
        return
    all_found: dict[Path, Timing] = {c: {} for c in checkouts}
    options = ["--game", asked.game, "--pages", str(asked.pages), "--here"]
    for _ in range(asked.times):
        for checkout in checkouts:
            env = {**os.environ, "PYTHONPATH": str(checkout)}
            env.pop("PYTHONDONTWRITEBYTECODE", None)
            command = [sys.executable, __file__, str(checkout), *options]
            done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, text=True)
            for part, times in json.loads(done.stdout.splitlines()[-1]).items():
                all_found[checkout].setdefault(part, []).extend(times)
    for part in all_found[checkouts[0]]:
        shown = []
        for checkout, parts in all_found.items():
            real, used = (statistics.median(column) for column in zip(*parts[part], strict=True))
            shown.append(f"{checkout.name} {real:.2f} s, processor {used:.3f} s")
        print(f"{part:10}", " · ".join(shown), flush=True)
    print(f"load {os.getloadavg()[0]:.0f}")


if __name__ == "__main__":
    main()
