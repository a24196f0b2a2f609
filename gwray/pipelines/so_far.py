"""What a job over many episodes has found so far, so that one that was broken off goes on where it was.

A line an item, in a file of whoever does the job: never in a run, whose writers could write it too. Only what is worth
it is kept, such as an episode that held, and it is believed as long as everything is what it was when the item was
begun and when it was done: gwray, and all that the job says that it hangs on. The rest is done again, and a job that
came to its end leaves nothing of its items: the next one begins anew.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import SEEK_END
from pathlib import Path
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

from pydantic import TypeAdapter

from gwray.errors import GwrayError
from gwray.pipelines.machine import code_hash
from gwray.pipelines.replays import InlineReplays, ReplayExecutor, ReplayJob, replay_all
from gwray.places import cache
from gwray.records import digest

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
        """Digest of all that what is found of an item hangs on, gwray apart, and that doing it leaves alone."""
        ...

    def left(self, item: Of) -> str:
        """Digest of what doing it has written; empty if it writes nothing."""
        ...

    def key(self, found: Found) -> str:
        """Of the item of which this was found."""
        ...

    def worth(self, found: Found) -> bool:
        """Whether it is kept: what may come out otherwise, such as an error, is not."""
        ...


@dataclass(frozen=True)
class _Line(Generic[Found]):
    """A line of the file."""

    text: bytes
    key: str
    code: str
    depends: str
    left: str
    found: Found


class SoFar(Generic[Item, Found]):
    """What was found of these items, by their keys. A file that cannot be written is done without."""

    def __init__(self, file: Path, items: Mapping[str, Item], of: Resumable[Item, Found]):
        self.file = file
        self.unkept = ""
        """Why something that was found could not be kept."""
        self._items, self._of = items, of
        self._found: TypeAdapter[Found] = TypeAdapter(of.found)
        self._writing = Lock()

    def read(self) -> dict[str, Found]:
        """What is believed still, by the keys of the items."""
        last = {line.key: line for line in self._lines()}
        return {key: line.found for key, line in last.items() if key in self._items and self._believed(line)}

    def _believed(self, line: _Line[Found]) -> bool:
        if line.code != code_hash() or not line.depends or not self._of.worth(line.found):
            return False
        return (line.depends, line.left) == self._now(self._items[line.key])

    def begin(self, item: Item) -> str:
        """What the item hangs on now; empty where that cannot be read, which is for the job to say."""
        with suppress(OSError, GwrayError):
            return self._of.depends(item)
        return ""

    def _now(self, item: Item) -> tuple[str, str]:
        """What it hangs on and what doing it has left; empty where one of them is gone."""
        with suppress(OSError, GwrayError):
            return self._of.depends(item), self._of.left(item)
        return "", ""

    def keep(self, item: Item, one: Found, begun: str) -> None:
        """Note what was found of an item, if it is worth it and all that it hangs on is what it was when the item was
        `begun`."""
        if not self._of.worth(one):
            return
        depends, left = self._now(item)
        if not depends or depends != begun:
            return
        # Not sorted: what is read again is written by some in the order that it has.
        line = json.dumps(
            [code_hash(), depends, left, self._found.dump_python(one, mode="json")], separators=(",", ":")
        )
        try:
            with self._writing:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                with self.file.open("ab+") as file:
                    torn = file.tell() and file.seek(-1, SEEK_END) >= 0 and file.read(1) != b"\n"
                    file.write(b"\n" * bool(torn) + line.encode() + b"\n")
        except OSError as e:
            self.unkept = f"{self.file}: {e.strerror or e}"

    def forget(self) -> None:
        """Leave what was found of other items alone."""
        left = b"".join(line.text + b"\n" for line in self._lines() if line.key not in self._items)
        with suppress(OSError):
            if left:
                self.file.write_bytes(left)
            else:
                self.file.unlink(missing_ok=True)

    def _lines(self) -> Iterator[_Line[Found]]:
        try:
            lines = self.file.read_bytes().splitlines()
        except OSError:
            return
        for text in lines:
            try:
                code, depends, left, found = json.loads(text)
                one = self._found.validate_python(found)
                key = self._of.key(one)
            except (ValueError, TypeError, RecursionError):  # broken off, or somebody else's
                continue
            yield _Line(text, key, code, depends, left, one)


OnResumed = Callable[[Sequence[Found], SoFar[Any, Found]], None]


class _Keeping:
    """An executor whose finds are kept as they come."""

    def __init__(self, inner: ReplayExecutor, so_far: SoFar[Any, Any]):
        self._inner, self._so_far = inner, so_far

    @property
    def slots(self) -> int:
        return self._inner.slots

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        await self._inner.start(job, items)

    async def replay(self, item: Any) -> Any:
        begun = await asyncio.to_thread(self._so_far.begin, item)
        found = await self._inner.replay(item)
        await asyncio.to_thread(self._so_far.keep, item, found, begun)
        return found

    async def close(self) -> None:
        await self._inner.close()


async def replay_on(
    job: ReplayJob[Item, Found],
    items: Mapping[str, Item],
    so_far: SoFar[Item, Found],
    executor: ReplayExecutor | None = None,
    on_found: Callable[[Found], None] | None = None,
    on_resumed: OnResumed[Found] | None = None,
    *,
    anew: bool = False,
    finish: Callable[[Sequence[Found]], None] = lambda found: None,
) -> list[Found]:
    """As `replay_all`. `on_resumed`: given, what is worth it is kept meanwhile, and a job that was broken off goes on,
    unless it is to begin `anew`; hears what was found before, and where it is kept. `finish`: what is to be done with
    all that was found before what was kept is forgotten."""
    if on_resumed is None:
        found = await replay_all(job, list(items.values()), executor, on_found)
        finish(found)
        return found
    if anew:
        so_far.forget()
    had = await asyncio.to_thread(so_far.read)
    on_resumed(list(had.values()), so_far)
    left = {key: item for key, item in items.items() if key not in had}
    keeping = _Keeping(executor or InlineReplays(), so_far)
    had |= zip(left, await replay_all(job, list(left.values()), keeping, on_found), strict=True)
    found = [had[key] for key in items]
    finish(found)
    so_far.forget()
    return found


def kept_at(job: str, of: str) -> Path:
    """Where what such a job found of something, such as the run at a URL, is kept meanwhile."""
    return cache() / job / f"{digest(of)[:20]}.jsonl"
