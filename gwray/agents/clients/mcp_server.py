"""MCP servers that choose actions (`agent=mcp`): each question is one call of the server's tool `choose_action`.

The connection is made at the first question and again after it broke. A server that does not answer, dies, or answers
in another form than docs/mcp.md says gives a `ModelError`, as a provider does: no score, and retries as for any model.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shlex
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, Implementation, TextContent

from gwray.agents.calls import MAX_CALLS
from gwray.agents.clients.base import Secret, endpoint, stored_text, tool_call
from gwray.agents.coordinates import resized
from gwray.agents.messages import Image, Part, Request
from gwray.errors import BadRequest, MalformedResponse, ModelNotFound, ModelUnavailable, UsageError, cut
from gwray.records import Reply, ToolCall
from gwray.spec import ModelSpec
from gwray.version import __version__

TOOL = "choose_action"
"""The tool of a server that chooses actions."""
MAX_RESULT = 1_000_000
"""Characters of a result; a longer one is refused."""
MAX_SHOWN = 400
"""Characters of a server's message that an error shows."""


class McpServer:
    """Client of the model profile `mcp`. Starts `options.command`, or connects to `base_url` with the key, if there is
    one, as bearer token.

    Args:
        spec: the profile.

    Raises:
        AuthError: the environment variable with the key is not set.
        UsageError: the command cannot be split into words, or the URL contains a password.
    """

    def __init__(self, spec: ModelSpec):
        self._url = endpoint(spec, None)
        self._secret = Secret.from_env(spec)
        command = str(spec.options.get("command", ""))
        try:
            self._words = shlex.split(command)
        except ValueError as e:
            raise UsageError(f"agent.command '{command}': {e}. Write it as in a shell.") from None
        if not self._url and not self._words:
            raise UsageError("agent=mcp has neither agent.command nor agent.url; set one of them")
        self._connecting = asyncio.Lock()
        self._client: Client | None = None
        self._holder: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def send(self, request: Request) -> Reply:
        arguments = await asyncio.to_thread(self._arguments, request)
        client = await self._connected()
        started = time.perf_counter()
        try:
            result = await client.call_tool(TOOL, arguments)
        except MCPError as e:
            raise await self._error(client, e) from None
        except Exception as e:  # a connection that broke, or a result that is none of the protocol
            await self._disconnect(client)
            raise ModelUnavailable(f"the agent's connection broke: {self._shown(e)}") from None
        return self._reply(result, request, client.server_info, (time.perf_counter() - started) * 1000)

    async def list_models(self) -> list[str]:
        client = await self._connected()
        try:
            return [tool.name for tool in (await client.list_tools()).tools]
        except Exception as e:
            await self._disconnect(client)
            raise ModelUnavailable(f"the agent's connection broke: {self._shown(e)}") from None

    async def close(self) -> None:
        await self._disconnect(self._client)

    # The connection. The SDK's contexts end in the task that entered them, so a task of its own holds them.

    async def _connected(self) -> Client:
        """Returns the connection; makes it if there is none, or if it has ended."""
        async with self._connecting:
            if self._client is not None and self._holder is not None and not self._holder.done():
                return self._client
            ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
            self._closing = asyncio.Event()
            self._holder = asyncio.create_task(self._hold(ready, self._closing))
            try:
                await asyncio.wait({ready, self._holder}, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                self._holder.cancel()
                raise
            if not ready.done():
                ready.cancel()
                error = self._holder.exception()
                raise ModelUnavailable(f"the agent cannot be reached: {self._shown(error)}")
            self._client = ready.result()
            return self._client

    async def _hold(self, ready: asyncio.Future[Client], closing: asyncio.Event) -> None:
        async with self._transport() as server, Client(server, client_info=_WHO) as client:
            ready.set_result(client)
            await closing.wait()

    @asynccontextmanager
    async def _transport(self):  # -> Any: one of the forms that `Client` takes
        if self._url is None:
            first, *rest = self._words
            # The command runs as if typed: with this process's environment, in its folder.
            yield _stdio(StdioServerParameters(command=first, args=rest, env=dict(os.environ)))
            return
        headers = {"authorization": f"Bearer {self._secret.value}"} if self._secret.value else {}
        async with httpx2.AsyncClient(headers=headers, timeout=None, follow_redirects=False) as http:
            yield streamable_http_client(self._url, http_client=http)

    async def _disconnect(self, client: Client | None) -> None:
        """Ends a connection, and its process, unless another one has replaced it."""
        if client is None or client is not self._client:
            return
        holder, self._client, self._holder = self._holder, None, None
        self._closing.set()
        if holder is not None:
            await asyncio.wait({holder})
            if not holder.cancelled():
                holder.exception()  # retrieved: the connection may have broken

    async def _error(self, client: Client, error: MCPError) -> Exception:
        """Returns the error of gwray for one that the server or the SDK reports."""
        from mcp.types import CONNECTION_CLOSED, INVALID_PARAMS, METHOD_NOT_FOUND

        if error.code == CONNECTION_CLOSED:
            await self._disconnect(client)
            return ModelUnavailable("the agent closed its connection, or its process ended")
        shown = self._shown(error)
        with suppress(Exception):
            if TOOL not in await self.list_models():
                return ModelNotFound(f"the agent's server has no tool {TOOL} ({shown}); docs/mcp.md describes it")
        if error.code in (INVALID_PARAMS, METHOD_NOT_FOUND):
            return BadRequest(f"the agent refused the call of {TOOL}: {shown}")
        return ModelUnavailable(f"the agent failed: {shown}", status=200)

    # Its form

    def _arguments(self, request: Request) -> dict[str, Any]:
        (message,) = request.turns
        tools = [{"name": t.name, "description": t.description, "parameters": t.parameters} for t in request.tools]
        return {
            "episode": request.session,
            "role": request.role,
            "decision": request.decision,
            "instructions": request.system,
            "observation": [_part(p) for p in message.parts],
            "actions": tools,
        }

    def _reply(self, result: CallToolResult, request: Request, who: Implementation | None, ms: float) -> Reply:
        """Reads a result. Raises `ModelError` if it is no reply to this request."""
        texts = [block.text for block in result.content if isinstance(block, TextContent)]
        text, given = "\n".join(texts), result.structured_content
        size = len(text) + (len(json.dumps(given)) if given is not None else 0)
        if size > MAX_RESULT:
            raise MalformedResponse(f"the agent's result has {size:,} characters; at most {MAX_RESULT:,} are read")
        if result.is_error:
            raise ModelUnavailable(f"the agent's tool {TOOL} failed: {self._cut(text)}", status=200)
        if isinstance(given, Mapping) and set(given) == {"result"} and isinstance(given["result"], Mapping | str):
            given = given["result"] if isinstance(given["result"], Mapping) else None  # as SDKs wrap what is returned
        calls: tuple[ToolCall, ...] = ()
        reasoning = ""
        if isinstance(given, Mapping) and ("actions" in given or "reply" in given):
            for name, asked in (("episode", request.session), ("role", request.role), ("decision", request.decision)):
                if name in given and given[name] != asked:
                    raise MalformedResponse(
                        f"the agent answered for {name} {self._cut(repr(given[name]))}, but was asked for {asked!r}"
                    )
            calls = self._calls(given.get("actions", []))
            text, reasoning = given.get("reply", ""), given.get("reasoning", "")
            if not isinstance(text, str) or not isinstance(reasoning, str):
                raise MalformedResponse("the agent's reply and reasoning must be texts")
        if not text.strip() and not calls:
            raise MalformedResponse("the agent's result has neither actions nor text")
        return Reply(
            latency_ms=ms,
            text=stored_text(text, self._secret),
            reasoning=stored_text(reasoning, self._secret),
            tool_calls=calls,
            finish_reason="stop",
            served_model=stored_text(f"{who.name} {who.version}".strip() if who else "", self._secret)[:200],
        )

    def _calls(self, given: Any) -> tuple[ToolCall, ...]:
        """Returns the actions of a result as calls. Raises `MalformedResponse` for another form."""
        if not isinstance(given, list):
            raise MalformedResponse("the agent's actions must be a list of {action, arguments}")
        calls = []
        for one in given[:MAX_CALLS]:
            if not isinstance(one, Mapping) or not isinstance(one.get("action"), str):
                raise MalformedResponse(f"an action of the agent is no {{action, arguments}}: {self._cut(repr(one))}")
            calls.append(tool_call(one["action"], one.get("arguments", {}), self._secret))
        return tuple(calls)

    def _shown(self, error: BaseException | None) -> str:
        """Returns the innermost reason of an error, in one line without the token."""
        while isinstance(error, BaseExceptionGroup) and error.exceptions:
            error = error.exceptions[0]
        return self._cut(f"{type(error).__name__}: {error}" if error is not None else "it ended at once")

    def _cut(self, text: str) -> str:
        return cut(" ".join(self._secret.scrub(text).split()), MAX_SHOWN)


_WHO = Implementation(name="gwray", version=__version__)


def _stdio(parameters: StdioServerParameters) -> AbstractAsyncContextManager[Any]:
    """Returns the transport to a process. Its messages on stderr appear on this process's own, even where `sys.stderr`
    has no file (notebooks)."""
    from mcp.client.stdio import stdio_client

    return stdio_client(parameters, errlog=sys.__stderr__ or sys.stderr)


def _part(part: Part) -> dict[str, Any]:
    """Returns a part of a question as a content block of MCP."""
    if isinstance(part, Image):
        data = base64.b64encode(resized(part.data, part.mime, part.size)).decode()
        return {"type": "image", "data": data, "mimeType": part.mime}
    return {"type": "text", "text": part.text}
