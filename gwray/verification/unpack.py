"""Unpacks a pack into a run directory: every episode is replayed from its replies, and its file is written only if the
replay matches every hash of its result. What was restored is then checked like any other run, see `verify_stored`. So
unpacking proves the episodes.

Results that the replay contradicts are removed, so nothing that reads the directory shows them; the run then has no
seal. What the result claims about its reproducibility is ignored: only the replay decides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gwray.catalog import load_catalog
from gwray.errors import StoreError
from gwray.records import EpisodeRecord
from gwray.settings import EpisodeSpec
from gwray.store import RunDir, Seal, read_seal, seal_run, unpack_texts, unseal_run
from gwray.verification.findings import RECORD_FIELDS, Verification, differing_field
from gwray.verification.manifest_check import episode_specs, refuse_other_protocol
from gwray.verification.repair import Damage, Repaired, find_damage, repair
from gwray.verification.replays import ReplayExecutor
from gwray.verification.stored import results_by_key, verify_stored


@dataclass(frozen=True)
class Unpacked:
    """Result of unpacking."""

    run: RunDir
    planned: int
    """Number of episodes that the pack plans."""
    refused: tuple[Repaired, ...]
    """Episodes that could not be recreated, or differ from their result, with the reason."""
    skipped: tuple[Repaired, ...]
    """Episodes whose replay was not reproducible: their results stay, unproven."""
    unplanned: tuple[str, ...]
    """Keys of results that the pack's plan does not have, or that it has twice."""
    redrawn: int
    """Number of episodes with screenshots of another browser: states and texts are proven, screenshots are new."""
    seal: Seal
    """Seal of the pack."""
    findings: tuple[Verification, ...]
    """Result of `verify_stored` for the restored run, without episodes that are refused, skipped or unplanned."""

    @property
    def proven(self) -> int:
        """Number of episodes whose replay equals their result."""
        return sum(f.proven for f in self.findings)

    @property
    def holds(self) -> bool:
        """Whether nothing contradicts the pack, every planned episode has a result or failed, and at least one is
        proven."""
        contradicted = self.refused or self.unplanned or self.seal.broken or not all(f.holds for f in self.findings)
        return not contradicted and (self.proven > 0 or not self.planned)


async def unpack_run(
    pack: Path,
    url: str,
    *,
    libraries: Sequence[str] | None = None,
    executor: ReplayExecutor | None = None,
    trusted: Collection[str] = (),
    on_begin: Callable[[int], None] | None = None,
    on_done: Callable[[Repaired], None] | None = None,
) -> Unpacked:
    """Unpacks a pack and replays its episodes. Resumes an interrupted unpacking.

    Args:
        libraries: folders of games; default: those of the run.
        executor, trusted: as in `verify_run`.
        on_begin: called with the number of episodes to replay.
        on_done: called with each result.

    Raises:
        UsageError: the pack is invalid or of another protocol version.
    """
    run = await asyncio.to_thread(unpack_texts, pack, url)
    with run.lock("unpacked"):
        manifest = run.manifest()
        refuse_other_protocol(manifest)
        library = load_catalog(run.libraries if libraries is None else libraries)
        specs = episode_specs(run)
        lines = await asyncio.to_thread(results_by_key, run)
        records = {key: found[-1] for key, found in lines.items()}
        unplanned = tuple(key for key, found in lines.items() if key not in specs or len(found) > 1)
        seal = await asyncio.to_thread(read_seal, run)
        planned = {key: record for key, record in records.items() if key not in unplanned}
        damages = await asyncio.to_thread(_to_replay, run, specs, planned)
        # Only proven results are stored from here on, so an interrupted unpacking leaves no others.
        replaying = {d.spec.key for d in damages}
        unseal_run(run)
        run.rewrite_results(r for r in planned.values() if r.key not in replaying)
        if on_begin:
            on_begin(len(damages))
        done = await repair(run, damages, library, executor=executor, trusted=trusted, on_repaired=on_done)
        lost = [d for d in done if d.record is None]
        refused = tuple(d for d in lost if not d.irreproducible)
        removed = {*unplanned, *(d.damage.spec.key for d in refused)}
        redrawn = await asyncio.to_thread(_store, run, [r for r in records.values() if r.key not in removed])
        known = {*unplanned, *(d.damage.spec.key for d in lost)}
        checked = await asyncio.to_thread(verify_stored, run, libraries=libraries)
        findings = tuple(f for f in checked if f.key not in known)
        if seal.recorded and not removed:
            seal_run(run, seal.recorded if seal.broken else "")
    skipped = tuple(d for d in lost if d.irreproducible)
    return Unpacked(run, len(specs), refused, skipped, unplanned, redrawn, seal, findings)


def _to_replay(run: RunDir, specs: Mapping[str, EpisodeSpec], records: Mapping[str, EpisodeRecord]) -> Sequence[Damage]:
    """Returns the episodes without an intact file of this result."""
    damages = find_damage(run, specs.values(), records)
    known = {d.spec.key for d in damages}
    for key in (k for k in records if k in specs and k not in known):
        if detail := differing_field(records[key], run.read_meta(key).record, fields=RECORD_FIELDS):
            damages.append(Damage(specs[key], records[key], file=f"Its file is of another result ({detail})."))
    return damages


def _store(run: RunDir, records: Sequence[EpisodeRecord]) -> int:
    """Stores results: those of the replay where another browser made the screenshots. Returns the number of these."""
    stored = []
    for record in records:
        try:
            stored.append(run.read_meta(record.key).record if run.has_episode(record.key) else record)
        except StoreError:
            stored.append(record)
    run.rewrite_results(stored)
    return sum(now.browser != before.browser for now, before in zip(stored, records, strict=True))
