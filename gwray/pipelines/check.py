"""Replays committed solutions through the real path: the proof that every task can be solved within its budget.

Nothing is searched and nothing is written. A solution plays as the `fixed` player, in the sandbox, on the stepped
clock, through the same episode loop as every scored run; only pictures are left out. Its budget is its own length,
so a solution that needs luck after its last entry does not count.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from gwray.agents import make_agent
from gwray.catalog.game import Game, Task
from gwray.catalog.solutions import Solution, read_solutions
from gwray.errors import BrowserError, GwrayError
from gwray.pipelines.episode import Played, Replies, play
from gwray.pipelines.worker import open_lane, seat
from gwray.sandbox import Browser
from gwray.spec import AgentSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, TimingSpec

SEED = 42
"""Solutions are for the published seed."""


@dataclass(frozen=True)
class Checked:
    """What replaying one solution came to."""

    game: str
    task: str
    verdict: Literal["solved", "not solved", "missing", "error"]
    steps: int = 0
    """Steps after which the target was reached, or steps played."""
    progress: float = 0.0
    found: str = ""
    """How the solution was found."""
    detail: str = ""

    @property
    def ok(self) -> bool:
        return self.verdict == "solved"


async def check_solutions(
    games: Sequence[Game],
    *,
    tasks: Collection[str] | None = None,
    lanes: int = 2,
    on_checked: Callable[[Checked], None] | None = None,
) -> list[Checked]:
    """Replay the solutions of these games (of these task ids only), `lanes` at a time, in the order of the tasks."""
    wanted = [(g, t) for g in games for t in g.tasks if tasks is None or t.id in tasks]
    out: dict[str, Checked] = {}
    # The long ones first, so that no lane is left with one at the end.
    queue = sorted(wanted, key=lambda pair: _length(*pair))
    browser = await Browser.launch()

    async def lane() -> None:
        while queue:
            game, task = queue.pop()
            out[task.id] = done = await _check(browser, game, task)
            if on_checked:
                on_checked(done)

    try:
        await asyncio.gather(*(lane() for _ in range(max(1, lanes))))
    finally:
        await browser.close()
    return [out[t.id] for _, t in wanted]


async def _check(browser: Browser, game: Game, task: Task) -> Checked:
    try:
        solution = read_solutions(game).get(task.id)
        if solution is None:
            return Checked(game.id, task.id, "missing", detail=f"{game.folder / 'solutions.json'} has no {task.id}")
        record = (await replay_solution(browser, game, task, solution)).record
    except BrowserError:
        raise
    except GwrayError as e:
        return Checked(game.id, task.id, "error", detail=str(e))
    if record.success:
        return Checked(game.id, task.id, "solved", record.steps, 1.0, solution.found)
    best = record.progress or 0.0
    detail = f"the best score was {record.score:g}, the target is {task.target:g}; resets: {record.resets}"
    return Checked(game.id, task.id, "not solved", record.steps, best, solution.found, detail)


async def replay_solution(browser: Browser, game: Game, task: Task, solution: Solution) -> Played:
    """Play a solution as an episode whose budget is the solution's length."""
    task = task.model_copy(update={"max_steps": solution.steps})
    actions = {role: list(entries) for role, entries in solution.roles.items()}
    spec = EpisodeSpec(
        key=f"solution-{task.id}",
        cell_id="solutions",
        cell=CellSpec(
            model=ModelSpec(name="solution", provider="fixed", options={"actions": actions}),
            agent=AgentSpec(),
            timing=TimingSpec(),
            observation=ObservationSpec(format="none"),
        ),
        game=game.id,
        task=task.id,
        seed=SEED,
        repeat=0,
    )
    agents = {r.name: make_agent(spec.cell.model, spec.cell.agent, seat(spec, game, task, r.name)) for r in game.roles}
    lane = await open_lane(browser, spec, game, task)
    try:
        return await play(spec, game, task, lane, agents, Replies([], lambda _: None), browser=browser.version)
    finally:
        await lane.close()


def _length(game: Game, task: Task) -> int:
    try:
        solution = read_solutions(game).get(task.id)
    except GwrayError:
        return 0
    return solution.steps if solution else 0
