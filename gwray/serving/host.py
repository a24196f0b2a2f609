"""One model on its own: what `gwray serve` and `gwray doctor` ask for."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable

from gwray.errors import UsageError
from gwray.serving.cluster import this_machine
from gwray.serving.environment import is_free
from gwray.serving.placement import ClusterResources, misfit
from gwray.serving.profile import DeploymentSpec, read_deployment
from gwray.serving.ray_serving import RayServing
from gwray.spec import ModelSpec


def fits(model: str | DeploymentSpec, resources: ClusterResources | None = None) -> str | None:
    """None when the model can be hosted with these resources (default: this machine's), otherwise why not."""
    spec = model if isinstance(model, DeploymentSpec) else read_deployment(model)
    return misfit(spec, resources or this_machine())


async def serve_model(
    model: ModelSpec,
    *,
    address: str | None = None,
    port: int | None = None,
    say: Callable[[str], None] = print,
    until: asyncio.Event | None = None,
) -> None:
    """Host one model until Ctrl-C, a SIGTERM or `until`; nothing is left running afterwards.

    Raises `UsageError` when it cannot fit or its port is taken, `ServingError` when it does not start.
    """
    if address is None and (why := fits(model.name)):
        raise UsageError(f"{why}. Join a larger cluster: gwray serve {model.name} --address HOST:6379.")
    if address is None and port is not None and not is_free(port):
        raise UsageError(f"port {port} is taken on this machine: give another --port, or none for a free one.")
    stop = until or asyncio.Event()
    loop = asyncio.get_running_loop()
    caught = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):  # not the main thread
            loop.add_signal_handler(number, stop.set)
            caught.append(number)
    serving = RayServing(address, port=port, say=say)
    try:
        say(f"Starting {model.name}; a small model takes half a minute, large weights several …")
        starting = asyncio.create_task(serving.deploy(model))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({starting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            return
        stopping.cancel()
        endpoint = starting.result()
        say(f"{model.name} answers at {endpoint.base_url} (model name: {endpoint.model_id}). Ctrl-C takes it down.")
        await stop.wait()
        say(f"Taking {model.name} down …")
    finally:
        await asyncio.shield(serving.close())
        for number in caught:
            loop.remove_signal_handler(number)
