"""Who may ask a server on this machine: its own pages, and nobody else's.

A browser carries requests of any page it shows to any address. Names other than this machine's are refused, so that no
page reaches a server through a DNS entry of its own; what another site's page asks for is refused by what browsers say
of it, and by browsers that say nothing kept from that page. Opening a page by a link or a typed address is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = (
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


def own_pages_only(hosts: Sequence[str] = ()) -> list[Middleware]:
    """Middleware of a server that listens on loopback, or on `hosts` too."""
    allowed = ["127.0.0.1", "localhost", "[::1]", *hosts]
    return [Middleware(TrustedHostMiddleware, allowed_hosts=allowed), Middleware(_OwnPages)]


class _OwnPages:
    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._app(scope, receive, send)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        app = self._app if _is_own(Request(scope)) else PlainTextResponse("not from another site", status_code=403)
        await app(scope, receive, with_headers)


def _is_own(request: Request) -> bool:
    """Other ports of this machine are other sites, although browsers call them the same."""
    said = request.headers
    if said.get("sec-fetch-site", "none") in ("same-origin", "none"):
        return True
    opened = said.get("sec-fetch-mode") == "navigate" and said.get("sec-fetch-dest") == "document"
    return opened and request.method == "GET"
