"""Modules of Orak: critique of the last action, one subtask, knowledge, skills, and two kinds of memory.

After Orak; the prompts are our own. Every answer is in `### Section`s, and a section that is missing changes nothing.
"""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents import AgentContext, Ask, Curate, Modular, Module, Notes, NoteStore, Part, Turn, read_sections, words
from gwray.settings import AgentSpec
from gwray.studies.orak.embedding import GATE, similarity_by

BULLET = re.compile(r"^[\s*-]*(?:\d{1,3}[.)])?")
LAST = "last_actions"
"""Page with the actions of the previous turn."""
RETRIEVAL = {"retrieval": "embeddings"}
"""How skills and clues are compared: see `similarity_by`."""
FUNCTION_WORDS = frozenset(words("a an and are at by for from in is it of on that the this to was were with you your"))
"""Words that do not tell a clue from a copy of it."""


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
            turn.notes.write(LAST, turn.unanswered, title="Your last actions")


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
            *([f"Your last actions:\n{actions}"] if (actions := turn.unanswered) else []),
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
    nearest to the subtask."""

    name = "skills"
    options: ClassVar[Mapping[str, Any]] = {**Curate.options, **RETRIEVAL}
    thought = "critique"
    about = "subtask"

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self.similarity = similarity_by(self.settings["retrieval"])


class LongMemory(_Sectioned):
    """Extracts a clue from the state, decides whether to save it, and shows the saved clues that fit the state: at most
    three, and only those that are as similar as `gate`."""

    name = "long_memory"
    template = "long_memory.jinja"
    sections = ("Clue", "Save")
    options: ClassVar[Mapping[str, Any]] = {"max_clues": 200, "top": 3, "gate": GATE, **RETRIEVAL}
    note_kinds: ClassVar[Mapping[str, str]] = {"long_memory": "clue"}
    pages: ClassVar[Mapping[str, str]] = {"critique": "What you found about your last actions", "saved": "Saved clues"}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._similarity = similarity_by(self.settings["retrieval"])

    @classmethod
    def clues(cls, notes: Notes, settings: Mapping[str, Any]) -> NoteStore:
        """Returns the saved clues of this episode."""
        return notes.store("long_memory", settings["max_clues"])

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        found = read_sections(answer)
        clues, clue = cls.clues(notes, settings), found.get("clue", "")
        copied = any(_content(clue) == _content(saved.text) for saved in clues)
        if (*words(found.get("save", "")), "")[0] == "yes" and not copied:
            clues.add(clue)

    async def run(self, turn: Turn, ask: Ask) -> None:
        clues = self.clues(turn.notes, self.settings)
        before = max((clue.number for clue in clues), default=0)
        turn.notes.write("saved", "\n".join(f"- {clue.text}" for clue in clues))
        found = await self.ask_sections(turn, ask, neutral="### Clue\nnone\n### Save\nno")
        about, top = found.get("clue") or turn.observation.text, self.settings["top"]
        picked = clues.pick(top + 1, about, self.settings["gate"], self._similarity) if about else []
        earlier = [clue for clue in picked if clue.number <= before]  # the clue of this turn is no memory
        turn.notes.write_list("clues", earlier[:top], title="What you remember")


def _content(clue: str) -> frozenset[str]:
    return frozenset(words(clue)) - FUNCTION_WORDS


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
        if self._done and (verdict := turn.notes.read("critique")):  # of the turn before: about the actions before
            self._done[-1] += f"\n  What you found about it: {verdict}"
        self._done.append(turn.unanswered or "what the game answered below")
        done = "\n".join(f"- {entry}" for entry in self._done[-self.settings["history_length"] :])
        found = await self.ask_sections(
            turn, ask, f"What you did, oldest first:\n{done}", neutral="### State_summary\nOn."
        )
        place = [f"  Then: {then}"] if (then := found.get("statesummary")) else []
        self._done[-1] = "\n".join(filter(None, [turn.unanswered, *turn.observation.notes, *place]))
        summary = [found.get("statesummary", ""), found.get("toolevaluation", "")]
        if text := "\n".join(filter(None, summary)):
            turn.notes.write(self.name, text, title="What happened until now")
        store = turn.notes.store("lessons", self.settings["max_lessons"])
        turn.notes.write("lessons", "\n".join(f"- {lesson.text}" for lesson in store), title="Lessons")


class Orak(Modular):
    """The agents of Orak. Their strategies are lists of these modules."""

    MODULES: ClassVar[Mapping[str, type[Module]]] = {
        **Modular.MODULES,
        **{m.name: m for m in (Critique, Subtask, Knowledge, Skills, LongMemory, History)},
    }
