"""Modules of Cradle: describe the screen, keep the story, infer the next goal, curate skills. Its six modules are
information gathering (`gather`), self-reflection (`reflection`), memory (`memory`), task inference (`infer`), skill
curation (`curate`) and action planning (`act`). After Cradle; the prompts are our own."""

from collections.abc import Mapping
from typing import ClassVar

from gwray.agents import Ask, Module, Summary, Turn


class Gather(Module):
    """Describes the screen."""

    name = "gather"
    template = "gather.jinja"

    async def run(self, turn: Turn, ask: Ask) -> None:
        last = [f"Your last action: {turn.last.actions}"] if turn.last else []
        parts = [*last, *self.context.observation_parts(turn.observation, self.by)]
        answer = await self.query(ask, parts, neutral="Nothing new.")
        turn.notes.write(
            self.name, answer, title="What there is" if self.context.text_only else "What is on the screen"
        )


class Memory(Summary):
    """Keeps the story of the episode, rewritten every few decisions."""

    name = "memory"
    template = "memory.jinja"


class Infer(Module):
    """Decides what to do next for the task, from the screen, the last action's result and the story."""

    name = "infer"
    template = "infer.jinja"
    pages: ClassVar[Mapping[str, str]] = {
        "gather": "What is on the screen",
        "reflection": "What you thought of your last action",
        "memory": "What happened until now",
        "infer": "What you were doing until now",
    }
    """Pages that it reads, if a module writes them, and their titles in its prompt."""

    async def run(self, turn: Turn, ask: Ask) -> None:
        titles = {**self.pages, "gather": "What there is"} if self.context.text_only else self.pages
        pages = [f"{title}:\n{text}" for page, title in titles.items() if (text := turn.notes.read(page))]
        parts = [*pages, *self.context.observation_parts(turn.observation, self.by)]
        answer = await self.query(ask, parts, neutral="Go on.")
        turn.notes.write(self.name, answer or turn.notes.read(self.name), title="What to do now")
