"""A judge that plays on: the recorded actions lead to the exact final state, and it looks around from there.

It has a budget of its own and is not scored. What it does happens in a world of its own, which is closed with it, so
that judging an episode changes nothing of it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from gwray.actions import ACTION
from gwray.agents import Observation, Part, Text
from gwray.catalog import Game, Milestone, Task
from gwray.environments import BrowserSource, Environment, Opening, open_environment
from gwray.errors import GameError, UsageError
from gwray.judges.asking import Asking, numbers
from gwray.judges.profile import JudgeSpec
from gwray.judges.truth import reached
from gwray.pipelines import prefix_steps
from gwray.records import PrefixStep, digest
from gwray.spec import EpisodeSpec, ObservationSpec
from gwray.store import RunDir

SCREEN = ObservationSpec()
LOOKING = """\
You do not go on with the task: what you do now is only to find out what you want to know. {why}"""


@dataclass
class MilestonesFound:
    """What a judge that played on came to."""

    reached: list[str] = field(default_factory=list)
    malformed: int = 0
    steps: int = 0
    chain: str = ""


async def find_milestones(
    asking: Asking,
    judge: JudgeSpec,
    run: RunDir,
    spec: EpisodeSpec,
    game: Game,
    task: Task,
    browser: BrowserSource,
    trusted: Collection[str] | None,
) -> MilestonesFound:
    """The milestones that an episode had reached where it ended, as the judge sees it.

    Raises `UsageError` for a task without milestones in words and for an episode whose end cannot be come to again,
    `GameError` where the recorded actions come to another state than recorded.
    """
    if not task.milestones or not all(m.text for m in task.milestones):
        unsaid = next((m.name for m in task.milestones if not m.text), "")
        missing = f"no text for milestone {unsaid}" if unsaid else "no milestones"
        raise UsageError(
            f"task {task.id} has {missing}: a judge gets the texts of milestones and nothing "
            "else of them. Write `text:` in its game.yaml, or judge other games."
        )
    if spec.cell.timing.mode == "wallclock" or not game.reproducible:
        raise UsageError(f"episode {spec.key} cannot be played to its end again: nobody can go on from there")
    rows = run.read_steps(spec.key, images=False)
    before = run.read_prefix(spec.prefix) if spec.prefix else []
    opening = replace(Opening.from_spec(spec, game, task, browser), observation=SCREEN)
    world = await open_environment(opening, trusted=trusted)
    try:
        for number, step in enumerate([*before, *prefix_steps(rows)]):
            await _again(world, step, number, spec.seed)
        # The truth, which only players without a model are told.
        return await _Search(asking, judge, task, world, reached(rows), judge.budget).run()
    finally:
        await world.close()


async def _again(world: Environment, step: PrefixStep, number: int, seed: int) -> None:
    if step.charged_ms:
        await world.advance(step.charged_ms)
    reading = await world.step({r: ACTION.validate_python(a) for r, a in step.actions.items()}, look=False)
    if reading.state_hash != step.state_hash:
        raise GameError(
            f"the judge cannot begin: step {number} came to another state than recorded ({reading.state_hash}, not "
            f"{step.state_hash}). The game's files have changed since; judge an episode that was played with them."
        )
    if step.reset:
        await world.reset(seed)


@dataclass
class _Search:
    asking: Asking
    judge: JudgeSpec
    task: Task
    world: Environment
    truth: frozenset[str]
    left: int
    found: MilestonesFound = field(default_factory=MilestonesFound)
    states: list[str] = field(default_factory=list)

    async def run(self) -> MilestonesFound:
        if self.judge.mode == "single":
            self.found.reached = await self._true_of(self.task.milestones)
        else:
            for milestone in self.task.milestones:
                if not (reached := await self._true_of([milestone])):
                    break
                self.found.reached += reached
        self.found.chain = digest(*self.states) if self.states else ""
        return self.found

    async def _true_of(self, milestones: Sequence[Milestone]) -> list[str]:
        """Names of those that are reached, after looking around for as long as the judge wants and may."""
        truth = [n for n, m in enumerate(milestones, 1) if m.name in self.truth]
        listed = "\n".join(f"{n}. {m.text}" for n, m in enumerate(milestones, 1))
        done: list[str] = []
        while True:
            seen = await self.world.observe(self.asking.role, SCREEN)
            now = Observation(len(self.asking.replies), seen.views, seen.text)
            may_look = self.left > 0
            system = self.asking.context.instructions_for(self.judge.question, may_look=may_look)
            parts: list[Part | str] = [f"The statements:\n{listed}"]
            parts += ["What you did to find out:\n" + "\n".join(done)] if done else []
            if "state" in self.judge.sees:
                parts.append(json.dumps((await self.world.read()).state))
            neutral = json.dumps({"reached": truth})
            answer = await self.asking.say(system, [*parts, *self.asking.context.observation_parts(now)], neutral)
            reached = numbers(answer, "reached", len(milestones))
            if reached is not None:
                return [milestones[n - 1].name for n in reached]
            look = (answer or {}).get("look")
            if not (may_look and isinstance(look, str)):
                self.found.malformed += 1
                return []
            done.append(await self._act(now, look))

    async def _act(self, seen: Observation, why: str) -> str:
        """One decision to find something out; what was done, in a line."""
        more = [Text(LOOKING.format(why=" ".join(why.split())[:200]))]
        context = self.asking.context
        decision = context.decide(await self.asking.ask(context.action_prompt(seen, more)))
        for action in decision.actions[: self.left]:
            reading = await self.world.step({self.asking.role: action}, look=True)
            self.states.append(reading.state_hash)
        spent = min(self.left, decision.steps)
        self.left -= spent
        self.found.steps += spent
        return f"- {context.describe(decision)}"
