"""The episode loop: observe → reply → action → hold → read state → evaluate, until it ends.

`play` is a pure function of the game files, the task, the seed and the replies: the same code plays for the first
time, goes on after a kill (the replies in the log are used before any new one is asked for) and verifies (there is
no one to ask). It knows nothing of Ray, Hydra, files or providers.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

from gwray.actions import Event, events, merge
from gwray.agents.base import Agent, Decision, Observation, Prompt
from gwray.catalog.game import Game, Task
from gwray.errors import GameError, GwrayError
from gwray.evaluation import Standing, Verdict, judge, reached, score
from gwray.pipelines.latency import Latency, parse_latency
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord, canonical, digest
from gwray.sandbox import Diagnostics, Frame, Reading
from gwray.spec import EpisodeSpec


class Stage(Protocol):
    """What the loop needs of a lane."""

    async def observe(self) -> Frame: ...
    async def read(self) -> Reading: ...
    async def advance(self, ms: float) -> None: ...
    async def step(self, events: list[Event], *, observe: bool) -> tuple[Reading, Frame | None]: ...
    async def reset(self, seed: int) -> None: ...
    def diagnostics(self) -> Diagnostics: ...


class LogEnded(GwrayError):
    """A replay needs a reply that the log does not have. `steps`: what was played until then."""

    steps: Sequence[StepRecord] = ()


class Replies:
    """The replies of one episode: first those already logged, then (if anybody may be asked) new ones.

    A new reply is handed to `append` the moment it arrives, before anything is done with it. `at_their_pace`: a logged
    reply takes as long as it took, for a game whose clock cannot be stopped.
    """

    def __init__(
        self, logged: list[LoggedReply], append: Callable[[LoggedReply], None] | None, *, at_their_pace: bool = False
    ):
        self._logged = {(line.step, line.role): line for line in logged}
        self._append = append
        self._at_their_pace = at_their_pace
        self.caveats: list[str] = []
        self.replayed = 0

    async def get(self, step: int, role: str, agent: Agent, prompt: Prompt) -> Reply:
        line = self._logged.get((step, role))
        if line is not None:
            self.replayed += 1
            if line.request_hash != prompt.request_hash and not self.caveats:
                self.caveats.append(f"the request of step {step} ({role}) is not the one that was answered")
            if self._at_their_pace:
                await asyncio.sleep(line.reply.latency_ms / 1e3)
            return line.reply
        if self._append is None:
            raise LogEnded(f"the reply log has no reply of '{role}' for step {step}")
        reply = await agent.ask(prompt)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = LoggedReply(step=step, role=role, request_hash=prompt.request_hash, reply=reply, at=now)
        await asyncio.to_thread(self._append, line)
        return reply


@dataclass(frozen=True)
class Turn:
    """One role's decision in one step."""

    role: str
    prompt: Prompt
    reply: Reply
    decision: Decision
    charged_ms: float


@dataclass
class Played:
    """A whole episode, as the store wants it."""

    record: EpisodeRecord
    steps: list[StepRecord]
    final_frame: Frame | None
    console: tuple[str, ...] = ()
    prompts: dict[str, str] = field(default_factory=dict)


Watch = Callable[[int, float, Frame | None], None]


