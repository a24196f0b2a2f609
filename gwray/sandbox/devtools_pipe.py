"""The browser's DevTools pipe, shared between Playwright's driver and this process.

A call through the driver costs as much processor time in the driver and in Playwright's Python code as in the browser,
and a step consists of calls. So the driver starts a small program instead of the browser. This program exchanges the
ends of the pipe with this process and becomes the browser. Messages of the driver pass unchanged; sessions that were
opened here end here, and the driver never sees them. It does not hear of requests either: they are answered here.
"""

import asyncio
import contextlib
import json
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import Error

HANDOVER = Path(__file__).with_name("handover.sh")
FIRST_ID = 2**30
"""Message ids of this process start here, those of the driver at 1."""
_SESSION = re.compile(rb',"sessionId":"(\w+)"}$')
"""The session of a message: the browser writes it last, and escapes the quotes of texts."""
_TAIL = 64
"""Length in bytes of the end of a message that contains its session."""

_REPORTED = tuple(
    f'{{"method":"{start}'.encode()
    for start in ("Runtime.consoleAPI", "Runtime.exception", "Page.javascript", "Page.window", "Target.", "Inspector.",
                  "Log.", "Network.webSocket")
)  # fmt: skip
"""Starts of the events of which the driver tells this process."""

CLOSED = "the target is closed"

DISABLED_FEATURES = "DeferRendererTasksAfterInput"
"""The browser would let tasks of a page wait for the next frame after input, for 100 ms if none comes."""
_CREATE = b'"method":"Target.createTarget","params":{'

EventHandler = Callable[[dict[str, Any]], None]


