"""PokeGym's self-reflection. Every few decisions it learns: a summary for the turns that follow, and rules that last
for the episode. Three questions in sequence, each a module: what happened (`trajectory`), how that changes the rules
(`refine`), and how to word the rules best (`revise`)."""

from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents import NEWS, Ask, Notes, NoteStore, PeriodicModule, Summary, Turn
from gwray.studies.pokegym.rules import apply, numbered

OPERATIONS = "### Changes"
"""Line of an answer between its reasoning and its operations."""
CHANGES = "changes"
"""Page with the operations of `refine` in this turn, for `revise`."""
REFUSED = "refused"
"""Page with the lines of the last answers that were not understood."""


class Trajectory(Summary):
    """A summary of the thoughts and actions since the last one."""

    name = "trajectory"
    template = "trajectory.jinja"
    thoughts = True


def _operations(answer: str) -> str:
    return answer.rpartition(OPERATIONS)[2].strip()


class _RuleEditor(PeriodicModule):
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
        refused = apply(_operations(answer), rules, cls.allowed, cls.max_changes(rules, settings))
        notes.write(REFUSED, "\n".join(f"- {r.line}: {r.why}" for r in refused))

    async def edit(self, turn: Turn, ask: Ask) -> None:
        rules, refused = self.rules(turn.notes, self.settings), turn.notes.read(REFUSED)
        known = numbered(rules) or "none"
        parts = [f"What happened lately:\n{turn.notes.read(NEWS)}", f"The rules until now:\n{known}"]
        if changes := turn.notes.read(CHANGES):
            parts.append(f"Changes that were made to the rules just now:\n{changes}")
        if refused:
            parts.append(f"Of your last answers these lines changed nothing:\n{refused}")
        answer = await self.query(ask, parts, neutral="keep")
        self.learn(answer, turn.notes, self.settings)
        turn.notes.write(CHANGES, "" if changes else _operations(answer))
        turn.notes.write_list("rules", rules, title="Rules that you have learned")


class Refine(_RuleEditor):
    """Adds what was learned to the rules, and corrects rules that proved wrong."""

    name = "refine"
    template = "refine.jinja"
    options: ClassVar[Mapping[str, Any]] = {**PeriodicModule.options, "max_rules": 30, "updates": 2}
    allowed = ("add", "modify", "delete", "keep")

    @classmethod
    def max_changes(cls, rules: NoteStore, settings: Mapping[str, Any]) -> int:
        return settings["updates"]

    async def run(self, turn: Turn, ask: Ask) -> None:
        if turn.notes.read(NEWS):
            await self.edit(turn, ask)


class Revise(_RuleEditor):
    """Shortens rules, and merges rules that say nearly the same."""

    name = "revise"
    template = "revise.jinja"
    options: ClassVar[Mapping[str, Any]] = {**PeriodicModule.options, "max_rules": 30}
    allowed = ("modify", "merge", "delete", "keep")

    @classmethod
    def max_changes(cls, rules: NoteStore, settings: Mapping[str, Any]) -> int:
        return len(rules)

    async def run(self, turn: Turn, ask: Ask) -> None:
        if turn.notes.read(NEWS) and len(self.rules(turn.notes, self.settings)):
            await self.edit(turn, ask)
