"""The archives of Word of Mouth: what a search shows, that every clip can be reached, and that guessing finds few."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

from games.test_parlor import opened

from gwray.authoring.lab import timeline

FREQUENT = """
the be to of and a in that have I it for not on with he as you do at this but his by from they we say her she or an will
my one all would there their what so up out if about who get which go
"""
"""The most frequent words of written English, as dictionaries count lemmas."""
SPOKEN = "you I the to a it that and of what in me is we this he on for my your"
"""The most frequent words of film subtitles."""
BLIND: dict[str, Sequence[str]] = {
    "20 frequent words": FREQUENT.split()[:20],
    "50 frequent words": FREQUENT.split(),
    "20 spoken words": SPOKEN.split(),
    "single letters": list(string.ascii_letters),
    "digits": list(string.digits),
    "empty searches": ["", " ", "'", '""'],
    "sentences": ["who killed him", "search for the body", '"murder"', "the-body"],
}

ARCHIVES = """async () => {
  const { ARCHIVES } = await import('./archives.js');
  return Object.fromEntries(Object.entries(ARCHIVES).map(([name, archive]) => [name, archive.clips.length]));
}"""

PLAYED = """async ({ name, words, learns, steps }) => {
  const { create, play, search } = await import('./rules.js');
  const { ARCHIVES } = await import('./archives.js');
  const s = create({ archive: name }, {});
  const queue = [...words];
  const met = new Set(words);
  let taken = 0;
  const watch = () => {
    s.listed.forEach((clip, n) => {
      if (s.watched.includes(clip) || taken === steps || s.over) return;
      play(s, n + 1);
      taken += 1;
      const heard = learns ? ARCHIVES[name].clips[clip].text.toLowerCase().match(/[a-z']+/g) : [];
      for (const word of heard) if (!met.has(word)) queue.push(met.add(word) && word);
    });
  };
  for (watch(); queue.length && taken < steps && !s.over; watch()) {
    search(s, queue.shift());
    taken += 1;
  }
  return s.watched.length;
}"""
"""Watches whatever is listed and searches the words in turn; with `learns`, also each word that it has heard."""


async def test_every_clip_can_be_reached_and_few_by_guessing():
    async with opened("p08_word-of-mouth") as lab:

        async def share(name: str, words: Sequence[str], learns: bool = False, steps: int = 100_000) -> float:
            given = {"name": name, "words": list(words), "learns": learns, "steps": steps}
            return await lab.call(PLAYED, given) / archives[name]

        archives: dict[str, int] = await lab.call(ARCHIVES)
        budgets = {t.options.partition("=")[2] or "low-water": (t.max_steps, t.target) for t in lab.game.tasks}
        assert archives == {name: target for name, (_, target) in budgets.items()}
        for name, (steps, _) in budgets.items():
            assert await share(name, [], learns=True) == 1, f"{name}: words that were heard do not lead to every clip"
            for what, words in BLIND.items():
                assert await share(name, words) <= 0.1, f"{name}: {what}"
            # Searching every word that was heard, in the order of hearing, is not enough.
            assert 0.1 < await share(name, [], learns=True, steps=steps) < 0.9


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
        assert not any(clip["text"] for clip in found["entities"]) and "marble" not in await told()
        seen = await do("play_clip 1")
        assert seen["score"] == 1 and "It is marble, yes" in seen["entities"][0]["text"] and "marble" in await told()
        assert (await do("play_clip 1"))["score"] == 1
        # After another search it is known that a clip was watched, but its words are to be heard again.
        again = await do("search matteo")
        assert [clip["new"] for clip in again["entities"]] == [False, True, True, True, True]
        assert not any(clip["text"] for clip in again["entities"])
        for nothing in ("search matteo ferri", "search 'matteo'", "search matte", "search zebra"):
            assert (await do(nothing))["hits"] == 0
        assert (await do("play_clip 1"))["score"] == 1 and "no clip 1" in await told()
