"""A page as an environment: what roles see of it, how their actions reach it, and that looking changes nothing."""

from __future__ import annotations

import asyncio
import io

import pytest
from environments.conftest import OpenWorld, world
from PIL import Image

from gwray.environments import Environment, Reading, View, check_observable
from gwray.errors import GameError, UsageError
from gwray.records import PressKey
from gwray.sandbox import GamePage
from gwray.settings import ObservationSpec

FRONT = ObservationSpec(format="png")
EVERYTHING = ObservationSpec(views=("left", "previous", "front", "right"), text=True, format="png")
TEXT = ObservationSpec(views=(), text=True)
PUSH = {"fire": PressKey(key="ArrowRight")}


def names(views: tuple[View, ...]) -> list[str]:
    return [v.name for v in views]


def corner(view: View) -> tuple[int, int, int]:
    """The colour of the background."""
    return Image.open(io.BytesIO(view.data)).convert("RGB").getpixel((0, 0))  # type: ignore


async def front(environment: Environment, role: str = "fire") -> bytes:
    (view,) = (await environment.observe(role, FRONT)).views
    return view.data


async def test_every_role_decides_at_every_instant(opened: OpenWorld):
    assert (await opened("lookout")).to_act() == ("fire", "water")


async def test_views_come_in_the_order_wanted_with_the_screen_first(opened: OpenWorld):
    seen = await (await opened("lookout")).observe("fire", EVERYTHING)
    assert names(seen.views) == ["front", "left", "right"]
    assert [corner(v) for v in seen.views] == [(0, 34, 68), (68, 0, 0), (0, 68, 0)]
    assert {(v.mime, v.width, v.height) for v in seen.views} == {("image/png", 1280, 720)}


async def test_text_is_written_for_the_role_that_asks(opened: OpenWorld):
    environment = await opened("lookout")
    assert (await environment.observe("fire", TEXT)).text == "fire: the ball is at 100"
    assert (await environment.observe("water", TEXT)).text == "water: the ball is at 100"
    await environment.step(PUSH, look=False)
    seen = await environment.observe("fire", TEXT)
    assert seen.text == "fire: the ball is at 124" and seen.views == ()


async def test_previous_view_is_of_last_decision(opened: OpenWorld):
    wanted = ObservationSpec(views=("front", "previous"), format="png")
    environment = await opened("lookout")
    first = (await environment.observe("fire", wanted)).views
    assert names(first) == ["front"]
    await environment.step(PUSH, look=False)
    await environment.step(PUSH, look=True)
    second = (await environment.observe("fire", wanted)).views
    assert names(second) == ["front", "previous"] and second[1].data == first[0].data != second[0].data
    assert (await environment.observe("fire", wanted)).views == second, "asking twice is one decision"
    assert names((await environment.observe("water", wanted)).views) == ["front"], "water has not looked before"
    await environment.reset(42)
    assert names((await environment.observe("fire", wanted)).views) == ["front"], "a reset leaves nothing before"


async def test_roles_of_one_instant_share_one_picture(opened: OpenWorld, monkeypatch: pytest.MonkeyPatch):
    environment = await opened("lookout")
    taken: list[str] = []
    take, look = GamePage.observe, GamePage.look

    async def counted_take(page: GamePage, *args: object) -> object:
        taken.append("front")
        return await take(page, *args)  # type: ignore

    async def counted_look(page: GamePage, view: str, *args: object) -> object:
        taken.append(view)
        return await look(page, view, *args)  # type: ignore

    monkeypatch.setattr(GamePage, "observe", counted_take)
    monkeypatch.setattr(GamePage, "look", counted_look)
    fire, water = await asyncio.gather(*(environment.observe(r, EVERYTHING) for r in ("fire", "water")))
    assert sorted(taken) == ["front", "left", "right"] and fire.views == water.views
    await environment.step(PUSH, look=True)
    await front(environment)
    assert sorted(taken) == ["front", "left", "right"], "the step has brought its picture along"
    await environment.advance(100)
    await front(environment)
    assert sorted(taken) == ["front", "front", "left", "right"], "time has passed: the picture is another one"


async def test_screenshot_of_step_equals_observation(opened: OpenWorld):
    ahead, after = await opened("lookout"), await opened("lookout")
    await ahead.step(PUSH, look=True)
    await after.step(PUSH, look=False)
    assert await front(ahead) == await front(after)


async def test_roles_act_over_the_same_frames_each_with_its_own_hold(opened: OpenWorld):
    environment = await opened("lookout")
    reading = await environment.step({"water": PressKey(key="a"), "fire": PressKey(key="ArrowRight")}, look=False)
    assert reading.game_time_ms == 200
    assert reading.state["game_state"]["x"] == 100 + 12 * 2 - 6 * 1


