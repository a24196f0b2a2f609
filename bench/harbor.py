"""The harbour's claims, without any model: all thirty tasks are solvable, chance solves none, and who gets stuck fails.

    python bench/harbor.py [--seeds 3] [--json FILE]

Replays the committed solutions through the real path, lets a random player play each quest, and sends eight walkers
that differ only in what they do when they are stuck through each (`walkers.js`). Success rate and share of moves that
moved nothing are then correlated over walkers and quests.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from scipy.stats import pearsonr

from gwray.analysis.intervals import bounded_mean
from gwray.catalog import load_catalog, read_solutions
from gwray.plugins.authoring.check import check_solutions
from gwray.plugins.authoring.lab import LAB_JS, Lab, open_labs, rules, timeline

TOWN = load_catalog().game("town")
WALKERS = Path(__file__).with_name("walkers.js").read_text(encoding="utf-8")
MOVES = {c.id: list(timeline(TOWN, [c.id])) for c in TOWN.roles[0].controls}


async def call(lab: Lab, name: str, *arguments: Any) -> Any:
    """One function of the walkers, in the page."""
    body = f"([m, a]) => {{ {LAB_JS + WALKERS}\nconst w = makeWalkers(gameAPI.lab, m); return {name}; }}"
    return await lab.call(body, [MOVES, list(arguments)])


async def walked(seeds: int) -> tuple[list[dict[str, Any]], list[tuple[str, bool]]]:
    """A row for each walker and quest, and for each random player its quest and whether it solved it."""
    rows, lucky = [], []
    solutions = read_solutions(TOWN)
    async with open_labs() as labs:
        for task in TOWN.tasks[::3]:
            lab = await labs.open(TOWN, task.options)
            way = list(solutions[task.id].roles["player"])
            for name in await call(lab, "w.names"):
                done = [
                    await call(lab, "w.walk(...a)", name, rules(task), way, task.max_steps, seed)
                    for seed in range(1, seeds + 1)
                ]
                moved, blocked = sum(d["moved"] for d in done), sum(d["blocked"] for d in done)
                share = 100 * blocked / max(1, moved)
                rate = 100 * sum(d["solved"] for d in done) / seeds
                rows.append({"walker": name, "quest": task.id.partition("_")[0], "sr": rate, "im": share})
            for seed in range(20):
                solved = await call(lab, "w.random(...a)", rules(task), task.max_steps, seed)
                lucky.append((task.id.partition("_")[0], solved))
            await lab.close()
            print(f"{task.id.partition('_')[0]}", end=" ", flush=True, file=sys.stderr)
    return rows, lucky


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seeds", type=int, default=3, help="episodes of each walker in each quest")
    p.add_argument("--json", type=Path, help="write the numbers there")
    args = p.parse_args()
    rows, lucky = asyncio.run(walked(args.seeds))
    checked = asyncio.run(check_solutions([TOWN]))
    quests = list(dict.fromkeys(r["quest"] for r in rows))
    print(f"\n{'walker':12}" + "".join(f"{q:>6}" for q in quests) + f"{'SR':>8}{'IM %':>8}")
    for name in dict.fromkeys(r["walker"] for r in rows):
        mine = [r for r in rows if r["walker"] == name]
        mean = [sum(r[k] for r in mine) / len(mine) for k in ("sr", "im")]
        print(f"{name:12}" + "".join(f"{r['sr']:6.0f}" for r in mine) + f"{mean[0]:8.1f}{mean[1]:8.1f}")
    r, chance = pearsonr([x["sr"] for x in rows], [x["im"] for x in rows])
    solved = sum(c.ok for c in checked)
    by_chance = bounded_mean([float(won) for _, won in lucky], [quest for quest, _ in lucky])
    random, most = 100 * by_chance.value, 100 * (by_chance.high or 0.0)
    print(f"r(SR, IM) = {r:.2f}, p = {chance:.1e}, n = {len(rows)}")
    print(f"random player {random:.1f} %, at most {most:.1f} % (95 %, {by_chance.method})")
    print(f"replayed {solved} of {len(checked)}")
    if args.json:
        found = {"rows": rows, "r": r, "p": chance, "random": random, "random_at_most": most, "replayed": solved}
        args.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0 if r <= -0.5 and chance < 0.001 and random <= 5 and solved == len(checked) else 1


if __name__ == "__main__":
    sys.exit(main())
