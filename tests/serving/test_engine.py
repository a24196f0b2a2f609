"""The real engine through Ray Serve, on the CPU: deploy, ask, measure, take down. Sweeps are in `test_sweep`.

One deployment, which grows to two replicas, serves all tests of this file in their order; starting it is what takes the
time.
"""

import asyncio
import io
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import psutil
import pytest
import pytest_asyncio
import uvicorn
from agents.conftest import Playing
from PIL import Image, ImageDraw
from serving.launches import STEPS, command_of, is_engine, launched, short_library
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gwray.agents import ClientPool, Observation, RoleContext
from gwray.catalog import load_catalog
from gwray.catalog.protocol import read_model
from gwray.ray_connection import end_leftovers
from gwray.records import View
from gwray.serving import RayServing, ServingError, cluster, read_deployment
from gwray.serving.environment import free_port
from gwray.serving.metrics import Counters, parse
from gwray.serving.probe import wait_until_ready
from gwray.serving.weights import resolve
from gwray.settings import AgentSpec
from gwray.store import RunDir

pytestmark = [pytest.mark.vllm, pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]
MODEL = read_model("tiny-vl")
AT_ONCE = 4
"""Requests that one replica accepts."""
LONG_REQUEST = {
    "model": MODEL.model_id, "max_tokens": 300, "ignore_eos": True, "temperature": 0,
    "messages": [{"role": "user", "content": "Play."}],
}  # fmt: skip
"""Keeps an engine busy for a while."""


def frame(n: int) -> Observation:
    image = Image.new("RGB", (1280, 720), (30, 40, 50))
    ImageDraw.Draw(image).rectangle((50 * n, 100, 50 * n + 300, 400), fill=(200, 60, 40))
    data = io.BytesIO()
    image.save(data, "JPEG", quality=80)
    return Observation(n, (View("front", data.getvalue(), "image/jpeg", 1280, 720),))


Player = Callable[[ClientPool], Playing]


def player(base_url: str, interface="semantic", episode="episode", memory_rounds=0, game="01_2048") -> Player:
    found = load_catalog(()).game(game)
    role_context = RoleContext(found, found.roles[0], found.tasks[0], 42, 0, episode)
    spec = MODEL.model_copy(update={"base_url": base_url})
    agent = AgentSpec(interface=interface, memory_rounds=memory_rounds)
    return lambda pool: Playing(spec, agent, role_context, pool)


async def rounds(made: Player, n: int):
    """Asks for n replies on n frames; returns replies and decisions."""
    pool = ClientPool()
    playing = made(pool)
    try:
        decisions = [await playing.turn(frame(i)) for i in range(n)]
    finally:
        await pool.close()
    return [(d.reply, d) for d in decisions]


def descendants():
    return psutil.Process().children(recursive=True)


def engines():
    return [p for p in descendants() if is_engine(p)]


