"""A scripted player for a duel of Iron Bell: plays each side as the ladder's player does."""

from __future__ import annotations

import runpy
from pathlib import Path

act = runpy.run_path(str(Path(__file__).resolve().parents[1] / "p09_iron-bell" / "player.py"))["act"]
