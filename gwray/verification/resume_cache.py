"""Remembers which episodes an interrupted verification has proven, so that the next one can skip them. The cache is a
JSONL file in the user's cache folder, never in the run, whose author could write it too. An entry is used only while
gwray's code and everything that determines the episode's result are unchanged."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from gwray.errors import GwrayError
from gwray.pipelines import code_hash
from gwray.places import cache
from gwray.records import digest
from gwray.verification.findings import Verification
from gwray.verification.replays import ReplayExecutor, ReplayJob

_VERIFICATION = TypeAdapter(Verification)


def cache_path(job: str, *parts: str) -> Path:
    """Returns the cache file of a job over something that `parts` identify, such as a run's URL."""
    return cache() / job / f"{digest(*parts)[:20]}.jsonl"


class ResumeCache:
    """Verifications that prove their episode, by the digest of the episode's inputs. Each line of the file is `[code
    hash, input digest, verification]`. Lines that are damaged or of another version of gwray are ignored. If the file
    cannot be written, the cache stays empty and `error` says why."""

    def __init__(self, path: Path):
        self.path = path
        self.error = ""

    def load(self) -> dict[str, tuple[str, Verification]]:
        """Returns input digest and verification by episode key; of several lines for one key, the last."""
        try:
            lines = self.path.read_bytes().splitlines()
        except OSError:
            return {}
        entries: dict[str, tuple[str, Verification]] = {}
        for line in lines:
            with suppress(ValueError, TypeError, RecursionError):  # an incomplete or foreign line
                code, inputs, data = json.loads(line)
                verification = _VERIFICATION.validate_python(data)
                if code == code_hash() and verification.proven:
                    entries[verification.key] = (inputs, verification)
        return entries

    def add(self, inputs: str, verification: Verification) -> None:
        """Appends an entry. Starts with a newline, so that an incomplete line before it does no harm."""
        line = json.dumps([code_hash(), inputs, _VERIFICATION.dump_python(verification, mode="json")])
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab") as file:
                file.write(b"\n" + line.encode())
        except OSError as e:
            self.error = f"{self.path}: {e.strerror or e}"

    def clear(self) -> None:
        """Deletes the file."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


class CachingExecutor:
    """A replay executor that adds each proven episode to a resume cache. `input_digest` returns the digest of
    everything that determines an item's result. It is taken before and after the replay: an episode whose files changed
    in between is not cached."""

    def __init__(self, inner: ReplayExecutor, resume: ResumeCache, input_digest: Callable[[Any], str]):
        self._inner, self._resume, self._input_digest = inner, resume, input_digest

    @property
    def slots(self) -> int:
        return self._inner.slots

    async def start(self, job: ReplayJob[Any, Any], items: int) -> None:
        await self._inner.start(job, items)

    async def replay(self, item: Any) -> Any:
        before = await asyncio.to_thread(self._digest, item)
        verification = await self._inner.replay(item)
        if verification.proven and before and before == await asyncio.to_thread(self._digest, item):
            self._resume.add(before, verification)
        return verification

    def _digest(self, item: Any) -> str:
        """Returns an empty string if the inputs cannot be read, which the replay itself reports."""
        with suppress(OSError, GwrayError):
            return self._input_digest(item)
        return ""

    async def close(self) -> None:
        await self._inner.close()
