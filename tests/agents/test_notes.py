"""Note stores are bounded, free of duplicates and deterministic."""

from hypothesis import given
from hypothesis import strategies as st

from gwray.agents.notes import Notes, NoteStore


def texts(notes) -> list[str]:
    return [n.text for n in notes]


def filled(*given: str, limit: int = 100) -> NoteStore:
    store = NoteStore(limit)
    for text in given:
        store.add(text)
    return store


def test_the_same_words_on_two_topics_are_two_notes():
    store = NoteStore()
    assert store.add("a locked drawer", topic="hall") != store.add("a locked drawer", topic="attic")
    assert len(store) == 2
    store.add("a locked drawer", topic="Hall")
    assert len(store) == 2


def test_store_drops_longest_unchanged_note():
    store = filled("one", "two", "three", limit=3)
    store.add("one")
    store.add("four")
    assert texts(store) == ["three", "one", "four"]


def test_a_changed_note_keeps_number_and_topic_and_is_fresh():
    store = NoteStore()
    store.add("push the crate left", topic="crates")
    store.add("wait for the lift")
    note = store.change(1, "push the crate right")
    assert note is not None and (note.number, note.topic) == (1, "crates")
    assert texts(store) == ["wait for the lift", "push the crate right"]


def test_pick_prefers_shared_words_then_newest():
    store = filled("red door, hall", "blue door, attic", "green lamp, hall", "a bird sings")
    assert texts(store.pick(3, about="which door is in the hall?")) == [
        "red door, hall", "green lamp, hall", "blue door, attic"]  # fmt: skip


@given(st.lists(st.text(max_size=30), max_size=40), st.integers(1, 5), st.text(max_size=20))
def test_store_is_bounded_unique_and_deterministic(given, limit, about):
    one, two = filled(*given, limit=limit), filled(*given, limit=limit)
    assert len(one) <= limit
    assert len({n.number for n in one}) == len(one)
    assert one.pick(3, about) == two.pick(3, about)
    before = len(one)
    for text in texts(one):
        one.add(text)
    assert len(one) == before


def test_only_pages_with_title_are_shown_to_act():
    notes = Notes()
    notes.write("plan", "1. go left", title="Your plan")
    notes.write("verdict", "failed")
    assert [p.text for p in notes.parts()] == ["Your plan:\n1. go left"]
    assert notes.read("verdict") == "failed" and notes.read("nothing") == ""
