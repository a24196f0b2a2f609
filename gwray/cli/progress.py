"""The progress line of a run: finished, failed, in flight, steps per second, time left."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from gwray.cli.console import spent_time
from gwray.pages import PLAIN_EVERY_S, counted

if TYPE_CHECKING:
    from gwray.pipelines import PlayProgress, Tally

EVERY_S = 0.5


def _waiting(model: str, until: float) -> str:
    """Returns `MODEL rate limited until 14:05`, in local time, or `waiting for MODEL` if `until` is 0 (no answer)."""
    if not until:
        return f"waiting for {model}"
    clock = "%H:%M" if until - time.time() < 43_200 else "%Y-%m-%d %H:%M"
    return f"{model} rate limited until {time.strftime(clock, time.localtime(until + 59))}"


class Bar:
    """Shows the `Tally` of a running run in a line: beside a spinner, or every 30 s where the output is no terminal."""

    def __init__(self, tally: Tally, progress: Callable[[], Awaitable[PlayProgress]], console: Console):
        self._tally = tally
        self._played = progress
        self._held_back: Mapping[str, float] = {}
        self._printed: frozenset[str] = frozenset()
        self._console = console
        self._began = time.monotonic()
        self._already = tally.finished
        self._task: asyncio.Task[None] | None = None
        self._status = console.status("playing")

    async def __aenter__(self) -> Bar:
        if self._console.is_terminal:
            self._status.start()
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._console.is_terminal:
            self._status.stop()
            self._console.print(self._line(None), markup=False, soft_wrap=True)

    async def _watch(self) -> None:
        printed_at = time.monotonic()
        while True:
            await asyncio.sleep(EVERY_S)
            try:
                progress = await self._played()
                self._notice(progress.held_back)
                self._print_once(progress.notices)
            except Exception:
                progress = None
            line = self._line(progress.steps if progress else None)
            self._status.update(escape(line))
            if not self._console.is_terminal and time.monotonic() - printed_at > PLAIN_EVERY_S:
                printed_at = time.monotonic()
                self._console.print(line, markup=False, soft_wrap=True)

    def _notice(self, held_back: Mapping[str, float]) -> None:
        """Prints once when a model stops responding, and once when it responds again."""
        silent, before = ({m for m, until in held.items() if not until} for held in (held_back, self._held_back))
        for model in sorted(silent - before):
            self._console.print(
                f"[yellow]{escape(model)} does not respond:[/] its episodes wait, with at most one request per minute "
                "until it does. Nothing is lost; after Ctrl-C the same command resumes.",
                soft_wrap=True,
            )
        for model in sorted(before - silent):
            self._console.print(f"{escape(model)} responds again.")
        self._held_back = held_back

    def _print_once(self, notices: frozenset[str]) -> None:
        for notice in sorted(notices - self._printed):
            self._console.print(f"[yellow]note:[/] {escape(notice)}", soft_wrap=True)
        self._printed |= notices

    def _line(self, steps: int | None) -> str:
        t = self._tally
        if t.loading and not (t.in_flight or t.failed or t.finished > self._already):
            self._began = time.monotonic()  # nothing can be played yet
        parts = [f"{t.finished:,} of {t.planned:,}", *([f"{t.failed} failed"] if t.failed else [])]
        parts.append(f"{t.in_flight} in flight")
        if t.loading:
            parts.append(f"loading {', '.join(t.loading)}")
        wall = max(time.monotonic() - self._began, EVERY_S)
        if self._held_back:
            parts += [_waiting(model, until) for model, until in sorted(self._held_back.items())]
        if t.retried:
            parts.append(f"{t.retried} tried again")
        if steps:
            parts.append(f"{steps / wall:.0f} steps/s")
        if t.finished:
            parts.append(f"mean progress {100 * t.progress / t.finished:.0f} % over all cells")
        if t.tokens:
            parts.append(f"{t.tokens:,} tokens")
        if t.retries:
            parts.append(f"{counted(t.retries, 'request')} repeated")
        if t.usd:
            parts.append(f"{t.usd:.2f} USD{' at least' if t.unpriced else ''}")
        done = t.finished - self._already + t.failed
        todo = t.planned - t.finished - t.failed - sum(t.skipped.values())
        left = f", {spent_time(wall / done * todo)} left" if done and todo > 0 else ""
        return " · ".join([*parts, f"{spent_time(wall)}{left}"])
