"""What an agent had noted when an episode ended, made from its replies alone: its notes follow from nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gwray.agents.modules import MEMORY, Refine, Revise, answer_of, keep_clues
from gwray.agents.notes import Store
from gwray.agents.rules import apply
from gwray.records import LoggedReply
from gwray.spec import AgentSpec


@dataclass(frozen=True)
class Recalled:
    """What all roles of an episode had noted, in the order in which it was noted first."""

    rules: tuple[str, ...] = ()
    clues: tuple[str, ...] = ()


def recall(agent: AgentSpec, replies: Sequence[LoggedReply]) -> Recalled:
    """The rules and clues of an episode. `replies`: its log. An agent that keeps neither had none."""
    options = {**MEMORY, **Refine.options, **agent.options}
    kept: dict[str, dict[str, None]] = {"rules": {}, "clues": {}}
    for role in dict.fromkeys(line.role for line in replies):
        rules, clues = Store(options["max_rules"]), Store(options["max_clues"])
        numbers: dict[tuple[str, ...], int] = {}
        for rule in agent.rules:
            rules.add(rule)
        for line in sorted((r for r in replies if r.role == role), key=lambda r: (r.decision, r.call)):
            said = answer_of(line.reply.text)
            if line.module == Refine.name:
                apply(said, rules, Refine.allowed, options["updates"])
            elif line.module == Revise.name:
                apply(said, rules, Revise.allowed, len(rules))
            elif line.module == "seek":
                keep_clues(said, clues, numbers)
        for name, store in (("rules", rules), ("clues", clues)):
            for note in sorted(store, key=lambda n: n.number):
                kept[name][note.text + (f" [{note.topic}]" if note.topic else "")] = None
    return Recalled(tuple(kept["rules"]), tuple(kept["clues"]))
