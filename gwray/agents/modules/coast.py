"""The questions of COAST: what clues are here, which clue belongs to which memory, and whether a goal is reached. Each
question is answered in JSON; parts of another form are dropped and change nothing. `gwray.agents.coast` decides which
question is asked when. After the clue-oriented agent of FlashAdventure; the prompts are our own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gwray.agents.base import Ask, Observation
from gwray.agents.context import AgentContext
from gwray.agents.formats.loose_json import json_objects
from gwray.agents.modules.base import Module, Turn
from gwray.agents.notes import Note, Notes, NoteStore, words
from gwray.records import storable
from gwray.spec import AgentSpec

CLUE_TYPES = ("item", "note", "code", "visual cue", "status", "conversation")
CHANGES = ("item", "area", "stat", "story")
"""Changes in the game by which a goal counts as reached."""
MAX_CHARACTERS = 400
"""Characters kept of one field of a clue or a goal."""
MEMORY: Mapping[str, Any] = {"max_clues": 150, "episodic_window": 10}


@dataclass(frozen=True)
class Goal:
    """An action to try with a clue."""

    action: str
    clue: str = ""
    memory: str = ""

    @property
    def text(self) -> str:
        return f"{self.clue}: {self.action}" if self.clue else self.action


class _CoastModule(Module):
    """Accesses what COAST remembers of an episode: clues, recent actions, goals that were reached."""

    field: ClassVar[str]
    """Field that an answer must have; other answers are ignored."""

    @classmethod
    def clues(cls, notes: Notes, settings: Mapping[str, Any]) -> NoteStore:
        return notes.store("clues", settings["max_clues"])

    @classmethod
    def done(cls, notes: Notes, settings: Mapping[str, Any]) -> NoteStore:
        """Returns the episodic memory: what was done lately, and where."""
        return notes.store("done", settings["episodic_window"])

    def reached_goals(self, notes: Notes) -> NoteStore:
        return notes.store("resolved", self.settings["max_clues"])

    @classmethod
    def answers(cls, answer: str) -> Iterator[Mapping[str, Any]]:
        """Yields the JSON objects of an answer that have this module's field."""
        return (found for found in json_objects(answer) if cls.field in found)

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        """Stores the action that an answer reports, and where it took place."""
        for found in cls.answers(answer):
            done = found.get("done")
            if isinstance(done, Mapping) and (action := _text(done.get("action"))):
                cls.done(notes, settings).add(action, topic=_text(done.get("place")))

    def memory_parts(self, notes: Notes) -> list[str]:
        """Returns clues and episodic memory as parts of a prompt."""
        return [
            f"Clues until now:\n{_lines(self.clues(notes, self.settings))}",
            f"What you did lately, oldest first:\n{_lines(self.done(notes, self.settings))}",
        ]


class Seek(_CoastModule):
    """Looks for clues on the screen."""

    name = "seek"
    template = "seek.jinja"
    field = "clues"
    options: ClassVar[Mapping[str, Any]] = {**MEMORY, "seek_steps": None}
    note_kinds: ClassVar[Mapping[str, str]] = {"clues": "clue", "done": "done"}

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        clues = cls.clues(notes, settings)
        for found in cls.answers(answer):
            for clue in found["clues"] if isinstance(found["clues"], list) else ():
                if not isinstance(clue, Mapping):
                    continue
                name, what, kind = (_text(clue.get(k)) for k in ("clue", "description", "type"))
                if not words(name) or not words(what) or kind.lower().replace("_", " ") not in CLUE_TYPES:
                    continue
                hint, place = _text(clue.get("usage_hint")), _text(clue.get("location"))
                text = f"{name} ({kind}): {what}" + (f" Perhaps: {hint}" if hint else "")
                clues.put((*words(place), "", *words(name)), text, topic=place)
        super().learn(answer, notes, settings)
        _goals(notes).clear()  # the agent seeks only while there is no goal

    async def run(self, turn: Turn, ask: Ask) -> None:
        last = [f"Your last action: {turn.last.actions}"] if turn.last else []
        parts = [*self.memory_parts(turn.notes), *last, *self.context.observation_parts(turn.observation, self.by)]
        self.learn(await self.query(ask, parts, neutral='{"clues": []}'), turn.notes, self.settings)


