"""What a module is: a part of an agent that asks one kind of question.

Like the agent that it is a part of, a module is deterministic code whose only effect is `ask`. What it tells the others
stands in the notes of the turn; what it keeps for itself are attributes, which come out the same at a replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gwray.agents.base import Ask, Decision, Observation, Prompt
from gwray.agents.context import AgentContext
from gwray.agents.messages import Part, Text
from gwray.agents.notes import Notes
from gwray.errors import UsageError
from gwray.spec import AgentSpec


@dataclass(frozen=True)
class LastTurn:
    """The turn before: what was seen then, and what was done."""

    observation: Observation
    actions: str
    """The actions in one line, or why there was none."""


@dataclass(frozen=True)
class Turn:
    """What the modules of an agent work on, one after the other."""

    observation: Observation
    last: LastTurn | None = None
    """None in the first turn of an episode."""
    notes: Notes = field(default_factory=Notes)
    """The same ones in every turn of an episode."""


class Module:
    """A part of an agent, made as `Class(context, spec)` once an episode. Subclasses write `run`.

    Example, in a file of one's own (`Modular.MODULES` says how it gets a name):

        class Doubt(Module):
            name = "doubt"
            template = "Say in one sentence what could go wrong next."

            async def run(self, turn, ask):
                parts = self.context.observation_parts(turn.observation, self.by)
                answer = await self.query(ask, parts, neutral="Nothing.")
                turn.notes.write(self.name, answer, title="What could go wrong")
    """

    name: ClassVar[str]
    """Stands in the log and in `agent.modules`; `agent.models.NAME` gives its questions to a helper model."""
    template: ClassVar[str] = ""
    """What it is there for: the name of a file of the prompts' folder, or the text itself (Jinja)."""
    options: ClassVar[Mapping[str, Any]] = {}
    """The settings under `agent.options` that it reads, with their defaults."""
    acts: ClassVar[bool] = False
    """It decides, and so ends the turn."""
    helpers: ClassVar[tuple[str, ...]] = ()
    """Further names under `agent.models` that it asks."""
    uses_rules: ClassVar[bool] = False
    """It begins with the rules of `agent.library`."""

    def __init__(self, context: AgentContext, spec: AgentSpec):
        self.context = context
        self.by = self.name if self.name in spec.models else ""
        """Whom it asks: its helper model, or the role's own."""
        self.settings = {**self.options, **{k: v for k, v in spec.options.items() if k in self.options}}
        self._system = context.instructions_for(self.template, **self.settings) if self.template else ""

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        """Questions that it asks in one turn, at most and on average."""
        return 1.0

    async def query(self, ask: Ask, parts: Sequence[Part | str], *, neutral: str) -> str:
        """The answer to one question: the static text of this module, then `parts`, the newest picture last.

        `neutral`: what players without a model answer to it.
        """
        told = tuple(Text(p) if isinstance(p, str) else p for p in parts)
        (reply,) = await ask(Prompt(self._system, told, module=self.name, neutral=neutral), by=self.by)
        return strip_thinking(reply.text)

    async def run(self, turn: Turn, ask: Ask) -> Decision | None:
        """Do this module's part of the turn. A module that `acts` returns the decision, any other one None."""
        raise NotImplementedError


def strip_thinking(text: str) -> str:
    """What a reply says when it has done thinking aloud."""
    return text.rpartition("</think>")[2].strip()


def validate_int(setting: str, value: Any, least: int = 1) -> int:
    """A setting that has to be a whole number. Raises `UsageError`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError(f"{setting} '{value}' must be a whole number, {least} or more")
    return value
