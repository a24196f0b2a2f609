"""A judge that says which milestones an episode reached. It plays on from the exact final state to find out. The
recorded actions are replayed into an environment of the judge's own, which is closed afterwards, so judging changes
nothing of the episode. What the judge does there has its own budget and is not scored."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gwray.actions import ACTION
from gwray.agents import Observation, Part, Text
from gwray.analysis import Verdict
from gwray.catalog import Game, Milestone, Task, load_catalog
from gwray.environments import Environment, Opening, open_environment
from gwray.errors import GameError, UsageError
from gwray.judges.kinds import JudgeKind, JudgeResult, RecordedEpisode
from gwray.judges.session import JudgeSession
from gwray.judges.spec import JudgeSpec
from gwray.pipelines import episode_specs, prefix_steps
from gwray.records import EpisodeRecord, PrefixStep, StepRecord, digest
from gwray.spec import ObservationSpec
from gwray.store import RunDir

SCREEN = ObservationSpec()
LOOKING = """\
You do not go on with the task: what you do now is only to find out what you want to know. {why}"""


class MilestoneJudge(JudgeKind):
    """Says which milestones are reached in the final state, after looking around in the game."""

    plays = True
    subject = "tasks without milestones"
    uses = ("per_level", "per_game")

    def has_subject(self, game: Game, task: Task, seed: int) -> bool:
        return bool(task.milestones)

    def select(self, run: RunDir, records: Sequence[EpisodeRecord], judged: Collection[str]) -> Sequence[EpisodeRecord]:
        per_level, per_game = self.spec.per_level, self.spec.per_game
        if not (per_level or per_game):
            return records
        chosen = {state.key for state in sample_final_states(final_states(run, records), per_level, per_game)}
        return [r for r in records if r.key in chosen]

    async def judge(self, episode: RecordedEpisode, session: JudgeSession) -> JudgeResult:
        spec, task = episode.spec, episode.task
        if not task.milestones or not all(m.text for m in task.milestones):
            unnamed = next((m.name for m in task.milestones if not m.text), "")
            missing = f"no text for milestone {unnamed}" if unnamed else "no milestones"
            raise UsageError(
                f"task {task.id} has {missing}; a judge is shown only the texts of milestones. Add `text:` to them in "
                "its game.yaml, or judge other games."
            )
        if spec.cell.timing.mode == "wallclock" or not episode.game.reproducible:
            raise UsageError(
                f"episode {spec.key} cannot be replayed to its end (wall-clock time or a game that is not "
                "reproducible), so a judge cannot continue from there"
            )
        rows = episode.rows()
        before = episode.run.read_prefix(spec.prefix) if spec.prefix else []
        opening = replace(Opening.from_spec(spec, episode.game, task, episode.browser), observation=SCREEN)
        environment = await open_environment(opening, trusted=episode.trusted)
        try:
            for number, step in enumerate([*before, *prefix_steps(rows)]):
                await _replay(environment, step, number, spec.seed)
            # Only judge.model=scripted is given the recorded milestones.
            search = _MilestoneSearch(session, self.spec, task, environment, reached_milestones(rows), self.spec.budget)
            reached = await search.run()
        finally:
            await environment.close()
        chain = digest(*search.states) if search.states else ""
        return JudgeResult(reached, len(reached) / len(task.milestones), search.malformed, search.steps, chain)

    def references(self, run: RunDir, keys: Collection[str]) -> Mapping[str, Mapping[str, Verdict]]:
        """Returns the recorded milestones of each episode's last attempt, under the name "state"."""
        library, found = load_catalog(run.libraries), {}
        for key, spec in episode_specs(run).items():
            if key in keys and run.has_episode(key):
                reached = reached_milestones(run.read_steps(key, images=False))
                milestones = library.game(spec.game).task(spec.task).milestones
                found[key] = Verdict(reached, len(reached) / len(milestones) if milestones else None)
        return {"state": found}


