"""Episodes by cell: the frame that all statistics start from, the plan, and counts. The frame has a row for each
episode (`gwray.records.EpisodeRecord`). This module normalizes such rows, reads the plan from the manifests, and
counts. It computes no scores."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from gwray.errors import UsageError
from gwray.records import UNKNOWN_USAGE, EpisodeRecord
from gwray.records.columns import polars_schema, table
from gwray.settings import (
    AS_READ,
    CHARGING,
    FACTS,
    Value,
    axes_of_facts,
    axis_value,
    axis_words,
    default,
    distinct_names,
    family,
    in_order,
    model_of,
)
from gwray.store import ManifestCell, RunManifest

HUMAN = "human"
"""The provider of people at the keyboard, and the default model name of theirs; never ranked with models."""

_TYPES = polars_schema(EpisodeRecord)
TOKENS = ("input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens")
"""Columns that are null if the provider did not count the tokens of all replies."""
TABLED = frozenset({
    "key", "cell", "game", "task", "genre", "level", "model", "interface", "timing", "latency", "memory_rounds",
    "agent", "seed", "repeat", "status", "success", "progress", "steps", "proposals", "repaired", "no_tool_call",
    "out_of_space", "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens", "cost_usd", "latency_ms",
    "in_flight", "retries", "waited_s", "served_model", "state_chain", "charged_ms", "game_time_ms", "wall_s",
    "sees_state", "sees_text", "caveats",
})  # fmt: skip
"""Fields of an episode that the tables of a run need: cells, counts, scores, comparisons and usage."""


@dataclass(frozen=True)
class Cell:
    """One point of the sweep, with the facts that tables need."""

    id: str
    name: str
    model: str
    interface: str
    axes: Mapping[str, Value] = field(default_factory=dict, compare=False)
    """Settings that are not at their default, by the axes of `gwray.settings.axes`."""
    sees_state: bool = False
    sees_text: bool = False
    """Whether the agent gets the screen as text: ranked among such cells only."""
    planned: int | None = None
    """Episodes in the plan; None: unknown without a manifest."""
    spec: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The cell's complete specification, where the manifest has it."""

    @property
    def ranked(self) -> bool:
        """Whether it is ranked with models: people and agents that see the state are not."""
        return not self.sees_state and not self.person

    @property
    def free(self) -> bool:
        """Whether no model plays it, only automatic players or people."""
        return ManifestCell(id=self.id, spec=dict(self.spec)).free

    @property
    def person(self) -> bool:
        """Whether a person plays (`gwray play`)."""
        return self.model == HUMAN or (self.spec.get("model") or {}).get("provider") == HUMAN

    def setting(self, axis: str) -> Value | None:
        """Returns the cell's value on an axis, set or default; None if the axis has no known default."""
        return self.axes[axis] if axis in self.axes else default(axis)

    @property
    def timing(self) -> str:
        return str(self.setting("timing"))

    @property
    def rank_group(self) -> tuple[bool, str, str]:
        """The conditions that cells must share to be ranked with each other: screen as text, timing, interface."""
        return self.sees_text, self.timing, self.interface

    @property
    def latency(self) -> str:
        """How thinking time is charged; empty while the game waits for the agent."""
        return str(self.setting("timing.latency")) if self.timing in CHARGING else ""


@dataclass(frozen=True)
class Counts:
    """Episode counts behind a value. `planned` = finished + failed + missing. `excluded` are finished episodes without
    a score, which the value skips; `won` are successes. A value is complete when it includes every planned episode."""

    planned: int
    finished: int
    failed: int
    excluded: int = 0
    won: int = 0

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
    """The plan: cells in their order, and the planned episodes when manifests list them."""

    cells: Mapping[str, Cell]
    episodes: pl.DataFrame
    """Columns key, cell, game, task, seed, repeat, genre, level; one row for each planned episode. Genre and level come
    from played episodes of the game: null while there are none."""
    games: Mapping[str, str] = field(default_factory=dict)
    """Hash of the files of each game, by id; without games that runs played in different versions."""
    gpu_hours: Mapping[str, float] = field(default_factory=dict)
    """GPU-hours of each model that a run hosted."""


