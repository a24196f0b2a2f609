"""Opens a game page: its clock, network and session are in place before its first script runs."""

import asyncio
import secrets
from functools import partial
from typing import Any

from playwright.async_api import BrowserContext, Error, Page

from gwray.errors import GameError, GwrayError
from gwray.sandbox.cdp import BrowserHealth, CdpSession, PageHealth
from gwray.sandbox.devtools_pipe import DevToolsPipe
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.files import find_file, page_script
from gwray.sandbox.game_page import GamePage
from gwray.sandbox.page_bridge import PageBridge
from gwray.sandbox.page_clock import PageClock
from gwray.sandbox.request_interceptor import RequestInterceptor, RequestRouter
from gwray.sandbox.types import Clock, Encoding, Limits, PageSource

PROCESSED_MS = 500
"""Maximum real time that a file waits until the page has processed the previous one."""

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
            page = await _blank(context, health, limits, requests, page_script(clock, source.seed, token, limits))
            session = await health.guard(_attach(context, page, pipe, requests), limits.call_s, "opening a session")
            cdp = CdpSession(pipe, session, health, limits.call_s)
            bridge = PageBridge(cdp, clock, token, source, requests, diagnostics)
            await _listen(cdp, requests)
            if clock == "stepped":
                _serve_in_turn(requests, bridge)
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
    return GamePage(page, source, encoding, cdp, bridge, time, requests, diagnostics, close)


async def _blank(
    context: BrowserContext, health: PageHealth, limits: Limits, requests: RequestInterceptor, script: str
) -> Page:
    """Returns an empty page that will run `script` before anything else."""
    guard, call_s = health.guard, limits.call_s
    await guard(context.add_init_script(script=script), call_s, "adding the clock")
    page = await guard(context.new_page(), call_s, "opening a page")
    page.on("crash", lambda _: health.crash())
    requests.attach(page)
    return page


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


def _serve_in_turn(requests: RequestInterceptor, bridge: PageBridge) -> None:
    """Answers each request for a file when the page has processed the previous one. A loading page may not be able to
    report that."""

    async def in_turn(what: str, url: str) -> None:
        try:
            if bridge.found or await bridge.find():
                await bridge.call(
                    "function(what, limit, url) { return this[what](limit, url) }", what, PROCESSED_MS, url
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
