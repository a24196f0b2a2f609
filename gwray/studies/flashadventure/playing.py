"""Judges that play on from the exact final state of an episode. The recorded actions are replayed into an environment
of the judge's own, which is closed afterwards, so judging changes nothing of the episode. What the judge does there has
its own budget and is not scored."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from gwray.agents import Observation, Part, Text
from gwray.catalog import Task
from gwray.environments import Environment, Opening, open_environment
from gwray.errors import GameError, UsageError
from gwray.judges import JudgeKind, JudgeResult, JudgeSession, JudgeSpec, RecordedEpisode
from gwray.records import ACTION, PrefixStep, StepRecord, digest
from gwray.settings import ObservationSpec
from gwray.verification import prefix_steps

SCREEN = ObservationSpec()
BUDGET = 20
"""Environment steps of a judge, where neither its profile nor the task says how many."""
LOOKING = """\
You do not go on with the task: what you do now is only to find out what you want to know. {why}"""

Read = TypeVar("Read")


class PlayingJudge(JudgeKind):
    """Replays an episode to its end and may look around there; a subclass says what to find out."""

    plays = True

    def require(self, task: Task) -> None:
        """Raises `UsageError` for a task that cannot be judged."""

    async def find_out(self, look: "LookAround", rows: Sequence[StepRecord]) -> JudgeResult:
        """Returns the verdict, without the judge's steps."""
        raise NotImplementedError

    async def judge(self, episode: RecordedEpisode, session: JudgeSession) -> JudgeResult:
        spec, task = episode.spec, episode.task
        self.require(task)
        if spec.cell.timing.mode == "wallclock" or not episode.game.reproducible:
            raise UsageError(
                f"episode {spec.key} cannot be replayed to its end (wall-clock time or a game that is not "
                "reproducible), so a judge cannot continue from there"
            )
        if episode.game.turns == "free":
            raise UsageError(
                f"episode {spec.key}: actions of several roles can be under way at its end (turns: free), so a judge "
                "cannot continue from there. Choose a judge that does not play."
            )
        rows = episode.rows()
        before = episode.run.read_prefix(spec.prefix) if spec.prefix else []
        opening = replace(Opening.from_spec(spec, episode.game, task, episode.browser), observation=SCREEN)
        environment = await open_environment(opening, trusted=episode.trusted)
        try:
            for number, step in enumerate([*before, *prefix_steps(rows, episode.game)]):
                await _replay(environment, step, number, spec.seed)
            look = LookAround(session, self.spec, task, environment)
            result = await self.find_out(look, rows)
        finally:
            await environment.close()
        chain = digest(*look.states) if look.states else ""
        return replace(result, malformed=look.malformed, steps=look.steps, state_chain=chain)


async def _replay(environment: Environment, step: PrefixStep, number: int, seed: int) -> None:
    """Plays one recorded step, and the reset that followed it. Raises `GameError` if it leads to another state than
    recorded. `number`: of the step, for the message."""
    if step.charged_ms:
        await environment.advance(step.charged_ms)
    reading = await environment.step({r: ACTION.validate_python(a) for r, a in step.actions.items()}, look=False)
    if reading.state_hash != step.state_hash:
        raise GameError(
            f"the judge cannot start: step {number} leads to another state than recorded ({reading.state_hash}, not "
            f"{step.state_hash}). The game's files have changed; judge an episode that was played with them."
        )
    if step.reset:
        await environment.reset(seed)


@dataclass
class LookAround:
    """Asks a judge, which may first act in the game to find the answer out, within its budget."""

    session: JudgeSession
    judge: JudgeSpec
    task: Task
    environment: Environment
    malformed: int = 0
    steps: int = 0
    states: list[str] = field(default_factory=list)

    @property
    def left(self) -> int:
        """Environment steps that may still be played."""
        own, given = self.judge.budget, self.task.judge.budget
        budget = own if own is not None else BUDGET if given is None else given
        return max(0, budget - self.steps)

    async def ask(
        self, about: str, neutral: Mapping[str, object], read: Callable[[Mapping[str, object]], Read | None]
    ) -> Read | None:
        """Returns what `read` finds in the answer; None if the judge gives no answer that can be read.

        Args:
            about: What the judge is to find out.
            neutral: The answer of `judge.model=scripted`.
            read: Returns the answer in a reply's JSON object; None if it is none.
        """
        done: list[str] = []
        while True:
            seen = await self.environment.observe(self.session.role, SCREEN)
            now = Observation(len(self.session.replies), seen.views, seen.text)
            may_look = self.left > 0
            system = self.session.context.instructions_for(self.judge.question, may_look=may_look)
            parts: list[Part | str] = [about]
            parts += [f"In this game: {self.task.judge.say}"] if self.task.judge.say else []
            parts += ["What you did to find out:\n" + "\n".join(done)] if done else []
            if "state" in self.judge.sees:
                parts.append(json.dumps((await self.environment.read()).state))
            parts += self.session.context.observation_parts(now)
            answer = await self.session.ask_json(system, parts, json.dumps(neutral)) or {}
            found = read(answer)
            if found is not None:
                return found
            look = answer.get("look")
            if not (may_look and isinstance(look, str)):
                self.malformed += 1
                return None
            done.append(await self._act(now, look))

    async def _act(self, seen: Observation, why: str) -> str:
        """Plays one decision of the judge and returns a line that describes it."""
        more = [Text(LOOKING.format(why=" ".join(why.split())[:200]))]
        context = self.session.context
        decision = context.decide(await self.session.ask(context.action_prompt(seen, more)))
        left = self.left
        for action in decision.actions[:left]:
            reading = await self.environment.step({self.session.role: action}, look=True)
            self.states.append(reading.state_hash)
        self.steps += min(left, decision.steps)
        return f"- {context.describe(decision)}"
