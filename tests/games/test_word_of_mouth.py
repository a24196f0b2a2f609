"""The archives of Word of Mouth: what a search shows, that every clip can be reached, and what lists of words find."""

from __future__ import annotations

import runpy
from typing import Any

from games.test_parlor import opened

from gwray.catalog import load_catalog
from gwray.plugins.authoring.lab import timeline

SEEDS = range(42, 62)


async def test_words_that_were_heard_lead_to_every_clip():
    """The scripted player searches only words from clips it has found; seeds change its order."""
    act = runpy.run_path(str(load_catalog().game("p08_word-of-mouth").folder / "player.py"))["act"]
    async with opened("p08_word-of-mouth", "?archive=winter-garden") as lab:
        task, first = lab.game.tasks[1], set()
        for seed in SEEDS[:3]:
            await lab.reset(seed)
            state = await lab.run()
            first.add(state["game_state"]["query"])
            for _ in range(task.budget):
                state = await lab.run(timeline(lab.game, [act(state, "player", {})]))
                if state["terminal"]["isTerminal"]:
                    break
            assert state["game_state"]["score"] == task.target == state["game_state"]["total"]
        assert len(first) == 3


async def test_search_lists_five_clips_and_words_are_heard_by_watching():
    async with opened("p08_word-of-mouth") as lab:

        async def do(entry: str) -> dict[str, Any]:
            return (await lab.run(timeline(lab.game, [entry])))["game_state"]

        async def told() -> str:
            return await lab.call("() => gameAPI.describe('player')")

        found = await do("search MATTEO")
        assert (found["hits"], len(found["entities"])) == (7, 5)
        days = [clip["date"] for clip in found["entities"]]
        assert days == sorted(days, key=lambda day: (day.split()[1] != "August", int(day.split()[0])))
        assert not any(clip["text"] for clip in found["entities"]) and "marble, yes" not in await told()
        # Every word that its clips contain can be searched, heard or not; others find nothing.
        assert (await do("search stone"))["entities"]
        nowhere = await do("search alibi")
        assert (nowhere["entities"], nowhere["said"]) == ([], "'alibi' is said in no clip.")
        assert nowhere["searched"][-3:] == ["matteo", "stone", "alibi"]
        await do("search matteo")
        seen = await do("play_clip 1")
        assert (
            seen["score"] == 1 and "It is marble, yes" in seen["entities"][0]["text"] and "marble, yes" in await told()
        )
        assert (await do("play_clip 1"))["score"] == 1
        # After another search it is known that a clip was watched, but its words are to be heard again.
        again = await do("search matteo")
        assert [clip["new"] for clip in again["entities"]] == [False, True, True, True, True]
        assert not any(clip["text"] for clip in again["entities"])
        assert (await do("search marble"))["query"] == "marble"
        for nothing in ("search matteo ferri", "search 'matteo'"):
            assert "A search is for one word" in (await do(nothing))["said"]
        assert (await do("search matteo"))["hits"] == 7
        assert (await do("play_clip 1"))["score"] == 1
