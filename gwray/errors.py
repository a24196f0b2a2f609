"""Who is to blame: the error model of the whole project, and the one place that assigns it.

Every failure has exactly one owner, and the owner decides what happens next:

| class          | owner   | who that is               | what happens                                            |
|----------------|---------|---------------------------|---------------------------------------------------------|
| `UsageError`   | user    | the person at the keyboard| the command ends with exit code 2 before anything runs  |
| `GameError`    | game    | the author of a game      | the episode fails; trying again would not help          |
| `AgentError`   | agent   | the author of an agent    | the episode fails; trying again would not help          |
| `BrowserError` | machine | the machine               | the episode is tried again, alone in a new browser      |
| `ModelError`   | model   | the model or its provider | retried in one place (`agents`), then the episode fails |
| `StoreError`   | store   | the disk                  | the run stops; nothing that was written is lost         |
| `LogDamaged`   | store   | the disk, or who edits it | what can be used of the log is; the episode goes on     |
| `Overtaken`    | store   | another writer of a log   | the episode is tried again, from what is there now      |
| `InternalError`| us      | us                        | the episode fails with a traceback; please report it    |

One failure costs one episode one try at most: `BrowserLost` is what befell several at once and costs none, since which
of them did it shows when each is played alone.

An episode that ends in an error is a *record* with this class, owner and message, never a score of 0 and never an
exception in the scheduler. What a model *says* (nonsense, nothing, too much) is no error at all: it is an
invalid action of the protocol.
"""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Literal

Owner = Literal["user", "game", "agent", "machine", "model", "store", "us"]


class GwrayError(Exception):
    """Base of all errors that gwray raises on purpose."""

    owner: ClassVar[Owner] = "us"
    retryable: ClassVar[bool] = False
    """The same episode could succeed at another try."""
    costs_try: ClassVar[bool] = True
    """It counts against the episode's tries."""
    stops_model: ClassVar[bool] = False
    """Every further episode with the same model would meet it too."""

    def blame(self) -> dict[str, Any]:
        """The fields of an episode's record that say who is to blame and what follows from that."""
        return {
            "error_class": type(self).__name__,
            "error_owner": self.owner,
            "retryable": self.retryable,
            "costs_try": self.costs_try,
            "stops_model": self.stops_model,
        }


class UsageError(GwrayError):
    """A wrong value from the user: names the value, what is allowed, and what to do next."""

    owner = "user"


class GameError(GwrayError):
    """A game folder or its page broke its contract."""

    owner = "game"


class AgentError(GwrayError):
    """An agent's code, or an action space or a format of somebody's own, broke its contract: it raised, asked without
    end, or asked what a recorded run did not."""

    owner = "agent"


class BrowserError(GwrayError):
    """The browser crashed, hung or could not start."""

    owner = "machine"
    retryable = True


class BrowserLost(BrowserError):
    """What several episodes were played in went down, and which of them did it, if one did, is not known."""

    costs_try = False


class PageHung(BrowserError):
    """A page did not answer, while its browser did. When it does so alone too, it is the game's fault."""


class PageCrashed(BrowserError):
    """The process of a page ended, while its browser lives. When it does so alone too, it is the game's fault."""


class NoRoom(BrowserError):
    """The machine that plays could not keep an episode's rows until its end: its disk is full, say. That is no fault of
    the run directory, which lies elsewhere."""


class StoreError(GwrayError):
    """The run directory could not be read or written."""

    owner = "store"


class LogDamaged(GwrayError):
    """The reply log of an unfinished episode cannot be used from some line on; what is before it has been kept, and
    the log as it was lies in the run's `damaged/`."""

    owner = "store"
    retryable = True
    costs_try = False


class Overtaken(GwrayError):
    """Somebody else has written into a file of which this writer knows how it was left: an actor that was taken for
    lost goes on behind a link that was cut, say. Nothing was written; what is there now is to be read first."""

    owner = "store"
    retryable = True


class InternalError(GwrayError):
    """A bug of ours, found at a boundary."""


class ModelError(GwrayError):
    """The provider did not give a usable reply. `status`: HTTP status if there was one."""

    owner = "model"
    transient: ClassVar[bool] = False
    """The same request could succeed later."""

    def __init__(self, message: str, *, status: int | None = None, retry_after_s: float | None = None):
        super().__init__(message)
        self.status = status
        self.retry_after_s = retry_after_s


class RateLimited(ModelError):
    """429 or equal; `retry_after_s` is the provider's wish."""

    transient = True


class ModelUnavailable(ModelError):
    """5xx, timeout, connection refused or lost."""

    transient = True


class ModelDown(ModelUnavailable):
    """The provider has answered nobody for so long that waiting on is of no use to this run."""

    transient = False
    stops_model = True


class BadRequest(ModelError):
    """The provider refused the request itself: sending it again would not help."""


class MalformedResponse(ModelError):
    """The provider answered with something that is not its own wire format."""

    transient = True


class AuthError(ModelError):
    """Wrong or missing key."""

    stops_model = True


class QuotaExhausted(ModelError):
    """No credit left."""

    stops_model = True


class ContentFiltered(ModelError):
    """The provider declined to answer this request."""


def choose(what: str, value: object, allowed: Sequence[str], then: str = "") -> UsageError:
    """A `UsageError` that names the bad value, the nearest allowed names first, and the next action. Of many names all
    are told only where none is near, or nothing else tells them."""
    import difflib

    near = difflib.get_close_matches(str(value), allowed, n=3, cutoff=0.5)
    listed = ", ".join(allowed if len(allowed) <= 40 else [*allowed[:40], f"… ({len(allowed)} in all)"])
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    names = f"There are {len(allowed)}." if near and then and len(allowed) > 20 else f"Allowed: {listed}."
    return UsageError(f"{what} '{value}' does not exist.{hint} {names}{' ' + then if then else ''}")


@contextmanager
def boundary(owner: type[GwrayError], what: str) -> Iterator[None]:
    """Give stray exceptions inside the block an owner.

    Errors that already have one pass unchanged; `what` says what was being done ("loading 13_flappy-bird").
    """
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


def cut(text: str, most: int) -> str:
    """The first `most` characters of a text, with … where that is not the whole."""
    return text if len(text) <= most else f"{text[:most]}…"


def where(error: BaseException) -> str:
    """Where in other people's code an exception came from, ` (my_agent.py, line 12)`; empty if it passed only ours."""
    ours = str(Path(__file__).parent)
    passed = traceback.extract_tb(error.__traceback__)
    theirs = [f for f in passed if not f.filename.startswith((ours, "<", str(Path(importlib.__file__).parent)))]
    if not theirs:
        return ""
    last = [f for f in theirs if f.filename == theirs[0].filename][-1]
    return f" ({Path(last.filename).name}, line {last.lineno})"
