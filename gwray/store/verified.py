"""What `gwray verify` found when a run was last played again, kept beside it for whoever reads the run later.

It is what the folder says of itself, and nothing is made of it: whoever can write a folder can write this file too. The
proof is to verify again. It speaks of the results as they were, and is silent once they, or the seal, are others.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, ValidationError

from gwray.store.run_dir import RunDir

Verdict = Literal["identical", "different", "error", "missing", "skipped"]


class Verified(BaseModel):
    """What a run came to when it was played again."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: datetime
    """UTC."""
    gwray: str
    browsers: tuple[str, ...]
    """That it was played in."""
    verdicts: Mapping[Verdict, NonNegativeInt]
    sample: bool
    """Only some of its episodes were played."""
    pictures: NonNegativeInt
    """Identical episodes of which the pictures are compared too."""
    holds: bool
    """Nothing speaks against the run: no episode, and not its seal."""
    results: str
    """`RunDir.results_digest` of what was verified."""
    seal: str

    @property
    def episodes(self) -> int:
        return sum(self.verdicts.values())

    @property
    def sentence(self) -> str:
        """It in words; the names in it are as the file has them."""
        counts = [f"{n:,} {verdict}" for verdict, n in self.verdicts.items() if n and verdict != "identical"]
        counts.insert(0, f"{self.verdicts.get('identical', 0):,} of {self.episodes:,} identical")
        said = ", ".join([*counts, *(["a sample"] if self.sample else [])])
        how = "verified by replay" if self.holds else "played again"
        by = ", ".join([f"gwray {self.gwray}", *(f"browser {b}" for b in self.browsers)])
        return f"{how} on {self.at:%Y-%m-%d}: {said}{'' if self.holds else '; it does not hold'} ({by})"


def read_verified(run: RunDir) -> Verified | None:
    """What is noted, if it still speaks of these results."""
    try:
        found = Verified.model_validate_json(run.read_verified() or b"")
    except ValidationError:
        return None
    return found if (found.results, found.seal) == (run.results_digest(), run.manifest().seal) else None


def note_verified(run: RunDir, found: Verified) -> bool:
    """Note it, unless what is noted says more: a sample in which nothing is wrong takes the place of no whole run.
    Returns whether it was noted; `StoreError` if nothing can be written there."""
    before = read_verified(run)
    if found.sample and found.holds and before is not None and before.episodes >= found.episodes:
        return False
    run.write_verified(found.model_dump_json(indent=1).encode() + b"\n")
    return True
