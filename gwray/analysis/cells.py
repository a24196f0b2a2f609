"""Which episodes belong to which cell, and how many of them there are.

Everything in this room starts from one frame with a row for each episode (`gwray.records.EpisodeRecord`). This file
brings such rows into one shape, reads what was planned from the manifests, and counts. It computes no score.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from gwray.axes import FACTS, Value, axes_of_facts, axis_words, default, in_order
from gwray.columns import polars_schema, table
from gwray.errors import UsageError
from gwray.records import EpisodeRecord
from gwray.spec import CHARGING
from gwray.store import ManifestCell, RunManifest

HUMAN = "human"
"""The provider of people at the keyboard, and the model name of one who gave none; never ranked with models."""

_TYPES = polars_schema(EpisodeRecord)
TABLED = frozenset({
    "key", "cell", "game", "task", "genre", "level", "model", "interface", "timing", "latency", "memory_rounds",
    "agent", "seed", "repeat", "status", "success", "progress", "steps", "proposals", "no_tool_call", "out_of_space",
    "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "cost_usd", "latency_ms", "in_flight",
    "served_model", "charged_ms", "game_time_ms", "wall_s", "sees_state", "sees_text",
})  # fmt: skip
"""The fields of an episode that the tables of a run are made of: cells, counts, scores, comparisons and usage."""


@dataclass(frozen=True)
class Cell:
    """One point of the sweep, as far as tables need to know it."""

    id: str
    name: str
    model: str
    interface: str
    axes: Mapping[str, Value] = field(default_factory=dict, compare=False)
    """What it says beside, as `gwray.axes` names it; everything else is at its default."""
    sees_state: bool = False
    sees_text: bool = False
    """The screen is told in words: ranked among such cells only."""
    planned: int | None = None
    """Episodes in the plan; None: no manifest said so."""
    spec: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The cell's whole specification, where the manifest has it."""

    @property
    def ranked(self) -> bool:
        """Whether it may stand in a ranking of models: people and agents that see the state may not."""
        return not self.sees_state and not self.person

    @property
    def person(self) -> bool:
        """Whether a person plays (`gwray play`), under whatever name."""
        return self.model == HUMAN or (self.spec.get("model") or {}).get("provider") == HUMAN

    def setting(self, axis: str) -> Value | None:
        """The cell's value on an axis, said or default; None if this gwray does not know the axis' default."""
        return self.axes[axis] if axis in self.axes else default(axis)

    @property
    def timing(self) -> str:
        return str(self.setting("timing"))

    @property
    def equals(self) -> tuple[bool, str, str]:
        """What cells must have in common to be ranked with each other: told in words or not, timing, interface. Others
        have another test before them."""
        return self.sees_text, self.timing, self.interface

    @property
    def latency(self) -> str:
        """What thinking is charged; empty while the game waits for the player."""
        return str(self.setting("timing.latency")) if self.timing in CHARGING else ""


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
class PlannedTasks:
    """What was to be played: cells in their order, and the planned episodes when manifests list them."""

    cells: Mapping[str, Cell]
    episodes: pl.DataFrame
    """Columns key, cell, game, task, seed, repeat, genre, level; one row for each planned episode. Genre and level are
    what the played episodes say of its game: null while nobody has played the game."""


def episode_frame(rows: pl.DataFrame | Iterable[EpisodeRecord | Mapping[str, Any]]) -> pl.DataFrame:
    """Rows in the shape this room works on: all columns of `EpisodeRecord`, right types, one row an episode.

    Metrics are columns `metrics.<name>`, as in `gwray.store.results_frame`.

    An episode that is there twice (it failed, and a later run of the same plan finished it) counts once, and
    finished wins. Raises `UsageError` that names the episode for rows that no average may take in: without a game or a
    task, or with a progress that is no finite number from 0.
    """
    frame = rows if isinstance(rows, pl.DataFrame) else table(rows, EpisodeRecord)
    measured = [pl.col(name).cast(pl.Float64, strict=False) for name in frame.columns if name.startswith("metrics.")]
    columns = [
        pl.col(name).cast(dtype, strict=False) if name in frame.columns else pl.lit(None, dtype=dtype).alias(name)
        for name, dtype in _TYPES.items()
    ]
    frame = frame.select(*columns, *measured).with_columns(
        pl.col("genre", "model", "interface", "latency", "error_class", "error_message").fill_null(""),
        pl.col("timing").fill_null("paused"),
        pl.col("success", "sees_state", "sees_text").fill_null(False),
        pl.col(
            "memory_rounds",
            "repeat",
            "seed",
            "level",
            "steps",
            "decisions",
            "calls",
            "ignored_calls",
            "proposals",
            "in_flight",
        ).fill_null(0),
    )
    _refuse_damaged(frame)
    # Rows are put in order by their numbers, and the frame is copied once, if at all.
    rows = (
        frame.select("key", "cell", "game", "task", "repeat", (pl.col("status") != "finished").alias("later"))
        .with_row_index("row")
        .sort("later", maintain_order=True)
        .unique("key", keep="first", maintain_order=True)
        .sort("cell", "game", "task", "repeat", maintain_order=True)["row"]
    )
    return frame if rows.len() == frame.height and rows.is_sorted() else frame[rows]


