"""Proof of a pack: a record of what replaying it has proven, so that it need not be replayed again.

The record has the digest of the pack's bytes, so an edited pack has no proof. Nothing that the pack claims counts as a
proof, and games come from the prover's libraries, never from a folder that the pack names. Proofs are kept in the
user's cache, because a record is believed without a replay.
"""

import errno
import hashlib
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from gwray import __version__
from gwray.catalog import load_catalog
from gwray.errors import UsageError
from gwray.pipelines import code_hash
from gwray.places import read_regular
from gwray.settings import PROTOCOL_VERSION
from gwray.verification import Repaired, ReplayExecutor, Unpacked, unpack_run


class Proof(BaseModel):
    """Result of replaying a pack."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pack: str
    """SHA-256 of the file's bytes."""
    at: str
    """Time of the replay, in UTC."""
    gwray: str
    code: str
    """Digest of the gwray package that replayed it."""
    protocol: int
    browsers: tuple[str, ...]
    """Browsers of the screenshots."""
    drawn_anew: int
    """Number of episodes recorded with another browser: their states and texts are proven, screenshots are not."""
    games: dict[str, str]
    """Digest of each game's files in the replay."""
    cells: dict[str, str]
    """By cell of the pack: why it is not proven; empty: all its results are."""
    refused: tuple[str, ...] = ()
    """Keys of results that the replay contradicts."""

    def is_current(self, libraries: Sequence[str] = ()) -> bool:
        """Returns whether a replay here would use the same games and protocol."""
        here = load_catalog(libraries).games
        same = all(game in here and here[game].files_hash == digest for game, digest in self.games.items())
        return same and self.protocol == PROTOCOL_VERSION


def digest_of(pack: Path) -> str:
    """Returns the SHA-256 of a pack's bytes. Raises `UsageError` if it cannot be read."""
    try:
        if not pack.is_file():
            raise OSError(errno.EINVAL, "no file, or not a regular one")
        with pack.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as e:
        raise UsageError(f"{pack} cannot be read: {e.strerror}. `gwray pack RUN -o FILE` makes a pack.") from e


def read_proof(file: Path, digest: str, libraries: Sequence[str] = ()) -> Proof | None:
    """Returns the proof in a file if it is of this pack and current; otherwise None."""
    try:
        found = Proof.model_validate_json(read_regular(file))
    except (OSError, ValidationError):
        return None
    return found if found.pack == digest and found.is_current(libraries) else None


async def prove_pack(
    pack: Path,
    folder: str,
    *,
    libraries: Sequence[str] = (),
    executor: ReplayExecutor | None = None,
    trusted: Collection[str] = (),
    on_begin: Callable[[int], None] | None = None,
    on_done: Callable[[Repaired], None] | None = None,
) -> tuple[Unpacked, Proof]:
    """Replays every episode of a pack into a new run directory and compares the results. No other user may write into
    `folder`: files in it count as replayed. `libraries`: further folders of games. Other arguments and errors as in
    `unpack_run`."""
    digest = digest_of(pack)
    done = await unpack_run(
        pack, folder, libraries=libraries, executor=executor, trusted=trusted, on_begin=on_begin, on_done=on_done
    )
    if digest_of(pack) != digest:
        raise UsageError(f"{pack} was changed while it was read")
    why = _unproven(done)
    records, manifest, here = done.run.results(), done.run.manifest(), load_catalog(libraries).games
    proof = Proof(
        pack=digest,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        gwray=__version__,
        code=code_hash()[:12],
        protocol=PROTOCOL_VERSION,
        browsers=tuple(sorted({r.browser for r in records})),
        drawn_anew=done.redrawn,
        games={game: here[game].files_hash for game in manifest.episodes.games() if game in here},
        cells={cell.id: why.get(cell.id, why.get("", "")) for cell in manifest.cells},
        refused=(*done.unplanned, *(one.damage.spec.key for one in done.refused)),
    )
    return done, proof


def _unproven(done: Unpacked) -> dict[str, str]:
    """Returns the reason per cell that is not proven; the key "" is for all cells."""
    why: dict[str, str] = {}
    if done.seal.broken:
        why[""] = done.seal.sentence
    if not done.seal.recorded:
        why[""] = "the pack has no seal: gwray pack makes one with a seal"
    if done.unplanned:
        why[""] = f"results.jsonl has {done.unplanned[0]} twice, or run.json does not plan it"
    for one in (*done.refused, *done.skipped):
        why.setdefault(one.damage.spec.cell_id, f"{one.damage.spec.task} {one.damage.spec.key}: {one.why}")
    for found in done.findings:
        # A failed episode has no score to prove, and leaves its cell incomplete.
        if found.verdict != "skipped" and (found.detail or not found.holds):
            why.setdefault(found.cell, f"{found.task} {found.key}: {found.detail}".strip())
    return why
