"""Metrics of an episode: functions from its rows and record to named values.

A custom metric is such a function, named by its path (`metrics=[my_package.shots]`) or, in an installed package, by an
entry point of the group `gwray.metrics`. It is computed from recorded data, so it can be recomputed at any time.

```python
def shots(steps, record, task):
    return {"fired": float(sum(s.control == "fire" for s in steps))}   # recorded as "shots.fired"
```
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Protocol

from gwray.catalog import Task
from gwray.errors import UsageError, where
from gwray.evaluation.movement import PlayedTurn, ineffective, moving, turns_back
from gwray.evaluation.scoring import active_tags
from gwray.places import Registry
from gwray.records import EpisodeRecord, StepRecord


class Metric(Protocol):
    """Returns values by name.

    Args:
        steps: Rows of the episode in order, without screenshots.
        record: The episode's record.
        task: None if the game no longer has the task.
    """

    def __call__(
        self, steps: Sequence[StepRecord], record: EpisodeRecord, task: Task | None
    ) -> Mapping[str, float]: ...


DEFAULT_METRICS = ("fields", "movement", "tags", "clues", "versus")
"""Computed for every episode. They return no values where the game defines nothing for them."""
METRICS = Registry("metric", {name: f"{__name__}:{name}" for name in DEFAULT_METRICS}, "gwray.metrics")


@dataclass(frozen=True)
class MetricResults:
    """Results of the metrics of one episode."""

    values: Mapping[str, float]
    """`<metric>.<name>` → value; for `EpisodeRecord.metrics`."""
    problems: tuple[str, ...] = ()
    """Errors of metrics that failed, for the caveats. They do not fail the episode."""


def check_metrics(names: Sequence[str]) -> None:
    """Raises `UsageError` before the run for an unknown metric, for one that is no function, and for two that would be
    recorded under the same name."""
    shorts: dict[str, str] = {}
    for name in dict.fromkeys((*DEFAULT_METRICS, *names)):
        short = name.rpartition(".")[2]
        if not callable(METRICS.get(name)):
            raise UsageError(f"metric '{name}' is not a function; write `def {short}(steps, record, task)`")
        if short in shorts:
            raise UsageError(f"metrics '{shorts[short]}' and '{name}' would both be recorded as {short}.…; rename one")
        shorts[short] = name


def measure(
    names: Sequence[str],
    steps: Sequence[StepRecord],
    record: EpisodeRecord,
    task: Task | None,
    *,
    trusted: Collection[str] | None = None,
) -> MetricResults:
    """Computes the named metrics of an episode and the default ones.

    Args:
        names: Further metrics.
        steps: Rows of the episode in order.
        record: The episode's record.
        task: None if the game no longer has the task.
        trusted: Names of custom metrics that may be imported; None: all.

    Raises:
        UsageError: For an unknown name. Errors inside a metric are returned as problems.
    """
    values: dict[str, float] = {}
    problems: list[str] = []
    for name in dict.fromkeys((*DEFAULT_METRICS, *names)):
        metric: Metric = METRICS.get(name, trusted=trusted)
        short = name.rpartition(".")[2]
        try:
            returned = metric(steps, record, task)
            if not isinstance(returned, Mapping):
                raise TypeError(f"it must return numbers by name, as in {{'share': 0.5}}, not {returned!r:.60}")
            found = {f"{short}.{key}": float(value) for key, value in returned.items()}
            if bad := [k for k, v in found.items() if not math.isfinite(v) or k in values]:
                raise ValueError(f"{bad[0]} is {found[bad[0]]}, or there twice")
        except Exception as e:  # recorded as a caveat and compared by `gwray verify`, so its wording is fixed
            problems.append(f"metric {name} failed: {type(e).__name__}: {e}{where(e)}")
        else:
            values |= found
    return MetricResults(values, tuple(problems))


def fields(steps: Sequence[StepRecord], record: EpisodeRecord, task: Task | None) -> Mapping[str, float]:
    """Returns the state fields that the task lists, if they are numbers or booleans: `.last`, and `.best`, the largest
    (or the smallest, for a target below the start)."""
    out: dict[str, float] = {}
    best = min if task and task.target is not None and task.target < task.start else max
    states = [json.loads(row.state) for row in _environment_steps(steps)]
    for name in task.metrics if task else ():
        found = [value for state in states if (value := _number_at(state, name)) is not None]
        if found:
            out |= {f"{name}.last": found[-1], f"{name}.best": best(found)}
    return out


def versus(steps: Sequence[StepRecord], record: EpisodeRecord, task: Task | None) -> Mapping[str, float]:
    """Returns the end of a match between two roles, for tasks with `versus`. `lead`: how far the first role is ahead in
    the last state. `weighted`: 1 if the size of the lead counts."""
    if task is None or task.versus is None or not steps:
        return {}
    lead = _number_at(json.loads(_environment_steps(steps)[-1].state), task.versus.lead)
    return {} if lead is None else {"lead": lead, "weighted": float(task.versus.weighted)}


def tags(steps: Sequence[StepRecord], record: EpisodeRecord, task: Task | None) -> Mapping[str, float]:
    """Returns the share of environment steps after which each of the task's tags is true."""
    if task is None or not task.tags or not steps:
        return {}
    active = [active_tags(json.loads(row.state), task) for row in _environment_steps(steps)]
    return {name: sum(name in names for names in active) / len(active) for name in task.tags}


