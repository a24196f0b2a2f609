"""Agents made of modules: each asks its question in turn, the last one acts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from gwray.agents.base import Ask, Decision, Observation
from gwray.agents.context import AgentContext
from gwray.agents.modules import (
    Act,
    Curate,
    Gather,
    Infer,
    LastTurn,
    Manager,
    Memory,
    Module,
    Planning,
    Point,
    Refine,
    Reflection,
    Revise,
    Strategy,
    Summary,
    Turn,
)
from gwray.agents.notes import Notes
from gwray.errors import AgentError, UsageError, choose
from gwray.spec import AgentSpec


def no_rules(spec: AgentSpec) -> UsageError:
    """For an agent that is given rules and has no use for them."""
    return UsageError(
        f"agent.library: agent '{spec.code}' learns no rules, so it has no use for a library of them. Choose "
        "agent=self_reflection, or leave agent.library out."
    )


class Modular:
    """The modules of `agent.modules`, in their order, over notes that last for the episode.

    Modules of one's own get their names in a subclass, which is then the agent (`agent._target_=my_agent.Doubting`):

        class Doubting(Modular):
            MODULES = {**Modular.MODULES, "doubt": Doubt}
    """

    MODULES: ClassVar[Mapping[str, type[Module]]] = {
        m.name: m
        for m in (
            Reflection,
            Planning,
            Summary,
            Refine,
            Revise,
            Strategy,
            Gather,
            Memory,
            Infer,
            Curate,
            Manager,
            Act,
            Point,
        )
    }

    def __init__(self, context: AgentContext, spec: AgentSpec):
        """Raises `UsageError` for a module, an option or a helper's name that does not exist, and for modules of which
        not just the last one acts."""
        kinds = self._kinds(spec)
        if [kind.acts for kind in kinds] != [False] * (len(kinds) - 1) + [True]:
            acting = ", ".join(name for name, kind in self.MODULES.items() if kind.acts)
            raise UsageError(
                f"agent.modules '{', '.join(spec.modules)}': the last module, and no other, must be one that acts "
                f"({acting})"
            )
        for what, given, allowed in (
            ("agent.options", spec.options, [name for kind in kinds for name in kind.options]),
            ("agent.models", spec.models, [name for kind in kinds for name in (*kind.helpers, kind.name)
                                           if not kind.acts or name in kind.helpers]),
        ):  # fmt: skip
            for name in given:
                if name not in allowed:
                    raise choose(what, name, list(dict.fromkeys(allowed)))
        if spec.rules and not any(kind.uses_rules for kind in kinds):
            raise no_rules(spec)
        self._context = context
        self._modules = [kind(context, spec) for kind in kinds]
        self._notes = Notes()
        self._last: LastTurn | None = None

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> int:
        """Questions of one turn, rounded up."""
        return math.ceil(sum(kind.calls_per_decision(spec) for kind in cls._kinds(spec)))

    @classmethod
    def _kinds(cls, spec: AgentSpec) -> list[type[Module]]:
        for name in spec.modules:
            if name not in cls.MODULES:
                raise choose("agent module", name, list(cls.MODULES))
        return [cls.MODULES[name] for name in spec.modules]

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        self._context.check_observation(observation)
        turn = Turn(observation, self._last, self._notes)
        for module in self._modules:
            decision = await module.run(turn, ask)
            if decision is not None:
                self._last = LastTurn(observation, module.context.describe(decision))
                return decision
        raise AgentError(f"module '{self._modules[-1].name}' acts, but its `run` returned no decision")
