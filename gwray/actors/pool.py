"""A pool of actors of one class, spread over a cluster; calls go to the least busy actor.

Ray restarts an actor that dies, with empty memory, on another node if its own is gone. It gets no calls until it
answers, so waiting costs no episode a retry. Nodes that join later get actors too; nodes that are being drained get no
more calls. There are only as many actors as there is work: actors that are idle for a while end, so that an autoscaling
cluster can release their nodes.
"""

import asyncio
import contextlib
import itertools
import math
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

import ray
from ray.autoscaler.sdk import request_resources
from ray.exceptions import RayError, RayTaskError

from gwray.actors.keepalive import await_with_keepalive
from gwray.actors.lane_pool import LanePool
from gwray.errors import BrowserDisconnected, BrowserError, GwrayError, InternalError, UsageError, cut
from gwray.pipelines import NodeRequirements, node_name, node_problems
from gwray.ray_connection import abandon, connect, disconnect, drained_nodes, free_resources
from gwray.settings import ExecutorSpec

START_S = 180.0
"""Seconds in which the first actor must start; otherwise none fits the cluster."""
LATE_S = 20.0
"""Seconds after the start of the pool from which actors that have not started yet are reported."""
RESTART_S = 180.0
"""Seconds after which an actor that does not answer is removed."""
POLL_INTERVAL_S = 2.0
"""Seconds between checks for new, idle and draining nodes."""
NODE_TIMEOUT_S = 10.0
"""Seconds in which an actor must report its node."""
SCALE_STEP_S = 10.0
"""Seconds without a new node after which fewer are requested from an autoscaling cluster."""
CLOSE_S = 5.0
"""Seconds in which an actor must close its browser; otherwise it is killed."""
MOST_ACTORS = 1000
"""Actors of one node if they request nothing."""
IDLE_S = 60.0
"""Seconds after which a surplus idle actor ends."""


def needs(spec: ExecutorSpec) -> dict[str, float]:
    """Returns what one actor requests of a node, by Ray's names of resources; memory in bytes."""
    return {"CPU": spec.cpus_per_actor, "memory": spec.memory_mb * 2**20, **spec.resources}


def _options(spec: ExecutorSpec) -> dict[str, Any]:
    memory = int(spec.memory_mb * 2**20) or None
    return {"num_cpus": spec.cpus_per_actor, "memory": memory, "resources": dict(spec.resources) or None}


class Member:
    """Base class of the pool's actors."""

    async def node_problems(self, requirements: NodeRequirements) -> tuple[str, list[str]]:
        """Returns the node's name, and why it cannot run this work."""
        return node_name(), await asyncio.to_thread(node_problems, requirements)

    async def node(self) -> str:
        """Returns the id of its Ray node."""
        return ray.get_runtime_context().get_node_id()

    async def ping(self) -> bool:
        return True

    async def close(self) -> None:
        """Releases its resources."""


