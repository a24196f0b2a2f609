"""Learns every few decisions: a summary for the turns that follow, and rules that last for the episode. Three questions
in sequence, each a module: what happened (`summary`), how that changes the rules (`refine`), and how to word the rules
best (`revise`). After the self-reflection of PokeGym; the prompts are our own."""

from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask, Observation
from gwray.agents.context import AgentContext
from gwray.agents.messages import Part
from gwray.agents.modules.base import Module, Turn
from gwray.agents.notes import Notes, NoteStore
from gwray.agents.rules import apply, numbered
from gwray.spec import AgentSpec

EVERY = {"reflect_every": 5}
NEWS = "news"
"""Page with the summary, in the turn that made it."""
REFUSED = "refused"
"""Page with the lines of the last answers that were not understood."""


class _Periodic(Module):
    """A module that asks once every `reflect_every` decisions."""

    options: ClassVar[Mapping[str, Any]] = EVERY

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        return 1 / cls.settings_for(spec)["reflect_every"]


class Summary(_Periodic):
    """Summarizes what happened since the last summary. Its page is the agent's short-term memory."""

    name = "summary"
    template = "summary.jinja"
    thoughts: ClassVar[bool] = False
    """Whether it reads the agent's thoughts, too."""

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._actions: list[str] = []
        self._first: Observation | None = None
        """The observation of the last summary, or of the first turn."""

    async def run(self, turn: Turn, ask: Ask) -> None:
        turn.notes.write(NEWS, "")
        if turn.last is not None:
            thought = f"{turn.last.thought} -> " if self.thoughts and turn.last.thought else ""
            self._actions.append(f"{thought}{turn.last.actions}")
        if self._first is None or len(self._actions) < self.settings["reflect_every"]:
            self._first = self._first or turn.observation
            return
        done = "\n".join(f"- {action}" for action in self._actions)
        parts: list[Part | str] = [*self.context.screen_parts("Then, when this began", self._first, self.by)]
        if before := turn.notes.read(self.name):
            parts.append(f"What you wrote the last time:\n{before}")
        verbs = "thought and done" if self.thoughts else "done"
        parts += [f"What you have {verbs} since, one line a decision:\n{done}", *turn.observation.notes]
        parts += self.context.screen_parts("Now", turn.observation, self.by)
        answer = await self.query(ask, parts, neutral="Nothing stood out.")
        self._actions.clear()
        self._first = turn.observation
        turn.notes.write(NEWS, answer)
        if answer:
            turn.notes.write(self.name, answer, title="What happened lately")


class Trajectory(Summary):
    """A summary of the thoughts and actions since the last one."""

    name = "trajectory"
    template = "trajectory.jinja"
    thoughts = True


class _RuleEditor(_Periodic):
    """Asks how to change the rules after each new summary."""

    allowed: ClassVar[tuple[str, ...]] = ()
    """Operations that an answer may use; see `rules.apply`."""
    note_kinds: ClassVar[Mapping[str, str]] = {"rules": "rule"}

    @classmethod
    def rules(cls, notes: Notes, settings: Mapping[str, Any]) -> NoteStore:
        """Returns the rules of this episode."""
        return notes.store("rules", settings["max_rules"])

    @classmethod
    def max_changes(cls, rules: NoteStore, settings: Mapping[str, Any]) -> int:
        """Returns how many changes one answer may make."""
        raise NotImplementedError

    @classmethod
    def learn(cls, answer: str, notes: Notes, settings: Mapping[str, Any]) -> None:
        rules = cls.rules(notes, settings)
        refused = apply(answer, rules, cls.allowed, cls.max_changes(rules, settings))
        notes.write(REFUSED, "\n".join(f"- {r.line}: {r.why}" for r in refused))

    async def edit(self, turn: Turn, ask: Ask) -> None:
        rules, refused = self.rules(turn.notes, self.settings), turn.notes.read(REFUSED)
        known = numbered(rules) or "none"
        parts = [f"What happened lately:\n{turn.notes.read(NEWS)}", f"The rules until now:\n{known}"]
        if refused:
            parts.append(f"Of your last answers these lines changed nothing:\n{refused}")
        self.learn(await self.query(ask, parts, neutral="keep"), turn.notes, self.settings)
        turn.notes.write_list("rules", rules, title="Rules that you have learned")


class Refine(_RuleEditor):
    """Adds what was learned to the rules, and corrects rules that proved wrong. Starts with the rules of
    `agent.library`."""

    name = "refine"
    template = "refine.jinja"
    options: ClassVar[Mapping[str, Any]] = {**EVERY, "max_rules": 30, "updates": 2}
    allowed = ("add", "modify", "delete", "keep")
    uses_rules = True

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        self._library: AgentSpec | None = spec if spec.rules else None
        """The settings with the rules of the library, until the first turn."""

    @classmethod
    def begin(cls, notes: Notes, spec: AgentSpec) -> None:
        rules = cls.rules(notes, cls.settings_for(spec))
        for rule in spec.rules:
            rules.add(rule)

    @classmethod
    def max_changes(cls, rules: NoteStore, settings: Mapping[str, Any]) -> int:
        return settings["updates"]

    async def run(self, turn: Turn, ask: Ask) -> None:
        if self._library:
            self.begin(turn.notes, self._library)
            turn.notes.write_list("rules", self.rules(turn.notes, self.settings), title="Rules that you have learned")
            self._library = None
        if turn.notes.read(NEWS):
            await self.edit(turn, ask)


class Revise(_RuleEditor):
    """Shortens rules, and merges rules that say nearly the same."""

    name = "revise"
    template = "revise.jinja"
    options: ClassVar[Mapping[str, Any]] = {**EVERY, "max_rules": 30}
    allowed = ("modify", "merge", "delete", "keep")

    @classmethod
    def max_changes(cls, rules: NoteStore, settings: Mapping[str, Any]) -> int:
        return len(rules)

    async def run(self, turn: Turn, ask: Ask) -> None:
        if turn.notes.read(NEWS) and len(self.rules(turn.notes, self.settings)):
            await self.edit(turn, ask)
