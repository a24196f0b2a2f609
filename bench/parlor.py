"""Scores in the games of the parlor without a model: random, waiting and blind players, and the scripted expert.

    python bench/parlor.py [GAME…] [--seeds 10] [--json FILE]

Blind players repeat a pattern of actions without looking at the game. Searched are all patterns of one, two and three
actions (of four where there are at most nine), and of one action several times followed by another one. The patterns
that score most on one seed are played on more seeds; the best of those on 100 other seeds, which the search never saw,
and the highest mean there counts. Everything is played on the game's lab, by the same input as in an episode. Values
are progress in percent.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import itertools
import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, stdev
from types import ModuleType
from typing import Any

from gwray.authoring.lab import LAB_JS, Lab, moves, open_labs, rules, timeline
from gwray.catalog import Game, Solution, Task, load_catalog, write_solutions
from gwray.evaluation import BestSoFar, evaluate_step

LIBRARY = "parlor"
FEW = 9
"""Up to so many different actions, patterns of four are searched too."""
MANY = 100
"""Above so many different actions, those of a control with more than `FEW` are represented by the first one in patterns
of several actions."""
RUNS = range(3, 10)
"""How often the first action of a pattern of two may be repeated before the other one."""
SEARCH_SEEDS = range(1000, 1010)
"""Seeds of the search."""
ROUNDS = ((1, 1200), (4, 200), (10, 10))
"""Seeds of a round of the search, and how many patterns with the highest means go on to the next one."""
FRESH_SEEDS = range(2000, 2100)
"""Seeds on which the best patterns of the search are measured."""
MOST_SCREENED = 5_000_000
"""Actions of the first round; where all patterns would take more, their episodes are shorter there."""

MOST_DRAWN = 2000
"""Actions of a random or waiting player; no game of the parlor lasts longer for them."""

WORDS = (
    "time", "year", "day", "night", "morning", "evening", "week", "hour", "house", "home", "room", "door", "window",
    "table", "chair", "kitchen", "garden", "street", "road", "town", "city", "station", "car", "train", "boat",
    "water", "river", "sea", "fire", "light", "man", "woman", "mother", "father", "brother", "sister", "wife",
    "husband", "son", "daughter", "friend", "child", "boy", "girl", "people", "name", "hand", "eye", "head", "face",
    "heart", "body", "money", "book", "letter", "paper", "picture", "music", "word", "story", "work", "job", "school",
    "church", "dog", "key",
)  # fmt: skip
"""Common nouns that a player can search without looking at the game."""

BLIND = f"""([task, moves, patterns, seeds, steps]) => {{
    {LAB_JS}
    return patterns.map((p) => seeds.map((seed) => {{
        const lines = Array.from({{ length: steps }}, (_, i) => moves[p[i % p.length]]);
        const played = playEpisode(gameAPI.lab, task, seed, lines);
        return [played.progress, played.steps];
    }}));
}}"""


@dataclass(frozen=True)
class Row:
    """Progress in one task, in percent."""

    task: str
    random: float
    random_sd: float
    waiting: float
    blind: float
    pattern: str
    """The best blind pattern."""
    expert: float
    expert_least: float
    expert_steps: float
    steps_per_s: float
    """Steps of the blind players per second, without pictures."""


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
    """The steps of an episode of a random, waiting or blind player."""
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


def patterns(names: Sequence[str]) -> list[tuple[int, ...]]:
    """Returns all patterns of one, two and three actions (and of four, if there are few) as indices, without those that
    are rotations of others; and of an action several times and another one once."""
    every: Sequence[int] = range(len(names))
    out = [(i,) for i in every]
    if len(names) > MANY:
        controls = [name.split()[0] for name in names]
        every = [i for i, c in enumerate(controls) if controls.count(c) <= FEW or controls.index(c) == i]
    pairs = list(itertools.permutations(every, 2))
    out += [(a, b) for a, b in pairs if a < b]
    for period in (3, 4) if len(names) <= FEW else (3,):
        cycles = itertools.product(every, repeat=period)
        out += [p for p in cycles if len(set(p)) > 1 and p == min(p[i:] + p[:i] for i in range(period))]
    return out + [(a,) * n + (b,) for a, b in pairs for n in RUNS]


async def blind(lab: Lab, task: Task) -> tuple[float, str, float]:
    """Returns the best pattern's mean progress on fresh seeds, the pattern, and all patterns' steps per second."""
    known = moves(lab.game)
    events, steps, played = [list(m.events) for m in known], drawn_steps(lab.game, task), 0

    async def means(tried: Sequence[tuple[int, ...]], seeds: Sequence[int], length: int) -> list[float]:
        nonlocal played
        found: list[float] = []
        for first in range(0, len(tried), 1000):
            part = tried[first : first + 1000]
            values = await lab.call(BLIND, [rules(task), events, part, list(seeds), length])
            found += [fmean(progress for progress, _ in of_seeds) for of_seeds in values]
            played += sum(n for of_seeds in values for _, n in of_seeds)
        return found

    began = time.perf_counter()
    tried = patterns([move.names[0] for move in known])
    lengths = [min(steps, MOST_SCREENED // len(tried))] + [steps] * (len(ROUNDS) - 1)
    for (seeds, kept), length in zip(ROUNDS, lengths, strict=True):
        found = await means(tried, SEARCH_SEEDS[:seeds], length)
        best = sorted(range(len(tried)), key=found.__getitem__, reverse=True)[:kept]
        tried = [tried[i] for i in best]
    found = await means(tried, FRESH_SEEDS, steps)
    rate = played / (time.perf_counter() - began)
    top = max(range(len(found)), key=found.__getitem__)
    return found[top], ", ".join(known[i].names[0] for i in tried[top]), rate


async def common_words(lab: Lab, task: Task, seeds: Sequence[int]) -> dict[int, float]:
    """Mean progress in percent of a player that searches `WORDS` in turn, by the number of clips that it watches."""
    found = {}
    for clips in range(1, 6):
        way = [e for w in WORDS for e in (f"search {w}", *(f"play_clip {n}" for n in range(1, clips + 1)))]
        lines = [list(timeline(lab.game, [entry])) for entry in way[: task.budget]]
        found[clips] = round(100 * fmean([await play(lab, task, seed, lines) for seed in seeds]), 1)
    return found


async def measure(lab: Lab, task: Task, seeds: Sequence[int], skilled: bool) -> Row:
    chance = [await play(lab, task, s, drawn(lab.game, task, s)) for s in seeds]
    hold = lab.game.roles[0].hold_ms
    idle = await play(lab, task, seeds[0], [[{"at_ms": hold, "kind": "end"}]] * drawn_steps(lab.game, task))
    floor, pattern, rate = await blind(lab, task)
    # Labs run no programs.
    skilled = skilled and lab.game.roles[0].stepwise is lab.game.roles[0]
    ways = [await expert(lab, task, s) for s in seeds] if skilled else [(0.0, [])]
    best = [100 * progress for progress, _ in ways]
    return Row(
        task.id, round(100 * fmean(chance), 1), round(100 * stdev(chance), 1), round(100 * idle, 1),
        round(100 * floor, 1), pattern, round(fmean(best), 1), round(min(best), 1),
        round(fmean(len(way) for _, way in ways), 1), round(rate),
    )  # fmt: skip


async def measure_all(games: Sequence[Game], seeds: Sequence[int], skilled: bool) -> list[Row]:
    rows = []
    async with open_labs() as labs:
        for game in games:
            for task in game.tasks:
                lab = await labs.open(game, task.options)
                rows.append(await measure(lab, task, seeds, skilled))
                print(json.dumps(asdict(rows[-1])), flush=True)
                if any(control.id == "search" for control in game.roles[0].controls):
                    print(task.id, "common nouns, by clips watched:", await common_words(lab, task, seeds), flush=True)
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
