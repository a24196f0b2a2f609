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

from gwray.agents import ClientPool
from gwray.catalog import Game, Solution, Task, read_solutions
from gwray.environments import BrowserSource, Opening, open_environment
from gwray.errors import BrowserError, GwrayError
from gwray.pipelines import PlayedEpisode, Replies, play, seat_players
from gwray.sandbox import BrowserOnDemand
from gwray.spec import AgentSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, TimingSpec

SEED = 42
"""Solutions are for the published seed."""


@dataclass(frozen=True)
class CheckResult:
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
    state_chain: str = ""
    """Hash over the states after every step: what the solution made of the game."""

    @property
    def ok(self) -> bool:
        return self.verdict == "solved"


async def check_solutions(
    games: Sequence[Game],
    *,
    tasks: Collection[str] | None = None,
    lanes: int = 2,
    on_checked: Callable[[CheckResult], None] | None = None,
) -> list[CheckResult]:
    """Replay the solutions of these games (of these task ids only), `lanes` at a time, in the order of the tasks."""
    wanted = [(g, t) for g in games for t in g.tasks if tasks is None or t.id in tasks]
    out: dict[str, CheckResult] = {}
    # The long ones first, so that no lane is left with one at the end.
    queue = sorted(wanted, key=lambda pair: _length(*pair))
    async with BrowserOnDemand() as browser:

        async def lane() -> None:
            while queue:
                game, task = queue.pop()
                out[task.id] = done = await _check(browser, game, task)
                if on_checked:
                    on_checked(done)

        await asyncio.gather(*(lane() for _ in range(max(1, lanes))))
    return [out[t.id] for _, t in wanted]


async def _check(browser: BrowserSource, game: Game, task: Task) -> CheckResult:
    try:
        solution = read_solutions(game).get(task.id)
        if solution is None:
            return CheckResult(game.id, task.id, "missing", detail=f"{game.folder / 'solutions.json'} has no {task.id}")
        record = (await replay_solution(browser, game, task, solution)).record
    except BrowserError:
        raise
    except GwrayError as e:
        return CheckResult(game.id, task.id, "error", detail=str(e))
    if record.success:
        return CheckResult(game.id, task.id, "solved", record.steps, 1.0, solution.found, "", record.state_chain)
    best = record.progress or 0.0
    detail = f"the best score was {record.score:g}, the target is {task.aim}; resets: {record.resets}"
    return CheckResult(game.id, task.id, "not solved", record.steps, best, solution.found, detail)


async def replay_solution(browser: BrowserSource, game: Game, task: Task, solution: Solution) -> PlayedEpisode:
    """Play a solution as an episode whose budget is the solution's length."""
    task = task.model_copy(update={"max_steps": solution.steps, "max_decisions": None})
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
    replies, pool = Replies([], lambda _: None), ClientPool()
    players = seat_players(spec, game, task, replies, pool)
    world = await open_environment(Opening.of(spec, game, task, browser))
    try:
        return await play(spec, game, task, world, players.agents, players.asks, replies)
    finally:
        await world.close()


def _length(game: Game, task: Task) -> int:
    try:
        solution = read_solutions(game).get(task.id)
    except GwrayError:
        return 0
    return solution.steps if solution else 0
