"""The episode loop: observe → ask → act → read state → evaluate, until it ends.

`play` is a pure function of the game files, the task, the seed and the replies: the same code plays for the first
time, goes on after a kill (the replies in the log are used before anybody is asked) and verifies (there is nobody to
ask). It knows nothing of Ray, Hydra, files, browsers or providers.

A *decision* is one turn of the agents; it takes one or more *environment steps*, each of which costs budget and is
judged on its own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from gwray.actions import ACTION, Action
from gwray.agents import Agent, Observation, Situation
from gwray.catalog import Game, Task
from gwray.environments import Environment, Reading, Seen, View
from gwray.errors import GameError
from gwray.evaluation import BestSoFar, StepResult, check_start, evaluate_step, measure, nudge, situations
from gwray.pipelines.kept import KeptPictures
from gwray.pipelines.latency import Latency, parse_latency
from gwray.pipelines.outcome import (
    UNREPRODUCIBLE,
    WALLCLOCK,
    PlayedEpisode,
    Totals,
    label,
    shown_hash,
)
from gwray.pipelines.replies import Differs, LogEnded, Questions, Replies, RoleAsk
from gwray.pipelines.turn import RoleTurn, decided, forced_action, forced_row, row_of
from gwray.records import EpisodeRecord, PrefixStep, StepRecord, canonical, digest
from gwray.spec import EpisodeSpec

LOOKED_FOR_MS = 100.0
"""Game time between two looks for a situation in which the game waits (`timing.paused_in`)."""


Watch = Callable[[int, float, View | None], None]
Write = Callable[[Sequence[StepRecord]], Awaitable[None]]


async def play(
    spec: EpisodeSpec,
    game: Game,
    task: Task,
    world: Environment,
    agents: Mapping[str, Agent],
    asks: Mapping[str, RoleAsk],
    replies: Replies,
    *,
    watch: Watch | None = None,
    write: Write | None = None,
    metrics: Sequence[str] | None = None,
    prefix: Sequence[PrefixStep] = (),
    kept: KeptPictures | None = None,
) -> PlayedEpisode:
    """Play one episode to its end.

    `world` is at the first instant of the task; `agents` and `asks` are there for every role. `watch(step, best
    progress, front view)` is called after every environment step, `write(rows)` with the rows of each step as they
    come; their pictures are not kept then. `metrics`: names of those that are measured beside the built-in ones; None:
    the cell's. `prefix`: another episode's steps, which are played first; whose they are counts for the budget and the
    best progress, and they have no rows here. `kept`: pictures that an interrupted try of this episode took. Raises
    the errors of the rooms it calls, `GameError` for a prefix that does not come to the recorded states, `AgentError`
    for what an agent does wrong, `LogEnded` and `Differs` with the steps that were played until then; what a model says
    is never an error.
    """
    named = spec.cell.metrics if metrics is None else metrics
    return await _Episode(spec, game, task, world, agents, asks, replies, watch, write, named, prefix, kept).play()


class _Episode:
    def __init__(
        self,
        spec: EpisodeSpec,
        game: Game,
        task: Task,
        world: Environment,
        agents: Mapping[str, Agent],
        asks: Mapping[str, RoleAsk],
        replies: Replies,
        watch: Watch | None,
        write: Write | None,
        metrics: Sequence[str],
        prefix: Sequence[PrefixStep],
        kept: KeptPictures | None,
    ):
        self._spec, self._game, self._task, self._world = spec, game, task, world
        self._agents, self._asks, self._replies = agents, asks, replies
        self._watch, self._write, self._metrics, self._prefix = watch, write, metrics, prefix
        self._latency: Latency = parse_latency(spec.cell.timing)
        self._wanted = spec.cell.observation
        self._kept = kept if self._wanted.views == ("front",) else None
        self._best, self._totals = BestSoFar(), Totals()
        self._rows: list[StepRecord] = []
        self._step = self._decision = self._attempt = 0
        self._result: StepResult | None = None
        self._reading: Reading
        self._begins = True
        """The next step is the first one of this attempt that has rows here."""
        self._before = ""
        self._last: dict[str, str] = {}

    async def play(self) -> PlayedEpisode:
        began = time.monotonic()
        self._reading = await self._world.read()
        check_start(self._reading.state, self._task)
        for step in self._prefix:
            await self._play_again(step)
        if self._prefix:
            self._result = None  # that the other player's episode ended there does not end this one
            self._begins = True
        while not self._ended:
            told = await self._nudge()
            if self._ended:
                break
            try:
                seen, turns = await self._decide(told)
            except (LogEnded, Differs) as e:
                e.steps, e.irreproducible = self._rows, self._world.diagnostics().irreproducible
                raise
            await self._carry_out(await self._run_on(turns), seen)
        await self._world.confirm()
        last = await self._front()
        prompts: dict[str, str] = {}
        for role, ask in self._asks.items():
            ask.check_closed()
            prompts |= {f"{role}/{module}" if module else role: text for module, text in ask.systems.items()}
        console = self._world.diagnostics().console
        shown = shown_hash(prompts, console, last.data if last else None)
        record = self._measured(self._record(time.monotonic() - began)).model_copy(update={"shown_hash": shown})
        return PlayedEpisode(record, self._rows, last, console, prompts)

    @property
    def _ended(self) -> bool:
        return self._result is not None and self._result.then == "end"

    async def _front(self) -> View | None:
        """The screen of this instant, for whoever watches or reads the end; None where no pictures are taken."""
        if not self._wanted.pictures:
            return None
        front = self._wanted.model_copy(update={"views": ("front",), "text": False})
        return (await self._world.observe(self._game.roles[0].name, front)).views[0]

    async def _play_again(self, step: PrefixStep) -> None:
        """A recorded environment step: its actions as they were played, and nothing asked, shown or written."""
        if step.charged_ms:
            await self._world.advance(step.charged_ms)
        try:
            actions = {role: ACTION.validate_python(action) for role, action in step.actions.items()}
        except ValidationError as e:
            raise GameError(f"the fork cannot begin: what was played at step {self._step} is no action") from e
        result = await self._environment_step(actions, last_of_reply=step.last_of_reply, look=False)
        if self._reading.state_hash != step.state_hash or (result.then == "reset") != step.reset:
            raise GameError(
                f"the fork cannot begin: step {self._step} of its {len(self._prefix)} recorded steps came to another "
                f"state than recorded ({self._reading.state_hash}, not {step.state_hash}). The game's files or rules "
                "have changed since; fork an episode that was played with them."
            )
        self._step += 1
        self._decision = step.decision + step.last_of_reply
        if step.reset:
            await self._reset()

    async def _reset(self) -> None:
        self._attempt += 1
        await self._world.reset(self._spec.seed)
        self._reading = await self._world.read()
        self._begins = True

    # One turn

    async def _nudge(self) -> dict[str, tuple[str, ...]]:
        """What each role is told before its turn, after what is forced has been played: each forced action is an
        environment step, and a decision of the budget."""
        spec = self._spec.cell.nudge
        told: dict[str, tuple[str, ...]] = {}
        forced: dict[str, tuple[str, ...]] = {}
        for role in self._world.to_act() if spec.when else ():
            nudged = nudge(spec, self._rows, self._task, role)
            if nudged is not None:
                told[role] = (nudged.say,) if nudged.say else ()
                forced[role] = nudged.force
        for index in range(max((len(names) for names in forced.values()), default=0)):
            names = {role: controls[index] for role, controls in forced.items() if index < len(controls)}
            actions = {role: forced_action(self._game, role, name) for role, name in names.items()}
            result = await self._environment_step(actions, last_of_reply=True, look=self._wanted.pictures)
            rows = [forced_row(role, name, actions[role]) for role, name in names.items()]
            await self._after_step(result, rows, None, look=False)
            self._decision += 1
            if result.then != "go on":
                break
        return told

    async def _decide(self, told: Mapping[str, tuple[str, ...]]) -> tuple[Seen, list[RoleTurn]]:
        """All roles whose turn it is decide concurrently on one instant. A reply that has arrived is logged even if
        another role's fails."""
        roles = self._world.to_act()
        kept = await self._kept_picture()
        wanted = self._wanted.model_copy(update={"views": ()}) if kept else self._wanted
        seen = {role: await self._world.observe(role, wanted) for role in roles}
        if kept:
            seen = {role: replace(of_role, views=(kept,)) for role, of_role in seen.items()}
        asked = (self._turn(role, seen[role], told.get(role, ())) for role in roles)
        done = await asyncio.gather(*asked, return_exceptions=True)
        turns: list[RoleTurn] = []
        for outcome in done:
            if isinstance(outcome, BaseException):
                raise outcome
            turns.append(outcome)
        return seen[roles[0]], turns

    async def _kept_picture(self) -> View | None:
        """The front view of this instant as an interrupted try took it."""
        data = await self._kept.picture(self._step, self._reading.state_hash) if self._kept else None
        return View("front", data, self._wanted.mime, *self._game.viewport) if data is not None else None

    async def _turn(self, role: str, seen: Seen, notes: tuple[str, ...]) -> RoleTurn:
        observation = Observation(self._decision, seen.views, seen.text, notes)
        ask = self._asks[role]
        ask.begin(Situation(observation, self._reading.state, self._last.get(role, "")))
        per_reply = self._spec.action.per_reply or 1
        decision = await decided(self._agents[role], role, self._game, observation, ask, per_reply)
        self._last[role] = "" if decision.validity == "valid" else f"not possible: {decision.reason}"
        return RoleTurn(role, decision, ask.asked, self._charge(role, ask.asked), observation.notes)

    def _charge(self, role: str, asked: Questions) -> float:
        """Game time that a role's thinking costs: of each batch its longest reply, batches one after the other."""
        spec = self._spec
        where = {"task": spec.task, "seed": spec.seed, "repeat": spec.repeat, "decision": self._decision, "role": role}
        return sum(
            max(self._latency.charge(asked.replies[call], call=call, **where) for call in batch)
            for batch in asked.batches
        )

    async def _run_on(self, turns: Sequence[RoleTurn]) -> Sequence[RoleTurn]:
        """Let the game run on while the roles think: as long as that is charged, or up to the moment at which one of
        `timing.paused_in` holds, from which on it waits. Returns the turns with what did pass."""
        charged = max(turn.charged_ms for turn in turns)
        waits_in = {*self._spec.cell.timing.paused_in} & {*self._task.tags}
        if not waits_in:
            if charged:
                await self._world.advance(charged)
            return turns
        passed, state = 0.0, self._reading.state
        while passed < charged and waits_in.isdisjoint(situations(state, self._task)):
            stretch = min(LOOKED_FOR_MS, charged - passed)
            await self._world.advance(stretch)
            passed, state = round(passed + stretch, 3), (await self._world.read()).state
        return [replace(turn, charged_ms=min(turn.charged_ms, passed)) for turn in turns]

    async def _carry_out(self, turns: Sequence[RoleTurn], seen: Seen) -> None:
        """Play the actions of one turn, one environment step after the other, until they or the attempt end."""
        steps = max(turn.decision.steps for turn in turns)
        finish = any(turn.decision.finish for turn in turns)
        for index in range(steps):
            actions = {t.role: t.decision.actions[index] for t in turns if index < len(t.decision.actions)}
            last = index == steps - 1
            known = self._kept is not None and self._kept.reaches(self._step + 1)
            look = last and self._wanted.pictures and not known
            result = await self._environment_step(actions, last_of_reply=last, look=look, finish=finish and last)
            dropped = 0 if last or result.then == "go on" else steps - index - 1
            rows = [row_of(t, index, dropped) for t in turns if index < t.decision.steps]
            await self._after_step(result, rows, seen if index == 0 else None, look=look)
            if result.then != "go on":
                break
        self._decision += 1

    async def _environment_step(
        self, actions: Mapping[str, Action], *, last_of_reply: bool, look: bool, finish: bool = False
    ) -> StepResult:
        """Play one action of each role, and judge what it came to. A reset or an ending makes it the last of its reply:
        what would have followed is dropped."""
        self._before = canonical(self._reading.state) if self._begins else ""
        self._begins = False
        self._reading = await self._world.step(actions, look=look)

        def judged(last: bool) -> tuple[StepResult, BestSoFar]:
            left = self._task.left(self._step + 1, self._decision + last)
            state = self._reading.state
            return evaluate_step(state, self._task, left, self._best, last_of_reply=last, finish=finish)

        result, best = judged(last_of_reply)
        if not last_of_reply and result.then != "go on":
            result, best = judged(True)
        self._result, self._best = result, best
        return result

    async def _after_step(
        self, result: StepResult, rows: Sequence[dict[str, Any]], seen: Seen | None, *, look: bool
    ) -> None:
        """Write the rows of the step that was just played, tell who watches, and reset if the step came to that."""
        await self._add(result, rows, seen)
        if self._watch:
            self._watch(self._step - 1, self._best.best, await self._front() if look else None)
        if result.then == "reset":
            await self._reset()

    async def _add(self, result: StepResult, rows: Sequence[dict[str, Any]], seen: Seen | None) -> None:
        reading = self._reading
        picture = seen.views[0].data if seen and seen.views else None
        shared = {
            "step": self._step,
            "decision": self._decision,
            "attempt": self._attempt,
            "screenshot_hash": digest(picture) if picture else "",
            "state": canonical(reading.state),
            "state_hash": reading.state_hash,
            "score": result.score,
            "progress": result.progress,
            "best_progress": self._best.best,
            "terminal": result.terminal,
            "reset": result.then == "reset",
            "game_time_ms": reading.game_time_ms,
        }
        once = {"screenshot": picture, "before": self._before, "milestones": result.milestones}
        whole = [StepRecord(**shared, **(once if i == 0 else {}), **row) for i, row in enumerate(rows)]
        self._totals.add(whole)
        self._step += 1
        if self._write is not None:
            await self._write(whole)
            whole = [row.model_copy(update={"screenshot": None}) for row in whole]
        self._rows += whole

    def _measured(self, record: EpisodeRecord) -> EpisodeRecord:
        measured = measure(self._metrics, self._rows, record, self._task)
        caveats = (*record.caveats, *measured.problems)
        return record.model_copy(update={"metrics": measured.values, "caveats": caveats})

    def _record(self, wall_s: float) -> EpisodeRecord:
        spec, best, totals, result = self._spec, self._best, self._totals, self._result
        assert result is not None
        seen = self._world.diagnostics()
        caveats = list(dict.fromkeys([*seen.irreproducible, *self._replies.caveats]))
        if spec.cell.timing.mode == "wallclock":
            caveats.insert(0, WALLCLOCK)
        if not self._game.reproducible:
            caveats.insert(0, UNREPRODUCIBLE)
        return label(spec).model_copy(
            update={
                "genre": self._game.genre,
                "level": self._game.level,
                "success": best.success,
                "progress": best.best,
                "score": best.best_score,
                "resets": best.resets,
                "ended_by": result.ended_by,
                "forked_at": len(self._prefix) if spec.prefix else None,
                **totals.fields(),
                **totals.spent.fields(),
                "sees_state": any(ask.sees_state for ask in self._asks.values()),
                "reproducible": not caveats,
                "caveats": (*caveats, *seen.caveats, *self._replies.moved),
                "blocked_requests": seen.blocked_requests,
                "page_errors": seen.page_errors,
                "browser": seen.renderer,
                "in_flight": self._replies.in_flight,
                "served_model": self._replies.served_model,
                "wall_s": round(wall_s, 3),
                "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        )
