"""The questions of COAST: what is there to be found, which clue belongs to which memory, and whether a goal is reached.

Each is asked for JSON; what is not of that form is dropped and changes nothing. When which is asked is the agent's
affair (`gwray.agents.coast`). After the clue-oriented agent of FlashAdventure; the wording is our own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gwray.agents.base import Ask, Observation
from gwray.agents.context import AgentContext
from gwray.agents.formats.loose_json import json_objects
from gwray.agents.modules.base import Module, Turn, validate_int
from gwray.agents.notes import Note, Notes, Store, words
from gwray.records import storable
from gwray.spec import AgentSpec

CLUE_TYPES = ("item", "note", "code", "visual cue", "status", "conversation")
CHANGES = ("item", "area", "stat", "story")
"""What a goal that is reached has changed in the game."""
MOST_TEXT = 400
"""Characters of one thing that a model says about a clue or a goal."""
MEMORY: Mapping[str, Any] = {"max_clues": 150, "episodic_window": 10}


@dataclass(frozen=True)
class Goal:
    """What to try with a clue."""

    action: str
    clue: str = ""
    memory: str = ""

    @property
    def text(self) -> str:
        return f"{self.clue}: {self.action}" if self.clue else self.action


class _Remembering(Module):
    """Reads and writes what an episode of COAST remembers: clues, what was done, goals that were reached."""

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        said = {**MEMORY, **self.settings}
        self._most_clues = validate_int("agent.options.max_clues", said["max_clues"])
        self._window = validate_int("agent.options.episodic_window", said["episodic_window"])

    def clues(self, notes: Notes) -> Store:
        return notes.store("clues", self._most_clues)

    def done(self, notes: Notes) -> Store:
        return notes.store("done", self._window)

    def resolved(self, notes: Notes) -> Store:
        return notes.store("resolved", self._most_clues)

    def remember(self, notes: Notes, answer: str) -> None:
        """What an answer of this module says was done."""
        keep_done(answer, self.name, self.done(notes))

    def remembered(self, notes: Notes) -> list[str]:
        """Clues and episodic memory, in words."""
        return [
            f"Clues until now:\n{lines(self.clues(notes))}",
            f"What you did lately, oldest first:\n{lines(self.done(notes))}",
        ]


class Seek(_Remembering):
    """Looks for clues on the screen."""

    name = "seek"
    template = "seek.jinja"
    options: ClassVar[Mapping[str, Any]] = {**MEMORY, "seek_steps": None}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._numbers: dict[tuple[str, ...], int] = {}

    async def run(self, turn: Turn, ask: Ask) -> None:
        last = [f"Your last action: {turn.last.actions}"] if turn.last else []
        parts = [*self.remembered(turn.notes), *last, *self.context.observation_parts(turn.observation, self.by)]
        said = await self.query(ask, parts, neutral='{"clues": []}')
        keep_clues(said, self.clues(turn.notes), self._numbers)
        self.remember(turn.notes, said)


class Map(_Remembering):
    """Looks for memories that a clue belongs to, and says what to try: words only, without the screen."""

    name = "map"
    template = "map.jinja"
    options: ClassVar[Mapping[str, Any]] = {**MEMORY, "matches": 5}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._most = validate_int("agent.options.matches", self.settings["matches"])
        self.goals: list[Goal] = []
        """Of the last answer, those that were reached before left out."""

    async def run(self, turn: Turn, ask: Ask) -> None:
        reached = f"Goals that were reached, not to be tried again:\n{lines(self.resolved(turn.notes))}"
        said = await self.query(ask, [*self.remembered(turn.notes), reached], neutral="[Nobody]")
        self.goals = []
        resolved = {_key(note.text) for note in self.resolved(turn.notes)}
        for goal in matched(said):
            if _key(goal.text) not in resolved and len(self.goals) < self._most:
                resolved.add(_key(goal.text))
                self.goals.append(goal)


class Solve(_Remembering):
    """Says after an action whether a goal is reached. It is only if the screen is not the one that it was taken up
    on, and if the answer says what has changed in the game."""

    name = "solve"
    template = "solve.jinja"
    options: ClassVar[Mapping[str, Any]] = {
        **MEMORY, "solve_steps": None, "solve_scope": "per_goal", "max_cycles": 0
    }  # fmt: skip

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self.reached = False
        """The answer to the last question, as far as it is believed."""
        self._goal: Goal | None = None
        self._before: Observation | None = None

    def take_up(self, goal: Goal, observation: Observation) -> None:
        """Work on a goal from now on."""
        self._goal, self._before = goal, observation

    async def run(self, turn: Turn, ask: Ask) -> None:
        goal, before = self._goal, self._before
        assert goal is not None and before is not None
        parts = [f"Your goal: {goal.text}", f"Why: {goal.memory}"][: 1 + bool(goal.memory)]
        parts += [f"Your last action: {turn.last.actions}"] if turn.last else []
        said = await self.query(
            ask, [*parts, *self.context.observation_parts(turn.observation, self.by)], neutral='{"result": "fail"}'
        )
        self.reached = False
        self.remember(turn.notes, said)
        for found in objects_with(said, "result"):
            named = _text(found.get("changed")).lower() in CHANGES
            if _text(found["result"]).lower() == "success" and named and _changed(before, turn.observation):
                self.reached = True
        if self.reached and goal.clue:
            self.resolved(turn.notes).add(goal.text)


def _changed(before: Observation, now: Observation) -> bool:
    """Whether anything that is seen is other than before. That two pictures are equal says the same in every browser;
    what is in them is not read."""
    return before.text != now.text or [v.data for v in before.views[:1]] != [v.data for v in now.views[:1]]


def keep_clues(answer: str, clues: Store, numbers: dict[tuple[str, ...], int]) -> None:
    """Keep the clues of a seeker's answer. One of the same name in the same place is the same one, said anew; `numbers`
    holds their notes' numbers by both."""
    for found in objects_with(answer, "clues"):
        for clue in found["clues"] if isinstance(found["clues"], list) else ():
            if not isinstance(clue, Mapping):
                continue
            name, what, kind = (_text(clue.get(k)) for k in ("clue", "description", "type"))
            if not words(name) or not words(what) or kind.lower().replace("_", " ") not in CLUE_TYPES:
                continue
            hint, place = _text(clue.get("usage_hint")), _text(clue.get("location"))
            text = f"{name} ({kind}): {what}" + (f" Perhaps: {hint}" if hint else "")
            key = (*words(place), "", *words(name))
            note = clues.change(numbers.get(key, 0), text) or clues.add(text, topic=place)
            if note is not None:
                numbers[key] = note.number


