"""A judge that reads the score of a game without milestones, after looking around in its final state."""

from collections.abc import Collection, Mapping, Sequence

from gwray.analysis import Verdict
from gwray.catalog import Game, Task, load_catalog
from gwray.errors import UsageError
from gwray.evaluation import score_of
from gwray.judges import JudgeResult
from gwray.records import StepRecord
from gwray.store import RunDir
from gwray.studies.flashadventure.playing import LookAround, PlayingJudge
from gwray.verification import episode_specs


class ScoreJudge(PlayingJudge):
    """Reads the score in the final state. Its verdict is the score as a share of the highest that can be attained."""

    subject = "tasks without a score that a judge can read (`judge: {score: …}` in game.yaml)"
    uses = ()

    def has_subject(self, game: Game, task: Task, seed: int) -> bool:
        return bool(task.judge.score) and task.target is not None

    def require(self, task: Task) -> None:
        if not task.judge.score or task.target is None:
            raise UsageError(
                f"task {task.id} has no score that a judge can read; describe it by `judge: {{score: …}}` in its "
                "game.yaml, or judge other games"
            )

    async def find_out(self, look: LookAround, rows: Sequence[StepRecord]) -> JudgeResult:
        recorded = score_of(rows[-1].state, look.task) if rows else 0.0
        found = await look.ask(f"The score: {look.task.judge.score}", {"score": recorded}, _number)
        return JudgeResult(score=None if found is None else found / _maximum(look.task))

    def references(self, run: RunDir, keys: Collection[str]) -> Mapping[str, Mapping[str, Verdict]]:
        """Returns the scores of the final states, with the tolerance of their tasks, under the name "state"."""
        library, found = load_catalog(run.libraries), {}
        for key, spec in episode_specs(run).items():
            if key in keys and run.has_episode(key):
                task = library.game(spec.game).task(spec.task)
                rows = run.read_steps(key, images=False)
                share = score_of(rows[-1].state, task) / _maximum(task)
                found[key] = Verdict(frozenset(), share, task.judge.tolerance / abs(_maximum(task)))
        return {"state": found}


def _maximum(task: Task) -> float:
    return task.progress.maximum or task.target or 1.0


def _number(answer: Mapping[str, object]) -> float | None:
    value = answer.get("score")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
