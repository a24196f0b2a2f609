"""Collects what a page says and what went wrong in it, within bounds."""

from __future__ import annotations

from gwray.sandbox.types import Limits

TOLD = 5
"""So many failed requests and errors are named in a message."""


class DiagnosticsCollector:
    """Bounded record of one page; the first lines are kept, because the first fault explains the rest."""

    def __init__(self, limits: Limits):
        self._limits = limits
        self._console: list[str] = []
        self._errors: list[str] = []
        self._dropped = 0
        self._unserved: dict[str, None] = {}
        self.blocked = 0
        self._irreproducible: dict[str, None] = {}
        self._caveats: dict[str, None] = {}

    def line(self, text: str) -> None:
        """Something the page said or the sandbox noticed."""
        self._add(self._console, text)

    def error(self, text: str) -> None:
        """An error nobody caught."""
        self._add(self._errors, text)

    def unserved(self, what: str) -> None:
        """A request that was not answered with a file."""
        if len(self._unserved) < TOLD:
            self._unserved[what[: self._limits.console_chars]] = None

    def why(self) -> str:
        """What a page that does not become ready may lack: the requests that failed, and the errors nobody caught."""
        found = [*sorted(self._unserved), *(f"uncaught {e.splitlines()[0]}" for e in self._errors if e)]
        return "; ".join(["", *found[:TOLD]])

    def _add(self, lines: list[str], text: str) -> None:
        if len(lines) >= self._limits.console_lines:
            self._dropped += 1
            return
        most = self._limits.console_chars
        lines.append(text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)")

    def mark(self, reason: str) -> None:
        """The stepped clock could not control this."""
        self._irreproducible[reason] = None

    def note(self, text: str) -> None:
        """Worth telling, but repeatable."""
        self._caveats[text] = None

    @property
    def console(self) -> tuple[str, ...]:
        more = (f"… {self._dropped} more lines",) if self._dropped else ()
        return (*self._console, *more)

    @property
    def errors(self) -> tuple[str, ...]:
        return tuple(self._errors)

    @property
    def irreproducible(self) -> tuple[str, ...]:
        return tuple(self._irreproducible)

    @property
    def caveats(self) -> tuple[str, ...]:
        return tuple(self._caveats)
