"""Weights & Biases: a view of the run directory, one W&B run per cell.

The run directory is the truth; W&B runs can be deleted and rebuilt (`sync`). An error of W&B is reported once and
neither stops nor slows a sweep. This package reads records and the store. It plays nothing and computes only the
running averages of live charts.
"""

from gwray.tracking.cells import CellInfo, cells_of, run_facts
from gwray.tracking.client import WandbRuns
from gwray.tracking.mode import has_key, resolve_mode
from gwray.tracking.tracker import Summaries, TrackedCell, Tracker, WandbTracker, make_tracker, rebuild, sync
