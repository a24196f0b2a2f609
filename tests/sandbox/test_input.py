"""Trusted keyboard and mouse input as a page sees it."""

from __future__ import annotations

import pytest

from gwray.errors import GwrayError, UsageError
from gwray.records import Click, Drag, Event, PressKey, PressKeys, Scroll, Type, events, merge
from gwray.sandbox import GamePage
from gwray.sandbox.keys import find_key


async def seen(lane: GamePage, *types: str) -> list[dict]:
    log = (await lane.read()).state["log"]
    return [e for e in log if not types or e["type"] in types]


async def play(opened, action, hold_ms: float = 200) -> GamePage:
    lane = await opened("input/index.html")
    await lane.perform(events(action, hold_ms))
    return lane


async def test_a_held_key_goes_down_once_and_up_after_its_time(opened):
    lane = await play(opened, PressKey(key="ArrowLeft"))
    down, up = await seen(lane)
    assert (down["type"], down["key"], down["code"], down["keyCode"]) == ("keydown", "ArrowLeft", "ArrowLeft", 37)
    assert (up["type"], up["at"] - down["at"]) == ("keyup", 200)
    assert down["trusted"] and up["trusted"] and not down["repeat"]
    assert down["stamp"] == down["at"]


@pytest.mark.parametrize(
    ("name", "key", "code", "key_code"),
    [
        ("a", "a", "KeyA", 65),
        ("A", "A", "KeyA", 65),
        ("Space", " ", "Space", 32),
        (" ", " ", "Space", 32),
        ("Enter", "Enter", "Enter", 13),
        ("Escape", "Escape", "Escape", 27),
        ("Tab", "Tab", "Tab", 9),
        ("Backspace", "Backspace", "Backspace", 8),
        ("5", "5", "Digit5", 53),
        ("!", "!", "Digit1", 49),
        (".", ".", "Period", 190),
        ("Shift", "Shift", "ShiftLeft", 16),
        ("KeyW", "w", "KeyW", 87),
    ],
)
async def test_a_key_reports_what_a_us_keyboard_reports(opened, name, key, code, key_code):
    lane = await play(opened, PressKey(key=name))
    down = (await seen(lane, "keydown"))[0]
    assert (down["key"], down["code"], down["keyCode"]) == (key, code, key_code)
    assert down["location"] == (1 if name == "Shift" else 0)
    assert bool(await seen(lane, "keypress")) == (len(key) == 1 or name == "Enter")


async def test_a_held_shift_changes_later_keys_and_clicks(opened):
    lane = await opened("input/index.html")
    hold = [
        Event(at_ms=0, kind="key_down", key="Shift"),
        Event(at_ms=10, kind="key_down", key="a"),
        Event(at_ms=20, kind="key_up", key="a"),
        Event(at_ms=30, kind="mouse_down", x=5, y=6),
        Event(at_ms=40, kind="mouse_up", x=5, y=6),
        Event(at_ms=50, kind="key_up", key="Shift"),
        Event(at_ms=60, kind="end"),
    ]
    await lane.perform(hold)
    downs = await seen(lane, "keydown")
    assert [(e["key"], e["shift"]) for e in downs] == [("Shift", True), ("A", True)]
    assert [e["shift"] for e in await seen(lane, "mousedown", "click")] == [True, True]
    assert not (await seen(lane, "keyup"))[-1]["shift"]


async def test_several_keys_are_down_together_and_let_go_backwards(opened):
    lane = await play(opened, PressKeys(keys=("ArrowRight", "Space")))
    log = await seen(lane, "keydown", "keyup")
    assert [(e["type"], e["key"]) for e in log] == [
        ("keydown", "ArrowRight"),
        ("keydown", " "),
        ("keyup", " "),
        ("keyup", "ArrowRight"),
    ]


async def test_text_is_typed_key_by_key(opened):
    lane = await play(opened, Type(text="Go 2!"))
    assert "".join(e["key"] for e in await seen(lane, "keydown")) == "Go 2!"


async def test_a_click_is_a_move_a_press_and_a_release_50_ms_later(opened):
    lane = await play(opened, Click(x=100, y=50))
    log = await seen(lane)
    assert [e["type"] for e in log] == ["mousemove", "mousedown", "mouseup", "click"]
    assert all((e["x"], e["y"], e["trusted"]) == (100, 50, True) for e in log)
    assert [e["buttons"] for e in log] == [0, 1, 0, 0]
    assert log[2]["at"] - log[1]["at"] == 50