def keep_done(answer: str, module: str, done: Store) -> None:
    """Keep the items of episodic memory in an answer of the seeker or the solver: what was done, and where."""
    for found in objects_with(answer, "clues" if module == Seek.name else "result"):
        given = found.get("done")
        if isinstance(given, Mapping) and (action := _text(given.get("action"))):
            done.add(action, topic=_text(given.get("place")))


def matched(answer: str) -> Iterator[Goal]:
    """The goals in a mapper's answer, whether they were reached before or not."""
    for found in objects_with(answer, "matches"):
        for match in found["matches"] if isinstance(found["matches"], list) else ():
            goal = _goal(match)
            if goal is not None:
                yield goal


def objects_with(answer: str, name: str) -> Iterator[Mapping[str, Any]]:
    """The JSON objects of an answer that have that field."""
    return (found for found in json_objects(answer) if name in found)


def lines(notes: Store | list[Note]) -> str:
    """Notes by their numbers, with the place that they are of."""
    ordered = sorted(notes, key=lambda n: n.number)
    return "\n".join(f"{n.number}. {n.text}" + (f" [{n.topic}]" if n.topic else "") for n in ordered) or "none"


def _goal(match: Any) -> Goal | None:
    if not isinstance(match, Mapping):
        return None
    clue, memory, action = (_text(match.get(k)) for k in ("clue", "related_memory", "expected_action"))
    return Goal(action, clue, memory) if words(clue) and words(action) else None


def _key(text: str) -> frozenset[str]:
    return frozenset(words(text))


def _text(value: Any) -> str:
    return " ".join(storable(value).split())[:MOST_TEXT] if isinstance(value, str) else ""
