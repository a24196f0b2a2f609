"""gwray: play browser games with multimodal agents, at scale, with scores that anyone can verify.

From Python and in notebooks (see docs/python.md); nothing is imported before it is asked for:

    import gwray
    run = gwray.load_run("runs/demo")
    run.episodes, run.steps, run.calls, run.table()
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gwray.notebook import Episode, Run, load_run, play, sweep

import os

os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")
"""Ray reads it when it is imported, by whichever room comes first. Its own handler prints a native stack at SIGTERM and
aborts the process three seconds later, even one that ends in order."""
__version__ = "0.1.0"
__all__ = ["Episode", "Run", "__version__", "load_run", "play", "sweep"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from gwray import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'gwray' has no attribute '{name}'; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__]
