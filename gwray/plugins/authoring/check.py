"""Replays committed solutions, to prove that every task can be solved within its budget. A solution is played by the
`fixed` player in the sandbox, on the stepped clock, through the same episode loop as every scored run, but without
screenshots. Its budget is its own length."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from gwray.agents import ClientPool
from gwray.catalog import Game, Solution, Task, read_solutions
from gwray.environments import BrowserSource, Opening, open_environment
from gwray.errors import BrowserError, GwrayError
from gwray.pipelines import (
    EpisodeInputs,
    NodeRequirements,
    PlayedEpisode,
    Replies,
    code_hash,
    make_role_agents,
    play,
    rules_of,
)
from gwray.settings import AgentSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, TimingSpec
from gwray.verification import ReplayExecutor, replay_all

SEED = 42
"""Game seed of all solutions."""
Item = TypeVar("Item")
Found = TypeVar("Found")


@dataclass(frozen=True)
class CheckResult:
    """Result of replaying a solution."""

    game: str
    task: str
    verdict: Literal["solved", "not solved", "missing", "error"]
    steps: int = 0
    """Number of played steps, up to the target."""
    progress: float = 0.0
    found: str = ""
    """How the solution was found."""
    detail: str = ""
    state_chain: str = ""
    """Hash of the states after every step."""

    @property
    def ok(self) -> bool:
        return self.verdict == "solved"


async def check_solutions(
    games: Sequence[Game],
    *,
    tasks: Collection[str] | None = None,
    executor: ReplayExecutor | None = None,
    on_checked: Callable[[CheckResult], None] | None = None,
) -> list[CheckResult]:
    """Replays the solutions of games. Returns results in the order of the tasks. `tasks`: only these task ids.
    `executor`: where to replay; None: in this process. Games with `turns: free` are skipped: lists of actions by role
    do not say at which frames these begin."""
    lists = [g for g in games if g.turns == "together"]
    wanted = [(g, t) for g in lists for t in g.tasks if tasks is None or t.id in tasks]
    # Long solutions first, so that all lanes finish at about the same time.
    wanted_first = sorted(wanted, key=lambda pair: -_solution_length(*pair))
    found = await replay_all(GamesJob(tuple(games), _check_solution, _error), wanted_first, executor, on_checked)
    by_task = {one.task: one for one in found}
    return [by_task[t.id] for _, t in wanted]


@dataclass(frozen=True)
class GamesJob(Generic[Item, Found]):
    """Replay job that plays games. `play` and `failed` are functions of a module, so that the job can be pickled."""

    games: tuple[Game, ...]
    play: Callable[[BrowserSource, Item], Awaitable[Found]]
    failed: Callable[[Item, GwrayError], Found]
    """Returns the result of an item that could not be played."""

    @property
    def requirements(self) -> NodeRequirements:
        files = {g.id: g.files_hash for g in self.games}
        libraries = tuple(sorted({str(g.folder.parent) for g in self.games}))
        return NodeRequirements(code_hash(), libraries, files, rules_of(libraries, files))

    @asynccontextmanager
    async def opened(self, browser: BrowserSource) -> AsyncIterator[Callable[[Item], Awaitable[Found]]]:
        async def one(item: Item) -> Found:
            try:
                return await self.play(browser, item)
            except BrowserError:
                raise
            except GwrayError as e:
                return self.failed(item, e)

        yield one

    def on_browser_error(self, item: Item, error: BrowserError) -> Found:
        return self.failed(item, error)


def _error(item: tuple[Game, Task], error: GwrayError) -> CheckResult:
    game, task = item
    return CheckResult(game.id, task.id, "error", detail=str(error))


async def _check_solution(browser: BrowserSource, item: tuple[Game, Task]) -> CheckResult:
    """Replays the committed solution of a task."""
    game, task = item
    solution = read_solutions(game).get(task.id)
    if solution is None:
        return CheckResult(game.id, task.id, "missing", detail=f"{game.folder / 'solutions.json'} has no {task.id}")
    record = (await replay_solution(browser, game, task, solution)).record
    if record.success:
        return CheckResult(game.id, task.id, "solved", record.steps, 1.0, solution.found, "", record.state_chain)
    best = record.progress or 0.0
    detail = f"the best score was {record.score:g}, the target is {task.target_text}; resets: {record.resets}"
    return CheckResult(game.id, task.id, "not solved", record.steps, best, solution.found, detail)


async def replay_solution(browser: BrowserSource, game: Game, task: Task, solution: Solution) -> PlayedEpisode:
    """Plays a solution as an episode whose budget is the solution's length."""
    actions = {role: list(entries) for role, entries in solution.roles.items()}
    model = ModelSpec(name="solution", provider="fixed", options={"actions": actions})
    return await play_steps(browser, game, task, model, solution.steps)


async def play_steps(
    browser: BrowserSource, game: Game, task: Task, model: ModelSpec, max_steps: int, pictures: bool = False
) -> PlayedEpisode:
    """Plays an episode of a player that needs no image, for at most `max_steps` environment steps."""
    task = task.model_copy(update={"max_steps": max_steps, "max_decisions": None})
    # Solutions of a role that acts by programs are in its parametric controls.
    agent = AgentSpec(interface="parametric" if any(r.stepwise is not r for r in game.roles) else "semantic")
    observation = ObservationSpec(format="jpeg" if pictures else "none")
    spec = EpisodeSpec(
        key=f"{model.name}-{task.id}",
        cell_id="check",
        cell=CellSpec(model=model, agent=agent, timing=TimingSpec(), observation=observation),
        game=game.id,
        task=task.id,
        seed=SEED,
        repeat=0,
    )
    replies, pool = Replies([], lambda _: None), ClientPool()
    roles = make_role_agents(spec, game, task, replies, pool)
    environment = await open_environment(Opening.from_spec(spec, game, task, browser))
    try:
        return await play(EpisodeInputs(spec, game, task, environment, roles, replies))
    finally:
        await environment.close()


def _solution_length(game: Game, task: Task) -> int:
    """Returns the steps of a task's solution; 0 if there is none or it is invalid."""
    try:
        solution = read_solutions(game).get(task.id)
    except GwrayError:
        return 0
    return solution.steps if solution else 0
