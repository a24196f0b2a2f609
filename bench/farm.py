"""The most that Thirteen Days (`p03_thirteen-days`) can bring, by search, beside its scripted player.

    python bench/farm.py [--seeds 20]

The search knows the weather and the quality of every crop in advance. It tries all purchases on the days on which money
comes in, with every crop watered every day and no day ending in exhaustion before the last watering; tilling costs it
nothing, so it can only be better than what is possible. Beans are left out: they cost more than one harvest brings.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import fmean, stdev
from typing import Any

import parlor

from gwray.catalog import load_catalog
from gwray.plugins.authoring.lab import Lab, open_labs

LUCK = """async ([seed, farm]) => {
    const { seeded, stream } = await import('../../kit/random.js');
    const { CROPS, FARMS, LAST_DAY, QUALITIES } = await import('./rules.js');
    const worth = (roll) => (roll < QUALITIES[2].chance ? 2 : roll < QUALITIES[2].chance + QUALITIES[1].chance ? 1 : 0);
    const prices = {};
    const rng = seeded(seed);
    for (const [kind, { sell, twice }] of Object.entries(CROPS)) {
        const luck = stream(rng, `harvest ${kind}`);
        prices[kind] = Array.from({ length: 60 }, () => {
            const price = Math.floor(sell * QUALITIES[worth(luck.float())].worth);
            return price + (luck.float() < twice ? sell : 0);
        });
    }
    const weather = stream(rng, 'weather');
    const rain = [false, false, ...Array.from({ length: LAST_DAY }, () => weather.chance(FARMS[farm].rain))];
    return { prices, rain, energy: FARMS[farm].energy };
}"""
"""What chance holds: the income of each harvested crop in order, and whether it rains, by day."""

COST = {"parsnip": 20, "potato": 50, "cauliflower": 80}
DAYS = {"parsnip": 4, "potato": 6, "cauliflower": 12}
LAST_WATERING = 12
Planted = tuple[tuple[int, str, int], ...]
"""Day of the harvest, crop and number."""


def best(luck: dict[str, Any]) -> int:
    """The most gold at the end of the thirteen days."""
    kinds = tuple(COST)

    @cache
    def most(day: int, gold: int, planted: Planted, done: tuple[int, ...]) -> int:
        for due, kind, n in planted:
            if due == day:
                i = kinds.index(kind)
                gold += sum(luck["prices"][kind][done[i] : done[i] + n])
                done = tuple(d + n * (j == i) for j, d in enumerate(done))
        planted = tuple(p for p in planted if p[0] > day)
        top = most(planted[0][0], gold, planted, done) if planted else gold
        for bought in _purchases(day, gold):
            growing = tuple(sorted([*planted, *((day + DAYS[k], k, n) for k, n in bought.items() if n)]))
            # With fewer parsnips there is less to sell, so the first number that can be watered is the best.
            while bought["parsnip"] and not _can_water(luck, day, growing):
                bought["parsnip"] -= 1
                growing = tuple(sorted([*planted, *((day + DAYS[k], k, n) for k, n in bought.items() if n)]))
            if growing and _can_water(luck, day, growing):
                left = gold - sum(COST[k] * n for k, n in bought.items())
                top = max(top, most(growing[0][0], left, growing, done))
        return top

    return most(1, 200, (), (0, 0, 0))


def _purchases(day: int, gold: int) -> Iterator[dict[str, int]]:
    """All purchases of crops that can still be harvested, each with as many parsnips as the rest pays for."""

    def most(kind: str, money: int) -> int:
        return money // COST[kind] if day + DAYS[kind] <= 13 else 0

    for cauliflowers in range(most("cauliflower", gold) + 1):
        rest = gold - cauliflowers * COST["cauliflower"]
        for potatoes in range(most("potato", rest) + 1):
            parsnips = most("parsnip", rest - potatoes * COST["potato"])
            yield {"parsnip": parsnips, "potato": potatoes, "cauliflower": cauliflowers}


def _can_water(luck: dict[str, Any], day: int, growing: Planted) -> bool:
    most = (luck["energy"] - 1) // 2
    for d in range(day, LAST_WATERING + 1):
        tiles = sum(n for due, _, n in growing if due > d)
        if not luck["rain"][d] and tiles > (most if d < LAST_WATERING else most + 8):
            return False
    return True


async def luck_of(lab: Lab, seed: int, farm: str) -> dict[str, Any]:
    return await lab.call(LUCK, [seed, farm])


async def compare(seeds: Sequence[int]) -> None:
    game = load_catalog().game("p03_thirteen-days")
    async with open_labs() as labs:
        for task, farm in zip(game.tasks, ("valley", "hill"), strict=True):
            lab = await labs.open(game, task.options)
            rows = []
            for seed in seeds:
                most = best(await luck_of(lab, seed, farm)) - 200
                _, way = await parlor.expert(lab, task, seed)
                earned = (await lab.run())["game_state"]["gold"] - 200
                rows.append((most, earned))
                print(farm, seed, most, earned, len(way), flush=True)
            mean = [fmean(r[i] for r in rows) for i in (0, 1)]
            part = [earned / most for most, earned in rows]
            print(
                f"{farm}: most {mean[0]:.0f} (SD {stdev(r[0] for r in rows):.0f}), scripted {mean[1]:.0f}, "
                f"share {fmean(part):.3f}, least {min(part):.3f}"
            )


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", type=int, default=20)
    asyncio.run(compare(range(42, 42 + p.parse_args().seeds)))
