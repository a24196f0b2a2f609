"""What a verification is about, and what none can prove."""

from dataclasses import dataclass

from gwray.store.run_dir import RunDir

UNPROVABLE = (
    "No replay can prove that a model wrote the replies, nor, where thinking is charged as measured (timing=realtime, "
    "timing=adaptive), that the replies took as long as the log says."
)
"""Shown wherever something is called verified."""


@dataclass(frozen=True)
class Verifiable:
    """Digests of the bytes that findings are about: findings of a run that changes meanwhile say nothing."""

    results: str
    """`RunDir.results_digest`."""
    plan: str
    """`RunDir.plan_digest`."""

    @classmethod
    def read(cls, run: RunDir) -> "Verifiable":
        return cls(run.results_digest(), run.plan_digest())
