"""Note stores are bounded, free of duplicates and deterministic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwray.agents.notes import MAX_CHARACTERS, Notes, NoteStore
from gwray.errors import UsageError


def texts(notes) -> list[str]:
    return [n.text for n in notes]


def filled(*given: str, limit: int = 100) -> NoteStore:
    store = NoteStore(limit)
    for text in given:
        store.add(text)
    return store


def test_the_same_words_are_kept_once_and_become_the_freshest():
    store = filled("The safe is locked.", "A key lies on the desk")
    again = store.add("the SAFE is locked!")
    assert again is not None and again.number == 1
    assert texts(store) == ["A key lies on the desk", "The safe is locked."]


def test_the_same_words_on_two_topics_are_two_notes():
    store = NoteStore()
    assert store.add("a locked drawer", topic="hall") != store.add("a locked drawer", topic="attic")
    assert len(store) == 2
    store.add("a locked drawer", topic="Hall")
    assert len(store) == 2


def test_one_changed_digit_is_another_note():
    assert len(filled("the code on the wall reads 4 1 3", "the code on the wall reads 4 1 5")) == 2


def test_store_drops_longest_unchanged_note():
    store = filled("one", "two", "three", limit=3)
    store.add("one")
    store.add("four")
    assert texts(store) == ["three", "one", "four"]


def test_a_number_is_never_given_twice():
    store = filled("one", "two")
    assert store.drop(2) == 1
    note = store.add("two")
    assert note is not None and note.number == 3


def test_a_changed_note_keeps_number_and_topic_and_is_fresh():
    store = NoteStore()
    store.add("push the crate left", topic="crates")
    store.add("wait for the lift")
    note = store.change(1, "push the crate right")
    assert note is not None and (note.number, note.topic) == (1, "crates")
    assert texts(store) == ["wait for the lift", "push the crate right"]


def test_a_note_that_is_changed_into_another_goes():
    store = filled("walk", "run")
    note = store.change(1, "Run.")
    assert note is not None and note.number == 2 and len(store) == 1


@pytest.mark.parametrize(("number", "text"), [(9, "something"), (1, " … ")])
def test_a_change_of_nothing_or_to_nothing_changes_nothing(number, text):
    store = filled("walk")
    assert store.change(number, text) is None
    assert texts(store) == ["walk"]


def test_pick_prefers_shared_words_then_newest():
    store = filled("red door, hall", "blue door, attic", "green lamp, hall", "a bird sings")
    assert texts(store.pick(3, about="which door is in the hall?")) == [
        "red door, hall", "green lamp, hall", "blue door, attic"]  # fmt: skip


def test_a_topic_counts_when_a_note_is_picked():
    store = NoteStore()
    store.add("turn it twice", topic="lamp")
    store.add("turn it once", topic="wheel")
    assert texts(store.pick(1, about="the lamp")) == ["turn it twice"]


def test_what_overlaps_too_little_is_not_picked():
    store = filled("red door", "a bird sings")
    assert texts(store.pick(5, about="red door", at_least=0.8)) == ["red door"]
    assert store.pick(5, about="a boat", at_least=0.8) == []


def test_without_a_subject_the_freshest_are_picked():
    assert texts(filled("one", "two", "three").pick(2)) == ["three", "two"]


def test_a_text_without_words_is_no_note():
    store = NoteStore()
    assert store.add("  … ") is None and len(store) == 0


def test_a_store_that_keeps_nothing_is_refused():
    with pytest.raises(UsageError, match="1 or more"):
        NoteStore(limit=0)


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


def test_page_is_replaced_and_empty_text_removes_it():
    notes = Notes()
    notes.write("plan", "1. go left", title="Your plan")
    notes.write("plan", "1. go right", title="Your plan")
    assert [p.text for p in notes.parts()] == ["Your plan:\n1. go right"]
    notes.write("plan", "  ")
    assert notes.parts() == ()


def test_no_reply_can_swell_the_prompts_that_follow_it():
    notes = Notes()
    notes.write("plan", "go " * 100_000, title="Your plan")
    assert len(notes.read("plan")) <= MAX_CHARACTERS
    note = NoteStore().add("go " * 100_000)
    assert note is not None and len(note.text) <= MAX_CHARACTERS


def test_a_store_is_the_same_one_whenever_it_is_asked_for():
    notes = Notes()
    notes.store("clues").add("a key")
    assert texts(notes.store("clues")) == ["a key"] and len(notes.store("rules")) == 0
