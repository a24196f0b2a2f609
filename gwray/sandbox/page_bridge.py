"""Calls functions of the sandbox's script in a page. The sandbox's script runs first in a page and keeps an object that
only a secret token can access. Errors of the game are raised as `GameError`; events that the clock could not control
are added to the diagnostics."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

from gwray.errors import BrowserError, GameError
from gwray.sandbox.cdp import CdpSession
from gwray.sandbox.diagnostics import DiagnosticsCollector
from gwray.sandbox.request_interceptor import RequestInterceptor
from gwray.sandbox.types import Clock, PageSource


class PageBridge:
    """Access to the sandbox's script in a page, once the page's document exists."""

    def __init__(
        self,
        cdp: CdpSession,
        clock: Clock,
        token: str,
        source: PageSource,
        requests: RequestInterceptor,
        diagnostics: DiagnosticsCollector,
    ):
        self._cdp = cdp
        self._name = "__gwray.bridge" if clock == "stepped" else "__gwray_bridge"
        self._token = token
        self._page = source.page
        self._requests = requests
        self._diagnostics = diagnostics
        self._object = ""
        self._remarks = 0
        self.began_ms = 0.0
        """Game time at which the current document began."""
        self.on_reload: Callable[[], Awaitable[None]] | None = None
        """Lets the page load itself again, as it wants to."""
        self.now_ms = 0.0
        """Game time last reported by the page."""

    async def find(self) -> bool:
        """Looks up the script in the current document. Returns whether it was found."""
        found = await self._cdp.send("Runtime.evaluate", {"expression": f"window.{self._name}('{self._token}')"})
        self._object = found["result"].get("objectId", "")
        return self.found

    @property
    def found(self) -> bool:
        return bool(self._object)

    def detach(self) -> None:
        """Forgets the script, because the document is being replaced."""
        self._object, self._remarks = "", 0

    async def call(self, function: str, *args: Any) -> Any:
        """Calls a JavaScript function with the sandbox's script object as `this`. Returns its result as JSON. Raises
        `GameError` for an error of the game, `BrowserError` for one of the browser."""
        answer = await self._call(function, [{"value": a} for a in args], by_value=True)
        value = answer["result"].get("value")
        if isinstance(value, dict):
            await self._note(value)
        return value

    async def collect_objects(self, prototype: str, take: str) -> None:
        """Passes all objects on the page's heap that have a prototype to `take`, after a garbage collection.
        `prototype` and `take` are JavaScript functions with the sandbox's script object as `this`."""
        group = {"objectGroup": "gwray"}
        base = await self._call(prototype, [], by_value=False)
        query = {"prototypeObjectId": base["result"]["objectId"]}
        found = await self._cdp.send("Runtime.queryObjects", query | group)
        try:
            await self._call(take, [{"objectId": found["objects"]["objectId"]}], by_value=True)
        finally:
            await self._cdp.send("Runtime.releaseObjectGroup", group)
            await self._cdp.send("Runtime.releaseObject", {"objectId": base["result"]["objectId"]})

    async def _call(self, function: str, arguments: list[dict[str, Any]], *, by_value: bool) -> Any:
        """Calls a function in the page and returns DevTools' answer. Raises `GameError` for an exception in it."""
        self.check()
        while (answer := await self._send(function, arguments, by_value)) is None:
            assert self.on_reload is not None
            await self.on_reload()
        self.check()
        if "exceptionDetails" in answer:
            details, thrown = answer["exceptionDetails"], answer["exceptionDetails"].get("exception", {})
            problem = thrown.get("description") or str(thrown.get("value")) or details.get("text", "unknown error")
            raise GameError(f"{self._page}: {problem}")
        return answer

    async def _send(self, function: str, arguments: list[dict[str, Any]], by_value: bool) -> Any:
        """Sends a call. Returns None if it was not executed, because the page loads itself again."""
        if self._requests.reload_asked.is_set() and self.on_reload is not None:
            return None
        call = {
            "functionDeclaration": function,
            "objectId": self._object,
            "arguments": arguments,
            "awaitPromise": by_value,
            "returnByValue": by_value,
        }
        try:
            async with asyncio.timeout(None) as self._requests.call:
                return await self._cdp.send("Runtime.callFunctionOn", call)
        except TimeoutError:
            return None
        except BrowserError:
            self.check()
            raise
        finally:
            self._requests.call = None

    async def _note(self, value: dict[str, Any]) -> None:
        """Reads clock and remarks of an answer of the script. Raises `GameError` for a fault of the game."""
        if value.get("fault"):
            raise GameError(f"{self._page}: {own_lines(value['fault'])}")
        if "now" in value:
            self.now_ms = self.began_ms + value["now"]
        if value.get("remarks", self._remarks) != self._remarks:
            self._remarks = value["remarks"]
            marks = await self.call("function() { return this.marks() }")
            for reason in marks["irreproducible"]:
                self._diagnostics.mark(reason)
            for note in marks["caveats"]:
                self._diagnostics.note(note)

    def check(self) -> None:
        """Raises `GameError` if the page has navigated away, `BrowserError` if it was closed."""
        if self._requests.closed:
            raise BrowserError("the page is closed")
        if self._requests.left_for is not None:
            raise GameError(f"{self._page} left its page for {self._requests.left_for}")


def own_lines(stack: str) -> str:
    """Returns an error of the page without the sandbox's lines in its stack trace."""
    lines = [line for line in stack.splitlines() if not re.search(r"\(<anonymous>|at (async )?<anonymous>:", line)]
    return "\n".join(lines).removeprefix("Error: ")
