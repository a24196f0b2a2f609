"""Actors of one class, spread over a cluster: work is given to the least busy one.

An actor that dies is restarted by Ray with nothing in memory, on another machine if its own is gone; until it answers
nothing is given to it, so waiting costs nobody a try. Machines that join later get actors too, and those that are
being drained nothing more. There are no more actors than have something to do: those that have had nothing for a while
end, so that their machine is free for others, and a cluster that scales itself can let it go.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
import time
from collections.abc import Callable
from typing import Any

import ray
from ray.autoscaler.sdk import request_resources
from ray.exceptions import RayError, RayTaskError

from gwray.actors.heard import heard
from gwray.actors.seats import Seats
from gwray.errors import BrowserError, BrowserLost, GwrayError, InternalError, UsageError, cut
from gwray.pipelines import Needs, machine_name, misfits
from gwray.ray_connection import connect, disconnect, drained_nodes
from gwray.spec import ExecutorSpec

START_S = 180.0
"""Actors that have not started by then do not fit into the cluster."""
RESTART_S = 180.0
"""An actor that does not answer for so long is given up."""
LOOK_S = 2.0
"""So often it is looked whether the cluster has grown, and who will go."""
ANSWER_S = 10.0
"""So long an actor may take to say where it is."""
ASK_S = 10.0
"""After so long without a new machine a cluster that scales itself is asked for fewer."""
IDLE_S = 60.0
"""For so long an actor that is not wanted stays, in case it is after all."""


class Member:
    """What an actor of a pool has beside its work."""

    async def misfits(self, needs: Needs) -> tuple[str, list[str]]:
        """Its machine, and why that cannot take part."""
        return machine_name(), await asyncio.to_thread(misfits, needs)

    async def node(self) -> str:
        """Its node of the Ray cluster."""
        return ray.get_runtime_context().get_node_id()

    async def answers(self) -> bool:
        return True

    async def close(self) -> None:
        """Let go of what it has."""


class ActorPool:
    """`items` could be done at once, at most `spec.lanes` at a time in an actor. `reserved_cpus` are left free."""

    def __init__(self, spec: ExecutorSpec, items: int, reserved_cpus: float = 0):
        self._spec, self._wanted, self._reserved = spec, items, reserved_cpus
        self._actors: dict[int, Any] = {}
        self._seats = Seats(spec.lanes)
        self._make: Callable[[int], Any] = lambda _: None
        self._needs = Needs("")
        self._watching: set[asyncio.Task[None]] = set()
        self._connected = False
        self._numbers = itertools.count()
        self._refused = 0
        """Actors that came to be on machines that cannot take part."""
        self._idle_since: dict[int, float] = {}
        self._asked_for = 0
        """Actors for which a cluster that scales itself was asked to have machines."""
        self._step, self._stepped, self._carried = 0, 0.0, 0
        """How many more than it carries, since when, and what it carried then."""
        self.on_lost: Callable[[int], object] = lambda _: None
        """Told the number of an actor that died, whether it comes back or not."""
        self.left_out: dict[str, list[str]] = {}
        """Machines that joined later and cannot take part, and why."""

    @property
    def slots(self) -> int:
        """Lanes of all actors, at most `executor.max_lanes`."""
        lanes = len(self._actors) * self._spec.lanes or self._spec.lanes
        return min(lanes, self._spec.max_lanes or lanes)

    @property
    def actors(self) -> dict[int, Any]:
        """Those that are there, by number."""
        return {i: a for i, a in self._actors.items() if i in self._seats.present}

    def want(self, items: int) -> None:
        """So many could be done at once now."""
        self._wanted = items

    async def connect(self) -> None:
        self._connected = await asyncio.to_thread(connect, self._spec.address)

    async def start(self, member: type[Member], args: Callable[[int], tuple[Any, ...]], needs: Needs) -> None:
        """Start as many actors of a class as the cluster carries, each with the arguments for its number.

        `UsageError` if they do not fit into it, and if a machine cannot take part.
        """
        options: dict[str, Any] = {"max_restarts": -1, "max_task_retries": 0, "max_concurrency": self._spec.lanes + 4}
        if self._reserved:  # not all CPUs of one node: an engine needs some where its GPUs are
            options["scheduling_strategy"] = "SPREAD"
        actor: Any = ray.remote(num_cpus=self._spec.cpus_per_actor, **options)(member)
        self._make, self._needs = lambda i: actor.remote(*args(i)), needs
        count = self._spec.actors or self._fitting()
        self._actors = {i: self._make(i) for i in itertools.islice(self._numbers, count)}
        try:
            said = await asyncio.wait_for(
                asyncio.gather(*(a.misfits.remote(needs) for a in self._actors.values())), timeout=START_S
            )
        except TimeoutError as e:
            free = ray.available_resources().get("CPU", 0)
            raise UsageError(
                f"{count} sandbox actors of {self._spec.cpus_per_actor:g} CPUs did not start within {START_S:.0f} s; "
                f"the cluster has {free:g} CPUs free. Lower executor.actors or executor.cpus_per_actor."
            ) from e
        except RayError as e:
            raise BrowserError(f"a sandbox actor did not start: {e}") from e
        if wrong := {machine: why for machine, why in said if why}:
            listed = "; ".join(f"{machine}: {', and '.join(why)}" for machine, why in sorted(wrong.items()))
            raise UsageError(
                f"{len(wrong)} of {len({m for m, _ in said})} machines cannot take part: nothing was begun. {listed}. "
                "Every machine needs the same commit of gwray, the same games and a browser: set it up there, or take "
                "the machine out of the cluster (`ray stop` on it)."
            )
        for i in self._actors:
            self._seats.add(i)
        self._watch(self._look())

    def _needed(self) -> int:
        """Actors that would have something to do."""
        lanes = min(self._wanted, self._spec.max_lanes or self._wanted)
        return max(1, math.ceil(lanes / self._spec.lanes))

    def _fitting(self) -> int:
        """Those of them that the cluster carries."""
        return min(self._needed(), self._carries())

    def _carries(self) -> int:
        cpus = ray.cluster_resources().get("CPU", 1) - self._reserved
        return max(1, int(cpus / max(self._spec.cpus_per_actor, 0.01)))

    async def call(self, method: str, *args: Any, alone: bool = False) -> Any:
        """Have an actor do it, `alone` in it if need be. `BrowserLost` when it died over it (`BrowserError` if it was
        alone), `BrowserError` when no actor is left; what was raised in it, if that is an error of ours."""
        async with self._seats.taken(alone) as i:
            if i is None:
                raise BrowserError("no sandbox actor is left; see the logs of Ray")
            life = self._seats.life(i)
            actor = self._actors[i]
            try:
                return await heard(getattr(actor, method).remote(*args), actor.answers.remote)
            except RayTaskError as e:
                if isinstance(e.cause, GwrayError):
                    raise e.cause from None
                raise InternalError(f"{type(e.cause).__name__}: {e.cause}") from e
            except RayError as e:
                # All that was in it ends so, and some of it may tell when the actor is back already.
                if self._seats.lose(i, life):
                    self.on_lost(i)
                    self._watch(self._come_back(i))
                died = BrowserError if alone else BrowserLost
                raise died(cut(f"the sandbox actor died: {e}", 2000)) from e

    async def _come_back(self, i: int) -> None:
        """Wait until an actor answers again, or is not coming back."""
        end = time.monotonic() + RESTART_S
        while time.monotonic() < end:
            with contextlib.suppress(RayError, TimeoutError):
                await self._join(i, end - time.monotonic())
                return
            await asyncio.sleep(0.5)
        self._give_up(i)

    async def _join(self, i: int, within_s: float) -> None:
        """Give it work if its machine can take part. Raises what says that it does not answer."""
        machine, why = await asyncio.wait_for(self._actors[i].misfits.remote(self._needs), timeout=within_s)
        if why:
            self.left_out[machine] = why
            self._refused += 1
            self._give_up(i)
        else:
            self._seats.add(i)

    def _give_up(self, i: int) -> None:
        self._seats.remove(i)
        actor = self._actors.pop(i, None)
        if actor is not None:
            ray.kill(actor)

    async def _look(self) -> None:
        """Now and then, what has become of the cluster."""
        while True:
            await asyncio.sleep(LOOK_S)
            with contextlib.suppress(RayError):
                if self._spec.actors is None:
                    self._shrink()
                    await self._ask()
                    await self._grow()
                await self._spare()

    async def _grow(self) -> None:
        """Start actors on what has joined the cluster."""
        room = await asyncio.to_thread(self._carries) - self._refused
        # Those of a machine that is gone are among them: Ray puts them where room comes.
        for _ in range(min(self._needed(), room) - len(self._actors)):
            i = next(self._numbers)
            self._actors[i] = self._make(i)
            self._seats.lose(i)
            self._watch(self._come_back(i))

    def _shrink(self) -> None:
        """End actors that have had nothing to do for a while, where fewer would do."""
        now, idle = time.monotonic(), self._seats.idle
        self._idle_since = {i: self._idle_since.get(i, now) for i in idle}
        for i in sorted(idle, reverse=True)[: max(0, len(self._actors) - self._needed())]:
            if now - self._idle_since[i] >= IDLE_S:
                del self._idle_since[i]
                self._give_up(i)

    async def _ask(self) -> None:
        """Tell a cluster that scales itself how many machines are wanted. What is more than it may ever have it grants
        no part of, and how much that is it does not say: so ask for all at first, and for half as many more each time
        that none came; when some came, for twice as many."""
        if not self._spec.autoscale:
            return
        needed, carries, now = self._needed(), await asyncio.to_thread(self._carries), time.monotonic()
        if carries > self._carried:
            self._step = 2 * (carries - self._carried) if self._carried else needed
        elif now - self._stepped >= ASK_S:
            self._step = max(1, self._step // 2)
        if carries != self._carried or now - self._stepped >= ASK_S:
            self._carried, self._stepped = carries, now
        if self._asked_for != (asked := min(needed, carries + self._step)):
            self._asked_for = asked
            bundles = [{"CPU": self._spec.cpus_per_actor}] * asked + [{"CPU": 1.0}] * math.ceil(self._reserved)
            await asyncio.to_thread(request_resources, bundles=bundles)

    async def _spare(self) -> None:
        """Give nothing more to actors on nodes that are being drained."""
        drained = await asyncio.to_thread(drained_nodes)
        if not drained:
            self._seats.leave(())
            return
        there = self.actors
        nodes = await asyncio.gather(*(self._node(actor) for actor in there.values()))
        self._seats.leave(i for i, node in zip(there, nodes, strict=True) if node in drained)

    @staticmethod
    async def _node(actor: Any) -> str:
        with contextlib.suppress(RayError, TimeoutError):
            return await asyncio.wait_for(actor.node.remote(), ANSWER_S)
        return ""

    def _watch(self, what: Any) -> None:
        task = asyncio.create_task(what)
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)

    async def close(self, *more: Any) -> None:
        """End all actors, and `more` of them."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        closing = asyncio.gather(*(a.close.remote() for a in self.actors.values()), return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(closing, timeout=20)
        for actor in (*self._actors.values(), *more):
            if actor is not None:
                ray.kill(actor)
        self._actors = {}
        if self._asked_for:
            await asyncio.to_thread(request_resources, bundles=[])
        if self._connected:
            disconnect()
