"""Nodes that are about to be drained."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import ray
from ray.exceptions import RayActorError

from gwray.actors.pool import ActorPool, Member
from gwray.errors import BrowserError, UsageError
from gwray.pipelines import Inline, NodeRequirements, code_hash
from gwray.ray_connection import connect, disconnect, drained_nodes
from gwray.settings import ExecutorSpec


def nodes(**resources: dict[str, float]) -> list[dict[str, Any]]:
    """Living nodes as Ray lists them, by id."""
    return [{"Alive": True, "NodeID": name, "Resources": values} for name, values in resources.items()]


def fake_class(make: Callable[[dict[str, Any]], SimpleNamespace]) -> Callable[..., Any]:
    """A `ray.remote` whose actors are those of `make`, which gets the options of each."""

    def handle(options: dict[str, Any]) -> SimpleNamespace:
        return SimpleNamespace(remote=lambda: make(options), options=lambda **more: handle({**options, **more}))

    return lambda **options: lambda member: handle(options)


async def test_drained_node_gets_no_calls(monkeypatch):
    drained: set[str] = set()
    monkeypatch.setattr("gwray.actors.pool.POLL_INTERVAL_S", 0.001)
    monkeypatch.setattr("gwray.actors.pool.drained_nodes", lambda: frozenset(drained))
    monkeypatch.setattr("ray.kill", lambda actor: None)
    looked = asyncio.Event()

    def actor(node: str) -> SimpleNamespace:
        async def told():
            looked.set()
            if not node:
                raise RayActorError
            return node

        async def done():
            return node

        async def fits(needs):
            return node, []

        remotes = {"node": told, "play": done, "node_problems": fits, "close": done, "ping": done}
        return SimpleNamespace(**{name: SimpleNamespace(remote=how) for name, how in remotes.items()})

    made = map(actor, ["here", "there", ""])
    monkeypatch.setattr("ray.nodes", lambda: nodes(all={"CPU": 3.0, "memory": 1e12}))
    monkeypatch.setattr("ray.remote", fake_class(lambda _: next(made)))
    pool = ActorPool(ExecutorSpec(name="ray", lanes=2, actors=3), 9)
    await pool.start(Member, lambda _: (), NodeRequirements(""))
    drained |= {"here", "gone"}
    await looked.wait()
    await asyncio.sleep(0.1)
    assert "here" not in {await pool.call("play") for _ in range(6)}
    drained.clear()
    await asyncio.sleep(0.1)
    assert "here" in {await pool.call("play") for _ in range(6)}
    await pool.close()


async def has_slots(pool: ActorPool, n: int) -> None:
    async with asyncio.timeout(20):
        while pool.slots != n:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_pool_follows_demand(monkeypatch):
    cpus, ended, asked, go_on = {"CPU": 4.0, "memory": 1e12}, [], [], asyncio.Event()
    monkeypatch.setattr("gwray.actors.pool.POLL_INTERVAL_S", 0.001)
    monkeypatch.setattr("gwray.actors.pool.IDLE_S", 0.05)
    monkeypatch.setattr("gwray.actors.pool.drained_nodes", lambda: frozenset())
    monkeypatch.setattr("gwray.actors.pool.request_resources", lambda bundles: asked.append(len(bundles)))
    monkeypatch.setattr("ray.nodes", lambda: nodes(here=cpus))
    monkeypatch.setattr("ray.kill", ended.append)

    def actor() -> SimpleNamespace:
        async def plays():
            await go_on.wait()

        async def fits(needs):
            return "here", []

        async def done(): ...

        remotes = {"play": plays, "node_problems": fits, "close": done, "ping": done}
        return SimpleNamespace(**{name: SimpleNamespace(remote=how) for name, how in remotes.items()})

    monkeypatch.setattr("ray.remote", fake_class(lambda _: actor()))
    pool = ActorPool(ExecutorSpec(name="ray", lanes=2, autoscale=True), 4, reserved_cpus=1)
    await pool.start(Member, lambda _: (), NodeRequirements(""))
    assert pool.slots == 4, "two actors, for four episodes"
    pool.want(9)
    await has_slots(pool, 6)  # one CPU of four is left free
    cpus["CPU"] = 9.0
    await has_slots(pool, 10)
    playing = [asyncio.create_task(pool.call("play")) for _ in range(3)]
    pool.want(3)
    await has_slots(pool, 6)  # three have one each
    await asyncio.sleep(0.2)
    assert pool.slots == 6 and len(ended) == 2 and asked == [6, 3], "five actors and an engine's CPU; two"
    go_on.set()
    await asyncio.gather(*playing)
    await pool.close()
    assert asked[-1] == 0


def test_slots_respect_max_lanes():
    spec = ExecutorSpec(name="inline", lanes=4, max_lanes=3)
    assert Inline("run", (), spec).slots == 3
    pool = ActorPool(spec.model_copy(update={"name": "ray", "max_lanes": 6}), 99)
    pool._actors = dict.fromkeys("abc")
    assert (pool.slots, pool._needed()) == (6, 2)


@dataclass
class Places:
    """A cluster of nodes for one actor each. An actor waits for a node that is free and that its options allow."""

    unfit: dict[str, str]
    """Why each node cannot run the work; empty: it can."""
    free: set[str]

    def actor(self, options: dict[str, Any]) -> SimpleNamespace:
        selector = options.get("label_selector", {}).get("ray.io/node-id", "!in()")
        banned = selector.removeprefix("!in(").removesuffix(")").split(",")
        there: list[str] = []

        async def fits(needs):
            while not (places := sorted(self.free - {*banned})):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            there.append(places[0])
            self.free.remove(there[0])
            why = self.unfit[there[0]]
            return there[0], [why] if why else []

        async def node():
            return there[0]

        return fake_actor(fits, node=node, there=there)

    def kill(self, actor: SimpleNamespace) -> None:
        self.free |= {*actor.there}


async def place_pool(monkeypatch, places: Places, **spec) -> ActorPool:
    monkeypatch.setattr("gwray.actors.pool.POLL_INTERVAL_S", 0.001)
    monkeypatch.setattr("gwray.actors.pool.drained_nodes", lambda: frozenset())
    monkeypatch.setattr("ray.nodes", lambda: nodes(**{n: {"CPU": 1.0, "memory": 1e12} for n in places.unfit}))
    monkeypatch.setattr("ray.kill", places.kill)
    monkeypatch.setattr("ray.remote", fake_class(places.actor))
    pool = ActorPool(ExecutorSpec(name="ray", lanes=1, **spec), 9)
    await pool.start(Member, lambda _: (), NodeRequirements(""))
    return pool


@pytest.mark.parametrize("spec", [{}, {"actors": 4}])
async def test_actor_that_waits_for_a_busy_node_is_not_spent_on_an_unusable_one(monkeypatch, spec):
    places = Places({"a": "", "b": "", "c": "no browser", "d": "no key"}, free={"a", "c", "d"})
    pool = await place_pool(monkeypatch, places, **spec)
    await asyncio.sleep(0.05)
    assert len(pool.actors) == 1 and pool.rejected_nodes == {"c": "no browser", "d": "no key"}
    places.free.add("b")
    async with asyncio.timeout(20):
        while len(pool.actors) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    await asyncio.sleep(0.05)
    assert len(pool.actors) == 2 and places.free == {"c", "d"}
    await pool.close()


async def test_start_waits_for_a_busy_node_though_all_free_ones_are_unusable(monkeypatch):
    places = Places({"a": "", "b": "no browser"}, free={"b"})
    starting = asyncio.create_task(place_pool(monkeypatch, places))
    await asyncio.sleep(0.05)
    places.free.add("a")
    pool = await asyncio.wait_for(starting, 20)
    assert len(pool.actors) == 1
    await pool.close()


def fake_actor(fits, *, node=None, there=()) -> SimpleNamespace:
    async def done(): ...

    async def only():
        return "bare"

    remotes = {"node_problems": fits, "close": done, "play": done, "ping": done, "node": node or only}
    return SimpleNamespace(**{name: SimpleNamespace(remote=how) for name, how in remotes.items()}, there=there)


async def started_pool(monkeypatch, answers, at=("whole", "bare"), **spec) -> ActorPool:
    """A pool whose actors answer the check of their nodes as `answers` say."""
    made = iter(answers)
    monkeypatch.setattr("gwray.actors.pool.POLL_INTERVAL_S", 0.001)
    monkeypatch.setattr("gwray.actors.pool.drained_nodes", lambda: frozenset())
    monkeypatch.setattr("ray.nodes", lambda: nodes(**{n: {"CPU": 3.0, "memory": 1e12} for n in at}))
    monkeypatch.setattr("ray.available_resources", lambda: {"CPU": 1.0})
    monkeypatch.setattr("ray.kill", lambda actor: None)
    monkeypatch.setattr("ray.remote", fake_class(lambda _: fake_actor(next(made))))
    pool = ActorPool(ExecutorSpec(name="ray", lanes=1, **spec), 9)
    try:
        await pool.start(Member, lambda _: (), NodeRequirements(""))
    except Exception:
        await pool.close()
        raise
    return pool


async def at_once(needs):
    return "whole", []


async def without_browser(needs):
    return "bare", ["it has no browser"]


async def never(needs):
    await asyncio.Event().wait()


async def broken(needs):
    raise RayActorError(error_msg="The actor died because of an error raised in its creation task")


async def test_pool_starts_with_the_first_actor_and_reports_the_others(monkeypatch):
    monkeypatch.setattr("gwray.actors.pool.LATE_S", 0.0)
    come = asyncio.Event()

    async def later(needs):
        await come.wait()
        return "busy", []

    pool = await started_pool(monkeypatch, [later, at_once, without_browser, never], actors=4)
    await asyncio.sleep(0.01)
    assert len(pool.actors) == 1
    assert any("2 of 3 sandbox actors have not started" in n for n in pool.notices)
    assert "node bare is not used: it has no browser" in pool.notices
    come.set()
    async with asyncio.timeout(20):
        while len(pool.actors) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    await pool.close()


async def test_start_fails_if_no_actor_can_be_used(monkeypatch):
    monkeypatch.setattr("gwray.actors.pool.START_S", 0.05)
    with pytest.raises(UsageError, match=r"no sandbox actor started .*CPU 1 .1 free"):
        await started_pool(monkeypatch, [never, never], actors=2)
    with pytest.raises(UsageError, match=r"no node can run this command.*bare: it has no browser"):
        await started_pool(monkeypatch, [without_browser] * 2, at=["bare"], actors=2)
    with pytest.raises(BrowserError, match=r"creation task(?s:.*)bare: it has no browser"):
        await started_pool(monkeypatch, [broken, without_browser], at=["bare"], actors=2)


def test_actor_requests_cpus_memory_and_custom_resources(monkeypatch):
    total = {"CPU": 8.0, "memory": 3 * 2**30, "sandbox": 2.0}
    monkeypatch.setattr("ray.nodes", lambda: nodes(here=total))
    for more, count in (
        ({}, 3),
        ({"memory_mb": 0}, 8),
        ({"resources": {"sandbox": 1}}, 2),
        ({"resources": {"none": 1}}, 1),
    ):
        assert ActorPool(ExecutorSpec(name="ray", **more), 99)._capacity() == count, more


@pytest.mark.parametrize(
    ("by_node", "reserved", "fit"),
    [
        ({"a": {"CPU": 8.0, "memory": 1e9}, "b": {"CPU": 1.0, "memory": 9e9}}, 0, 1),  # neither has both
        ({"a": {"CPU": 1.5, "memory": 9e9}, "b": {"CPU": 1.5, "memory": 9e9}}, 0, 2),
        ({"a": {"CPU": 4.0, "memory": 9e10}, "b": {"CPU": 4.0, "memory": 9e10, "GPU": 1.0}}, 3, 5),
    ],
)
def test_capacity_is_counted_per_node(monkeypatch, by_node, reserved, fit):
    monkeypatch.setattr("ray.nodes", lambda: nodes(**by_node))
    assert ActorPool(ExecutorSpec(name="ray"), 99, reserved)._capacity() == fit


def test_only_autoscaling_counts_what_other_jobs_use(monkeypatch):
    """An actor that waits for a place makes any autoscaler add a node."""
    total = {"CPU": 8.0, "memory": 1e12}
    monkeypatch.setattr("ray.nodes", lambda: nodes(here=total))
    monkeypatch.setattr("ray.is_initialized", lambda: True)
    monkeypatch.setattr("gwray.actors.pool.free_resources", lambda: {"here": {"CPU": 3.0, "memory": 1e12}})
    pool = ActorPool(ExecutorSpec(name="ray"), 99)
    assert pool._capacity() == 3
    pool._actors = dict.fromkeys("abcd")
    assert pool._capacity() == 7
    pool._new = {*"cd"}  # they may be among those that the node has no room for yet
    assert pool._capacity() == 5
    assert ActorPool(ExecutorSpec(name="ray", autoscale=True), 99)._capacity() == 8


async def test_autoscaling_request_is_halved_until_granted(monkeypatch):
    cpus, most, asked = {"CPU": 1.0, "memory": 1e12}, 6, []

    def granted(bundles):
        asked.append(len(bundles))
        if 1 < len(bundles) <= most:
            cpus["CPU"] = max(cpus["CPU"], float(len(bundles)))

    monkeypatch.setattr("gwray.actors.pool.SCALE_STEP_S", 0.0)
    monkeypatch.setattr("gwray.actors.pool.request_resources", granted)
    monkeypatch.setattr("ray.nodes", lambda: nodes(here=cpus))
    pool = ActorPool(ExecutorSpec(name="ray", lanes=1, autoscale=True), 40)
    for _ in range(12):
        await pool._request_nodes()
    assert asked[:4] == [40, 21, 11, 6] and cpus["CPU"] == 6
    assert max(asked[4:]) <= 16 and asked[-1] == 7, "no more is granted, and one more is always asked for"
    pool.want(2)
    await pool._request_nodes()
    assert asked[-1] == 2


@pytest.mark.slow
@pytest.mark.whole
async def test_ray_says_which_nodes_are_drained():
    connect(None)
    pool = ActorPool(ExecutorSpec(name="ray", actors=1, cpus_per_actor=0), 1)
    try:
        await pool.start(Member, lambda _: (), NodeRequirements(code_hash(), browser=False))
        assert drained_nodes() == frozenset()
        node = await pool.call("node")
        where = ["--address", ray.get_runtime_context().gcs_address, "--node-id", node, "--reason-message", "spot"]
        why = ["--reason", "DRAIN_NODE_REASON_PREEMPTION", "--deadline-remaining-seconds", "99"]
        command = [Path(sys.executable).with_name("ray"), "drain-node", *where, *why]
        await asyncio.to_thread(subprocess.run, command, check=True, timeout=120)
        assert drained_nodes() == {node}
    finally:
        await pool.close()
        disconnect()
