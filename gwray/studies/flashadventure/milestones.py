"""A judge that says which milestones an episode reached, after looking around in its final state."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gwray.analysis import Verdict
from gwray.catalog import Game, Milestone, Task, load_catalog
from gwray.errors import UsageError
from gwray.judges import JudgeResult
from gwray.records import EpisodeRecord, StepRecord
from gwray.store import RunDir
from gwray.studies.flashadventure.playing import LookAround, PlayingJudge
from gwray.verification import episode_specs


class MilestoneJudge(PlayingJudge):
    """Says which milestones are reached in the final state, after looking around in the game."""

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

    def require(self, task: Task) -> None:
        if not task.milestones or not all(m.text for m in task.milestones):
            unnamed = next((m.name for m in task.milestones if not m.text), "")
            missing = f"no text for milestone {unnamed}" if unnamed else "no milestones"
            raise UsageError(
                f"task {task.id} has {missing}; a judge is shown only the texts of milestones. Add `text:` to them in "
                "its game.yaml, or judge other games."
            )

    async def find_out(self, look: LookAround, rows: Sequence[StepRecord]) -> JudgeResult:
        milestones = look.task.milestones
        mode = (look.task.judge.mode or "sequential") if self.spec.mode == "task" else self.spec.mode
        # Only judge.model=scripted is given the recorded milestones.
        recorded, reached = reached_milestones(rows), list[str]()
        for asked in [milestones] if mode == "single" else [(m,) for m in milestones]:
            found = await _ask(look, asked, recorded)
            reached += found
            if not found:
                break
        return JudgeResult(reached, len(reached) / len(milestones))

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


async def _ask(look: LookAround, milestones: Sequence[Milestone], recorded: Collection[str]) -> list[str]:
    """Returns the names of those that are reached."""
    listed = "\n".join(f"{n}. {m.text}" for n, m in enumerate(milestones, 1))
    neutral = {"reached": [n for n, m in enumerate(milestones, 1) if m.name in recorded]}
    numbers = await look.ask(f"The statements:\n{listed}", neutral, lambda answer: _numbers(answer, len(milestones)))
    return [milestones[n - 1].name for n in numbers or ()]


def _numbers(answer: Mapping[str, object], most: int) -> list[int] | None:
    """Returns the numbers in `reached`, sorted; None if it is not a list of whole numbers from 1 to `most`."""
    given = answer.get("reached")
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
