"""What an agent had noted, made from its replies alone: its notes follow from nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from gwray.agents.modules import (
    MEMORY,
    Curate,
    Map,
    Refine,
    Revise,
    Seek,
    Solve,
    keep_clues,
    keep_done,
    keep_skills,
    matched,
    strip_thinking,
    validate_int,
)
from gwray.agents.notes import Store
from gwray.agents.rules import apply
from gwray.records import LoggedReply
from gwray.spec import AgentSpec

Kind = Literal["rule", "skill", "clue", "done", "goal"]
ORDER: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class FinalNotes:
    """What all roles of an episode had noted when it ended, in the order in which it was noted first."""

    rules: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    clues: tuple[str, ...] = ()


@dataclass(frozen=True)
class NoteSpan:
    """One note of a role, for as long as it stood in these words."""

    role: str
    kind: Kind
    text: str
    place: str
    """Where a clue was found, or something was done, or what a skill is for; may be empty."""
    since: int
    """The decision that was the first to be made with it, counted from 0."""
    until: int | None = None
    """The first decision without it: it was forgotten, or said in other words; None: it stood to the end."""


def recall(agent: AgentSpec, replies: Sequence[LoggedReply]) -> FinalNotes:
    """The rules, skills and clues at the end of an episode. `replies`: its log. An agent that keeps none had none."""
    kept: dict[str, dict[str, None]] = {"rule": {}, "skill": {}, "clue": {}}
    for note in noted(agent, replies):
        if note.until is None and note.kind in kept:
            kept[note.kind][note.text + (f" [{note.place}]" if note.place else "")] = None
    return FinalNotes(tuple(kept["rule"]), tuple(kept["skill"]), tuple(kept["clue"]))


def noted(agent: AgentSpec, replies: Sequence[LoggedReply]) -> tuple[NoteSpan, ...]:
    """Every note of an episode, as far as its replies tell: rules, skills, clues, what was done lately, and the
    goals of a map until it seeks again.

    By role and kind, and in each in the order in which they were noted first, so that what is true at a decision is
    `[n for n in noted(…) if n.since <= decision and (n.until is None or decision < n.until)]`.
    """
    out: list[NoteSpan] = []
    for role in dict.fromkeys(line.role for line in replies):
        memory = _Memory(agent)
        open_: dict[tuple[Kind, int], NoteSpan] = {}
        closed: list[tuple[tuple[Kind, int], NoteSpan]] = []
        begin = memory.stand()
        for decision, stand in ((0, begin), *memory.over(r for r in replies if r.role == role)):
            for where in [w for w in open_ if stand.get(w) != (open_[w].text, open_[w].place)]:
                note = open_.pop(where)
                closed += [(where, replace(note, until=decision))] if note.since < decision else []
            for where, (text, place) in stand.items():
                if where not in open_:
                    open_[where] = NoteSpan(role, where[0], text, place, decision)
        every = [*closed, *open_.items()]
        every.sort(key=lambda x: (ORDER.index(x[0][0]), x[0][1], x[1].since))
        out += [note for _, note in every]
    return tuple(out)


Stand = Mapping[tuple[Kind, int], tuple[str, str]]
"""Kind and number of each note → its text and place."""


class _Memory:
    """What one role keeps, as its modules keep it."""

    def __init__(self, agent: AgentSpec):
        known = {**MEMORY, **Map.options, **Refine.options, **Curate.options}
        needed, given = tuple(known), {**known, **agent.options}
        self._options = {name: validate_int(f"agent.options.{name}", given[name]) for name in needed}
        self._rules, self._clues = Store(self._options["max_rules"]), Store(self._options["max_clues"])
        self._skills = Store(self._options["max_skills"])
        self._done = Store(self._options["episodic_window"])
        self._goals: list[str] = []
        self._numbers: dict[tuple[str, ...], int] = {}
        self._maps = 0
        for rule in agent.rules:
            self._rules.add(rule)

    def over(self, lines: Iterator[LoggedReply]) -> Iterator[tuple[int, Stand]]:
        """The stand after each reply that may have changed it, with its decision."""
        for line in sorted(lines, key=lambda r: (r.decision, r.call)):
            if self._hear(line.module, strip_thinking(line.reply.text)):
                yield line.decision, self.stand()

    def stand(self) -> Stand:
        stores: tuple[tuple[Kind, Store], ...] = (
            ("rule", self._rules), ("skill", self._skills), ("clue", self._clues), ("done", self._done)
        )  # fmt: skip
        out: dict[tuple[Kind, int], tuple[str, str]]
        out = {(kind, n.number): (n.text, n.topic) for kind, store in stores for n in store}
        for i, goal in enumerate(self._goals):
            out["goal", self._options["matches"] * self._maps + i] = (goal, "")
        return out

    def _hear(self, module: str, said: str) -> bool:
        if module == Refine.name:
            apply(said, self._rules, Refine.allowed, self._options["updates"])
        elif module == Revise.name:
            apply(said, self._rules, Revise.allowed, len(self._rules))
        elif module == Curate.name:
            keep_skills(said, self._skills, self._numbers)
        elif module == Seek.name:
            keep_clues(said, self._clues, self._numbers)
            keep_done(said, module, self._done)
            self._goals = []  # it seeks only while there is no goal
        elif module == Solve.name:
            keep_done(said, module, self._done)
        elif module == Map.name:
            self._maps += 1
            self._goals = [goal.text for goal in matched(said)][: self._options["matches"]]
        else:
            return False
        return True
