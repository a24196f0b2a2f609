"""Where and how roles are stuck: turns without an effect, from recorded positions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gwray.catalog import Motion
from gwray.evaluation import PlayedTurn, field, ineffective, moving, turns_back
from gwray.records import StepRecord


def acts(turn: PlayedTurn, motion: Motion) -> bool:
    """Returns whether a turn has a valid action other than moving, turning on the spot and waiting. Turning changes
    other fields of the object with the position (`player.yaw` next to `player.x`), but no position."""
    states = [turn.before, *(r.state for r in turn.rows)]
    return any(
        r.validity == "valid"
        and r.control not in motion.controls
        and json.loads(r.action or "{}").get("action") != "wait"
        and _position_objects(before, r.role, motion) == _position_objects(r.state, r.role, motion)
        for before, r in zip(states, turn.rows, strict=False)
    )


def _position_objects(state: str, role: str, motion: Motion) -> list[Any]:
    """Returns the objects of a state that contain the position fields, without the top level."""
    if not state:
        return []
    paths = {name.replace("{role}", role).rpartition(".")[0] for name in motion.position} - {""}
    return [field(json.loads(state), path) for path in sorted(paths)]


@dataclass(frozen=True)
class TurnMovement:
    """Movement of one turn that the agent decided."""

    moves: bool
    """Whether it has a moving control."""
    ineffective: bool
    acts: bool
    """Whether it has an action other than moving, turning on the spot and waiting."""
    words: str
    """Reasoning and text of the reply."""


def stuck_turns(rows: Sequence[StepRecord], role: str, motion: Motion) -> list[TurnMovement]:
    """Returns the movement of a role's own turns in order."""
    own = [turn for turn in turns_back(rows, role) if not turn.forced][::-1]
    return [
        TurnMovement(
            moving(t, motion), ineffective(t, motion), acts(t, motion), f"{t.rows[0].reasoning}\n{t.rows[0].text}"
        )
        for t in own
    ]


STUCK = 3
"""Consecutive ineffective moves that count as being stuck, as for nudges and the entropy of actions."""


def stuck_places(rows: Sequence[StepRecord], motion: Motion) -> list[tuple[float, ...]]:
    """Returns where roles were stuck: the position in each series of `STUCK` or more ineffective moves of an attempt,
    as the values of `motion.position`. Series without a recorded number are left out."""
    out = []
    for role in dict.fromkeys(row.role for row in rows):
        own = [turn for turn in turns_back(rows, role) if not turn.forced][::-1]
        series: list[PlayedTurn] = []
        for turn in [*own, None]:
            goes_on = turn is not None and ineffective(turn, motion) and not (series and turn.begins_attempt)
            if turn is not None and goes_on:
                series.append(turn)
                continue
            if len(series) >= STUCK:
                state = json.loads(series[-1].rows[-1].state)
                values = [field(state, name.replace("{role}", role)) for name in motion.position]
                if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
                    out.append(tuple(map(float, values)))
            series = [turn] if turn is not None and ineffective(turn, motion) else []
    return out
