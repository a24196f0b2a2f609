"""Hosts one model until it is stopped: `gwray serve`."""

import asyncio
import contextlib
import signal
from collections.abc import Callable

from gwray.errors import UsageError
from gwray.serving.cluster import this_machine
from gwray.serving.environment import is_free
from gwray.serving.placement import capacity_problem
from gwray.serving.profile import read_deployment
from gwray.serving.ray_serving import RayServing
from gwray.settings import ModelSpec


async def serve_model(
    model: ModelSpec, *, address: str | None = None, port: int | None = None, say: Callable[[str], None] = print
) -> None:
    """Hosts one model until Ctrl-C or SIGTERM, and leaves nothing running.

    Args:
        model: A self-hosted model with a serving profile.
        address: Ray cluster that hosts it; None: this machine.
        port: TCP port of the API; None: a free one on this machine, 8000 on a cluster.
        say: Receives progress messages.

    Raises:
        UsageError: The model does not fit, or the port is in use.
        ServingError: The model does not start.
    """
    if address is None and (problem := capacity_problem(read_deployment(model.name), this_machine())):
        raise UsageError(f"{problem}. Use a larger cluster: gwray serve {model.name} --address HOST:6379.")
    if address is None and port is not None and not is_free(port):
        raise UsageError(f"port {port} is in use on this machine: choose another --port, or omit it for a free one.")
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    handled = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):  # outside of the main thread
            loop.add_signal_handler(number, stop.set)
            handled.append(number)
    serving = RayServing(address, port=port, say=say)
    try:
        say(f"Starting {model.name}; a small model takes half a minute, large weights several minutes …")
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
        for number in handled:
            loop.remove_signal_handler(number)
