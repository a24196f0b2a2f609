"""The seal: one hash over a run's plan, replies and results, to be published with its scores.

It covers content, not files: the plan, every reply whole, and every result without when and how long. Results hold the
hashes of states, pictures and rows, so whatever a run shows hangs on this one line. Files may be packed, written again
or repaired under it. It proves that nothing was changed *since*; that it was true then is what `gwray verify` shows.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gwray.identity import non_defaults
from gwray.records import CIRCUMSTANCES, EpisodeRecord, ascii_json
from gwray.store.run_dir import RunDir


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


def read_seal(run: RunDir) -> Seal:
    """Computes the current seal from all logs and results."""
    return Seal(run.manifest().seal, seal_with(run, run.recorded()))


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


def seal_with(run: RunDir, results: Mapping[str, EpisodeRecord]) -> str:
    """Returns the seal that the run would have with these results, by key."""
    root = hashlib.sha256()
    for part in _content(run, results):
        # Twice, since a run may have more results than memory has room for.
        root.update(sum(map(len, part())).to_bytes(8, "big"))
        for text in part():
            root.update(text.encode())
    return root.hexdigest()


def _content(run: RunDir, results: Mapping[str, EpisodeRecord]) -> Iterator[Callable[[], Iterator[str]]]:
    """The parts of the content, each as ASCII text in pieces."""
    manifest = run.manifest()
    # The specification of a cell is in its id, but for addresses, prices and limits, which may change.
    cells = [{name: v for name, v in cell.stored().items() if name != "spec"} for cell in manifest.cells]
    stored = manifest.stored()  # a field that run.json lacks is null in the seal

    def plan() -> Iterator[str]:
        yield f"[{ascii_json(cells)},"
        yield from _list(manifest.episodes.entries()) if "episodes" in stored else ["null"]
        yield f",{ascii_json(stored.get('games'))},{ascii_json(stored.get('kinds'))}]"

    yield plan
    failures = {r.key: r for r in run.each_failure() if r.key not in results}
    for records in (results, failures):
        yield partial(_results, records)
    for key in run.logged_keys():
        if lines := run.log(key).read():
            text = ascii_json([key, [non_defaults(line) for line in lines]])
            yield partial(iter, [text])


def _results(records: Mapping[str, EpisodeRecord]) -> Iterator[str]:
    return _list(non_defaults(records[key], leave_out=CIRCUMSTANCES) for key in sorted(records))


def _list(values: Iterable[Any]) -> Iterator[str]:
    """As `ascii_json` writes a list of them."""
    yield "["
    for n, value in enumerate(values):
        yield f"{',' if n else ''}{ascii_json(value)}"
    yield "]"
