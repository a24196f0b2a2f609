"""Modules of Orak: critique of the last action, one subtask, knowledge, skills, and two kinds of memory.

After Orak; the prompts are our own. Every answer is in `### Section`s, and a section that is missing changes nothing.
"""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask
from gwray.agents.context import AgentContext
from gwray.agents.embedding import similarity
from gwray.agents.messages import Part
from gwray.agents.modules.base import Module, Turn
from gwray.agents.modules.cradle import Curate
from gwray.agents.notes import Notes, NoteStore, words
from gwray.agents.sections import read_sections
from gwray.spec import AgentSpec

BULLET = re.compile(r"^[\s*-]*(?:\d{1,3}[.)])?")
LAST = "last_actions"
"""Page with the actions of the previous turn."""


class _Sectioned(Module):
    """A module whose answer has sections."""

    pages: ClassVar[Mapping[str, str]] = {}
    """Pages of the notes that its question shows, with their titles."""

    async def ask_sections(self, turn: Turn, ask: Ask, *more: Part | str, neutral: str) -> dict[str, str]:
        """Asks with the pages, `more` and the observation; returns the sections of the answer."""
        shown = [f"{title}:\n{text}" for page, title in self.pages.items() if (text := turn.notes.read(page))]
        parts = [*shown, *more, *self.context.observation_parts(turn.observation, self.by)]
        answer = await self.query(ask, parts, neutral=neutral)
        self.learn(answer, turn.notes, self.settings)
        return read_sections(answer)

    def show_last_actions(self, turn: Turn) -> None:
        if turn.last is not None:
            turn.notes.write(LAST, unanswered(turn), title="Your last actions")


def unanswered(turn: Turn) -> str:
    """Returns the actions of the previous turn, empty if the game's answers name each of them."""
    actions, notes = turn.last.actions if turn.last else "", "\n".join(turn.observation.notes)
    return "" if all(f"- {action}: " in notes for action in actions.split("; ")) else actions


class Critique(_Sectioned):
    """Judges the last action from the states before and after it. Skipped until there are two states.

    Writes the page `critique`, and the untitled page `verdict` (worked, failed, unclear) for other modules.
    """

    name = "critique"
    template = "critique.jinja"
    sections = ("Self_reflection", "Success", "Self_reflection_summary")

    async def run(self, turn: Turn, ask: Ask) -> None:
        self.show_last_actions(turn)
        if turn.last is None:
            return
        subtask = turn.notes.read("subtask")
        parts = [
            *([f"Your subtask:\n{subtask}"] if subtask else []),
            *self.context.screen_parts("State before your last actions", turn.last.observation, self.by),
            *([f"Your last actions:\n{actions}"] if (actions := unanswered(turn)) else []),
            *turn.observation.notes,
            *self.context.screen_parts("State now", turn.observation, self.by),
        ]
        found = read_sections(await self.query(ask, parts, neutral="### Self_reflection\nNothing to say."))
        verdict = {"yes": "worked", "no": "failed"}.get((*words(found.get("success", "")), "")[0], "unclear")
        turn.notes.write("verdict", verdict)
        text = found.get("selfreflectionsummary") or found.get("selfreflection") or found.get("", "")
        turn.notes.write(self.name, text, title="What you found about your last actions")


class Subtask(_Sectioned):
    """Keeps or replaces one subtask, at every step."""

    name = "subtask"
    template = "subtask.jinja"
    sections = ("Subtask_reasoning", "Subtask")
    pages: ClassVar[Mapping[str, str]] = {
        "subtask": "Your subtask until now",
        LAST: "Your last actions",
        "critique": "What you found about your last actions",
        "knowledge": "What you know about the task",
        "history": "What happened until now",
    }

    async def run(self, turn: Turn, ask: Ask) -> None:
        self.show_last_actions(turn)
        found = await self.ask_sections(turn, ask, neutral="### Subtask_reasoning\nIt goes on.")
        if subtask := found.get("subtask"):
            turn.notes.write(self.name, subtask, title="Your subtask now")


