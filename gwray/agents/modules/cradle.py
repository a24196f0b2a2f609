"""Cradle's parts beside reflection and acting: what is to be seen, what it came to, what to do next, and how things are
done.

Its six modules are information gathering (`gather`), self-reflection (`reflection`), memory (`memory`), task inference
(`infer`), skill curation (`curate`) and action planning (`act`). After Cradle; the wording is our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask
from gwray.agents.context import AgentContext
from gwray.agents.formats.loose_json import json_objects
from gwray.agents.modules.base import Module, Turn, validate_int
from gwray.agents.modules.self_reflection import Summary
from gwray.agents.notes import Store, words
from gwray.records import storable
from gwray.spec import AgentSpec

SHOWN = 5
"""Skills that who acts is shown: those that share most words with what is to be done, or the freshest."""
MOST_TEXT = 400
"""Characters of a skill."""


class Gather(Module):
    """Says what is on the screen, before anybody thinks about it."""

    name = "gather"
    template = "gather.jinja"

    async def run(self, turn: Turn, ask: Ask) -> None:
        last = [f"Your last action: {turn.last.actions}"] if turn.last else []
        parts = [*last, *self.context.observation_parts(turn.observation, self.by)]
        turn.notes.write(self.name, await self.query(ask, parts, neutral="Nothing new."), title="What is on the screen")


class Memory(Summary):
    """Keeps the story of the episode, told anew every few decisions."""

    name = "memory"
    template = "memory.jinja"


class Infer(Module):
    """Says what to do next for the task's sake, from what is seen, what came of the last action, and the story."""

    name = "infer"
    template = "infer.jinja"
    pages: ClassVar[Mapping[str, str]] = {
        "gather": "What is on the screen",
        "reflection": "What you thought of your last action",
        "memory": "What happened until now",
        "infer": "What you were doing until now",
    }
    """Pages of other modules that it reads, where they are written."""

    async def run(self, turn: Turn, ask: Ask) -> None:
        told = [f"{title}:\n{text}" for page, title in self.pages.items() if (text := turn.notes.read(page))]
        said = await self.query(
            ask, [*told, *self.context.observation_parts(turn.observation, self.by)], neutral="Go on."
        )
        turn.notes.write(self.name, said or turn.notes.read(self.name), title="What to do now")


class Curate(Module):
    """After an action that worked, keeps what it shows as a skill: how something is done here. Those that fit what is
    to be done now are shown to who acts."""

    name = "curate"
    template = "curate.jinja"
    options: ClassVar[Mapping[str, Any]] = {"max_skills": 30}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._most = validate_int("agent.options.max_skills", self.settings["max_skills"])
        self._numbers: dict[tuple[str, ...], int] = {}

    async def run(self, turn: Turn, ask: Ask) -> None:
        skills = turn.notes.store("skills", self._most)
        if turn.last is not None and turn.notes.read("verdict") == "worked":
            known = "\n".join(f"- {n.topic}: {n.text}" for n in sorted(skills, key=lambda n: n.number)) or "none"
            parts = [f"Skills until now:\n{known}", f"Your last action: {turn.last.actions}"]
            if thought := turn.notes.read("reflection"):
                parts.append(f"What you thought of it:\n{thought}")
            keep_skills(await self.query(ask, parts, neutral='{"skills": []}'), skills, self._numbers)
        picked = skills.pick(SHOWN, about=turn.notes.read("infer"))
        turn.notes.write_list("skills", sorted(picked, key=lambda n: n.number), title="What you know how to do")


def keep_skills(answer: str, skills: Store, numbers: dict[tuple[str, ...], int]) -> None:
    """Keep the skills of an answer; one of a name that is known is that one, said anew. `numbers` holds their notes'
    numbers by name. What is not of the form is dropped."""
    for found in json_objects(answer):
        given = found.get("skills")
        for skill in given if isinstance(given, list) else ():
            if not isinstance(skill, Mapping):
                continue
            name, how = (
                " ".join(storable(v).split())[:MOST_TEXT] if isinstance(v := skill.get(k), str) else ""
                for k in ("name", "how")
            )
            key = words(name)
            if not key or not words(how):
                continue
            note = skills.change(numbers.get(key, 0), how) or skills.add(how, topic=name)
            if note is not None:
                numbers[key] = note.number
