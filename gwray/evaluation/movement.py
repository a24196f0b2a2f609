"""Detects ineffective moves: groups a role's rows into turns and compares positions before and after each turn."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gwray.catalog import Motion
from gwray.evaluation.predicates import field
from gwray.records import StepRecord


@dataclass(frozen=True)
class PlayedTurn:
    """One decision of one role, or one row that a nudge forced."""

    rows: tuple[StepRecord, ...]
    before: str
    """State before the turn, as JSON; empty if it is not recorded."""
    begins_attempt: bool

    @property
    def forced(self) -> bool:
        return self.rows[0].forced


def turns_back(rows: Sequence[StepRecord], role: str) -> Iterator[PlayedTurn]:
    """Yields a role's turns, the last one first. Rows of other roles are skipped."""
    # All roles' rows of a step have the state after it; only the first of an attempt has the state before it.
    after = {(r.attempt, r.step): r.state for r in rows}
    begun = {r.attempt: r.before for r in rows if r.before}
    mine = [r for r in rows if r.role == role]
    end = len(mine)
    while end:
        start = end - 1
        while start and _turn(mine[start - 1]) == _turn(mine[end - 1]):
            start -= 1
        first = mine[start]
        before = after.get((first.attempt, first.step - 1), begun.get(first.attempt, ""))
        yield PlayedTurn(tuple(mine[start:end]), before, start == 0 or mine[start - 1].attempt != first.attempt)
        end = start


def _turn(row: StepRecord) -> tuple[int, int, bool]:
    return row.attempt, row.decision, row.forced


def moving(turn: PlayedTurn, motion: Motion) -> bool:
    """Returns whether a turn has a valid moving control. Roles with raw input have no controls."""
    return any(r.validity == "valid" and r.control in motion.controls for r in turn.rows)


def ineffective(turn: PlayedTurn, motion: Motion) -> bool:
    """Returns whether a turn has a moving control and did not change the position."""
    return moving(turn, motion) and not moved(turn, motion)


def moved(turn: PlayedTurn, motion: Motion) -> bool:
    """Returns whether a turn changed the role's position; true if the state before it is unknown. Raises `GameError`
    for a position field that the state lacks."""
    if not turn.before:
        return True
    names = [name.replace("{role}", turn.rows[0].role) for name in motion.position]
    states = json.loads(turn.before), json.loads(turn.rows[-1].state)
    squares = 0.0
    for a, b in ((field(states[0], name), field(states[1], name)) for name in names):
        if _is_number(a) and _is_number(b):
            squares += (a - b) ** 2
        elif a != b:
            return True
    return math.sqrt(squares) > motion.eps


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
