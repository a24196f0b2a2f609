"""Published results of GameWorld as data, to compare with. They were measured on the original games. Nothing is
computed here; `README.md` has the source of every file."""

from importlib.resources import files
from typing import Literal

import polars as pl

LABEL = "published, original games"
SOURCE = "arXiv 2604.07429"

PublishedTable = Literal[
    "table6_main", "table7_reruns", "table8_realtime", "table9_memory", "table11_invalid_actions", "table13_cost"
]

OF_AXIS: dict[str, PublishedTable] = {"memory_rounds": "table9_memory"}
"""Axis → published table about it. The axis is also the name of the table's column."""


def published(table: PublishedTable) -> pl.DataFrame:
    """Returns a table as published, in percent, USD, seconds or steps; null for a dash."""
    return read_published(__name__, table)


def read_published(package: str, table: str) -> pl.DataFrame:
    """Returns the table `TABLE.csv` of a package; null for a dash."""
    return pl.read_csv((files(package) / f"{table}.csv").read_bytes(), null_values="-")
