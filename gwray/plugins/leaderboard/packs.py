"""`gwray leaderboard`: replays packs, caches what was verified, and writes the page."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from gwray.catalog import load_catalog
from gwray.cli.console import terminal
from gwray.cli.signals import run_to_end
from gwray.errors import GwrayError
from gwray.pages import counted
from gwray.places import cache
from gwray.plugins.leaderboard.page import PackEntry, build_leaderboard, comparison_groups, leaderboard_folder
from gwray.plugins.leaderboard.proof import Proof, digest_of, prove_pack, read_proof
from gwray.store import RunDir, results_frame, unpack_texts
from gwray.verification import ReplayExecutor


def make_leaderboard(
    packs: Sequence[Path],
    out: Path,
    console: Console,
    *,
    title: str,
    libraries: Sequence[str],
    trusted: Sequence[str],
    executor: Callable[[], ReplayExecutor],
    restart: bool,
) -> bool:
    """Writes the page. Returns whether every pack could be read and every row is verified."""
    leaderboard_folder(out)
    catalog = load_catalog(libraries)
    entries: list[PackEntry] = []
    refused: list[str] = []
    digests: set[str] = set()
    with Progress(console=terminal(stderr=True), transient=True) as bar:
        prover = _Prover(libraries, trusted, executor, restart, bar)
        for pack in packs:
            try:
                digest = digest_of(pack)
                if digest in digests:
                    continue
                digests.add(digest)
                entry, fresh = prover.entry(pack, digest)
                found = comparison_groups([entry], catalog)  # raises for packs that cannot be shown
            except Exception as e:  # a damaged pack costs only itself, whatever a reader of it raises
                why = str(e) if isinstance(e, GwrayError) else f"it cannot be read: {type(e).__name__}: {e}"
                refused.append(f"{pack.name}: {why}")
                console.print(f"[red]refused[/] {escape(refused[-1])}", highlight=False, soft_wrap=True)
                continue
            entries.append(entry)
            rows = [row for group in found for row in group.rows]  # several cells may be one row
            proven = sum(row.verified for row in rows)
            when = "replayed now" if fresh else f"replayed {entry.proof.at}"
            line = f"{pack.name}: {proven} of {counted(len(rows), 'row')} verified, {when}"
            console.print(line, highlight=False, markup=False, soft_wrap=True)
    index = build_leaderboard(entries, out, catalog, title=title, refused=refused)
    console.print(str(index), highlight=False, markup=False, soft_wrap=True)
    return not refused and not any(why for e in entries for why in e.proof.cells.values())


@dataclass(frozen=True)
class _Prover:
    """Replays packs, and remembers the proofs in the user's cache, which no submitter can write."""

    libraries: Sequence[str]
    trusted: Sequence[str]
    executor: Callable[[], ReplayExecutor]
    restart: bool
    bar: Progress

    def entry(self, pack: Path, digest: str) -> tuple[PackEntry, bool]:
        """Returns a pack with its proof, and whether it was replayed now."""
        record, place = cache() / "proofs" / f"{digest}.json", cache() / "unpacking" / digest
        proof = None if self.restart else read_proof(record, digest, self.libraries)
        if self.restart:
            shutil.rmtree(place, ignore_errors=True)
        fresh = proof is None
        if proof is None:
            run, proof = self._prove(pack, place)
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text(proof.model_dump_json(indent=1) + "\n", encoding="utf-8")
        else:
            run = unpack_texts(pack, str(place))
        frame = results_frame(run).filter(~pl.col("key").is_in(proof.refused))
        entry = PackEntry(pack.name, frame, run.manifest().without_forks(), proof)
        shutil.rmtree(place, ignore_errors=True)  # an interrupted replay leaves it, and is resumed from it
        return entry, fresh

    def _prove(self, pack: Path, place: Path) -> tuple[RunDir, Proof]:
        task = self.bar.add_task(f"replaying {pack.name}", total=None)
        try:
            done, proof = run_to_end(
                prove_pack(
                    pack, str(place), libraries=self.libraries, executor=self.executor(), trusted=self.trusted,
                    on_begin=lambda total: self.bar.update(task, total=total),
                    on_done=lambda _: self.bar.advance(task),
                )
            )  # fmt: skip
        finally:
            self.bar.remove_task(task)
        return done.run, proof
