"""The papers' printed numbers as data, to stand beside ours. They were measured on other games.

Nothing here is computed; `README.md` names the source of every file.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

import polars as pl

LABEL = "published, original games"
SOURCE = "arXiv 2604.07429"

PublishedTable = Literal[
    "table6_main", "table7_reruns", "table8_realtime", "table9_memory", "table11_invalid_actions", "table13_cost",
    "pokegym_success", "pokegym_behaviour", "flashadventure_games",
    "pokegym_studies", "pokegym_cost", "pokegym_correlation", "pokegym_judge",
    "flashadventure_studies", "flashadventure_measures",
]  # fmt: skip

OF_AXIS: dict[str, PublishedTable] = {"memory_rounds": "table9_memory"}
"""The paper's tables about one axis, by its name, which is also the name of their column."""


def published(table: PublishedTable) -> pl.DataFrame:
    """One of the papers' tables, as printed: percent, USD, seconds, steps; null where they print a dash."""
    return pl.read_csv((files(__name__) / f"{table}.csv").read_bytes(), null_values="-")
