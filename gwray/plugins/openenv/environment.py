"""The environment of one session, by the standard of OpenEnv: `reset`, `step` and `state`."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from typing import Any

from openenv.core.env_server.interfaces import Environment  # pyright: ignore[reportMissingImports]
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State  # pyright: ignore[reportMissingImports]
from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from gwray.agents import Image, OutsideInput, Part, build_request, resized
from gwray.errors import UsageError
from gwray.pipelines import Attempt
from gwray.plugins.openenv.arena import Arena
from gwray.records import EpisodeRecord, StepRecord, canonical


class GameAction(Action):
    """Either the text of a model's reply, or a control with its arguments."""

    text: str = Field(default="", description="A model's reply, read as in any run; it ends with a JSON object.")
    action: str = Field(default="", description="Name of a control, instead of a text.")
    arguments: dict[str, Any] = Field(default_factory=dict, description="Arguments of the control.")

    @model_validator(mode="after")
    def _one_form(self) -> GameAction:
        if bool(self.text) == bool(self.action):
            # A ValueError could not be sent: the server writes all details of an error as JSON.
            raise PydanticCustomError("one_form", "give either text, or action with its arguments")
        return self

    @property
    def reply(self) -> str:
        """The text that the agent's format reads."""
        return self.text or canonical({"action": self.action, "arguments": self.arguments})


class GameObservation(Observation):
    """What a model would be asked next, and what the last action did.

    `reward`: progress (0 to 1) that the action added; the rewards of an episode add up to its progress.
    """

    messages: list[dict[str, Any]] = Field(default_factory=list, description="The question, in chat form.")
    progress: float = Field(default=0.0, description="Progress of the episode so far, 0 to 1.")
    success: bool = Field(default=False, description="Whether the task is solved; known when done.")
    ended_by: str = Field(default="", description="Why the episode ended; budget: it was truncated.")
    problem: str = Field(default="", description="Why the last action was not played; it counts as a decision.")
    feedback: str = Field(default="", description="What the game answered to the last action.")


class GameState(State):
    """Where a session is. `step_count`: environment steps."""

    game: str
    task: str
    seed: int | None = None
    episode_key: str = ""
    run_dir: str
    playing: bool = False


class GameEnvironment(Environment[GameAction, GameObservation, GameState]):
    """Plays episodes of an arena, one after the other, in the browser of each.

    The same seed and actions give the same observations and rewards. An invalid control counts as a decision, as in
    runs. A `reset`, a `close` or a lost connection abandons the episode: it has no score and is listed as failed.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, arena: Arena):
        super().__init__()
        self._arena = arena
        self._attempt: Attempt | None = None
        self._asked = asyncio.Event()
        self._input = OutsideInput(self._asked.set)
        self._playing: asyncio.Task[EpisodeRecord] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._rows: list[StepRecord] = []
        self._paid, self._seen = 0.0, 0
        """Sum of the rewards, and rows that an observation has shown."""
        self._episode_id: str | None = None

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> GameObservation:
        raise UsageError("this environment is asynchronous: call reset_async, or use a client of OpenEnv")

    def step(self, action: GameAction, timeout_s: float | None = None, **_: Any) -> GameObservation:
        raise UsageError("this environment is asynchronous: call step_async, or use a client of OpenEnv")

    async def reset_async(self, seed: int | None = None, episode_id: str | None = None) -> GameObservation:
        """Starts an episode and returns its first question.

        Args:
            seed: of the game, not negative; None: the next seed of the run's settings.
            episode_id: the client's name of the episode, returned by `state`.

        Raises:
            GwrayError: the game does not start.
        """
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool) or seed < 0):
            raise UsageError(f"seed '{seed}' must be a whole number from 0 on, or be left out")
        await self._stop()
        self._loop = asyncio.get_running_loop()
        self._rows, self._paid, self._seen, self._episode_id = [], 0.0, 0, episode_id
        self._asked.clear()
        self._attempt, self._input = self._arena.begin(seed), OutsideInput(self._asked.set)
        self._playing = asyncio.create_task(self._play(self._attempt))
        return await self._observed()

    async def step_async(self, action: GameAction, timeout_s: float | None = None) -> GameObservation:
        """Plays one decision and returns the next question.

        Args:
            action: the reply.
            timeout_s: ignored; game time does not pass between steps.

        Raises:
            UsageError: no episode is running.
        """
        if self._playing is None or self._playing.done():
            raise UsageError("no episode is running, so nothing was played: call reset first (over the WebSocket)")
        self._asked.clear()
        self._input.answer(action.reply)
        return await self._observed()

    @property
    def state(self) -> GameState:
        episode = self._attempt.episode if self._attempt else None
        return GameState(
            episode_id=self._episode_id, step_count=self._rows[-1].step + 1 if self._rows else 0,
            game=self._arena.game.id, task=self._arena.task.id, seed=episode.seed if episode else None,
            episode_key=episode.key if episode else "", run_dir=self._arena.run_dir,
            playing=self._playing is not None and not self._playing.done(),
        )  # fmt: skip

    def get_metadata(self) -> EnvironmentMetadata:
        game, task = self._arena.game, self._arena.task
        return EnvironmentMetadata(name=f"gwray/{task.id}", description=f"{game.title}: {task.instruction.strip()}")

    def close(self) -> None:
        """Abandons the episode. The server calls it from another thread."""
        playing, loop = self._playing, self._loop
        if playing is not None and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(playing.cancel)

    async def _play(self, attempt: Attempt) -> EpisodeRecord:
        try:
            return await attempt.play({self._arena.role: self._input}, self._rows.extend, print)
        except asyncio.CancelledError:
            attempt.abandon()
            raise

    async def _stop(self) -> None:
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)

    async def _observed(self) -> GameObservation:
        """Waits for the next question or the end, and returns the observation. Raises what ended the play."""
        assert self._attempt is not None and self._playing is not None
        asked = asyncio.create_task(self._asked.wait())
        try:
            await asyncio.wait({asked, self._playing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            asked.cancel()
        new = [row for row in self._rows[self._seen :] if row.role == self._arena.role]
        self._seen = len(self._rows)
        record = self._playing.result() if self._playing.done() else None
        if record is not None and record.status != "finished":
            raise UsageError(f"the episode has no result: {record.error_message}; reset starts another one")
        progress = (record.progress if record else self._rows[-1].best_progress if self._rows else 0.0) or 0.0
        reward, self._paid = progress - self._paid, progress
        return GameObservation(
            messages=[] if record else self._messages(),
            done=record is not None,
            reward=reward if new or record else None,
            progress=progress,
            success=bool(record and record.success),
            ended_by=(record.ended_by or "") if record else "",
            problem="; ".join(r.reason for r in new if r.reason and r.action is None),
            feedback="; ".join(r.feedback for r in new if r.feedback),
        )

    def _messages(self) -> list[dict[str, Any]]:
        """Returns the open question in the form of chat completions."""
        assert self._attempt is not None and self._input.open is not None
        episode, prompt = self._attempt.episode, self._input.open.prompt
        player = episode.cell.player(self._arena.role)
        request = build_request(prompt, player.model, player.agent.interface, episode.key, self._arena.role)
        parts: Sequence[Part] = [part for turn in request.turns for part in turn.parts]
        return [{"role": "system", "content": prompt.system}, {"role": "user", "content": [*map(_part, parts)]}]


def _part(part: Part) -> dict[str, Any]:
    if not isinstance(part, Image):
        return {"type": "text", "text": part.text}
    data = base64.b64encode(resized(part.data, part.mime, part.size)).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{part.mime};base64,{data}"}}
