"""What the harbour town's tasks are to PokeGym's study: quest, category and text, the arms that its smaller studies
compare, and how many states and replies there are. What was measured in them is in `deadlocks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from gwray.analysis.cells import Cell, PlannedTasks
from gwray.analysis.deadlocks import state_complexity, stick_choices
from gwray.axes import Value, family
from gwray.identity import NOT_OUTCOME
from gwray.records import ascii_json

GAME = "town"
CATEGORIES = {"n": "navigation", "i": "interaction", "m": "mixed"}
"""By the first letter of a task."""
TEXTS = {"visual": "visual-guided", "steps": "step-guided", "goal": "goal only"}
"""By the end of a task: how much its instruction says. The rest of the task is the same."""
MOVES = 7
AREA = 56.0 * 40
"""Square metres of the town, all of which is open in every quest."""
STRIDE = 1.3
"""Metres of one move."""
TREE_STEPS = 360
"""The longest budget, here as in the publication."""

STUDIES: Mapping[str, tuple[str, ...]] = {
    "images": ("observation",),
    "actions": ("action", "interface"),
    "interventions": ("nudge",),
    "self_reflection": ("agent",),
}
"""The smaller studies, and the groups of settings in which their arms differ."""
PUSHES = {
    "move_backward+move_backward+move_backward": "back",
    "move_backward+move_backward+rotate_right": "back_rotate",
}


@dataclass(frozen=True)
class Arm:
    """One cell as an arm of a smaller study."""

    name: str
    """As the published arms are called in `pokegym_studies.csv`."""
    player: str
    """The model, and what else its cells say alike."""
    cell: str


def quests(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows of the town's tasks, with the columns quest, category and text. `frame`: of episodes, played or
    planned."""
    task = pl.col("task")
    form = rf"^([{''.join(CATEGORIES)}]\d+)_({'|'.join(TEXTS)})$"
    return frame.filter((pl.col("game") == GAME) & task.str.contains(form)).with_columns(
        task.str.extract(form, 1).alias("quest"),
        task.str.slice(0, 1).replace_strict(CATEGORIES, return_dtype=pl.String).alias("category"),
        task.str.extract(form, 2).alias("text"),
    )


def arms(plan: PlannedTasks, study: str) -> list[list[Arm]]:
    """The cells of each player that a study compares, in the plan's order: they differ in nothing but the study's
    settings. A player with a single arm is left out."""
    free = STUDIES[study]
    found: dict[tuple[object, ...], list[Arm]] = {}
    for c in plan.cells.values():
        said = {a: v for a, v in sorted(c.axes.items()) if family(a) not in free}
        interface = "" if "interface" in free else c.interface
        if name := _arm(c, study):
            found.setdefault((_asked(c), interface, *said.items()), []).append(Arm(name, c.model, c.id))
    return [group for group in found.values() if len({a.name for a in group}) > 1]


def _asked(c: Cell) -> str:
    """Who plays, with what it is told beside the settings of the sweep: two of one name may differ in that."""
    model = c.spec.get("model") or {}
    return ascii_json([c.model, {k: v for k, v in model.items() if k not in NOT_OUTCOME}])


def _arm(c: Cell, study: str) -> str:
    """Empty: none of this study."""
    if study == "images":
        return "" if c.setting("observation.text") else str(c.setting("observation.views") or "")
    if study == "actions":
        return (
            f"{c.interface} {c.setting('action.per_reply') or 1}" if c.interface in ("semantic", "parametric") else ""
        )
    if study == "interventions":
        return _nudge(c.axes)
    return str(c.setting("agent")) if c.setting("agent") in ("direct", "self_reflection") else ""


def _nudge(axes: Mapping[str, Value]) -> str:
    if "nudge.when" not in axes:
        return "none"
    if axes["nudge.when"] != "ineffective":
        return ""
    force = str(axes.get("nudge.force", ""))
    return PUSHES.get(force, force.replace("+", ", ")) if force else "tell"


def action_choices(interface: str) -> int:
    """Actions that differ: seven moves, or as the publication counts sticks."""
    return stick_choices() if interface == "parametric" else MOVES


def town_states() -> float:
    """States that the town can be in for the eye: places a move apart times degrees of view."""
    return state_complexity(AREA, STRIDE)