def episode_frame(rows: pl.DataFrame | Iterable[EpisodeRecord | Mapping[str, Any]]) -> pl.DataFrame:
    """Returns rows in the shape that all statistics expect: every column of `EpisodeRecord` with its type, one row for
    each episode, sorted by cell, game, task and repeat. Metrics are columns `metrics.<name>`.

    A duplicate episode (it failed, and a later run of the same plan finished it) counts once, as finished.

    Raises:
        UsageError: For a row without a game or task, or whose progress is not a finite number; it names the episode.
    """
    frame = rows if isinstance(rows, pl.DataFrame) else table(rows, EpisodeRecord)
    measured = [pl.col(name).cast(pl.Float64, strict=False) for name in frame.columns if name.startswith("metrics.")]
    columns = [
        pl.col(name).cast(dtype, strict=False) if name in frame.columns else pl.lit(None, dtype=dtype).alias(name)
        for name, dtype in _TYPES.items()
    ]
    unknown = pl.col("caveats").list.eval(pl.element().str.starts_with(UNKNOWN_USAGE)).list.any()
    frame = frame.select(*columns, *measured).with_columns(
        pl.col("genre", "model", "interface", "latency", "error_class", "error_message").fill_null(""),
        pl.col("timing").fill_null("paused"),
        pl.col("success", "sees_state", "sees_text").fill_null(False),
        pl.col("memory_rounds", "repeat", "seed", "level", "steps", "decisions", "calls", "ignored_calls", "repaired",
               "proposals", "in_flight", "retries", "waited_s").fill_null(0),
        *(pl.when(unknown).then(None).otherwise(pl.col(name)).alias(name) for name in TOKENS),
    )  # fmt: skip
    _refuse_damaged(frame)
    # Only row numbers are sorted, so the frame is copied at most once.
    rows = (
        frame.select("key", "cell", "game", "task", "repeat", (pl.col("status") != "finished").alias("later"))
        .with_row_index("row")
        .sort("later", maintain_order=True)
        .unique("key", keep="first", maintain_order=True)
        .sort("cell", "game", "task", "repeat", maintain_order=True)["row"]
    )
    return frame if rows.len() == frame.height and rows.is_sorted() else frame[rows]


def _refuse_damaged(frame: pl.DataFrame) -> None:
    """Raises `UsageError` for the first row that gwray cannot have written."""

    def refused(bad: pl.Expr, what: str, allowed: str) -> None:
        for row in frame.filter(bad).head(1).iter_rows(named=True):
            value = f" {row[what]:g}" if what == "progress" else ""
            where = " ".join(str(row[k]) for k in ("cell", "game", "task") if row[k])
            raise UsageError(
                f"episode '{row['key']}' ({where}) has {'a' if value else 'no'} {what}{value}; allowed is {allowed}. "
                "The row is damaged or was not written by gwray. Delete the row and run the command of that run again, "
                "which plays the episode again."
            )

    for column in ("game", "task"):
        refused(pl.col(column).is_null(), column, f"the name of the {column} that was played")
    x = pl.col("progress")
    # Rows do not tell which tasks have neither cap nor floor, so that progress is above 1 or below 0.
    refused(x.is_not_null() & ~x.is_finite(), "progress", "a finite number")


PLAY = ("key", "state_chain", "output_tokens")
"""Columns of `play`."""


def play() -> pl.Expr:
    """Returns what two repeats of a task have in common only if one is a copy of the other: the states that followed
    and the length of all replies. An episode without recorded states is like no other."""
    same = pl.concat_str("state_chain", pl.col("output_tokens").fill_null(0), separator=" ")
    return pl.when(pl.col("state_chain").fill_null("") == "").then("key").otherwise(same)


