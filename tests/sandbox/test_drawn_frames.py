"""Frames are drawn one at a time, on request, and equal those of a browser that always draws."""

from __future__ import annotations

import asyncio
import gc
from typing import Any, cast

import psutil
import pytest
from playwright.async_api import Error
from sandbox.conftest import page

from gwray.errors import BrowserError
from gwray.records import Click, PressKey, Scroll, events
from gwray.sandbox import Browser, GamePage, find_browser
from gwray.sandbox.cdp import CdpSession
from gwray.sandbox.devtools_pipe import DISABLED_FEATURES, DevToolsPipe
from gwray.sandbox.frames import Frames

pytestmark = pytest.mark.skipif("headless" not in find_browser().path.name, reason="only the headless shell can do it")


async def play(lane: GamePage) -> tuple[list[str], list[bytes]]:
    states, pictures = [], []
    for action in (PressKey(key="a"), Click(x=100, y=50), Scroll(x=200, y=200, dy=120)):
        reading, frame = await lane.step(events(action, 200), observe=True)
        assert frame is not None
        states.append(reading.state_hash)
        pictures.append(frame.data)
    await lane.close()
    return states, pictures


@pytest.mark.parametrize("path", ["clock/animations.html", "input/index.html"])
async def test_pages_that_draw_on_request_show_the_same(browser: Browser, monkeypatch: pytest.MonkeyPatch, path: str):
    lane = await browser.open(page(path))
    assert browser._pipe.draws_on_request
    assert not await lane.page.evaluate("'__gwray_frame' in window"), "a page must not be able to request frames"
    alone = await play(lane)
    lanes = await asyncio.gather(*(browser.open(page(path)) for _ in range(3)))
    assert await asyncio.gather(*map(play, lanes)) == [alone] * 3
    monkeypatch.setattr(browser._pipe, "draws_on_request", False)
    free = await browser.open(page(path))
    assert await free.page.evaluate("document.hidden") is False
    assert await play(free) == alone


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The parameters of all frames that are drawn."""
    found: list[Any] = []
    start = DevToolsPipe.start_frame

    async def counted(self: DevToolsPipe, session: str, params: Any) -> Any:
        found.append(params)
        return await start(self, session, params)

    monkeypatch.setattr(DevToolsPipe, "start_frame", counted)
    return found


async def test_no_frame_is_drawn_that_nothing_looks_at(opened, drawn: list[Any]):
    lane = await opened("flight/index.html")
    drawn.clear()
    await lane.step(events(PressKey(key="ArrowRight"), 200), observe=False)
    assert not drawn
    await lane.step(events(PressKey(key="ArrowRight"), 200), observe=True)
    assert len(drawn) == 1


async def test_the_driver_and_we_disable_features_in_one_list(browser):
    """Only the last of several switches counts."""
    lists = [w for w in psutil.Process(browser.pid).cmdline() if w.startswith("--disable-features=")]
    assert len(lists) == 1
    assert "PaintHolding" in lists[0] and lists[0].endswith(DISABLED_FEATURES)


async def test_a_browser_that_refuses_frames_on_request_draws_all_the_time(browser, monkeypatch: pytest.MonkeyPatch):
    async def refuse(*_: object) -> None:
        raise Error("'HeadlessExperimental.beginFrame' wasn't found")

    monkeypatch.setattr(browser._pipe, "draws_on_request", None)
    monkeypatch.setattr(browser._pipe, "start_frame", refuse)
    lane = await browser.open(page("flight/index.html"))
    assert browser._pipe.draws_on_request is False
    assert len((await lane.observe()).data) > 1000
    await lane.close()


async def test_frames_are_drawn_one_at_a_time(monkeypatch: pytest.MonkeyPatch):
    """Overlapping frames, even of different pages, end the browser's GPU process. A frame that its caller gave up on
    has not ended."""
    pipe, calls = DevToolsPipe(), []

    def send(*_: object) -> asyncio.Future[Any]:
        calls.append(asyncio.get_running_loop().create_future())
        return calls[-1]

    monkeypatch.setattr(pipe, "send", send)
    first = await pipe.start_frame("A", {})
    first.cancel()
    second = asyncio.ensure_future(pipe.start_frame("B", {}))
    await asyncio.sleep(0.01)
    assert len(calls) == 1
    calls[0].set_result({})
    answer = await second
    calls[1].set_result("drawn")
    assert await answer == "drawn"
    pipe.close()


async def test_input_that_fails_with_its_frame_is_reported_once():
    """Asyncio logs errors that nothing retrieves."""

    loop, reports = asyncio.get_running_loop(), []
    loop.set_exception_handler(lambda _, context: reports.append(context))
    sending = loop.create_future()

    class Hung:
        async def draw(self, _: Any) -> None:
            sending.set_exception(BrowserError("the input hung"))
            await asyncio.sleep(0.001)
            raise BrowserError("the frame hung")

    with pytest.raises(BrowserError, match="the frame hung"):
        await Frames(cast(CdpSession, Hung())).until(asyncio.gather(sending))
    gc.collect()
    assert not reports
