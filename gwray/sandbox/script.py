"""Joins the files of `page/` to the script that runs first in every frame."""

import hashlib
import json
from functools import cache
from pathlib import Path

from gwray.sandbox.types import Clock, Limits

PARTS = (
    "natives.js",
    "core.js",
    "globals.js",
    "random.js",
    "loading.js",
    "messages.js",
    "rendering.js",
    "pointer.js",
    "animations.js",
    "escapes.js",
    "substitutes.js",
    "platform.js",
    "memory.js",
    "control.js",
    "install.js",
)


@cache
def _body() -> str:
    folder = Path(__file__).parent / "page"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in PARTS)


def seed_words(seed: int) -> list[int]:
    """Four 32-bit seeds for the page's random generator."""
    h = hashlib.sha256(f"gwray page {seed}".encode()).digest()
    return [int.from_bytes(h[4 * i : 4 * i + 4], "big") for i in range(4)]


def page_script(clock: Clock, seed: int, token: str, limits: Limits) -> str:
    """The script for a page. `token` gives access to the sandbox's object at `window.__gwray`; the page does not know
    it."""
    config = {
        "stepped": clock == "stepped",
        "words": seed_words(seed),
        "token": token,
        "stateLimit": limits.state_chars,
        "textLimit": limits.text_chars,
        "ioLimit": limits.io_s * 1000,
        "answerLimit": 2000,
    }
    return f"(() => {{'use strict';\nconst CONFIG = {json.dumps(config)};\n{_body()}\n}})();"