async def test_double_and_right_clicks_are_what_they_are(opened):
    lane = await play(opened, Click(x=100, y=50, count=2))
    assert [e["detail"] for e in await seen(lane, "mousedown")] == [1, 2]
    assert len(await seen(lane, "dblclick")) == 1
    lane = await play(opened, Click(x=100, y=50, button="right"))
    assert [(e["button"], e["buttons"]) for e in await seen(lane, "mousedown")] == [(2, 2)]
    assert len(await seen(lane, "contextmenu")) == 1


async def test_a_drag_moves_with_the_button_down(opened):
    lane = await play(opened, Drag(x=10, y=10, to_x=130, to_y=70), hold_ms=300)
    moves = await seen(lane, "mousemove")
    assert [e["buttons"] for e in moves] == [0, 1, 1, 1, 1, 1, 1]
    assert [e["x"] for e in moves] == [10, 30, 50, 70, 90, 110, 130]
    assert [round(e["at"]) for e in moves] == [0, 50, 100, 150, 200, 250, 300]


async def test_no_movements_are_predicted(opened):
    """The browser predicts them from the real time at which earlier ones arrived."""
    lane: GamePage = await opened("input/index.html")
    await lane.page.evaluate("addEventListener('pointermove', (e) => log.push(e.getPredictedEvents().length))")
    for to_x in (100, 300, 200):
        await lane.perform(events(Drag(x=200, y=150, to_x=to_x, to_y=100), 300))
    counts = [e for e in (await lane.read()).state["log"] if isinstance(e, int)]
    assert len(counts) > 20 and not any(counts)
    made = "new PointerEvent('pointermove', { predictedEvents: [new PointerEvent('pointermove')] })"
    assert await lane.page.evaluate(f"{made}.getPredictedEvents().length") == 1


async def test_the_wheel_turns_and_its_effect_is_there_at_once(opened):
    lane = await opened("input/index.html")
    await lane.perform(events(Scroll(x=200, y=200, dy=120), 100))
    wheel = (await seen(lane, "wheel"))[0]
    assert (wheel["x"], wheel["dy"], wheel["trusted"], wheel["at"]) == (200, 120, True, 0)
    assert [(e["y"], e["at"]) for e in await seen(lane, "scroll")] == [(120, 0)]


async def test_scroll_that_comes_at_once_is_not_held_back(opened, monkeypatch):
    lane = await opened("input/index.html")
    dispatch = lane._inputs.dispatch

    async def dispatch_slowly(events: list[Event]) -> bool:
        wheel = await dispatch(events)
        for _ in range(3):
            await lane._frames.draw()
        return wheel

    monkeypatch.setattr(lane._inputs, "dispatch", dispatch_slowly)
    await lane.perform(events(Scroll(x=200, y=200, dy=120), 100))
    assert [(e["y"], e["at"]) for e in await seen(lane, "scroll")] == [(120, 0)]


async def test_keys_are_released_at_the_end_and_after_errors(opened):
    lane = await opened("input/index.html")
    await lane.perform([Event(at_ms=0, kind="key_down", key="w"), Event(at_ms=100, kind="end")])
    assert [(e["type"], e["at"]) for e in await seen(lane, "keydown", "keyup")] == [("keydown", 0), ("keyup", 100)]
    with pytest.raises(GwrayError):
        await lane.perform([Event(at_ms=0, kind="mouse_down", x=9, y=9), Event(at_ms=50, kind="key_down", key="Nope")])
    assert [e["buttons"] for e in await seen(lane, "mouseup")] == [0]


async def test_two_roles_press_over_the_same_frames(opened):
    lane = await opened("input/index.html")
    await lane.perform(merge([events(PressKey(key="a"), 200), events(PressKey(key="ArrowUp", duration_ms=100), 200)]))
    log = await seen(lane, "keydown", "keyup")
    assert [(e["type"], e["code"], e["at"]) for e in log] == [
        ("keydown", "KeyA", 0),
        ("keydown", "ArrowUp", 0),
        ("keyup", "ArrowUp", 100),
        ("keyup", "KeyA", 200),
    ]


async def test_a_key_that_two_roles_hold_goes_down_once_and_up_once(opened):
    lane = await opened("input/index.html")
    await lane.perform(merge([events(PressKey(key="a"), 200), events(PressKey(key="a", duration_ms=100), 200)]))
    log = await seen(lane, "keydown", "keyup")
    assert [(e["type"], e["at"]) for e in log] == [("keydown", 0), ("keyup", 100)]


async def test_step_is_perform_and_read_in_one(opened):
    lane = await opened("input/index.html")
    reading, frame = await lane.step(events(PressKey(key="x"), 150), observe=False)
    assert frame is None
    assert reading.game_time_ms == 150
    assert [e["type"] for e in reading.state["log"]] == ["keydown", "keypress", "keyup"]


async def test_an_unknown_key_names_near_ones():
    with pytest.raises(UsageError, match="ArrowLeft"):
        find_key("ArowLeft")
