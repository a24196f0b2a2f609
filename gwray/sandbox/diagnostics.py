"""Collects console output and errors of a page, within limits."""

from gwray.records import Diagnostics
from gwray.sandbox.types import Limits

MAX_LISTED = 5
"""Maximum number of failed requests and errors in a message."""


class DiagnosticsCollector:
    """Bounded record of a page. The first lines are kept, because the first error usually explains the others."""

    def __init__(self, limits: Limits):
        self._limits = limits
        self._console: list[str] = []
        self._errors: list[str] = []
        self._dropped = 0
        self._unserved: dict[str, None] = {}
        self._missing: dict[str, None] = {}
        self.blocked = 0
        self._irreproducible: dict[str, None] = {}
        self._caveats: dict[str, None] = {}

    def line(self, text: str) -> None:
        """Adds a line of console output, or an event of the sandbox."""
        self._add(self._console, text)

    def error(self, text: str) -> None:
        """Adds an uncaught error."""
        self._add(self._errors, text)

    def unserved(self, what: str) -> None:
        """Adds a request that was not answered with a file."""
        if len(self._unserved) < MAX_LISTED:
            self._unserved[what[: self._limits.console_chars]] = None

    def missing(self, url: str) -> None:
        """Adds a request for a file that does not exist."""
        self.line(f"missing file: {url}")
        self.unserved(f"missing file: {url}")
        if len(self._missing) < MAX_LISTED:
            self._missing[url[: self._limits.console_chars]] = None

    def why(self) -> str:
        """Returns possible reasons why a page does not become ready: failed requests and uncaught errors."""
        found = [*sorted(self._unserved), *(f"uncaught {e.splitlines()[0]}" for e in self._errors if e)]
        return "; ".join(["", *found[:MAX_LISTED]])

    def _add(self, lines: list[str], text: str) -> None:
        """Adds a line within the limits of number and length."""
        if len(lines) >= self._limits.console_lines:
            self._dropped += 1
            return
        most = self._limits.console_chars
        lines.append(text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)")

    def mark(self, reason: str) -> None:
        """Adds an event that the stepped clock could not control."""
        self._irreproducible[reason] = None

    def note(self, text: str) -> None:
        """Adds a caveat that does not affect reproducibility."""
        self._caveats[text] = None

    def snapshot(self) -> Diagnostics:
        """Returns everything collected so far."""
        console = (*self._console, *([f"… {self._dropped} more lines"] if self._dropped else ()))
        marks, caveats = tuple(self._irreproducible), tuple(self._caveats)
        return Diagnostics(console, tuple(self._errors), self.blocked, tuple(sorted(self._missing)), marks, caveats)
