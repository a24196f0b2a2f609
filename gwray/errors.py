"""The error model of the project, and the only place that assigns errors to an owner.

Every failure has exactly one owner, and the owner decides what happens next:

| class                   | owner   | owner in words             | consequence                                         |
|-------------------------|---------|----------------------------|-----------------------------------------------------|
| `UsageError`            | user    | the person at the keyboard | the command exits with code 2 before anything runs  |
| `GameError`             | game    | the author of a game       | the episode fails; a retry would not help           |
| `AgentError`            | agent   | the author of an agent     | the episode fails; a retry would not help           |
| `BrowserError`          | machine | the node                   | the episode is retried alone in a new browser       |
| `ModelError`            | model   | the model or its provider  | retried in one place (`agents`), then the episode   |
|                         |         |                            | fails                                               |
| `StoreError`            | store   | the disk                   | the run stops; nothing that was written is lost     |
| `LogDamaged`            | store   | the disk, or an editor     | the usable part of the log is kept, the episode     |
|                         |         |                            | resumes from it                                     |
| `ConcurrentWriteError`  | store   | another writer of a log    | the episode is retried from the current log         |
| `InternalError`         | gwray   | gwray                      | the episode fails with a traceback; please report it|

One failure costs one episode at most one attempt. `BrowserDisconnected` hits several episodes at once and costs none:
each is retried alone, which shows the culprit.

An episode that ends in an error becomes a *record* with this class, owner and message, never a score of 0 and never an
exception in the scheduler. A nonsensical, empty or overlong reply of a *model* is not an error: it is an invalid action
of the protocol.
"""

import errno
import importlib
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Literal, NoReturn

TRY_LATER = 75
"""Exit code if the same command may succeed later without any change (`EX_TEMPFAIL` of sysexits.h)."""
Owner = Literal["user", "game", "agent", "machine", "model", "store", "gwray"]
"""Stored in records as `error_owner`."""


class GwrayError(Exception):
    """Base class of all errors that gwray raises intentionally."""

    owner: ClassVar[Owner] = "gwray"
    retryable: ClassVar[bool] = False
    """Whether a retry of the same episode could succeed."""
    costs_try: ClassVar[bool] = True
    """Whether the failure counts against the retry limit of the episode."""
    stops_model: ClassVar[bool] = False
    """Whether every further episode with the same model would fail in the same way."""

    def error_fields(self) -> dict[str, Any]:
        """Returns the fields of an episode's record for this error: class, owner and consequences."""
        return {
            "error_class": type(self).__name__,
            "error_owner": self.owner,
            "retryable": self.retryable,
            "costs_try": self.costs_try,
            "stops_model": self.stops_model,
        }


class UsageError(GwrayError):
    """A wrong value from the user. The message names the value, the allowed values and the next action."""

    owner = "user"


class RunInUse(UsageError):
    """Another command works on the run directory. The same command may succeed later: exit code `TRY_LATER`."""


class GameError(GwrayError):
    """A game folder or its page broke its contract."""

    owner = "game"


class AgentError(GwrayError):
    """An agent, or a custom action space or format, broke its contract: it raised, sent requests without end, or sent
    other requests than the recorded ones."""

    owner = "agent"


class BrowserError(GwrayError):
    """The browser crashed, hung or could not start."""

    owner = "machine"
    retryable = True


class BrowserDisconnected(BrowserError):
    """A browser or actor shared by several episodes died. Which episode caused it, if any, is unknown."""

    costs_try = False


class PageHung(BrowserError):
    """A page did not answer while its browser did. If it happens again when played alone, it is the game's fault."""


class PageCrashed(BrowserError):
    """The process of a page ended while its browser runs. If it happens again when played alone, it is the game's
    fault."""


class DiskFull(BrowserError):
    """The node that plays cannot buffer an episode's rows, for example because its disk is full. The run directory, on
    another disk, is not affected."""


class StoreError(GwrayError):
    """The run directory could not be read or written."""

    owner = "store"


class LeaseLost(StoreError):
    """Another command has taken the run directory over, or may do so at any moment, so this process writes no more.
    Exit code `TRY_LATER`."""


class LogDamaged(GwrayError):
    """The reply log of an unfinished episode is unusable from some line on. The lines before it were kept, and the
    original log was moved to the run's `damaged/`."""

    owner = "store"
    retryable = True
    costs_try = False


class ConcurrentWriteError(GwrayError):
    """Another process appended to a file since this writer last wrote it, for example an actor that was considered dead
    while its network connection was down. Nothing was written; read the file again first."""

    owner = "store"
    retryable = True


