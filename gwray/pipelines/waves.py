"""Computes the waves of a plan: which hosted models run together. Pure; see `hosting` for the hosting itself."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

from gwray.errors import UsageError
from gwray.pipelines.plan import Plan
from gwray.pipelines.product import Episodes
from gwray.settings import CellSpec, ModelSpec


@dataclass(frozen=True)
class Wave:
    """Models that are hosted together, and the episodes that need no others."""

    models: tuple[ModelSpec, ...]
    episodes: Episodes


def hosted_here(plan: Plan) -> list[ModelSpec]:
    """Returns the self-hosted models that the run must start. Those with a `base_url` are running already."""
    hosted = [m for m in plan.models() if m.self_hosted and not m.base_url]
    _check_names(plan, {m.name: m for m in reversed(hosted)})
    if hosted and plan.settings.serving.name == "none":
        raise UsageError(
            f"{', '.join(m.name for m in hosted)}: no endpoint. serving=none needs model.base_url; serving=ray hosts "
            "the model on the cluster, serving=external serving.base_url=… uses a running server."
        )
    return hosted


def _check_names(plan: Plan, hosted: dict[str, ModelSpec]) -> None:
    """Raises `UsageError` if two hosted models have one name: a name is one deployment."""
    for cell in plan.cells:
        for m in (cell.spec.model, *cell.spec.roles.values(), *cell.spec.helpers.values()):
            if m.name in hosted and m.model_id != hosted[m.name].model_id:
                raise UsageError(
                    f"model.model_id '{m.model_id}' and '{hosted[m.name].model_id}' are both hosted as '{m.name}'. "
                    "Give each its own profile and name in conf/model/ and conf/deployment/."
                )


def plan_waves(plan: Plan, episodes: Episodes, fit: Callable[[Sequence[ModelSpec]], list[list[str]]]) -> list[Wave]:
    """Returns the waves in order. Episodes without a hosted model are a wave without models, the first, and are played
    beside all others. `fit` groups models that fit together."""
    hosted = {m.name: m for m in hosted_here(plan)}
    asked = {name for part in episodes.parts for name in needs(part.cell, hosted)}
    wanted = [m for m in hosted.values() if m.name in asked]
    left = episodes
    out: list[Wave] = []
    for group in [[], *(fit(wanted) if wanted else [])]:
        now, left = left.divided(lambda part, up=frozenset(group): needs(part.cell, hosted) <= up)
        out.append(Wave(tuple(hosted[n] for n in group), now))
    if left:
        apart = ", ".join(sorted({" + ".join(sorted(needs(part.cell, hosted))) for part in left.parts}))
        raise UsageError(f"these models are needed in one episode but do not fit on the cluster together: {apart}")
    return [w for w in out if w.episodes]


def needs(cell: CellSpec, hosted: Container[str]) -> set[str]:
    """Returns the names of the hosted models that a cell's episodes need."""
    return {m.name for m in cell.models() if m.name in hosted}