def clues(steps: Sequence[StepRecord], record: EpisodeRecord, task: Task | None) -> Mapping[str, float]:
    """Returns how long clues waited, for games whose `game_state` has `clues: {id: {seen, used}}`; null and false mean
    not yet. `seen`, `used`: number of clues. `gap`: mean environment steps from first seeing a clue to first using it,
    over clues with both: FlashAdventure's observation–behavior gap."""
    first: dict[str, dict[str, int]] = {"seen": {}, "used": {}}
    known = False
    for row in _environment_steps(steps):
        inner = json.loads(row.state).get("game_state")
        found = inner.get("clues") if isinstance(inner, dict) else None
        for name, clue in found.items() if isinstance(found, dict) else ():
            for what, since in first.items():
                if isinstance(clue, dict) and what in clue:
                    known = True
                    if clue[what] is not None and clue[what] is not False:
                        since.setdefault(name, row.step)
    if not known:
        return {}
    gaps = [used - first["seen"][name] for name, used in first["used"].items() if name in first["seen"]]
    out = {what: float(len(since)) for what, since in first.items()}
    return out | ({"gap": sum(gaps) / len(gaps)} if gaps else {})


def movement(steps: Sequence[StepRecord], record: EpisodeRecord, task: Task | None) -> Mapping[str, float]:
    """Returns how often moves had no effect, over the roles' own decisions, for games that define movement.

    `moves`: decisions with a moving control. `ineffective`: those that changed no position. `ineffective_share`: of the
    moves. `recovered_share`: ineffective moves whose next decision does something with an effect, of those with a next
    decision in the attempt; a reply without a legal action, or one that only waits, is no recovery. `longest_run`:
    consecutive ineffective moves. `stuck_entropy`: Shannon entropy (nats) of the controls in runs of three or more. A
    share of nothing is omitted. These are PokeGym's IM%, Rec%, MaxIM and Ent.
    """
    if task is None or task.motion is None:
        return {}
    motion = task.motion
    moves, bad, followed, recovered, longest = 0, 0, 0, 0, 0
    stuck: Counter[str] = Counter()
    for attempt in _attempts(steps):
        marked = [(turn, ineffective(turn, motion)) for turn in attempt]
        moves += sum(moving(turn, motion) for turn in attempt)
        bad += sum(is_bad for _, is_bad in marked)
        successors = [(turn, is_bad) for (_, first), (turn, is_bad) in pairwise(marked) if first]
        followed += len(successors)
        recovered += sum(not is_bad and _does_something(turn) for turn, is_bad in successors)
        for is_bad, group in groupby(marked, key=lambda pair: pair[1]):
            run = [turn for turn, _ in group] if is_bad else []
            longest = max(longest, len(run))
            if len(run) >= 3:
                stuck.update(r.control for turn in run for r in turn.rows if r.control)
    total = stuck.total()
    entropy = sum(-n / total * math.log(n / total) for n in stuck.values())
    out = {"moves": moves, "ineffective": bad, "longest_run": longest, "stuck_entropy": entropy}
    if moves:
        out["ineffective_share"] = bad / moves
    if followed:
        out["recovered_share"] = recovered / followed
    return out


def _does_something(turn: PlayedTurn) -> bool:
    """Returns whether a turn has a legal action other than waiting."""
    return any(r.validity == "valid" and json.loads(r.action or "{}").get("action") != "wait" for r in turn.rows)


def _attempts(steps: Sequence[StepRecord]) -> list[list[PlayedTurn]]:
    """Returns each role's own decisions (not forced ones) by attempt, in order."""
    out: list[list[PlayedTurn]] = []
    for role in dict.fromkeys(row.role for row in steps):
        own = [turn for turn in reversed([*turns_back(steps, role)]) if not turn.forced]
        out += [list(group) for _, group in groupby(own, key=lambda turn: turn.rows[0].attempt)]
    return out


def _environment_steps(steps: Sequence[StepRecord]) -> list[StepRecord]:
    """Returns one row of each environment step; all roles' rows have the same state."""
    return list({row.step: row for row in steps}.values())


def _number_at(state: Any, path: str) -> float | None:
    for part in path.split("."):
        state = state.get(part) if isinstance(state, dict) else None
    return float(state) if isinstance(state, bool | int | float) else None
