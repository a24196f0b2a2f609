"""Opens the sockets of gwray's servers, and protects servers on this machine from requests of other sites' pages.

A browser sends requests of any page to any address. Host names other than this machine's are refused, which prevents
DNS rebinding. Requests from other sites are refused by their `Origin` and `Sec-Fetch` headers; browsers without these
get response headers that keep responses from other sites. A page may be opened by a link or a typed address.
"""

import socket
from collections.abc import Sequence

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gwray.errors import UsageError

_HEADERS = (
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


def listen(port: int, host: str = "127.0.0.1") -> tuple[socket.socket, str]:
    """Opens a listening socket; returns it with its address, such as `http://127.0.0.1:8000`. Port 0: a free one.
    Raises `UsageError` for a port in use or an address of another computer."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen()  # clients may connect from now on
    except OSError as e:
        made.close()
        reason = e.strerror or e
        raise UsageError(
            f"cannot listen on {host}, port {port}: {reason}. Choose another port (0: any free one)."
        ) from e
    shown = f"[{host}]" if ":" in host else host
    return made, f"http://{shown}:{made.getsockname()[1]}"


def own_pages_only(hosts: Sequence[str] = ()) -> list[Middleware]:
    """Returns the middleware of a server that listens on loopback, and on `hosts`."""
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

        app = (
            self._app
            if _is_own(Request(scope))
            else PlainTextResponse("requests from other sites are refused", status_code=403)
        )
        await app(scope, receive, with_headers)


def _is_own(request: Request) -> bool:
    """Returns whether a request comes from the server's own pages. Other ports of this machine count as other sites,
    although browsers report them as the same site. A foreign `Origin` is refused without `Sec-Fetch` headers, too."""
    headers = request.headers
    if headers.get("origin", own := f"{request.url.scheme}://{request.url.netloc}") != own:
        return False
    if headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
        return True
    opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return opened and request.method == "GET"
