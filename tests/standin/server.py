"""The stand-in server: one thread, one port, and a record of every request."""

from __future__ import annotations

import asyncio
import hashlib
import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from standin.checks import CHECKS
from standin.wires import REPLIES, Say, error


@dataclass(frozen=True)
class Fault:
    """One injected fault.

    `kind`: an HTTP status as text (`429`, `500`, …), `timeout`, `truncated` (the connection ends inside the body),
    `reset` (it is torn down there), `drip` (a byte now and then, for half a minute), `malformed` (no JSON),
    `wrong_shape` (JSON of another form), `empty`, `huge` (1 MB of text), `deep` (a call whose arguments are lists
    within lists), `quota`, `filtered`, `raw` (`status`, `body` and `headers` as given), `redirect` (to itself, without
    end).
    """

    kind: str
    depth: int = 0
    """Nesting depth of `deep`."""
    retry_after: str | None = None
    status: int = 200
    body: Any = None
    """Of `raw`: bytes, text, or a value that is sent as JSON."""
    headers: Mapping[str, str] = field(default_factory=dict)
    echo_key: bool = False
    """Repeat the caller's key in the error's body and in a header."""


@dataclass
class Limit:
    """`per_s` requests per second, as a sliding window or as a token bucket of that size; beyond it HTTP 429."""

    per_s: float
    kind: str = "window"
    retry_after: bool = True
    _times: deque[float] = field(default_factory=deque)
    _tokens: float | None = None
    _at: float = 0.0

    def wait(self, now: float) -> float | None:
        """Returns None if admitted, otherwise the seconds to wait."""
        if self.kind == "bucket":
            self._tokens = self.per_s if self._tokens is None else self._tokens + (now - self._at) * self.per_s
            self._tokens, self._at = min(self._tokens, self.per_s), now
            if self._tokens < 1:
                return (1 - self._tokens) / self.per_s
            self._tokens -= 1
            return None
        while self._times and now - self._times[0] >= 1:
            self._times.popleft()
        if len(self._times) >= self.per_s:
            return 1 - (now - self._times[0])
        self._times.append(now)
        return None


@dataclass(frozen=True)
class Seen:
    """One request and its result."""

    wire: str
    session: str
    body_hash: str
    status: int
    at: float
    body: dict[str, Any] = field(repr=False)
    problem: str = ""


Answer = Callable[[str, dict[str, Any], str], Say]


