"""The config of a cell's W&B run, and its stable id."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from gwray.records import digest
from gwray.settings import axis_words, cell_labels, model_of
from gwray.store import ManifestCell, RunManifest

TAG = 64
"""Characters of a tag that W&B allows."""
SEEDS = 20
"""Seeds that the config lists."""


class CellInfo(BaseModel):
    """One cell as W&B shows it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    name: str
    """Display name of the W&B run."""
    planned: int = 0
    """Episodes the plan has for it."""
    config: dict[str, Any] = Field(default_factory=dict)
    """The resolved cell: facts for filtering and grouping, its axes under `axes`, and the whole spec under `spec`."""

    @property
    def kind(self) -> str:
        """Returns the cell's axes as text, without the model. W&B groups runs by it."""
        return " · ".join(axis_words(self.config.get("axes") or {})) or "default"

    @property
    def tags(self) -> list[str]:
        """Returns the model, under its own name, and the interface, by which W&B filters runs."""
        model = self.config.get("label") or self.config.get("model")
        return [str(x)[:TAG] for x in (model, self.config.get("interface")) if x]

    @classmethod
    def from_cell(cls, cell: "CellInfo | ManifestCell") -> "CellInfo":
        """Converts a cell of the manifest: all fields except id, name and count become config."""
        if isinstance(cell, CellInfo):
            return cell
        config = {k: v for k, v in cell.stored().items() if k not in ("id", "name", "planned")}
        config["label"] = model_of(cell.spec, cell.model)
        if model_id := (cell.spec.get("model") or {}).get("model_id"):
            config["model_id"] = model_id
        return cls(id=cell.id, name=cell.name or cell.id, planned=cell.planned, config=config)


def cell_infos(cells: Sequence[CellInfo | ManifestCell]) -> list[CellInfo]:
    """Converts cells of the manifest, which get distinct names."""
    names = cell_labels({c.id: (c.name or c.id, c.spec) for c in cells if isinstance(c, ManifestCell)})
    infos = (CellInfo.from_cell(c) for c in cells)
    return [info.model_copy(update={"name": names.get(info.id, info.name)}) for info in infos]


def run_facts(manifest: RunManifest) -> dict[str, str]:
    """Returns what the config of every W&B run says about the run: command, commit and version."""
    facts = {"command": manifest.command, "git_commit": manifest.git_commit, "gwray": manifest.gwray}
    return {name: value for name, value in facts.items() if value}


def cells_of(manifest: RunManifest) -> list[CellInfo]:
    """Returns the cells of the manifest, with the extent of their plan."""
    extents = _extents(manifest)
    return [c.model_copy(update={"config": c.config | extents.get(c.id, {})}) for c in cell_infos(manifest.cells)]


def _extents(manifest: RunManifest) -> dict[str, dict[str, Any]]:
    """Returns the planned numbers of games, tasks and repeats of each cell, and its first seeds."""
    parts = defaultdict(list)
    for part in manifest.episodes.parts:
        parts[part.cell].append(part)
    return {
        cell: {
            "n_games": len({p.game for p in of_cell}),
            "n_tasks": len({(p.game, p.task) for p in of_cell}),
            "n_repeats": max(first + n for p in of_cell for _, first, n in p.rounds),
            "seeds": sorted({seed for p in of_cell for seed, *_ in p.rounds})[:SEEDS],
        }
        for cell, of_cell in parts.items()
    }


def wandb_id(run_id: str, cell_id: str) -> str:
    """Returns the id of a cell's W&B run: stable over restarts, moves and syncs; different for every run directory."""
    return digest(run_id, cell_id)[:16]
