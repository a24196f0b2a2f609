"""Uses a running OpenAI-compatible server for self-hosted models; never starts or stops it."""

import os
from collections.abc import Callable, Sequence

import httpx

from gwray.errors import UsageError
from gwray.records import names_user
from gwray.serving.metrics import Counters, EngineSummary, parse
from gwray.serving.placement import ClusterResources
from gwray.serving.probe import wait_until_ready
from gwray.serving.ray_serving import Endpoint
from gwray.serving.sampling import SAMPLE_EVERY_S, OnSample, Sampler
from gwray.settings import ModelSpec

READY_S = 60


class ExternalServing:
    """`serving=external serving.base_url=…`: one address for all self-hosted models of the plan. Reads vLLM's metrics
    if the server publishes them next to its API."""

    def __init__(self, base_url: str, *, sample_every_s: float = SAMPLE_EVERY_S):
        if names_user(base_url):
            raise UsageError(
                "serving.base_url contains a user or password. Remove it, and set the environment variable "
                "that the model's api_key_env names to the key."
            )
        if not base_url.startswith(("http://", "https://")):
            raise UsageError(
                f"serving.base_url '{base_url}' is not an HTTP address. Set it to the server's API root, for example "
                "http://127.0.0.1:8000/v1."
            )
        self._base_url = base_url.rstrip("/")
        self._every_s = sample_every_s
        self.on_sample: OnSample | None = None
        self._samplers: dict[str, Sampler] = {}

    def waves(self, models: Sequence[ModelSpec], resources: ClusterResources) -> list[list[str]]:
        """Returns one wave with all models: the server decides what fits."""
        return [[m.name for m in models]] if models else []

    async def fitting(self, models: Sequence[ModelSpec]) -> list[str]:
        return [m.name for m in models]

    async def deploy(self, model: ModelSpec, placed: Callable[[], None] = lambda: None) -> Endpoint:
        """Checks that the server answers a chat for this model, with an image if the model accepts images. Never calls
        `placed`: the server runs. Raises `ServingError` or `ModelUnavailable`."""
        name = model.model_id or model.name
        key = os.environ.get(model.api_key_env, "").strip() if model.api_key_env else ""
        await wait_until_ready(self._base_url, name, READY_S, pictures=model.pictures, key=key)
        if model.name not in self._samplers:
            sampler = Sampler(model.name, lambda: self._read(name), self._every_s, self.on_sample)
            self._samplers[model.name] = sampler
            await sampler.sample()
            if sampler.has_samples:  # a server without vLLM's metrics is not polled
                sampler.start()
        return Endpoint(self._base_url, name)

    async def teardown(self, model: ModelSpec) -> EngineSummary | None:
        """Stops sampling. Returns the summary of the engine, None if the server publishes no vLLM metrics."""
        sampler = self._samplers.pop(model.name, None)
        if sampler is None:
            return None
        summary = await sampler.stop()
        return summary if sampler.has_samples else None

    async def _read(self, model_id: str) -> Counters | None:
        """Reads the server's metrics page; None if it does not answer."""
        try:
            async with httpx.AsyncClient(timeout=10) as client:
                page = await client.get(self._base_url.removesuffix("/v1") + "/metrics")
        except httpx.HTTPError:
            return None
        return parse([page.text], model_id)

    async def close(self) -> None:
        for sampler in self._samplers.values():
            await sampler.stop(last=False)
        self._samplers.clear()
