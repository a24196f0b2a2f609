"""Learns from what happened, every few decisions: a summary for the turns that follow, and rules that last.

Three questions, one after the other, each a module: what happened; what that adds to the rules or changes in them; how
the rules are said best. After the self-reflection of PokeGym; the wording is our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask, Observation
from gwray.agents.context import AgentContext
from gwray.agents.messages import Part
from gwray.agents.modules.base import Module, Turn, validate_int
from gwray.agents.notes import Notes, Store
from gwray.agents.rules import apply, listed
from gwray.spec import AgentSpec

EVERY = {"reflect_every": 5}
NEWS = "news"
"""The page with the summary, in the turn in which it is made."""
REFUSED = "refused"
"""The page with what was not understood of the last answers."""


class Summary(Module):
    """Says every few decisions what happened since it did so last. Its page is the agent's short-term memory."""

    name = "summary"
    template = "summary.jinja"
    options: ClassVar[Mapping[str, Any]] = EVERY

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._every = validate_int("agent.options.reflect_every", self.settings["reflect_every"])
        self._since: list[str] = []
        self._began: Observation | None = None

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        return _share(spec)

    async def run(self, turn: Turn, ask: Ask) -> None:
        turn.notes.write(NEWS, "")
        if turn.last is not None:
            self._since.append(turn.last.actions)
        if self._began is None or len(self._since) < self._every:
            self._began = self._began or turn.observation
            return
        done = "\n".join(f"- {action}" for action in self._since)
        parts: list[Part | str] = [*self._shown("Then, when this began", self._began)]
        if before := turn.notes.read(self.name):
            parts.append(f"What you wrote the last time:\n{before}")
        parts += [f"What you have done since, one line a decision:\n{done}", *turn.observation.notes]
        parts += self._shown("Now", turn.observation)
        said = await self.query(ask, parts, neutral="Nothing stood out.")
        self._since.clear()
        self._began = turn.observation
        turn.notes.write(NEWS, said)
        if said:
            turn.notes.write(self.name, said, title="What happened lately")

    def _shown(self, when: str, observation: Observation) -> list[Part | str]:
        pictures = [self.context.image(view, self.by) for view in observation.views[:1]]
        return [f"{when}:" + (f"\n{observation.text}" if observation.text else ""), *pictures]


class _OverRules(Module):
    """Asks what to do with the rules, whenever there is a new summary."""

    allowed: ClassVar[tuple[str, ...]] = ()
    neutral: ClassVar[str] = "keep"

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._most_rules = validate_int("agent.options.max_rules", self.settings["max_rules"])

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        return _share(spec)

    def rules(self, notes: Notes) -> Store:
        """The rules of this episode."""
        return notes.store("rules", self._most_rules)

    async def ask_for_changes(self, turn: Turn, ask: Ask, most: int) -> None:
        rules, told = self.rules(turn.notes), turn.notes.read(REFUSED)
        parts = [f"What happened lately:\n{turn.notes.read(NEWS)}", f"The rules until now:\n{listed(rules) or 'none'}"]
        if told:
            parts.append(f"Of your last answers these lines changed nothing:\n{told}")
        said = await self.query(ask, parts, neutral=self.neutral)
        refused = apply(said, rules, self.allowed, most)
        turn.notes.write(REFUSED, "\n".join(f"- {r.line}: {r.why}" for r in refused))
        turn.notes.write_list("rules", rules, title="Rules that you have learned")


class Refine(_OverRules):
    """Adds what was learned to the rules, and changes what proved wrong. In its first turn it puts the rules of
    `agent.library` there."""

    name = "refine"
    template = "refine.jinja"
    options: ClassVar[Mapping[str, Any]] = {**EVERY, "max_rules": 30, "updates": 2}
    allowed = ("add", "modify", "delete", "keep")
    uses_rules = True

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._updates = validate_int("agent.options.updates", self.settings["updates"])
        self._given = spec.rules

    async def run(self, turn: Turn, ask: Ask) -> None:
        for rule in self._given:
            self.rules(turn.notes).add(rule)
        if self._given:
            turn.notes.write_list("rules", self.rules(turn.notes), title="Rules that you have learned")
            self._given = ()
        if turn.notes.read(NEWS):
            await self.ask_for_changes(turn, ask, self._updates)


class Revise(_OverRules):
    """Says rules shorter and makes one of several that say nearly the same."""

    name = "revise"
    template = "revise.jinja"
    options: ClassVar[Mapping[str, Any]] = {**EVERY, "max_rules": 30}
    allowed = ("modify", "merge", "delete", "keep")

    async def run(self, turn: Turn, ask: Ask) -> None:
        if turn.notes.read(NEWS) and len(self.rules(turn.notes)):
            await self.ask_for_changes(turn, ask, len(self.rules(turn.notes)))


def _share(spec: AgentSpec) -> float:
    return 1 / validate_int("agent.options.reflect_every", spec.options.get("reflect_every", EVERY["reflect_every"]))
