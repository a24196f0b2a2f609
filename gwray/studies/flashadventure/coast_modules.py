"""The questions of COAST: seek clues and act, match clues to memories, act for a goal and say whether it is reached.
The acting questions are answered by an action and a report in JSON, between `<report>` and `</report>`; reports of
another form are dropped and change nothing. `coast` decides which question is asked when. After the
clue-oriented agent of FlashAdventure; the prompts are our own."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from gwray.agents import (
    AgentContext,
    Ask,
    Decision,
    Module,
    Note,
    Notes,
    NoteStore,
    Turn,
    json_objects,
    strip_thinking,
    words,
)
from gwray.records import storable
from gwray.settings import AgentSpec

CLUE_TYPES = ("item", "note", "code", "visual cue", "status", "conversation")
CHANGES = ("item", "area", "stat", "story")
"""Changes in the game by which a goal counts as reached."""
MAX_CHARACTERS = 400
"""Characters kept of one field of a clue or a goal."""
MEMORY: Mapping[str, Any] = {"max_clues": 0, "episodic_window": 0}
"""How many clues and actions are remembered; 0 means all."""
ALL = 1_000_000
REPORT = re.compile(r"<report>.*?</report>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Goal:
    """An action to try with a clue, and the memory to which the clue may belong."""

    action: str
    clue: str = ""
    memory: str = ""

    @property
    def text(self) -> str:
        return f"{self.clue}: {self.action}" if self.clue else self.action


class _CoastModule(Module):
    """Accesses what COAST remembers of an episode: clues, actions, goals that were reached."""

    @classmethod
    def clues(cls, notes: Notes, settings: Mapping[str, Any]) -> NoteStore:
        return notes.store("clues", settings["max_clues"] or ALL)

    @classmethod
    def done(cls, notes: Notes, settings: Mapping[str, Any]) -> NoteStore:
        """Returns the episodic memory: what was done, and where."""
        return notes.store("done", settings["episodic_window"] or ALL)

    def reached_goals(self, notes: Notes) -> NoteStore:
        return notes.store("resolved", ALL)


class Acting(_CoastModule):
    """Asks for an action and a report in one question."""

    acts = True
    part: ClassVar[str]
    """Instructions on the report: the name of a file in the prompts folder."""
    keeps_report: ClassVar[bool] = False
    """Whether past rounds are repeated with their reports."""

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._part = context.text_for(self.part, **self.settings)
        self.report = ""
        """The report of the last reply, with its marks; empty if there was none."""

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        """Stores the action that a report names, and where it took place."""
        for found in json_objects(report_in(answer)):
            done = found.get("done")
            if isinstance(done, Mapping) and (action := _text(done.get("action"))):
                cls.done(notes, settings).add(action, topic=_text(done.get("place")))

    def says_reached(self) -> bool:
        """Whether the last report says that the goal is reached, and names a change in the game."""
        return any(
            _text(found.get("result")).lower() == "success" and _text(found.get("changed")).lower() in CHANGES
            for found in json_objects(self.report)
        )

    async def run(self, turn: Turn, ask: Ask) -> Decision:
        prompt = self.context.action_prompt(turn.observation, more=turn.notes.parts())
        system = f"{prompt.system}\n\n{self._part}"
        prompt = replace(prompt, system=system, module=self.name, schema=None, pattern="", text_and_call=True)
        (reply,) = await ask(prompt)
        answer = strip_thinking(reply.text)
        self.report = report_in(answer)
        self.learn(answer, turn.notes, self.settings)
        return self.context.decide(reply, self.report, keep_report=self.keeps_report)


class Seek(Acting):
    """Looks for clues on the screen, and acts to find more."""

    name = "seek"
    part = "seek.jinja"
    options: ClassVar[Mapping[str, Any]] = {**MEMORY, "seek_steps": None}
    note_kinds: ClassVar[Mapping[str, str]] = {"clues": "clue", "done": "done"}

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        clues = cls.clues(notes, settings)
        for found in json_objects(report_in(answer)):
            given = found.get("clues")
            for clue in given if isinstance(given, list) else ():
                if not isinstance(clue, Mapping):
                    continue
                name, what, kind = (_text(clue.get(k)) for k in ("clue", "description", "type"))
                if not words(name) or not words(what) or kind.lower().replace("_", " ") not in CLUE_TYPES:
                    continue
                hint, place = _text(clue.get("usage_hint")), _text(clue.get("location"))
                kind += ", usable" * (clue.get("interactable") is True)
                text = f"{name} ({kind}): {what}" + (f"; perhaps: {hint}" if hint else "")
                clues.put((*words(place), "", *words(name)), text, topic=place)
        super().learn(answer, notes, settings)
        _goals(notes).clear()  # the agent seeks only while there is no goal


class Map(_CoastModule):
    """Matches clues to memories and proposes what to try. Sees text only, without the screen."""

    name = "map"
    template = "map.jinja"
    options: ClassVar[Mapping[str, Any]] = {**MEMORY, "matches": 5}
    note_kinds: ClassVar[Mapping[str, str]] = {"goals": "goal"}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self.goals: list[Goal] = []
        """Goals of the last answer, without those that were reached before."""

    @classmethod
    def goals_in(cls, answer: str) -> Iterator[Goal]:
        """Yields the goals in an answer, including those that were reached before."""
        for found in json_objects(answer):
            given = found.get("matches")
            for match in given if isinstance(given, list) else ():
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
        parts = [
            f"Clues until now:\n{_lines(self.clues(turn.notes, self.settings))}",
            f"What was done, oldest first:\n{_lines(self.done(turn.notes, self.settings))}",
            f"Goals that were reached, not to be tried again:\n{_lines(reached)}",
        ]
        answer = await self.query(ask, parts, neutral="[Nobody]")
        self.learn(answer, turn.notes, self.settings)
        self.goals = []
        known = {frozenset(words(note.text)) for note in reached}
        for goal in self.goals_in(answer):
            key = frozenset(words(goal.text))
            if key not in known and len(self.goals) < self.settings["matches"]:
                known.add(key)
                self.goals.append(goal)


class Solve(Acting):
    """Acts for a goal, and says whether the last action has reached it."""

    name = "solve"
    part = "solve.jinja"
    options: ClassVar[Mapping[str, Any]] = {
        **MEMORY, "solve_steps": None, "solve_scope": "per_goal"
    }  # fmt: skip
    note_kinds: ClassVar[Mapping[str, str]] = {"done": "done"}


class Merged(Acting):
    """The instructions of seeking, mapping and solving together in each question, without a loop and without a memory:
    the published control."""

    name = "merged"
    part = "merged.jinja"
    keeps_report = True
    options: ClassVar[Mapping[str, Any]] = {"matches": 5}

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        """Keeps nothing."""


def report_in(answer: str) -> str:
    """Returns the last report in an answer, with its marks; empty if there is none."""
    return ([*REPORT.findall(answer)] or [""])[-1]


def pair(goal: Goal, clues: NoteStore) -> str:
    """Returns a goal with all that is known of its clue, the related memory and the expected action."""
    if not goal.clue:
        return goal.action
    known = [n for n in clues if words(n.text.partition(" (")[0]) == words(goal.clue)]
    clue = "; ".join(f"{n.text} [{n.topic}]" if n.topic else n.text for n in known) or goal.clue
    memory = f" Related memory: {goal.memory}." if goal.memory else ""
    return f"Clue: {clue}.{memory} Expected action: {goal.action}."


def _goals(notes: Notes) -> NoteStore:
    """Returns the goals of the last map, for readers of an episode."""
    return notes.store("goals", limit=1000)


def _lines(notes: NoteStore | list[Note]) -> str:
    """Returns the notes in order of their numbers, one per line, with their topics."""
    ordered = sorted(notes, key=lambda n: n.number)
    return "\n".join(f"{n.number}. {n.text}" + (f" [{n.topic}]" if n.topic else "") for n in ordered) or "none"


def _text(value: Any) -> str:
    return " ".join(storable(value).split())[:MAX_CHARACTERS] if isinstance(value, str) else ""
