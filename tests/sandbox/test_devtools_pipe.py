"""The DevTools pipe is shared: messages of the driver pass unchanged, and it sees none of this process's sessions."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import Error
from sandbox.conftest import page

from gwray.sandbox import Browser
from gwray.sandbox.devtools_pipe import FIRST_ID, HANDOVER, DevToolsPipe

FAKE = f"""import os
left = b''
while data := os.read(3, 65536):
    *whole, left = (left + data).split(b'\\0')
    for message in whole:
        if not (message.startswith(b'{{"id":{str(FIRST_ID)[:4]}') and b'"method"' in message):
            sent = message + b'\\0'
            while sent:
                sent = sent[os.write(4, sent):]
"""
"""A browser that answers each message of the driver with itself, and calls of this process not at all."""


class Ends:
    """A pipe with a driver and an echoing browser at its ends."""

    def __init__(self, folder: Path):
        program = folder / "browser"
        program.write_text(f"#!{sys.executable}\n{FAKE}")
        program.chmod(0o700)
        self.pipe = DevToolsPipe()
        self.pipe.start()
        self.requests, requests = socket.socketpair()
        self.replies, replies = socket.socketpair()
        # The driver connects the ends as 3 and 4.
        command = f"exec 3<&{requests.fileno()} 4>&{replies.fileno()}; exec {HANDOVER}"
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", command],
            env={**os.environ, **self.pipe.environment(program)},
            pass_fds=[requests.fileno(), replies.fileno()],
        )
        for end in (requests, replies):
            end.close()
        for end in (self.requests, self.replies):
            end.setblocking(False)

    async def send(self, *messages: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.requests, b"".join(m + b"\0" for m in messages))

    async def receive(self) -> list[bytes]:
        """The next messages that the driver receives."""
        data = b""
        while not data.endswith(b"\0"):
            if not (more := await asyncio.get_running_loop().sock_recv(self.replies, 1 << 20)):
                return []
            data += more
        return data[:-1].split(b"\0")

    async def close(self) -> None:
        self.pipe.close()
        await asyncio.to_thread(self.process.wait, 10)
        self.requests.close()
        self.replies.close()


@pytest.fixture
async def ends(tmp_path: Path):
    ends = Ends(tmp_path)
    yield ends
    await ends.close()


def message(number: int | None, session: str = "", **rest: object) -> bytes:
    found = {**({} if number is None else {"id": number}), **rest, **({"sessionId": session} if session else {})}
    return json.dumps(found, separators=(",", ":")).encode()


async def test_messages_of_the_driver_pass_unchanged(ends: Ends):
    """Also large ones, other sessions', and texts of a page that look like a session of this process."""
    await ends.send(message(1, method="Browser.getVersion"))
    assert await ends.receive() == [message(1, method="Browser.getVersion")]
    root = asyncio.ensure_future(ends.pipe.attach())
    await asyncio.sleep(0)
    await ends.send(message(FIRST_ID + 1, result={"sessionId": "OURS"}))
    assert await root == "OURS"
    forged = message(None, method="Runtime.consoleAPICalled", params={"text": 'a","sessionId":"OURS"}'})
    large = message(2, "THEIRS", result={"data": "x" * 3_000_000})
    nested = message(3, result={"sessionId": "OURS"})
    await ends.send(forged, large, nested)
    found = []
    while len(found) < 3:
        found += await ends.receive()
    assert found == [forged, large, nested]


async def test_own_sessions_do_not_reach_the_driver(ends: Ends):
    await ends.send(message(1, method="first"))
    await ends.receive()
    attached = asyncio.ensure_future(ends.pipe.attach())
    await asyncio.sleep(0)
    await ends.send(message(FIRST_ID + 1, result={"sessionId": "OURS"}))
    await attached
    events: list[object] = []
    ends.pipe.on("OURS", "Page.event", events.append)
    good, bad = ends.pipe.send("Good.call", session="OURS"), ends.pipe.send("Bad.call", session="OURS")
    left = ends.pipe.send("No.answer", session="OURS")
    await ends.send(
        message(None, "OURS", method="Page.event", params={"n": 1}),
        message(FIRST_ID + 2, "OURS", result={"value": 2}),
        message(FIRST_ID + 3, "OURS", error={"message": "no such thing"}),
        message(None, "OURS", method="Target.detachedFromTarget", params={"sessionId": "OURS"}),
        message(9, method="last"),
    )
    assert await good == {"value": 2}
    with pytest.raises(Error, match=r"Bad\.call.*no such thing"):
        await bad
    with pytest.raises(Error, match=r"No\.answer.*closed"):
        await left
    with pytest.raises(Error, match="closed"):
        await ends.pipe.send("Too.late", session="OURS")
    assert events == [{"n": 1}]
    assert (await ends.receive())[-1] == message(9, method="last")


async def test_driver_does_not_hear_of_requests(ends: Ends):
    """They are answered here. It does report web sockets."""
    loaded = message(None, "THEIRS", method="Network.loadingFinished", params={"requestId": "1"})
    socket = message(None, "THEIRS", method="Network.webSocketCreated", params={"requestId": "2"})
    await ends.send(loaded, socket)
    assert await ends.receive() == [socket]


async def test_catch_up_waits_for_the_driver_after_events(ends: Ends):
    """A page's messages and errors reach the diagnostics through the driver, later than answers of own sessions."""
    asked: list[asyncio.Future[None]] = []

    def ask() -> asyncio.Future[None]:
        asked.append(asyncio.get_running_loop().create_future())
        return asked[-1]

    ends.pipe.ask_driver = ask
    await ends.send(message(1, result={}))
    await ends.receive()
    assert not ends.pipe.behind, "answers are no events"
    await ends.send(message(None, "THEIRS", method="Runtime.exceptionThrown", params={}))
    await ends.receive()
    waiting = [asyncio.ensure_future(ends.pipe.catch_up()) for _ in range(2)]
    await asyncio.sleep(0.01)
    assert ends.pipe.behind and len(asked) == 1 and not any(w.done() for w in waiting)
    asked[0].set_result(None)
    await asyncio.gather(*waiting)
    assert not ends.pipe.behind


async def test_end_of_browser_and_of_driver_close_the_other_end(ends: Ends):
    await ends.send(message(1, method="first"))
    await ends.receive()
    ends.process.kill()
    assert await asyncio.wait_for(ends.receive(), 10) == [], "the driver sees the end"
    with pytest.raises(Error, match="closed"):
        await ends.pipe.send("Any.call")


async def test_calls_of_steps_avoid_the_driver(browser: Browser):
    """The driver's processor time does not grow with steps."""
    import psutil

    lane = await browser.open(page("flight/index.html", canvas=True))
    driver = psutil.Process(browser._driver)
    before = sum(driver.cpu_times()[:2])
    for _ in range(300):
        await lane.read()
    assert sum(driver.cpu_times()[:2]) - before < 0.04
    await lane.close()


async def test_driver_hears_of_browser_that_ends_at_once():
    pipe = DevToolsPipe()
    (requests, theirs), (replies, theirs_too), (ours, browser) = (socket.socketpair() for _ in range(3))
    browser.close()
    with requests, replies:
        await pipe._connect(ours, theirs.detach(), theirs_too.detach())
        await asyncio.sleep(0.01)
        for end in (requests, replies):
            end.settimeout(0.5)
            assert end.recv(1) == b""
    pipe.close()
