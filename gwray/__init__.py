"""gwray: play browser games with multimodal agents, at scale, with scores that anyone can verify.

Usage from Python and in notebooks (see docs/python.md); the names below are imported on first access:

    import gwray
    run = gwray.load_run("runs/demo")
    run.episodes, run.steps, run.calls, run.table()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gwray.notebook import Episode, Run, load_run, play, sweep

import os

from gwray.version import __version__

os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")
"""Ray reads this variable at import. Its own signal handler would print a native stack at SIGTERM and abort the process
three seconds later, even during an orderly shutdown."""
__all__ = ["Episode", "Run", "__version__", "load_run", "play", "sweep"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from gwray import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'gwray' has no attribute '{name}'; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__]