async def play(
    spec: EpisodeSpec,
    game: Game,
    task: Task,
    stage: Stage,
    agents: Mapping[str, Agent],
    replies: Replies,
    *,
    browser: str = "",
    watch: Watch | None = None,
) -> Played:
    """Play one episode to its end. `stage` is a lane with the game ready at its initial state.

    `watch(step, best progress, frame)` is called after every step. Raises the errors of the rooms it calls; what a
    model says is never an error.
    """
    began = time.monotonic()
    latency = parse_latency(spec.cell.timing)
    pictures = spec.cell.observation.format != "none"
    standing, rows, attempt, verdict = Standing(), [], 0, None
    reading = await stage.read()
    _refuse_finished(reading, task)
    frame = await stage.observe() if pictures else None
    for step in range(task.max_steps):
        try:
            turns = await _decide(_observation(step, frame, game), reading, agents, replies, latency, spec)
        except LogEnded as e:
            e.steps = rows
            raise
        charged = max(turn.charged_ms for turn in turns)
        if charged:
            await stage.advance(charged)
        timeline = _timeline(turns, game, spec.cell.observation.hold_scale)
        reading, after = await stage.step(timeline, observe=pictures)
        verdict, standing = judge(reading.state, task, task.max_steps - step - 1, standing)
        rows += _rows(step, attempt, turns, frame, reading, verdict, standing)
        if watch:
            watch(step, standing.best, after)
        if verdict.then == "end":
            frame = after
            break
        if verdict.then == "reset":
            attempt += 1
            await stage.reset(spec.seed)
            reading = await stage.read()
            after = await stage.observe() if pictures else None
        frame = after
    assert verdict is not None
    seen = stage.diagnostics()
    record = _record(spec, game, agents, rows, standing, verdict, seen, replies)
    wall = {"wall_s": round(time.monotonic() - began, 3), "browser": browser}
    record = record.model_copy(update={**wall, "finished_at": datetime.now(UTC).isoformat(timespec="seconds")})
    prompts = {role: a.instructions for role, a in agents.items() if a.instructions}
    return Played(record, rows, frame, seen.console, prompts)


def _refuse_finished(reading: Reading, task: Task) -> None:
    if reached(score(reading.state, task), task):
        raise GameError(f"task {task.id} is already solved at its start: target {task.target:g} is reached")


def _observation(step: int, frame: Frame | None, game: Game) -> Observation:
    width, height = (frame.width, frame.height) if frame else game.viewport
    return Observation(
        step=step,
        image=frame.data if frame else b"",
        mime=frame.mime if frame else "",
        width=width,
        height=height,
    )


async def _decide(
    seen: Observation,
    reading: Reading,
    agents: Mapping[str, Agent],
    replies: Replies,
    latency: Latency,
    spec: EpisodeSpec,
) -> list[Turn]:
    """All roles decide concurrently on the same frame. A reply that has arrived is logged even if another fails."""

    async def turn(role: str, agent: Agent) -> Turn:
        mine = replace(seen, state=reading.state) if agent.sees_state else seen
        prompt = agent.prepare(mine)
        reply = await replies.get(seen.step, role, agent, prompt)
        decision = agent.interpret(reply, mine)
        agent.remember(mine, reply, decision)
        where = {"task": spec.task, "seed": spec.seed, "repeat": spec.repeat, "step": seen.step, "role": role}
        return Turn(role, prompt, reply, decision, latency.charge(reply, **where))

    done = await asyncio.gather(*(turn(r, a) for r, a in agents.items()), return_exceptions=True)
    turns: list[Turn] = []
    for outcome in done:
        if isinstance(outcome, BaseException):
            raise outcome
        turns.append(outcome)
    return turns


def _timeline(turns: list[Turn], game: Game, hold_scale: float) -> list[Event]:
    """All valid actions over the same frames; an invalid one does nothing."""
    lines = [
        events(turn.decision.action, game.role(turn.role).hold_ms)
        for turn in turns
        if turn.decision.validity == "valid" and turn.decision.action is not None
    ]
    merged = merge(lines)
    if hold_scale == 1.0:
        return merged
    return [e.model_copy(update={"at_ms": e.at_ms * hold_scale}) for e in merged]


