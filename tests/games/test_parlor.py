"""Rules of the parlor's games that their scores depend on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from gwray.authoring.lab import Lab, open_labs, timeline
from gwray.catalog import load_catalog


@asynccontextmanager
async def opened(name: str) -> AsyncIterator[Lab]:
    async with open_labs() as labs:
        lab = await labs.open(load_catalog().game(name))
        yield lab
        await lab.close()


async def test_five_dead_moves_in_a_row_end_twofold():
    async with opened("p01_twofold") as lab:
        await lab.call("() => { gameAPI.lab.peek().board = [[2, 4, 8, 16], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]] }")
        ends = [(await lab.run(timeline(lab.game, ["up"])))["terminal"]["outcome"] for _ in range(5)]
        assert ends == [None, None, None, None, "fail"]


async def test_farm_charges_energy_and_pays_for_crops():
    async with opened("p03_thirteen-days") as lab:

        async def do(entry: str) -> dict:
            return (await lab.run(timeline(lab.game, [entry])))["game_state"]

        assert (await do("till 3"))["tilled"] == 0, "nobody tills from the house"
        await do("leave_house")
        assert (await do("buy parsnip 40"))["gold"] == 0
        assert (await do("till 3"))["energy"] == 44
        state = await do("plant")
        assert (len(state["entities"]), state["seeds"]["parsnip"]) == (3, 7)
        for _ in range(4):
            await do("leave_house")
            await do("water")
            await do("sleep")
        await do("leave_house")
        assert (await do("harvest"))["store"]["parsnip"] == 3
        assert 105 <= (await do("sell"))["gold"] <= 3 * 52
        # 32 tiles cost 64 energy: the farmer faints at -15 and loses a tenth.
        before = (await do("sleep"))["gold"]
        await do("leave_house")
        state = await do("till 37")
        assert (state["gold"], state["energy"], state["day"]) == (before - before // 10, 26, 7)


async def test_platformer_scores_distance_to_the_flag_and_takes_one_unit_for_a_run():
    async with opened("p02_up-and-over") as lab:

        async def do(level: int) -> dict:
            return await lab.run(timeline(lab.game, [f"jump {level}"]))

        first = await do(0)
        stage = first["game_state"]["stage"]
        assert (first["gameTimeMs"], first["game_state"]["player"]["x"]) == (66.667, stage["start"] + 16)
        way = stage["flag"] - 36 - stage["start"]
        for share in (0.25, 0.5):
            await lab.call("x => { gameAPI.lab.peek().hero.x = x }", stage["start"] + share * way)
            assert (await lab.run())["game_state"]["score"] == pytest.approx(100 * share)
        await lab.reset(42)
        lengths = []
        for level in range(1, 7):
            await lab.call(
                "() => { const s = gameAPI.lab.peek(); s.solids = []; s.ditches = []; s.thorns = []; s.foes = [] }"
            )
            x = (await lab.run())["game_state"]["player"]["x"]
            lengths.append((await do(level))["game_state"]["player"]["x"] - x)
        assert lengths == [112, 144, 160, 192, 208, 240]
