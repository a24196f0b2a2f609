"""Whole episodes over stdin and stdout and over HTTP, by the official client and by another one; and who is refused."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import fastmcp
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ImageContent
from mcp_servers.conftest import WORLDS, call, chain, job_of, play_here
from pipelines.conftest import STEPS, short_library
from starlette.testclient import TestClient

from gwray.errors import UsageError
from gwray.mcp import GameSession, HttpSettings, episodes, game_server, serve_http
from gwray.mcp.serving import TOKEN, http_app
from gwray.pipelines.verify import verify_run
from gwray.store import RunDir, read_seal

FLIGHT = ["flap" if step % 3 == 0 else "wait" for step in range(STEPS)]
SECRET = "0123456789abcdef"


@pytest.mark.slow
async def test_official_client_over_stdio_plays_the_states_of_a_run(tmp_path):
    await play_here(tmp_path / "here", FLIGHT)
    folder = tmp_path / "mcp" / "run"
    words = ["mcp", "game", "short-flight", "1", f"libraries=[{short_library()}]", f"run_dir={folder}"]
    server = StdioServerParameters(command=sys.executable, args=["-m", "gwray", *words], env=dict(os.environ))
    async with Client(server) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"observe", "act", "reset", "score", "flap"} <= tools
        first = await client.call_tool("reset", {})
        (picture,) = [b for b in first.content if isinstance(b, ImageContent)]
        assert picture.mime_type == "image/jpeg" and "flap" in first.content[0].text
        for action in FLIGHT:
            last = await call(client, action)
        assert last["state"] == "ended" and last == await call(client, "score")
    assert chain(tmp_path / "mcp") == chain(tmp_path / "here")
    run = RunDir.open(str(folder))
    (finding,) = await verify_run(run)
    assert (finding.verdict, finding.pictures) == ("identical", True), finding
    assert run.manifest().seal and not read_seal(run).broken


@contextlib.asynccontextmanager
async def serving(session: GameSession, settings: HttpSettings) -> AsyncIterator[dict[str, str]]:
    """Serves a game over HTTP; yields the address of each path."""
    servers = {"/mcp": game_server(session), **{f"/mcp/{r}": game_server(session, [r]) for r in session.roles}}
    said: asyncio.Queue[str] = asyncio.Queue()
    task = asyncio.create_task(serve_http(servers, settings, said.put_nowait))
    try:
        urls = [(await asyncio.wait_for(said.get(), 20)).split()[-1] for _ in servers]
        yield dict(zip(servers, urls, strict=True))
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("game", ["duo", pytest.param("short-pair", marks=pytest.mark.slow)])
async def test_two_other_clients_over_http_play_the_states_of_a_run(tmp_path, counters, monkeypatch, game):
    """Each client plays one role of a game in which both act together."""
    monkeypatch.setenv(TOKEN, SECRET)
    monkeypatch.setattr(episodes, "PROGRESS_S", 300)  # a call that misses its turn would wait so long
    libraries = counters if game == "duo" else str(short_library())
    roles = {"left": ["up"] * 4, "right": ["up", "down"] * 2}
    if game == "short-pair":
        roles = {"fireboy": ["move_right"] * STEPS, "watergirl": ["move_right", "jump_right"] * (STEPS // 2)}
    await play_here(tmp_path / "here", roles, game=game, libraries=libraries)
    session = GameSession(job_of(tmp_path / "mcp", game=game, libraries=libraries))

    async def side(url: str, actions: list[str]) -> dict[str, Any]:
        async with fastmcp.Client(url, auth=SECRET) as client:
            data = (await client.call_tool("observe", {})).structured_content
            while data["state"] != "ended":
                tool = actions[data["decision"]] if data["state"] == "playing" else "observe"
                data = (await client.call_tool(tool, {})).structured_content
            return data

    async with session.running(), serving(session, HttpSettings(token=True)) as urls, asyncio.timeout(120):
        ends = await asyncio.gather(*(side(urls[f"/mcp/{role}"], actions) for role, actions in roles.items()))
        assert ends[0] == ends[1] and ends[0]["run_dir"] == session.run_dir
    assert chain(tmp_path / "mcp") == chain(tmp_path / "here")
    (finding,) = await verify_run(RunDir.open(session.run_dir), trusted=WORLDS)
    assert finding.verdict == "identical", finding


HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
HEADERS = {"accept": "application/json, text/event-stream", "host": "127.0.0.1:8000"}


@pytest.fixture
def site(tmp_path, counters, monkeypatch):
    """Posts an initialize request to a server with a token; returns the status."""
    monkeypatch.setenv(TOKEN, SECRET)
    session = GameSession(job_of(tmp_path, game="solo", libraries=counters))
    app = http_app({"/mcp": game_server(session)}, HttpSettings(token=True, max_sessions=2, max_body=10_000))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:

        def post(body: Any = HELLO, token: str = SECRET, **headers: str) -> int:
            given = {**HEADERS, "authorization": f"Bearer {token}", **headers}
            return client.post("/mcp", json=body, headers=given).status_code

        yield post


def test_token_host_origin_size_and_sessions(site):
    assert site(token="wrong") == site(token="") == site(authorization="Basic eA==") == 401
    assert site(host="evil.example") == 400
    assert site(origin="https://evil.example") == site(origin="http://localhost:8001") == 403
    assert site({**HELLO, "padding": "x" * 10_000}) == 413
    assert [site() for _ in range(3)] == [200, 200, 503]


def test_other_computers_need_a_token(monkeypatch):
    monkeypatch.delenv(TOKEN, raising=False)
    with pytest.raises(UsageError, match=r"other computers could connect\. Require a token"):
        http_app({}, HttpSettings(host="0.0.0.0"))
    with pytest.raises(UsageError, match="GWRAY_MCP_TOKEN is not set"):
        http_app({}, HttpSettings(host="0.0.0.0", token=True))
    monkeypatch.setenv(TOKEN, "short")
    with pytest.raises(UsageError, match="has 5 characters"):
        http_app({}, HttpSettings(token=True))
