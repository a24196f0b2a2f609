"""What the lanes of a run show now: the latest frame of each, and where it is."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from gwray.analysis import PlannedTasks
from gwray.errors import StoreError
from gwray.report.sanitize import SHORT, safe_text
from gwray.store import Holder, RunDir

if TYPE_CHECKING:
    from gwray.pipelines import RunStatus

LANE_GONE_S = 600.0
WAITING_GONE_S = 7200.0
_LANE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")


def live_folder(run: RunDir) -> Path | None:
    try:
        return run.live_path
    except StoreError:  # a link that leads out of the run directory
        return None


def lanes(run: RunDir, *, at: datetime | None = None) -> list[dict[str, Any]]:
    """What lanes last showed: `live/<lane>.json` beside `live/<lane>.jpg`, newest writers first to last by name.

    Half-written or foreign files are passed over; lanes that were silent for ten minutes are gone,
    those whose model is held back after two hours.
    """
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
        if age > (WAITING_GONE_S if waiting_for else LANE_GONE_S) or not _LANE.fullmatch(file.stem):
            continue
        picture = file.with_suffix(".jpg")
        out.append(
            {
                "lane": file.stem,
                "episode": key,
                "finished": bool(_LANE.fullmatch(key)) and run.has_episode(key),
                "watchable": bool(_LANE.fullmatch(key)),
                "step": step,
                "progress": min(1.0, max(0.0, best)) if best == best else 0.0,
                "age_s": round(age, 1),
                "picture": str(picture.stat().st_mtime_ns) if picture.is_file() else None,
                "waiting_for": safe_text(waiting_for, 120),
                **{k: safe_text(facts.get(k) or "", 120) for k in ("game", "task", "model")},
            }
        )
    return out


def live_view(run: RunDir, plan: PlannedTasks, status: RunStatus) -> dict[str, Any]:
    """What plays now: the lanes with their frames, episodes that are seen by their logs only, and how fast it goes."""
    frames, driven = lanes(run), status.driven
    keys = [*(x["episode"] for x in frames), *(p.key for p in status.now)]
    planned = plan.episodes.filter(pl.col("key").is_in(keys))
    names = {k: safe_text(plan.cells[c].name, SHORT) for k, c in planned.select("key", "cell").iter_rows()}
    on_wall = {x["episode"] for x in frames}
    return {
        "lanes": [{**x, "player": names.get(x["episode"], x["model"])} for x in frames],
        "others": [
            {"episode": p.key, "player": names.get(p.key, safe_text(p.model, 120)), "game": safe_text(p.game, 120),
             "task": safe_text(p.task, 120), "decisions": p.decisions, "silent_s": p.silent_s}
            for p in status.now if driven and p.key not in on_wall
        ],
        "driven": driven,
        "doing": doing(status.holder),
        "engines": [safe_text(one.words(), SHORT) for one in status.engines] if driven else [],
        "episodes_per_minute": status.episodes_per_minute,
        "steps_per_second": status.steps_per_second,
        "eta_s": status.eta_s,
        "cost_usd": status.cost_usd,
    }  # fmt: skip


def doing(holder: Holder | None) -> str:
    """What is done with a run, in a sentence."""
    return safe_text(f"This run {holder}.", SHORT) if holder else "Nobody plays this run now."


def lane_frame(run: RunDir, lane: str) -> bytes | None:
    """The latest frame of a lane, a JPEG or a PNG; None if it shows none."""
    folder = live_folder(run)
    file = folder / f"{lane}.jpg" if folder and _LANE.fullmatch(lane) else None
    return None if file is None or not _is_plain(file) else file.read_bytes()


def _is_plain(file: Path) -> bool:
    """A file itself, as lanes write it: no link, no pipe."""
    return file.is_file() and not file.is_symlink()
