"""Which models are up when: the plan's waves. Pure; the hosting itself is in `hosting` and `gwray.serving`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gwray.errors import UsageError
from gwray.pipelines.plan import Plan
from gwray.pipelines.product import Episodes
from gwray.spec import CellSpec, ModelSpec


@dataclass(frozen=True)
class Wave:
    """Models that are up together, and the episodes that need no others."""

    models: tuple[ModelSpec, ...]
    episodes: Episodes


def self_hosted(plan: Plan) -> list[ModelSpec]:
    return [m for m in plan.models() if m.self_hosted]


def hosted_here(plan: Plan) -> list[ModelSpec]:
    """Self-hosted models that the run has to bring up. Those with an address of their own are up already."""
    hosted = [m for m in self_hosted(plan) if not m.base_url]
    _refuse_namesakes(plan, {m.name: m for m in hosted})
    if hosted and plan.settings.serving.name == "none":
        raise UsageError(
            f"{', '.join(m.name for m in hosted)}: no endpoint. serving=none needs model.base_url; serving=ray hosts "
            "the model on the cluster, serving=external serving.base_url=… uses a running server."
        )
    return hosted


def _refuse_namesakes(plan: Plan, hosted: dict[str, ModelSpec]) -> None:
    """One name is one deployment: a second model of that name would be answered by the first one's weights."""
    for cell in plan.cells:
        # Not `models()`, which has each name once.
        for m in (cell.spec.model, *cell.spec.roles.values(), *cell.spec.helpers.values()):
            if m.name in hosted and m.model_id != hosted[m.name].model_id:
                raise UsageError(
                    f"model.model_id '{m.model_id}' and '{hosted[m.name].model_id}' are both hosted as '{m.name}'. "
                    "Give each a profile with a name of its own in conf/model/ and conf/deployment/."
                )


def plan_waves(plan: Plan, episodes: Episodes, fit: Callable[[Sequence[ModelSpec]], list[list[str]]]) -> list[Wave]:
    """Waves in order; episodes that need no hosted model go with the first. `fit` groups what fits at once."""
    hosted = {m.name: m for m in hosted_here(plan)}
    asked = {name for part in episodes.parts for name in needs(part.cell, hosted)}
    wanted = [m for m in hosted.values() if m.name in asked]
    groups = fit(wanted) if wanted else [[]]
    left = episodes
    out: list[Wave] = []
    for group in groups:
        now, left = left.divided(lambda part, up=frozenset(group): needs(part.cell, hosted) <= up)
        out.append(Wave(tuple(hosted[n] for n in group), now))
    if left:
        apart = ", ".join(sorted({" + ".join(sorted(needs(part.cell, hosted))) for part in left.parts}))
        raise UsageError(f"these models are needed in one episode but do not fit on the cluster together: {apart}")
    return [w for w in out if w.episodes]


def needs(cell: CellSpec, hosted: dict[str, ModelSpec]) -> set[str]:
    """Names of the hosted models that a cell's episodes ask."""
    return {m.name for m in cell.models() if m.name in hosted}