def still_alive(processes, within_s=120.0):
    _, alive = psutil.wait_procs(processes, timeout=within_s)
    return [command_of(p) for p in alive if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def serving():
    spec = read_deployment("tiny-vl")
    half = spec.resources.model_copy(update={"cpus": 0.5})
    scales = {"replicas_max": 2, "requests_per_replica": 1, "max_num_seqs": AT_ONCE, "resources": half}
    hosting = RayServing(sample_every_s=0.5, specs={"tiny-vl": spec.model_copy(update=scales)})
    yield hosting
    before = descendants()
    await hosting.close()
    assert still_alive(before) == [], "something outlived the deployment"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def endpoint(serving):
    return await serving.deploy(MODEL)


@pytest.mark.parametrize("game", ["01_2048", "13_flappy-bird"])
@pytest.mark.parametrize("interface", ["semantic", "computer_use"])
async def test_structured_replies_give_legal_actions(endpoint, interface, game):
    agent = player(endpoint.base_url, interface, game=game)
    for reply, decision in await rounds(agent, 2):
        assert decision.validity == "valid", (reply.text, decision.reason)
        assert len(decision.actions) == 1
        assert reply.usage.input > 300, "the picture was not part of the prompt"


async def test_engine_counters_count_requests(serving, endpoint):
    sampler = serving._up[MODEL.name].sampler
    before = await sampler.sample()
    await asyncio.gather(*(rounds(player(endpoint.base_url, episode=f"e{i}", memory_rounds=1), 3) for i in range(3)))
    for i in range(100):  # it is looked at by the clock: until a look has come while it worked
        after = sampler.summary()
        if after.requests >= 9 and after.busy_share:
            break
        await rounds(player(endpoint.base_url, episode=f"more-{i}"), 1)
    assert before.replicas == 1
    assert after.requests >= 9
    assert after.prefix_cache_hit_rate > 0, "the static part of the prompt was not found in the prefix cache"
    assert 0 < after.busy_share <= 1 and after.generation_tokens_per_s > 0


async def replicas(serving) -> dict[str, Counters]:
    """Returns the counters of each replica, by name."""
    pages = await asyncio.to_thread(cluster.engine_pages, serving._up[MODEL.name].app)
    return {name: parse({name: page}, MODEL.model_id) for name, page in pages.items()}


@pytest.mark.whole
async def test_replica_is_added_under_load(serving, endpoint):
    enough = asyncio.Event()

    async def keep_asking(client, i):
        while not enough.is_set():
            headers = {"x-session-id": f"grow-{i}"}
            answer = await client.post(f"{endpoint.base_url}/chat/completions", json=LONG_REQUEST, headers=headers)
            assert answer.status_code == 200, answer.text

    async with httpx.AsyncClient(timeout=300) as client:
        asking = asyncio.gather(*(keep_asking(client, i) for i in range(4)))
        end = time.monotonic() + 300
        while len(await replicas(serving)) < 2:
            assert time.monotonic() < end, "no replica was added"
            assert not asking.done(), asking
            await asyncio.sleep(1)
        enough.set()
        await asking


@pytest.mark.whole
async def test_episode_stays_on_one_replica(serving, endpoint):
    homes = set()
    for i in range(120):  # the router learns of a new replica some time after Serve counts it
        before = await replicas(serving)
        assert len(before) == 2
        await rounds(player(endpoint.base_url, episode=f"sticky-{i}"), 3)
        after = await replicas(serving)
        gained = {name: after[name].total("requests") - before[name].total("requests") for name in after}
        assert sorted(gained.values()) == [0, 3], gained
        homes |= {name for name, n in gained.items() if n}
        if len(homes) == 2:
            return
        await asyncio.sleep(0.5)
    pytest.fail(f"all episodes were sent to {homes}")


async def test_replica_accepts_at_most_max_num_seqs(serving, endpoint):
    seen: list[float] = []

    async def ask(client, i):
        headers = {"x-session-id": f"b{i}"}
        answer = await client.post(f"{endpoint.base_url}/chat/completions", json=LONG_REQUEST, headers=headers)
        return answer.status_code

    async with httpx.AsyncClient(timeout=300, limits=httpx.Limits(max_connections=40)) as client:
        while max(seen, default=0) < AT_ONCE - 1 and len(seen) < 1000:  # a busy machine looks seldom
            asking = asyncio.gather(*(ask(client, i) for i in range(6 * AT_ONCE)))
            while not asking.done():
                seen += [r.total("running") + r.total("waiting") for r in (await replicas(serving)).values()]
                await asyncio.sleep(0.1)
            assert set(await asking) == {200}
    assert AT_ONCE - 1 <= max(seen) <= AT_ONCE, seen


async def test_failed_start_shows_engine_log_and_others_continue(serving, endpoint):
    broken = read_deployment("tiny-vl").model_copy(update={"name": "broken", "max_model_len": 1_000_000})
    serving._specs["broken"] = broken.model_copy(
        update={"resources": broken.resources.model_copy(update={"cpus": 0.5, "memory_gb": 0})}
    )
    with pytest.raises(ServingError) as caught:
        await serving.deploy(MODEL.model_copy(update={"name": "broken", "model_id": "broken"}))
    text = str(caught.value)
    assert "max_model_len (1000000) is greater than the derived" in text
    assert "When a model does not start" in text
    await wait_until_ready(endpoint.base_url, endpoint.model_id, 120)


@asynccontextmanager
async def recorder(upstream: str):
    """A proxy between agent and server that records every request's body."""
    bodies = []

    async def forward(request: Request):
        body = await request.body()
        bodies.append(body)
        async with httpx.AsyncClient(timeout=120) as client:
            answer = await client.post(
                f"{upstream}/chat/completions", content=body, headers={"content-type": "application/json"}
            )
        return Response(answer.content, answer.status_code, media_type="application/json")

    port = free_port()
    app = Starlette(routes=[Route("/v1/chat/completions", forward, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}/v1", bodies
    finally:
        server.should_exit = True
        await task


@asynccontextmanager
async def bare_engine():
    """`vllm serve` as a person would start it."""
    spec, port = read_deployment("tiny-vl"), free_port()
    command = [sys.executable, "-m", "vllm.entrypoints.cli.main", "serve", resolve(spec).source]
    command += ["--served-model-name", "tiny-vl", "--host", "127.0.0.1", "--port", str(port), "--dtype", "bfloat16"]
    command += ["--max-model-len", str(spec.max_model_len), "--enforce-eager", "--max-num-seqs", "8"]
    command += ["--limit-mm-per-prompt", '{"image":8,"video":0}']
    command += ["--structured-outputs-config", '{"backend":"guidance","disable_any_whitespace":true}']
    env = os.environ | spec.env | {"HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"}
    server = await asyncio.to_thread(
        subprocess.Popen, command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        await wait_until_ready(f"http://127.0.0.1:{port}/v1", "tiny-vl", 300)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.send_signal(signal.SIGTERM)
        await asyncio.to_thread(server.wait, 120)


def sweep_on(base_url: str, folder: Path) -> RunDir:
    """Play with a server that runs already, by the usual command."""
    library = short_library(folder / "library", "01_2048")
    command = ["launch.py", "model=tiny-vl", "game=01_2048-short", "task=1", "tracking.mode=disabled"]
    command += [f"libraries=[{library}]", f"run_dir={folder / 'run'}", "executor=inline"]
    with launched(folder, [*command, "serving=external", f"serving.base_url={base_url}"]) as launch:
        assert launch.ended() == 0, launch.printed
    return RunDir.open(folder / "run")


async def test_external_vllm_server_gets_the_same_requests(endpoint, tmp_path):
    seen = {}
    async with bare_engine() as by_hand:
        for name, url in (("ray", endpoint.base_url), ("by hand", by_hand)):
            async with recorder(url) as (recorded, bodies):
                await rounds(player(recorded, memory_rounds=2), 3)
                seen[name] = bodies
        run = await asyncio.to_thread(sweep_on, by_hand, tmp_path)
        await wait_until_ready(by_hand, "tiny-vl", 120)
    assert len(seen["ray"]) == 3
    assert seen["ray"] == seen["by hand"]
    (result,) = run.results()
    assert (result.status, result.steps, result.no_tool_call, result.out_of_space) == ("finished", STEPS, 0, 0)


async def test_teardown_finishes_replies_on_their_way_and_leaves_no_engine(serving, endpoint):
    both = engines()
    assert both, "one for each model that the tests before this one asked for"

    async def ask(client, i):
        headers = {"x-session-id": f"drain-{i}"}
        return await client.post(f"{endpoint.base_url}/chat/completions", json=LONG_REQUEST, headers=headers)

    async with httpx.AsyncClient(timeout=300) as client:
        asking = asyncio.gather()
        running, end = 0.0, time.monotonic() + 300
        while running < AT_ONCE:
            if asking.done():  # before the engines were looked at
                asking = asyncio.gather(*(ask(client, i) for i in range(AT_ONCE)))
            running = sum(r.total("running") for r in (await replicas(serving)).values())
            assert time.monotonic() < end, "the requests were never seen together"
        summary = await serving.teardown(MODEL)
        answers = await asking
    assert [(a.status_code, a.json()["usage"]["completion_tokens"]) for a in answers] == [(200, 300)] * AT_ONCE
    assert summary.restarts == 0 and summary.requests > 0
    assert still_alive(both) == []
    with pytest.raises(httpx.HTTPError):
        async with httpx.AsyncClient(timeout=5) as client:
            (await client.get(f"{endpoint.base_url}/models")).raise_for_status()


@pytest.mark.whole
async def test_killed_gwray_serve_leaves_nothing(serving):
    await serving.close()  # two engines at once would be too much for a small machine
    command = [str(Path(sys.executable).with_name("gwray")), "serve", "tiny-vl"]
    env = {k: v for k, v in os.environ.items() if not k.startswith("RAY_SERVE_")}  # ours name ports
    process = await asyncio.to_thread(subprocess.Popen, command, stdout=subprocess.PIPE, text=True, env=env)
    family: list[psutil.Process] = []
    try:
        started = time.monotonic()
        while "answers at" not in (line := await asyncio.to_thread(process.stdout.readline)):
            assert process.poll() is None and time.monotonic() - started < 400
        url = line.split("answers at ")[1].split()[0]
        await wait_until_ready(url, "tiny-vl", 120)
        family = psutil.Process(process.pid).children(recursive=True)
        assert any(is_engine(p) for p in family), [command_of(p) for p in family]
        process.kill()
        assert await asyncio.to_thread(process.wait, 60) == -signal.SIGKILL
        ended = time.monotonic()
        while (left := still_alive(family, 2)) and time.monotonic() - ended < 200:
            end_leftovers()  # as the next start would
        assert left == []
        with socket.socket() as s:
            assert s.connect_ex(("127.0.0.1", int(url.split(":")[2].split("/")[0]))) != 0
    finally:
        if process.poll() is None:
            for p in [psutil.Process(process.pid), *family]:
                with suppress(psutil.Error):
                    p.kill()