class Standin:
    """Use as a context manager. `answer(wire, body, session)` decides the reply when none is queued."""

    def __init__(
        self, *, key: str | None = None, port: int = 0, keep_bodies: bool = True, host: str = "127.0.0.1"
    ) -> None:
        self.reset()
        self.key = key
        self._keep = keep_bodies
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind((host, port))
        self.url = f"http://{host}:{self._socket.getsockname()[1]}"
        routes = [
            Route("/v1/chat/completions", self._route("openai_chat"), methods=["POST"]),
            Route("/v1/responses", self._route("openai_responses"), methods=["POST"]),
            Route("/v1/messages", self._route("anthropic"), methods=["POST"]),
            Route("/v1/models", self._models),
            Route("/v1beta/models", self._models),
            Route("/v1beta/models/{call:path}", self._route("gemini"), methods=["POST"]),
        ]
        config = uvicorn.Config(Starlette(routes=routes), log_level="warning", access_log=False, lifespan="off")
        self.server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    def reset(self) -> None:
        """Forget everything, so that one server can serve many tests."""
        self.key: str | None = None
        self.answer: Answer = lambda wire, body, session: Say(text='{"action": "wait"}')
        self.limit: Limit | None = None
        self.latency_s = 0.0
        self.together = 1
        """Requests that must have arrived before any is answered; after two minutes they get a 500."""
        self.only_first = False
        """Only this many first requests are held until all have arrived; later ones are answered at once."""
        self._here: list[asyncio.Future[None]] = []
        self.seen: list[Seen] = []  # a new list, so that requests of earlier tests cannot end in it
        self.models: list[str] = []
        self._says: deque[Say] = deque()
        self._faults: deque[Fault] = deque()

    def __enter__(self) -> Standin:
        self._thread.start()
        while not self.server.started and self._thread.is_alive():
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.server.force_exit = True
        self._thread.join(5)
        self._socket.close()

    def base_url(self, wire: str) -> str:
        """The `base_url` for a profile."""
        return f"{self.url}/v1" if wire.startswith("openai") else self.url

    def say(self, *says: Say) -> None:
        """Queue replies; each is sent once, in order."""
        self._says.extend(says)

    def fail(self, *faults: Fault | str) -> None:
        """Queue faults; they precede replies."""
        self._faults.extend(Fault(f) if isinstance(f, str) else f for f in faults)

    @property
    def answered(self) -> int:
        """Requests that got a reply."""
        return sum(1 for s in self.seen if s.status == 200)

    @property
    def problems(self) -> list[str]:
        """Problems of the requests that were refused."""
        return [s.problem for s in self.seen if s.problem]

    async def _models(self, request: Request) -> Response:
        """Serves the list of models in the form of the provider."""
        if request.url.path.startswith("/v1beta"):
            return JSONResponse({"models": [{"name": f"models/{m}"} for m in self.models]})
        data = [{"id": m, "object": "model", "type": "model", "created": 1, "owned_by": "x"} for m in self.models]
        return JSONResponse({"object": "list", "data": data, "has_more": False})

    def _route(self, wire: str) -> Any:
        async def handle(request: Request) -> Response:
            seen = self.seen
            try:
                raw = await request.body()
            except ClientDisconnect:
                return Response(status_code=400)
            headers = {**{k.lower(): v for k, v in request.headers.items()}, ":path": request.url.path}
            session = headers.get("x-session-id", "")
            try:
                body = json.loads(raw)
            except ValueError:
                body = {}
            response, problem = await self._respond(wire, body, headers, session)
            seen.append(
                Seen(
                    wire=wire,
                    session=session,
                    body_hash=hashlib.sha256(raw).hexdigest()[:16],
                    status=response.status_code,
                    at=time.monotonic(),
                    body=body if self._keep else {},
                    problem=problem,
                )
            )
            return response

        return handle

    async def _respond(
        self, wire: str, body: dict[str, Any], headers: dict[str, str], session: str
    ) -> tuple[Response, str]:
        if self.key is not None and _key_of(headers) != self.key:
            return JSONResponse(error(wire, 401, "wrong key"), 401), ""
        if self.limit is not None and (wait := self.limit.wait(time.monotonic())) is not None:
            prompt_text = {"retry-after": f"{wait:.2f}"} if self.limit.retry_after else {}
            return JSONResponse(error(wire, 429, "too many requests"), 429, prompt_text), ""
        if problem := CHECKS[wire](body, headers):
            return JSONResponse(error(wire, 400, problem), 400), problem
        if self._faults:
            return await self._fault(wire, self._faults.popleft(), _key_of(headers)), ""
        if self.together > 1 and not await self._all_here():
            return JSONResponse(error(wire, 500, "no other request arrived"), 500), ""
        if self.latency_s:
            await asyncio.sleep(self.latency_s)
        say = self._says.popleft() if self._says else self.answer(wire, body, session)
        return JSONResponse(REPLIES[wire](say)), ""

    async def _all_here(self) -> bool:
        """Waits for `together` requests; False after two minutes."""
        me: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._here.append(me)
        if len(self._here) == self.together:
            for one in self._here:
                one.set_result(None)
            self._here.clear()
            self.together = 1 if self.only_first else self.together
        done, _ = await asyncio.wait({me}, timeout=120)
        if not done:
            self._here.remove(me)
        return bool(done)

    def _dripping(self, text: str) -> Response:
        async def drops() -> Any:
            for byte in text.encode():
                if self.server.should_exit:
                    return
                yield bytes([byte])
                await asyncio.sleep(0.05)

        return StreamingResponse(drops(), media_type="application/json", headers={"content-length": str(len(text))})

    async def _fault(self, wire: str, fault: Fault, key: str) -> Response:
        match fault.kind:
            case "timeout":
                end = time.monotonic() + 30
                while time.monotonic() < end and not self.server.should_exit:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
                return JSONResponse({})
            case "malformed":
                return Response("{ this is not JSON", media_type="application/json")
            case "html":
                return PlainTextResponse("<html>a proxy's page</html>")
            case "wrong_shape":
                return JSONResponse({"object": "something else", "value": 1})
            case "empty":
                return JSONResponse(REPLIES[wire](Say()))
            case "huge":
                return JSONResponse(REPLIES[wire](Say(text="no action here. " * 65536)))
            case "deep":
                say = Say(calls=[("move_left", {"note": "@"})])
                return Response(_deep(json.dumps(REPLIES[wire](say)), fault.depth), media_type="application/json")
            case "truncated":
                return _cut_off(json.dumps(REPLIES[wire](Say(text="x" * 2000))))
            case "reset":
                return _Reset(json.dumps(REPLIES[wire](Say(text="x" * 2000))), self.server)
            case "drip":
                return self._dripping(json.dumps(REPLIES[wire](Say(text="x" * 2000))))
            case "quota":
                if wire == "anthropic":
                    prompt_text = error(wire, 400, "Your credit balance is too low", "invalid_request_error")
                    return JSONResponse(prompt_text, 400)
                return JSONResponse(error(wire, 429, "You exceeded your quota", "insufficient_quota"), 429)
            case "raw":
                if isinstance(fault.body, str | bytes):
                    return Response(fault.body, fault.status, dict(fault.headers), media_type="text/html")
                return JSONResponse(fault.body, fault.status, dict(fault.headers))
            case "redirect":
                self._faults.appendleft(fault)
                return RedirectResponse("?again")
            case "filtered":
                return JSONResponse(_filtered(wire))
            case status:
                message = f"failed with {status}" + (f" for key {key}" if fault.echo_key else "")
                headers = {"retry-after": fault.retry_after} if fault.retry_after else {}
                if fault.echo_key:
                    headers["x-your-key"] = key
                return JSONResponse(error(wire, int(status), message), int(status), headers)


