"""Web APIs that could bring real time, chance or the machine into a state are controlled, or mark the episode.

`pages/probe/probe.js` has a page for each API. Each is played alone and again beside others.
"""

from __future__ import annotations

import asyncio
import re

import pytest
from sandbox.conftest import PAGES, page

from gwray.records import PressKey, events
from gwray.sandbox import Browser

CASES = re.findall(r"^  (\w+)\(\) \{", (PAGES / "probe/probe.js").read_text(), re.MULTILINE)
REPRODUCIBLE = {
    "scroll", "window_scroll", "on_scroll", "scroll_into_view", "toggle", "select", "selectionchange",
    "dialog_close", "popover", "broadcast", "broadcast_listener", "fullscreen", "pointer_lock", "abort_timeout",
    "screen_listeners", "fullscreen_resize",
    "post_task", "scheduler_yield", "performance_mark_class", "performance_mark", "form_file", "hmac",
    "object_url_unread", "user_activation", "date", "intl", "random", "raf", "message_channel", "post_message",
    "animation", "css_transition", "resize_observer", "compression", "indexed_db", "hash_change", "history",
    "feature_detection", "idb_chain", "idb_cursor", "idb_version_change", "idb_delete", "idb_in_order",
    "idb_and_messages", "idb_and_promises", "idb_keeps_alive", "promises_and_messages", "decode_and_bitmap",
    "data_images", "font_load", "fonts_events", "cache_api", "blob_stream", "blob_iterator", "blob_pipe",
    "compression_reader", "blob_unpacked", "file_reader", "to_blob", "wasm", "wasm_stream", "module_import",
    "cookie_expiry", "scroll_snap", "audio_detached", "sound_ends", "sound_processing", "sound_analyser",
    "sound_offline", "lazy_image", "blob_parts", "reader_progress", "console_time",
    "audio_element", "audio_in_markup", "shadow_animation", "shadow_image", "detached_image", "frame_loads",
    "window_open", "css_random", "gl_fence", "gl_extension", "older_event_name", "own_event",
    "orientation_lock", "show_picker", "weak_reference", "source_capabilities", "resize_padding", "intersection_root",
    "shadow_clone", "frame_chain", "select_search",
}  # fmt: skip
"""Cases that must not be marked; every other one must be."""


async def play(browser: Browser, case: str, pause_s: float = 0) -> tuple[str, tuple[str, ...]]:
    """Returns the states of a few steps, and why the episode is not reproducible."""
    lane = await browser.open(page("probe/index.html", query=f"?case={case}"))
    try:
        states = []
        for _ in range(5):
            reading, _ = await lane.step(events(PressKey(key="a"), 200), observe=False)
            states.append(str(reading.state))
            await asyncio.sleep(pause_s)
        await lane.observe()
        marks = lane.diagnostics().irreproducible
    finally:
        await lane.close()
    return "\n".join(states), marks


QUICK = {
    "toggle", "window_scroll", "broadcast", "abort_timeout", "form_file", "pressure", "ecdsa", "feature_detection",
    "idb_and_messages", "file_readers", "hash_change", "css_random", "gl_fence", "unlisted_event", "unlisted_element",
}  # fmt: skip
"""Played by `make test`; the others by `make test-slow`."""


SAID = {
    "sound_ends": r"oscillator.running@100.*buffer.*@200.*suspended@250",
    "sound_processing": r"process 512 0\.\d+@5\d.*process 512 0\.\d+@6\d",
    "audio_element": r"plays 10@.*ended 10 true@4\d\d.*ended|ended 10 true@4\d\d",
    "audio_in_markup": r"loaded@.*error 4@.*0\.\d+@",
    "shadow_animation": r"20 0@60.*transitionend@183.*animationend@217.*90 50@",
    "shadow_image": r"load 200", "detached_image": r"load 300", "frame_loads": r"frame x",
    "weak_reference": r"600@.*600@9\d\d", "resize_padding": r"resized 50.*resized 30.*resized 40",
    "intersection_root": r"seen 1.00.*seen 0\.60", "orientation_lock": "NotSupportedError",
    "show_picker": "NotAllowedError", "gl_fence": r"fence true@\d+.*fence true@\d+", "gl_extension": "true null",
    "older_event_name": "transitionend@133", "own_event": "own@30", "blob_parts": "46 65536 50880",
    "reader_progress": "progress 1@30", "shadow_clone": r"width [34]\d@", "frame_chain": r"chain 200@20",
    "select_search": r"selected b@\d+', 'selected b@",
}  # fmt: skip
"""What these cases must report, as a pattern."""


@pytest.mark.parametrize("case", [pytest.param(c, marks=() if c in QUICK else pytest.mark.slow) for c in CASES])
async def test_technique_is_controlled_or_marked(browser, case):
    alone, marks = await play(browser, case)
    others = [play(browser, other) for other in ("raf", "scroll", "date")]
    (again, again_marks), *_ = await asyncio.gather(play(browser, case, pause_s=0.1), *others)
    assert bool(marks) == bool(again_marks)
    assert bool(marks) != (case in REPRODUCIBLE), f"marked: {marks}"
    if not marks:
        assert again == alone
    assert re.search(SAID.get(case, ""), alone), alone


async def test_screen_listeners_cost_no_rendering(opened, monkeypatch):
    """A page whose size cannot change gets its keys without waiting for the browser's rendering; one that listens to
    scrolling waits for renderings after each key."""
    drawn = {}
    for case in ("screen_listeners", "on_scroll"):
        lane = await opened("probe/index.html", query=f"?case={case}")
        draw, frames = lane._frames.draw, []

        async def count(draw=draw, frames=frames) -> None:
            frames.append(0)
            await draw()

        monkeypatch.setattr(lane._frames, "draw", count)
        await lane.step(events(PressKey(key="a"), 200), observe=False)
        drawn[case] = len(frames)
    assert drawn["screen_listeners"] == 0 < drawn["on_scroll"], drawn


async def test_closed_shadow_tree_in_html_is_marked(opened):
    """No script can reach it, so that the clock does not see what moves in it."""
    lane = await opened("clock/shadow.html")
    assert "a closed shadow tree" in lane.diagnostics().irreproducible[0]


async def test_devtools_describes_no_animations(opened):
    """Only the first transition of a page is described in an event; hundreds of them would cost more than the game."""
    lane = await opened("probe/index.html", query="?case=css_transition")
    described: list[object] = []
    for name in ("Started", "Updated", "Canceled"):
        lane._cdp.on(f"Animation.animation{name}", described.append)
    reading = await lane.read()
    for _ in range(12):
        reading, _ = await lane.step(events(PressKey(key="a"), 200), observe=False)
    assert str(reading.state).count("transition") > 10
    assert len(described) <= 3
