"""What a verification has found so far, so that one that was broken off goes on where it was.

A line an episode, in a file of whoever verifies: never in the run, whose writers could write it too. Only what held is
kept, and it is believed as long as everything is what it was: gwray, the plan, the game's files, and the episode's
result, replies and steps byte for byte. What did not hold is played again, and a verification that came to its end
leaves nothing: the next one begins anew.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, fields
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from gwray.catalog import Catalog
from gwray.pipelines.findings import Verification
from gwray.pipelines.machine import code_hash
from gwray.pipelines.replays import ReplayExecutor, ReplayJob, replay_all
from gwray.places import cache
from gwray.records import EpisodeRecord, ascii_json, digest
from gwray.spec import EpisodeSpec
from gwray.store import RunDir

Item = tuple[EpisodeSpec, Sequence[EpisodeRecord]]
"""An episode and its lines in `results.jsonl`."""
_FINDING = TypeAdapter(Verification)


class SoFar:
    """The episodes of one run that were found to hold. A file that cannot be written is done without."""

    def __init__(
        self,
        run: RunDir,
        library: Catalog,
        items: Sequence[Item],
        trusted: Collection[str] = (),
    ):
        self.file = file_of(run)
        self._run, self._items = run, {item[0].key: item for item in items}
        self._games = {game: found.files_hash for game, found in library.games.items()}
        plan = {**run.manifest(), "episodes": None}  # each of them is in what it depends on itself
        self._all = digest(code_hash(), ascii_json(plan), ascii_json(sorted(trusted)))

    async def go_on(
        self,
        job: ReplayJob[Item, Verification],
        executor: ReplayExecutor | None,
        on_resumed: Callable[[Sequence[Verification]], None],
        on_finding: Callable[[Verification], None],
    ) -> list[Verification]:
        """As `replay_all`, of what does not hold already. `on_resumed` hears what does."""
        held = {one.key: one for one in await asyncio.to_thread(self.read)}
        on_resumed(list(held.values()))

        def found(one: Verification) -> None:
            self.keep(one)
            on_finding(one)

        left = [item for key, item in self._items.items() if key not in held]
        held |= {one.key: one for one in await replay_all(job, left, executor, found)}
        with suppress(OSError):
            self.file.unlink(missing_ok=True)
        return [held[key] for key in self._items]

    def read(self) -> list[Verification]:
        """What holds still, in the order of the items."""
        try:
            lines = self.file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return []
        found = {}
        for line in lines:
            with suppress(ValueError, TypeError, ValidationError):  # a line that was broken off
                depends, finding = json.loads(line)
                one = _FINDING.validate_python(finding)
                if one.proven and one.key in self._items and depends == self._depends(one.key):
                    found[one.key] = one
        return [found[key] for key in self._items if key in found]

    def keep(self, one: Verification) -> None:
        """Note that an episode held."""
        if not one.proven:
            return
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as file:
                file.write(ascii_json([self._depends(one.key), asdict(one)]) + "\n")

    def _depends(self, key: str) -> str:
        """Digest of all that it hangs on whether an episode holds."""
        spec, lines = self._items[key]
        planned = repr([getattr(spec, f.name) for f in fields(spec) if f.name != "cell"])  # which the plan has
        records = [line.model_dump_json() for line in lines]
        stored = self._run.episode_digest(key)
        return digest(self._all, self._games.get(spec.game, ""), planned, *records, stored)


def file_of(run: RunDir) -> Path:
    """Where what was found of a run is kept meanwhile."""
    return cache() / "verifying" / f"{digest(run.url)[:20]}.jsonl"


def begin_anew(run: RunDir) -> None:
    """Forget what an earlier verification found that was broken off."""
    with suppress(OSError):
        file_of(run).unlink(missing_ok=True)
