"""Hosts the models of one sweep with Ray Serve and vLLM. One application per model. A model is up once a chat has
succeeded, with an image if it accepts images, and down once Serve reports that its replicas have ended. All calls to
Ray run in threads, so they do not block the caller's event loop. The plan decides which models are up together."""

import asyncio
import importlib.util
import logging
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeVar

from gwray.errors import UsageError
from gwray.ray_connection import cluster_address, connect, disconnect
from gwray.serving import cluster, placement
from gwray.serving.deployment import build_app, llm_config
from gwray.serving.environment import engine_environment, free_port, ray_environment
from gwray.serving.metrics import Counters, EngineSummary, parse
from gwray.serving.placement import ClusterResources
from gwray.serving.probe import ServingError, startup_error, wait_until_ready
from gwray.serving.profile import DeploymentSpec, read_deployment
from gwray.serving.sampling import SAMPLE_EVERY_S, OnSample, Sampler
from gwray.serving.weights import resolve, revision
from gwray.settings import ModelSpec

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
POLL_S = 0.5
FIRST_CHAT_S = 180.0
"""Least seconds for the first chat of a loaded model."""
LOADING_S, SAME_S = 10.0, 60.0
"""Seconds between messages about a model that is loading, and between equal ones."""
START_TRIES = 3
CANCELLED_S = 3.0
"""Seconds for which a cancelled call is awaited: downloading weights may take hours."""
QUIET_LOGS = {"log_level": "WARNING", "enable_access_log": False}
"""One log line per request costs time, and the reply logs already have them."""
T = TypeVar("T")


@dataclass(frozen=True)
class Endpoint:
    """OpenAI-compatible base URL of a model, and the model's name there."""

    base_url: str
    model_id: str
    weights: str = ""
    """`model_source` of the serving profile; empty for an external server."""
    engine: str = ""
    """Engine and version; empty for an external server."""
    revision: str = ""
    """Commit of weights from the hub, or digest of those in a folder; empty: unknown."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of the engine."""

    def facts(self) -> dict[str, Any]:
        """Returns what was served, for `run.json`; nothing for an external server."""
        facts = {"weights": self.weights, "revision": self.revision, "engine": self.engine, "arguments": self.arguments}
        return {name: value for name, value in facts.items() if value} if self.weights else {}


@dataclass
class _Deployment:
    """A deployed model, or one that is being deployed."""

    app: str
    spec: DeploymentSpec
    model_id: str
    pictures: bool = True
    """Whether the model accepts images."""
    endpoint: Endpoint | None = None
    loaded: bool = False
    """Whether Serve has reported it as running."""
    sampler: Sampler = field(init=False, repr=False)


