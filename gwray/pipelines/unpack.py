"""From a pack to a run directory: every episode is played again from its replies, and its file is written only if it
comes to every hash of its result. What was unpacked is proven by having been unpacked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gwray.catalog import load_catalog
from gwray.errors import StoreError
from gwray.pipelines.described import episode_specs, refuse_other_protocol
from gwray.pipelines.repair import Repaired, find_damage, repair
from gwray.pipelines.replays import ReplayExecutor
from gwray.records import EpisodeRecord
from gwray.store import RunDir, Seal, read_seal, seal_run, unpack_texts


@dataclass(frozen=True)
class Unpacked:
    """What came of a pack."""

    run: RunDir
    episodes: int
    """With a result in the pack."""
    refused: tuple[Repaired, ...]
    """Those that could not be made again, or came to something else, with the reason."""
    skipped: tuple[Repaired, ...]
    """Those of which the result itself says that they cannot be played again."""
    drawn_anew: int
    """Those whose pictures another browser has drawn now: states and words are proven, pictures are new."""
    seal: Seal
    """Of the pack, as it was read."""

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
    """Unpack and play. Given again after it was broken off, it plays what is missing.

    `libraries`: folders of games instead of those that the run names. `executor` and `trusted` as in `verify_run`.
    `on_begin` hears how many episodes are to be played. Raises `UsageError` for a pack that is refused or of another
    protocol.
    """
    run = await asyncio.to_thread(unpack_texts, pack, url)
    with run.lock("unpacked"):
        manifest = run.manifest()
        refuse_other_protocol(manifest)
        library = load_catalog(manifest.get("libraries", ()) if libraries is None else libraries)
        specs = episode_specs(run)
        records = {r.key: r for r in run.results()}
        seal = await asyncio.to_thread(read_seal, run)
        damages = await asyncio.to_thread(find_damage, run, specs.values(), records)
        if on_begin:
            on_begin(len(damages))
        done = await repair(run, damages, library, executor=executor, trusted=trusted, on_repaired=on_done)
        anew = await asyncio.to_thread(_adopt, run, records)
        if anew and seal.recorded and not seal.broken:
            seal_run(run)
    lost = [d for d in done if d.record is None]
    return Unpacked(
        run,
        len(records),
        tuple(d for d in lost if d.damage.record.reproducible),
        tuple(d for d in lost if not d.damage.record.reproducible),
        anew,
        seal,
    )


def _adopt(run: RunDir, before: Mapping[str, EpisodeRecord]) -> int:
    """Take the results of what was played with another browser over, also of an earlier try that was broken off before
    it came to that; returns how many have pictures of another browser than `before`."""
    made, anew = [], 0
    records = run.results()
    for record in records:
        try:
            played = run.read_meta(record.key).record if run.has_episode(record.key) else record
        except StoreError:
            played = record
        anew += played.browser != before[record.key].browser
        made.append(played)
    if made != records:
        run.rewrite_results(made)
    return anew