def _refuse_damaged(frame: pl.DataFrame) -> None:
    def refused(bad: pl.Expr, what: str, allowed: str) -> None:
        for row in frame.filter(bad).head(1).iter_rows(named=True):
            value = f" {row[what]:g}" if what == "progress" else ""
            where = " ".join(str(row[k]) for k in ("cell", "game", "task") if row[k])
            raise UsageError(
                f"episode '{row['key']}' ({where}) has {'a' if value else 'no'} {what}{value}; allowed is {allowed}. "
                "Its row was damaged or not written by gwray: take the row out and run the command of that run again, "
                "which plays the episode once more."
            )

    for column in ("game", "task"):
        refused(pl.col(column).is_null(), column, f"the name of the {column} that was played")
    x = pl.col("progress")
    # Only a task without a cap may pass 1, and which those are no row says.
    refused(x.is_not_null() & (~x.is_finite() | (x < 0)), "progress", "a finite number, 0 or more")


def scored(frame: pl.DataFrame) -> pl.DataFrame:
    """The episodes that carry a score: finished, with a progress. A failed episode is not a zero."""
    return frame.filter((pl.col("status") == "finished") & pl.col("progress").is_not_null())


def plan_of(frame: pl.DataFrame, manifests: Sequence[RunManifest] = ()) -> PlannedTasks:
    """Cells and planned episodes of one or several runs.

    Reads `cells` and `episodes` of the manifests (`run.json`). Without manifests the rows themselves are taken for
    the plan, so that nothing is ever called missing that nobody planned.
    """
    columns = ["key", "cell", "game", "task", "seed", "repeat"]
    planned: dict[str, ManifestCell] = {}
    counts: Counter[str] = Counter()
    types = {k: _TYPES[k] for k in columns}
    listings = [pl.DataFrame(schema=types)]
    for manifest in manifests:
        listings.append(pl.DataFrame(manifest.episodes.columns(), schema=types, strict=False))
        for c in manifest.cells:
            planned.setdefault(c.id, c)
            if not manifest.episodes:
                counts[c.id] += c.planned
    listing = pl.concat(listings).unique("key", keep="last", maintain_order=True)
    unlisted = frame.filter(~pl.col("key").is_in(listing["key"].implode())).select(columns)
    loose = unlisted.filter(~pl.col("cell").is_in(list(planned))) if manifests else unlisted
    games = frame.select("game", "genre", "level").unique("game", keep="first", maintain_order=True)
    episodes = pl.concat([listing, loose]).join(games, on="game", how="left", maintain_order="left")
    cells: dict[str, Cell] = {}
    per_cell = dict(episodes.group_by("cell").len().iter_rows())
    seen = {r["cell"]: r for r in frame.unique("cell", keep="first", maintain_order=True).to_dicts()}
    told = frame.group_by("cell").agg(pl.col("sees_state", "sees_text").any())
    sees = {cell_id: (state, text) for cell_id, state, text in told.iter_rows()}
    for cell_id in [*planned, *(c for c in seen if c not in planned)]:
        c, row = planned.get(cell_id, ManifestCell(id=cell_id)), seen.get(cell_id, {})

        def pick(name: str, default: Any, c: ManifestCell = c, row: Mapping[str, Any] = row) -> Any:
            value = getattr(c, name) if name in c.model_fields_set else None
            return value if value not in (None, "") else row.get(name) or default

        cell = Cell(
            id=cell_id,
            name="",
            model=str(pick("model", "unknown")),
            interface=str(pick("interface", "")),
            axes=c.axes if c.axes is not None else axes_of_facts({f: pick(f, None) for f in FACTS}),
            sees_state=c.sees_state or bool(sees.get(cell_id, (False, False))[0]),
            sees_text=bool(sees.get(cell_id, (False, False))[1]),
            planned=per_cell.get(cell_id) or counts[cell_id],
            spec=c.spec,
        )
        cells[cell_id] = cell
    return PlannedTasks(cells=_named(cells), episodes=episodes)


def _named(cells: dict[str, Cell]) -> dict[str, Cell]:
    """Give every cell the shortest name that tells it from the others."""
    interfaces = len({c.interface for c in cells.values()}) > 1
    listed = in_order(c.axes for c in cells.values())
    varying = [axis for axis in listed if len({c.axes.get(axis) for c in cells.values()}) > 1]
    named: dict[str, list[Cell]] = {}
    for c in cells.values():
        interface = [c.interface.replace("_", "-")] if interfaces and c.interface not in ("", c.model) else []
        parts = [c.model, *interface, *axis_words({a: c.axes[a] for a in varying if a in c.axes})]
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


def counts(frame: pl.DataFrame, plan: PlannedTasks, cell: str, **where: Any) -> Counts:
    """Counts of one cell, or of its part where columns equal the given values (`genre="puzzle"`).

    Planned episodes of games that nobody has played count in every part: they may belong to it, so it is not complete.
    """
    rows = frame.select("cell", "status", "progress", *where).filter(pl.col("cell") == cell)
    planned = plan.episodes.select("cell", *where).filter(pl.col("cell") == cell)
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