def reached_milestones(rows: Sequence[StepRecord]) -> frozenset[str]:
    """Returns the milestones that an episode's last attempt reached, as recorded in its rows."""
    attempt = rows[-1].attempt + rows[-1].reset if rows else 0
    return frozenset(name for row in rows if row.attempt == attempt for name in row.milestones)


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
class _MilestoneSearch:
    """Asks about milestones, and acts in the game where the judge wants to find something out."""

    session: JudgeSession
    judge: JudgeSpec
    task: Task
    environment: Environment
    recorded: frozenset[str]
    left: int
    """Environment steps that may still be played."""
    malformed: int = 0
    steps: int = 0
    states: list[str] = field(default_factory=list)

    async def run(self) -> list[str]:
        if self.judge.mode == "single":
            return await self._ask(self.task.milestones)
        reached: list[str] = []
        for milestone in self.task.milestones:
            if not (found := await self._ask([milestone])):
                break
            reached += found
        return reached

    async def _ask(self, milestones: Sequence[Milestone]) -> list[str]:
        """Returns the names of those that are reached. The judge may look around first, within its budget."""
        recorded = [n for n, m in enumerate(milestones, 1) if m.name in self.recorded]
        listed = "\n".join(f"{n}. {m.text}" for n, m in enumerate(milestones, 1))
        done: list[str] = []
        while True:
            seen = await self.environment.observe(self.session.role, SCREEN)
            now = Observation(len(self.session.replies), seen.views, seen.text)
            may_look = self.left > 0
            system = self.session.context.instructions_for(self.judge.question, may_look=may_look)
            parts: list[Part | str] = [f"The statements:\n{listed}"]
            parts += ["What you did to find out:\n" + "\n".join(done)] if done else []
            if "state" in self.judge.sees:
                parts.append(json.dumps((await self.environment.read()).state))
            parts += self.session.context.observation_parts(now)
            answer = await self.session.ask_json(system, parts, json.dumps({"reached": recorded}))
            reached = _numbers(answer, len(milestones))
            if reached is not None:
                return [milestones[n - 1].name for n in reached]
            look = (answer or {}).get("look")
            if not (may_look and isinstance(look, str)):
                self.malformed += 1
                return []
            done.append(await self._act(now, look))

    async def _act(self, seen: Observation, why: str) -> str:
        """Plays one decision of the judge and returns a line that describes it."""
        more = [Text(LOOKING.format(why=" ".join(why.split())[:200]))]
        context = self.session.context
        decision = context.decide(await self.session.ask(context.action_prompt(seen, more)))
        for action in decision.actions[: self.left]:
            reading = await self.environment.step({self.session.role: action}, look=True)
            self.states.append(reading.state_hash)
        played = min(self.left, decision.steps)
        self.left -= played
        self.steps += played
        return f"- {context.describe(decision)}"


def _numbers(answer: Mapping[str, object] | None, most: int) -> list[int] | None:
    """Returns the numbers in `reached`, sorted; None if it is not a list of whole numbers from 1 to `most`."""
    given = answer.get("reached") if answer else None
    if not isinstance(given, list):
        return None
    return sorted({*given}) if all(type(n) is int and 1 <= n <= most for n in given) else None


@dataclass(frozen=True)
class FinalState:
    """How an episode ended."""

    key: str
    task: str
    level: int
    """Number of milestones reached."""
    state_hash: str


def final_states(run: RunDir, records: Iterable[EpisodeRecord]) -> list[FinalState]:
    """Returns the final states of those episodes whose files exist."""
    found = []
    for record in records:
        if run.has_episode(record.key) and (rows := run.read_steps(record.key, images=False)):
            level = len(reached_milestones(rows))
            found.append(FinalState(record.key, record.task, level, rows[-1].state_hash))
    return found


def sample_final_states(states: Iterable[FinalState], per_level: int, per_game: int) -> list[FinalState]:
    """Samples different final states with equally many per number of milestones, as FlashAdventure's agreement study.

    The sample takes one of each level first, then a second, and so on. Where `per_game` leaves no room for all levels,
    it takes levels spread evenly from the lowest to the highest. The choice depends on the keys (hashes) alone.

    Args:
        states: Final states of finished episodes; equal ones of a task count once.
        per_level: Limit for each task and level; 0: no limit.
        per_game: Limit for each task; 0: no limit.
    """
    by_task: dict[str, dict[int, list[FinalState]]] = {}
    seen: set[tuple[str, str]] = set()
    for state in sorted(states, key=lambda s: s.key):
        if (state.task, state.state_hash) not in seen:
            seen.add((state.task, state.state_hash))
            by_task.setdefault(state.task, {}).setdefault(state.level, []).append(state)
    sample: list[FinalState] = []
    for levels in by_task.values():
        chosen: list[FinalState] = []
        most = max(map(len, levels.values()))
        for n in range(min(most, per_level or most)):
            candidates = [levels[level][n] for level in sorted(levels) if len(levels[level]) > n]
            chosen += _spread(candidates, per_game - len(chosen)) if per_game else candidates
        sample += chosen
    return sample


def _spread(states: Sequence[FinalState], limit: int) -> list[FinalState]:
    """Returns at most `limit` of these, evenly spread."""
    if limit >= len(states):
        return [*states]
    return [states[(len(states) - 1) * i // max(1, limit - 1)] for i in range(max(0, limit))]
