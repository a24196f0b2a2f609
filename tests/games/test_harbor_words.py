"""Text observations of the harbor describe what its image shows, and no more of the state."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

import pytest
from games.town import MOVES, QUESTS, TOWN, look

from gwray.catalog import read_solutions
from gwray.plugins.authoring.lab import Lab, Labs

PART = ("m2",)
"""The quest with the most to hide; the others are played by `pytest -m whole`."""

quests = pytest.mark.parametrize(
    "quest", [pytest.param(q, marks=[pytest.mark.whole] * (q not in PART)) for q in QUESTS]
)


async def along(labs: Labs, quest: str, every: int) -> AsyncIterator[tuple[int, Lab]]:
    """The places of a quest's solution, each so many steps."""
    lab = await labs.open(TOWN, f"?quest={quest}")
    await lab.reset(42)
    for n, control in enumerate(["", *read_solutions(TOWN)[f"{quest}_goal"].roles["player"]]):
        await lab.run(MOVES[control] if control else [])
        if n % every == 0:
            yield n, lab
    await lab.close()


@pytest.mark.slow
@quests
async def test_what_the_picture_does_not_show_the_words_do_not_say(labs: Labs, quest: str):
    hidden: Counter[str] = Counter()
    async for n, lab in along(labs, quest, 9):
        found = await look(lab, "await hidden()")
        assert found["told"] == [], n
        hidden.update(found["same"])
    always = {"chance", "whom one has asked", "where the cat goes", "the truth of what is said"}
    assert always <= set(hidden) and len(hidden) > 12, hidden


@pytest.mark.slow
@quests
async def test_described_things_are_in_the_picture(labs: Labs, quest: str):
    told = 0
    async for n, lab in along(labs, quest, 12):
        found = await look(lab, "await unconfirmed()")
        assert found["wrong"] == [], n
        told += found["told"]
    assert told > 20