def _rows(
    step: int,
    attempt: int,
    turns: list[Turn],
    frame: Frame | None,
    reading: Reading,
    verdict: Verdict,
    standing: Standing,
) -> list[StepRecord]:
    picture = frame.data if frame else None
    shared = {
        "step": step,
        "attempt": attempt,
        "screenshot_hash": digest(picture) if picture else "",
        "state": canonical(reading.state),
        "state_hash": reading.state_hash,
        "score": verdict.score,
        "progress": verdict.progress,
        "best_progress": standing.best,
        "terminal": verdict.terminal,
        "reset": verdict.then == "reset",
        "game_time_ms": reading.game_time_ms,
    }
    return [
        StepRecord(
            **shared,
            role=t.role,
            screenshot=picture if i == 0 else None,
            request_hash=t.prompt.request_hash,
            text=t.reply.text,
            reasoning=t.reply.reasoning,
            tool_calls=json.dumps([c.model_dump() for c in t.reply.tool_calls], ensure_ascii=False),
            action=canonical(t.decision.action.model_dump()) if t.decision.action else None,
            control=t.decision.control,
            validity=t.decision.validity,
            reason=t.decision.reason,
            input_tokens=t.reply.usage.input,
            cached_tokens=t.reply.usage.cached,
            output_tokens=t.reply.usage.output,
            reasoning_tokens=t.reply.usage.reasoning,
            cost_usd=t.reply.cost_usd,
            latency_ms=t.reply.latency_ms,
            charged_ms=t.charged_ms,
        )
        for i, t in enumerate(turns)
    ]


def label(spec: EpisodeSpec) -> EpisodeRecord:
    """A record with who, what and where filled in, and nothing about how it went."""
    cell = spec.cell
    others = "".join(f"+{role}:{m.name}" for role, m in sorted(cell.roles.items()))
    return EpisodeRecord(
        key=spec.key,
        cell=spec.cell_id,
        game=spec.game,
        task=spec.task,
        model=cell.model.name + others,
        interface=cell.agent.interface,
        timing=cell.timing.mode,
        latency=cell.timing.latency if cell.timing.mode == "realtime" else "",
        memory_rounds=cell.agent.memory_rounds,
        seed=spec.seed,
        repeat=spec.repeat,
    )


def sums(rows: Sequence[StepRecord]) -> dict[str, Any]:
    """What a record says of its steps whatever they cost and scored: the fields that a replay must find again."""
    longest = sorted(rows, key=lambda r: r.charged_ms)
    return {
        "steps": rows[-1].step + 1,
        "proposals": len(rows),
        "no_tool_call": sum(r.validity == "no_tool_call" for r in rows),
        "out_of_space": sum(r.validity == "out_of_space" for r in rows),
        "charged_ms": round(sum({r.step: r.charged_ms for r in longest}.values()), 3),
        "game_time_ms": rows[-1].game_time_ms,
        "state_chain": digest(*(r.state_hash for r in rows)),
        "frame_chain": digest(*(r.screenshot_hash for r in rows)),
    }


def _record(
    spec: EpisodeSpec,
    game: Game,
    agents: Mapping[str, Agent],
    rows: list[StepRecord],
    standing: Standing,
    verdict: Verdict,
    seen: Diagnostics,
    replies: Replies,
) -> EpisodeRecord:
    caveats = list(dict.fromkeys([*seen.irreproducible, *replies.caveats]))
    if spec.cell.timing.mode == "wallclock":
        caveats.insert(0, "timing=wallclock: the native browser clock ran")
    if not game.reproducible:
        caveats.insert(0, "the game declares itself not reproducible")
    costs = [r.cost_usd for r in rows]
    return label(spec).model_copy(
        update={
            "genre": game.genre,
            "level": game.level,
            "success": standing.success,
            "progress": standing.best,
            "score": standing.best_score,
            "resets": standing.resets,
            "ended_by": verdict.ended_by,
            **sums(rows),
            "input_tokens": sum(r.input_tokens for r in rows),
            "cached_tokens": sum(r.cached_tokens for r in rows),
            "output_tokens": sum(r.output_tokens for r in rows),
            "reasoning_tokens": sum(r.reasoning_tokens for r in rows),
            "cost_usd": None if any(c is None for c in costs) else round(sum(c or 0 for c in costs), 8),
            "latency_ms": round(sum(r.latency_ms for r in rows), 3),
            "sees_state": any(a.sees_state for a in agents.values()),
            "reproducible": not caveats,
            "caveats": (*caveats, *seen.caveats),
            "blocked_requests": seen.blocked_requests,
            "page_errors": seen.page_errors,
        }
    )
