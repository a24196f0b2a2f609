"""Unpacks a pack into a run directory: every episode is replayed from its replies, and its file is written only if the
replay matches every hash of its result. So unpacking proves the episodes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gwray.catalog import load_catalog
from gwray.errors import StoreError
from gwray.pipelines.manifest_check import episode_specs, refuse_other_protocol
from gwray.pipelines.repair import Repaired, find_damage, repair
from gwray.pipelines.replays import ReplayExecutor
from gwray.records import EpisodeRecord
from gwray.store import RunDir, Seal, read_seal, seal_run, unpack_texts


@dataclass(frozen=True)
class Unpacked:
    """Result of unpacking."""

    run: RunDir
    episodes: int
    """Number of episodes with a result in the pack."""
    refused: tuple[Repaired, ...]
    """Episodes that could not be recreated, or differ from their result, with the reason."""
    skipped: tuple[Repaired, ...]
    """Episodes whose result says that they cannot be replayed."""
    redrawn: int
    """Number of episodes with screenshots of another browser: states and texts are proven, screenshots are new."""
    seal: Seal
    """Seal of the pack."""

    @property
    def holds(self) -> bool:
        return not self.refused and not self.seal.broken


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
        records = {r.key: r for r in run.results()}
        seal = await asyncio.to_thread(read_seal, run)
        damages = await asyncio.to_thread(find_damage, run, specs.values(), records)
        if on_begin:
            on_begin(len(damages))
        done = await repair(run, damages, library, executor=executor, trusted=trusted, on_repaired=on_done)
        redrawn = await asyncio.to_thread(_adopt, run, records)
        if redrawn and seal.recorded and not seal.broken:
            seal_run(run)
    lost = [d for d in done if d.record is None]
    return Unpacked(
        run,
        len(records),
        tuple(d for d in lost if d.damage.record.reproducible),
        tuple(d for d in lost if not d.damage.record.reproducible),
        redrawn,
        seal,
    )


def _adopt(run: RunDir, before: Mapping[str, EpisodeRecord]) -> int:
    """Stores the results of episodes replayed with another browser, also those of an interrupted unpacking. Returns how
    many have screenshots of another browser than `before`."""
    records_now, redrawn = [], 0
    records = run.results()
    for record in records:
        try:
            played = run.read_meta(record.key).record if run.has_episode(record.key) else record
        except StoreError:
            played = record
        redrawn += played.browser != before[record.key].browser
        records_now.append(played)
    if records_now != records:
        run.rewrite_results(records_now)
    return redrawn
