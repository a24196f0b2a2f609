"""Skills: what worked is kept under a name, and what fits the goal is shown with the next question."""

from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask
from gwray.agents.formats.loose_json import json_objects
from gwray.agents.modules.base import Module, Turn
from gwray.agents.notes import Notes, NoteStore, Similarity, words
from gwray.records import storable

MAX_SHOWN = 5
"""Number of skills in the prompt for an action: those that share most words with the goal, or the newest."""
MAX_CHARACTERS = 400
"""Characters kept of a skill."""
MAX_PROGRAM = 2000
"""Characters of a program that is kept as a skill: those of a note."""


class Curate(Module):
    """After an action that worked, stores it as a skill. The skills that fit the current goal are
    shown in the prompt for an action."""

    name = "curate"
    template = "curate.jinja"
    options: ClassVar[Mapping[str, Any]] = {"max_skills": 30}
    note_kinds: ClassVar[Mapping[str, str]] = {"skills": "skill"}
    thought: ClassVar[str] = "reflection"
    """Page with the assessment of the last action."""
    about: ClassVar[str] = "infer"
    """Page with the current goal. Skills are picked to fit it."""
    similarity: Similarity | None = None
    """Function that returns the similarity of a skill and the goal; None: by shared words."""

    @classmethod
    def skills(cls, notes: Notes, settings: Mapping[str, Any]) -> NoteStore:
        """Returns the skills of this episode."""
        return notes.store("skills", settings["max_skills"])

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        """Stores the skills of an answer; a skill with a known name replaces the old one."""
        for found in json_objects(answer):
            given = found.get("skills")
            for skill in given if isinstance(given, list) else ():
                if isinstance(skill, Mapping):
                    name, how = _text(skill.get("name")), _program(skill.get("how")) or _text(skill.get("how"))
                    if words(name) and words(how):
                        cls.skills(notes, settings).put(words(name), how, topic=name)

    async def run(self, turn: Turn, ask: Ask) -> None:
        skills = self.skills(turn.notes, self.settings)
        if turn.last is not None and turn.notes.read("verdict") == "worked":
            known = "\n".join(f"- {n.topic}: {n.text}" for n in sorted(skills, key=lambda n: n.number)) or "none"
            parts = [f"Skills until now:\n{known}", f"Your last action: {turn.last.actions}"]
            if thought := turn.notes.read(self.thought):
                parts.append(f"What you thought of it:\n{thought}")
            self.learn(await self.query(ask, parts, neutral='{"skills": []}'), turn.notes, self.settings)
        picked = skills.pick(MAX_SHOWN, turn.notes.read(self.about), similar=self.similarity)
        turn.notes.write_list("skills", sorted(picked, key=lambda n: n.number), title="What you know how to do")


def _program(value: Any) -> str:
    """Returns a skill that is a program, unchanged; empty if it is none, or too long to be kept."""
    text = storable(value).strip() if isinstance(value, str) else ""
    return text if "async function" in text and len(text) <= MAX_PROGRAM else ""


def _text(value: Any) -> str:
    return " ".join(storable(value).split())[:MAX_CHARACTERS] if isinstance(value, str) else ""
