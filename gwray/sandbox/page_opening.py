"""Opens a game page: its clock, network and session are in place before its first script runs."""

import asyncio
import contextlib
import secrets
from functools import partial
from typing import Any

from playwright.async_api import BrowserContext, Error, Page

from gwray.errors import GameError, GwrayError
from gwray.sandbox.cdp import BrowserHealth, CdpSession, PageHealth
from gwray.sandbox.devtools_pipe import DevToolsPipe
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.files import find_file, page_script
from gwray.sandbox.frames import Frames
from gwray.sandbox.game_page import GamePage
from gwray.sandbox.page_bridge import PageBridge
from gwray.sandbox.page_clock import PageClock
from gwray.sandbox.request_interceptor import RequestInterceptor, RequestRouter
from gwray.sandbox.types import Clock, Encoding, Limits, PageSource

PROCESSED_MS = 500
"""Maximum real time that a file waits until the page has processed the previous one."""

PROBE_S = 5.0
"""Seconds within which the first page of a browser must draw a frame on request."""

RELEASED_AHEAD = 2000
"""Animations that are released before they exist."""


async def open_page(
    context: BrowserContext,
    pipe: DevToolsPipe,
    router: RequestRouter,
    browser: BrowserHealth,
    limits: Limits,
    source: PageSource,
    clock: Clock,
    encoding: Encoding,
    ready_timeout_ms: float,
    version: str,
) -> GamePage:
    """Loads the page, calls `init({seed})` and waits in game time until it is ready. The context is closed if that
    fails. Raises `GameError` if the page violates its contract."""
    diagnostics = DiagnosticsCollector(limits)
    requests = RequestInterceptor(source, diagnostics, router)
    health = PageHealth(browser, source.page)
    close = partial(_close, context, browser, limits)
    try:
        if find_file(source, source.url) is None:
            raise GameError(f"the page '{source.page}' does not exist, or is excluded from the site")
        token = secrets.token_hex(16)
        try:
            script = page_script(clock, source, token, limits, version)
            page, cdp, frames = await _blank(context, pipe, health, limits, clock, requests)
            # Added after the empty page, which needs no clock: installing it takes milliseconds.
            await health.guard(context.add_init_script(script=script), limits.call_s, "adding the clock")
            bridge = PageBridge(cdp, clock, token, source, requests, diagnostics)
            await _listen(cdp, requests)
            if frames:
                await frames.start()
            if clock == "stepped":
                _make_files_wait(requests, bridge)
                await _stop_animations(cdp)
            loading = page.goto(source.url, wait_until="load", timeout=0)
            await health.guard(loading, limits.load_s, "loading it")
        except Error as e:
            raise await health.explain(e, "opening it") from e
        requests.loaded = True
        if not await bridge.find():
            raise GameError(f"{source.page} is not an HTML page that runs scripts")
        time = PageClock(clock, source, limits, bridge, requests, diagnostics, ready_timeout_ms)
        await time.until_ready("init", source.seed)
    except BaseException:
        requests.end()
        await close()
        raise
    return GamePage(page, source, encoding, cdp, frames, bridge, time, requests, diagnostics, close)


async def _blank(
    context: BrowserContext,
    pipe: DevToolsPipe,
    health: PageHealth,
    limits: Limits,
    clock: Clock,
    requests: RequestInterceptor,
) -> tuple[Page, CdpSession, Frames | None]:
    """Returns an empty page, our session with it, and its frames if the browser draws them on request. The first page
    of a browser shows whether it does."""
    if clock == "stepped" and pipe.draws_on_request is not False:
        with contextlib.suppress(*() if pipe.draws_on_request else (Error, TimeoutError)):
            page, session = await _new_page(context, pipe, health, limits, requests, on_request=True)
            if not pipe.draws_on_request:
                await asyncio.wait_for(_draw(pipe, session), PROBE_S)
                pipe.draws_on_request = True
            cdp = CdpSession(pipe, session, health, limits.call_s)
            return page, cdp, Frames(cdp)
        pipe.draws_on_request = False
    page, session = await _new_page(context, pipe, health, limits, requests, on_request=False)
    return page, CdpSession(pipe, session, health, limits.call_s), None


