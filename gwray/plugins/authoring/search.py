"""Searches for solutions of tasks over semantic actions; the best progress is the task's planning ceiling.

The search runs inside the game's page (`search.js`), on the kit's snapshots; this module sets it up, runs it in chunks
and saves the result. It is deterministic: its budget is counted in played steps, so the same game files, task and seed
give the same solution on every machine. It reads the state, which models cannot. Tasks that are played by typing cannot
be searched.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gwray.catalog import Game, Solution, Task, load_catalog, read_game, read_solutions, write_solutions
from gwray.errors import UsageError
from gwray.places import GAMES
from gwray.plugins.authoring.lab import LAB_JS, Labs, moves, open_labs, rules

SEARCH_JS = LAB_JS + "".join(
    Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("cells.js", "search.js")
)
CHUNK = 500
"""Played steps between two progress reports."""


@dataclass(frozen=True)
class SearchResult:
    """Result of a search."""

    game: str
    task: str
    steps: int
    """Length of the best solution found."""
    best_progress: float
    """The planning ceiling: best progress, in [0, 1]."""
    solution: Solution | None
    """None if the target was not reached."""
    best: Solution
    """The actions to the best progress, whether or not they solve the task."""
    expansions: int
    """Number of played steps."""


async def search(
    game: Game,
    task: Task,
    *,
    labs: Labs,
    seed: int = 42,
    expansions: int = 20_000,
    shorten: bool = True,
    on_progress: Callable[[int, float], None] = lambda *_: None,
) -> SearchResult:
    """Searches for a solution of a task.

    Args:
        labs: an open browser.
        seed: seed of the search.
        expansions: budget in played steps.
        shorten: shorten the solution afterwards.
        on_progress: called with the played steps and the best progress.

    Raises:
        GameError: the game violates its contract.
    """
    actions = moves(game)
    setup = {
        "seed": seed,
        "maxSteps": task.steps_allowed(),
        "task": rules(task),
        "actions": [a.events for a in actions],
    }
    lab = await labs.open(game, task.options)
    try:
        await lab.call(f"setup => {{ {SEARCH_JS}\nwindow.__search = makeSearch(gameAPI.lab, setup); }}", setup)
        now: dict[str, Any] = {"solved": False, "expansions": 0}
        while not now["solved"] and now["expansions"] < expansions:
            now = await lab.call("([n, limit]) => window.__search.run(n, limit)", [CHUNK, expansions])
            on_progress(now["expansions"], max(0.0, now["progress"]))
        way = now["steps"]
        if now["solved"] and shorten:
            way = await lab.call("n => window.__search.shorten(n)", max(4000, expansions // 4))
    finally:
        await lab.close()
    best = Solution(
        found="search", roles={r.name: tuple(actions[a].names[i] for a in way) for i, r in enumerate(game.roles)}
    )
    return SearchResult(
        game=game.id,
        task=task.id,
        steps=len(way),
        best_progress=max(0.0, now["progress"]),
        solution=best if now["solved"] else None,
        best=best,
        expansions=now["expansions"],
    )


async def search_tasks(
    game_word: str,
    task_words: Sequence[str],
    *,
    expansions: int = 20_000,
    seed: int = 42,
    write: bool = False,
    report: Callable[[str], None] = print,
) -> bool:
    """Searches tasks of one game, one after the other. Returns whether all were solved.

    `game_word`: a game id, or the path of a game folder. `task_words`: task ids, numbers from 1, or `all`. `write`:
    write solutions to its `solutions.json`. `report`: receives the results as lines of text. The other arguments are
    those of `search`.
    """
    folder = next((f for f in (Path(game_word), GAMES / "gameworld" / game_word) if (f / "game.yaml").is_file()), None)
    game = read_game(folder / "game.yaml") if folder else load_catalog().game(game_word)
    tasks = [t for n, t in enumerate(game.tasks, 1) if {"all", t.id, str(n)} & set(task_words)]
    if not tasks:
        raise UsageError(
            f"{game.id} has no task {' '.join(task_words)}; its tasks: {', '.join(t.id for t in game.tasks)}"
        )
    missed = 0
    async with open_labs() as labs:
        for task in tasks:
            show = partial(_show, task.id)
            found = await search(game, task, labs=labs, expansions=expansions, seed=seed, on_progress=show)
            missed += found.solution is None
            verdict = f"solved in {found.steps} steps" if found.solution else f"best {found.best_progress:.3f}"
            report(f"{task.id}: {verdict} ({found.expansions} steps played)")
            ways = (found.best.roles[r.name] for r in game.roles)
            report("   " + ",".join(map("+".join, zip(*ways, strict=True))))
            if write and found.solution:
                write_solutions(game, {**read_solutions(game), task.id: found.solution})
    return not missed


def _show(task: str, expansions: int, best: float) -> None:
    if sys.stderr.isatty():
        print(f"\r{task}: {expansions} steps played, best {best:.3f} ", end="", file=sys.stderr, flush=True)
