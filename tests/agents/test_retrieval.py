"""Retrieval of Orak's skills and clues by text embeddings: what is called similar, and what is shown of it."""

from __future__ import annotations

import importlib.metadata

import pytest
from agents.conftest import MADE_OF
from agents.test_modules import Fake, at, played, player, role_context, words

from gwray.agents import make_agent
from gwray.agents.notes import NoteStore
from gwray.errors import UsageError
from gwray.studies.orak import embedding
from gwray.studies.orak.embedding import GATE, similarity_by

RELATED = """\
The caretaker said she locked the gate at nine. | At nine o'clock the gate was locked, according to the caretaker.
The witness claims he saw the thief at 2 pm by the fountain. | The man at the fountain was not there at 2 pm.
The safe opens with the code 4172. | A note says the number for the strongbox is 4172.
The blacksmith wants three iron bars for the key. | Bring iron to the smith to get the key.
Mr. Vale's umbrella was found wet in the hall. | The umbrella in the hallway belongs to Vale.
The power went out during the murder. | The lights failed when the victim was killed.
Nessa says she was in the kitchen all evening. | Nessa was seen in the garden in the evening.
The clock in the study stopped at 4:15. | The study's clock shows a quarter past four.
Potions restore health and are sold in the shop. | You can buy healing potions in the shop.
The guard sleeps after midnight. | Past midnight nobody watches, since the guard is asleep.
The bridge to the north is broken. | You cannot go north because the bridge has collapsed.
The old woman gave the player a map of the mine. | A map of the mine was received from an old lady.
Water creatures are weak against grass moves. | Use a grass move on the water type opponent.
The letter is signed with the initials R. M. | R. M. wrote the letter.
The victim was allergic to nuts. | The dead man could not eat nuts.
The train left at noon without the professor. | The professor missed the noon train.
The leader of the hall uses rock creatures. | Rock creatures are what the hall's leader fights with.
The rope was cut with a kitchen knife. | A knife from the kitchen cut through the rope.
The baker heard a shot before the bell rang. | Before the bell there was a gunshot, the baker says.
The receipt shows that the ring was sold on Tuesday. | According to the receipt, the ring changed hands on Tuesday.
"""
PAIRS = [tuple(line.split(" | ")) for line in RELATED.splitlines()]
UNRELATED = [(PAIRS[i][0], PAIRS[(i + 7) % 20][1]) for i in range(20)]


@pytest.mark.parametrize(("retrieval", "found", "wrong"), [("embeddings", 19, 0), ("ngrams", 17, 1)])
def test_gate_separates_related_from_unrelated_sentences(retrieval, found, wrong):
    similarity = similarity_by(retrieval)
    assert sum(similarity(a, b) >= GATE for a, b in PAIRS) >= found
    assert sum(similarity(a, b) >= GATE for a, b in UNRELATED) <= wrong
    assert similarity("planting", "planting") == 1 and similarity("planting", "") == 0


def test_similarity_is_the_same_on_every_machine():
    sentence = ("The power went out during the murder.", "The lights failed when the victim was killed.")
    assert similarity_by("embeddings")(*sentence) == 0.4529968490016544
    assert similarity_by("ngrams")("planting", "plant") == pytest.approx(0.6325, abs=0.0001)


def test_five_nearest_skills_are_retrieved():
    topics = (
        "plant parsnips",
        "water crops",
        "sell the harvest",
        "catch fish",
        "cut wood",
        "open chests",
        "mine stone",
    )
    store = NoteStore()
    for topic in topics:
        store.add(f"how to {topic}", topic=topic)
    picked = [n.topic for n in store.pick(5, "put seeds into the soil", similar=similarity_by("embeddings"))]
    assert len(picked) == 5 and picked[0] == "plant parsnips"


def test_missing_package_of_embeddings_names_the_other_retrieval(monkeypatch):
    def missing(name: str):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(embedding, "distribution", missing)
    embedding._model.cache_clear()
    with pytest.raises(UsageError, match=r"wordllama is not installed.*agent\.options\.retrieval=ngrams"):
        make_agent(player("orak_memory", text_only=True, modules=MADE_OF["orak_memory"]), role_context())
    assert similarity_by("ngrams")("a b", "a b") == 1


async def test_memory_recalls_a_contradicting_clue_and_no_copies():
    """The clue of the third turn contradicts the first; the second says nothing new of the first."""
    said = iter(["Nessa says she was in the kitchen all evening.", "Nessa says that she was in a kitchen all evening.",
                 "The train left at noon.", "Nessa was seen in the garden in the evening."])  # fmt: skip
    fake = Fake({"long_memory": lambda: f"### Clue\n{next(said)}\n### Save\nyes"})
    await played(
        player("orak_memory", text_only=True, modules=MADE_OF["orak_memory"]), fake, *(at(n, "hall") for n in range(4))
    )
    shown = words(fake.of("")[-1]).partition("What you remember:\n")[2]
    assert shown.splitlines()[0] == "1. Nessa says she was in the kitchen all evening."
    assert "that she" not in shown and "train" not in shown
