"""The contract of a module: a part of an agent that asks one kind of question.

A module is deterministic code whose only effect is `ask`, like the agent that it belongs to. Modules pass information
to each other through the notes of the turn. A module may keep attributes of its own; they come out the same at a
replay.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gwray.agents.base import Ask, Decision, Observation, Prompt
from gwray.agents.context import AgentContext
from gwray.agents.messages import Part, Text
from gwray.agents.notes import Notes
from gwray.agents.sections import sections_pattern
from gwray.errors import UsageError
from gwray.settings import AgentSpec


@dataclass(frozen=True)
class LastTurn:
    """The previous turn."""

    observation: Observation
    actions: str
    """The actions in one line, or why there was none."""
    thought: str = ""
    """The reasoning of the reply in one line; empty if it has none."""


@dataclass(frozen=True)
class Turn:
    """The state that the modules of an agent share in one turn."""

    observation: Observation
    last: LastTurn | None = None
    """None in the first turn of an episode."""
    notes: Notes = field(default_factory=Notes)
    """Notes of the agent; the same object in every turn of an episode."""

    @property
    def unanswered(self) -> str:
        """The actions of the previous turn; empty if the game's answers, which stand with the observation, name any."""
        actions, notes = self.last.actions if self.last else "", "\n".join(self.observation.notes)
        names = {re.split(r"[ (]", action, maxsplit=1)[0] for action in actions.split("; ")}
        return (
            "" if any(re.search(rf"^- {re.escape(name)}\b", notes, re.MULTILINE) for name in names if name) else actions
        )


class Module:
    """A part of an agent, created once per episode as `Class(context, spec)`. Subclasses implement `run`.

    Args:
        context: the episode of the role, and how to build prompts for it.
        spec: the settings of the agent; `spec.options` holds the module's settings.

    Raises:
        UsageError: a setting has a wrong value.

    Example (see `Modular.MODULES` for how a module gets its name):

        class Doubt(Module):
            name = "doubt"
            template = "Say in one sentence what could go wrong next."
            note_kinds = {"doubts": "doubt"}

            @classmethod
            def learn(cls, answer, notes, settings):
                notes.store("doubts", limit=5).add(answer)

            async def run(self, turn, ask):
                parts = self.context.observation_parts(turn.observation, self.by)
                answer = await self.query(ask, parts, neutral="Nothing.")
                self.learn(answer, turn.notes, self.settings)
                turn.notes.write(self.name, answer, title="What could go wrong")
    """

    name: ClassVar[str]
    """Name in the log and in `agent.modules`; `agent.models.NAME` sends its questions to a helper model."""
    template: ClassVar[str] = ""
    """Instructions of its question: the name of a file in the prompts folder, or the text itself (Jinja)."""
    sections: ClassVar[tuple[str, ...]] = ()
    """Sections of its answer, to which self-hosted models with structured output are constrained."""
    options: ClassVar[Mapping[str, Any]] = {}
    """The settings under `agent.options` that it reads, with their defaults. Where the default is a whole number, so
    must be the setting: 1 or more, or 0 or more if the default is 0."""
    acts: ClassVar[bool] = False
    """Whether `run` returns the decision and ends the turn."""
    helpers: ClassVar[tuple[str, ...]] = ()
    """Further names under `agent.models` that it asks."""
    note_kinds: ClassVar[Mapping[str, str]] = {}
    """Stores that readers of an episode (the viewer) are shown: store name → kind of note."""

    def __init__(self, context: AgentContext, spec: AgentSpec):
        self.context = context
        self.by = self.name if self.name in spec.models else ""
        """Name of the model that it asks; empty for the role's own model."""
        self.settings = self.settings_for(spec)
        self._system = context.instructions_for(self.template, **self.settings) if self.template else ""

    @classmethod
    def settings_for(cls, spec: AgentSpec) -> dict[str, Any]:
        """Returns the values of `options` for an agent. Raises `UsageError` for a wrong number."""
        settings = {**cls.options, **{name: value for name, value in spec.options.items() if name in cls.options}}
        for name, default in cls.options.items():
            if isinstance(default, int) and not isinstance(default, bool):
                validate_int(f"agent.options.{name}", settings[name], least=min(default, 1))
        return settings

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        """Returns the expected number of questions per turn; may be a fraction."""
        return 1.0

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        """Updates the stores of the notes with one answer.

        `run` calls it for each answer, and so does everything that shows the notes of a recorded episode. It must
        depend on its arguments alone, and must not raise for anything that a model wrote.

        Args:
            answer: the text that `query` returned.
            notes: the notes of the agent.
            settings: the values of `options`, as `settings_for` returns them.
        """

    async def query(self, ask: Ask, parts: Sequence[Part | str], *, neutral: str) -> str:
        """Asks this module's question.

        Args:
            ask: the function that `run` received.
            parts: text and images that follow the module's instructions; the newest image comes last.
            neutral: the answer of players without a model.

        Returns:
            The text of the reply, without thinking.
        """
        contents = tuple(Text(p) if isinstance(p, str) else p for p in parts)
        pattern = sections_pattern(self.sections)
        prompt = Prompt(self._system, contents, module=self.name, neutral=neutral, pattern=pattern)
        (reply,) = await ask(prompt, by=self.by)
        return strip_thinking(reply.text)

    async def run(self, turn: Turn, ask: Ask) -> Decision | None:
        """Does this module's part of the turn. Returns the decision if the module `acts`, otherwise None."""
        raise NotImplementedError


def strip_thinking(text: str) -> str:
    """Returns the text without its thinking: what stands before `<think>`, if it is marked, and after the last
    `</think>`."""
    thinking, _, after = text.rpartition("</think>")
    before, marked, _ = thinking.partition("<think>")
    return f"{before if marked else ''}{after}".strip()


def validate_int(setting: str, value: Any, least: int = 1) -> int:
    """Returns a setting that must be a whole number. Raises `UsageError` if it is not, or is below `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise UsageError(f"{setting} '{value}' must be a whole number, {least} or more")
    return value
