"""The episode loop: observe → ask → act → read state → evaluate, until the episode ends.

`play` is a pure function of the game files, the task, the seed and the replies. The same code plays an episode for the
first time, resumes it after a kill (logged replies are used before any model is asked) and verifies it (no model can
be asked). It does not know Ray, Hydra, files, browsers or providers.

A *decision* is one turn of the agents. It takes one or more *environment steps*, each of which costs budget and is
evaluated on its own. In a game with `turns: free`, a decision is one instant at which roles are asked, and an
environment step lasts from one instant at which an action ends to the next.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from gwray.agents import Observation, Situation
from gwray.environments import CommandAnswer, Reading, RoleObservation, View
from gwray.errors import GameError
from gwray.evaluation import BestSoFar, StepResult, active_tags, check_start, evaluate_step, measure, nudge
from gwray.pipelines.inputs import EpisodeInputs
from gwray.pipelines.latency import Latency, parse_latency
from gwray.pipelines.outcome import PlayedEpisode, Totals, caveats_of, health_of, label, shown_hash
from gwray.pipelines.replies import LogEnded, Questions, ReplayMismatch, facts_of_log
from gwray.pipelines.turn import (
    OpenReply,
    RoleTurn,
    answer_fields,
    feedback_note,
    forced_action,
    forced_row,
    row_of,
    take_turn,
)
from gwray.records import ACTION, Action, EpisodeRecord, PrefixStep, StepRecord, canonical, digest

TAG_POLL_MS = 100.0
"""Game time between two checks for a situation in which the game waits (`timing.paused_in`)."""

Watch = Callable[[int, float, View | None], None]
"""Called after every environment step with its number, the best progress and the front view."""
Write = Callable[[Sequence[StepRecord]], Awaitable[None]]
"""Called with the rows of each environment step, screenshots included."""


async def play(inputs: EpisodeInputs, *, watch: Watch | None = None, write: Write | None = None) -> PlayedEpisode:
    """Plays one episode to its end.

    Args:
        inputs: everything that determines the episode.
        watch: called after every environment step.
        write: receives the rows of each step; the returned rows then have no screenshots.

    Raises:
        GameError: the prefix does not lead to its recorded states, or the game fails.
        AgentError: an agent breaks its contract. Text of a model is never an error.
        LogEnded, ReplayMismatch: the reply log does not fit, with the steps played until then.
        GwrayError: any error of the environment, the clients or the evaluation.
    """
    return await _EpisodeLoop(inputs, watch, write).play()


class _EpisodeLoop:
    def __init__(self, inputs: EpisodeInputs, watch: Watch | None, write: Write | None):
        self._spec, self._game, self._task = inputs.spec, inputs.game, inputs.task
        self._environment, self._replies, self._prefix = inputs.environment, inputs.replies, inputs.prefix
        self._replies.browser = self._environment.diagnostics().renderer
        self._agents, self._asks = inputs.roles.agents, inputs.roles.asks
        self._metrics = self._spec.cell.metrics if inputs.metrics is None else inputs.metrics
        self._watch, self._write = watch, write
        self._latency: Latency = parse_latency(self._spec.cell.timing)
        self._observation = self._spec.cell.observation
        self._best, self._totals = BestSoFar(), Totals()
        self._rows: list[StepRecord] = []
        self._step = self._decision = self._attempt = 0
        self._result: StepResult | None = None
        self._reading: Reading
        self._attempt_begins = True
        """The next step is the first of its attempt that has rows in this episode."""
        self._state_before = ""
        self._last_refusal: dict[str, str] = {}
        self._feedback: dict[str, str] = {}
        """Answers of the game to the commands of each role's last turn."""
        self._unwritten: list[list[StepRecord]] = []
        """Rows of the last environment steps, from the first one whose command still runs."""
        self._open: dict[str, OpenReply] = {}
        """Replies with actions that have not ended, by role. For `turns: free`, as is the next one."""
        self._under_way: dict[str, int] = {}
        """The environment step in which each role's action began that has not ended."""

    async def play(self) -> PlayedEpisode:
        started = time.monotonic()
        self._reading = await self._environment.read()
        check_start(self._reading.state, self._task)
        for step in self._prefix:
            await self._replay_prefix_step(step)
        if self._prefix:
            self._result = None  # an end of the parent's episode does not end this one
            self._attempt_begins = True
        take_turns = self._take_free_turns if self._game.turns == "free" else self._take_joint_turns
        try:
            while not self._ended:
                await take_turns()
        except (LogEnded, ReplayMismatch) as e:
            self._under_way.clear()
            await self._write_rows()
            e.steps, e.irreproducible = self._rows, self._environment.diagnostics().irreproducible
            raise
        await self._environment.confirm()
        final_view = await self._front_view()
        prompts: dict[str, str] = {}
        for role, ask in self._asks.items():
            ask.check_closed()
            prompts |= {f"{role}/{module}" if module else role: text for module, text in ask.systems.items()}
        console = self._environment.diagnostics().console
        shown = shown_hash(prompts, console, final_view.data if final_view else None)
        record = self._record(time.monotonic() - started, final_view)
        measured = measure(self._metrics, self._rows, record, self._task)
        caveats = (*record.caveats, *measured.problems)
        record = record.model_copy(update={"metrics": measured.values, "caveats": caveats, "shown_hash": shown})
        return PlayedEpisode(record, self._rows, final_view, console, prompts)

    @property
    def _ended(self) -> bool:
        return self._result is not None and self._result.then == "end"

    async def _front_view(self) -> View | None:
        """Returns a screenshot of the front view, for watchers and the final frame; None if none are taken."""
        if not self._observation.pictures:
            return None
        front = self._observation.model_copy(update={"views": ("front",), "text": False})
        return (await self._environment.observe(self._game.roles[0].name, front)).views[0]

    async def _replay_prefix_step(self, step: PrefixStep) -> None:
        """Plays the actions of a recorded environment step; asks, shows and writes nothing."""
        if step.charged_ms:
            await self._environment.advance(step.charged_ms)
        try:
            actions = {role: ACTION.validate_python(action) for role, action in step.actions.items()}
        except ValidationError as e:
            raise GameError(f"the fork cannot start: step {self._step} of its prefix has an invalid action") from e
        result = await self._environment_step(
            actions, last_of_reply=step.last_of_reply, look=False, after_ms=step.after_ms
        )
        if self._reading.state_hash != step.state_hash or (result.then == "reset") != step.reset:
            raise GameError(
                f"the fork cannot start: step {self._step} of its {len(self._prefix)} recorded steps led to another "
                f"state than recorded ({self._reading.state_hash}, not {step.state_hash}). The game's files or rules "
                "have changed; fork an episode that was played with the current ones."
            )
        self._step += 1
        self._decision = step.decision + step.last_of_reply
        if step.reset:
            await self._reset()

    async def _reset(self) -> None:
        self._attempt += 1
        await self._environment.reset(self._spec.seed)
        self._reading = await self._environment.read()
        self._attempt_begins = True

    # One turn of all roles

    async def _take_joint_turns(self) -> None:
        """Lets all roles decide on the same instant and plays their actions."""
        notes = await self._nudge()
        if not self._ended:
            seen, turns = await self._decide(self._environment.to_act(), notes)
            await self._execute(await self._advance_while_thinking(turns), seen)

    async def _nudge(self) -> dict[str, tuple[str, ...]]:
        """Plays forced actions and returns the notes of each role for its next turn. Each forced action is an
        environment step, and a decision of the budget."""
        spec = self._spec.cell.nudge
        notes: dict[str, tuple[str, ...]] = {}
        forced: dict[str, tuple[str, ...]] = {}
        for role in self._environment.to_act() if spec.when else ():
            nudged = nudge(spec, self._rows, self._task, role)
            if nudged is not None:
                notes[role] = (nudged.say,) if nudged.say else ()
                forced[role] = nudged.force
        for index in range(max((len(names) for names in forced.values()), default=0)):
            names = {role: controls[index] for role, controls in forced.items() if index < len(controls)}
            actions = {role: forced_action(self._game, role, name) for role, name in names.items()}
            result = await self._environment_step(actions, last_of_reply=True, look=self._observation.pictures)
            rows = [self._answered(forced_row(role, name, actions[role])) for role, name in names.items()]
            await self._record_step(result, rows, None, look=False)
            self._decision += 1
            if result.then != "go on":
                break
        return notes

    async def _decide(
        self, roles: Sequence[str], notes: Mapping[str, tuple[str, ...]]
    ) -> tuple[RoleObservation, list[RoleTurn]]:
        """Lets roles decide concurrently on the same instant; a reply is logged even if another role's question fails.
        Returns what the first role sees, whose screenshot is kept, and the turns."""
        seen = {role: await self._environment.observe(role, self._observation) for role in roles}
        pending = (self._turn(role, seen[role], notes.get(role, ())) for role in roles)
        turns: list[RoleTurn] = []
        for outcome in await asyncio.gather(*pending, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome
            turns.append(outcome)
        return seen[roles[0]], turns

    async def _turn(self, role: str, seen: RoleObservation, notes: tuple[str, ...]) -> RoleTurn:
        """Plays one role's turn: asks its agent for a decision on what the role sees."""
        answered = self._feedback.get(role, "")
        observation = Observation(self._decision, seen.views, seen.text, (answered, *notes) if answered else notes)
        ask = self._asks[role]
        ask.begin(Situation(observation, self._reading.state, self._last_refusal.get(role, "")))
        per_reply = self._spec.action.per_reply or 1
        decision = await take_turn(self._agents[role], role, self._game, observation, ask, per_reply)
        self._last_refusal[role] = "" if decision.validity == "valid" else f"not possible: {decision.reason}"
        return RoleTurn(role, decision, ask.asked, self._charge(role, ask.asked), observation.notes, seen.text)

    def _charge(self, role: str, asked: Questions) -> float:
        """Returns the game time in ms that a turn's questions cost: of each batch the longest reply, summed."""
        spec = self._spec
        where = {"task": spec.task, "seed": spec.seed, "repeat": spec.repeat, "decision": self._decision, "role": role}
        return sum(
            max(self._latency.charge(asked.replies[call], call=call, **where) for call in batch)
            for batch in asked.batches
        )

    async def _advance_while_thinking(self, turns: Sequence[RoleTurn]) -> Sequence[RoleTurn]:
        """Advances the game by the longest charge (roles think at once), or until a tag in `timing.paused_in` holds.
        Returns the turns, charged no more than the time in ms that passed."""
        charged = max(turn.charged_ms for turn in turns)
        pausing_tags = {*self._spec.cell.timing.paused_in} & {*self._task.tags}
        if not pausing_tags:
            if charged:
                await self._environment.advance(charged)
            return turns
        passed, state = 0.0, self._reading.state
        while passed < charged and pausing_tags.isdisjoint(active_tags(state, self._task)):
            stretch = min(TAG_POLL_MS, charged - passed)
            await self._environment.advance(stretch)
            passed, state = round(passed + stretch, 3), (await self._environment.read()).state
        return [replace(turn, charged_ms=min(turn.charged_ms, passed)) for turn in turns]

    async def _execute(self, turns: Sequence[RoleTurn], seen: RoleObservation) -> None:
        """Plays the actions of one turn, one environment step each, until they or the attempt end."""
        steps = max(turn.decision.steps for turn in turns)
        finish = any(turn.decision.finish for turn in turns)
        answers: list[Mapping[str, CommandAnswer]] = []
        for index in range(steps):
            actions = {t.role: t.decision.actions[index] for t in turns if index < len(t.decision.actions)}
            last = index == steps - 1
            look = last and self._observation.pictures
            result = await self._environment_step(actions, last_of_reply=last, look=look, finish=finish and last)
            dropped = 0 if last or result.then == "go on" else steps - index - 1
            answers.append(self._reading.answers)
            rows = [self._answered(row_of(t, index, dropped)) for t in turns if index < t.decision.steps]
            await self._record_step(result, rows, seen if index == 0 else None, look=look)
            if result.then != "go on":
                break
        self._feedback = {t.role: feedback_note(t, [a.get(t.role) for a in answers]) for t in turns}
        self._decision += 1

    # Turns of roles that act independently

    async def _take_free_turns(self) -> None:
        """Asks the roles whose actions have all ended, starts the next action of each role without one, and runs to the
        first instant at which an action has ended: one environment step. In real time, a role's thinking delays its own
        first action only."""
        seen: RoleObservation | None = None
        after_ms: dict[str, float] = {}
        if asked := [role for role in self._environment.to_act() if role not in self._open]:
            seen, turns = await self._decide(asked, {})
            self._open |= {turn.role: OpenReply(turn, self._decision) for turn in turns}
            after_ms = {turn.role: turn.charged_ms for turn in turns if turn.charged_ms}
            self._decision += 1
        starting: dict[str, tuple[OpenReply, int]] = {}
        for role in self._environment.to_act():
            starting[role] = self._open[role], self._open[role].begun
            self._open[role].begun += 1
            self._under_way[role] = self._step
        actions = {
            role: reply.turn.decision.actions[index]
            for role, (reply, index) in starting.items()
            if index < len(reply.turn.decision.actions)
        }
        last = not any(reply.left for reply in self._open.values())
        finish = any(not reply.left and reply.turn.decision.finish for reply, _ in starting.values())
        look = self._observation.pictures
        result = await self._environment_step(actions, last_of_reply=last, look=look, finish=finish, after_ms=after_ms)
        over = result.then != "go on"
        rows = [
            self._answered(row_of(reply.turn, index, reply.left if over else 0)) | {"decision": reply.decision}
            for reply, index in starting.values()
        ]
        self._end_actions(over)
        await self._record_step(result, rows, seen, look=look)

    def _end_actions(self, over: bool) -> None:
        """Passes the answers to the actions that have ended to their rows and to the next turns of their roles. `over`:
        the attempt has ended, and with it all actions."""
        ended = self._environment.to_act()
        for role, reply in [*self._open.items()]:
            if role in ended:
                answer, step = self._reading.answers.get(role), self._under_way.pop(role)
                reply.answers.append(answer)
                for rows in self._unwritten:
                    rows[:] = [
                        row.model_copy(update=answer_fields(answer)) if (row.step, row.role) == (step, role) else row
                        for row in rows
                    ]
            if over or (role in ended and not reply.left):
                self._feedback[role] = feedback_note(reply.turn, reply.answers)
                del self._open[role]
        if over:
            self._under_way.clear()

    # One environment step

    def _answered(self, row: dict[str, Any]) -> dict[str, Any]:
        """Returns the row of a role with the game's answer to its command."""
        return row | answer_fields(self._reading.answers.get(row["role"]))

    async def _environment_step(
        self,
        actions: Mapping[str, Action],
        *,
        last_of_reply: bool,
        look: bool,
        finish: bool = False,
        after_ms: Mapping[str, float] | None = None,
    ) -> StepResult:
        """Plays one action of each role and evaluates the state. A reset or an end makes the step the last of its
        reply: the remaining actions are dropped."""
        self._state_before = canonical(self._reading.state) if self._attempt_begins else ""
        self._attempt_begins = False
        delays = {"after_ms": after_ms} if after_ms else {}
        self._reading = await self._environment.step(actions, look=look, **delays)

        def evaluated(last: bool) -> tuple[StepResult, BestSoFar]:
            left = self._task.remaining(self._step + 1, self._decision + last)
            state = self._reading.state
            return evaluate_step(state, self._task, left, self._best, last_of_reply=last, finish=finish)

        result, best = evaluated(last_of_reply)
        if not last_of_reply and result.then != "go on":
            result, best = evaluated(True)
        self._result, self._best = result, best
        return result

    async def _record_step(
        self, result: StepResult, rows: Sequence[dict[str, Any]], seen: RoleObservation | None, *, look: bool
    ) -> None:
        """Records the last environment step, calls the watcher and resets the game if the step says so. `rows`: fields
        that differ by role. `seen`: what the first role decided on, at a decision's first step. `look`: show it."""
        reading = self._reading
        screenshot = seen.views[0].data if seen and seen.views else None
        shared = {
            "step": self._step,
            "decision": self._decision,
            "attempt": self._attempt,
            "screenshot_hash": digest(screenshot) if screenshot else "",
            "state": canonical(reading.state),
            "state_hash": reading.state_hash,
            "score": result.score,
            "progress": result.progress,
            "best_progress": self._best.best,
            "terminal": result.terminal,
            "reset": result.then == "reset",
            "game_time_ms": reading.game_time_ms,
        }
        first = {"screenshot": screenshot, "before": self._state_before, "milestones": result.milestones}
        self._unwritten.append([StepRecord(**shared | (first if i == 0 else {}) | row) for i, row in enumerate(rows)])
        self._step += 1
        await self._write_rows()
        if self._watch:
            self._watch(self._step - 1, self._best.best, await self._front_view() if look else None)
        if result.then == "reset":
            await self._reset()

    async def _write_rows(self) -> None:
        """Writes the rows of all environment steps up to the first one with an action that has not ended."""
        while self._unwritten and self._unwritten[0][0].step < min(self._under_way.values(), default=self._step):
            records = self._unwritten.pop(0)
            self._totals.add(records)
            if self._write is not None:
                await self._write(records)
                records = [row.model_copy(update={"screenshot": None}) for row in records]
            self._rows += records

    def _record(self, wall_s: float, final_view: View | None) -> EpisodeRecord:
        """Returns the record of the finished episode. `wall_s`: its real time in seconds."""
        spec, best, totals, result = self._spec, self._best, self._totals, self._result
        assert result is not None
        diagnostics = self._environment.diagnostics()
        caveats = caveats_of(spec, self._game, [*diagnostics.irreproducible, *self._replies.caveats])
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
                "sees_state": any(ask.sees_state for ask in self._asks.values()),
                "reproducible": not caveats,
                "caveats": (*caveats, *diagnostics.caveats, *self._replies.notes),
                "blocked_requests": diagnostics.blocked_requests,
                "page_errors": diagnostics.page_errors,
                "health": health_of(self._rows, diagnostics.missing_files, final_view),
                "browser": diagnostics.renderer,
                **facts_of_log(self._replies.answers),
                **totals.spent.fields(),
                "wall_s": round(wall_s, 3),
                "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        )
