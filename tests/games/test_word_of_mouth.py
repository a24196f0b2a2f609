"""The archives of Word of Mouth: what a search shows, that every clip can be reached, and that guessing finds few."""

from __future__ import annotations

import runpy
import string
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from games.test_parlor import opened

from gwray.authoring.lab import timeline
from gwray.catalog import load_catalog

FREQUENT = """
the be to of and a in that have I it for not on with he as you do at this but his by from they we say her she or an will
my one all would there their what so up out if about who get which go
"""
"""The most frequent words of written English, as dictionaries count lemmas."""
SPOKEN = "you I the to a it that and of what in me is we this he on for my your"
"""The most frequent words of film subtitles."""
NOUNS = """
time year day night morning evening week hour house home room door window table chair kitchen garden street
road town city station car train boat water river sea fire light man woman mother father brother sister wife
husband son daughter friend child boy girl people name hand eye head face heart body money book letter paper
picture music word story work job school church dog key murder police blood knife gun killed dead detective
love witness
"""
BLIND: dict[str, Sequence[str]] = {
    "50 frequent words": FREQUENT.split(),
    "20 spoken words": SPOKEN.split(),
    "common nouns, and words of crime": NOUNS.split(),
    "single letters": list(string.ascii_letters),
    "empty searches": ["", " ", "'", '""'],
    "sentences": ["who killed him", "search for the body", '"murder"', "the-body"],
}
SEEDS = range(42, 62)

PLAYED = """async ({ name, words, own, steps, seed }) => {
  const { create, play, search } = await import('./rules.js');
  const { seeded } = await import('../../kit/random.js');
  const { ARCHIVES } = await import('./archives.js');
  const { rare, index, clips } = ARCHIVES[name];
  const s = create({ archive: name }, seeded(seed));
  const often = own ? [...rare].sort((a, b) => index.get(b).length - index.get(a).length) : words;
  let taken = 0;
  const turns = (n, act) => { for (let i = 0; i < n && taken < steps && !s.over; i++, taken++) act(i); };
  turns(5, (i) => play(s, i + 1));
  for (const word of often) {
    turns(1, () => search(s, word));
    turns(5, (i) => play(s, i + 1));
  }
  return s.watched.length / clips.length;
}"""
"""Searches the words in turn and watches five clips after each; with `own`, the archive's own rare words, the most
frequent first."""


async def test_few_clips_are_found_by_lists_of_words():
    """Means of twenty seeds. The archive's own words, which no player knows in advance, stay near the floor too."""
    async with opened("p08_word-of-mouth") as lab:

        async def mean(name: str, steps: int, words: Sequence[str] = (), own: bool = False) -> float:
            given = {"name": name, "words": list(words), "own": own, "steps": steps}
            return fmean([await lab.call(PLAYED, {**given, "seed": seed}) for seed in SEEDS])

        for task in lab.game.tasks:
            name = task.options.partition("=")[2] or "low-water"
            for what, words in BLIND.items():
                assert await mean(name, task.budget, words) <= 0.1, f"{name}: {what}"
            assert await mean(name, task.budget, own=True) <= 0.1, name


async def test_words_that_were_heard_lead_to_every_clip():
    """The scripted player knows only what it has heard; other seeds lead it other ways."""
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

        await lab.call(
            "() => Object.assign(gameAPI.lab.peek(), { cards: ['matteo', 'marble', 'lizard'], heard: ['matteo'] })"
        )
        found = await do("search MATTEO")
        assert (found["hits"], len(found["entities"])) == (7, 5)
        days = [clip["date"] for clip in found["entities"]]
        assert days == sorted(days, key=lambda day: (day.split()[1] != "August", int(day.split()[0])))
        assert not any(clip["text"] for clip in found["entities"]) and "MARBLE" not in await told()
        # A word that was not heard finds nothing, whether it has a card or not, and the list stays.
        for word in ("marble", "stone"):
            unheard = await do(f"search {word}")
            assert (unheard["query"], unheard["searched"][-1], len(unheard["entities"])) == ("matteo", "matteo", 5)
            assert f"is '{word}'. Search a word that stands in capitals" in unheard["said"]
        seen = await do("play_clip 1")
        assert seen["score"] == 1 and "It is MARBLE, yes" in seen["entities"][0]["text"] and "MARBLE" in await told()
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
