"""gwray: play browser games with multimodal agents, at scale, with scores that anyone can verify.

Usage from Python and in notebooks (docs/python.md); `load_run`, `play`, `sweep`, `Run` and `Episode` are imported on
first access:

    import gwray
    run = gwray.load_run("runs/demo")
    run.episodes, run.steps, run.calls, run.table()

The packages, from the bottom up (docs/architecture.md has their layers):

    records, places, settings, pages     facts of an episode, files of users, settings and axes, the look of all pages
    catalog, sandbox, store              games, tasks and models; a browser with a stepped clock; the run directory
    agents, environments, evaluation     what decides, where it is played, what it scores
    serving, analysis, tracking          hosted models, statistics, Weights & Biases
    pipelines                            plans a run and plays its episodes
    verification                         proves, repairs, rescores and forks recorded episodes
    actors, judges, person, report       Ray, judges, people who play, pages of results
    cli, notebook                        commands, and what `import gwray` offers
    studies, plugins                     the papers' own parts, and features that can be removed
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gwray.notebook import Episode, Run, load_run, play, sweep

__version__ = "0.3.0"
os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")
"""Ray reads this variable at import. Its own signal handler would print a native stack at SIGTERM and abort the process
three seconds later, even during an orderly shutdown."""
__all__ = ["Episode", "Run", "__version__", "load_run", "play", "sweep"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from gwray.cli.console import shown_work

        with shown_work("loading gwray"):
            from gwray import notebook
        return getattr(notebook, name)
    raise AttributeError(f"module 'gwray' has no attribute '{name}'; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return [*__all__]
