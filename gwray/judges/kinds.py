"""The contract of a kind of judge."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from gwray.analysis import Verdict
from gwray.catalog import Game, Task
from gwray.environments import BrowserSource
from gwray.judges.session import JudgeSession
from gwray.judges.spec import JudgeSpec, checked_kind
from gwray.records import EpisodeRecord, StepRecord
from gwray.settings import EpisodeSpec
from gwray.store import RunDir


@dataclass(frozen=True)
class RecordedEpisode:
    """The episode that a judge is asked about."""

    run: RunDir
    spec: EpisodeSpec
    game: Game
    task: Task
    browser: BrowserSource
    trusted: Collection[str]
    """Names of custom code that may be imported."""

    def rows(self) -> list[StepRecord]:
        """Returns the recorded steps without screenshots."""
        return self.run.read_steps(self.spec.key, images=False)


@dataclass(frozen=True)
class JudgeResult:
    """The verdict of a judge on one episode; stored in its `gwray.records.Judgement`."""

    labels: Sequence[str] = ()
    score: float | None = None
    """A fraction; None for kinds without scores."""
    malformed: int = 0
    """Answers that could not be read."""
    steps: int = 0
    """Environment steps that the judge played."""
    state_chain: str = ""
    """Hash over the states of these steps; empty without any."""


class JudgeKind:
    """One kind of judge. A profile in `conf/judge/` names it: `kind: my_package.MyJudge`.

    The verdict must follow from the recorded episode and the replies alone, so that it can be verified without a model.

    Example:
        ```python
        from gwray.judges import JudgeKind, JudgeResult

        class Length(JudgeKind):
            async def judge(self, episode, session):
                text = f"The episode has {len(episode.rows())} steps."
                answer = await session.ask_json(self.spec.question, [text], neutral='{"long": false}')
                return JudgeResult(["long"] if answer and answer.get("long") else [], malformed=int(answer is None))
        ```
    """

    plays: ClassVar[bool] = False
    """Whether the judge acts in the game, so that verifying its verdicts needs a browser."""
    named_by_model: ClassVar[bool] = False
    """Whether `gwray judge` appends the model to the judge's name, so that several models judge one run."""
    subject: ClassVar[str] = ""
    """Names the episodes that `has_subject` refuses, for the notice that they are skipped."""
    uses: ClassVar[Collection[str]] = ("labels", "per_level", "per_game", "options")
    """Which of these settings the kind has; others are refused."""

    def __init__(self, spec: JudgeSpec):
        self.spec = spec

    @classmethod
    def check(cls, spec: JudgeSpec) -> None:
        """Raises `ValueError` for settings that the kind does not have or cannot use."""
        for name in sorted({*JudgeKind.uses} - {*cls.uses}):
            if getattr(spec, name):
                raise ValueError(f"`{name}` has no meaning for a judge of kind `{spec.kind}`; remove it")

    @property
    def annotation_labels(self) -> Collection[str]:
        """Labels that people may give in the judge's column of `annotations.csv`; empty: any."""
        return self.spec.labels

    def has_subject(self, game: Game, task: Task, seed: int) -> bool:
        """Returns whether the judge has anything to ask about episodes of a task."""
        return True

    def select(self, run: RunDir, records: Sequence[EpisodeRecord], judged: Collection[str]) -> Sequence[EpisodeRecord]:
        """Returns the episodes to judge. `judged`: keys of those that are judged already."""
        return records

    async def judge(self, episode: RecordedEpisode, session: JudgeSession) -> JudgeResult:
        """Judges one episode.

        Raises:
            UsageError: If the episode cannot be judged; it is reported and the others are judged.
        """
        raise NotImplementedError

    def references(self, run: RunDir, keys: Collection[str]) -> Mapping[str, Mapping[str, Verdict]]:
        """Returns verdicts that follow from the records alone, to compare the judge's verdicts with.

        Args:
            keys: of the episodes to compare; those without a record are omitted.

        Returns:
            Name of the reference, such as "state" or "rules" → episode key → verdict.
        """
        return {}

    def summary(self, run: RunDir) -> list[str]:
        """Returns lines that `gwray judge` prints after the verdicts."""
        return []


def load_kind(spec: JudgeSpec, trusted: Collection[str] | None = None) -> JudgeKind:
    """Returns the judge of a profile. Arguments and errors are those of `gwray.judges.spec.checked_kind`."""
    kind: type[JudgeKind] = checked_kind(spec, trusted)
    return kind(spec)
