"""Pictures and states: equal by both ways of taking them, and equal in every browser on every load."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops
from sandbox.conftest import page

from gwray.records import Click, PressKey, events
from gwray.sandbox import Browser, GamePage


def image(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


async def test_canvas_image_equals_screenshot(opened):
    by_canvas = await opened("flight/index.html", canvas=True, image="png")
    by_browser = await opened("flight/index.html", canvas=False, image="png")
    for ms in (0, 200, 333):
        await by_canvas.advance(ms)
        await by_browser.advance(ms)
        a, b = await by_canvas.observe(), await by_browser.observe()
        assert a.mime == b.mime == "image/png"
        assert image(a.data).size == (a.width, a.height) == (1280, 720)
        assert ImageChops.difference(image(a.data), image(b.data)).getbbox() is None
        assert len(image(a.data).getcolors(1_000_000) or []) > 100, "something is drawn"


async def test_game_draws_only_for_observations(opened):
    lane = await opened("flight/index.html", canvas=True)
    await lane.advance(200)
    first = await lane.read()
    pictures = {(await lane.observe()).data for _ in range(3)}
    assert len(pictures) == 1
    assert (await lane.read()).state_hash == first.state_hash


async def test_jpeg_is_the_default_and_quality_matters(opened):
    coarse = await (await opened("flight/index.html", canvas=True, quality=20)).observe()
    fine = await (await opened("flight/index.html", canvas=True, quality=95)).observe()
    assert (coarse.mime, Image.open(io.BytesIO(coarse.data)).format) == ("image/jpeg", "JPEG")
    assert len(coarse.data) < len(fine.data)


async def test_small_canvas_is_not_the_screenshot(opened):
    for path in ("clock/animations.html", "faults/small-canvas.html"):
        lane = await opened(path, canvas=True, image="png")
        assert image((await lane.observe()).data).size == (1280, 720), path


async def play(lane: GamePage) -> tuple[list[str], list[bytes]]:
    states, pictures = [], []
    for i in range(3):
        action = Click(x=100 + i, y=50) if i % 3 == 2 else PressKey(key="ArrowRight")
        reading, frame = await lane.step(events(action, 200), observe=True)
        assert frame is not None
        states.append(reading.state_hash)
        pictures.append(frame.data)
    return states, pictures


@pytest.fixture
def busy_machine() -> Iterator[None]:
    """Keeps the processor busy with two processes."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    yield
    for burner in burners:
        burner.kill()
        burner.wait()


@pytest.mark.slow
async def test_states_and_pixels_do_not_depend_on_load(browser, request: pytest.FixtureRequest):
    source = page("flight/index.html", canvas=True)
    lane = await browser.open(source)
    calm = await play(lane)
    await lane.close()
    request.getfixturevalue("busy_machine")
    other = await Browser.launch()
    try:
        lanes = await asyncio.gather(*(other.open(source) for _ in range(2)))
        both = await asyncio.gather(*(play(lane) for lane in lanes))
    finally:
        await other.close()
    assert both[0] == calm
    assert both[1] == calm
    assert len(set(calm[0])) == 3


async def test_cursor_and_animated_images_stand_still(opened):
    lane = await opened("clock/still.html", image="png")
    pictures = set()
    for _ in range(6):
        pictures.add((await lane.observe()).data)
        await asyncio.sleep(0.2)
    assert len(pictures) == 1
