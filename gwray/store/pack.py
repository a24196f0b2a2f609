"""Packs a run into one file: plan, replies, results and verdicts, without anything that a replay recomputes. A pack is
a zip with the file names of the run directory. Unpacking accepts only these names, limits the size, and reads the files
as JSONL only; nothing in it is executed. The same run gives the same bytes."""

from __future__ import annotations

import json
import re
import stat
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gwray.errors import GwrayError, StoreError, UsageError
from gwray.places import complete_file
from gwray.store.io_errors import io_errors
from gwray.store.manifest import RunManifest
from gwray.store.run_dir import RunDir

_NAMES = re.compile(
    r"run\.json|(results|failures|engines)\.jsonl|replies/[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\.jsonl"
    r"|prefixes/[0-9a-f]{1,64}\.jsonl|code/[0-9a-f]{1,64}(/[A-Za-z_]\w{0,99}){1,20}\.py"
    r"|judgements/[A-Za-z0-9][A-Za-z0-9._-]{0,127}(\.json|/verdicts\.jsonl|/replies/[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\.jsonl)"
)
_CHANGING = ("run.json", "results.jsonl")
"""Unpacked files that change when another browser renders the screenshots."""
_GROWING = "judgements/"
"""Files here grow when an unpacked run is judged."""
MOST_FILES = 1_000_000
PLAIN_BYTES, MOST_TIMES = 64 * 2**20, 200
"""Limit of the unpacked size: `PLAIN_BYTES` plus `MOST_TIMES` times the size of the pack."""


def pack_run(run: RunDir, file: Path) -> int:
    """Writes the pack of a run; returns its size in bytes. Raises `StoreError` if it cannot be written."""
    with (
        io_errors("write", str(file)),
        complete_file(file) as part,
        zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as pack,
    ):
        for name, data in run.texts():
            if not _NAMES.fullmatch(name):
                raise StoreError(f"{run.url}/{name} is not a valid file name of a run; it cannot be packed")
            entry = zipfile.ZipInfo(name)  # without a time: the same run makes the same bytes
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            pack.writestr(entry, data)
    return file.stat().st_size


def unpack_texts(file: Path, url: str) -> RunDir:
    """Unpacks a pack into a run directory, without episode files; resumes an interrupted unpacking.

    An earlier unpacking may have removed results and the seal, so both are restored, unless the run was continued.

    Raises `UsageError` for an invalid pack (nothing is written then), or if the directory has another run.
    """
    if not file.is_file():
        raise UsageError(f"{file} does not exist. `gwray pack RUN -o {file.name}` makes one.")
    run = RunDir(url)
    try:
        with zipfile.ZipFile(file) as pack:
            entries = _check_names(file, pack)
            there = RunDir.is_run(url)
            restored = _require_same(run, file, pack, entries) if there else False
            for _ in _read_files(file, pack, entries):
                pass  # all of it can be read, and is no larger than said
            _require_planned(file, pack, entries)
            # run.json comes last: half a run is none.
            last = sorted(entries, key=lambda e: e.filename == "run.json")
            written = [e for e in last if not there or (restored and e.filename in _CHANGING)]
            for name, data in _read_files(file, pack, written):
                run.put_text(name, data)
    except GwrayError:
        raise
    except Exception as e:  # zipfile and its decompressors raise any kind of error for damaged data
        if isinstance(e, OSError) and e.filename:
            raise
        raise UsageError(f"{file} is no pack of gwray, or was damaged: {type(e).__name__}: {e}") from e
    return RunDir.open(url)


def _check_names(file: Path, pack: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Returns the entries of a pack. Raises `UsageError` for a name that no pack has."""
    entries = pack.infolist()
    names = [e.filename for e in entries]
    if len(names) > MOST_FILES or len(set(names)) < len(names):
        raise UsageError(f"{file} is refused: it has {len(names):,} files, or two of one name")
    for e in entries:
        kind = stat.S_IFMT(e.external_attr >> 16)
        if not _NAMES.fullmatch(e.filename) or ".." in e.filename or kind not in (0, stat.S_IFREG):
            raise UsageError(
                f"{file} is refused: '{e.filename[:100]}' is no file of a pack, which has run.json, results.jsonl, "
                "failures.jsonl, engines.jsonl, replies/, prefixes/, code/ and judgements/, and no links"
            )
    if "run.json" not in names:
        raise UsageError(f"{file} is no pack of gwray: it has no run.json")
    return entries


def _require_planned(file: Path, pack: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> None:
    """Raises `UsageError` for a reply log of an episode that the run does not plan: each would be read."""
    ((_, data),) = _read_files(file, pack, [e for e in entries if e.filename == "run.json"])
    planned = set(RunManifest.parse(json.loads(data)).episodes.episode_keys())
    logs = (e.filename for e in entries if e.filename.startswith("replies/"))
    if stray := [name for name in logs if name.removeprefix("replies/").partition(".")[0] not in planned]:
        raise UsageError(
            f"{file} is refused: {len(stray)} reply logs are of no planned episode, such as {stray[0][:100]}"
        )


def _read_files(file: Path, pack: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> Iterator[tuple[str, bytes]]:
    """Yields name and bytes of each file. Raises `UsageError` beyond the limit of the unpacked size."""
    left = PLAIN_BYTES + MOST_TIMES * file.stat().st_size
    for entry in entries:
        with pack.open(entry) as source:
            data = source.read(left + 1)
        left -= len(data)
        if left < 0:
            raise UsageError(
                f"{file} is refused: it unpacks to more than {MOST_TIMES} times its size, as no logs of a run do"
            )
        yield entry.filename, data


def _require_same(run: RunDir, file: Path, pack: zipfile.ZipFile, entries: list[zipfile.ZipInfo]) -> bool:
    """Raises `UsageError` if the directory has another run. Returns whether it has the pack's plan, and so was not
    continued."""
    same, planned = dict(run.texts()), False
    for name, data in _read_files(file, pack, entries):
        there = same.get(name)
        grown = there is not None and name.startswith(_GROWING) and there.startswith(data)
        if name == "run.json" and there is not None:
            planned = _without_seal(there) == _without_seal(data)
        if there is None or (name not in _CHANGING and there != data and not grown):
            raise UsageError(f"{run.url} holds another run than {file} ({name} differs). Choose another folder.")
    return planned


def _without_seal(manifest: bytes) -> Mapping[str, Any]:
    return {name: value for name, value in json.loads(manifest).items() if name != "seal"}
