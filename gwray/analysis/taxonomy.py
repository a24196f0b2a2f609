"""What went wrong in an episode, from recorded facts alone: no model judges, no picture is looked at.

The labels are not exclusive: an agent may loop and then die. They describe episodes that missed their target.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from gwray.records import StepRecord, digest

LABELS: dict[str, str] = {
    "never_acted": "never acted: no valid action other than waiting in the whole episode",
    "invalid_actions": "invalid actions: at least a quarter of the replies were no legal action",
    "stuck": "stuck: ten steps in a row with a valid action did not change the game's state (its clocks aside)",
    "action_loop": "action loop: the same action ten times in a row or more, without progress",
    "oscillation": "oscillation: two or three actions in alternation over twelve steps, without progress",
    "died_after_progress": "progressed, then died: the game failed or was reset after progress was made",
    "close_miss": "close miss: 90 % of the way or more, but not the target",
}
"""Every label with its definition, in the order tables show them."""

INVALID_SHARE = 0.25
STUCK_STEPS = 10
LOOP_STEPS = 10
OSCILLATION_STEPS = 12
CLOSE = 0.9

_CLOCK = re.compile(r"(time|timer|elapsed|frame|frames|tick|ticks|clock|timestamp)s?(ms|sec|seconds)?$", re.IGNORECASE)


@dataclass(frozen=True)
class Diagnosis:
    """Labels of one episode and the step each one first shows at."""

    success: bool
    labels: tuple[str, ...]
    at: dict[str, int]


def diagnose(steps: Sequence[StepRecord], *, success: bool) -> Diagnosis:
    """Label one episode from its step records (one row a role and step). A success has no labels."""
    if success or not steps:
        return Diagnosis(success, (), {})
    at: dict[str, int] = {}
    moves = [s for s in steps if s.validity == "valid" and _kind(s.action) not in (None, "wait")]
    if not moves:
        at["never_acted"] = steps[0].step
    invalid = [s.step for s in steps if s.validity != "valid"]
    if len(invalid) >= INVALID_SHARE * len(steps):
        at["invalid_actions"] = invalid[0]
    for name, found in (
        ("stuck", _stuck(steps)),
        ("action_loop", _repeats(steps, 1, LOOP_STEPS)),
        ("oscillation", _oscillates(steps)),
        ("died_after_progress", _died(steps)),
        ("close_miss", next((s.step for s in steps if s.best_progress >= CLOSE), None)),
    ):
        if found is not None:
            at[name] = found
    return Diagnosis(success, tuple(n for n in LABELS if n in at), at)


def count_labels(diagnoses: Iterable[Diagnosis]) -> dict[str, int]:
    """Episodes with each label, every label present."""
    out = dict.fromkeys(LABELS, 0)
    for d in diagnoses:
        for label in d.labels:
            out[label] += 1
    return out


def _kind(action: str | None) -> str | None:
    if not action:
        return None
    try:
        return json.loads(action).get("action")
    except (ValueError, AttributeError):
        return None


def essence(state: str) -> str:
    """Hash of what a player could have changed: the state without its clocks and counters of time."""
    try:
        value = json.loads(state)
    except ValueError:
        return digest(state)
    return digest(json.dumps(_without_clocks(value), sort_keys=True))


def _without_clocks(value: object) -> object:
    if isinstance(value, dict):
        return {k: _without_clocks(v) for k, v in value.items() if not _CLOCK.search(str(k))}
    if isinstance(value, list):
        return [_without_clocks(v) for v in value]
    return value


def _stuck(steps: Sequence[StepRecord]) -> int | None:
    """First step of a run of acting steps that change nothing; waiting and invalid replies end no run."""
    run, before, start = 0, None, 0
    for step, group in groupby(steps, key=lambda s: s.step):
        rows = list(group)
        if any(s.reset for s in rows):
            run, before = 0, None
            continue
        now = essence(rows[-1].state)
        acted = any(s.validity == "valid" and _kind(s.action) not in (None, "wait") for s in rows)
        if before is not None and now != before:
            run = 0
        elif before is not None and acted:
            start = step if run == 0 else start
            run += 1
            if run >= STUCK_STEPS:
                return start
        before = now
    return None


def _repeats(steps: Sequence[StepRecord], period: int, length: int) -> int | None:
    """First step of `length` steps in which each role's action equals its own `period` steps before, best unchanged."""
    by_role: dict[str, list[StepRecord]] = {}
    for s in steps:
        by_role.setdefault(s.role, []).append(s)
    found = []
    for rows in by_role.values():
        run = 0
        for i in range(period, len(rows)):
            a, b = rows[i], rows[i - period]
            same = (
                a.action is not None
                and a.action == b.action
                and _kind(a.action) != "wait"
                and a.best_progress <= b.best_progress
            )
            run = run + 1 if same else 0
            if run + period >= length:
                first = i - length + 1
                if period == 1 or len({r.action for r in rows[first : i + 1]}) > 1:
                    found.append(rows[first].step)
                    break
    return min(found, default=None)


def _oscillates(steps: Sequence[StepRecord]) -> int | None:
    found = [s for p in (2, 3) if (s := _repeats(steps, p, OSCILLATION_STEPS)) is not None]
    return min(found, default=None)


def _died(steps: Sequence[StepRecord]) -> int | None:
    for s in steps:
        if s.best_progress > 0 and (s.reset or s.terminal == "fail"):
            return s.step
    return None
