"""The seal: one hash over a run's plan, replies and results, to be published with its scores.

It covers content, not files: all of run.json but its own format, every reply, and every result without when and how
long it was played. Results hold the hashes of states, screenshots and rows, so whatever a run shows is determined by
this one line. Files may be packed, written again or repaired under it. It proves that nothing was changed *since*;
`gwray verify` proves that it was true then.

A seal is written `2:HASH`, where 2 is its version. Seals of version 1 are a bare hash; of run.json they cover episodes,
games, and cells without their specifications.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gwray.identity import non_defaults
from gwray.records import CIRCUMSTANCES, EpisodeRecord, ascii_json
from gwray.store.manifest import RunManifest
from gwray.store.run_dir import RunDir

VERSION = 2
"""Increased when a seal covers other content. Older seals are checked as what they are."""

_GAPS = {
    1: "an older seal: it does not cover addresses, labels, prices and limits of models, nor name, commands, times and "
    "versions in run.json"
}


@dataclass(frozen=True)
class Seal:
    """The recorded seal of a run, and its current one."""

    recorded: str
    """Empty: the run is not sealed."""
    found: str

    @property
    def broken(self) -> bool:
        """Whether the run was changed since it was sealed."""
        return bool(self.recorded) and self.recorded != self.found


def seal_version(seal: str) -> int:
    """Returns the version of a recorded seal. An unknown one counts as this version, and does not match."""
    return 1 if seal and ":" not in seal else VERSION


def seal_gap(seal: str) -> str:
    """Returns what a recorded seal does not cover, in words; empty if it is of this version, or there is none."""
    return _GAPS.get(seal_version(seal), "")


def seal_text(seal: str) -> str:
    """Returns a recorded seal followed by what it does not cover."""
    return f"{seal} ({gap})" if (gap := seal_gap(seal)) else seal


def read_seal(run: RunDir) -> Seal:
    """Computes the current seal from the plan, all logs and results, in the version of the recorded one."""
    recorded = run.manifest().seal
    return Seal(recorded, seal_with(run, run.recorded(), seal_version(recorded)))


def seal_run(run: RunDir, seal: str = "", version: int = VERSION) -> str:
    """Seals a run and returns the seal. `seal`: the result of `seal_with`, if known. The caller holds the
    run's lock."""
    found = seal or seal_with(run, run.recorded(), version)
    run.write_manifest(run.manifest().model_copy(update={"seal": found}))
    return found


def unseal_run(run: RunDir) -> None:
    """Removes the seal, before the run is changed. The caller holds the run's lock."""
    manifest = run.manifest()
    if manifest.seal:
        run.write_manifest(manifest.model_copy(update={"seal": ""}))


def seal_with(run: RunDir, results: Mapping[str, EpisodeRecord], version: int = VERSION) -> str:
    """Returns the seal that the run would have with these results, by key."""
    root = hashlib.sha256()
    for part in _content(run, results, version):
        # Twice, since a run may have more results than memory has room for.
        root.update(sum(map(len, part())).to_bytes(8, "big"))
        for text in part():
            root.update(text.encode())
    return root.hexdigest() if version == 1 else f"{version}:{root.hexdigest()}"


def _content(run: RunDir, results: Mapping[str, EpisodeRecord], version: int) -> Iterator[Callable[[], Iterator[str]]]:
    """Yields the parts of the content, each as ASCII text in pieces."""
    yield partial(_plan_1 if version == 1 else _plan, run.manifest())
    failures = {r.key: r for r in run.each_failure() if r.key not in results}
    for records in (results, failures):
        yield partial(_results, records)
    for key, lines in run.logs():
        if lines:
            text = ascii_json([key, [non_defaults(line) for line in lines]])
            yield partial(iter, [text])


def _plan(manifest: RunManifest) -> Iterator[str]:
    stored = manifest.stored()
    about = {name: v for name, v in stored.items() if name not in ("format", "seal", "cells", "episodes")}
    yield f"[{ascii_json(about)},{ascii_json([cell.stored() for cell in manifest.cells])},"
    yield from _list(manifest.episodes.entries())
    yield "]"


def _plan_1(manifest: RunManifest) -> Iterator[str]:
    cells = [{name: v for name, v in cell.stored().items() if name != "spec"} for cell in manifest.cells]
    stored = manifest.stored()  # a field that run.json lacks is null in the seal
    yield f"[{ascii_json(cells)},"
    yield from _list(manifest.episodes.entries()) if "episodes" in stored else ["null"]
    yield f",{ascii_json(stored.get('games'))},{ascii_json(stored.get('kinds'))}]"


def _results(records: Mapping[str, EpisodeRecord]) -> Iterator[str]:
    return _list(non_defaults(records[key], leave_out=CIRCUMSTANCES) for key in sorted(records))


def _list(values: Iterable[Any]) -> Iterator[str]:
    """Yields the pieces of the JSON list that `ascii_json` would write of these values."""
    yield "["
    for n, value in enumerate(values):
        yield f"{',' if n else ''}{ascii_json(value)}"
    yield "]"
