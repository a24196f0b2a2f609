"""Readiness checks against a real server on this machine, and external servers."""

import asyncio
import json
import socket
from contextlib import asynccontextmanager

import pytest
import uvicorn
from standin import Standin
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

from gwray.errors import ModelUnavailable, UsageError
from gwray.serving import ClusterResources, ExternalServing, ServingError
from gwray.serving.environment import free_port
from gwray.serving.probe import wait_until_ready
from gwray.settings import ModelSpec

MODEL = ModelSpec(name="mine", provider="openai_chat", model_id="org/mine", self_hosted=True)


@asynccontextmanager
async def server(answers, key=""):
    """Answers chat requests with the given (status, body) one after the other, the last one for ever."""
    seen = []

    async def chat(request: Request):
        if key and request.headers.get("authorization") != f"Bearer {key}":
            return JSONResponse({"error": "Unauthorized"}, 401)
        seen.append(json.loads(await request.body()))
        status, body = answers[min(len(seen), len(answers)) - 1]
        return JSONResponse(body, status) if isinstance(body, dict) else PlainTextResponse(body, status)

    routes = [Route("/v1/chat/completions", chat, methods=["POST"])]
    with socket.create_server(("127.0.0.1", 0)) as listening:
        running = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="error"))
        task = asyncio.create_task(running.serve([listening]))
        while not running.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1", seen
        finally:
            running.should_exit = True
            await task


GOOD = (200, {"choices": [{"message": {"content": "yes"}}]})


async def test_readiness_needs_chat_with_image():
    async with server([(503, "starting"), (404, "no route yet"), (200, {"choices": []}), GOOD]) as (url, seen):
        await wait_until_ready(url, "org/mine", 120)
    assert len(seen) == 4
    kinds = [part["type"] for part in seen[0]["messages"][-1]["content"]]
    assert kinds == ["text", "image_url"] and seen[0]["model"] == "org/mine"


async def test_text_only_model_gets_no_image():
    """A server of such a model answers a picture with HTTP 400, and would never be called ready."""
    with Standin() as server:
        endpoint = await ExternalServing(server.base_url("openai_chat")).deploy(
            MODEL.model_copy(update={"pictures": False})
        )
        await ExternalServing(server.base_url("openai_chat")).deploy(MODEL)
    assert endpoint.model_id == "org/mine" and server.problems == []
    words, picture = ([p["type"] for p in s.body["messages"][-1]["content"]] for s in server.seen)
    assert (words, picture) == (["text"], ["text", "image_url"])


async def test_refused_text_chat_is_named():
    async with server([(400, {"error": {"message": "no"}})]) as (url, _):
        with pytest.raises(ServingError, match="refuses a text chat with 'm'"):
            await wait_until_ready(url, "m", 120, pictures=False)


async def test_refused_request_fails_at_once():
    wrong = (404, {"error": {"message": "The model `org/mine` does not exist.", "code": 404}})
    async with server([wrong]) as (url, seen):
        with pytest.raises(ServingError, match=r"refuses an image chat with 'org/mine'.*does not exist"):
            await wait_until_ready(url, "org/mine", 120)
    assert len(seen) == 1


async def test_wrong_api_root_times_out_with_hint():
    async with server([(404, "Not Found")]) as (url, _):
        with pytest.raises(ModelUnavailable, match=r"HTTP 404: Not Found\. Check that this is the API root"):
            await wait_until_ready(url, "m", 1)


async def test_api_key_of_the_profile_is_sent(monkeypatch):
    model = MODEL.model_copy(update={"api_key_env": "MINE_KEY"})
    async with server([GOOD], key="secret") as (url, _):
        with pytest.raises(ServingError, match=r"HTTP 401.*model\.api_key_env"):
            await ExternalServing(url).deploy(model)
        monkeypatch.setenv("MINE_KEY", "secret")
        assert (await ExternalServing(url).deploy(model)).base_url == url


async def test_unreachable_server_times_out_with_cause():
    with pytest.raises(ModelUnavailable, match=r"no image chat succeeded in 1 s.*ConnectError"):
        await wait_until_ready(f"http://127.0.0.1:{free_port()}/v1", "m", 1)


async def test_dead_engine_ends_the_wait():
    async with server([(503, "starting")]) as (url, _):
        with pytest.raises(ServingError, match="the engine died"):
            await wait_until_ready(url, "m", 60, failure=lambda: "the engine died")


async def test_external_server_is_left_running():
    async with server([GOOD]) as (url, _):
        serving = ExternalServing(url + "/")
        assert serving.waves([MODEL], ClusterResources(())) == [["mine"]]
        endpoint = await serving.deploy(MODEL)
        assert (endpoint.base_url, endpoint.model_id) == (url, "org/mine")
        assert await serving.teardown(MODEL) is None
        await serving.close()
        await wait_until_ready(url, "org/mine", 120)


def test_malformed_base_url_is_refused():
    with pytest.raises(UsageError, match="API root"):
        ExternalServing("127.0.0.1:8000")
