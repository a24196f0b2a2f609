"""Machines that are about to go."""

import asyncio
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import ray
from ray.exceptions import RayActorError

from gwray.actors.pool import ActorPool, Member
from gwray.pipelines import Needs, code_hash
from gwray.ray_connection import connect, disconnect, drained_nodes
from gwray.spec import ExecutorSpec


async def test_a_node_that_is_drained_gets_no_more_and_another_all(monkeypatch):
    drained: set[str] = set()
    monkeypatch.setattr("gwray.actors.pool.LOOK_S", 0.001)
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

        remotes = {"node": told, "play": done, "misfits": fits, "close": done, "answers": done}
        return SimpleNamespace(**{name: SimpleNamespace(remote=how) for name, how in remotes.items()})

    made = map(actor, ["here", "there", ""])
    monkeypatch.setattr("ray.remote", lambda **_: lambda member: SimpleNamespace(remote=lambda: next(made)))
    pool = ActorPool(ExecutorSpec(name="ray", lanes=2, actors=3), 9)
    await pool.start(Member, lambda _: (), Needs(""))
    drained |= {"here", "gone"}
    await looked.wait()
    await asyncio.sleep(0.1)
    assert "here" not in {await pool.call("play") for _ in range(6)}
    drained.clear()
    await asyncio.sleep(0.1)
    assert "here" in {await pool.call("play") for _ in range(6)}
    await pool.close()


@pytest.mark.slow
async def test_ray_says_which_nodes_are_drained():
    connect(None)
    pool = ActorPool(ExecutorSpec(name="ray", actors=1, cpus_per_actor=0), 1)
    try:
        await pool.start(Member, lambda _: (), Needs(code_hash(), browser=False))
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