class DevToolsPipe:
    """The pipe of one browser. `start` before the browser is launched; launch it with `program` and `environment`."""

    def __init__(self) -> None:
        # With this prefix, `processes.remove_leftovers` finds the folder if this process is killed. The name of a
        # socket has at most 103 bytes.
        parent = "/tmp" if len(tempfile.gettempdir()) > 70 else None
        self._folder = Path(tempfile.mkdtemp(prefix="playwright-devtools-", dir=parent))
        self._server = socket.socket(socket.AF_UNIX)
        self._socket: socket.socket | None = None
        self._accepting: asyncio.Task[None] | None = None
        self._browser: asyncio.WriteTransport | None = None
        self._driver: asyncio.WriteTransport | None = None
        self._requests: asyncio.ReadTransport | None = None
        self._last_id = FIRST_ID
        self._pending: dict[int, tuple[asyncio.Future[Any], str, str]] = {}
        """Future, method and session of each call without an answer."""
        self._handlers: dict[str, dict[str, EventHandler]] = {}
        """Event handlers of each open session, by event."""
        self._root = ""
        self.ask_driver: Callable[[], Awaitable[Any]] | None = None
        """Makes the driver ask the browser something."""
        self._asking: asyncio.Future[None] | None = None
        self._passed = 0
        """Events of `_REPORTED` that were passed on to the driver."""
        self._handled = 0
        """How many of them the driver has certainly handled."""
        self.draws_on_request: bool | None = None
        """Whether the browser can draw frames on request only; None until a page has shown it."""
        self._drawing = asyncio.Lock()
        self._creating = asyncio.Lock()
        self._on_request = False

    def environment(self, program: Path) -> Mapping[str, str]:
        """Returns the variables with which `HANDOVER` becomes `program`."""
        return {
            "GWRAY_PYTHON": sys.executable,
            "GWRAY_PROGRAM": str(program),
            "GWRAY_DEVTOOLS": str(self._folder / "pipe"),
            "GWRAY_DISABLED_FEATURES": DISABLED_FEATURES,
        }

    def start(self) -> None:
        """Waits, in the background, for the programs that become the browser; the last one counts."""
        self._server.bind(str(self._folder / "pipe"))
        self._server.listen()
        self._server.setblocking(False)
        self._accepting = asyncio.create_task(self._accept())

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connection, _ = await loop.sock_accept(self._server)
            with connection, contextlib.suppress(OSError):  # it may have ended
                connection.settimeout(5)
                _, fds, _, _ = await asyncio.to_thread(socket.recv_fds, connection, 1, 2)
                for fd in fds:
                    os.set_inheritable(fd, False)
                ours, theirs = socket.socketpair()
                with theirs:
                    socket.send_fds(connection, [b"."], [theirs.fileno()])
                self._end()
                await self._connect(ours, *fds)

    async def _connect(self, browser: socket.socket, requests: int, replies: int) -> None:
        loop = asyncio.get_running_loop()
        self._socket = browser

        def ended() -> None:
            if self._socket is browser:
                self._end()

        reading, writing = os.fdopen(requests, "rb", buffering=0), os.fdopen(replies, "wb", buffering=0)
        self._driver, _ = await loop.connect_write_pipe(asyncio.Protocol, writing)
        self._browser, _ = await loop.create_unix_connection(lambda: _Messages(self._from_browser, ended), sock=browser)
        self._requests, _ = await loop.connect_read_pipe(lambda: _Messages(self._from_driver, ended), reading)
        if self._socket is not browser:  # it ended meanwhile
            self._end()

    def _from_driver(self, messages: bytes) -> None:
        if self._browser is not None:
            if self._on_request:
                messages = messages.replace(_CREATE, _CREATE + b'"enableBeginFrameControl":true,')
            self._browser.write(messages)

    def _from_browser(self, messages: bytes) -> None:
        """Handles the messages of this process's sessions, and passes the others on to the driver."""
        others: list[bytes] = []
        for message in messages[:-1].split(b"\0"):
            session = found[1].decode() if (found := _SESSION.search(message, len(message) - _TAIL)) else ""
            if session in self._handlers or (not session and self._is_answer(message)):
                self._receive(json.loads(message), session)
            elif not message.startswith(b'{"method":"Network.') or message.startswith(b'{"method":"Network.webSocket'):
                others.append(message)
                self._passed += message.startswith(_REPORTED)
        if others and self._driver is not None:
            self._driver.write(b"\0".join(others) + b"\0")

    def _is_answer(self, message: bytes) -> bool:
        """Whether a message without a session answers a call of this process."""
        number = message[6:].split(b",", 1)[0] if message.startswith(b'{"id":') else b""
        return number.isdigit() and int(number) in self._pending

    def _receive(self, message: dict[str, Any], session: str) -> None:
        if "id" not in message:
            if message["method"] == "Target.detachedFromTarget":
                self._end_session(message["params"]["sessionId"])
            elif handler := self._handlers[session].get(message["method"]):
                handler(message["params"])
            return
        future, method, _ = self._pending.pop(message["id"], (None, "", ""))
        if future is None or future.done():
            return
        if "error" in message:
            _fail(future, method, message["error"].get("message"))
        else:
            future.set_result(message["result"])

    def send(self, method: str, params: Mapping[str, Any] | None = None, session: str = "") -> asyncio.Future[Any]:
        """Sends a call. The future raises Playwright's `Error` if the call fails or its session has ended."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._browser is None or (session and session not in self._handlers):
            _fail(future, method, CLOSED)
            return future
        self._last_id += 1
        self._pending[self._last_id] = (future, method, session)
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._browser.write(json.dumps(message, separators=(",", ":")).encode() + b"\0")
        return future

    @property
    def behind(self) -> bool:
        """Whether `catch_up` has to wait."""
        return self._handled < self._passed

    async def catch_up(self) -> None:
        """Waits until the driver has reported all events that it was sent so far, such as messages and errors of a
        page: they are in order with the answers that it gets. Raises Playwright's `Error` if the driver has ended."""
        passed = self._passed
        while self._handled < passed and self.ask_driver is not None:
            if self._asking is None or self._asking.done():
                self._asking = asyncio.ensure_future(self._ask())
            await asyncio.shield(self._asking)

    async def _ask(self) -> None:
        passed = self._passed
        assert self.ask_driver is not None
        await self.ask_driver()
        self._handled = passed

    async def attach(self, target: str = "") -> str:
        """Opens a session with a page (its target id), by default with the browser itself. Returns the session."""
        if target:
            params = {"targetId": target, "flatten": True}
            answer = await self.send("Target.attachToTarget", params, self._root)
        else:
            answer = await self.send("Target.attachToBrowserTarget")
            self._root = answer["sessionId"]
        self._handlers[answer["sessionId"]] = {}
        return answer["sessionId"]

    @contextlib.asynccontextmanager
    async def creating_pages(self, on_request: bool) -> AsyncIterator[None]:
        """Determines whether pages that the driver creates in this block draw their frames on request only. Other
        blocks wait."""
        async with self._creating:
            self._on_request = on_request
            try:
                yield
            finally:
                self._on_request = False

    async def start_frame(self, session: str, params: Mapping[str, Any]) -> asyncio.Future[Any]:
        """Lets a page that draws on request begin a frame, when the frame before, of any page, has ended: its GPU
        process would fail otherwise. Returns the future of the call's answer."""
        await self._drawing.acquire()
        frame = self.send("HeadlessExperimental.beginFrame", params, session)
        frame.add_done_callback(lambda _: self._drawing.release())
        return asyncio.shield(frame)  # a frame that nothing waits for any more has to end, too

    def on(self, session: str, event: str, handler: EventHandler) -> None:
        """Calls `handler` with the parameters of each event of this name."""
        self._handlers[session][event] = handler

    @property
    def root(self) -> str:
        """The session with the browser itself."""
        return self._root

    def _end_session(self, session: str) -> None:
        self._handlers.pop(session, None)
        for number, (future, method, its_session) in list(self._pending.items()):
            if its_session == session:
                del self._pending[number]
                _fail(future, method, CLOSED)

    def _end(self) -> None:
        """Closes both sides, so that each notices the end of the other, and fails all calls."""
        for transport in (self._browser, self._driver, self._requests):
            if transport is not None:
                transport.close()
        self._socket = self._browser = self._driver = self._requests = None
        for future, method, _ in self._pending.values():
            _fail(future, method, CLOSED)
        self._pending.clear()

    def close(self) -> None:
        """Closes the pipe, which ends a browser that still runs."""
        if self._accepting is not None:
            self._accepting.cancel()
        self._server.close()
        self._end()
        shutil.rmtree(self._folder, ignore_errors=True)


def _fail(future: asyncio.Future[Any], method: str, reason: str) -> None:
    """Fails a call, unless its caller has given up. Whether anything awaits it is of no interest to asyncio's log."""
    if not future.done():
        future.set_exception(Error(f"Protocol error ({method}): {reason}"))
        future.exception()


class _Messages(asyncio.Protocol):
    """Collects data up to the end of a message: messages end with a zero byte."""

    def __init__(self, receive: Callable[[bytes], None], ended: Callable[[], None]):
        self._receive, self._ended = receive, ended
        self._begun: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        end = data.rfind(b"\0") + 1
        if end:
            self._receive(b"".join((*self._begun, data[:end])))
            self._begun.clear()
        if end < len(data):
            self._begun.append(data[end:])

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended()