class Map(_CoastModule):
    """Matches clues to memories and proposes what to try. Sees text only, without the screen."""

    name = "map"
    template = "map.jinja"
    field = "matches"
    options: ClassVar[Mapping[str, Any]] = {**MEMORY, "matches": 5}
    note_kinds: ClassVar[Mapping[str, str]] = {"goals": "goal"}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self.goals: list[Goal] = []
        """Goals of the last answer, without those that were reached before."""

    @classmethod
    def goals_in(cls, answer: str) -> Iterator[Goal]:
        """Yields the goals in an answer, including those that were reached before."""
        for found in cls.answers(answer):
            for match in found["matches"] if isinstance(found["matches"], list) else ():
                if isinstance(match, Mapping):
                    clue, memory, action = (_text(match.get(k)) for k in ("clue", "related_memory", "expected_action"))
                    if words(clue) and words(action):
                        yield Goal(action, clue, memory)

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        goals = _goals(notes)
        goals.clear()
        for goal in [*cls.goals_in(answer)][: settings["matches"]]:
            goals.add(goal.text)

    async def run(self, turn: Turn, ask: Ask) -> None:
        reached = self.reached_goals(turn.notes)
        listed = f"Goals that were reached, not to be tried again:\n{_lines(reached)}"
        answer = await self.query(ask, [*self.memory_parts(turn.notes), listed], neutral="[Nobody]")
        self.learn(answer, turn.notes, self.settings)
        self.goals = []
        known = {frozenset(words(note.text)) for note in reached}
        for goal in self.goals_in(answer):
            key = frozenset(words(goal.text))
            if key not in known and len(self.goals) < self.settings["matches"]:
                known.add(key)
                self.goals.append(goal)


class Solve(_CoastModule):
    """Says after an action whether the goal is reached. The answer counts only if the screen differs from the one at
    which the goal was set, and if it names a change in the game."""

    name = "solve"
    template = "solve.jinja"
    field = "result"
    options: ClassVar[Mapping[str, Any]] = {
        **MEMORY, "solve_steps": None, "solve_scope": "per_goal", "max_cycles": 0
    }  # fmt: skip
    note_kinds: ClassVar[Mapping[str, str]] = {"done": "done"}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self.reached = False
        """Whether the last answer counts as reached."""
        self._goal: Goal | None = None
        self._before: Observation | None = None

    def set_goal(self, goal: Goal, observation: Observation) -> None:
        """Starts working on a goal, from this observation."""
        self._goal, self._before = goal, observation

    async def run(self, turn: Turn, ask: Ask) -> None:
        goal, before = self._goal, self._before
        assert goal is not None and before is not None
        parts = [f"Your goal: {goal.text}", f"Why: {goal.memory}"][: 1 + bool(goal.memory)]
        parts += [f"Your last action: {turn.last.actions}"] if turn.last else []
        parts = [*parts, *self.context.observation_parts(turn.observation, self.by)]
        answer = await self.query(ask, parts, neutral='{"result": "fail"}')
        self.learn(answer, turn.notes, self.settings)
        self.reached = any(
            _text(found["result"]).lower() == "success" and _text(found.get("changed")).lower() in CHANGES
            for found in self.answers(answer)
        ) and _differs(before, turn.observation)
        if self.reached and goal.clue:
            self.reached_goals(turn.notes).add(goal.text)


def _goals(notes: Notes) -> NoteStore:
    """Returns the goals of the last map, for readers of an episode."""
    return notes.store("goals", limit=1000)


def _differs(before: Observation, now: Observation) -> bool:
    """Whether text or first image differ. Compares images for equality only, which gives the same result in every
    browser."""
    return before.text != now.text or [v.data for v in before.views[:1]] != [v.data for v in now.views[:1]]


def _lines(notes: NoteStore | list[Note]) -> str:
    """Returns the notes in order of their numbers, one per line, with their topics."""
    ordered = sorted(notes, key=lambda n: n.number)
    return "\n".join(f"{n.number}. {n.text}" + (f" [{n.topic}]" if n.topic else "") for n in ordered) or "none"


def _text(value: Any) -> str:
    return " ".join(storable(value).split())[:MAX_CHARACTERS] if isinstance(value, str) else ""
