"""The seal: one hash over a run's plan, replies and results, to be published with its scores.

It covers content, not files: all of run.json but its own format, every reply, and every result without when and how
long it was played. Results hold the hashes of states, screenshots and rows, so whatever a run shows is determined by
this one line. Files may be packed, written again or repaired under it. It proves that nothing was changed *since*;
`gwray verify` proves that it was true then.

A seal is written `1:HASH`, where 1 is its version.
"""

import hashlib
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gwray.errors import StoreError
from gwray.records import CIRCUMSTANCES, EpisodeRecord, ascii_json, non_defaults
from gwray.store.manifest import RunManifest
from gwray.store.run_dir import RunDir

VERSION = 1
"""Increase it when a seal covers other content. A seal of another version does not match."""
UNPROVABLE = (
    "No replay can prove that a model wrote the replies, nor, where thinking is charged as measured (timing=realtime, "
    "timing=adaptive), that the replies took as long as the log says."
)
"""Shown wherever something is called verified."""


@dataclass(frozen=True)
class Seal:
    """The recorded seal of a run, and its current one."""

    recorded: str
    """Empty: the run is not sealed."""
    found: str
    """Empty if it is not sealed."""

    @property
    def broken(self) -> bool:
        """Whether the run was changed since it was sealed."""
        return bool(self.recorded) and self.recorded != self.found

    @property
    def sentence(self) -> str:
        """The seal as text; names are not escaped."""
        if self.broken:
            return f"The seal does not match: sealed {self.recorded}, what is here makes {self.found}"
        return f"sealed {self.recorded}" if self.recorded else "not sealed (gwray pack seals it)"


def read_seal(run: RunDir) -> Seal:
    """Returns the recorded seal of a run, and the one that its plan, logs and results make; both are empty if it has
    none, or if there is no run."""
    recorded = run.manifest().seal if RunDir.is_run(run.url) else ""
    try:
        return Seal(recorded, seal_with(run, run.recorded()) if recorded else "")
    except StoreError:  # damage, which verification and repair report
        return Seal(recorded, "nothing: a file cannot be read")


def seal_run(run: RunDir, seal: str = "") -> str:
    """Seals a run and returns the seal. `seal`: the result of `seal_with`, if known. The caller holds the
    run's lock."""
    found = seal or seal_with(run, run.recorded())
    run.write_manifest(run.manifest().model_copy(update={"seal": found}))
    return found


def unseal_run(run: RunDir) -> None:
    """Removes the seal, before the run is changed. The caller holds the run's lock."""
    manifest = run.manifest()
    if manifest.seal:
        run.write_manifest(manifest.model_copy(update={"seal": ""}))


def seal_after(run: RunDir, before: Seal) -> str:
    """Seals a run whose planned episodes have all finished; its lock is held since before it was continued. If `before`
    is broken, returns a notice instead: a run that was changed after sealing is not sealed again."""
    if before.broken:
        return (
            f"The seal of {run.url} does not fit: its results or logs were changed after it was sealed. "
            f"gwray verify {shlex.quote(run.url)} names what."
        )
    manifest = run.manifest()
    if not manifest.seal:
        ended = run.recorded()
        if all(key in ended for key in manifest.episodes.episode_keys()):
            seal_run(run)
    return ""


def seal_with(run: RunDir, results: Mapping[str, EpisodeRecord]) -> str:
    """Returns the seal that the run would have with these results, by key."""
    root = hashlib.sha256()
    for part in _content(run, results):
        # Twice, since a run may have more results than memory has room for.
        root.update(sum(map(len, part())).to_bytes(8, "big"))
        for text in part():
            root.update(text.encode())
    return f"{VERSION}:{root.hexdigest()}"


def _content(run: RunDir, results: Mapping[str, EpisodeRecord]) -> Iterator[Callable[[], Iterator[str]]]:
    """Yields the parts of the content, each as ASCII text in pieces."""
    yield partial(_plan, run.manifest())
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


def _results(records: Mapping[str, EpisodeRecord]) -> Iterator[str]:
    return _list(non_defaults(records[key], leave_out=CIRCUMSTANCES) for key in sorted(records))


def _list(values: Iterable[Any]) -> Iterator[str]:
    """Yields the pieces of the JSON list that `ascii_json` would write of these values."""
    yield "["
    for n, value in enumerate(values):
        yield f"{',' if n else ''}{ascii_json(value)}"
    yield "]"
