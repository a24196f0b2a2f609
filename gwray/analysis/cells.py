"""Which episodes belong to which cell, and how many of them there are.

Everything in this room starts from one frame with a row for each episode (`gwray.records.EpisodeRecord`). This file
brings such rows into one shape, reads what was planned from the manifests, and counts. It computes no score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from gwray.records import EpisodeRecord

HUMAN = "human"
"""The model name of a person at the keyboard; never ranked with models."""

_TYPES: dict[str, Any] = {
    **dict.fromkeys(
        ("key", "cell", "game", "task", "genre", "model", "interface", "timing", "latency", "status",
         "ended_by", "state_chain", "frame_chain", "browser", "error_class", "error_message", "finished_at"),
        pl.String,
    ),
    **dict.fromkeys(
        ("level", "memory_rounds", "seed", "repeat", "steps", "resets", "proposals", "no_tool_call",
         "out_of_space", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens",
         "blocked_requests", "tries"),
        pl.Int64,
    ),
    **dict.fromkeys(
        ("progress", "score", "cost_usd", "latency_ms", "charged_ms", "game_time_ms", "wall_s"), pl.Float64
    ),
    **dict.fromkeys(("success", "sees_state", "reproducible"), pl.Boolean),
    **dict.fromkeys(("caveats", "page_errors"), pl.List(pl.String)),
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """One point of the sweep, as far as tables need to know it."""

    id: str
    name: str
    model: str
    interface: str
    timing: str = "paused"
    latency: str = ""
    memory_rounds: int = 0
    sees_state: bool = False
    planned: int | None = None
    """Episodes in the plan; None: no manifest said so."""
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What else the manifest says (`hold_scale`, …)."""
    spec: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The cell's whole specification, where the manifest has it."""

    @property
    def ranked(self) -> bool:
        """Whether it may stand in a ranking of models: people and agents that see the state may not."""
        return not self.sees_state and self.model != HUMAN


@dataclass(frozen=True)
class Counts:
    """What stands beside every figure.

    `planned` = finished + failed + missing. `excluded` are finished episodes that the figure leaves out because
    they carry no score. A figure is complete when every planned episode is in it.
    """

    planned: int
    finished: int
    failed: int
    excluded: int = 0

    @property
    def missing(self) -> int:
        return max(0, self.planned - self.finished - self.failed)

    @property
    def scored(self) -> int:
        return self.finished - self.excluded

    @property
    def complete(self) -> bool:
        return self.planned > 0 and self.scored >= self.planned

    def __str__(self) -> str:
        extra = f", {self.excluded} excluded" if self.excluded else ""
        return f"{self.finished} of {self.planned} finished, {self.failed} failed, {self.missing} missing{extra}"


@dataclass(frozen=True)
class Plan:
    """What was to be played: cells in their order, and the planned episodes when manifests list them."""

    cells: Mapping[str, Cell]
    episodes: pl.DataFrame
    """Columns key, cell, game, task, repeat, genre, level; one row for each planned episode. Genre and level are what
    the played episodes say of its game: null while nobody has played the game."""


def episode_frame(rows: pl.DataFrame | Iterable[EpisodeRecord | Mapping[str, Any]]) -> pl.DataFrame:
    """Rows in the shape this room works on: all columns of `EpisodeRecord`, right types, one row an episode.

    An episode that is there twice (it failed, and a later run of the same plan finished it) counts once, and
    finished wins.
    """
    if isinstance(rows, pl.DataFrame):
        frame = rows
    else:
        plain = [r.model_dump() if isinstance(r, EpisodeRecord) else dict(r) for r in rows]
        frame = pl.DataFrame([{k: r.get(k) for k in _TYPES} for r in plain], schema=_TYPES, strict=False)
    columns = []
    for name, dtype in _TYPES.items():
        if name in frame.columns:
            columns.append(pl.col(name).cast(dtype, strict=False))
        else:
            columns.append(pl.lit(None, dtype=dtype).alias(name))
    frame = frame.select(columns).with_columns(
        pl.col("genre", "model", "interface", "latency", "error_class", "error_message").fill_null(""),
        pl.col("timing").fill_null("paused"),
        pl.col("success", "sees_state").fill_null(False),
        pl.col("memory_rounds", "repeat", "seed", "level", "steps", "proposals").fill_null(0),
    )
    first = (pl.col("status") != "finished").alias("_later")
    return (
        frame.with_columns(first)
        .sort("_later", maintain_order=True)
        .unique("key", keep="first", maintain_order=True)
        .sort("cell", "game", "task", "repeat", maintain_order=True)
        .drop("_later")
    )


def scored(frame: pl.DataFrame) -> pl.DataFrame:
    """The episodes that carry a score: finished, with a progress. A failed episode is not a zero."""
    return frame.filter(
        (pl.col("status") == "finished") & pl.col("progress").is_not_null() & pl.col("progress").is_not_nan()
    )