class _Reset(StreamingResponse):
    """Sends half of a reply, then drops the connection like a crashed server."""

    def __init__(self, text: str, server: uvicorn.Server) -> None:
        super().__init__(iter([text[: len(text) // 2]]), media_type="application/json")
        self._server = server
        self.headers["content-length"] = str(len(text.encode()))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def sending(message: Any) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body"):
                at_once, open_now = struct.pack("ii", 1, 0), self._server.server_state.connections
                transport: Any = next(c for c in open_now if c.client == scope["client"]).transport
                transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
                transport.abort()
                return
            await send(message)

        await super().__call__(scope, receive, sending)


def _deep(text: str, depth: int) -> str:
    """Replaces "@" in a reply with nested lists."""
    lists = "[" * depth + "]" * depth
    return text.replace('\\"@\\"', lists).replace('"@"', lists)


def _key_of(headers: dict[str, str]) -> str:
    bearer = headers.get("authorization", "").removeprefix("Bearer ")
    return headers.get("x-api-key") or headers.get("x-goog-api-key") or bearer


def _cut_off(text: str) -> Response:
    async def half() -> Any:
        yield text[: len(text) // 2].encode()
        raise ConnectionResetError("cut off on purpose")

    return StreamingResponse(half(), media_type="application/json", headers={"content-length": str(len(text.encode()))})


def _filtered(wire: str) -> dict[str, Any]:
    if wire == "gemini":
        return {"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "standin-1"}
    finish = {"anthropic": "refusal"}.get(wire, "content_filter")
    return REPLIES[wire](Say(finish=finish))
