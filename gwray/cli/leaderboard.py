"""`gwray leaderboard`: replays packs, caches what was verified, and writes the page."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from gwray.catalog import load_catalog
from gwray.cli.console import terminal
from gwray.cli.signals import run_to_end
from gwray.errors import GwrayError
from gwray.pipelines import Proof, ReplayExecutor, digest_of, prove_pack, read_proof
from gwray.report import PackEntry, build_leaderboard, comparison_groups, leaderboard_folder
from gwray.store import RunDir, results_frame, unpack_texts


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
        for pack in packs:
            try:
                digest = digest_of(pack)
                if digest in digests:
                    continue
                digests.add(digest)
                entry, fresh = _entry(pack, digest, out, libraries, trusted, executor, restart, bar)
                comparison_groups([entry], catalog)  # raises for packs that cannot be shown
            except GwrayError as e:
                refused.append(f"{pack.name}: {e}")
                console.print(f"[red]refused[/] {escape(refused[-1])}", highlight=False, soft_wrap=True)
                continue
            entries.append(entry)
            proven = sum(not why for why in entry.proof.cells.values())
            when = "replayed now" if fresh else f"replayed {entry.proof.at}"
            line = f"{pack.name}: {proven} of {len(entry.proof.cells)} players verified, {when}"
            console.print(line, highlight=False, markup=False, soft_wrap=True)
    index = build_leaderboard(entries, out, catalog, title=title, refused=refused)
    console.print(str(index), highlight=False, markup=False, soft_wrap=True)
    return not refused and not any(why for e in entries for why in e.proof.cells.values())


def _entry(
    pack: Path,
    digest: str,
    out: Path,
    libraries: Sequence[str],
    trusted: Sequence[str],
    executor: Callable[[], ReplayExecutor],
    restart: bool,
    bar: Progress,
) -> tuple[PackEntry, bool]:
    """Returns a pack with its proof, and whether it was replayed now."""
    record, place = out / "proofs" / f"{digest}.json", out / ".unpacking" / digest
    record.parent.mkdir(exist_ok=True)
    proof = None if restart else read_proof(record, digest, libraries)
    if restart:
        shutil.rmtree(place, ignore_errors=True)
    fresh = proof is None
    if proof is None:
        run, proof = _prove(pack, place, libraries, trusted, executor, bar)
        record.write_text(proof.model_dump_json(indent=1) + "\n", encoding="utf-8")
    else:
        run = unpack_texts(pack, str(place))
    entry = PackEntry(pack.name, results_frame(run), run.manifest().without_forks(), proof)
    shutil.rmtree(place, ignore_errors=True)
    with contextlib.suppress(OSError):
        place.parent.rmdir()  # not empty while another pack waits to be resumed
    return entry, fresh


def _prove(
    pack: Path,
    place: Path,
    libraries: Sequence[str],
    trusted: Sequence[str],
    executor: Callable[[], ReplayExecutor],
    bar: Progress,
) -> tuple[RunDir, Proof]:
    task = bar.add_task(f"replaying {pack.name}", total=None)
    try:
        done, proof = run_to_end(
            prove_pack(
                pack, str(place), libraries=libraries, executor=executor(), trusted=trusted,
                on_begin=lambda total: bar.update(task, total=total), on_done=lambda _: bar.advance(task),
            )
        )  # fmt: skip
    finally:
        bar.remove_task(task)
    return done.run, proof
