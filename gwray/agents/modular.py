"""The built-in agents: `Direct` asks one question a turn, `Modular` asks the questions of its modules in sequence."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from gwray.agents.base import Ask, Decision, Observation
from gwray.agents.context import AgentContext
from gwray.agents.modules.base import LastTurn, Module, Turn, strip_thinking
from gwray.agents.modules.basic import Act, Planning, Reflection
from gwray.agents.modules.skills import Curate
from gwray.agents.notes import Note, Notes
from gwray.errors import AgentError, UsageError, choose
from gwray.records import LoggedReply
from gwray.settings import AgentSpec


class Direct:
    """The baseline agent: asks for an action and returns the decision."""

    calls_per_decision = 1

    def __init__(self, context: AgentContext, spec: AgentSpec):
        for setting in ("modules", "options"):
            if given := getattr(spec, setting):
                raise UsageError(
                    f"agent.{setting} '{', '.join(given)}': agent '{spec.name}' has none. Leave agent.{setting} out, "
                    "or choose an agent that has some (agent=planning)."
                )
        if spec.models:
            raise UsageError(
                f"agent.models '{', '.join(spec.models)}': agent '{spec.name}' asks the role's own model only. Leave "
                "agent.models out, or choose an agent that has modules (agent=planning)."
            )
        self._context = context

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        (reply,) = await ask(self._context.action_prompt(observation))
        return self._context.decide(reply)


class Modular:
    """Runs the modules of `agent.modules` in order, over notes that last for the episode. The last module acts.

    Args:
        context: the episode of the role.
        spec: the settings of the agent.

    Raises:
        UsageError: a module, an option or a helper's name does not exist, or another module than the last one acts.

    Example: a subclass names your own modules and is then the agent (`agent._target_=my_agent.Doubting`):

        class Doubting(Modular):
            MODULES = {**Modular.MODULES, "doubt": Doubt}
    """

    MODULES: ClassVar[Mapping[str, type[Module]]] = {m.name: m for m in (Reflection, Planning, Curate, Act)}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        kinds = self._kinds(spec)
        self._check_order(spec)
        for setting, given, allowed in (
            ("agent.options", spec.options, [name for kind in kinds for name in kind.options]),
            ("agent.models", spec.models, [name for kind in kinds for name in (*kind.helpers, kind.name)
                                           if not kind.acts or name in kind.helpers]),
        ):  # fmt: skip
            for name in given:
                if name not in allowed:
                    raise choose(setting, name, list(dict.fromkeys(allowed)))
        self._context = context
        self._modules = [kind(context, spec) for kind in kinds]
        self._notes = Notes()
        self._last: LastTurn | None = None

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> int:
        """Returns the expected number of questions per turn, rounded up."""
        return math.ceil(sum(kind.calls_per_decision(spec) for kind in cls._kinds(spec)))

    @classmethod
    def notes(
        cls, spec: AgentSpec, replies: Iterable[LoggedReply]
    ) -> Iterator[tuple[int, Mapping[str, Iterable[Note]]]]:
        """Yields the notes after each reply; see `gwray.agents.Agent`. Modules with unknown names are ignored."""
        kinds = {name: cls.MODULES[name] for name in spec.modules if name in cls.MODULES}
        settings = {name: kind.settings_for(spec) for name, kind in kinds.items()}
        shown = {store: name for kind in kinds.values() for store, name in kind.note_kinds.items()}
        notes = Notes()
        for line in replies:
            if line.module in kinds:
                kinds[line.module].learn(strip_thinking(line.reply.text), notes, settings[line.module])
                yield line.decision, {shown[name]: store for name, store in notes.stores.items() if name in shown}

    @classmethod
    def _kinds(cls, spec: AgentSpec) -> list[type[Module]]:
        for name in spec.modules:
            if name not in cls.MODULES:
                raise choose("agent module", name, list(cls.MODULES))
        return [cls.MODULES[name] for name in spec.modules]

    @classmethod
    def _check_order(cls, spec: AgentSpec) -> None:
        """Raises `UsageError` if the modules cannot be run in this order."""
        acts = [cls.MODULES[name].acts for name in spec.modules]
        if acts != [False] * (len(acts) - 1) + [True]:
            acting = ", ".join(name for name, kind in cls.MODULES.items() if kind.acts)
            raise UsageError(
                f"agent.modules '{', '.join(spec.modules)}': the last module, and no other, must be one that acts "
                f"({acting})"
            )

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        self._context.check_observation(observation)
        turn = Turn(observation, self._last, self._notes)
        for module in self._modules:
            decision = await module.run(turn, ask)
            if decision is not None:
                self._last = LastTurn(observation, module.context.describe(decision), module.context.thought(decision))
                return decision
        raise AgentError(f"module '{self._modules[-1].name}' acts, but its `run` returned no decision")
