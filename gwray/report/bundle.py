"""Data of replay pages and of the episode list, for the static report and the server."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from gwray.agents import NoteSpan
from gwray.analysis import FACTS, PlannedTasks
from gwray.axes import reader_words
from gwray.records import EpisodeRecord
from gwray.report.notes import Note
from gwray.report.replay import replay_data, suffix
from gwray.report.task_texts import TaskText
from gwray.report.unfinished import UnfinishedEpisode
from gwray.store import Episode
from gwray.visible_text import SHORT, safe_text

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
    note: Note | None = None,
) -> dict[str, Any]:
    """Returns `replay_data` with the paths of its screenshots, comparable episodes, diagnosed failures with the step
    at which each first shows, and its annotation."""
    labels = {label.replace("_", " "): step for label, step in (found or {}).items()}
    data = replay_data(episode, list(labels), (tasks or {}).get(episode.meta.record.task), notes)
    data["label_at"] = labels
    data["annotation"] = (note or Note()).facts()
    key = data["key"]
    end = suffix(episode.meta.mime)
    present = [*(s["frame"] for s in data["steps"]), data["final"]][: len(data["steps"]) + int(data["final"])]
    data["frames"] = [f"frames/{key}/{i}.{end}" if there else None for i, there in enumerate(present)]
    data["thumbs"] = [f"frames/{key}/t{i}.webp" if there else None for i, there in enumerate(present)]
    r = episode.meta.record
    data["name"] = safe_text(plan.cells[r.cell].name if r.cell in plan.cells else r.model, SHORT)
    if r.cell in plan.cells:
        data["axes"] = [safe_text(w, SHORT) for w in reader_words(plan.cells[r.cell].axes)]
    data["peers"] = peers(r, frame, plan, set(watchable))
    data["inline"] = False
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
    unfinished: Sequence[UnfinishedEpisode] = (),
    state: str = "running",
    notes: Mapping[str, Note] | None = None,
    tasks: Mapping[str, TaskText] | None = None,
) -> dict[str, Any]:
    """Returns all episodes as columns; repeated words are stored once, which suits tens of thousands of rows.
    `unfinished` ones come first, in `state` (running or unfinished). `notes`: annotations by key; `tasks`: texts by
    task."""
    there = set(watchable)
    bits = {label: 1 << i for i, label in enumerate(FACTS)}
    keys = frame["key"].to_list()

    def axis_words(begun: Sequence[str], values: Sequence[str]) -> dict[str, Any]:
        values = [*begun, *values]
        index = {w: i for i, w in enumerate(dict.fromkeys(values))}
        return {"words": [safe_text(w, SHORT) for w in index], "codes": [index[v] for v in values]}

    def values(begun: Sequence[Any], values: Sequence[Any]) -> dict[str, Any]:
        return {"values": [*begun, *values]}

    def labels(key: str) -> int:
        return sum(bits[x] for x in facts.get(key, ()))

    outcome = [
        "failed" if s == "failed" else "success" if ok else "missed"
        for s, ok in zip(frame["status"], frame["success"], strict=True)
    ]
    invalid = (frame["no_tool_call"].fill_null(0) + frame["out_of_space"].fill_null(0)).to_list()
    errors = [f"{c}: {m}" if c or m else "" for c, m in zip(frame["error_class"], frame["error_message"], strict=True)]
    progress = [None if p is None or p != p else round(100 * p, 2) for p in frame["progress"]]
    b = list(unfinished)
    unknown = [None] * len(b)
    cells = [*(x.cell for x in b), *frame["cell"]]
    annotated = [(notes or {}).get(k, Note()) for k in [*(x.key for x in b), *keys]]
    titles = {task: f"{t.title}: {t.goal}" for task, t in (tasks or {}).items()}
    tags = ["; ".join([*(c.replace("_", " ") for c in x.causes), *x.tags]) for x in annotated]
    return {
        "n": len(b) + len(keys),
        "ended": len(keys),
        "labels": [label.replace("_", " ") for label in FACTS] if facts else [],
        "columns": {
            "key": values([x.key for x in b], keys),
            "cell": axis_words([], [plan.cells[c].name if c in plan.cells else c for c in cells]),
            "model": axis_words([], [plan.cells[c].model if c in plan.cells else "" for c in cells]),
            "interface": axis_words([], [plan.cells[c].interface if c in plan.cells else "" for c in cells]),
            "game": axis_words([x.game for x in b], frame["game"].to_list()),
            "task": axis_words([x.task for x in b], frame["task"].to_list()),
            "title": axis_words([], [titles.get(x, "") for x in [*(x.task for x in b), *frame["task"]]]),
            "outcome": axis_words([state] * len(b), outcome),
            "ending": axis_words([""] * len(b), [e or "" for e in frame["ended_by"]]),
            "tags": axis_words([], tags),
            "note": axis_words([], [x.text for x in annotated]),
            "error": axis_words([""] * len(b), errors),
            "repeat": values([x.repeat for x in b], frame["repeat"].to_list()),
            "progress": values(unknown, progress),
            "steps": values([x.steps for x in b], frame["steps"].to_list()),
            "resets": values(unknown, frame["resets"].to_list()),
            "invalid": values(unknown, invalid),
            "cost": values(unknown, [None if c is None else round(c, 5) for c in frame["cost_usd"]]),
            "labels": values([0] * len(b), [labels(k) for k in keys]),
            "replay": values([1] * len(b), [int(k in there) for k in keys]),
        },
    }


def plain_rows(columns: Mapping[str, Any], most: int = 500) -> list[dict[str, Any]]:
    """Returns the first rows of `episode_columns` as values, for pages without JavaScript."""
    data, n = columns["columns"], min(most, columns["n"])
    names = ("key", "cell", "game", "task", "title", "repeat", "outcome", "progress", "replay")
    return [{name: _value(data[name], i) for name in names} for i in range(n)]


def _value(column: Mapping[str, Any], i: int) -> Any:
    return column["words"][column["codes"][i]] if "words" in column else column["values"][i]
