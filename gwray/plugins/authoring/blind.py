"""Searches the strongest list of actions of a task that is played without a look at the game (the *blind floor*).

All lists (`gwray.plugins.authoring.lists`) are played with a first search seed, as far as a budget of steps allows; the
best of each task with a second one; the best of these with the seeds of the measurement, which the search has not seen.
The committed solution of the task, which was found with another seed, and the known list of the game's `blind.json`
play these seeds in any case. The tasks of a page share plays, because they differ only in their scoring.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from gwray.catalog import KNOWN_LISTS, Game, Task, is_typed, read_solutions
from gwray.plugins.authoring.lab import LAB_JS, Lab, moves, rules, timeline
from gwray.plugins.authoring.lists import BlindList, cycles, drawn, runs

BLIND_JS = Path(__file__).with_name("blind.js").read_text(encoding="utf-8")
SEARCH_SEEDS = (1001, 1002)
"""Game seeds of the search."""
SEARCH_STEPS = 30_000
"""Budget of environment steps of each of the three families of lists, with the first search seed."""
SECOND_ROUND = 48
"""Number of lists of a task that play the second search seed."""
FINALISTS = 6
"""Number of lists of a task that play the seeds of the measurement."""
_AT_ONCE = 2_000
"""Steps of one call of the page, so that it answers within seconds."""


@dataclass(frozen=True)
class BlindResult:
    """The strongest list of a task."""

    pattern: str
    """Such as `jump ×3, wait`; the controls of several roles are joined by `+`."""
    progress: tuple[float, ...]
    """Progress per seed."""
    success: tuple[bool, ...]
    lists: int
    """Number of lists that were tried."""
    steps: int
    """Environment steps of the search of the task's page."""


@dataclass(frozen=True)
class _Result:
    success: bool
    progress: float


async def strongest_lists(
    lab: Lab, game: Game, tasks: Sequence[Task], seeds: Sequence[int], *, budget: int = SEARCH_STEPS
) -> dict[str, BlindResult]:
    """Returns the strongest blind list of each task: most seeds solved, then the highest mean progress.

    Args:
        lab: open with the options of the tasks, which must all be the same.
        tasks: tasks with these options.
        seeds: measure the best lists; neither a search seed nor the seed of the committed solutions.
        budget: environment steps of each family of lists with the first search seed.

    Returns:
        Results by task; without tasks that have no list, as in a game that is played by typing.
    """
    out: dict[str, BlindResult] = {}
    groups = {(t.steps_allowed(game.per_reply), t.reset_on_fail): None for t in tasks}
    for steps, resets in groups:
        group = [t for t in tasks if (t.steps_allowed(game.per_reply), t.reset_on_fail) == (steps, resets)]
        play = _Player(lab, group, steps)
        found: list[list[BlindList]] = [[] for _ in group]
        if not is_typed(game):
            found = await _search(play, game, budget)
        for i, task in enumerate(group):
            tried = {p.actions: p for p in [*found[i], *play.committed_lists(game, task)]}
            results = {p: [(await play.all(seed, [p]))[p][i] for seed in seeds] for p in tried.values()}
            if results:
                first = max(results, key=lambda p: _rank(results[p]))
                out[task.id] = BlindResult(
                    first.name,
                    tuple(round(r.progress, 4) for r in results[first]),
                    tuple(r.success for r in results[first]),
                    play.lists,
                    play.steps,
                )
    return out


async def _search(play: "_Player", game: Game, budget: int) -> list[list[BlindList]]:
    """Returns the best lists of each task."""
    known = moves(game)
    play.actions = [list(m.events) for m in known]
    names = [" + ".join(m.names) for m in known]
    first: dict[BlindList, list[_Result]] = {}
    for family in (cycles(names), runs(names), drawn(names, play.limit)):
        first |= await play.all(SEARCH_SEEDS[0], family, budget)
    out = []
    for i in range(play.tasks):
        chosen = sorted(first, key=lambda p: _rank([first[p][i]]), reverse=True)[:SECOND_ROUND]
        second = await play.all(SEARCH_SEEDS[1], chosen)
        chosen.sort(key=lambda p: _rank([first[p][i], second[p][i]]), reverse=True)
        out.append(chosen[:FINALISTS])
    return out


def _rank(results: Sequence[_Result]) -> tuple[int, float]:
    return sum(r.success for r in results), fmean(r.progress for r in results)


class _Player:
    """Plays lists in a lab and remembers their results, one per task."""

    def __init__(self, lab: Lab, tasks: Sequence[Task], limit: int):
        self.limit, self.lists, self.steps, self.tasks = limit, 0, 0, len(tasks)
        self.actions: list[list[dict[str, object]]] = []
        self._lab, self._rules = lab, [rules(t) for t in tasks]
        self._known: dict[tuple[int, tuple[int, ...]], list[_Result]] = {}
        self._seen: set[tuple[int, ...]] = set()

    def committed_lists(self, game: Game, task: Task) -> list[BlindList]:
        """Adds the steps of a task's committed solution and of its known list to `actions`; returns both as lists."""
        out = []
        for file, kind in (("solutions.json", "solution of seed 42"), (KNOWN_LISTS, "known list: {found}")):
            if solution := read_solutions(game, file).get(task.id):
                steps = list(zip(*(solution.roles[r.name] for r in game.roles), strict=True))
                index_of = {names: n for n, names in enumerate(dict.fromkeys(steps), len(self.actions))}
                self.actions += [list(timeline(game, names)) for names in index_of]
                out.append(BlindList(kind.format(found=solution.found), tuple(index_of[names] for names in steps)))
        return out

    async def all(
        self, seed: int, wanted: Iterable[BlindList], budget: float = float("inf")
    ) -> dict[BlindList, list[_Result]]:
        """Plays lists until the budget of steps is used up."""
        out: dict[BlindList, list[_Result]] = {}
        script = f"([tasks, seed, actions, patterns, steps]) => {{ {LAB_JS}\n{BLIND_JS}\nreturn patterns.map((p) => "
        script += "playPattern(gameAPI.lab, tasks, seed, actions, p, steps)); }"
        left = iter(wanted)
        while budget > 0 and (batch := list(itertools.islice(left, max(1, _AT_ONCE // self.limit)))):
            budget -= len(batch)
            fresh = [p for p in batch if (seed, p.actions) not in self._known]
            if fresh:
                patterns = [p.actions for p in fresh]
                found = await self._lab.call(script, [self._rules, seed, self.actions, patterns, self.limit])
                for p, results in zip(fresh, found, strict=True):
                    self._known[seed, p.actions] = [_Result(r["success"], r["progress"]) for r in results]
                    played = max(r["steps"] for r in results)
                    budget, self.steps = budget - played, self.steps + played
            out |= {p: self._known[seed, p.actions] for p in batch}
        self._seen |= {p.actions for p in out}
        self.lists = len(self._seen)
        return out
