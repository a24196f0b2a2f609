"""`gwray openenv` in a process of its own, with the official client."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

pytest.importorskip("openenv", reason="needs make setup-train")

from openenv.core.generic_client import GenericEnvClient
from websockets.exceptions import ConnectionClosed

from gwray.store import RunDir

pytestmark = pytest.mark.train
GWRAY = str(Path(sys.executable).with_name("gwray"))
RUN_ON = {"action": "jump", "arguments": {"level": 6}}


@contextmanager
def served(run_dir: Path, *words: str, sessions: int = 2):
    """Yields the address of a server of Up and Over, by text."""
    from gwray.serving.environment import free_port

    url = f"http://127.0.0.1:{(port := free_port())}"
    command = [GWRAY, "openenv", "p02_up-and-over", "1", "observation=text", f"run_dir={run_dir}", *words,
               "--port", str(port), "--sessions", str(sessions)]  # fmt: skip
    server = subprocess.Popen(command, env=os.environ | {"NO_COLOR": "1"})
    try:
        end = time.monotonic() + 200
        while True:
            assert server.poll() is None and time.monotonic() < end
            with suppress(httpx.TransportError):
                assert httpx.get(f"{url}/health").json()["status"] == "healthy"
                break
            time.sleep(0.2)
        yield url
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)


async def play(url: str, seed: int, most: int = 100):
    """Plays an episode of jumps and returns its rewards and its last observation."""
    rewards, levels = [], iter([0, 1, 6, 6, 6, 3] * most)
    async with GenericEnvClient(base_url=url, message_timeout_s=200) as client:
        result = await client.reset(seed=seed)
        assert result.reward is None and "The state of the game" in str(result.observation["messages"][1])
        while not result.done:
            result = await client.step({"action": "jump", "arguments": {"level": next(levels)}})
            rewards.append(result.reward)
        with pytest.raises(RuntimeError, match=r"no episode is running.*EXECUTION_ERROR"):
            await client.step(RUN_ON)
        state = await client.state()
        assert state["seed"] == seed and state["step_count"] == len(rewards) and not state["playing"]
    return rewards, result.observation


async def test_sessions_in_parallel_errors_and_replays(tmp_path):
    """Two clients at once play equal episodes of one seed; a killed client loses only its own; the run verifies."""
    run_dir = tmp_path / "run"
    with served(run_dir) as url:
        (first, end), (again, _) = await asyncio.gather(play(url, 7), play(url, 7))
        assert first == again and sum(first) == pytest.approx(end["progress"]) and end["ended_by"]
        async with GenericEnvClient(base_url=url, message_timeout_s=200) as client:
            seeds = set()
            for _ in range(2):
                await client.reset()
                seeds.add((await client.state())["seed"])
            assert len(seeds) == 2, "each reset without a seed takes the next one of the settings"
            await client.reset(seed=8, episode_id="mine")
            for wrong in ({}, {"text": "a", "action": "jump"}, {"control": "jump"}):
                with pytest.raises(RuntimeError, match="VALIDATION_ERROR"):
                    await client.step(wrong)
            with pytest.raises(RuntimeError, match="seed '-1' must be a whole number"):
                await client.reset(seed=-1)
            refused = await client.step({"action": "fly"})
            assert refused.reward == 0.0 and "fly" in refused.observation["problem"]
            for text in ('Over it. {"action": "jump", "arguments": {"level": 1}}', "jump(level=1)"):
                written = await client.step({"text": text})
                assert not written.observation["problem"], "read as it is, or repaired, and played"
            state = await client.state()
            assert (state["episode_id"], state["seed"], state["step_count"]) == ("mine", 8, 3)
            async with GenericEnvClient(base_url=url) as second:
                await second.reset(seed=9)
                async with GenericEnvClient(base_url=url) as third:
                    # The server says why and closes; a client that sends later sees the closed connection first.
                    with pytest.raises((RuntimeError, ConnectionClosed), match=r"CAPACITY_REACHED|received 1000"):
                        await third.reset()
                second._ws.transport.abort()  # as if its process had been killed
        assert (await play(url, 8))[0]
    run = RunDir.open(run_dir)
    assert sorted(r.seed for r in run.results()) == [7, 7, 8] and len(run.manifest().jobs) == 1
    assert [f.error_class for f in run.failures()] == ["EpisodeAbandoned"] * 4
    verified = await asyncio.to_thread(subprocess.run, [GWRAY, "verify", run_dir], capture_output=True, text=True)
    assert verified.returncode == 0 and re.search(r"3 .*identical", verified.stdout), verified.stdout + verified.stderr


def test_the_client_of_a_duel_plays_the_side_that_is_scored(tmp_path):
    command = [GWRAY, "openenv", "p09d_iron-bell", "1", "roles.left=scripted", f"run_dir={tmp_path}"]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 2 and "in a duel the first" in refused.stderr
