"""Side views of the harbor: separate images of what the front view cannot show, rendered on request."""

from __future__ import annotations

import pytest
from games.town import LEAST, TOWN, look

from gwray.environments import Opening, open_environment
from gwray.environments.browser import BrowserEnvironment
from gwray.plugins.authoring.lab import Labs
from gwray.sandbox import BrowserOnDemand
from gwray.settings import ObservationSpec

BESIDE = {
    "n2": "the brass heron",
    "n3": "the telescope",
    "i1": 'the sign "HOTEL HERON"',
    "i3": "the yard gate",
    "m2": "the mump",
}
"""What a quest is about, where only a look to the side shows it at the start."""


@pytest.mark.slow
async def test_a_side_view_is_what_one_sees_who_has_turned_there(labs: Labs):
    """All but the figure that is walked, which looks where it looked, and what is drawn over the front picture."""
    for quest in ("i1", "n4", "m2"):
        lab = await labs.open(TOWN, f"?quest={quest}")
        for view, turn in (("left", -75), ("right", 75)):
            found = await look(lab, "await sideways(...a)", view, turn)
            assert found["turned"] == 0, (quest, view)
            assert found["front"] > 300_000, "it is no second picture of what is ahead"
        await lab.close()


@pytest.mark.slow
@pytest.mark.whole
async def test_from_five_starts_the_aim_is_seen_only_to_the_side(labs: Labs):
    """Each view is drawn with and without it."""
    for quest, aim in BESIDE.items():
        lab = await labs.open(TOWN, f"?quest={quest}")
        front, left, right = [await look(lab, "await share(...a)", {"name": aim}, v) for v in ("", "left", "right")]
        assert front == 0, quest
        assert max(left, right) > LEAST, quest
        await lab.close()


COUNT = """async () => {
    const { Picture } = await import(new URL('raster.js', location.href).href);
    const begin = Picture.prototype.begin;
    window.begun = [];
    Picture.prototype.begin = function (camera, subject) {
        const ahead = (gameAPI.lab.peek().player.yaw * Math.PI) / 180;
        window.begun.push(Math.round(((camera.yaw - ahead) * 180) / Math.PI));
        return begin.call(this, camera, subject);
    };
}"""


@pytest.mark.parametrize(("views", "drawn"), [(("front",), set()), (("front", "left", "right"), {-75, 75})])
async def test_side_views_are_drawn_for_who_asks_for_them(views, drawn):
    seen = ObservationSpec(views=views)
    async with BrowserOnDemand() as browser:
        world = await open_environment(Opening(TOWN, TOWN.task("i1_goal"), 42, browser, observation=seen))
        assert isinstance(world, BrowserEnvironment)
        await world.page.page.evaluate(COUNT)
        pictures = [len((await world.observe("player", seen)).views) for _ in range(2)]
        begun = await world.page.page.evaluate("() => window.begun")
        await world.close()
    assert pictures == [len(views)] * 2
    assert set(begun) - {0} == drawn
