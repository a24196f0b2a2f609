"""Errors of models that could not be started, with the last lines of the engine's log."""

from collections.abc import Sequence

from gwray.errors import ModelError

KEPT_LINES = 12
"""Lines of the engine's log in an error message."""


class ServingError(ModelError):
    """A model could not be served. Its cells fail with this message; a retry would not help."""


def last_lines(log: str | Sequence[str], keep: int = KEPT_LINES) -> list[str]:
    """Returns the last distinct lines of a log that mention an error, oldest first; its last lines if none does."""
    lines = [line.rstrip()[:400] for line in (log.splitlines() if isinstance(log, str) else log) if line.strip()]
    errors = [line for line in lines if "error" in line.lower() or "exception" in line.lower()]
    return list(dict.fromkeys(reversed(errors or lines)))[:keep][::-1]


def startup_error(name: str, problem: str, log: str | Sequence[str] = "") -> ServingError:
    """Returns the error of model `name`, which could not be started because of `problem`."""
    lines = "".join(f"\n  | {line}" for line in last_lines(log))
    return ServingError(
        f"{name}: {problem}.{lines}\n  Common causes and fixes: docs/serving.md, 'When a model does not start'. The "
        "engine's complete log is in Ray's session folder (logs/serve/ and logs/worker-*.err)."
    )
