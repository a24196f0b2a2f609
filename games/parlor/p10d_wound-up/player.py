"""A scripted player for a match of Wound Up: plays each side as it plays against the built-in opponent."""

from __future__ import annotations

import runpy
from pathlib import Path

act = runpy.run_path(str(Path(__file__).resolve().parents[1] / "p10_wound-up" / "player.py"))["act"]
