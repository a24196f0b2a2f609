"""Who plays: the executors, of equal rank, by the name that `executor=` gives."""

from __future__ import annotations

from gwray.pipelines import Executor, Inline
from gwray.spec import ExecutorSpec


def make_executor(
    run_dir: str, libraries: tuple[str, ...], spec: ExecutorSpec, *, episodes: int, engine_cpus: float
) -> Executor:
    """A `gwray.pipelines.MakeExecutor`: `inline` in this process, `ray` in actors over a cluster."""
    if spec.name == "inline":
        return Inline(run_dir, libraries, spec)
    from gwray.actors import RayPool  # imports Ray

    return RayPool(run_dir, libraries, spec, episodes, engine_cpus)
