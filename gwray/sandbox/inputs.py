"""Trusted keyboard and mouse input. Events equal those of a person at a US keyboard, except that a pressed key does not
repeat. Game time does not pass."""

import asyncio
import contextlib
from typing import Any

from gwray.errors import BrowserError
from gwray.records import Button, Event
from gwray.sandbox.cdp import CdpSession
from gwray.sandbox.frames import Frames
from gwray.sandbox.keys import CONTROL, META, Key, find_key

_MASK: dict[Button, int] = {"left": 1, "right": 2, "middle": 4}


class Inputs:
    """The keyboard and mouse of one page."""

    def __init__(self, cdp: CdpSession, frames: Frames | None):
        self._cdp = cdp
        self._frames = frames
        self._keys: dict[str, tuple[Key, str]] = {}
        self._buttons: dict[Button, None] = {}
        self._at = (0.0, 0.0)

    @property
    def _modifiers(self) -> int:
        mask = 0
        for key, _ in self._keys.values():
            mask |= key.modifier
        return mask

    async def dispatch(self, events: list[Event]) -> bool:
        """Sends the events of one instant in order. Returns whether the wheel was turned: it takes effect at the next
        rendering. A pointer movement waits for the browser's next rendering, unless another kind of event follows it:
        then the browser delivers the movement first."""
        wheel = False
        open_: list[asyncio.Future[Any]] = []
        try:
            for i, event in enumerate(events):
                following = events[i + 1].kind if i + 1 < len(events) else "end"
                sending = self._send(event)
                if sending is None:
                    continue
                open_.append(asyncio.ensure_future(sending))
                wheel = wheel or event.kind == "wheel"
                if event.kind == "mouse_move" and following in ("mouse_down", "mouse_up", "key_down", "key_up"):
                    continue
                if self._frames and event.kind in ("mouse_move", "wheel"):
                    await self._frames.until(asyncio.gather(*open_))
                else:
                    await asyncio.gather(*open_)
                open_.clear()
            await asyncio.gather(*open_)
        finally:
            for sending in open_:
                sending.cancel()
        return wheel

    async def release(self) -> None:
        """Releases all pressed keys and buttons."""
        up = [Event(at_ms=0, kind="key_up", key=name) for name in reversed(self._keys)]
        x, y = self._at
        up += [Event(at_ms=0, kind="mouse_up", x=x, y=y, button=b) for b in reversed(self._buttons)]
        if up:
            with contextlib.suppress(BrowserError):
                await self.dispatch(up)
        self._keys.clear()
        self._buttons.clear()

    @property
    def holds(self) -> bool:
        """Whether a key or button is pressed."""
        return bool(self._keys or self._buttons)

    def _send(self, event: Event) -> Any:
        match event.kind:
            case "key_down" | "key_up":
                return self._key(event.kind == "key_down", event.key or "")
            case "mouse_move" | "mouse_down" | "mouse_up" | "wheel":
                return self._mouse(event)
        return None

    def _key(self, down: bool, name: str) -> Any:
        """Returns the DevTools call that presses or releases a key; None if it already is in that state."""
        key, text = find_key(name)
        if down == (key.code in self._keys):
            return None
        if down:
            self._keys[key.code] = (key, text)
        else:
            key, text = self._keys.pop(key.code)
        modifiers = self._modifiers
        if key.shifted and modifiers & 8 and text == key.text:
            text = key.shifted
        params: dict[str, Any] = {
            "code": key.code,
            "key": text if text and key.key != "Enter" else key.key,
            "windowsVirtualKeyCode": key.key_code,
            "nativeVirtualKeyCode": key.key_code,
            "location": key.location,
            "isKeypad": key.location == 3,
            "modifiers": modifiers,
        }
        if not down:
            params["type"] = "keyUp"
        elif text and not modifiers & (CONTROL | META):
            params |= {"type": "keyDown", "text": text, "unmodifiedText": key.text}
        else:
            params["type"] = "rawKeyDown"
        return self._cdp.send("Input.dispatchKeyEvent", params)

    def _mouse(self, event: Event) -> Any:
        """Returns the DevTools call of a mouse event; None if the button already is in that state."""
        x = self._at[0] if event.x is None else event.x
        y = self._at[1] if event.y is None else event.y
        self._at = (x, y)
        params: dict[str, Any] = {"x": x, "y": y, "modifiers": self._modifiers}
        if event.kind == "mouse_down":
            if event.button in self._buttons:
                return None
            self._buttons[event.button] = None
            params |= {"type": "mousePressed", "button": event.button, "clickCount": event.clicks}
        elif event.kind == "mouse_up":
            if event.button not in self._buttons:
                return None
            del self._buttons[event.button]
            params |= {"type": "mouseReleased", "button": event.button, "clickCount": event.clicks}
        elif event.kind == "wheel":
            params |= {"type": "mouseWheel", "deltaX": event.dx, "deltaY": event.dy}
        else:
            params |= {"type": "mouseMoved", "button": next(iter(self._buttons), "none")}
        params["buttons"] = sum(_MASK[b] for b in self._buttons)
        return self._cdp.send("Input.dispatchMouseEvent", params)
