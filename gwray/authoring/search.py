"""Searches for solutions of tasks over semantic actions; the best progress is the task's planning ceiling.

The search runs inside the game's page (`search.js`), on the kit's snapshots; this module sets it up, runs it in chunks
and saves the result. It is deterministic: its budget is counted in played steps, so the same game files, task and seed
give the same solution on every machine. It reads the state, which models cannot. Tasks that are played by typing cannot
be searched.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gwray.authoring.lab import LAB_JS, Labs, Move, moves, open_labs, rules
from gwray.catalog import Game, Solution, Task, load_catalog, read_game, read_solutions, write_solutions
from gwray.errors import UsageError
from gwray.places import GAMES

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
    seed: int = 42,
    expansions: int = 20_000,
    beam: bool = False,
    width: int | None = None,
    shorten: bool = True,
    only: Sequence[str] = (),
    start: Sequence[Sequence[str]] = (),
    hint: str = "",
    cell: str = "",
    game_seed: int = 42,
    labs: Labs | None = None,
    on_progress: Callable[[int, float], bool | None] | None = None,
) -> SearchResult:
    """Searches for a solution of a task.

    Args:
        seed: seed of the search.
        expansions: budget in played steps.
        beam: use beam search (every action from the best states of each step) instead of exploration.
        width: number of states per step of the beam search; default: what the budget allows.
        shorten: shorten the solution afterwards.
        only: ids of the controls to use; empty: all.
        start: action lists to start from, such as `["move_left", "jump"]` (several roles: `"a+b"`).
        hint: JavaScript function of `getState()` that returns a number; larger is closer to the goal.
        cell: JavaScript function of `getState()`; states with equal results are one cell.
        game_seed: seed of the game.
        labs: an open browser; default: a new one.
        on_progress: called with the played steps and the best progress; it can return True to stop the search.

    Raises:
        GameError: the game violates its contract.
    """
    if labs is None:
        async with open_labs() as own:
            return await search(
                game, task, seed=seed, expansions=expansions, beam=beam, width=width, shorten=shorten, only=only,
                start=start, hint=hint, cell=cell, game_seed=game_seed, labs=own, on_progress=on_progress,
            )  # fmt: skip
    actions = moves(game, only)
    setup = {
        "seed": seed,
        "maxSteps": task.steps_allowed(),
        "mode": "beam" if beam else "explore",
        "width": width or max(1, expansions // (task.steps_allowed() * len(actions))),
        "task": rules(task),
        "actions": [{"names": a.names, "events": a.events} for a in actions],
        "warm": [_action_indices(entries, actions) for entries in start],
    }
    lab = await labs.open(game, task.options, game_seed)
    try:
        own = ", ".join(f"{name}: ({code})" for name, code in (("hint", hint), ("cell", cell)) if code)
        make = f"window.__search = makeSearch(gameAPI.lab, setup, {{{own}}});"
        await lab.call(f"setup => {{ {SEARCH_JS}\n{make} }}", setup)
        while True:
            now = await lab.call("([n, limit]) => window.__search.run(n, limit)", [CHUNK, expansions])
            stop = on_progress(now["expansions"], max(0.0, now["progress"])) if on_progress else None
            if now["solved"] or stop or not now["alive"] or now["expansions"] >= expansions:
                break
        way = now["steps"]
        if now["solved"] and shorten:
            way = await lab.call("n => window.__search.shorten(n)", max(4000, expansions // 4))
    finally:
        await lab.close()
    best = Solution(
        found="search",
        roles={r.name: tuple(actions[a].names[i] for a in way) for i, r in enumerate(game.roles)},
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


def _action_indices(entries: Sequence[str], actions: Sequence[Move]) -> list[int]:
    """Returns the indices of `entries` among `actions`. Raises `UsageError` for an unknown entry."""
    known = {"+".join(a.names): i for i, a in enumerate(actions)}
    for entry in entries:
        if entry not in known:
            raise UsageError(f"'{entry}' in `start` is not an action; allowed: {', '.join(list(known)[:40])}")
    return [known[entry] for entry in entries]


def _joint(solution: Solution, game: Game) -> list[str]:
    return ["+".join(entries) for entries in zip(*(solution.roles[r.name] for r in game.roles), strict=True)]


async def search_tasks(
    game_word: str,
    task_words: Sequence[str],
    *,
    expansions: int = 20_000,
    seed: int = 42,
    beam: bool = False,
    width: int | None = None,
    only: Sequence[str] = (),
    hint: str = "",
    cell: str = "",
    start: Sequence[str] = (),
    warm: bool = False,
    write: bool = False,
    report: Callable[[str], None] = print,
) -> bool:
    """Searches tasks of one game, one after the other. Returns whether all were solved.

    `game_word`: a game id, or the path of a game folder. `task_words`: task ids, numbers from 1, or `all`. `start`:
    actions to start from; `warm`: also start from the game's committed solutions. `write`: write solutions to its
    `solutions.json`. `report`: receives the results as lines of text. The other arguments are those of `search`.
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
            starts = [list(start)] if start else []
            if warm:
                same = [t.id for t in game.tasks if t.options == task.options]
                starts += [_joint(s, game) for t, s in read_solutions(game).items() if t in same]
            found = await search(
                game, task, seed=seed, expansions=expansions, beam=beam, width=width, only=only, start=starts,
                hint=hint, cell=cell, labs=labs, on_progress=lambda n, best, t=task.id: _show(t, n, best),
            )  # fmt: skip
            missed += found.solution is None
            verdict = f"solved in {found.steps} steps" if found.solution else f"best {found.best_progress:.3f}"
            report(f"{task.id}: {verdict} ({found.expansions} steps played)")
            report("   " + ",".join(_joint(found.best, game)))
            if write and found.solution:
                write_solutions(game, {**read_solutions(game), task.id: found.solution})
    return not missed


def _show(task: str, expansions: int, best: float) -> None:
    if sys.stderr.isatty():
        print(f"\r{task}: {expansions} steps played, best {best:.3f} ", end="", file=sys.stderr, flush=True)
