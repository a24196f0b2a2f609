"""Pages that lock the pointer get movements without end, each of which depends on its action alone."""

from __future__ import annotations

import pytest
from sandbox.conftest import page

from gwray.records import Action, Click, ClickHold, Drag, MouseMove, PressKey, Scroll, events
from gwray.sandbox import Browser, GamePage


async def do(lane: GamePage, action: Action) -> list[dict]:
    """Plays an action for 100 ms, and returns what the page has logged meanwhile."""
    before = len((await lane.read()).state["log"])
    reading, _ = await lane.step(events(action, 100), observe=False)
    return reading.state["log"][before:]


async def locked(opened) -> GamePage:
    lane = await opened("input/lock.html")
    await do(lane, Click(x=300, y=100))
    return lane


def of(log: list[dict], *types: str) -> list[dict]:
    return [e for e in log if e["type"] in types]


async def test_the_element_gets_every_movement_and_the_pointer_stays(opened):
    lane = await opened("input/lock.html")
    log = await do(lane, Click(x=300, y=100))
    assert [e["type"] for e in log][-3:] == ["click", "locked", "pointerlockchange"]
    assert log[-1]["to"] == log[-2]["to"] == "view"
    for i in range(20):  # the button over the view, a place beside it, and the middle of the viewport
        for x, y in ((700, 210), (1000 + i, 600 - i), (640, 360)):
            moves = await do(lane, MouseMove(x=x, y=y))
            assert [e["type"] for e in moves] == ["pointermove", "mousemove"]
            assert {(e["to"], *e["at"]) for e in moves} == {("view", 300, 100)}
            assert {tuple(e["moved"]) for e in moves} == {(x - 640, y - 360)}
            assert moves[0]["parts"] == 1 and {e["which"] for e in moves} == {0}
    assert lane.diagnostics().irreproducible == ()


async def test_movements_of_one_action_add_up_to_its_end(opened):
    lane = await locked(opened)
    for action in (
        MouseMove(x=800, y=300, from_x=640, from_y=360),
        MouseMove(x=800, y=300, from_x=10, from_y=20, duration_ms=0),
        Drag(x=500, y=360, to_x=800, to_y=300),
    ):
        for kind in ("mousemove", "pointermove"):
            moves = of(await do(lane, action), kind)
            assert len(moves) == 7
            assert [sum(e["moved"][i] for e in moves) for i in (0, 1)] == [160, -60]


async def test_buttons_and_the_wheel_act_on_the_element_only(opened):
    lane = await locked(opened)
    log = of(await do(lane, Click(x=700, y=210)), "mousedown", "mouseup", "click", "mouseover")
    assert [(e["type"], e["to"], e["at"], e["buttons"]) for e in log] == [
        ("mousedown", "view", [300, 100], 1),
        ("mouseup", "view", [300, 100], 0),
        ("click", "view", [300, 100], 0),
    ]
    assert {e["which"] for e in log} == {1}
    assert await lane.page.evaluate("document.activeElement.id") == "", "the button below the pointer got the focus"
    log = of(await do(lane, ClickHold()), "mousemove", "mousedown")
    assert [e["to"] for e in log] == ["view"]
    log = await do(lane, Scroll(x=700, y=210, dy=300))
    assert [e["to"] for e in of(log, "wheel")] == ["view"]
    assert not of(log, "scroll"), "the page prevented it"


@pytest.mark.parametrize("key", ["Escape", "x", "r"])
async def test_the_lock_ends_by_escape_by_the_page_and_with_its_element(opened, key):
    lane = await locked(opened)
    log = await do(lane, PressKey(key=key))
    assert log[-1] == {"type": "pointerlockchange", "to": None}
    assert bool(of(log, "key")) == (key != "Escape"), "a browser keeps this key to itself"
    log = await do(lane, MouseMove(x=700, y=210))
    assert of(log, "mousemove")[0]["at"] == [700, 210] and of(log, "mouseover")
    assert of(await do(lane, Scroll(x=100, y=600, dy=300)), "scroll")


async def test_requests_that_a_browser_refuses(opened):
    lane = await opened("input/lock.html")
    log = await do(lane, PressKey(key="d"))
    assert [e["type"] for e in log] == ["key", "NotAllowedError", "WrongDocumentError", *2 * ["pointerlockerror"]]
    await do(lane, Click(x=300, y=100))
    log = await do(lane, PressKey(key="f"))
    assert [e["type"] for e in log] == ["key", "InvalidStateError", "frame pointerlockerror"]


async def test_an_element_of_a_frame_gets_events_of_the_page_around_it(opened):
    lane = await opened("input/lock.html")
    log = of(await do(lane, PressKey(key="f")), "frame locked", "frame pointerlockchange")
    assert [(e["type"], e["to"]) for e in log] == [("frame locked", "inside"), ("frame pointerlockchange", "inside")]
    for x in (650, 750):  # outside and inside the frame
        log = await do(lane, MouseMove(x=x, y=450))
        assert [(e["to"], e["moved"]) for e in of(log, "mousemove")] == [("inside", [x - 640, 90])]
    await lane.page.evaluate("document.getElementById('frame').remove()")
    assert [e["to"] for e in of(await do(lane, MouseMove(x=300, y=100)), "mousemove")] == ["view"]


async def test_locked_episodes_repeat(browser: Browser):
    """Also beside other pages, and where other actions came before."""
    states = []
    for _ in range(2):
        lane = await browser.open(page("input/lock.html"))
        for action in (MouseMove(x=5, y=6), Click(x=300, y=100), MouseMove(x=7, y=8), PressKey(key="Escape")):
            await do(lane, action)
        states.append((await lane.read()).state_hash)
        await lane.close()
    assert states[0] == states[1]
