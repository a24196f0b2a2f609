"""Replay pages of one or several runs: what the static site and the server both hand out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from gwray.analysis import LABELS, Diagnosis, Plan
from gwray.report.replay import replay_data, suffix
from gwray.report.text import SHORT, shown
from gwray.store import Episode

PEERS = 50


def replay_bundle(
    episode: Episode, frame: pl.DataFrame, plan: Plan, *, watchable: Iterable[str], labels: Sequence[str] = ()
) -> dict[str, Any]:
    """`replay_data` with where its pictures lie (relative to the site's root) and what can be put beside it."""
    data = replay_data(episode, labels)
    key = data["key"]
    end = suffix(episode.meta.mime)
    present = [*(s["frame"] for s in data["steps"]), data["final"]][: len(data["steps"]) + int(data["final"])]
    data["frames"] = [f"frames/{key}/{i}.{end}" if there else None for i, there in enumerate(present)]
    data["thumbs"] = [f"frames/{key}/t{i}.webp" if there else None for i, there in enumerate(present)]
    data["peers"] = peers(key, frame, plan, set(watchable))
    data["inline"] = False
    return data


def peers(key: str, frame: pl.DataFrame, plan: Plan, watchable: set[str]) -> list[dict[str, Any]]:
    """Other episodes of the same game and task that can be watched, other cells first."""
    mine = frame.filter(pl.col("key") == key)
    if not mine.height:
        return []
    row = mine.row(0, named=True)
    same = frame.filter(
        (pl.col("game") == row["game"]) & (pl.col("task") == row["task"]) & (pl.col("key") != key)
    ).sort("cell", "repeat")
    rows = [r for r in same.iter_rows(named=True) if r["key"] in watchable]
    rows.sort(key=lambda r: (r["cell"] == row["cell"], r["repeat"] != row["repeat"]))
    return [
        {
            "key": r["key"],
            "name": shown(f"{plan.cells[r['cell']].name} · repeat {r['repeat']}", SHORT),
            "progress": r["progress"],
        }
        for r in rows[:PEERS]
    ]


def episode_columns(
    frame: pl.DataFrame, plan: Plan, diagnoses: Mapping[str, Diagnosis], watchable: Iterable[str]
) -> dict[str, Any]:
    """All episodes as columns; repeated words are stored once. Small enough for tens of thousands of rows."""
    there = set(watchable)
    bits = {label: 1 << i for i, label in enumerate(LABELS)}
    keys = frame["key"].to_list()

    def words(values: Sequence[str]) -> dict[str, Any]:
        index = {w: i for i, w in enumerate(dict.fromkeys(values))}
        return {"words": [shown(w, SHORT) for w in index], "codes": [index[v] for v in values]}

    def labels(key: str) -> int:
        return sum(bits[x] for x in diagnoses[key].labels) if key in diagnoses else 0

    outcome = [
        "failed" if s == "failed" else "success" if ok else "missed"
        for s, ok in zip(frame["status"], frame["success"], strict=True)
    ]
    invalid = (frame["no_tool_call"].fill_null(0) + frame["out_of_space"].fill_null(0)).to_list()
    errors = [f"{c}: {m}" if c or m else "" for c, m in zip(frame["error_class"], frame["error_message"], strict=True)]
    return {
        "n": len(keys),
        "labels": [label.replace("_", " ") for label in LABELS],
        "columns": {
            "key": {"values": keys},
            "cell": words([plan.cells[c].name for c in frame["cell"]]),
            "game": words(frame["game"].to_list()),
            "task": words(frame["task"].to_list()),
            "outcome": words(outcome),
            "error": words(errors),
            "repeat": {"values": frame["repeat"].to_list()},
            "progress": {"values": [None if p is None or p != p else round(100 * p, 2) for p in frame["progress"]]},
            "steps": {"values": frame["steps"].to_list()},
            "resets": {"values": frame["resets"].to_list()},
            "invalid": {"values": invalid},
            "cost": {"values": [None if c is None else round(c, 5) for c in frame["cost_usd"]]},
            "labels": {"values": [labels(k) for k in keys]},
            "replay": {"values": [int(k in there) for k in keys]},
        },
    }
