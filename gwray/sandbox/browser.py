"""A browser process with any number of pages, and its health."""

import asyncio
import contextlib
import os
import secrets
from pathlib import Path
from typing import Any

from playwright.async_api import Browser as PlaywrightBrowser
from playwright.async_api import Error, Playwright, async_playwright

from gwray.errors import BrowserError, GwrayError
from gwray.places import cache
from gwray.sandbox import processes
from gwray.sandbox.cdp import BrowserHealth, PageHealth
from gwray.sandbox.devtools_pipe import HANDOVER, DevToolsPipe
from gwray.sandbox.executable import find_browser, missing_libraries
from gwray.sandbox.game_page import GamePage
from gwray.sandbox.page_opening import open_page
from gwray.sandbox.processes import Confinement, launch_confined
from gwray.sandbox.request_interceptor import RequestRouter
from gwray.sandbox.types import Clock, Encoding, ImageKind, Limits, PageSource

FLAGS = (
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-smooth-scrolling",
    "--disable-lcd-text",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--blink-settings=imageAnimationPolicy=2,lazyLoadEnabled=false",
    # CSS's `random()` has a seed of the process.
    "--disable-blink-features=CSSRandomFunction",
    # Frames on request need it: a frame ends when all parts of the page have drawn it.
    "--run-all-compositor-stages-before-draw",
    # Requests are answered before they reach the network; requests that cannot be intercepted find no host.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)

MEMORY_CHECK_S = 1.0
"""Seconds between memory checks. A page that allocates without limit gets a few GB in that time."""


class Browser:
    """A running Chromium. Start it with `launch`, end it with `close`."""

    def __init__(self, limits: Limits, memory_limit_mb: int | None):
        self.version = ""
        self.pid: int | None = None
        self.sandboxed = False
        """Whether Chromium's own sandbox is active, which the kernel must allow."""
        self._limits = limits
        self._memory_limit_mb = memory_limit_mb
        self._health = BrowserHealth()
        self._starting: asyncio.Future[Playwright] | None = None
        self._playwright: Playwright | None = None
        self._browser: PlaywrightBrowser | None = None
        self._driver: int | None = None
        self._pipe = DevToolsPipe()
        self._router = RequestRouter(self._pipe)
        self._watchdog: processes.Watchdog | None = None
        self._closing = False
        self._memory_check: asyncio.Task[None] | None = None

    @classmethod
    async def launch(
        cls, *, executable: Path | None = None, memory_limit_mb: int | None = None, limits: Limits | None = None
    ) -> "Browser":
        """Starts a browser, by default the one `find_browser` finds. `memory_limit_mb`: see `needs_replacing`."""
        path = executable or find_browser().path
        if not path.exists():
            raise BrowserError(f"the browser '{path}' does not exist")
        await asyncio.to_thread(processes.remove_leftovers)  # before this browser has a folder
        self = cls(limits or Limits(), memory_limit_mb)
        marker = os.environ.get(processes.MARKER, "") + secrets.token_hex(12)
        self._watchdog = processes.Watchdog(marker)
        try:
            await self._start(path, marker)
        except BaseException as e:
            await self.close()
            if isinstance(e, Error):
                missing = await asyncio.to_thread(missing_libraries, path)
                raise BrowserError(missing or f"{path} did not start: {e.message.strip().splitlines()[0]}") from e
            raise
        return self

    async def _start(self, path: Path, marker: str) -> None:
        """Starts driver and browser, and the checks of their health."""
        guard, limit = self._health.guard, self._limits.load_s
        os.environ.setdefault("NODE_COMPILE_CACHE", str(cache() / "node"))  # a quarter of the driver's start
        # Cancelling the caller must not cancel the start: a partly started driver could not be closed.
        self._starting = asyncio.ensure_future(async_playwright().start())
        try:
            self._playwright = await guard(asyncio.shield(self._starting), limit, "starting the driver")
        except GwrayError:
            raise
        except Exception as e:  # no class of its own; why is what the driver's process wrote to stderr
            missing = await asyncio.to_thread(missing_libraries)
            raise BrowserError(missing or f"Playwright's driver did not start: {e}") from e
        assert self._playwright is not None
        browser = await self._started(self._playwright, path, marker)
        self._browser = browser
        browser.on("disconnected", lambda _: None if self._closing else self._health.fail("the browser crashed"))
        self.version = browser.version
        driven = await guard(browser.new_browser_cdp_session(), limit, "opening a session")
        self._pipe.ask_driver = lambda: driven.send("Browser.getVersion")
        root = await guard(self._pipe.attach(), limit, "opening a session")
        self._health.answers = lambda: self._pipe.send("Browser.getVersion", session=root)
        await guard(self._router.start(), limit, "intercepting requests")
        processes_ = self._pipe.send("SystemInfo.getProcessInfo", session=root)
        info: Any = await guard(processes_, limit, "asking for the process id")
        self.pid = next((p["id"] for p in info["processInfo"] if p["type"] == "browser"), None)
        self._driver = processes.find_driver(self.pid)
        if self._driver and self._watchdog:
            self._watchdog.add_driver(self._driver)
        if self._memory_limit_mb is not None:
            self._memory_check = asyncio.create_task(self._check_memory(self._memory_limit_mb))

    async def _check_memory(self, limit_mb: int) -> None:
        """Kills each page process that alone uses more memory than the browser is allowed."""
        while True:
            await asyncio.sleep(MEMORY_CHECK_S)
            ended = await asyncio.to_thread(processes.end_heavy_pages, self.pid, limit_mb)
            if ended:
                self._health.ended_for = f"when it took {ended:.0f} MB of memory, more than the {limit_mb} allowed"

    async def _started(self, playwright: Playwright, path: Path, marker: str) -> PlaywrightBrowser:
        """Starts the browser, confined as far as the kernel allows."""
        limit = self._limits.load_s
        self._pipe.start()

        async def start(how: Confinement) -> PlaywrightBrowser:
            launching = playwright.chromium.launch(
                executable_path=str(HANDOVER),
                args=list(FLAGS),
                env={**how.env, **self._pipe.environment(how.program), processes.MARKER: marker},
                chromium_sandbox=how.sandboxed,
                headless=True,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=limit * 1e3,
            )
            self.sandboxed = how.sandboxed
            return await self._health.guard(launching, limit + 5, "starting the browser")

        return await launch_confined(path, start)

    def needs_replacing(self) -> str | None:
        """Returns the reason why this browser should be replaced, or None. Memory includes the driver."""
        if bad := self._health.reason or self._health.worn_out:
            return bad
        if self._memory_limit_mb is not None:
            used = self.memory_mb()
            if used > self._memory_limit_mb:
                return f"memory: {used:.0f} MB in use, {self._memory_limit_mb} allowed"
        return None

    def memory_mb(self) -> float:
        """Returns the memory of all processes of this browser, in MB."""
        return processes.memory_mb(processes.process_tree([self._driver, self.pid]))

    async def open(
        self,
        source: PageSource,
        *,
        clock: Clock = "stepped",
        image: ImageKind = "jpeg",
        quality: int = 80,
        ready_timeout_ms: float = 10_000,
    ) -> GamePage:
        """Opens a game in a new context, calls `init({seed})` and waits until it is ready. `ready_timeout_ms` is game
        time (real time with the native clock). Raises `GameError` if the page violates its contract."""
        if self._browser is None:
            raise BrowserError("the browser is closed")
        width, height = source.viewport
        try:
            context = await self._health.guard(
                self._browser.new_context(
                    viewport={"width": width, "height": height},
                    device_scale_factor=1,
                    locale="en-US",
                    timezone_id="UTC",
                    color_scheme="light",
                    reduced_motion="no-preference",
                    service_workers="block",
                    accept_downloads=False,
                ),
                self._limits.call_s,
                "opening a context",
            )
        except Error as e:
            raise await PageHealth(self._health, source.page).explain(e, "opening a context") from e
        encoding = Encoding(image, quality)
        return await open_page(
            context, self._pipe, self._router, self._health, self._limits, source, clock, encoding, ready_timeout_ms,
            self.version,
        )  # fmt: skip

    async def close(self) -> None:
        """Ends the browser and all of its processes, even if it does not respond."""
        if self._closing:
            return
        self._closing = True
        if self._memory_check is not None:
            self._memory_check.cancel()
            await asyncio.gather(self._memory_check, return_exceptions=True)
        alive = processes.process_tree([self._driver, self.pid])
        # After Ctrl-C the driver, which is in the same process group, may be gone before it was noticed.
        driven = self._driver is None or any(p.pid == self._driver and processes.is_running(p) for p in alive)
        healthy = self._health.reason is None and driven
        limit = self._limits.close_s
        if self._browser is not None and healthy:
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(self._browser.close(), limit)
        else:
            # Do not send requests to a browser that does not respond.
            browser = [p for p in alive if p.pid != self._driver]
            await asyncio.to_thread(processes.kill_all, browser)
        if self._playwright is None and self._starting is not None:
            with contextlib.suppress(Exception):  # an aborted start may still complete, or has failed
                self._playwright = await asyncio.wait_for(asyncio.shield(self._starting), self._limits.load_s + limit)
        if self._playwright is not None:
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(self._playwright.stop(), limit if healthy else min(limit, 2.0))
        self._pipe.close()
        left = await asyncio.to_thread(processes.wait_gone, alive, 1.0)
        if left:
            await asyncio.to_thread(processes.kill_all, left)
        if self._watchdog is not None:
            await asyncio.to_thread(self._watchdog.stop)
        self._browser = self._playwright = None


class BrowserOnDemand:
    """A browser for a block of work, started by the first call and closed at the end of the block. A browser that has
    crashed or should be replaced gets no further pages: the next call starts a new one.

    Example: `async with BrowserOnDemand() as browser: page = await (await browser()).open(source)`
    """

    def __init__(self) -> None:
        self._browser: Browser | None = None
        self._left: list[Browser] = []
        """Replaced browsers, which may still have open pages."""
        self._starting = asyncio.Lock()

    async def __call__(self) -> Browser:
        """Returns the browser. Raises `BrowserError` if it does not start."""
        async with self._starting:
            if self._browser is not None and self._browser.needs_replacing():
                self._left.append(self._browser)
                self._browser = None
            if self._browser is None:
                self._browser = await Browser.launch()
            return self._browser

    async def __aenter__(self) -> "BrowserOnDemand":
        return self

    async def __aexit__(self, *_: object) -> None:
        for browser in (*self._left, self._browser):
            if browser is not None:
                await browser.close()
