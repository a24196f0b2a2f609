"""Finds the best blind pattern of a task: actions that repeat without a look at the game.

A pattern is one action, two in turn (A B), one several times before another (A^m B), or a loop of two to five actions
drawn at random, each up to ten times. All patterns are played with the first two seeds, as far as the budget of steps
allows; the best of each task then play all seeds. The tasks of a page share these plays, because they differ only in
their scoring.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from gwray.authoring.lab import LAB_JS, Lab, moves, rules
from gwray.catalog import Game, Task, is_typed

BLIND_JS = Path(__file__).with_name("blind.js").read_text(encoding="utf-8")
LONGEST_RUN = 9
"""The largest m of A^m B."""
FINALISTS = 4
"""Number of patterns that play all seeds: the best on average, and the best with each of the first seeds."""
PATTERN_STEPS = 30_000
"""Budget of environment steps of a page's patterns with each of the first seeds. Patterns with shorter runs come
first."""
LOOPS = 250
"""Number of loops with each of the first seeds."""
SEARCHED = 2
"""Number of seeds with which all patterns are played."""
_AT_ONCE = 2_000
"""Steps of one call of the page, so that it answers within seconds."""


@dataclass(frozen=True)
class BlindResult:
    """The best blind pattern of a task."""

    pattern: str
    """Such as `jump ×3, wait`; the controls of several roles are joined by `+`."""
    progress: tuple[float, ...]
    """Progress per seed."""
    success: tuple[bool, ...]


def patterns(actions: int, longest: int = LONGEST_RUN) -> Iterator[tuple[int, ...]]:
    """Yields the patterns of that many actions as indices: constants, A B, then A^m B for m up to `longest`."""
    yield from ((a,) for a in range(actions))
    for run in range(1, longest + 1):
        yield from ((*(a,) * run, b) for a, b in itertools.permutations(range(actions), 2))


def loops(actions: int, count: int = LOOPS) -> list[tuple[int, ...]]:
    """Returns different loops of that many actions: two to five in turn, no two of them alike, each up to ten times."""
    if actions < 2:
        return []
    draw, found = Random(actions), dict[tuple[int, ...], None]()
    while len(found) < count:
        names = [draw.randrange(actions)]
        for _ in range(draw.randint(1, 4)):
            names.append(draw.choice([a for a in range(actions) if a != names[-1]]))
        found[tuple(a for name in names for a in (name,) * draw.choice((1, 1, 2, 2, 3, 4, 5, 7, 10)))] = None
    return list(found)


async def best_patterns(
    lab: Lab,
    game: Game,
    tasks: Sequence[Task],
    seeds: Sequence[int],
    *,
    budget: int = PATTERN_STEPS,
    drawn: int = LOOPS,
) -> dict[str, BlindResult]:
    """Returns the best blind pattern of each task: most seeds solved, then the highest mean progress.

    Args:
        lab: open with the options of the tasks, which must all be the same.
        tasks: tasks with these options.
        seeds: the first ones find candidates, all of them measure.
        budget: environment steps of constants, A B and A^m B with each of the first seeds.
        drawn: number of loops with each of the first seeds.

    Returns:
        Results by task; empty for a game that is played by typing, which has no patterns.
    """
    if is_typed(game):
        return {}
    known = moves(game)
    out: dict[str, BlindResult] = {}
    groups = {(t.max_steps, t.reset_on_fail): None for t in tasks}
    for steps, resets in groups:
        group = [t for t in tasks if (t.max_steps, t.reset_on_fail) == (steps, resets)]
        play = _Player(lab, group, [list(m.events) for m in known], steps)
        families = [
            [await play.all(seed, patterns(len(known)), budget) for seed in seeds[:SEARCHED]],
            [await play.all(seed, loops(len(known), drawn)) for seed in seeds[:SEARCHED]],
        ]
        for i, task in enumerate(group):
            best = [
                p
                for tried in families
                for p in _finalists([{p: results[i] for p, results in found.items()} for found in tried])
            ]
            found = {p: [(await play.all(s, [p]))[p][i] for s in seeds] for p in best}
            first = max(found, key=lambda p: (sum(r[0] for r in found[p]), fmean(r[1] for r in found[p])))
            out[task.id] = BlindResult(
                _text(first, [" + ".join(m.names) for m in known]),
                tuple(round(r[1], 4) for r in found[first]),
                tuple(r[0] for r in found[first]),
            )
    return out


def _finalists(tried: Sequence[Mapping[tuple[int, ...], tuple[bool, float]]]) -> list[tuple[int, ...]]:
    """Returns the best patterns: on average over the seeds, and with each of them."""
    both = {p: [found[p] for found in tried] for p in tried[0] if all(p in found for found in tried)}
    rankings = [sorted(both, key=lambda p: [sum(v) for v in zip(*both[p], strict=True)], reverse=True)]
    rankings += [sorted(found, key=found.__getitem__, reverse=True) for found in tried]
    return list(dict.fromkeys(p for ranking in rankings for p in ranking[:FINALISTS]))


class _Player:
    """Plays patterns in a lab and remembers their results: success and progress per task."""

    def __init__(self, lab: Lab, tasks: Sequence[Task], actions: list[list[dict[str, object]]], steps: int):
        self._lab, self._rules, self._actions, self._steps = lab, [rules(t) for t in tasks], actions, steps
        self._known: dict[tuple[int, tuple[int, ...]], list[tuple[bool, float]]] = {}

    async def all(
        self, seed: int, wanted: Iterator[tuple[int, ...]] | Sequence[tuple[int, ...]], budget: float = float("inf")
    ) -> dict[tuple[int, ...], list[tuple[bool, float]]]:
        """Plays patterns until the budget of steps is used up."""
        out: dict[tuple[int, ...], list[tuple[bool, float]]] = {}
        script = f"([tasks, seed, actions, patterns, steps]) => {{ {LAB_JS}\n{BLIND_JS}\nreturn patterns.map((p) => "
        script += "playPattern(gameAPI.lab, tasks, seed, actions, p, steps)); }"
        left = iter(wanted)
        while budget > 0 and (batch := list(itertools.islice(left, max(1, _AT_ONCE // self._steps)))):
            fresh = [p for p in batch if (seed, p) not in self._known]
            if fresh:
                found = await self._lab.call(script, [self._rules, seed, self._actions, fresh, self._steps])
                for pattern, results in zip(fresh, found, strict=True):
                    self._known[seed, pattern] = [(r["success"], r["progress"]) for r in results]
                    budget -= max(r["steps"] for r in results)
            out |= {p: self._known[seed, p] for p in batch}
        return out


def _text(pattern: Sequence[int], names: Sequence[str]) -> str:
    runs = [(names[a], len(list(same))) for a, same in itertools.groupby(pattern)]
    return ", ".join(name if n == 1 else f"{name} ×{n}" for name, n in runs)