def scored(frame: pl.DataFrame) -> pl.DataFrame:
    """Returns the episodes with a score: finished, with a progress. A failed episode does not count as 0."""
    return frame.filter((pl.col("status") == "finished") & pl.col("progress").is_not_null())


def plan_of(frame: pl.DataFrame, manifests: Sequence[RunManifest] = ()) -> PlannedTasks:
    """Returns the cells and planned episodes of one or several runs. Reads `cells` and `episodes` of the manifests
    (`run.json`). Without manifests the rows themselves are the plan, so no episode counts as missing."""
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
    shown = frame.group_by("cell").agg(pl.col("sees_state", "sees_text").any())
    sees = {cell_id: (state, text) for cell_id, state, text in shown.iter_rows()}
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
    played: dict[str, set[str]] = {}
    gpu_hours: dict[str, float] = {}
    for manifest in manifests:
        for game, digest in manifest.games.items():
            played.setdefault(game, set()).add(digest)
        for engine in manifest.engines:
            if isinstance(hours := engine.get("gpu_hours"), int | float) and hours > 0:
                gpu_hours[str(engine.get("model"))] = gpu_hours.get(str(engine.get("model")), 0.0) + hours
    versions = {game: found.pop() for game, found in played.items() if len(found) == 1}
    return PlannedTasks(_named(cells), episodes, versions, gpu_hours)


def _named(cells: dict[str, Cell]) -> dict[str, Cell]:
    """Gives every cell the shortest name that distinguishes it from the others."""
    interfaces = len({c.interface for c in cells.values()}) > 1
    listed = in_order(c.axes for c in cells.values())
    varying = [axis for axis in listed if len({c.axes.get(axis) for c in cells.values()}) > 1]
    named: dict[str, list[Cell]] = {}
    for c in cells.values():
        interface = [axis_value("interface", c.interface)] if interfaces and c.interface not in ("", c.model) else []
        own = {a: c.axes[a] for a in varying if a in c.axes}
        # The default observation is named where others are.
        default_view = "observation" in map(family, varying) and "observation" not in map(family, own)
        seen = [AS_READ["observation=image"]] if default_view else []
        parts = [model_of(c.spec, c.model), *interface, *axis_words(own), *seen]
        named.setdefault(" · ".join(parts), []).append(c)
    names = {
        c.id: name
        for base, group in named.items()
        for c, name in zip(group, distinct_names(base, [(c.id, c.spec) for c in group]), strict=True)
    }
    return {c.id: replace(c, name=names[c.id]) for c in cells.values()}


def counts(frame: pl.DataFrame, plan: PlannedTasks, cell: str, **where: Any) -> Counts:
    """Returns the counts of one cell, or of its part where columns have the given values (`genre="puzzle"`). Planned
    episodes of unplayed games count in every part: they may belong to it, so no part is complete."""
    rows = frame.select("cell", "status", "success", "progress", *where).filter(pl.col("cell") == cell)
    planned = plan.episodes.select("cell", *where).filter(pl.col("cell") == cell)
    fallback = plan.cells[cell].planned or 0 if cell in plan.cells and not where else 0
    for column, value in where.items():
        rows = rows.filter(pl.col(column) == value)
        planned = planned.filter((pl.col(column) == value) | pl.col(column).is_null())
    return _count_episodes(rows, max(planned.height, fallback))


def _count_episodes(rows: pl.DataFrame, planned: int) -> Counts:
    """Counts the episodes in rows; at least `planned` are planned."""
    finished = rows.filter(pl.col("status") == "finished").height
    return Counts(
        planned=max(planned, rows.height),
        finished=finished,
        failed=rows.filter(pl.col("status") == "failed").height,
        excluded=finished - scored(rows).height,
        won=scored(rows).filter("success").height,
    )
