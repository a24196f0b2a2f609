"""The arenas of a leaderboard: ratings of the players of all verified matches, over all packs.

A match counts once: a second one of the same players, settings, task, seed and repeat is left out, so that sending
matches again gains nothing. Leads come from `metrics`, which a verified replay has computed too.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

import polars as pl

from gwray.analysis import LEAD, WEIGHTED, Cell, PlannedTasks, arenas, rating_table, win_table
from gwray.axes import axes, model_label
from gwray.identity import non_defaults
from gwray.records import canonical, digest
from gwray.spec import CellSpec, ModelSpec
from gwray.store import RunManifest
from gwray.tables import Table

COLUMNS = ("status", "progress", "game", "task", "seed", "repeat", LEAD, WEIGHTED)


class _Proof(Protocol):
    @property
    def cells(self) -> Mapping[str, str]: ...


class Pack(Protocol):
    """A pack of a leaderboard."""

    @property
    def frame(self) -> pl.DataFrame: ...
    @property
    def manifest(self) -> RunManifest: ...
    @property
    def proof(self) -> _Proof: ...


def arena_tables(packs: Iterable[Pack]) -> list[Table]:
    """Returns ratings and wins of each game and setting in which verified matches were played. Labels of submitters are
    not used: they are free text."""
    cells: dict[str, Cell] = {}
    frames = []
    for pack in packs:
        names = {
            c.id: _add(cells, CellSpec.model_validate(c.spec))
            for c in pack.manifest.cells
            if not pack.proof.cells.get(c.id, "unknown")
        }
        if not names or not {LEAD, WEIGHTED} <= {*pack.frame.columns}:
            continue
        planned = pl.col("key").is_in([*pack.manifest.episodes.episode_keys()])
        rows = pack.frame.filter(planned & pl.col("cell").is_in(list(names)))
        numbers = pl.col("progress", LEAD, WEIGHTED).cast(pl.Float64, strict=False)  # the pack chose their types
        frames.append(rows.select(*COLUMNS, pl.col("cell").replace_strict(names)).with_columns(numbers))
    if not frames:
        return []
    once = pl.concat(frames).unique(["cell", "game", "task", "seed", "repeat"], keep="first", maintain_order=True)
    met = arenas(once, PlannedTasks(cells, pl.DataFrame()))
    return [make(title, arena) for title, arena in met.items() for make in (rating_table, win_table)]


def _add(cells: dict[str, Cell], spec: CellSpec) -> str:
    """Adds the cell of a specification without labels; returns its id, which is equal for equal specifications."""
    roles = {role: _unlabelled(model) for role, model in spec.roles.items()}
    spec = spec.model_copy(update={"model": _unlabelled(spec.model), "roles": roles})
    id = digest(canonical(non_defaults(spec)))
    facts = spec.model_dump(mode="json")
    cells[id] = Cell(id, id, model_label(spec.model), spec.agent.interface, axes(spec), spec=facts)
    return id


def _unlabelled(model: ModelSpec) -> ModelSpec:
    return model.model_copy(update={"label": ""})
