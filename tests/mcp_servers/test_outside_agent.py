"""`agent=mcp`: an MCP server chooses the actions. Its failures are those of a provider, and never a score."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.server import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool
from mcp_servers.conftest import WORLDS, chain, play_here
from pipelines.conftest import BASE, play

from gwray.agents import make_client
from gwray.agents.clients.mcp_server import MAX_RESULT, McpServer
from gwray.agents.messages import Message, Request, Text
from gwray.catalog import read_model
from gwray.errors import (
    MalformedResponse,
    ModelNotFound,
    ModelUnavailable,
    UsageError,
)
from gwray.pipelines import make_plan, run_spec
from gwray.pipelines.verify import verify_run

AGENT = Path(__file__).with_name("outside_agent.py")
ASKED = Request("", "mcp", "Play.", (Message("user", (Text("Step 3."),)),), session="key", role="left", decision=2)


def answering(answer: Any, tool: str = "choose_action") -> McpServer:
    """A client of a server in this process. `answer`: what its tool returns, or a function that is called."""

    async def list_tools(context: Any, params: Any) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name=tool, input_schema={"type": "object"})])

    async def call_tool(context: Any, params: Any) -> CallToolResult:
        if params.name != tool:
            raise RuntimeError("no such tool")
        found = answer(params.arguments) if callable(answer) else answer
        return await found if asyncio.iscoroutine(found) else found

    server = Server("agent", version="1", on_list_tools=list_tools, on_call_tool=call_tool)

    class InProcess(McpServer):
        @asynccontextmanager
        async def _transport(self):
            yield server

    return InProcess(read_model("mcp").model_copy(update={"options": {"command": "agent"}}))


def said(text: str = "", **data: Any) -> CallToolResult:
    content = [TextContent(text=text)] if text else []
    return CallToolResult(content=content, structured_content=data or None)


async def reply_to(answer: Any, **kwargs: Any):
    client = answering(answer, **kwargs)
    try:
        return await client.send(ASKED)
    finally:
        await client.close()


async def test_reply_is_actions_or_text():
    seen: list[dict[str, Any]] = []

    def answer(arguments: dict[str, Any]) -> CallToolResult:
        seen.append(arguments)
        return said(actions=[{"action": "up", "arguments": {"n": 1}}], reasoning="why", role="left", decision=2)

    reply = await reply_to(answer)
    assert [(c.name, c.arguments) for c in reply.tool_calls] == [("up", {"n": 1})]
    assert (reply.reasoning, reply.served_model, reply.requests) == ("why", "agent 1", 1)
    assert seen == [{"episode": "key", "role": "left", "decision": 2, "instructions": "Play.", "actions": [],
                     "observation": [{"type": "text", "text": "Step 3."}]}]  # fmt: skip
    assert (await reply_to(said('{"action": "up"}'))).text == '{"action": "up"}'
    assert (await reply_to(said(reply="up", actions=[]))).text == "up"
    wrapped = await reply_to(said(result={"actions": [{"action": "down"}]}))
    assert wrapped.tool_calls[0].name == "down", "as SDKs wrap what a function returns"


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (said(), MalformedResponse, "neither actions nor text"),
        (said(actions="up"), MalformedResponse, "a list of"),
        (said(actions=["up"]), MalformedResponse, "is no"),
        (said(reply=["up"]), MalformedResponse, "must be texts"),
        (said(actions=[{"action": "up"}], role="right"), MalformedResponse, "'right', but was asked for 'left'"),
        (said(actions=[{"action": "up"}], decision=1), MalformedResponse, "for decision 1, but was asked for 2"),
        (said(actions=[{"action": "up"}], episode="other"), MalformedResponse, "for episode 'other'"),
        (said("u" * (MAX_RESULT + 1)), MalformedResponse, "at most 1,000,000 are read"),
        (CallToolResult(content=[TextContent(text="out of memory")], is_error=True), ModelUnavailable, "out of memory"),
        (lambda arguments: 1 / 0, ModelUnavailable, "the agent failed"),
    ],
    ids=["empty", "text for actions", "texts for actions", "list for reply", "role", "late", "episode", "huge", "error",
         "raises"],
)  # fmt: skip
async def test_other_results_are_errors_of_the_model(answer, error, message):
    with pytest.raises(error, match=message):
        await reply_to(answer)


async def test_server_without_the_tool_stops_the_model():
    with pytest.raises(ModelNotFound, match="has no tool choose_action") as caught:
        await reply_to(said("up"), tool="think")
    assert caught.value.stops_model


@pytest.mark.parametrize(
    ("command", "message"),
    [("no-such-program --x", "cannot be reached"), (f"{sys.executable} -c pass", "connection|cannot be reached")],
)
async def test_command_that_is_no_server(command, message):
    client = make_client(read_model("mcp").model_copy(update={"options": {"command": command}}))
    with pytest.raises(ModelUnavailable, match=message):
        await client.send(ASKED)
    await client.close()


async def test_nothing_listens_at_the_address():
    client = make_client(read_model("mcp").model_copy(update={"base_url": "http://127.0.0.1:9/mcp"}))
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await client.send(ASKED)
    await client.close()


async def test_url_gets_the_key_as_bearer_token_and_no_error_shows_it(monkeypatch):
    given: list[str] = []

    def refuse(request: httpx2.Request) -> httpx2.Response:
        given.append(request.headers["authorization"])
        return httpx2.Response(401, text=f"unknown {request.headers['authorization']}")

    monkeypatch.setenv("AGENT_KEY", "0123456789")
    plain = httpx2.AsyncClient
    monkeypatch.setattr(httpx2, "AsyncClient", lambda **kw: plain(**kw, transport=httpx2.MockTransport(refuse)))
    address = {"base_url": "http://127.0.0.1:9/mcp", "api_key_env": "AGENT_KEY"}
    client = make_client(read_model("mcp").model_copy(update=address))
    with pytest.raises(ModelUnavailable) as caught:
        await client.send(ASKED)
    await client.close()
    assert set(given) == {"Bearer 0123456789"} and "0123" not in str(caught.value)


async def test_late_reply_is_dropped_and_the_next_one_counts():
    waits = [0.5, 0.0]

    async def answer(arguments: dict[str, Any]) -> CallToolResult:
        await asyncio.sleep(waits.pop(0))
        return said(f"reply {len(waits)}")

    client = answering(answer)
    try:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.send(ASKED), 0.1)
        assert (await client.send(ASKED)).text == "reply 0"
    finally:
        await client.close()


def job(counters: str, folder: Path, how: str = "", **model: Any) -> dict[str, Any]:
    words = f"{sys.executable} {AGENT} {folder / 'started'} {how}"
    profile = read_model("mcp").model_copy(update=model).model_dump()
    return {"game": "solo", "libraries": counters, "model": profile, "agent": {"name": "mcp", "command": words}}


async def test_agent_dies_in_an_episode_and_is_started_again(tmp_path, counters):
    """The episode is that of the same replies without MCP, and a replay starts no agent."""
    await play_here(tmp_path / "here", ["up"] * 4, game="solo", libraries=counters)
    ended = await play(tmp_path, job(counters, tmp_path, "dies"))
    (record,) = ended.run.results()
    assert record.served_model == "counting-agent 3" and record.calls == 4
    assert [x.reply.requests for x in ended.run.log(record.key).read()] == [1, 1, 2, 1]
    assert chain(tmp_path) == chain(tmp_path / "here")
    assert len((tmp_path / "started").read_text().splitlines()) == 2
    (finding,) = await verify_run(ended.run, trusted=WORLDS)
    assert finding.verdict == "identical", finding
    assert len((tmp_path / "started").read_text().splitlines()) == 2, "a replay asks no agent"


async def test_agent_that_hangs_gives_no_score(tmp_path, counters, monkeypatch):
    async def answer(arguments: dict[str, Any]) -> CallToolResult:
        await asyncio.sleep(60 * (arguments["decision"] == 2))
        return said(actions=[{"action": "up"}])

    monkeypatch.setattr(McpServer, "_transport", type(answering(answer))._transport)
    ended = await play(tmp_path, job(counters, tmp_path, timeout_s=0.7, options={"attempts": 1}))
    assert ended.run.results() == []
    failures = [*ended.run.failures()]
    assert {(f.error_class, f.error_owner, f.score) for f in failures} == {("ModelUnavailable", "model", None)}
    assert len(ended.run.log(failures[0].key).read()) == 2, "the replies before are kept"


def test_settings_of_the_agent_name_what_is_allowed(counters, tmp_path):
    def spec(**changes: Any):
        return run_spec({**BASE, "game": "solo", "libraries": counters, "model": "mcp", **changes})

    for agent in ({"name": "mcp"}, {"name": "mcp", "command": "a", "url": "http://h/mcp"}):
        with pytest.raises(UsageError, match="set one of"):
            spec(agent=agent)
    with pytest.raises(UsageError, match=r"agent\.url is for agent=mcp only"):
        spec(agent={"name": "direct", "url": "http://h/mcp"})
    with pytest.raises(UsageError, match="asks its own model"):
        spec(agent={"name": "mcp", "url": "http://h/mcp"}, model="random")
    cells = {make_plan([spec(agent={"name": "mcp", "url": f"http://{host}/mcp"})]).cells[0].id for host in "ab"}
    assert len(cells) == 2, "two servers are two agents"
