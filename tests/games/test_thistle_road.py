"""The Thistle Road: what each tool answers, what buttons do, what is told of the map, and the twelve events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from games.test_contract import TOLD
from games.test_parlor import opened
from games.test_text_players import player_of

from gwray.authoring.lab import Lab, Labs, timeline
from gwray.catalog import load_catalog, read_solutions

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
        "(3, 3) cannot be walked on. Things are reached with interact_with_object.",
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
    assert await at.use("move_to 1 1") == (
        False,
        "This works only while you walk. A menu is open: close it with b.",
    )
    await at.do("b")
    await at.do("move_to 5 2")
    assert await at.use("move_to 7 1") == (False, "(7, 1) is a WarpPoint; use warp_with_warp_point.")
    assert await at.use("overworld_map_transition north") == (False, "Houses are left through WarpPoints.")
    assert await at.use("warp_with_warp_point 7 1") == (True, "You are in Your House, downstairs at (7, 1) now.")
    assert await at.use("warp_with_warp_point 7 1") == (True, "You are in Your House, upstairs at (7, 1) now.")


async def test_transition_needs_an_explored_edge_and_stops_for_the_story(at: Traveller):
    await at.put("village", 4, 13)
    assert await at.use("overworld_map_transition east") == (False, "No other map lies east of Alder Nook.")
    assert await at.use("overworld_map_transition north") == (
        False,
        "No known way leads to the north edge of the map; explore it first.",
    )
    assert await at.use("move_to 20 2") == (
        False,
        "(20, 2) has not been explored; move to a known place near it first.",
    )
    await at.put("village", 10, 4)
    ok, said = await at.use("overworld_map_transition north")
    assert not ok and said.startswith("You were stopped at (10, 2). Warden Ilse speaks: Stop!")
    assert (await at.use("move_to 10 4"))[1] == (
        "This works only while you walk. Somebody is speaking: use continue_dialog."
    )
    assert (await at.use("continue_dialog"))[0]
    state = await at.do("continue_dialog")
    assert (state["place"], state["events"]) == ("hall", ["warden"])
    await at.put("village", 10, 4, ("bramblet", 9))
    assert await at.use("overworld_map_transition north") == (True, "You are in Larkway at (9, 25) now.")


async def test_continue_dialog_reads_on_but_makes_no_choice(at: Traveller):
    await at.put("hall", 3, 5, events=["home", "warden"])
    assert await at.use("continue_dialog") == (
        False,
        "This works only while somebody speaks. You are walking about.",
    )
    ok, said = await at.use("interact_with_object Left Basket")
    assert ok and said.endswith("Do you take it with you? Choose: Yes / No.")
    ok, said = await at.use("continue_dialog")
    assert not ok and "move the cursor with up and down, and press a" in said
    assert (await at.do("down"))["talk"]["cursor"] == 1
    assert (await at.do("a"))["entities"] == [], "No leaves it in its basket"
    await at.do("interact_with_object Left Basket")
    state = await at.do("a")
    assert (state["entities"][0]["name"], state["events"][-1]) == ("Bramblet", "companion")
    assert await at.use("continue_dialog") == (True, "Nobody speaks any more.")


async def test_battle_tools_answer_with_success_and_reason(at: Traveller):
    await at.put("road", 3, 22, ("bramblet", 10), ("nibbit", 2))
    for tool in ("select_move Bump", "switch Nibbit", "run_away", "use_item Bell none"):
        assert await at.use(tool) == (False, "This works only in a battle. You are walking about."), tool
    await at.fight("pebblar", 30)
    assert await at.use("select_move Splash") == (
        False,
        "There is no move 'Splash'. Moves: Bump, Stare Down, Thorn Flick, Briar Crash.",
    )
    ok, said = await at.use("select_move thorn flick")
    assert ok and "Bramblet uses Thorn Flick" in said and "It is very effective." in said
    assert await at.use("switch Wrenlet") == (
        False,
        "There is no 'Wrenlet' in your party. Party: Bramblet, Nibbit.",
    )
    assert await at.use("switch Bramblet") == (False, "Bramblet is fighting already.")
    assert (await at.use("use_item Balm none"))[1] == "There is no Balm in your bag."
    assert (await at.use("use_item Rope none"))[1] == "There is no item 'Rope'. Bag: empty."
    await at.lab.call("() => { gameAPI.lab.peek().bag = { Balm: 1, Bell: 40 }; }")
    assert (await at.use("use_item Balm Nibbit"))[1] == "Nibbit needs no Balm."
    ok, said = await at.use("switch Nibbit")
    assert ok and said.startswith("Go, Nibbit!")
    await at.put("road", 3, 22, ("bramblet", 10))
    await at.fight("silkgrub", 2)
    ran = [await at.use("run_away") for _ in range(3)]
    assert (True, "The battle is over. You got away.") in ran


async def test_fainted_creature_has_to_be_replaced_before_anything_else(at: Traveller):
    await at.put("road", 3, 22, ("nibbit", 1), ("bramblet", 10))
    await at.fight("slabback", 30)
    state = await at.do("select_move Nip")
    while not state["enemy"]["must"]:
        state = await at.do("select_move Nip")
    assert await at.use("run_away") == (False, "Nibbit has fainted; send another creature first.")
    assert await at.use("switch Nibbit") == (False, "Nibbit has fainted.")
    assert await at.use("switch Bramblet") == (True, "Go, Bramblet!"), "the other side does not act"


async def test_bell_befriends_a_wild_creature_and_no_trainers(at: Traveller):
    await at.put("wood", 12, 9, ("bramblet", 12), bag={"Bell": 30})
    await at.lab.call(
        "async () => { const s = gameAPI.lab.peek(); (await import('./battle.js')).startDuel(s, 'lass'); }", []
    )
    assert await at.use("run_away") == (False, "You cannot run from a trainer.")
    assert (await at.use("use_item Bell none"))[1] == "A bell does not work on the companion of somebody else."
    await at.put("wood", 12, 9, ("bramblet", 12), bag={"Bell": 30})
    await at.fight("silkgrub", 3)
    ok, said = await at.use("use_item Bell none")
    for _ in range(30):
        if "joins your party" in said:
            break
        ok, said = await at.use("use_item Bell none")
    state = await at.do("continue_dialog")
    assert ok and [c["name"] for c in state["entities"]] == ["Bramblet", "Silkgrub"]
    assert "friend" in state["events"]


async def test_fainted_party_wakes_at_its_bed_with_less_coins(at: Traveller):
    await at.put("road", 3, 22, ("nibbit", 1), coins=100)
    await at.fight("slabback", 30)
    state = await at.do("select_move Nip")
    while state["screen"] == "battle":
        state = await at.do("select_move Nip")
    while state["talk"]:
        state = await at.do("continue_dialog")
    assert (state["place"], state["coins"], state["entities"][0]["hp"]) == ("loft", 75, state["entities"][0]["max"])


async def test_each_press_is_one_step_and_a_sudden_battle_takes_none(at: Traveller):
    await at.put("village", 4, 15)
    for _ in range(4):
        await at.do("right")
    state = await at.do("right")
    assert (state["player"]["x"], state["player"]["y"]) == (8, 15), "the child stands in the way at 9"
    for way in ("up", "down"):
        await at.do(way)
    state = await at.do("up")
    assert (state["player"]["x"], state["player"]["y"]) == (8, 14)
    await at.put("road", 2, 11, ("bramblet", 5))
    for n in range(400):
        state = await at.do(f"move_to {1 + n % 2} {12 if n % 4 < 2 else 10}")
        if state["enemy"]:
            break
    cursor = await at.lab.call("() => gameAPI.lab.peek().battle.cursor")
    assert cursor == 0, "the key of the last step does not move the cursor of the battle"


async def test_mended_creatures_and_bought_bells_by_buttons(at: Traveller):
    done = ["home", "warden", "companion", "duel", "town", "parcel", "delivery"]
    await at.put("store", 3, 2, ("bramblet", 5), events=done, coins=90, facing="left")
    assert (await at.do("a"))["talk"]["options"] == ["Bell, 40 coins", "Balm, 60 coins", "Nothing"]
    state = await at.do("a")
    assert (state["bag"], state["coins"], state["events"][-1]) == ({"Bell": 1}, 50, "bell")
    await at.do("down")
    assert "That costs 60 coins" in (await at.do("a"))["talk"]["page"]
    assert (await at.do("b"))["screen"] == "field"
    await at.lab.call("() => { const s = gameAPI.lab.peek(); s.bag = { Balm: 1 }; s.party[0].hp = 3; }")
    for button in ("start", "down", "a", "a"):
        await at.do(button)
    state = await at.do("a")
    assert (state["entities"][0]["hp"], state["bag"]) == (19, {})


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
