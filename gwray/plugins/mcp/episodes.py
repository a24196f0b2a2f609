"""Plays the episodes of a plan, one after the other, in which an MCP client chooses the actions. The usual worker plays
and stores them, so a run of an MCP client resumes, verifies and is shown like any other."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from gwray.agents import AgentContext, OpenQuestion, OutsideInput, RoleContext
from gwray.catalog import Game, Task
from gwray.errors import UsageError
from gwray.pipelines import Attempt, make_plan, next_attempt
from gwray.plugins.mcp.tools import Progress
from gwray.records import EpisodeRecord, StepRecord
from gwray.settings import EpisodeSpec, RunSpec
from gwray.store import RunDir

WAIT_S = 50.0
"""Longest wait of one call for another role, in seconds: most clients give up after a minute."""
PROGRESS_S = 5.0
"""Seconds between two reports of progress while a call waits."""
SETTLE_S = 0.05
"""Seconds after which all roles that are asked about the same instant have been asked."""


class GameSession:
    """The episode that the client of a server plays, and the next ones.

    Args:
        job: game, task and settings; its model plays the roles of the client.
        say: receives notices.

    Raises:
        UsageError: the settings cannot work, or are those of several games or agents.
    """

    def __init__(self, job: RunSpec, say: Callable[[str], None] = print):
        plan = make_plan([job])
        # A longer plan has another name; its episodes belong to the same run.
        self._job = plan.jobs[0].model_copy(update={"name": plan.name, "run_dir": plan.run_dir})
        self._say = say
        first = next(iter(plan.episodes))
        if len({episode.game for episode in plan.episodes}) > 1:
            raise UsageError("gwray mcp game plays one game; name one, such as 01_2048")
        if (agent := first.cell.agent.code) != "direct":
            raise UsageError(
                f"agent={agent}: the client of gwray mcp game is the agent. Leave agent out; gwray mcp agent offers "
                "the modules of gwray's agents."
            )
        self.game: Game = plan.library.game(first.game)
        players = {role.name: first.cell.player(role.name).model for role in self.game.roles}
        self.roles = tuple(name for name, m in players.items() if m.provider == "mcp")
        """Roles that the client plays."""
        if not self.roles:
            raise UsageError("no role is left for the client: omit model and at least one of roles")
        self.context = {role: self._context(first, role) for role in self.roles}
        """The first episode as each role's agent sees it."""
        self.run_dir = RunDir(plan.run_dir).url
        self.episode: EpisodeSpec | None = None
        self.record: EpisodeRecord | None = None
        """Result of the episode; None while it is played."""
        self.steps = 0
        """Environment steps of the episode so far."""
        self._abandoned: set[str] = set()
        self._inputs: dict[str, OutsideInput] = {}
        self._playing: asyncio.Task[EpisodeRecord] | None = None
        self._waiting: list[asyncio.Future[None]] = []
        self._beginning = asyncio.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Locks the run directory during the block. An episode that is played at its end can be resumed."""
        with RunDir(self.run_dir).lock():
            try:
                yield
            finally:
                await self._stop()

    @property
    def playing(self) -> bool:
        """Whether an episode is being played."""
        return self._playing is not None and not self._playing.done()

    @property
    def task(self) -> Task:
        """The task of the episode."""
        assert self.episode is not None
        return self.game.task_of(self.episode)

    def open(self, role: str) -> OpenQuestion | None:
        """Returns the question that waits for a client's reply."""
        return self._inputs[role].open if role in self._inputs else None

    def open_roles(self) -> tuple[str, ...]:
        """Returns the roles whose reply is awaited."""
        return tuple(role for role in self.roles if self.open(role))

    async def begin(self, *, abandon: bool = False) -> None:
        """Begins the next episode: the first planned one without a result, or one more repeat.

        Args:
            abandon: end an episode that is being played. It has no score, is listed as failed, and can be resumed by a
                later server.

        Raises:
            UsageError: an episode is being played, and `abandon` is not set.
        """
        async with self._beginning:
            if self.playing:
                assert self.episode is not None
                if not abandon:
                    raise UsageError(
                        f"episode {self.episode.key} is being played ({self.steps} steps). Play it to its end: a "
                        "failed attempt restarts by itself. reset with abandon=true gives it up without a score."
                    )
                await self._stop()
                self._abandoned.add(self.episode.key)
                self._attempt.abandon()
            self._begin_next()

    async def ensure_begun(self) -> None:
        """Begins the first episode unless one has begun."""
        async with self._beginning:
            if self.episode is None:
                self._begin_next()

    def answer(self, role: str, text: str, calls: Sequence[tuple[str, object]], decision: int | None = None) -> None:
        """Submits a role's reply.

        Args:
            text: its text.
            calls: its actions, as name and arguments.
            decision: number of the decision that it is for; None: the open one.

        Raises:
            UsageError: no reply of the role is awaited, or for another decision.
        """
        question = self.open(role)
        if not self.playing:
            raise UsageError("no episode is being played: reset begins one")
        if question is None:
            others = ", ".join(self.open_roles())
            raise UsageError(f"role {role} has acted" + (f"; waiting for {others}" if others else ": observe first"))
        if decision is not None and decision != question.situation.decision:
            raise UsageError(
                f"decision {decision} is not open, so nothing was played; the open one is {question.situation.decision}"
            )
        self._inputs[role].answer(text, calls)

    async def wait(self, role: str, progress: Progress) -> None:
        """Waits until the role's reply is awaited, the episode has ended, or only other roles of the client are
        awaited, for `WAIT_S` at most."""
        end = time.monotonic() + WAIT_S
        while self.playing and self.open(role) is None and time.monotonic() < end:
            if self.open_roles():
                await asyncio.sleep(SETTLE_S)
                if self.open_roles():
                    return
                continue
            changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(changed)  # before the next await: what changes meanwhile must be noticed
            await progress(float(self.steps), None, f"{self.steps} steps played")
            await asyncio.wait({changed}, timeout=PROGRESS_S)

    def check_played(self) -> None:
        """Raises the error with which playing the episode ended, such as a full disk."""
        if self._playing is not None and self._playing.done() and not self._playing.cancelled():
            error = self._playing.exception()
            if error is not None:
                raise error

    def _context(self, episode: EpisodeSpec, role: str) -> AgentContext:
        game, task = self.game, self.game.task_of(episode)
        facts = RoleContext(game, game.role(role), task, episode.seed, episode.repeat, episode.key, episode.action)
        return AgentContext(facts, episode.cell.player(role))

    def _begin_next(self) -> None:
        self._attempt = Attempt.begin(*next_attempt(self._job, self._abandoned))
        self.episode, self.record, self.steps = self._attempt.episode, None, 0
        self._inputs = {role: OutsideInput(self._notify) for role in self.roles}
        self._playing = asyncio.create_task(self._play(self._attempt))
        self._playing.add_done_callback(lambda _: self._notify())

    async def _play(self, attempt: Attempt) -> EpisodeRecord:
        self.record = await attempt.play(self._inputs, self._on_rows, self._say)
        return self.record

    def _on_rows(self, rows: Sequence[StepRecord]) -> None:
        self.steps = rows[-1].step + 1
        self._notify()

    def _notify(self) -> None:
        waiting, self._waiting = self._waiting, []
        for changed in waiting:
            if not changed.done():
                changed.set_result(None)

    async def _stop(self) -> None:
        """Stops playing; the reply log keeps every reply."""
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
