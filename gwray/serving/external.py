"""Uses a running OpenAI-compatible server for self-hosted models; never starts or stops it."""

import os
from collections.abc import Callable, Sequence

from gwray.errors import UsageError
from gwray.records import names_user
from gwray.serving.metrics import EngineSummary
from gwray.serving.placement import ClusterResources
from gwray.serving.probe import wait_until_ready
from gwray.serving.ray_serving import Endpoint
from gwray.serving.sampling import OnSample
from gwray.settings import ModelSpec

READY_S = 60


class ExternalServing:
    """`serving=external serving.base_url=…`: one address for all self-hosted models of the plan."""

    on_sample: OnSample | None = None
    """Never called: the metrics of a server that others may use say little about a run."""

    def __init__(self, base_url: str):
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
        return Endpoint(self._base_url, name)

    async def teardown(self, model: ModelSpec) -> EngineSummary | None:
        """Returns None: the server continues."""

    async def close(self) -> None:
        """Does nothing: the server continues."""
