"""A server that somebody else runs: any OpenAI-compatible endpoint, used as it is and never taken down by us."""

from __future__ import annotations

from collections.abc import Sequence

import httpx

from gwray.errors import UsageError
from gwray.serving.metrics import EngineSample, EngineSummary, History, parse
from gwray.serving.placement import ClusterResources
from gwray.serving.probe import ready
from gwray.serving.ray_serving import Endpoint
from gwray.spec import ModelSpec

READY_S = 60


class ExternalServing:
    """`serving=external base_url=…`: one address for all self-hosted models of the plan.

    vLLM's metrics are read when the server publishes them beside its API; other servers simply have none.
    """

    def __init__(self, base_url: str):
        if not base_url.startswith(("http://", "https://")):
            raise UsageError(
                f"serving.base_url '{base_url}' is no address. Give the server's API root, for example "
                "http://127.0.0.1:8000/v1."
            )
        self._base_url = base_url.rstrip("/")
        self._histories: dict[str, History] = {}

    def waves(self, models: Sequence[ModelSpec], resources: ClusterResources) -> list[list[str]]:
        """All at once: what fits is the server's affair."""
        return [[m.name for m in models]] if models else []

    async def deploy(self, model: ModelSpec) -> Endpoint:
        """Check that the server answers an image chat for this model. Raises `ServingError`, `ModelUnavailable`."""
        name = model.model_id or model.name
        await ready(self._base_url, name, READY_S)
        self._histories.setdefault(model.name, History(model.name))
        await self.metrics(model)
        return Endpoint(self._base_url, name)

    async def teardown(self, model: ModelSpec) -> EngineSummary | None:
        """Only stops counting; returns what its engine did meanwhile, None when it says nothing."""
        await self.metrics(model)
        history = self._histories.pop(model.name, None)
        return history.summary() if history and history.last else None

    async def metrics(self, model: ModelSpec) -> EngineSample | None:
        """One reading, None when the server publishes no vLLM metrics."""
        history = self._histories.get(model.name)
        if history is None:
            return None
        try:
            async with httpx.AsyncClient(timeout=10) as client:
                page = await client.get(self._base_url.removesuffix("/v1") + "/metrics")
        except httpx.HTTPError:
            return None
        now = parse([page.text], model.model_id or model.name)
        return history.add(now) if now.replicas else None

    def summaries(self) -> list[EngineSummary]:
        return [h.summary() for h in self._histories.values() if h.last]

    async def close(self) -> None:
        self._histories.clear()