def plan_of(frame: pl.DataFrame, manifests: Sequence[Mapping[str, Any]] = ()) -> Plan:
    """Cells and planned episodes of one or several runs.

    Reads `cells` and `episodes` of the manifests (`run.json`). Without manifests the rows themselves are taken for
    the plan, so that nothing is ever called missing that nobody planned.
    """
    planned: dict[str, dict[str, Any]] = {}
    listed: dict[str, dict[str, Any]] = {}
    for manifest in manifests:
        episodes = manifest.get("episodes") or []
        for e in episodes:
            listed[e["key"]] = {k: e.get(k) for k in ("key", "cell", "game", "task", "repeat")}
        for c in manifest.get("cells") or []:
            known = planned.setdefault(c["id"], {**c, "planned": 0})
            if not episodes:
                known["planned"] += int(c.get("planned") or 0)
    columns = ["key", "cell", "game", "task", "repeat"]
    types = {k: _TYPES[k] for k in columns}
    listing = pl.DataFrame(list(listed.values()), schema=types, strict=False)
    unlisted = frame.filter(~pl.col("key").is_in(listing["key"].implode())).select(columns)
    loose = unlisted.filter(~pl.col("cell").is_in(list(planned))) if manifests else unlisted
    games = frame.select("game", "genre", "level").unique("game", keep="first", maintain_order=True)
    episodes = pl.concat([listing, loose]).join(games, on="game", how="left", maintain_order="left")
    cells: dict[str, Cell] = {}
    per_cell = dict(episodes.group_by("cell").len().iter_rows())
    seen = {r["cell"]: r for r in frame.unique("cell", keep="first", maintain_order=True).to_dicts()}
    sees = dict(frame.group_by("cell").agg(pl.col("sees_state").any()).iter_rows())
    for cell_id in [*planned, *(c for c in seen if c not in planned)]:
        c, row = planned.get(cell_id, {}), seen.get(cell_id, {})

        def pick(name: str, default: Any, c: Mapping[str, Any] = c, row: Mapping[str, Any] = row) -> Any:
            value = c.get(name)
            return value if value not in (None, "") else row.get(name) or default

        cell = Cell(
            id=cell_id,
            name="",
            model=str(pick("model", "unknown")),
            interface=str(pick("interface", "")),
            timing=str(pick("timing", "paused")),
            latency=str(pick("latency", "")),
            memory_rounds=int(pick("memory_rounds", 0)),
            sees_state=bool(c.get("sees_state") or sees.get(cell_id, False)),
            planned=per_cell.get(cell_id) or c.get("planned") or 0,
            facts={k: v for k, v in c.items() if k not in ("id", "planned", "spec")},
            spec=c.get("spec") or {},
        )
        cells[cell_id] = cell
    return Plan(cells=_named(cells), episodes=episodes)


def _named(cells: dict[str, Cell]) -> dict[str, Cell]:
    """Give every cell the shortest name that tells it from the others."""
    varying = [
        attr
        for attr in ("interface", "timing", "latency", "memory_rounds")
        if len({getattr(c, attr) for c in cells.values()}) > 1
    ]
    named: dict[str, list[Cell]] = {}
    for c in cells.values():
        parts = [c.model]
        for attr in varying:
            value = getattr(c, attr)
            if attr == "memory_rounds":
                parts += [f"memory {value}"] if value else []
            elif attr == "latency" and value and c.timing == "realtime" and "timing" in varying:
                parts[-1] += f" {value}"
            elif value and value not in ("paused", c.model):
                parts.append(str(value).replace("_", "-"))
        extra = c.facts.get("hold_scale")
        if extra not in (None, 1, 1.0):
            parts.append(f"hold ×{extra:g}" if isinstance(extra, int | float) else f"hold ×{extra}")
        named.setdefault(" · ".join(parts), []).append(c)
    names = {c.id: name for base, group in named.items() for c, name in zip(group, _apart(base, group), strict=True)}
    return {c.id: replace(c, name=names[c.id]) for c in cells.values()}


def _apart(name: str, cells: Sequence[Cell]) -> list[str]:
    """Names of cells that would share one: with the settings in which they differ, or else with their ids."""
    if len(cells) == 1:
        return [name]
    settings = [_leaves(c.spec) for c in cells]
    differ = [k for k in dict.fromkeys(k for s in settings for k in s) if len({s.get(k) for s in settings}) > 1]
    names = [" · ".join([name, *(f"{k.rpartition('.')[2]} {s.get(k, 'none')}" for k in differ)]) for s in settings]
    if 0 < len(differ) <= 3 and len(set(names)) == len(names) and max(map(len, names)) < len(name) + 60:
        return names
    return [f"{name} · {c.id[:8]}" for c in cells]


def _leaves(value: Any, path: str = "") -> dict[str, str]:
    if isinstance(value, Mapping):
        return {k: v for key, x in value.items() for k, v in _leaves(x, f"{path}.{key}" if path else str(key)).items()}
    return {path: str(value)}


def counts(frame: pl.DataFrame, plan: Plan, cell: str, **where: Any) -> Counts:
    """Counts of one cell, or of its part where columns equal the given values (`genre="puzzle"`).

    Planned episodes of games that nobody has played count in every part: they may belong to it, so it is not complete.
    """
    rows = frame.filter(pl.col("cell") == cell)
    planned = plan.episodes.filter(pl.col("cell") == cell)
    fallback = plan.cells[cell].planned or 0 if cell in plan.cells and not where else 0
    for column, value in where.items():
        rows = rows.filter(pl.col(column) == value)
        planned = planned.filter((pl.col(column) == value) | pl.col(column).is_null())
    return _count(rows, max(planned.height, fallback))


def _count(rows: pl.DataFrame, planned: int) -> Counts:
    finished = rows.filter(pl.col("status") == "finished").height
    return Counts(
        planned=max(planned, rows.height),
        finished=finished,
        failed=rows.filter(pl.col("status") == "failed").height,
        excluded=finished - scored(rows).height,
    )
