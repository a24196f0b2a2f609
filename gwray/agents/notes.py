"""What an agent keeps during an episode: bounded stores of short texts, and what its parts said last.

Clues, skills, rules: whatever they are called, they are short texts of which only so many are kept, none twice, and of
which the few are wanted that fit what is going on. What is kept and what is picked depends on nothing but what was put
in, in which order; so notes come out the same when an episode is played again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gwray.agents.messages import Text
from gwray.errors import UsageError

MAX_CHARACTERS = 2000
"""Of one page or note; what is longer is cut, so that no reply can swell the prompts that follow it."""


@dataclass(frozen=True)
class Note:
    """One short text in a store."""

    number: int
    """Counted from 1, never given twice: by it a model can say which one it means."""
    text: str
    topic: str = ""
    """What it is about: where a clue was found, what a skill is for. The same text on two topics is two notes."""


class Store:
    """At most `limit` notes, none twice. Iterates from the one that was forgotten longest ago to the freshest.

    Example:

        clues = Store(limit=150)
        clues.add("the clock has stopped at 4:15", topic="hall")
        clues.pick(5, about="a safe with a dial of hours")
    """

    def __init__(self, limit: int = 100):
        """`limit`: how many are kept; beyond it goes the one that was not added or changed for longest."""
        if limit < 1:
            raise UsageError(f"a store of {limit} notes keeps nothing: give a limit of 1 or more")
        self._limit = limit
        self._notes: dict[tuple[str, ...], Note] = {}
        """By their words, freshest last."""
        self._count = 0

    def __iter__(self) -> Iterator[Note]:
        return iter(list(self._notes.values()))

    def __len__(self) -> int:
        return len(self._notes)

    def add(self, text: str, topic: str = "") -> Note | None:
        """Keep a text, and return its note; None if there are no words in it.

        One that says the same words as another on the same topic is that other, which becomes the freshest.
        """
        return self._keep(text, topic, None)

    def change(self, number: int, text: str) -> Note | None:
        """Say a note in other words, under the same number; None if there is no such note or no word in the text.

        If another note says these words already, that one remains and this one goes.
        """
        old = self.get(number)
        if old is None or not words(text):
            return None
        self.drop(number)
        return self._keep(text, old.topic, number)

    def drop(self, *numbers: int) -> int:
        """Forget notes; returns how many there were."""
        gone = [key for key, note in self._notes.items() if note.number in numbers]
        for key in gone:
            del self._notes[key]
        return len(gone)

    def get(self, number: int) -> Note | None:
        """The note of that number, or None."""
        return next((n for n in self._notes.values() if n.number == number), None)

    def pick(self, count: int, about: str = "", at_least: float = 0.0) -> list[Note]:
        """Up to `count` notes, the best first: those that share most words with `about`, of equal ones the freshest.

        `at_least`: the overlap that a note must have, 0 (none) to 1 (the same words). Without `about`: the freshest.
        """
        asked = frozenset(words(about))
        fresh = list(reversed(self._notes.values()))
        if not asked:
            return fresh[:count]
        fits = [(overlap(asked, frozenset(words(f"{n.topic} {n.text}"))), n) for n in fresh]
        ranked = sorted((f for f in fits if f[0] >= at_least), key=lambda f: -f[0])
        return [note for _, note in ranked[:count]]

    def _keep(self, text: str, topic: str, number: int | None) -> Note | None:
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
    """What the modules of one agent tell each other: one page of each, and stores by name.

    A page with a title is shown to the module that acts; one without is between modules.
    """

    def __init__(self) -> None:
        self._pages: dict[str, tuple[str, str]] = {}
        self._stores: dict[str, Store] = {}

    def write(self, page: str, text: str, title: str = "") -> None:
        """Replace a page; an empty text takes it away."""
        self._pages.pop(page, None)
        if text := cut(text):
            self._pages[page] = (title, text)

    def write_list(self, page: str, notes: Iterable[Note], title: str) -> None:
        """Replace a page by notes, one a line with its number, in the order of these; each is as long as a note may be,
        and there are as many as their store holds."""
        self._pages.pop(page, None)
        lines = [f"{n.number}. {n.text}" + (f" ({n.topic})" if n.topic else "") for n in notes]
        if lines:
            self._pages[page] = (title, "\n".join(lines))

    def read(self, page: str) -> str:
        """What a page says; empty if nobody wrote it."""
        return self._pages.get(page, ("", ""))[1]

    def store(self, name: str, limit: int = 100) -> Store:
        """The store of that name, made when it is asked for first."""
        return self._stores.setdefault(name, Store(limit))

    def parts(self) -> tuple[Text, ...]:
        """The pages that have a title, as parts of a prompt, in the order in which they were written."""
        return tuple(Text(f"{title}:\n{text}") for title, text in self._pages.values() if title)


def words(text: str) -> tuple[str, ...]:
    """The words of a text, small, without punctuation."""
    return tuple(re.findall(r"\w+", text.casefold()))


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """How alike two sets of words are, 0 to 1: the cosine of their indicator vectors."""
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0


def cut(text: str) -> str:
    """The text without blanks around it, and not longer than it may be."""
    text = text.strip()
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1].rstrip() + "…"
