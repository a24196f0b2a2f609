"""Hosts models for one sweep with Ray Serve and vLLM, and takes them down again.

One application per model. A model is up when a chat has succeeded (with a picture if it sees any), and down when Serve
says that its replicas are gone. Everything Ray is asked runs in threads: the caller's event loop goes on playing. Which
models are up together is decided by the plan, not here.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeGuard, TypeVar

import httpx

from gwray.catalog import read_models
from gwray.errors import InternalError, UsageError
from gwray.ray_connection import connect, disconnect
from gwray.serving import cluster, placement
from gwray.serving.deployment import build_app, llm_config
from gwray.serving.environment import engine_environment, free_port, ray_environment
from gwray.serving.faults import ServingError, failure
from gwray.serving.metrics import Counters, EngineSample, EngineSummary, parse
from gwray.serving.placement import ClusterResources
from gwray.serving.probe import ready
from gwray.serving.profile import DeploymentSpec, read_deployment
from gwray.serving.sampling import SAMPLE_EVERY_S, Heard, Sampler
from gwray.serving.weights import resolve
from gwray.spec import ModelSpec

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
POLL_S = 0.5
START_TRIES = 3
QUIET_LOGS = {"log_level": "WARNING", "enable_access_log": False}
"""A line for each request costs time, and the reply log has them all."""
T = TypeVar("T")


@dataclass(frozen=True)
class Endpoint:
    """Where a model answers: an OpenAI-compatible base URL, and the name it answers to."""

    base_url: str
    model_id: str
    weights: str = ""
    """What the profile names as its `model_source`; empty where somebody else runs the server."""
    engine: str = ""
    """The engine and its version; likewise."""


@dataclass
class _Deployment:
    """A model that is deployed, or being deployed."""

    app: str
    spec: DeploymentSpec
    model_id: str
    pictures: bool = True
    """Whether the model sees any."""
    endpoint: Endpoint | None = None
    sampler: Sampler = field(init=False, repr=False)


class RayServing:
    """The deployments of one sweep, on the cluster at `address` (None: one on this machine).

    Uses the Ray connection of this process, or makes one. `sample_every_s`: how often the engines' metrics are read
    (0: only when asked); `on_sample` is told of each reading, `say` of what a person should know while a model starts.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        specs: Mapping[str, DeploymentSpec] | None = None,
        port: int | None = None,
        direct: bool = True,
        sample_every_s: float = SAMPLE_EVERY_S,
        on_sample: Heard | None = None,
        say: Callable[[str], None] | None = None,
    ):
        self._address = address
        self._specs = dict(specs or {})
        self._port = port
        self._direct = direct
        self._every_s = sample_every_s
        self.on_sample = on_sample
        self._say = say
        self._up: dict[str, _Deployment] = {}
        self._done: list[EngineSummary] = []
        self._connected = False
        self._started_serve = False
        self._lock = asyncio.Lock()

    def spec(self, model: str) -> DeploymentSpec:
        """The serving profile of a model."""
        return self._specs.get(model) or read_deployment(model)

    def waves(self, models: Sequence[ModelSpec], resources: ClusterResources) -> list[list[str]]:
        """Names of models, grouped by what fits at once. Pure. Raises `UsageError` for a model that never fits, and for
        one under whose name another would be hosted."""
        own = {m.name: m.model_id for m in read_models()}
        for m in models:
            if m.name not in self._specs and m.model_id != own.get(m.name, m.model_id):
                raise UsageError(
                    f"model.model_id={m.model_id} is not what conf/deployment/{m.name}.yaml hosts under that name "
                    f"({own[m.name]}): give it files of its own in conf/model/ and conf/deployment/, or a server of "
                    "its own with serving=external"
                )
        return placement.waves([self.spec(m.name) for m in models], resources)

    async def deploy(self, model: ModelSpec) -> Endpoint:
        """Host a model. Returns when a chat has succeeded, with a picture if the model sees any.

        Raises `ServingError` with the engine's last lines and the likely fix; nothing of the model is left then.
        """
        if (up := self._up.get(model.name)) and up.endpoint:
            return up.endpoint
        spec = self.spec(model.name)
        if importlib.util.find_spec("vllm") is None:
            what = f"this Python ({sys.executable}) has no engine: No module named 'vllm'"
            raise failure(model.name, spec.model_source, what)
        async with self._lock:  # the first deployment starts Serve
            try:
                await _whole(self._start)
            except UsageError:
                raise
            except Exception as e:
                raise failure(
                    model.name, spec.model_source, f"Ray Serve could not be started ({_short(str(e))})"
                ) from e
        if why := placement.misfit(spec, await asyncio.to_thread(cluster.resources)):
            raise ServingError(f"{why}. Serve would wait for them in vain; `ray status` lists what the nodes have.")
        app = await asyncio.to_thread(cluster.app_name, _slug(model.name))
        up = _Deployment(app, spec, model.model_id or model.name, model.pictures)
        up.sampler = Sampler(model.name, lambda: self._read(up), self._every_s, self.on_sample)
        self._up[model.name] = up
        try:
            async with self._lock:
                base_url = await _whole(self._run, up)
            end = time.monotonic() + spec.start_timeout_s
            await self._running(up, spec.start_timeout_s)
            left = max(end - time.monotonic(), 1)
            await ready(base_url, up.model_id, left, pictures=up.pictures, died=lambda: self._dead(up))
        except BaseException as e:
            log = await asyncio.to_thread(_quiet(cluster.replica_log), app) or []
            await asyncio.shield(self.teardown(model))
            if isinstance(e, (ServingError, UsageError)) or not isinstance(e, Exception):
                raise
            raise failure(model.name, spec.model_source, str(e), log) from e
        up.endpoint = Endpoint(base_url, up.model_id, spec.model_source, f"vllm {version('vllm')}")
        up.sampler.start()
        return up.endpoint

    async def teardown(self, model: ModelSpec) -> EngineSummary | None:
        """Take a model down; returns what its engine did while it was up."""
        return await self._take_down(model.name)

    async def _take_down(self, name: str) -> EngineSummary | None:
        up = self._up.pop(name, None)
        if up is None:
            return None
        summary = await up.sampler.stop(last=up.endpoint is not None)
        await _whole(_quiet(_delete), up.app)
        self._done.append(summary)
        return summary

    async def metrics(self, model: ModelSpec) -> EngineSample | None:
        """One reading of the engine now; None when it does not answer (it may be restarting)."""
        up = self._up.get(model.name)
        return await up.sampler.look() if up else None

    def summaries(self) -> list[EngineSummary]:
        """What the engines did: those taken down, then those still up."""
        return [*self._done, *(u.sampler.summary() for u in self._up.values())]

    async def close(self) -> None:
        """Take everything down that this object started; safe to call twice."""
        for name in list(self._up):
            await self._take_down(name)
        await _whole(self._stop)

    # What follows runs in threads.

    def _start(self) -> None:
        import ray

        if not ray.is_initialized():
            self._connected = connect(self._address, ray_environment(direct=self._direct))
        running = cluster.serve_runs()
        if running and self._started_serve:
            return
        if running:
            mark = cluster.serve_mark()
            self._direct = mark is not None and mark.direct
        variables = ray_environment(direct=self._direct)  # read when ray.serve is imported: not a line later
        cluster.remove_leftovers()
        if cluster.serve_runs():
            return
        for left in reversed(range(START_TRIES)):
            try:
                self._start_serve(variables)
                break
            except Exception:  # a machine that is too busy for Serve's own limits: its actors are gone, try anew
                _quiet(cluster.shutdown_serve)()
                if not left:
                    raise
        self._started_serve = True
        cluster.mark_serve(self._direct)

    def _start_serve(self, variables: dict[str, str]) -> None:
        from ray import serve

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
        """Hand the application to Serve; returns its base URL."""
        weights = resolve(up.spec)
        env = engine_environment(up.spec, offline=weights.offline)
        config = llm_config(up.spec, weights, up.model_id, env, direct=self._direct, pictures=up.pictures)
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
        if host not in (LOOPBACK, "localhost"):
            nodes = [p["node_ip"] for p in details["proxies"].values()]
            if not nodes:
                raise RuntimeError("Serve has no proxy that would take requests")
            host = nodes[0]
        return f"http://{host}:{options['port']}{route}/v1"

    async def _running(self, up: _Deployment, timeout_s: float) -> None:
        """Wait for Serve to call the application running; it retries a failing engine, we stop at its first failure."""
        start, say = time.monotonic(), self._say
        while True:
            status, message = await asyncio.to_thread(_status, up.app)
            if status == "RUNNING":
                return
            if status in ("DEPLOY_FAILED", "UNHEALTHY") or "failed to start" in message:
                log = await asyncio.to_thread(cluster.replica_log, up.app)
                raise _failed(up, "the engine did not start", [*log, *message.splitlines()])
            if say and "to be scheduled" in message:
                say(f"{up.spec.name} waits for a node with room; another job may hold what it needs (see `ray status`)")
                say = None
            if time.monotonic() - start > timeout_s:
                log = await asyncio.to_thread(cluster.replica_log, up.app)
                what = f"not running after {timeout_s:g} s (Serve says {status}: {_short(message)})"
                raise _failed(up, what, log)
            await asyncio.sleep(POLL_S)

    def _dead(self, up: _Deployment) -> str | None:
        status, message = _status(up.app)
        if status not in ("DEPLOY_FAILED", "UNHEALTHY", "NOT_STARTED"):
            return None
        log = cluster.replica_log(up.app)
        return str(_failed(up, f"the engine died ({_short(message)})", log))

    async def _read(self, up: _Deployment) -> Counters | None:
        try:
            if self._direct:
                return parse(await asyncio.to_thread(cluster.engine_pages, up.app), up.model_id)
            nodes = await asyncio.to_thread(cluster.node_exporters)
            async with httpx.AsyncClient(timeout=10) as client:
                answers = await asyncio.gather(*(client.get(n) for n in nodes), return_exceptions=True)
        except Exception:  # Serve is busy with itself: no reading, and the run goes on
            return None
        return parse({n: a.text for n, a in zip(nodes, answers, strict=True) if _good(a)}, up.model_id)

    def _stop(self) -> None:
        import ray

        if not ray.is_initialized():
            return
        if cluster.serve_runs():
            from ray import serve

            if self._started_serve and not serve.status().applications:
                cluster.shutdown_serve()
                cluster.unmark_serve()
            else:  # it may be that of a run that has ended, and left it to us
                _quiet(cluster.remove_leftovers)()
        self._started_serve = False
        if self._connected:
            disconnect()
            self._connected = False