class InternalError(GwrayError):
    """A bug in gwray, found at a boundary."""


class ModelError(GwrayError):
    """The provider did not return a usable reply. `status`: the HTTP status, if there was a response."""

    owner = "model"
    transient: ClassVar[bool] = False
    """Whether the same request could succeed later."""

    def __init__(self, message: str, *, status: int | None = None, retry_after_s: float | None = None):
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s


class RateLimited(ModelError):
    """HTTP 429 or equivalent. `retry_after_s`: seconds that the provider asks to wait."""

    transient = True


class ModelUnavailable(ModelError):
    """HTTP 5xx, a timeout, or a refused or broken connection."""

    transient = True


class ModelDown(ModelUnavailable):
    """The provider has answered no request for so long that the run stops waiting for it."""

    transient = False
    stops_model = True


class BadRequest(ModelError):
    """The provider rejected the request; a retry would not help."""


class ModelNotFound(BadRequest):
    """The provider does not know the model, or no longer offers it."""

    stops_model = True


class MalformedResponse(ModelError):
    """The response does not have the provider's wire format, or it is empty and nothing shows that the model wrote
    it."""

    transient = True


class AuthError(ModelError):
    """The API key is wrong or missing."""

    stops_model = True


class QuotaExhausted(ModelError):
    """The account has no credit left, or a limit (requests per day) that does not lift within a quarter of an hour."""

    stops_model = True


class ContentFiltered(ModelError):
    """The provider declined to answer the request."""


def exit_code(error: GwrayError) -> int:
    """Returns the exit code of a command that ends with this error: 2 if only another command could succeed,
    `TRY_LATER` if another process works on the run, 1 otherwise (the same command resumes)."""
    if isinstance(error, RunInUse | LeaseLost):
        return TRY_LATER
    return 2 if isinstance(error, UsageError) else 1


def choose(what: str, value: object, allowed: Sequence[str], then: str = "") -> UsageError:
    """Returns a `UsageError` with the invalid value, the nearest allowed names and the next action. Long lists of names
    are included only if no name is near, or no next action is given."""
    import difflib

    near = difflib.get_close_matches(str(value), allowed, n=3, cutoff=0.5)
    listed = ", ".join(allowed if len(allowed) <= 40 else [*allowed[:40], f"… ({len(allowed)} in all)"])
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    names = f"There are {len(allowed)}." if near and then and len(allowed) > 20 else f"Allowed: {listed}."
    return UsageError(f"{what} '{value}' does not exist.{hint} {names}{' ' + then if then else ''}")


@contextmanager
def boundary(owner: type[GwrayError], what: str) -> Iterator[None]:
    """Converts unexpected exceptions inside the block to `owner`. `GwrayError`s pass unchanged. `what` describes the
    operation ("loading 13_flappy-bird")."""
    try:
        yield
    except GwrayError:
        raise
    except Exception as e:
        detail = f"{what}: {type(e).__name__}: {e}"
        if issubclass(owner, AgentError):
            detail += where(e)
        if owner is InternalError:
            detail += "\n" + "".join(traceback.format_exception(e)[-6:])
        raise owner(detail) from e


def full_disk(error: OSError) -> str:
    """Returns what a disk ran out of and what to do; empty if the error has another cause."""
    if error.errno == errno.EDQUOT:
        return "Your disk quota is used up. Free some space or files and run the same command again."
    if error.errno != errno.ENOSPC:
        return ""
    return "The disk is full, or has too many files. Free some space and run the same command again."


def cut(text: str, most: int) -> str:
    """Returns the first `most` characters of a text, followed by … if it is longer."""
    return text if len(text) <= most else f"{text[:most]}…"


def where(error: BaseException) -> str:
    """Returns the place in third-party code that raised, ` (my_agent.py, line 12)`; empty if only gwray's code did."""
    ours = str(Path(__file__).parent)
    passed = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in passed if not f.filename.startswith((ours, "<", str(Path(importlib.__file__).parent)))]
    if not theirs:
        return ""
    last = [f for f in theirs if f.filename == theirs[0].filename][-1]
    return f" ({Path(last.filename).name}, line {last.lineno})"


def exit_for(error: Exception) -> NoReturn:
    """Prints what to do about a missing package while gwray itself is imported, and exits with code 2. Re-raises other
    errors."""
    if not isinstance(error, ModuleNotFoundError):
        raise error
    problem = f"gwray could not be imported: {error}. {sys.executable} lacks gwray's dependencies."
    print(f"{problem} Run `make setup`, then use .venv/bin/python.", file=sys.stderr)
    sys.exit(2)
