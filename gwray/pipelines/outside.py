"""Episodes in which a person or an MCP client chooses the actions, one at a time. The usual worker plays and stores
them, so such a run resumes, verifies and is shown like any other. The caller holds the lock of the run directory."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from gwray.agents import OutsideInput
from gwray.errors import AgentError
from gwray.pipelines.manifest import open_run
from gwray.pipelines.outcome import label
from gwray.pipelines.plan import Plan, make_plan
from gwray.pipelines.worker import Worker
from gwray.records import EpisodeRecord, StepRecord
from gwray.settings import EpisodeSpec, RunSpec
from gwray.store import RunDir, Seal, read_seal, seal_after, unseal_run


def finished_keys(run_dir: str) -> set[str]:
    """Returns the keys of the episodes of a run directory that have a result; none if it is not a run yet."""
    return {r.key for r in RunDir.open(run_dir).results()} if RunDir.is_run(run_dir) else set()


def next_attempt(job: RunSpec, skip: Container[str] = ()) -> tuple[Plan, EpisodeSpec]:
    """Returns the first episode of a job without a result, or else one more repeat, and the plan that has it.

    Args:
        job: what to play; its `run_dir` may not exist yet.
        skip: keys of episodes that are not played even without a result.
    """
    done = finished_keys(str(job.run_dir))
    while True:
        plan = make_plan([job])
        for episode in plan.episodes:
            if episode.key not in done and episode.key not in skip:
                return plan, episode
        job = job.model_copy(update={"repeats": job.repeats + 1})


class EpisodeAbandoned(AgentError):
    """A client began another episode, or left, before this one had ended."""


@dataclass(frozen=True)
class Attempt:
    """An episode that is being played, in its run directory."""

    plan: Plan
    episode: EpisodeSpec
    run: RunDir
    seal: Seal
    """Seal of the run before it was continued."""

    @classmethod
    def begin(cls, plan: Plan, episode: EpisodeSpec) -> "Attempt":
        """Creates or continues the run directory for an episode of a plan, and removes its seal. Raises `UsageError`
        if the run has episodes of another version of the game."""
        seal = read_seal(RunDir(plan.run_dir))
        run = open_run(plan, finished=finished_keys(plan.run_dir), keep_seal=seal.broken)
        if not seal.broken:
            unseal_run(run)
        return cls(plan, episode, run, seal)

    async def play(
        self,
        inputs: Mapping[str, OutsideInput],
        on_rows: Callable[[Sequence[StepRecord]], None],
        say: Callable[[str], None],
    ) -> EpisodeRecord:
        """Plays the episode in a browser of its own, stores its record, and seals the run if it is complete.

        Args:
            inputs: where replies arrive, by role.
            on_rows: called with the rows of each environment step.
            say: receives a notice if the run had been changed after it was sealed.
        """
        worker = Worker(
            self.run.url,
            tuple(str(r) for r in self.plan.library.extra),
            self.plan.settings.executor,
            human_inputs={(self.episode.key, role): given for role, given in inputs.items()},
            on_rows=on_rows,
        )
        try:
            record = await worker.play(self.episode)
        finally:
            await worker.close()
        (self.run.append_result if record.status == "finished" else self.run.append_failure)(record)
        if notice := seal_after(self.run, self.seal):
            say(notice)
        return record

    def abandon(self) -> None:
        """Records that the episode has no result, because its client gave it up."""
        error = EpisodeAbandoned("the client began another episode, or left, before this one had ended")
        failed = {"status": "failed", "error_message": str(error), **error.error_fields()}
        self.run.append_failure(label(self.episode).model_copy(update=failed))
