"""The findings of the last `gwray verify`, stored with the run.

They are only a claim: anyone who can write the folder can write this file. The proof is to verify again. The findings
hold for the bytes of plan and results that were replayed: they are not stored if these changed during the replay, and
ignored once they have changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, ValidationError

from gwray.store.run_dir import RunDir

Verdict = Literal["identical", "different", "error", "missing", "skipped"]

UNPROVABLE = (
    "No replay can prove that a model wrote the replies, nor, where thinking is charged as measured (timing=realtime, "
    "timing=adaptive), that the replies took as long as the log says."
)
"""Shown wherever something is called verified."""


@dataclass(frozen=True)
class Verifiable:
    """Digests of the bytes that findings are about."""

    results: str
    """`RunDir.results_digest`."""
    plan: str
    """`RunDir.plan_digest`."""

    @classmethod
    def read(cls, run: RunDir) -> "Verifiable":
        return cls(run.results_digest(), run.plan_digest())


class Verified(BaseModel):
    """Findings of a verification."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: datetime
    """UTC."""
    gwray: str
    browsers: tuple[str, ...]
    """Browsers that it was replayed in."""
    verdicts: Mapping[Verdict, NonNegativeInt]
    sample: bool
    """Whether only some episodes were replayed."""
    pictures: NonNegativeInt
    """Number of identical episodes whose screenshots were compared too."""
    holds: bool
    """Whether all episodes and the seal passed."""
    results: str
    """`RunDir.results_digest` of the verified results."""
    seal: str
    plan: str
    """`RunDir.plan_digest` of the verified plan."""

    @property
    def episodes(self) -> int:
        return sum(self.verdicts.values())

    @property
    def sentence(self) -> str:
        """The findings as text; names are not escaped."""
        counts = [f"{n:,} {verdict}" for verdict, n in self.verdicts.items() if n and verdict != "identical"]
        counts.insert(0, f"{self.verdicts.get('identical', 0):,} of {self.episodes:,} identical")
        summary = ", ".join([*counts, *(["a sample"] if self.sample else [])])
        how = "verified by replay" if self.holds else "played again"
        by = ", ".join([f"gwray {self.gwray}", *(f"browser {b}" for b in self.browsers)])
        return f"{how} on {self.at:%Y-%m-%d}: {summary}{'' if self.holds else '; it does not hold'} ({by})"


def read_verified(run: RunDir) -> Verified | None:
    """Returns the stored findings, if they apply to the current results."""
    try:
        found = Verified.model_validate_json(run.read_verified() or b"")
    except ValidationError:
        return None
    now = Verifiable.read(run)
    same = (found.results, found.seal) == (now.results, run.manifest().seal) and found.plan == now.plan
    return found if same else None


def note_verified(run: RunDir, found: Verified) -> bool:
    """Stores findings, unless a passed sample would replace findings about more episodes. Returns whether they were
    stored; raises `StoreError` if the folder is not writable."""
    before = read_verified(run)
    if found.sample and found.holds and before is not None and before.episodes >= found.episodes:
        return False
    run.write_verified(found.model_dump_json(indent=1).encode() + b"\n")
    return True