class Knowledge(_Sectioned):
    """Says what is known that helps with the subtask; asks again when the subtask has changed."""

    name = "knowledge"
    template = "knowledge.jinja"
    sections = ("Knowledge",)
    pages: ClassVar[Mapping[str, str]] = {
        "subtask": "Your subtask",
        "critique": "What you found about your last actions",
    }

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._about: str | None = None
        """The subtask that it was asked about last."""

    async def run(self, turn: Turn, ask: Ask) -> None:
        about = turn.notes.read("subtask")
        if about == self._about:
            return
        self._about = about
        found = await self.ask_sections(turn, ask, neutral="### Knowledge\nNothing more.")
        if text := found.get("knowledge"):
            turn.notes.write(self.name, text, title="What you know about the task")


class Skills(Curate):
    """After an action that worked, stores what it shows as a skill. Shows the five skills whose descriptions are
    nearest to the subtask (hashed n-grams, see `gwray.agents.embedding`)."""

    name = "skills"
    thought = "critique"
    about = "subtask"
    similarity = staticmethod(similarity)


class LongMemory(_Sectioned):
    """Extracts a clue from the state, decides whether to save it, and shows the saved clues that fit the state: at most
    three, and only those that are as similar as `gate`."""

    name = "long_memory"
    template = "long_memory.jinja"
    sections = ("Clue", "Save")
    options: ClassVar[Mapping[str, Any]] = {"max_clues": 200, "top": 3, "gate": 0.8}
    note_kinds: ClassVar[Mapping[str, str]] = {"long_memory": "clue"}
    pages: ClassVar[Mapping[str, str]] = {"critique": "What you found about your last actions"}

    @classmethod
    def clues(cls, notes: Notes, settings: Mapping[str, Any]) -> NoteStore:
        """Returns the saved clues of this episode."""
        return notes.store("long_memory", settings["max_clues"])

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        found = read_sections(answer)
        if (*words(found.get("save", "")), "")[0] == "yes":
            cls.clues(notes, settings).add(found.get("clue", ""))

    async def run(self, turn: Turn, ask: Ask) -> None:
        clues = self.clues(turn.notes, self.settings)
        before = max((clue.number for clue in clues), default=0)
        found = await self.ask_sections(turn, ask, neutral="### Clue\nnone\n### Save\nno")
        about, top = found.get("clue") or turn.observation.text, self.settings["top"]
        picked = clues.pick(top + 1, about, self.settings["gate"], similarity) if about else []
        earlier = [clue for clue in picked if clue.number <= before]  # the clue of this turn is no memory
        turn.notes.write_list("clues", earlier[:top], title="What you remember")


class History(_Sectioned):
    """Sums up what happened, with the success and feedback of each action, in at most five lessons."""

    name = "history"
    template = "history.jinja"
    sections = ("State_summary", "Lessons", "Tool_evaluation")
    options: ClassVar[Mapping[str, Any]] = {"history_length": 20, "max_lessons": 5}
    note_kinds: ClassVar[Mapping[str, str]] = {"lessons": "lesson"}
    pages: ClassVar[Mapping[str, str]] = {
        "history": "What you wrote the last time",
        "lessons": "Your lessons until now",
        "critique": "What you found about your last actions",
        "subtask": "Your subtask",
    }

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._done: list[str] = []

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        lines = [BULLET.sub("", line).strip() for line in read_sections(answer).get("lessons", "").splitlines()]
        if lessons := [line for line in lines if words(line)]:
            store = notes.store("lessons", settings["max_lessons"])
            store.clear()
            for lesson in lessons[: settings["max_lessons"]]:
                store.add(lesson)

    async def run(self, turn: Turn, ask: Ask) -> None:
        self.show_last_actions(turn)
        if turn.last is None:
            return
        self._done.append(turn.last.actions)  # the answers to it stand with the observation
        done = "\n".join(f"- {entry}" for entry in self._done[-self.settings["history_length"] :])
        found = await self.ask_sections(
            turn, ask, f"What you did, oldest first:\n{done}", neutral="### State_summary\nOn."
        )
        self._done[-1] = "\n".join([turn.last.actions, *turn.observation.notes])
        summary = [found.get("statesummary", ""), found.get("toolevaluation", "")]
        if text := "\n".join(filter(None, summary)):
            turn.notes.write(self.name, text, title="What happened until now")
        store = turn.notes.store("lessons", self.settings["max_lessons"])
        turn.notes.write("lessons", "\n".join(f"- {lesson.text}" for lesson in store), title="Lessons")