class RayServing:
    """The deployments of one sweep, on the Ray connection of this process or a new one.

    Args:
        address: Ray cluster; None: one that is started on this machine.
        specs: Serving profiles by model, in place of those of `conf/deployment/`.
        port: TCP port of the API; None: a free one on this machine, 8000 on a cluster.
        sample_every_s: Seconds between readings of the engines' metrics; 0: only on request.
        say: Receives messages for the user while a model starts.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        specs: Mapping[str, DeploymentSpec] | None = None,
        port: int | None = None,
        sample_every_s: float = SAMPLE_EVERY_S,
        say: Callable[[str], None] | None = None,
    ):
        self._address = cluster_address(address)
        self._specs = dict(specs or {})
        self._port = port
        self._every_s = sample_every_s
        self.on_sample: OnSample | None = None
        self._say = say
        self._up: dict[str, _Deployment] = {}
        self._connected = False
        self._started_serve = False
        self._lock = asyncio.Lock()

    def spec(self, model: str) -> DeploymentSpec:
        """Returns the serving profile of a model."""
        return self._specs.get(model) or read_deployment(model)

    def waves(self, models: Sequence[ModelSpec], resources: ClusterResources) -> list[list[str]]:
        """Returns the models' names, grouped by what fits at once. Raises `UsageError` for a model that never fits."""
        return placement.waves([self.spec(m.name) for m in models], resources)

    async def fitting(self, models: Sequence[ModelSpec]) -> list[str]:
        """Returns the names of the models that fit together on what is free on the cluster now."""
        if not self._address and not self._up:  # nothing else uses the Ray that this object starts
            return [m.name for m in models]
        free = await asyncio.to_thread(cluster.cluster_resources, free=True)
        return placement.fitting([self.spec(m.name) for m in models], free)

    async def deploy(self, model: ModelSpec, placed: Callable[[], None] = lambda: None) -> Endpoint:
        """Hosts a model. Returns once a chat has succeeded, with an image if the model accepts images. Calls `placed`
        once the cluster has reserved what its engines need. Raises `ServingError` with the last lines of the engine's
        log, after the model was taken down again."""
        if (up := self._up.get(model.name)) and up.endpoint:
            return up.endpoint
        spec = self.spec(model.name)
        if importlib.util.find_spec("vllm") is None:
            raise ServingError(
                f"{model.name}: this Python ({sys.executable}) has no engine. On a GPU machine: pip install "
                "'gwray[serving]'. Without a GPU: make setup-vllm, then run .venv-vllm/bin/python launch.py …"
            )
        async with self._lock:  # the first deployment starts Serve
            try:
                await _run_to_end(self._start)
            except UsageError:
                raise
            except Exception as e:
                raise startup_error(model.name, f"Ray Serve could not be started ({_short(str(e))})") from e
        if problem := placement.capacity_problem(spec, await asyncio.to_thread(cluster.cluster_resources)):
            raise ServingError(f"{problem}. `ray status` lists the resources of the nodes.")
        app = await asyncio.to_thread(cluster.app_name, re.sub(r"[^A-Za-z0-9_.-]", "-", model.name))
        up = _Deployment(app, spec, model.model_id or model.name, model.pictures)
        up.sampler = Sampler(model.name, lambda: self._read(up), self._every_s, self.on_sample)
        self._up[model.name] = up
        try:
            async with self._lock:
                base_url = await _run_to_end(self._run, up)
            await self._running(up, spec.start_timeout_s, placed)
            served = await _run_to_end(self._revision, up, model.deployment.get("revision", ""))
            chat_s = max(FIRST_CHAT_S, spec.start_timeout_s / 4)  # it compiles kernels
            await wait_until_ready(base_url, up.model_id, chat_s, pictures=up.pictures, failure=lambda: self._dead(up))
        except BaseException as e:
            log = await asyncio.to_thread(cluster.replica_log, app)
            await asyncio.shield(self.teardown(model))
            if isinstance(e, (ServingError, UsageError)) or not isinstance(e, Exception):
                raise
            problem = f"the engine has loaded the model, but does not answer: {e}" if up.loaded else str(e)
            raise startup_error(model.name, problem, log) from e
        up.endpoint = Endpoint(
            base_url, up.model_id, spec.model_source, f"vllm {version('vllm')}",
            served, spec.engine_arguments(pictures=model.pictures),
        )  # fmt: skip
        up.sampler.start()
        return up.endpoint

    async def teardown(self, model: ModelSpec) -> EngineSummary | None:
        """Takes a model down and returns the summary of its engine; None if it was not up."""
        return await self._take_down(model.name)

    async def _take_down(self, name: str) -> EngineSummary | None:
        """Deletes a model's application and returns the summary of its engine; None if it was not up."""
        up = self._up.pop(name, None)
        if up is None:
            return None
        summary = await up.sampler.stop(last=up.endpoint is not None)
        await _run_to_end(_delete, up.app)
        return summary

    async def close(self) -> None:
        """Takes down everything that this object started; safe to call twice."""
        for name in list(self._up):
            await self._take_down(name)
        await _run_to_end(self._stop)

    # The methods below run in threads.

    def _start(self) -> None:
        """Connects to Ray, removes leftovers of crashed runs, and starts Serve."""
        import ray

        if not ray.is_initialized():
            self._connected = connect(self._address, ray_environment(), metrics=True)
        if cluster.serve_runs() and self._started_serve:
            return
        variables = ray_environment()  # must be set before ray.serve is imported
        cluster.remove_leftovers()
        if cluster.serve_runs():
            if not cluster.serve_mark():
                raise UsageError(
                    "this cluster runs a Ray Serve that gwray did not start, with other settings. Stop it "
                    "(`serve shutdown`), use another cluster (executor.address=…), or let it serve the models: "
                    "serving=external serving.base_url=…."
                )
            return
        for left in reversed(range(START_TRIES)):
            try:
                self._start_serve(variables)
                break
            except Exception:  # on a busy machine Serve misses its own time limits
                with suppress(Exception):
                    cluster.shutdown_serve()
                if not left:
                    raise
        self._started_serve = True

    def _start_serve(self, variables: dict[str, str]) -> None:
        from ray import serve

        cluster.mark_serve()  # first, so that another command of gwray never takes this Serve for a foreign one
        logging.getLogger("ray.serve").setLevel(logging.WARNING)
        local = self._address is None
        serve.start(
            proxy_location="HeadOnly",
            http_options={
                "host": LOOPBACK if local else EVERYWHERE,
                "port": self._port or (free_port() if local else 8000),
            },
            controller_options={"runtime_env": {"env_vars": variables}},
            logging_config=QUIET_LOGS,
        )

    def _run(self, up: _Deployment) -> str:
        """Deploys the application and returns its base URL."""
        weights = resolve(up.spec, elsewhere=len(cluster.cluster_resources().nodes) > 1)
        env = engine_environment(up.spec, offline=weights.offline)
        if self._address and self._say and "HF_TOKEN" in env:
            self._say(
                "HF_TOKEN is visible in the cluster's dashboard and logs; otherwise unset it and set HF_TOKEN_PATH "
                "to a file that all nodes can read"
            )
        config = llm_config(up.spec, weights, up.model_id, env, pictures=up.pictures)
        from ray import serve

        route = "/" + up.app
        serve.run_many(
            [serve.RunTarget(build_app(config), name=up.app, route_prefix=route, logging_config=QUIET_LOGS)],
            wait_for_ingress_deployment_creation=False,
            wait_for_applications_running=False,
        )
        details = cluster.serve_details()
        options = details["http_options"]
        host = options["host"]
        if host != LOOPBACK:
            host = next((p["node_ip"] for p in details["proxies"].values()), "")
            if not host:
                raise RuntimeError("Serve has no proxy that accepts requests")
        return f"http://{host}:{options['port']}{route}/v1"

    async def _running(self, up: _Deployment, timeout_s: float, on_placed: Callable[[], None]) -> None:
        """Waits until Serve reports the application as running, and says every `LOADING_S` what the engine is doing.
        Fails at the first failure, where Serve would retry."""
        start, say = time.monotonic(), self._say or (lambda _: None)
        asked_at = said_at = start
        shown, placed = "", False
        while True:
            if not placed and (placed := await asyncio.to_thread(cluster.is_placed, up.app)):
                on_placed()
            status, message = await asyncio.to_thread(_status, up.app)
            if status == "RUNNING":
                up.loaded = True
                return
            if status in ("DEPLOY_FAILED", "UNHEALTHY") or "failed to start" in message:
                log = await asyncio.to_thread(cluster.replica_log, up.app)
                raise startup_error(up.spec.name, "the engine did not start", [*log, *message.splitlines()])
            if time.monotonic() - asked_at >= LOADING_S:
                asked_at = time.monotonic()
                log = await asyncio.to_thread(cluster.replica_log, up.app)
                doing = _stage(log) if log else "its process starts"
                if not placed:
                    doing = "it waits for a node with enough free resources (see `ray status`)"
                if doing != shown or asked_at - said_at >= SAME_S:
                    shown, said_at = doing, asked_at
                    say(f"{up.spec.name} is loading, {asked_at - start:.0f} s: {doing}")
            if time.monotonic() - start > timeout_s:
                log = await asyncio.to_thread(cluster.replica_log, up.app)
                problem = (
                    f"still loading after start_timeout_s={timeout_s:g} (Serve's status is {status}: {_short(message)})"
                )
                raise startup_error(up.spec.name, problem, log)
            await asyncio.sleep(POLL_S)

    def _revision(self, up: _Deployment, planned: str) -> str:
        """Returns the revision of the weights that the engines have loaded. Raises `UsageError` if weights in a folder
        are not those of the plan, or not the same on all nodes."""
        spec = up.spec.model_copy(update={"revision": planned or up.spec.revision})
        if not spec.in_folder:
            return revision(spec)
        if self._say and not planned:
            self._say(f"{spec.name}: its nodes read the weights in {spec.model_source}, to tell them from others")
        found = sorted(set(cluster.on_engine_nodes(up.app, revision, spec)))
        if len(found) > 1:
            raise UsageError(
                f"{spec.name}: its nodes have different weights in {spec.model_source}: {', '.join(found)}"
            )
        return found[0] if found else ""

    def _dead(self, up: _Deployment) -> str | None:
        """Returns the error of an engine that cannot start any more; None while it can."""
        status, message = _status(up.app)
        if status not in ("DEPLOY_FAILED", "UNHEALTHY", "NOT_STARTED"):
            return None
        log = cluster.replica_log(up.app)
        return str(startup_error(up.spec.name, f"the engine died ({_short(message)})", log))

    async def _read(self, up: _Deployment) -> Counters | None:
        """Reads the metrics of a model's engines; None if they do not answer."""
        try:
            return parse(await asyncio.to_thread(cluster.engine_pages, up.app), up.model_id)
        except Exception:  # Serve is busy: skip this reading
            return None

    def _stop(self) -> None:
        """Shuts down Serve if this object started it, and closes the connection."""
        import ray

        if not ray.is_initialized():
            return
        if cluster.serve_runs():
            if self._started_serve and not cluster.applications():
                cluster.shutdown_serve()
            else:  # an ended run may have left it
                with suppress(Exception):
                    cluster.remove_leftovers()
        self._started_serve = False
        if self._connected:
            disconnect()
            self._connected = False


def _stage(log: Sequence[str]) -> str:
    """Returns the last message of an engine's log, without process, time and place."""
    return re.sub(r"^.*?(INFO|WARNING|ERROR)\b.*?\]\s*", "", log[-1].strip())[:120]


async def _run_to_end(call: Callable[..., T], *args: Any) -> T:
    """Runs `call` in a thread and waits for its end even if cancelled, for `CANCELLED_S` at most: a half-made
    deployment could not be found. The next run removes what is left."""
    task = asyncio.ensure_future(asyncio.to_thread(call, *args))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task}, timeout=CANCELLED_S)
        raise


def _status(app: str) -> tuple[str, str]:
    """Returns Serve's status of an application, and all of its messages."""
    found = cluster.applications().get(app)
    if found is None:
        return "NOT_STARTED", ""
    messages = [found["message"], *(d["message"] for d in found["deployments"].values())]
    return str(getattr(found["status"], "value", found["status"])), "\n".join(m for m in messages if m)


def _delete(app: str) -> None:
    from ray import serve

    with suppress(Exception):  # clean-up must not hide the error before it
        if cluster.serve_runs() and app in cluster.applications():
            serve.delete(app)


def _short(message: str) -> str:
    return " ".join(message.split())[:300] or "nothing more"
