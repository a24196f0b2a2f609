"""What playing a pack again has proven of it, as a record that others may rely on who did not play it.

The record names the pack by the digest of its bytes, so it speaks of no other pack: who edits one has a pack that
nothing is recorded of. Nothing that the pack says of itself is taken for a proof, and games come from the libraries of
whoever proves, never from a folder that the pack names.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from gwray.catalog import load_catalog
from gwray.errors import UsageError
from gwray.pipelines.node import code_hash
from gwray.pipelines.repair import Repaired
from gwray.pipelines.replays import ReplayExecutor
from gwray.pipelines.stored import verify_stored
from gwray.pipelines.unpack import Unpacked, unpack_run
from gwray.spec import PROTOCOL_VERSION
from gwray.version import __version__


class Proof(BaseModel):
    """What one replay of one pack came to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pack: str
    """SHA-256 of the file's bytes."""
    at: str
    """When it was played, in UTC."""
    gwray: str
    code: str
    """Digest of the package that played it."""
    protocol: int
    browsers: tuple[str, ...]
    """That the pictures are of now."""
    drawn_anew: int
    """Episodes of which another browser had drawn the pictures: states and words are proven of them, pictures not."""
    games: dict[str, str]
    """Digest of each game's files, as they were played."""
    cells: dict[str, str]
    """Each cell of the pack: why it is not proven; empty: every result of it is."""

    def still_speaks(self, libraries: Sequence[str] = ()) -> bool:
        """Whether playing it here, now, would be playing the same games by the same protocol."""
        here = load_catalog(libraries).games
        same = all(game in here and here[game].files_hash == digest for game, digest in self.games.items())
        return same and self.protocol == PROTOCOL_VERSION


def digest_of(pack: Path) -> str:
    """SHA-256 of a pack's bytes. `UsageError` if it is no file."""
    try:
        with pack.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as e:
        raise UsageError(f"{pack} cannot be read: {e.strerror}. `gwray pack RUN -o FILE` makes a pack.") from e


def read_proof(file: Path, digest: str, libraries: Sequence[str] = ()) -> Proof | None:
    """What is recorded in a file of the pack with this digest, if it still speaks of it."""
    try:
        found = Proof.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None
    return found if found.pack == digest and found.still_speaks(libraries) else None


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
    """Play every episode of a pack again, into a new run directory, and hold what comes of it against what the pack
    says of itself. Nobody else may write into `folder`: what lies there is taken for played.

    `libraries`: further folders of games. The rest as in `unpack_run`, which says what is raised.
    """
    digest = digest_of(pack)
    done = await unpack_run(
        pack, folder, libraries=libraries, executor=executor, trusted=trusted, on_begin=on_begin, on_done=on_done
    )
    if digest_of(pack) != digest:
        raise UsageError(f"{pack} was changed while it was read")
    why = await asyncio.to_thread(_unproven, done, libraries)
    records, manifest, here = done.run.results(), done.run.manifest(), load_catalog(libraries).games
    played = {e["game"] for e in manifest["episodes"]}
    proof = Proof(
        pack=digest,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        gwray=__version__,
        code=code_hash()[:12],
        protocol=PROTOCOL_VERSION,
        browsers=tuple(sorted({r.browser for r in records})),
        drawn_anew=done.drawn_anew,
        games={game: here[game].files_hash for game in sorted(played) if game in here},
        cells={cell["id"]: why.get(cell["id"], why.get("", "")) for cell in manifest["cells"]},
    )
    return done, proof


def _unproven(done: Unpacked, libraries: Sequence[str]) -> dict[str, str]:
    """Cell → what of it is not proven; under "" what speaks against all of them."""
    why: dict[str, str] = {}
    if done.seal.broken:
        why[""] = f"the seal does not fit: sealed {done.seal.recorded}, the pack makes {done.seal.found}"
    for one in (*done.refused, *done.skipped):
        why.setdefault(one.damage.spec.cell_id, f"{one.damage.spec.task} {one.damage.spec.key}: {one.why}")
    lost = {one.damage.spec.key for one in (*done.refused, *done.skipped)}
    for found in verify_stored(done.run, libraries=libraries):
        if found.key in lost or (found.holds and not found.detail):
            continue
        if found.verdict != "skipped":  # what failed has no score that could be proven, and leaves its cell incomplete
            why.setdefault(found.cell, f"{found.task} {found.key}: {found.detail}".strip())
    return why
