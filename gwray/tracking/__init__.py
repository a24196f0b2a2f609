"""Weights & Biases: a view of the run directory, one W&B run per cell.

The run directory is the truth; what is here can be deleted and built again (`sync`). Trouble with W&B, of whatever
kind, is reported once and neither stops nor slows a sweep. This room reads records and the store; it plays nothing
and computes only the running averages that make a live chart.
"""

from gwray.tracking.cells import CellInfo
from gwray.tracking.mode import resolve_mode
from gwray.tracking.tracker import Tracker, make_tracker, sync, sync_workspace
