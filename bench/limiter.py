"""How many requests the shared rate limiter admits: acquire and report, from several actors at once.

python bench/limiter.py [--actors 4] [--lanes 100] [--seconds 10]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time

import psutil
import ray

from gwray.actors.rate_limiter import RemoteRateLimiter, start_rate_limiter
from gwray.ray_connection import connect


class Lanes:
    """The lanes of one sandbox actor, whose requests take no time."""

    def __init__(self, limiter: str, number: int):
        self._limiter = RemoteRateLimiter(limiter, f"sandbox-{number}")

    async def ask(self, lanes: int, seconds: float) -> int:
        """Returns how many requests were admitted."""
        await self._limiter.declare("m", 100_000, None)
        end = time.monotonic() + seconds

        async def lane(n: int) -> int:
            done = 0
            while time.monotonic() < end:
                await self._limiter.acquire("m", f"{n}-{done}")
                await self._limiter.report("m", f"{n}-{done}", "ok")
                done += 1
            return done

        return sum(await asyncio.gather(*(lane(n) for n in range(lanes))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actors", type=int, default=4)
    parser.add_argument("--lanes", type=int, default=100, help="of each actor")
    parser.add_argument("--seconds", type=float, default=10)
    args = parser.parse_args()
    connect("local")
    name, _limiter = start_rate_limiter()
    actors = [ray.remote(num_cpus=0, max_concurrency=1000)(Lanes).remote(name, n) for n in range(args.actors)]
    process = next(p for p in psutil.process_iter() if "RateLimiterActor" in " ".join(p.cmdline()))
    ray.get([a.ask.remote(args.lanes, 1) for a in actors])
    before, began = process.cpu_times(), time.monotonic()
    admitted = sum(ray.get([a.ask.remote(args.lanes, args.seconds) for a in actors]))
    after, wall_s = process.cpu_times(), time.monotonic() - began
    cpu_s = after.user + after.system - before.user - before.system
    print(
        f"{args.actors} actors of {args.lanes} lanes: {admitted / wall_s:,.0f} requests/s; the limiter needs "
        f"{1e3 * cpu_s / admitted:.2f} ms of the processor per request, so at most {admitted / cpu_s:,.0f}/s on a core "
        f"(load {os.getloadavg()[0]:.0f})"
    )


if __name__ == "__main__":
    main()
