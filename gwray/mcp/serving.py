"""Serves MCP over stdin and stdout, or over HTTP. HTTP is for this computer unless told otherwise, and then needs a
token; other sites' pages are refused, and sessions, sizes and connections are limited."""

import asyncio
import hmac
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gwray.errors import UsageError
from gwray.local_server import listen, own_pages_only

TOKEN = "GWRAY_MCP_TOKEN"
"""Environment variable with the bearer token that clients must send."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
SHORTEST_TOKEN = 16
"""Characters of a token; a shorter one can be guessed."""
MAX_CONNECTIONS = 100
"""Concurrent connections; further ones get HTTP 503."""


@dataclass(frozen=True)
class HttpSettings:
    """How to serve over HTTP.

    Attributes:
        host: address to listen on; other computers can connect unless it is loopback.
        port: 0: a free one.
        token: require the bearer token of the environment variable `GWRAY_MCP_TOKEN`.
        max_sessions: clients that are connected at once; further ones are refused.
        max_body: bytes of a request.
        idle_s: seconds after which the session of a silent client ends. The episode does not end.
    """

    host: str = "127.0.0.1"
    port: int = 0
    token: bool = False
    max_sessions: int = 8
    max_body: int = 16_000_000
    idle_s: float = 1800


async def serve_stdio(server: Server[Any]) -> None:
    """Serves one client over stdin and stdout until it disconnects."""
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())


def http_app(servers: Mapping[str, Server[Any]], settings: HttpSettings) -> Starlette:
    """Returns the application with a server at each path, such as `/mcp`.

    Raises:
        UsageError: other computers could connect without a token, or the token is missing or too short.
    """
    if settings.host not in LOOPBACK and not settings.token:
        raise UsageError(
            f"host {settings.host}: other computers could connect. Require a token (--token, with {TOKEN} in the "
            "environment), or listen on 127.0.0.1."
        )
    # The checks of gwray's other servers apply, so the SDK's own are not needed.
    anywhere = ["*"] if settings.host not in LOOPBACK else []
    middleware = own_pages_only(anywhere)
    if settings.token:
        middleware.append(Middleware(_RequireToken, token=_token()))
    routes: list[Any] = []
    for path, server in servers.items():
        app = server.streamable_http_app(
            streamable_http_path=path,
            host=settings.host,
            max_request_body_size=settings.max_body,
            max_sessions=settings.max_sessions,
            session_idle_timeout=settings.idle_s,
        )
        routes += app.routes

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for server in servers.values():
                await stack.enter_async_context(server.session_manager.run())
            yield

    return Starlette(routes=routes, middleware=middleware, lifespan=lifespan)


async def serve_http(servers: Mapping[str, Server[Any]], settings: HttpSettings, say: Callable[[str], None]) -> None:
    """Serves until cancelled. `say` receives the address of each server. Raises as `http_app`, and `UsageError` for a
    port in use."""
    app = http_app(servers, settings)
    listening, address = listen(settings.port, settings.host)
    for path in servers:
        say(f"MCP at {address}{path}")
    config = uvicorn.Config(app, log_level="error", limit_concurrency=MAX_CONNECTIONS, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    server.capture_signals = nullcontext  # type: ignore[method-assign,assignment]  # the command handles Ctrl-C
    serving = asyncio.create_task(server.serve([listening]))
    try:
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        await asyncio.wait({serving})
        listening.close()


def _token() -> str:
    """Returns the token that clients must send. Raises `UsageError` if it is missing or too short."""
    token = os.environ.get(TOKEN, "").strip()
    if len(token) < SHORTEST_TOKEN:
        raise UsageError(
            f"{TOKEN} {'is not set' if not token else f'has {len(token)} characters'}: set it to a secret of "
            f"{SHORTEST_TOKEN} characters or more, such as the output of: openssl rand -hex 16"
        )
    return token


class _RequireToken:
    """Refuses requests without the bearer token."""

    def __init__(self, app: ASGIApp, token: str):
        self._app, self._token = app, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            kind, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
            right = hmac.compare_digest(given.strip().encode(), self._token)  # takes as long for any token
            if kind.lower() != "bearer" or not right:
                refused = PlainTextResponse(
                    "a bearer token is needed", status_code=401, headers={"www-authenticate": "Bearer"}
                )
                return await refused(scope, receive, send)
        await self._app(scope, receive, send)