async def played(environment: Environment, look: bool) -> tuple[list[Reading], list[bytes]]:
    """Some steps, a pause and a reset; with `look`, everything is looked at in between by everybody."""
    readings, pictures = [await environment.read()], []
    for step in range(6):
        if look:
            for role in ("fire", "water", "fire"):
                await environment.observe(role, EVERYTHING)
        pictures.append(await front(environment))
        readings.append(await environment.step(PUSH, look=look))
        if step == 2:
            await environment.advance(33)
        if step == 3:
            await environment.reset(42)
    return readings, pictures


async def test_looking_changes_neither_what_happens_nor_the_screen(opened: OpenWorld):
    unseen = await played(await opened("lookout"), look=False)
    assert await played(await opened("lookout"), look=True) == unseen
    assert len({r.state_hash for r in unseen[0]}) > 5, "chance and time are part of the state"


async def test_observing_kit_game_does_not_change_it(opened: OpenWorld):
    wanted = ObservationSpec(views=("front", "map"), text=True, format="png")
    results = []
    for look in (False, True):
        environment = await opened("kit_walk")
        reached: list[object] = []
        for _ in range(3):
            if look:
                seen = await environment.observe("player", wanted)
                x = (await environment.read()).state["game_state"]["x"]
                assert seen.text == f"player is at {x}" and names(seen.views) == ["front", "map"]
            reached += [(await environment.step({"player": PressKey(key="ArrowRight")}, look=False)).state_hash]
            reached += [await front(environment, "player")]
        results.append(reached)
    assert results[0] == results[1]


BROKEN_TEXT = {
    "throws": 'describe."fire". failed: TypeError: no words for it',
    "promise": 'describe."fire". did not answer within 2 s',
    "nothing": 'describe."fire". returned undefined, not text',
    "null": "returned null, not text",
    "object": "returned object, not text",
    "boxed": "returned object, not text",
    "long": "is 20001 characters long; 20000 are allowed",
    "missing": "gameAPI.describe is missing",
}
BROKEN_VIEW = {
    "throws": 'look."left". failed: TypeError: nothing to see',
    "nothing": 'look."left". returned no canvas',
    "object": "returned no canvas",
    "offscreen": "returned no canvas",
    "small": "a canvas of 640×360 pixels; the viewport has 1280×720",
    "pretends": "a canvas of 640×360 pixels",
    "missing": "gameAPI.look is missing",
}
MEDDLING = {
    "chance": "drew a random number",
    "crypto": "drew a random number",
    "later": "drew a random number",
    "timer": "set or cleared a timer",
    "cleared": "set or cleared a timer",
    "frame": "asked for a frame",
    "idle": "asked for a frame",
    "clock": "read the clock without end",
    "load": "began to load something",
    "message": "sent itself a message",
    "element": "changed the page's elements",
    "attribute": "changed the page's elements",
}
LEFT = ObservationSpec(views=("left",), format="png")


@pytest.mark.parametrize("fault", BROKEN_TEXT)
async def test_a_description_that_is_none_is_the_games_fault(opened: OpenWorld, fault: str):
    environment = await opened("lookout", options=f"?fault={fault}")
    with pytest.raises(GameError, match=rf"lookout/index.html: .*{BROKEN_TEXT[fault]}"):
        await environment.observe("fire", TEXT)


@pytest.mark.parametrize("fault", BROKEN_VIEW)
async def test_a_view_that_is_none_is_the_games_fault(opened: OpenWorld, fault: str):
    environment = await opened("lookout", options=f"?fault={fault}")
    with pytest.raises(GameError, match=rf"lookout/index.html: .*{BROKEN_VIEW[fault]}"):
        await environment.observe("fire", LEFT)


@pytest.mark.parametrize("wanted", [TEXT, LEFT], ids=["text", "view"])
@pytest.mark.parametrize("fault", MEDDLING)
async def test_a_page_that_changes_when_it_is_looked_at_is_refused(
    opened: OpenWorld, fault: str, wanted: ObservationSpec
):
    environment = await opened("lookout", options=f"?fault={fault}")
    with pytest.raises(GameError, match=rf"must change nothing, but it {MEDDLING[fault]}"):
        await environment.observe("fire", wanted)


async def test_changed_prototypes_do_not_affect_observations(opened: OpenWorld):
    environment = await opened("lookout", options="?fault=prototypes")
    seen = await environment.observe("fire", ObservationSpec(views=("left",), text=True, format="png"))
    assert corner(seen.views[0]) == (68, 0, 0)
    assert seen.text == "fire: the ball is at 100"


async def test_unavailable_observation_is_refused():
    lookout, grid = world("lookout"), world("grid")
    check_observable(lookout, EVERYTHING)
    with pytest.raises(UsageError, match="grid has no view 'left'; it offers: front, previous, map"):
        check_observable(grid, EVERYTHING)
    mute = lookout.model_copy(update={"text": False})
    with pytest.raises(UsageError, match="not describe its screen in words; it offers: front, previous, left, right"):
        check_observable(mute, TEXT)
    check_observable(grid, ObservationSpec(views=("left",), format="none"))
