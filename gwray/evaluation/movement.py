"""Whether the players moved when they meant to: a role's rows as turns, and what a turn did to its position."""

from __future__ import annotations

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
    """One decision of one role, or a row that a nudge forced."""

    rows: tuple[StepRecord, ...]
    before: str
    """JSON of the state before it; empty where nobody stored it."""
    begins_attempt: bool

    @property
    def forced(self) -> bool:
        return self.rows[0].forced


def turns_back(rows: Sequence[StepRecord], role: str) -> Iterator[PlayedTurn]:
    """A role's turns, the last one first; rows of other roles may stand between."""
    # All roles' rows of one environment step have its state; only the first of an attempt has the state before it.
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
    """Whether a turn had a control that is meant to move. A role that acts by raw input has no controls."""
    return any(r.validity == "valid" and r.control in motion.controls for r in turn.rows)


def ineffective(turn: PlayedTurn, motion: Motion) -> bool:
    """Whether a turn was meant to move and moved nothing."""
    return moving(turn, motion) and not moved(turn, motion)


def moved(turn: PlayedTurn, motion: Motion) -> bool:
    """Whether a turn changed the role's position; taken for granted where the state before it is not known.

    Raises `GameError` for a position field that the state does not have.
    """
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


def acts(turn: PlayedTurn, motion: Motion) -> bool:
    """Whether a turn did something else than to move, to turn on the spot and to wait, whatever came of it.

    Who turns changes what stands beside the position in the state (`player.yaw` beside `player.x`), and no position.
    """
    states = [turn.before, *(r.state for r in turn.rows)]
    return any(
        r.validity == "valid"
        and r.control not in motion.controls
        and json.loads(r.action or "{}").get("action") != "wait"
        and _beside(before, r.role, motion) == _beside(r.state, r.role, motion)
        for before, r in zip(states, turn.rows, strict=False)
    )


def _beside(state: str, role: str, motion: Motion) -> list[Any]:
    """The objects of a state that the position is in; its outermost is none."""
    if not state:
        return []
    paths = {name.replace("{role}", role).rpartition(".")[0] for name in motion.position} - {""}
    return [field(json.loads(state), path) for path in sorted(paths)]


@dataclass(frozen=True)
class MovedTurn:
    """What an own turn of a role came to."""

    moves: bool
    """It had a control that is meant to move."""
    ineffective: bool
    acts: bool
    """It did something else than to move, to turn on the spot and to wait."""
    words: str
    """What was thought and said."""


def stuck_turns(rows: Sequence[StepRecord], role: str, motion: Motion) -> list[MovedTurn]:
    """A role's own turns in order, with whether they moved anything."""
    own = [turn for turn in turns_back(rows, role) if not turn.forced][::-1]
    return [
        MovedTurn(
            moving(t, motion), ineffective(t, motion), acts(t, motion), f"{t.rows[0].reasoning}\n{t.rows[0].text}"
        )
        for t in own
    ]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