def _good(answer: httpx.Response | BaseException) -> TypeGuard[httpx.Response]:
    return isinstance(answer, httpx.Response) and answer.status_code == 200


async def _whole(call: Callable[..., T], *args: Any) -> T:
    """Run in a thread, and when cancelled wait for its end first: a deployment half made could not be found again."""
    task = asyncio.ensure_future(asyncio.to_thread(call, *args))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise


def _failed(up: _Deployment, what: str, log: Sequence[str] = ()) -> ServingError:
    return failure(up.spec.name, up.spec.model_source, what, log)


def _status(app: str) -> tuple[str, str]:
    """Serve's word for the state of an application, and every message it has about it."""
    from ray import serve

    found = serve.status().applications.get(app)
    if found is None:
        return "NOT_STARTED", ""
    messages = [found.message, *(d.message for d in found.deployments.values())]
    return str(getattr(found.status, "value", found.status)), "\n".join(m for m in messages if m)


def _delete(app: str) -> None:
    from ray import serve

    if cluster.serve_runs() and app in serve.status().applications:
        serve.delete(app)


def _quiet(call: Any) -> Any:
    """For taking down and for log lines: what fails there must not hide why we are here."""

    def quietly(*args: Any) -> Any:
        try:
            return call(*args)
        except Exception:
            return None

    return quietly


def _slug(name: str) -> str:
    slug = re.sub(r"[^A-Za-z0-9_.-]", "-", name)
    if not slug:
        raise InternalError("a model without a name cannot be served")
    return slug


def _short(message: str) -> str:
    return " ".join(message.split())[:300] or "nothing more"