class ActorPool:
    """Starts and watches actors, and calls them.

    Args:
        spec: lanes per actor, CPUs per actor, limits.
        items: number of items that could run concurrently.
        reserved_cpus: CPUs of the cluster to leave free.
    """

    def __init__(self, spec: ExecutorSpec, items: int, reserved_cpus: float = 0):
        self._spec, self._demand, self._reserved = spec, items, reserved_cpus
        self._actors: dict[int, Any] = {}
        self._lanes = LanePool(spec.lanes)
        self._make: Callable[[int], Any] = lambda _: None
        self._requirements = NodeRequirements("")
        self._watching: set[asyncio.Task[None]] = set()
        self._connected = False
        self._numbers = itertools.count()
        self._failed = 0
        """Number of actors that could not be created, or whose unusable node is unknown."""
        self._unusable: set[str] = set()
        """Ray's ids of the nodes that cannot run this work. New actors wait for other nodes."""
        self._idle_since: dict[int, float] = {}
        self._requested = 0
        """Number of actors for which nodes were requested from an autoscaling cluster."""
        self._step, self._stepped_at, self._known_capacity = 0, 0.0, 0
        """Size of the last request beyond the capacity, its time, and the capacity then."""
        self.on_lost: Callable[[int], object] = lambda _: None
        """Called with the number of an actor that died, whether it returns or not."""
        self.rejected_nodes: dict[str, str] = {}
        """Nodes that cannot run this work, with the reasons."""
        self._creation_error = ""
        self._new: set[int] = set()
        """Actors that have never answered."""
        self._started_at = math.inf

    @property
    def slots(self) -> int:
        """Lanes of all actors, at most `executor.max_lanes`."""
        lanes = len(self._actors) * self._spec.lanes or self._spec.lanes
        return min(lanes, self._spec.max_lanes or lanes)

    @property
    def actors(self) -> dict[int, Any]:
        """Returns the handles of the present actors by number."""
        return {i: a for i, a in self._actors.items() if i in self._lanes.present}

    def want(self, items: int) -> None:
        """Sets how many items could run concurrently now."""
        self._demand = items

    async def connect(self) -> None:
        await asyncio.to_thread(self._connect)

    def _connect(self) -> None:
        self._connected = connect(self._spec.address)  # set here: the caller may have been cancelled

    async def start(
        self, member: type[Member], args: Callable[[int], tuple[Any, ...]], requirements: NodeRequirements
    ) -> None:
        """Starts as many actors as needed and as the cluster has room for.

        Returns as soon as one actor can be called; the others are added when they start. A node that does not meet the
        requirements is not used, and is listed in `rejected_nodes`.

        Args:
            member: class of the actors.
            args: returns the constructor arguments of an actor's number.
            requirements: what each node must have.

        Raises:
            UsageError: no actor fits the cluster, or no node meets the requirements.
            BrowserError: every actor failed while it was created.
        """
        options: dict[str, Any] = {"max_restarts": -1, "max_task_retries": 0, "max_concurrency": self._spec.lanes + 4}
        if self._reserved:  # not all CPUs of one node: an engine needs some where its GPUs are
            options["scheduling_strategy"] = "SPREAD"
        actor: Any = ray.remote(**_options(self._spec), **options)(member)
        self._make, self._requirements = lambda i: actor.options(**self._elsewhere()).remote(*args(i)), requirements
        self._started_at = time.monotonic()
        joining = self._add(self._spec.actors or min(self._needed(), self._capacity()))
        while joining and not self._lanes.present and (left := START_S - (time.monotonic() - self._started_at)) > 0:
            _, joining = await asyncio.wait(joining, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if self._unusable:
                joining |= await self._add_missing()
        if not self._lanes.present:
            raise self._start_error(joining)
        self._watch(self._poll())

    def _elsewhere(self) -> dict[str, Any]:
        """Returns the option that keeps an actor off unusable nodes: one that waits for a busy node would start on an
        unusable one, which is free."""
        listed = ",".join(sorted(self._unusable))  # a space would belong to the next id
        return {"label_selector": {"ray.io/node-id": f"!in({listed})"}} if listed else {}

    def _add(self, count: int) -> set[asyncio.Task[None]]:
        """Creates that many actors. Returns the tasks that add them to the pool once they answer."""
        joining = set()
        for i in itertools.islice(self._numbers, count):
            self._actors[i] = self._make(i)
            self._new.add(i)
            self._lanes.mark_lost(i)
            joining.add(self._watch(self._rejoin(i)))
        return joining

    def _start_error(self, waiting: Collection[Any]) -> GwrayError:
        """Returns the error of a start without actors. `waiting`: starts not ended, often for lack of room."""
        listed = "; ".join(f"{node}: {why}" for node, why in sorted(self.rejected_nodes.items()))
        not_used = f" Nodes that are not used: {listed}." if listed else ""
        if waiting:
            free = ray.available_resources()
            wants = ", ".join(
                f"{name} {amount:g} ({free.get(name, 0):g} free)" for name, amount in needs(self._spec).items()
            )
            return UsageError(
                f"no sandbox actor started within {START_S:.0f} s; each needs {wants}. Other jobs may hold the rest: "
                f"try again later, or lower executor.cpus_per_actor or executor.memory_mb.{not_used}"
            )
        if self._creation_error or not listed:
            return BrowserError(f"no sandbox actor started: {self._creation_error}{not_used}")
        return UsageError(
            f"no node can run this command; nothing was started. {listed}. Every node needs the same gwray commit, the "
            "same games and a browser: install them there, or remove the node from the cluster (`ray stop` on it)."
        )

    @property
    def notices(self) -> frozenset[str]:
        """Returns a sentence per node that cannot run this work, and one about actors that have not started yet."""
        found = {f"node {node} is not used: {why}" for node, why in self.rejected_nodes.items()}
        if self._new and time.monotonic() - self._started_at > LATE_S:
            found.add(
                f"{len(self._new)} of {len(self._actors)} sandbox actors have not started yet: other jobs may hold the "
                "CPUs or the memory that they need. They will join when they start"
            )
        return frozenset(found)

    def _needed(self) -> int:
        """Returns the number of actors for which there is work."""
        lanes = min(self._demand, self._spec.max_lanes or self._demand)
        return max(1, math.ceil(lanes / self._spec.lanes))

    def _capacity(self) -> int:
        """Returns how many actors the usable nodes have room for, at least 1 while all nodes may be usable. Without
        `autoscale`, counts only what other jobs leave: an actor that waits for a place makes a cluster add nodes."""
        nodes = [n for n in ray.nodes() if n["Alive"] and n["NodeID"] not in self._unusable]
        nodes.sort(key=lambda n: -n["Resources"].get("GPU", 0))  # engines take CPUs where their GPUs are
        fit, reserved = 0, self._reserved
        for has in (n["Resources"] for n in nodes):
            engines = min(reserved, has.get("CPU", 0))
            reserved -= engines
            fit += self._fit({**has, "CPU": has.get("CPU", 0) - engines})
        if not self._spec.autoscale and ray.is_initialized():
            free = free_resources()
            room = sum(self._fit(free.get(n["NodeID"], {})) for n in nodes)
            fit = min(fit, len(self._actors) + max(0, room - len(self._new)))
        return max(0 if self._unusable else 1, fit)

    def _fit(self, has: Mapping[str, float]) -> int:
        """Returns how many actors fit into these resources of a node."""
        return max(0, min((int(has.get(k, 0) / n) for k, n in needs(self._spec).items() if n), default=MOST_ACTORS))

    async def call(self, method: str, *args: Any, alone: bool = False) -> Any:
        """Calls a method of the least busy actor; with `alone`, of one that gets no other call meanwhile.

        Raises:
            BrowserDisconnected: the actor died; which of its calls is to blame is unknown.
            BrowserError: no actor is left, or it died during its only call (`alone`).
            GwrayError: the method raised it.
        """
        async with self._lanes.acquire(alone) as i:
            if i is None:
                raise BrowserError("no sandbox actor is left; see the Ray logs")
            generation = self._lanes.generation(i)
            actor = self._actors[i]
            try:
                return await await_with_keepalive(getattr(actor, method).remote(*args), actor.ping.remote)
            except RayTaskError as e:
                if isinstance(e.cause, GwrayError):
                    raise e.cause from None
                raise InternalError(f"{type(e.cause).__name__}: {e.cause}") from e
            except RayError as e:
                # All calls of a dead actor end here; one from before its restart must not mark it as lost again.
                if self._lanes.mark_lost(i, generation):
                    self.on_lost(i)
                    self._watch(self._rejoin(i))
                died = BrowserError if alone else BrowserDisconnected
                raise died(cut(f"the sandbox actor died: {e}", 2000)) from e

    async def _rejoin(self, i: int) -> None:
        """Waits until an actor answers; removes it after `RESTART_S`."""
        end = time.monotonic() + RESTART_S
        while time.monotonic() < end:
            try:
                await self._join(i, end - time.monotonic())
                return
            except TimeoutError:
                break
            except RayError as e:
                if "creation task" in str(e):  # Ray does not restart an actor whose constructor raised
                    self._creation_error = cut(str(e), 2000)
                    self._failed += 1
                    break
            await asyncio.sleep(0.5)
        self._remove(i)

    async def _join(self, i: int, within_s: float) -> None:
        """Adds an actor if its node meets the requirements, and removes it otherwise. Raises if it does not answer."""
        node, why = await asyncio.wait_for(self._actors[i].node_problems.remote(self._requirements), timeout=within_s)
        if why:
            self.rejected_nodes[node] = ", and ".join(why)
            if at := await self._node(self._actors[i]):
                self._unusable.add(at)
            else:  # it has just died
                self._failed += 1
            self._remove(i)
        else:
            self._new.discard(i)
            self._lanes.add(i)

    def _remove(self, i: int) -> None:
        self._new.discard(i)
        self._lanes.remove(i)
        actor = self._actors.pop(i, None)
        if actor is not None:
            ray.kill(actor)

    async def _poll(self) -> None:
        """Adapts the pool to the cluster, periodically."""
        while True:
            await asyncio.sleep(POLL_INTERVAL_S)
            with contextlib.suppress(RayError):
                if self._spec.actors is None:
                    self._shrink()
                    await self._request_nodes()
                await self._add_missing()
                await self._drain()

    async def _add_missing(self) -> set[asyncio.Task[None]]:
        """Starts actors on new nodes, and those that did not start before. Returns the tasks that add them."""
        room = await asyncio.to_thread(self._capacity) - self._failed
        # Includes actors of a node that is gone: Ray restarts them where there is room.
        return self._add(max(0, min(self._spec.actors or self._needed(), room) - len(self._actors)))

    async def _end(self, i: int) -> None:
        """Ends an idle actor, once it has closed its browser."""
        self._lanes.remove(i)
        actor = self._actors.pop(i)
        with contextlib.suppress(TimeoutError, RayError):
            await asyncio.wait_for(actor.close.remote(), CLOSE_S)
        ray.kill(actor)

    def _shrink(self) -> None:
        """Ends surplus actors that have been idle for a while."""
        now, idle = time.monotonic(), self._lanes.idle
        self._idle_since = {i: self._idle_since.get(i, now) for i in idle}
        for i in sorted(idle, reverse=True)[: max(0, len(self._actors) - self._needed())]:
            if now - self._idle_since[i] >= IDLE_S:
                del self._idle_since[i]
                self._watch(self._end(i))

    async def _request_nodes(self) -> None:
        """Requests nodes from an autoscaling cluster. A request beyond the cluster's maximum is not granted in part,
        and the maximum is unknown: so request all at first, halve the request when no node came, and double it when
        some did."""
        if not self._spec.autoscale:
            return
        needed, capacity, now = self._needed(), await asyncio.to_thread(self._capacity), time.monotonic()
        if capacity > self._known_capacity:
            self._step = 2 * (capacity - self._known_capacity) if self._known_capacity else needed
        elif now - self._stepped_at >= SCALE_STEP_S:
            self._step = max(1, self._step // 2)
        if capacity != self._known_capacity or now - self._stepped_at >= SCALE_STEP_S:
            self._known_capacity, self._stepped_at = capacity, now
        if self._requested != (requested := min(needed, capacity + self._step)):
            self._requested = requested
            bundles = [needs(self._spec)] * requested + [{"CPU": 1.0}] * math.ceil(self._reserved)
            await asyncio.to_thread(request_resources, bundles=bundles)

    async def _drain(self) -> None:
        """Stops giving calls to actors on nodes that are being drained."""
        drained = await asyncio.to_thread(drained_nodes)
        if not drained:
            self._lanes.drain(())
            return
        actors = self.actors
        nodes = await asyncio.gather(*(self._node(actor) for actor in actors.values()))
        self._lanes.drain(i for i, node in zip(actors, nodes, strict=True) if node in drained)

    @staticmethod
    async def _node(actor: Any) -> str:
        with contextlib.suppress(RayError, TimeoutError):
            return await asyncio.wait_for(actor.node.remote(), NODE_TIMEOUT_S)
        return ""

    def _watch(self, coroutine: Any) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)
        return task

    async def close(self, *more: Any) -> None:
        """Ends all actors, and `more`."""
        abandon()
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        closing = asyncio.gather(*(a.close.remote() for a in self.actors.values()), return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(closing, timeout=CLOSE_S)
        for actor in (*self._actors.values(), *more):
            if actor is not None:
                ray.kill(actor)
        self._actors = {}
        if self._requested:
            await asyncio.to_thread(request_resources, bundles=[])
        if self._connected:
            disconnect()
