"""Which models are up when: the plan's waves, and the endpoints of each. The hosting itself is in `gwray.serving`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rich.console import Console

from gwray.errors import UsageError
from gwray.pipelines.plan import Plan
from gwray.spec import EpisodeSpec, ModelSpec
from gwray.store import RunDir


@dataclass(frozen=True)
class Wave:
    """Models that are up together, and the episodes that need no others."""

    models: tuple[ModelSpec, ...]
    episodes: tuple[EpisodeSpec, ...]


class Hosting(Protocol):
    """What the run needs of serving."""

    def waves(self, models: Sequence[ModelSpec]) -> list[list[str]]:
        """Names of self-hosted models, grouped by what fits on the cluster at once."""
        ...

    async def up(self, models: Sequence[ModelSpec]) -> tuple[dict[str, str], dict[str, str]]:
        """Deploy; base URLs by name, and for those that could not start, why."""
        ...

    async def down(self, models: Sequence[ModelSpec], run: RunDir) -> None: ...
    async def close(self) -> None: ...


class External:
    """Somebody else hosts: one running OpenAI-compatible server, or the addresses in the profiles."""

    def __init__(self, base_url: str | None = None):
        self._base_url = base_url

    def waves(self, models: Sequence[ModelSpec]) -> list[list[str]]:
        return [[m.name for m in models]] if models else []

    async def up(self, models: Sequence[ModelSpec]) -> tuple[dict[str, str], dict[str, str]]:
        if not self._base_url:
            return {}, {}
        return {m.name: self._base_url for m in models}, {}

    async def down(self, models: Sequence[ModelSpec], run: RunDir) -> None:
        return None

    async def close(self) -> None:
        return None


def self_hosted(plan: Plan) -> list[ModelSpec]:
    return [m for m in plan.models() if m.self_hosted]


def make_serving(plan: Plan, console: Console) -> Hosting:
    """The hosting that `serving=` names; nothing is started yet."""
    choice = plan.settings.serving
    hosted = self_hosted(plan)
    if choice.name == "external" or not hosted:
        if choice.name == "external" and not choice.base_url:
            raise UsageError("serving=external needs serving.base_url=http://HOST:PORT/v1")
        return External(choice.base_url)
    missing = [m.name for m in hosted if not m.base_url]
    if choice.name == "none":
        if missing:
            raise UsageError(
                f"{', '.join(missing)}: no endpoint. serving=none needs model.base_url; serving=ray hosts the model "
                "here, serving=external serving.base_url=… uses a running server."
            )
        return External()
    from gwray.pipelines.hosting import RayHosting

    return RayHosting(plan, console)


def plan_waves(plan: Plan, episodes: Sequence[EpisodeSpec], hosting: Any) -> list[Wave]:
    """Waves in order: first the episodes that need no hosted model, together with the first wave's."""
    hosted = {m.name: m for m in self_hosted(plan)}
    groups = hosting.waves(list(hosted.values())) or [[]]
    left = list(episodes)
    out: list[Wave] = []
    for group in groups:
        up = set(group)
        now = [e for e in left if needs(e, hosted) <= up]
        left = [e for e in left if not needs(e, hosted) <= up]
        out.append(Wave(tuple(hosted[n] for n in group), tuple(now)))
    if left:
        apart = ", ".join(sorted({" + ".join(sorted(needs(e, hosted))) for e in left}))
        raise UsageError(f"these models are needed in one episode but do not fit on the cluster together: {apart}")
    return [w for w in out if w.episodes]


def needs(episode: EpisodeSpec, hosted: dict[str, ModelSpec]) -> set[str]:
    """Names of the hosted models that an episode asks."""
    return {m.name for m in (episode.cell.model, *episode.cell.roles.values()) if m.name in hosted}
