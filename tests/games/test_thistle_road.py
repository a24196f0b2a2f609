"""The Thistle Road: answers of tools, effects of buttons, what the map shows, and the twelve events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from games.test_contract import TOLD
from games.test_parlor import opened
from games.test_text_players import player_of

from gwray.catalog import load_catalog, read_solutions
from gwray.plugins.authoring.lab import Lab, Labs, timeline

NAME = "p11_thistle-road"
PUT = """async ([map, x, y, party, more]) => {
    const { look } = await import('./land.js');
    const { creature } = await import('./kinds.js');
    const s = gameAPI.lab.peek();
    Object.assign(s, { map, x, y, talk: null, battle: null, menu: null, mirrored: [] }, more);
    s.party = party.map(([kind, level]) => creature(kind, level));
    look(s);
}"""


class Traveller:
    def __init__(self, lab: Lab):
        self.lab = lab

    async def put(self, place: str, x: int, y: int, *party: tuple[str, int], **more: Any) -> None:
        """Sets the place, the party and other parts of the state. No map is mirrored."""
        await self.lab.call(PUT, [place, x, y, party, more])

    async def do(self, entry: str) -> dict[str, Any]:
        return (await self.lab.run(timeline(self.lab.game, [entry])))["game_state"]

    async def use(self, entry: str) -> tuple[bool, str]:
        """Uses a tool; its success and feedback."""
        await self.do(entry)
        answer = await self.lab.call("() => gameAPI.lab.answers.player")
        return answer["ok"], answer["feedback"]

    async def fight(self, kind: str, level: int) -> None:
        await self.lab.call(
            "async ([k, n]) => (await import('./battle.js')).startWild(gameAPI.lab.peek(), k, n)", [kind, level]
        )


@pytest.fixture(scope="module")
async def page(labs: Labs) -> AsyncIterator[Lab]:
    lab = await labs.open(load_catalog().game(NAME), "")
    yield lab
    await lab.close()


@pytest.fixture
async def at(page: Lab) -> Traveller:
    await page.reset(42)
    return Traveller(page)


async def test_field_tools_answer_with_success_and_reason(at: Traveller):
    await at.put("loft", 1, 6)
    assert await at.use("move_to 1 3") == (True, "You are at (1, 3).")
    assert await at.use("move_to 1 3") == (True, "You are at (1, 3) already.")
    assert await at.use("move_to 3 3") == (
        False,
        "(3, 3) cannot be walked on. Ledges are jumped down by a step, things are reached with interact_with_object.",
    )
    assert await at.use("move_to 20 3") == (False, "(20, 3) is outside this map; x goes to 7 and y to 7.")
    assert await at.use("warp_with_warp_point 7 1") == (False, "No WarpPoint is known at (7, 1).")
    assert await at.use("interact_with_object Globe") == (
        False,
        "No object 'Globe' has been seen here. Seen: Bookshelf.",
    )
    ok, said = await at.use("interact_with_object bookshelf")
    assert ok and said.startswith("Bookshelf: A book lies open")
    assert (await at.do("start"))["menu"] == "main"
    assert await at.use("move_to 1 1") == (False, "This works only while you walk. A menu is open: close it with b.")
    await at.do("b")
    await at.do("move_to 5 2")
    assert await at.use("move_to 7 1") == (False, "(7, 1) is a WarpPoint; use warp_with_warp_point.")
    assert await at.use("overworld_map_transition north") == (False, "Houses are left through WarpPoints.")
    assert await at.use("warp_with_warp_point 7 1") == (True, "You are in Your House, downstairs at (7, 1) now.")
    assert await at.use("warp_with_warp_point 7 1") == (True, "You are in Your House, upstairs at (7, 1) now.")


async def test_words_tell_nothing_of_unseen_tiles_along_a_whole_game(page: Lab):
    game = load_catalog().game(NAME)
    way = [list(timeline(game, [entry])) for entry in read_solutions(game)["p11_01"].roles["player"]]
    told = await page.call(TOLD, {"moves": [], "role": "player", "game": NAME, "seed": 1, "way": way})
    assert (told["changed"], told["leaks"]) == ([], []) and max(told["lengths"]) < 2500


MAPS = """async () => {
    const { LANDS, isThing, isDoor } = await import('./land.js');
    const wrong = [];
    for (const [name, { maps }] of Object.entries(LANDS)) {
        const doors = {};
        for (const [id, { rows, objects, links }] of Object.entries(maps)) {
            const letters = new Set([...rows.join('')]);
            if (new Set(rows.map((r) => r.length)).size > 1) wrong.push(`${name} ${id}: rows of several lengths`);
            for (const c of letters) if (isThing(c) && !objects[c]) wrong.push(`${name} ${id}: no thing ${c}`);
            for (const c of Object.keys(objects)) if (!letters.has(c)) wrong.push(`${name} ${id}: ${c} stands nowhere`);
            for (const c of letters) if (isDoor(c)) (doors[c] ??= []).push(id);
            const opposite = { north: 'south', south: 'north', west: 'east', east: 'west' };
            for (const [side, to] of Object.entries(links ?? {}))
                if (maps[to].links[opposite[side]] !== id) wrong.push(`${name} ${id}: no way back from ${to}`);
        }
        for (const [c, ids] of Object.entries(doors))
            if (ids.length !== 2) wrong.push(`${name}: door ${c} is on ${ids}`);
    }
    return wrong;
}"""


async def test_doors_edges_and_things_of_both_lands_fit_together(page: Lab):
    assert await page.call(MAPS) == []


@pytest.mark.slow
@pytest.mark.parametrize("task_id", ["p11_01", "p11_02"])
async def test_scripted_player_reaches_all_twelve_events(task_id: str):
    """With another seed than the committed solutions, so that maps are mirrored in another way."""
    game = load_catalog().game(NAME)
    (task,) = (t for t in game.tasks if t.id == task_id)
    act = player_of(NAME).act
    async with opened(NAME, task.options) as lab:
        await lab.reset(43)
        state, steps = await lab.run(), 0
        while not state["terminal"]["isTerminal"] and steps < 400:
            state, steps = await lab.run(timeline(game, [act(state, "player", {"id": task.id})])), steps + 1
    assert (state["game_state"]["flags"], state["terminal"]["outcome"]) == (12, "win")