async def _draw(pipe: DevToolsPipe, session: str) -> None:
    await (await pipe.start_frame(session, {}))


async def _new_page(
    context: BrowserContext,
    pipe: DevToolsPipe,
    health: PageHealth,
    limits: Limits,
    requests: RequestInterceptor,
    *,
    on_request: bool,
) -> tuple[Page, str]:
    """Returns an empty page, which gets its files from `requests`, and our session with it."""
    async with pipe.creating_pages(on_request):
        page = await health.guard(context.new_page(), limits.call_s, "opening a page")
    page.on("crash", lambda _: health.crash())
    requests.attach(page)
    return page, await health.guard(_attach(context, page, pipe, requests), limits.call_s, "opening a session")


async def _attach(context: BrowserContext, page: Page, pipe: DevToolsPipe, requests: RequestInterceptor) -> str:
    """Opens a session of our own with a page, which gets its files from `requests`; the driver knows its target."""
    session = await context.new_cdp_session(page)
    info = await session.send("Target.getTargetInfo")
    await session.detach()
    target = info["targetInfo"]["targetId"]
    requests.own(target)  # the main frame has the id of the target
    return await pipe.attach(target)


async def _listen(cdp: CdpSession, requests: RequestInterceptor) -> None:
    """Connects events of the page and its network to the interceptor."""
    cdp.on("Page.frameNavigated", requests.navigated)
    cdp.on("Page.frameAttached", requests.framed)
    cdp.on("Page.loadEventFired", requests.load_ended)
    cdp.on("Network.requestWillBeSent", requests.announce)
    cdp.on("Network.loadingFinished", requests.arrived)
    cdp.on("Network.loadingFailed", requests.arrived)
    await cdp.send("Page.enable")
    await cdp.send("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0})
    await cdp.send("Network.setCacheDisabled", {"cacheDisabled": True})


async def _stop_animations(cdp: CdpSession) -> None:
    """Stops the browser's animation clock in all present and future documents.

    DevTools then describes each start, change and end of an animation in an event, which can cost more than the
    animation itself. It is silent about animations that were released, and their ids are consecutive numbers: they are
    released before they exist.
    """
    released = 0

    def created(event: dict[str, Any]) -> None:
        nonlocal released
        number = int(event["id"])
        if number + RELEASED_AHEAD // 2 > released:
            released = number + RELEASED_AHEAD
            cdp.post("Animation.releaseAnimations", {"animations": [str(n) for n in range(number + 1, released + 1)]})

    cdp.on("Animation.animationCreated", created)
    await cdp.send("Animation.enable")
    await cdp.send("Animation.setPlaybackRate", {"playbackRate": 0})


def _make_files_wait(requests: RequestInterceptor, bridge: PageBridge) -> None:
    """Makes each file wait until the page has processed the previous one, so that files arrive in the same order in
    every run. An error ends the wait; while the page loads, its document may be new: it is looked up again."""

    async def in_turn(event: str, url: str) -> None:
        try:
            if bridge.found or await bridge.find():
                await bridge.call(
                    "function(event, limit, url) { return this[event](limit, url) }", event, PROCESSED_MS, url
                )
        except GwrayError:
            if not requests.loaded:
                bridge.detach()

    requests.wait_for_turn = in_turn


async def _close(context: BrowserContext, browser: BrowserHealth, limits: Limits) -> None:
    """Closes a page with everything it opened, even if it hangs. If that fails, marks the browser for replacement."""
    if browser.reason:
        return
    try:
        await asyncio.wait_for(context.close(), limits.close_s)
    except (Error, TimeoutError):
        browser.worn_out = "a page did not close"
