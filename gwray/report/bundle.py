"""Data of replay pages and of the episode list, for the static report and the server."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from gwray.agents import NoteSpan
from gwray.analysis import FACTS, PlannedTasks
from gwray.pages import SHORT, safe_text
from gwray.records import EpisodeRecord
from gwray.report.replay import ENDINGS, replay_data, suffix
from gwray.report.task_texts import TaskText, game_titles
from gwray.settings import axis_value, axis_words
from gwray.store import Episode

PEERS = 50


def replay_bundle(
    episode: Episode,
    frame: pl.DataFrame,
    plan: PlannedTasks,
    *,
    watchable: Iterable[str],
    found: Mapping[str, int] | None = None,
    tasks: Mapping[str, TaskText] | None = None,
    notes: Sequence[NoteSpan] = (),
) -> dict[str, Any]:
    """Returns `replay_data` with the paths of its screenshots, comparable episodes, and diagnosed failures with the
    step at which each first shows."""
    labels = {label.replace("_", " "): step for label, step in (found or {}).items()}
    data = replay_data(episode, list(labels), (tasks or {}).get(episode.meta.record.task), notes)
    data["label_at"] = labels
    key = data["key"]
    end = suffix(episode.meta.mime)
    present = [*(s["frame"] for s in data["steps"]), data["final"]][: len(data["steps"]) + int(data["final"])]
    data["frames"] = [f"frames/{key}/{i}.{end}" if there else None for i, there in enumerate(present)]
    r = episode.meta.record
    data["name"] = safe_text(plan.cells[r.cell].name if r.cell in plan.cells else r.model, SHORT)
    if r.cell in plan.cells:
        data["axes"] = [safe_text(w, SHORT) for w in axis_words(plan.cells[r.cell].axes)]
    data["peers"] = peers(r, frame, plan, set(watchable))
    return data


def peers(mine: EpisodeRecord, frame: pl.DataFrame, plan: PlannedTasks, watchable: set[str]) -> list[dict[str, Any]]:
    """Returns other replayable episodes of the same task, other cells first."""
    same = frame.filter(
        (pl.col("game") == mine.game) & (pl.col("task") == mine.task) & (pl.col("key") != mine.key)
    ).sort("cell", "repeat")
    rows = [r for r in same.iter_rows(named=True) if r["key"] in watchable]
    rows.sort(key=lambda r: (r["cell"] == mine.cell, r["repeat"] != mine.repeat))
    return [
        {
            "key": r["key"],
            "name": safe_text(f"{plan.cells[r['cell']].name} · repeat {r['repeat']}", SHORT),
            "progress": r["progress"],
        }
        for r in rows[:PEERS]
    ]


def episode_columns(
    frame: pl.DataFrame,
    plan: PlannedTasks,
    facts: Mapping[str, Mapping[str, int]],
    watchable: Iterable[str],
    tasks: Mapping[str, TaskText] | None = None,
) -> dict[str, Any]:
    """Returns all episodes as columns; repeated words are stored once, which suits tens of thousands of rows. `tasks`:
    texts by task."""
    there = set(watchable)
    bits = {label: 1 << i for i, label in enumerate(FACTS)}
    keys = frame["key"].to_list()

    def words(values: Sequence[str]) -> dict[str, Any]:
        index = {w: i for i, w in enumerate(dict.fromkeys(values))}
        return {"words": [safe_text(w, SHORT) for w in index], "codes": [index[v] for v in values]}

    def values(values: Iterable[Any]) -> dict[str, Any]:
        return {"values": list(values)}

    outcome = [
        "failed" if s == "failed" else "success" if ok else "missed"
        for s, ok in zip(frame["status"], frame["success"], strict=True)
    ]
    invalid = frame["no_tool_call"].fill_null(0) + frame["out_of_space"].fill_null(0)
    errors = [f"{c}: {m}" if c or m else "" for c, m in zip(frame["error_class"], frame["error_message"], strict=True)]
    cells = [plan.cells.get(c) for c in frame["cell"]]
    titles = {task: f"{t.title}: {t.goal}" for task, t in (tasks or {}).items()}
    return {
        "n": len(keys),
        "labels": [label.replace("_", " ") for label in FACTS] if facts else [],
        "games": game_titles(plan, tasks or {}),
        "columns": {
            "key": values(keys),
            "cell": words([c.name if c else id for c, id in zip(cells, frame["cell"], strict=True)]),
            "model": words([c.model if c else "" for c in cells]),
            "interface": words([axis_value("interface", c.interface) if c else "" for c in cells]),
            "game": words(frame["game"].to_list()),
            "task": words(frame["task"].to_list()),
            "title": words([titles.get(x, "") for x in frame["task"]]),
            "outcome": words(outcome),
            "ending": words([ENDINGS.get(e, "") for e in frame["ended_by"]]),
            "error": words(errors),
            "repeat": values(frame["repeat"]),
            "progress": values([None if p is None or p != p else round(100 * p, 2) for p in frame["progress"]]),
            "steps": values(frame["steps"]),
            "resets": values(frame["resets"]),
            "invalid": values(invalid),
            "tokens": values((frame["input_tokens"] + frame["output_tokens"]).to_list()),
            "seconds": values([None if s is None else round(s, 1) for s in frame["wall_s"]]),
            "retries": values(frame["retries"]),
            "cost": values([None if c is None else round(c, 5) for c in frame["cost_usd"]]),
            "labels": values([sum(bits[x] for x in facts.get(k, ())) for k in keys]),
            "replay": values([int(k in there) for k in keys]),
        },
    }
