"""The harbor library as PokeGym's study: quest, category and text of its tasks, the arms of the smaller studies, and
the number of states and replies. Measures are in `deadlocks`."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from gwray.analysis import Cell, PlannedTasks
from gwray.records import NOT_OUTCOME, ascii_json
from gwray.settings import Value, family
from gwray.studies.pokegym.deadlocks import state_complexity, stick_choices

GAME = "town"
CATEGORIES = {"n": "navigation", "i": "interaction", "m": "mixed"}
"""By the first letter of a task."""
TEXTS = {"visual": "visual-guided", "steps": "step-guided", "goal": "goal only"}
"""By the end of a task: how detailed its instruction is. The rest of the task is the same."""
MOVES = 7
AREA = 56.0 * 40
"""Square meters of the town, all of which is accessible in every quest."""
STRIDE = 1.3
"""Meters of one move."""
TREE_STEPS = 360
"""The longest budget, as in the publication."""

STUDIES: Mapping[str, tuple[str, ...]] = {
    "images": ("observation",),
    "actions": ("action", "interface"),
    "interventions": ("nudge",),
    "self_reflection": ("agent",),
}
"""Smaller study → groups of settings in which its arms differ."""
PUSHES = {
    "move_backward+move_backward+move_backward": "back",
    "move_backward+move_backward+rotate_right": "back_rotate",
}

REFLECTION = {"pokegym": "without", "pokegym_reflection": "with"}
"""By agent: whether it learns rules."""


@dataclass(frozen=True)
class Arm:
    """One cell as an arm of a smaller study."""

    name: str
    """Name in `pokegym_studies.csv`."""
    player: str
    """Name of the model."""
    cell: str


def quests(frame: pl.DataFrame) -> pl.DataFrame:
    """Returns the rows of the town's tasks with the columns quest, category and text. `frame`: played or planned
    episodes."""
    task = pl.col("task")
    form = rf"^([{''.join(CATEGORIES)}]\d+)_({'|'.join(TEXTS)})$"
    return frame.filter((pl.col("game") == GAME) & task.str.contains(form)).with_columns(
        task.str.extract(form, 1).alias("quest"),
        task.str.slice(0, 1).replace_strict(CATEGORIES, return_dtype=pl.String).alias("category"),
        task.str.extract(form, 2).alias("text"),
    )


def arms(plan: PlannedTasks, study: str) -> list[list[Arm]]:
    """Returns the cells that a study compares, for each player in the plan's order: they differ only in the study's
    settings. Players with a single arm are skipped."""
    free = STUDIES[study]
    found: dict[tuple[object, ...], list[Arm]] = {}
    for c in plan.cells.values():
        fixed = {a: v for a, v in sorted(c.axes.items()) if family(a) not in free}
        interface = "" if "interface" in free else c.interface
        # Two models of one name may differ in settings that are no axes.
        model = {k: v for k, v in (c.spec.get("model") or {}).items() if k not in NOT_OUTCOME}
        if name := _arm_name(c, study):
            found.setdefault((ascii_json([c.model, model]), interface, *fixed.items()), []).append(
                Arm(name, c.model, c.id)
            )
    return [group for group in found.values() if len({a.name for a in group}) > 1]


def _arm_name(c: Cell, study: str) -> str:
    """Returns the name of the cell's arm; empty if the cell is not part of the study."""
    if study == "images":
        return "" if c.setting("observation.text") else str(c.setting("observation.views") or "")
    if study == "actions":
        return (
            f"{c.interface} {c.setting('action.per_reply') or 1}" if c.interface in ("semantic", "parametric") else ""
        )
    if study == "interventions":
        return _nudge_name(c.axes)
    return REFLECTION.get(str(c.setting("agent")), "")


def _nudge_name(axes: Mapping[str, Value]) -> str:
    """Returns the published name of a nudge setting; empty if the study has no such arm."""
    if "nudge.when" not in axes:
        return "none"
    if axes["nudge.when"] != "ineffective":
        return ""
    force = str(axes.get("nudge.force", ""))
    return PUSHES.get(force, force.replace("+", ", ")) if force else "tell"


def action_choices(interface: str) -> int:
    """Returns the number of distinct actions: seven moves, or the publication's count for sticks."""
    return stick_choices() if interface == "parametric" else MOVES


def town_states() -> float:
    """Returns the number of visually distinct states of the town: positions one move apart times degrees of view."""
    return state_complexity(AREA, STRIDE)
