"""What is said of a cell when its run has ended: for trackers, which draw the curves that lead there themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from gwray.analysis.tables import main_table


def cell_summaries(frame: pl.DataFrame, manifest: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By cell id: the 95 % intervals of each complete cell's headline (`sr/overall/low`, …), and the engine's figures
    where the run hosted the cell's model (`engine/…`)."""
    out: dict[str, dict[str, Any]] = {c["id"]: {} for c in manifest["cells"]}
    for row in main_table(frame, [manifest], iqm=False):
        for name, estimate in (("sr", row.sr), ("pg", row.pg)):
            if estimate is not None and estimate.low is not None:
                bounds = {f"{name}/overall/low": estimate.low, f"{name}/overall/high": estimate.high}
                out.setdefault(row.cell.id, {}).update(bounds)
    engines = {e["model"]: {k: v for k, v in e.items() if k != "wave"} for e in manifest.get("engines", [])}
    for cell in manifest["cells"]:
        figures = engines.get(cell["model"], {})
        out[cell["id"]] |= {f"engine/{k}": v for k, v in figures.items() if isinstance(v, (int, float))}
    return out
