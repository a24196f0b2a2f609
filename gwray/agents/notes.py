"""Notes of an agent during an episode: bounded stores of short texts, and one page per module. Clues, skills and rules
are short texts, of which a limited number is kept, none twice; a prompt shows the few that fit the situation. What is
kept and picked depends only on what was added in which order, so notes come out the same at a replay."""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gwray.agents.messages import Text
from gwray.errors import UsageError

Similarity = Callable[[str, str], float]
"""Returns the similarity of two texts, 0 to 1. Must be deterministic."""
MAX_CHARACTERS = 2000
"""Characters of one page or note. Longer texts are cut, so that no reply can inflate the prompts that follow it."""


@dataclass(frozen=True)
class Note:
    """One short text in a store."""

    number: int
    """Counted from 1 and never reused, so that a model can refer to the note."""
    text: str
    topic: str = ""
    """Place where a clue was found, or purpose of a skill. The same text on two topics is two notes."""


class NoteStore:
    """Holds at most `limit` notes, none twice. Iterates from the oldest to the newest by time of last change.

    Args:
        limit: number of notes to keep; beyond it, the note that was unchanged for longest is dropped.

    Raises:
        UsageError: `limit` is below 1.

    Example:

        clues = NoteStore(limit=150)
        clues.add("the clock has stopped at 4:15", topic="hall")
        clues.pick(5, about="a safe with a dial of hours")
    """

    def __init__(self, limit: int = 100):
        if limit < 1:
            raise UsageError(f"a store of {limit} notes keeps nothing: give a limit of 1 or more")
        self._limit = limit
        self._notes: dict[tuple[str, ...], Note] = {}
        """By the words of topic and text, newest last."""
        self._numbers: dict[tuple[str, ...], int] = {}
        """Numbers of the notes that `put` added, by key."""
        self._count = 0

    def __iter__(self) -> Iterator[Note]:
        return iter(list(self._notes.values()))

    def __len__(self) -> int:
        return len(self._notes)

    def add(self, text: str, topic: str = "") -> Note | None:
        """Adds a text and returns its note; None if it has no words. If a note on the same topic has the same words,
        that note becomes the newest and is returned."""
        return self._keep(text, topic, None)

    def put(self, key: tuple[str, ...], text: str, topic: str = "") -> None:
        """Adds a text under a key, or replaces the text of the note that was put under this key before."""
        note = self.change(self._numbers.get(key, 0), text) or self.add(text, topic)
        if note is not None:
            self._numbers[key] = note.number

    def change(self, number: int, text: str) -> Note | None:
        """Replaces the text of a note, keeping its number, and returns the note; None if there is no such note, or no
        word in the text. If another note has the same words, that one remains and this one is dropped."""
        old = self.get(number)
        if old is None or not words(text):
            return None
        self.drop(number)
        return self._keep(text, old.topic, number)

    def drop(self, *numbers: int) -> int:
        """Removes notes; returns how many existed."""
        keys = [key for key, note in self._notes.items() if note.number in numbers]
        for key in keys:
            del self._notes[key]
        return len(keys)

    def clear(self) -> None:
        """Removes all notes; their numbers are not reused."""
        self._notes.clear()

    def get(self, number: int) -> Note | None:
        """Returns the note with that number, or None."""
        return next((n for n in self._notes.values() if n.number == number), None)

    def pick(self, count: int, about: str = "", at_least: float = 0.0, similar: Similarity | None = None) -> list[Note]:
        """Returns up to `count` notes, best first.

        Args:
            count: maximum number of notes.
            about: text to match; notes that share most words with it come first, the newest first among equals.
                Empty: the newest notes.
            at_least: minimum similarity, from 0 (none) to 1 (the same words).
            similar: function of two texts that gives their similarity; None: by shared words. It compares a note's
                topic, if it has one, as its description.
        """
        wanted = frozenset(words(about))
        newest = list(reversed(self._notes.values()))
        if not wanted:
            return newest[:count]
        if similar is not None:
            scored = [(similar(about, n.topic or n.text), n) for n in newest]
        else:
            scored = [(overlap(wanted, frozenset(words(f"{n.topic} {n.text}"))), n) for n in newest]
        ranked = sorted((s for s in scored if s[0] >= at_least), key=lambda s: -s[0])
        return [note for _, note in ranked[:count]]

    def _keep(self, text: str, topic: str, number: int | None) -> Note | None:
        """Stores a text as the newest note and drops the oldest beyond the limit. `number`: None for a new number."""
        text, topic = cut(text), cut(topic)
        if not words(text):
            return None
        key = (*words(topic), "", *words(text))
        note = self._notes.pop(key, None)
        if note is None:
            self._count += number is None
            note = Note(number or self._count, text, topic)
        self._notes[key] = note
        while len(self._notes) > self._limit:
            del self._notes[next(iter(self._notes))]
        return note


class Notes:
    """The notes that the modules of one agent share: pages, and stores by name. A page with a title is part of the
    prompt for an action; a page without one is for other modules only."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[str, str]] = {}
        self.stores: dict[str, NoteStore] = {}
        """The stores that exist, by name."""

    def write(self, page: str, text: str, title: str = "") -> None:
        """Replaces a page; an empty text removes it."""
        self._pages.pop(page, None)
        if text := cut(text):
            self._pages[page] = (title, text)

    def write_list(self, page: str, notes: Iterable[Note], title: str) -> None:
        """Replaces a page with notes, one a line with its number, in the given order; no note removes the page. The
        page may be longer than `MAX_CHARACTERS`: notes and stores have limits of their own."""
        self._pages.pop(page, None)
        lines = [f"{n.number}. {n.text}" + (f" ({n.topic})" if n.topic else "") for n in notes]
        if lines:
            self._pages[page] = (title, "\n".join(lines))

    def read(self, page: str) -> str:
        """Returns the text of a page; empty if there is none."""
        return self._pages.get(page, ("", ""))[1]

    def store(self, name: str, limit: int = 100) -> NoteStore:
        """Returns the store with that name; the first call creates it with that limit."""
        if name not in self.stores:
            self.stores[name] = NoteStore(limit)
        return self.stores[name]

    def parts(self) -> tuple[Text, ...]:
        """Returns the pages with a title as parts of a prompt, in the order in which they were written."""
        return tuple(Text(f"{title}:\n{text}") for title, text in self._pages.values() if title)


def words(text: str) -> tuple[str, ...]:
    """Returns the words of a text, case-folded, without punctuation."""
    return tuple(re.findall(r"\w+", text.casefold()))


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Returns the similarity of two sets of words, 0 to 1: the cosine of their indicator vectors."""
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0


def cut(text: str) -> str:
    """Returns the text without surrounding whitespace, cut to `MAX_CHARACTERS`."""
    text = text.strip()
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1].rstrip() + "…"
