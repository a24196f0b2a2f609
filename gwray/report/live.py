"""A running run: its live page with the latest screenshot of each lane."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from gwray.analysis import PlannedTasks
from gwray.errors import StoreError
from gwray.pages import SHORT, safe_text
from gwray.report.task_texts import TaskText, game_titles
from gwray.store import Holder, RunDir, RunStatus

GRID_ROWS = 100
"""Maximum number of cells in the grid."""
LANE_MAX_AGE_S = 600.0
WAITING_MAX_AGE_S = 7200.0
_LANE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")


def live_folder(run: RunDir) -> Path | None:
    try:
        return run.local_folder("live")
    except StoreError:  # a link that leads out of the run directory
        return None


def live_lanes(run: RunDir, *, at: datetime | None = None) -> list[dict[str, Any]]:
    """Returns the state of each lane, by name, from `live/<lane>.json` and `live/<lane>.jpg`. Invalid files are
    skipped. Lanes expire after ten minutes without an update; those that wait for a model that does not answer, after
    two hours."""
    folder = live_folder(run)
    if folder is None or not folder.is_dir():
        return []
    out = []
    for file in sorted(folder.glob("*.json"))[:400]:
        if not _is_plain(file):
            continue
        try:
            facts = json.loads(file.read_text())
            then = datetime.fromisoformat(facts["at"])
            if then.tzinfo is None:
                then = then.replace(tzinfo=UTC)
            age = ((at or datetime.now(UTC)) - then).total_seconds()
            key, step, best = str(facts["episode"]), int(facts["step"]), float(facts["progress"])
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
        waiting_for = facts.get("waiting_for")
        waiting_for = ", ".join(map(str, waiting_for)) if isinstance(waiting_for, list) else ""
        if age > (WAITING_MAX_AGE_S if waiting_for else LANE_MAX_AGE_S) or not _LANE.fullmatch(file.stem):
            continue
        picture = file.with_suffix(".jpg")
        out.append(
            {
                "lane": file.stem,
                "episode": key,
                "finished": bool(_LANE.fullmatch(key)) and run.has_episode(key),
                "step": step,
                "progress": min(1.0, max(0.0, best)) if best == best else 0.0,
                "age_s": round(age, 1),
                "picture": str(picture.stat().st_mtime_ns) if picture.is_file() else None,
                "waiting_for": safe_text(waiting_for, 120),
                **{k: safe_text(facts.get(k) or "", 120) for k in ("game", "task", "model")},
            }
        )
    return out


def progress_grid(frame: pl.DataFrame, plan: PlannedTasks) -> dict[str, Any]:
    """Returns the running progress of each cell in each game, of the episodes that have finished.

    `rows` has a list for each of `cells`, with an entry for each of `games`: mean progress in percent (None before the
    first episode has finished), numbers of finished and planned episodes.
    """
    finished = frame.filter(pl.col("status") == "finished").select("key", "progress")
    found = (
        plan.episodes.join(finished, on="key", how="left", maintain_order="left")
        .group_by("cell", "game", maintain_order=True)
        .agg(pl.col("progress").mean(), pl.col("progress").count().alias("finished"), pl.len().alias("planned"))
    )
    by = {(r["cell"], r["game"]): r for r in found.iter_rows(named=True)}
    games = found["game"].unique(maintain_order=True).sort().to_list()
    cells = found["cell"].unique(maintain_order=True).to_list()[:GRID_ROWS]

    def entry(cell: str, game: str) -> tuple[int | None, int, int]:
        r = by.get((cell, game), {"progress": None, "finished": 0, "planned": 0})
        return None if r["progress"] is None else round(100 * r["progress"]), r["finished"], r["planned"]

    names = [safe_text(plan.cells[c].name, SHORT) for c in cells]
    return {"games": games, "cells": names, "rows": [[entry(c, g) for g in games] for c in cells]}


def live_view(
    run: RunDir, frame: pl.DataFrame, plan: PlannedTasks, status: RunStatus, tasks: Mapping[str, TaskText]
) -> dict[str, Any]:
    """Returns the data of the live page: lanes with screenshots, episodes known by their logs only, progress by cell
    and game, and the speed of the run. `tasks`: texts by task id."""
    last = {p.key: safe_text(p.last_reply, SHORT) for p in status.now}
    titles = {task: (f"{text.title}: {text.goal}") for task, text in tasks.items()}

    def named(game: str, task: str) -> str:
        return titles.get(task) or f"{game} · {task}"

    grid = progress_grid(frame, plan)
    of_game = game_titles(plan, tasks)
    grid["games"] = [of_game.get(g) or safe_text(g, 120) for g in grid["games"]]
    lanes, driven = live_lanes(run), status.driven
    keys = [*(x["episode"] for x in lanes), *(p.key for p in status.now)]
    planned = plan.episodes.filter(pl.col("key").is_in(keys))
    names = {k: safe_text(plan.cells[c].name, SHORT) for k, c in planned.select("key", "cell").iter_rows()}
    shown = {x["episode"] for x in lanes}
    return {
        "lanes": [{**x, "player": names.get(x["episode"], x["model"]), "title": named(x["game"], x["task"]),
                   "reply": last.get(x["episode"], "")} for x in lanes],
        "grid": grid,
        "others": [
            {"episode": p.key, "player": names.get(p.key, safe_text(p.model, 120)), "game": safe_text(p.game, 120),
             "task": safe_text(p.task, 120), "title": named(safe_text(p.game, 120), safe_text(p.task, 120)),
             "reply": last[p.key], "decisions": p.decisions, "silent_s": p.silent_s}
            for p in status.now if driven and p.key not in shown
        ],
        "driven": driven,
        "activity": activity(status.holder),
        "engines": [safe_text(one.words(), SHORT) for one in status.engines] if driven else [],
        "episodes_per_minute": status.episodes_per_minute,
        "steps_per_second": status.steps_per_second,
        "eta_s": status.eta_s,
        "cost_usd": status.cost_usd,
    }  # fmt: skip


def activity(holder: Holder | None) -> str:
    """Returns the command that is working on a run, in a sentence."""
    return safe_text(f"This run {holder}.", SHORT) if holder else "This run is not being played."


def lane_frame(run: RunDir, lane: str) -> bytes | None:
    """Returns the latest screenshot of a lane, a JPEG or a PNG; None if there is none."""
    folder = live_folder(run)
    file = folder / f"{lane}.jpg" if folder and _LANE.fullmatch(lane) else None
    return None if file is None or not _is_plain(file) else file.read_bytes()


def _is_plain(file: Path) -> bool:
    """Whether this is a regular file, as lanes write it, and no link or pipe."""
    return file.is_file() and not file.is_symlink()
