"""Rebuilds the requests of recorded episodes by replay: one sample per question that an agent asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from gwray.agents import (
    Agent,
    Ask,
    ClientPool,
    Decision,
    Image,
    Observation,
    Prompt,
    Responder,
    RoleContext,
    Situation,
    build_request,
    make_responder,
    resized,
)
from gwray.catalog import Game, load_catalog, read_model
from gwray.environments import BrowserSource, Environment, Opening, open_environment
from gwray.errors import BrowserError, GwrayError, UsageError
from gwray.pipelines import EpisodeInputs, NodeRequirements, Replies, RoleAgents, make_role_agents, play
from gwray.records import Reply, canonical
from gwray.settings import EpisodeSpec
from gwray.store import RunDir
from gwray.verification import run_requirements

Label = Literal["player", "expert"]
"""Whose answer a sample teaches: the recorded reply, or the reply of the game's scripted player in the same state."""


@dataclass(frozen=True)
class Sample:
    """One question of one module, and the answer to learn.

    Attributes:
        system: system prompt.
        parts: user message in order; a text, or an image as the model got it.
        state: JSON of the game's state when the question was asked.
        answer: text of the reply.
        words_hash: hash of the question in the reply log; the replay compared it.
        score: progress of the episode (0 to 1).
    """

    run: str
    episode: str
    game: str
    task: str
    scenario: str
    seed: int
    decision: int
    role: str
    module: str
    system: str
    parts: tuple[str | bytes, ...] = field(repr=False)
    state: str = field(repr=False)
    answer: str
    words_hash: str
    score: float
    paraphrase: int = 0
    """Number of the system prompt's paraphrase; 0: the original."""


class RecordingAgent:
    """Passes an agent's questions on and adds each one, with its answer, to `samples`."""

    def __init__(self, agent: Agent, record: Callable[[Prompt, str, Reply, Situation], Awaitable[None]],
                 environment: Environment):  # fmt: skip
        self._agent, self._record, self._environment = agent, record, environment

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        state = (await self._environment.read()).state

        async def recorded(*prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
            replies = await ask(*prompts, by=by)
            for prompt, reply in zip(prompts, replies, strict=True):
                await self._record(prompt, by, reply, Situation(observation, state))
            return replies

        return await self._agent.act(observation, recorded)


async def rebuild(run: RunDir, spec: EpisodeSpec, game: Game, browser: BrowserSource, label: Label) -> list[Sample]:
    """Replays an episode from its log, without a model, and returns one sample per question.

    The replay compares each question with its hash in the log; the chain of all states is compared at the end.

    Args:
        label: whose answers; `expert` replaces the answers of questions that ask for an action.

    Raises:
        ReplayMismatch, LogEnded: the log does not fit the game, a prompt or the agent.
        UsageError: the replay ends in another state, or a reply has native tool calls.
    """
    task = game.task_of(spec)
    recorded = run.read_meta(spec.key).record
    replies, pool, samples = Replies(await asyncio.to_thread(run.log(spec.key).read), None), ClientPool(), []
    made = make_role_agents(spec, game, task, replies, pool, trusted=())
    environment = await open_environment(Opening.from_spec(spec, game, task, browser), trusted=())

    def recorder(role: str) -> RecordingAgent:
        player = spec.cell.player(role)
        context = RoleContext(game, game.role(role), task, spec.seed, spec.repeat, spec.key, spec.action)
        expert: Responder | None = None
        if label == "expert":
            scripted = read_model("scripted").model_copy(update={"semantic_format": player.model.semantic_format})
            expert = make_responder(scripted, player.agent, context, pool)

        async def record(prompt: Prompt, by: str, reply: Reply, situation: Situation) -> None:
            request = build_request(prompt, player.model_for(by), player.agent.interface, spec.key, role)
            if expert is not None and prompt.neutral is None:  # the question asks for an action
                reply = await expert.answer(request, prompt, situation)
            if reply.tool_calls:
                raise UsageError(
                    f"decision {situation.decision} of {spec.key} is answered by a native tool call, which a dataset "
                    "cannot hold; play with model.semantic_format=json or sections"
                )
            shown = [p for turn in request.turns for p in turn.parts]
            parts = [resized(p.data, p.mime, p.size) if isinstance(p, Image) else p.text for p in shown]
            samples.append(
                Sample(
                    run.id, spec.key, spec.game, spec.task, task.scenario or "", spec.seed, situation.decision, role,
                    prompt.module, prompt.system, tuple(parts), canonical(situation.state), reply.text,
                    request.words_hash, recorded.progress or 0.0,
                )
            )  # fmt: skip

        return RecordingAgent(made.agents[role], record, environment)

    roles = RoleAgents({name: recorder(name) for name in made.agents}, made.asks)
    prefix = await asyncio.to_thread(run.read_prefix, spec.prefix) if spec.prefix else ()
    try:
        played = await play(EpisodeInputs(spec, game, task, environment, roles, replies, (), prefix))
    finally:
        await environment.close()
        await pool.close()
    if played.record.state_chain != recorded.state_chain:
        raise UsageError(f"the replay of {spec.key} ends in other states than recorded; run gwray verify to see where")
    return samples


@dataclass(frozen=True)
class DatasetJob:
    """Rebuilds episodes of the run at a URL; implements `gwray.verification.ReplayJob`."""

    url: str
    label: Label
    libraries: tuple[str, ...] = ()

    @property
    def requirements(self) -> NodeRequirements:
        return run_requirements(self.url, self.libraries)

    @asynccontextmanager
    async def opened(self, browser: BrowserSource) -> AsyncIterator[Callable[[EpisodeSpec], Awaitable[list[Sample]]]]:
        run, library = RunDir.open(self.url), load_catalog(self.libraries)

        async def one(spec: EpisodeSpec) -> list[Sample]:
            try:
                return await rebuild(run, spec, library.game(spec.game), browser, self.label)
            except BrowserError:
                raise
            except GwrayError as e:
                raise self._refusal(spec, e) from e

        yield one

    def on_browser_error(self, item: EpisodeSpec, error: BrowserError) -> list[Sample]:
        raise self._refusal(item, error) from error

    def _refusal(self, spec: EpisodeSpec, error: GwrayError) -> UsageError:
        reason = f"{type(error).__name__}: {error}"
        return UsageError(f"episode {spec.key} of {self.url} does not replay, so it cannot be learned: {reason}")


def message_lists(sample: Sample, images: bool) -> dict[str, list[dict[str, Any]]]:
    """Returns the sample as `prompt` and `completion` in TRL's chat form. `images`: content is a list of parts, as for
    vision models; otherwise a text, joined as vLLM joins the parts of a request."""

    def content(*parts: str | bytes) -> Any:
        if not images:
            return "\n".join(p for p in parts if isinstance(p, str))
        return [{"type": "image", "text": None} if isinstance(p, bytes) else {"type": "text", "text": p} for p in parts]

    system = [{"role": "system", "content": content(sample.system)}] if sample.system else []
    return {
        "prompt": [*system, {"role": "user", "content": content(*sample.parts)}],
        "completion": [{"role": "assistant", "content": content(sample.answer)}],
    }


def replay_order(samples: Sequence[Sample]) -> list[Sample]:
    """Returns samples sorted by episode, decision, role and module, whatever order replays ended in."""
    return sorted(samples, key=lambda s: (s.run, s.episode, s.decision, s.role))
