"""What a job over many episodes has found so far, so that one that was broken off goes on where it was.

A line an item, in a file of whoever does the job: never in a run, whose writers could write it too. Only what is worth
it is kept, such as an episode that held, and it is believed as long as everything is what it was: gwray, and all that
the job says that it hangs on. The rest is done again, and a job that came to its end leaves nothing: the next one
begins anew.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from gwray.errors import GwrayError
from gwray.pipelines.machine import code_hash
from gwray.pipelines.replays import ReplayExecutor, ReplayJob, replay_all
from gwray.places import cache
from gwray.records import ascii_json, digest

Item = TypeVar("Item")
Of = TypeVar("Of", contravariant=True)
Found = TypeVar("Found")


class Resumable(Protocol[Of, Found]):
    """What has to be known of a job to go on with it."""

    @property
    def found(self) -> type[Found]:
        """A dataclass."""
        ...

    def depends(self, item: Of) -> str:
        """Digest of all that it hangs on, gwray apart, what is found of an item; as it is when that was found."""
        ...

    def key(self, found: Found) -> str:
        """Of the item of which this was found."""
        ...

    def worth(self, found: Found) -> bool:
        """Whether it is kept: what may come out otherwise, such as an error, is not."""
        ...


class SoFar(Generic[Item, Found]):
    """What was found of these items, by their keys. A file that cannot be written is done without."""

    def __init__(self, file: Path, items: Mapping[str, Item], of: Resumable[Item, Found]):
        self.file = file
        self._items, self._of = items, of
        self._found: TypeAdapter[Found] = TypeAdapter(of.found)

    def read(self) -> dict[str, Found]:
        """What is believed still, by the keys of the items."""
        try:
            lines = self.file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return {}
        had = {}
        for line in lines:
            with suppress(ValueError, TypeError, ValidationError, GwrayError):  # broken off, or of what is gone
                depends, found = json.loads(line)
                one = self._found.validate_python(found)
                key = self._of.key(one)
                if self._of.worth(one) and key in self._items and depends == self._depends(key):
                    had[key] = one
        return had

    def keep(self, one: Found) -> None:
        """Note what was found of an item, if it is worth it."""
        if not self._of.worth(one):
            return
        with suppress(OSError, GwrayError):
            line = ascii_json([self._depends(self._of.key(one)), self._found.dump_python(one, mode="json")])
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as file:
                file.write(line + "\n")

    def forget(self) -> None:
        with suppress(OSError):
            self.file.unlink(missing_ok=True)

    def _depends(self, key: str) -> str:
        return digest(code_hash(), self._of.depends(self._items[key]))


async def replay_on(
    job: ReplayJob[Item, Found],
    items: Mapping[str, Item],
    so_far: SoFar[Item, Found],
    executor: ReplayExecutor | None = None,
    on_found: Callable[[Found], None] | None = None,
    on_resumed: Callable[[Sequence[Found]], None] | None = None,
    *,
    anew: bool = False,
) -> list[Found]:
    """As `replay_all`. `on_resumed`: given, what is worth it is kept meanwhile, and a job that was broken off goes on,
    unless it is to begin `anew`; hears what was found before."""
    if on_resumed is None:
        return await replay_all(job, list(items.values()), executor, on_found)
    if anew:
        so_far.forget()
    had = await asyncio.to_thread(so_far.read)
    on_resumed(list(had.values()))

    def found(one: Found) -> None:
        so_far.keep(one)
        if on_found:
            on_found(one)

    left = {key: item for key, item in items.items() if key not in had}
    had |= zip(left, await replay_all(job, list(left.values()), executor, found), strict=True)
    so_far.forget()
    return [had[key] for key in items]


def kept_at(job: str, of: str) -> Path:
    """Where what such a job found of something, such as the run at a URL, is kept meanwhile."""
    return cache() / job / f"{digest(of)[:20]}.jsonl"
