"""Labels what went wrong in an episode from its recorded steps alone; no model and no screenshot is used. The labels
are not exclusive: an agent may loop and then die. They describe episodes that missed their target."""

import json
import re
from collections.abc import Sequence
from itertools import groupby

from gwray.records import StepRecord, digest

FACTS: dict[str, str] = {
    "never_acted": "never acted: no valid action other than waiting in the whole episode",
    "invalid_actions": "invalid actions: at least a quarter of the replies were no legal action",
    "stuck": "stuck: ten steps in a row with a valid action did not change the game's state (its clocks aside; never "
    "where others move by themselves, as in the town, whose IM counts positions)",
    "action_loop": "action loop: the same action ten times in a row or more, without progress",
    "oscillation": "oscillation: two or three actions in alternation over twelve steps, without progress",
    "progressed_then_died": "progressed, then died: the game failed or was reset after progress was made",
    "close_miss": "close miss: 90 % of the way or more, but not the target",
}
"""Label → definition, in the order of the tables' columns."""

INVALID_SHARE = 0.25
STUCK_STEPS = 10
LOOP_STEPS = 10
OSCILLATION_STEPS = 12
CLOSE = 0.9

_CLOCK = re.compile(r"(time|timer|elapsed|frame|frames|tick|ticks|clock|timestamp)s?(ms|sec|seconds)?$", re.IGNORECASE)


def diagnose(steps: Sequence[StepRecord]) -> dict[str, int]:
    """Returns the labels of an unsuccessful episode, each with the first step that shows it, in the order of `FACTS`.

    Args:
        steps: The episode's rows in order, one for each role and step. Without rows there are no labels.
    """
    if not steps:
        return {}
    invalid = [s.step for s in steps if s.validity != "valid"]
    oscillations = [_repeats(steps, period, OSCILLATION_STEPS) for period in (2, 3)]
    died = (s.step for s in steps if s.best_progress > 0 and (s.reset or s.terminal == "fail"))
    found = {
        "never_acted": None if any(map(_acts, steps)) else steps[0].step,
        "invalid_actions": invalid[0] if invalid and len(invalid) >= INVALID_SHARE * len(steps) else None,
        "stuck": _stuck(steps),
        "action_loop": _repeats(steps, 1, LOOP_STEPS),
        "oscillation": min((s for s in oscillations if s is not None), default=None),
        "progressed_then_died": next(died, None),
        "close_miss": next((s.step for s in steps if s.best_progress >= CLOSE), None),
    }
    return {label: step for label, step in found.items() if step is not None}


def _acts(row: StepRecord) -> bool:
    """Whether the row has a valid action other than waiting."""
    return row.validity == "valid" and _action_name(row.action) not in (None, "wait")


def _action_name(action: str | None) -> str | None:
    """Returns the name of an action in JSON; None if it has none."""
    if not action:
        return None
    try:
        return json.loads(action).get("action")
    except (ValueError, AttributeError):
        return None


def _hash_without_clocks(state: str) -> str:
    """Returns a hash of the state without its clocks and time counters, which change without any action."""
    try:
        value = json.loads(state)
    except ValueError:
        return digest(state)
    return digest(json.dumps(_without_clocks(value), sort_keys=True))


def _without_clocks(value: object) -> object:
    """Returns a state without the fields that are clocks or time counters."""
    if isinstance(value, dict):
        return {k: _without_clocks(v) for k, v in value.items() if not _CLOCK.search(str(k))}
    if isinstance(value, list):
        return [_without_clocks(v) for v in value]
    return value


def _stuck(steps: Sequence[StepRecord]) -> int | None:
    """Returns the first of `STUCK_STEPS` acting steps that change nothing; waiting and invalid replies do not end the
    sequence."""
    run, before, start = 0, None, 0
    for step, group in groupby(steps, key=lambda s: s.step):
        rows = list(group)
        if any(s.reset for s in rows):
            run, before = 0, None
            continue
        now = _hash_without_clocks(rows[-1].state)
        acted = any(map(_acts, rows))
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
    """Returns the first of `length` steps in which a role's action equals its own `period` steps earlier and the best
    progress stays unchanged."""
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
                and _action_name(a.action) != "wait"
                and a.best_progress <= b.best_progress
            )
            run = run + 1 if same else 0
            if run + period >= length:
                first = i - length + 1
                if period == 1 or len({r.action for r in rows[first : i + 1]}) > 1:
                    found.append(rows[first].step)
                    break
    return min(found, default=None)
