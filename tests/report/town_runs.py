"""Run directories of the PokeGym studies with known contents: players that get stuck more win less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gwray.records import EpisodeRecord
from gwray.store import PlannedEpisode, PlannedEpisodes, RunDir, RunManifest

QUESTS = ("n1", "n2", "n3", "n4", "i1", "i2", "i3", "m1", "m2", "m3")
EASE = {"n": -0.15, "i": 0.25, "m": -0.1}
FOUR = {"agent": "pokegym", "observation.views": "front+previous+left+right", "action.per_reply": 3}

Cells = Mapping[str, tuple[str, str, Mapping[str, Any], float]]
"""Cell id → model, interface, axes, skill from 0 to 1."""

BOARD: Cells = {
    m: (m, "semantic", FOUR, skill)
    for m, skill in {"gpt-5.2": 0.6, "claude-sonnet-4.6": 0.55, "glm-4.6v": 0.4, "random": 0.02}.items()
}
NUDGES = {
    "none": {}, "tell": {"nudge.when": "ineffective", "nudge.say": "You are stuck."},
    "back": {"nudge.when": "ineffective", "nudge.force": "move_backward+move_backward+move_backward"},
    "back_rotate": {"nudge.when": "ineffective", "nudge.force": "move_backward+move_backward+rotate_right"},
}  # fmt: skip
VIEWS = ("front", "front+previous", "front+left+right", "front+previous+left+right")
ARMS: Cells = {
    **{f"pushed-{k}": ("gpt-5.2", "semantic", {**FOUR, **v}, 0.5) for k, v in NUDGES.items()},
    **{v.replace("+", "-"): ("gpt-5.2", "semantic", {**FOUR, "observation.views": v}, 0.5) for v in VIEWS[1:3]},
    "front": ("gpt-5.2", "semantic", {"agent": "pokegym", "action.per_reply": 3}, 0.45),
    "one": ("gpt-5.2", "semantic", {"agent": "pokegym", "observation.views": VIEWS[3]}, 0.4),
    "sticks-1": ("gpt-5.2", "parametric", {"agent": "pokegym", "observation.views": VIEWS[3]}, 0.4),
    "sticks-3": ("gpt-5.2", "parametric", FOUR, 0.3),
    "reflecting": ("gpt-5.2", "semantic", {**FOUR, "agent": "pokegym_reflection"}, 0.55),
}


def town_run(
    folder: Path, cells: Cells, *, texts: Sequence[str] = ("goal", "steps", "visual"), repeats: int = 5, lost: int = 0
) -> RunDir:
    """All thirty tasks by every cell; the last `lost` episodes of the first cell failed."""
    rng = np.random.default_rng(1)
    rows: list[EpisodeRecord] = []
    for cell, (model, interface, _, skill) in cells.items():
        for task in (f"{q}_{t}" for q in QUESTS for t in texts):
            hard = float(np.clip(1 - skill - EASE[task[0]] + rng.normal(0, 0.15), 0.02, 0.98))
            for repeat in range(repeats):
                win = bool(rng.random() > hard)
                stuck = float(np.clip(0.4 * hard + rng.normal(0, 0.05) - 0.05 * win, 0, 1))
                moves = {"moves": 60.0, "ineffective": 60 * stuck, "ineffective_share": stuck,
                         "longest_run": round(12 * stuck), "stuck_entropy": 0.0 if win else 2 * stuck,
                         "recovered_share": 1 - stuck}  # fmt: skip
                rows.append(
                    EpisodeRecord(
                        key=f"{cell}-{task}-{repeat}", cell=cell, game="town", task=task, model=model,
                        interface=interface, seed=42, repeat=repeat, status="finished", success=win,
                        progress=1.0 if win else 0.3, steps=int(rng.integers(40, 160)) if win else 240, decisions=80,
                        proposals=80, calls=80, input_tokens=0 if model == "random" else 80_000,
                        output_tokens=0 if model == "random" else 2_500, cost_usd=None if model == "random" else 0.25,
                        metrics={f"movement.{k}": float(v) for k, v in moves.items()},
                    )
                )  # fmt: skip
    first = next(iter(cells))
    missing = [r for r in rows if r.cell == first][len([r for r in rows if r.cell == first]) - lost :] if lost else []
    finished = [r for r in rows if r not in missing]
    manifest = {
        "name": "pokegym",
        "cells": [
            {"id": c, "name": c, "model": m, "interface": i, "axes": dict(axes), "planned": len(rows) // len(cells)}
            for c, (m, i, axes, _) in cells.items()
        ],
        "episodes": PlannedEpisodes.group(
            PlannedEpisode(r.key, r.cell, r.game, r.task, r.seed, r.repeat) for r in rows
        ),
    }
    run = RunDir.create(folder, RunManifest.model_validate(manifest))
    run.rewrite_results(finished)
    return run
