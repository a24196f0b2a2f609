"""All episodes of one or more runs as one Polars frame, the input of all statistics.

One row per episode, finished or failed, all fields of `EpisodeRecord` plus `run` (the run directory's URL). These
columns are the same for every run, an empty one too. `metrics` is the exception: each metric that any of the episodes
has is a column `metrics.<name>`. No numbers are computed here.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

import polars as pl

from gwray.records import EpisodeRecord
from gwray.records.columns import polars_schema, table
from gwray.store.run_dir import RunDir

SCHEMA = pl.Schema({"run": pl.String, **polars_schema(EpisodeRecord)})
"""The columns of every frame."""
AT_ONCE = 4096


def results_frame(
    run: RunDir | Sequence[RunDir], *, forks: bool = False, only: Collection[str] | None = None
) -> pl.DataFrame:
    """Returns the episodes of runs as one frame, finished episodes first. `forks`: include forks, which continue
    another player's episode and must not be counted as episodes of their task. `only`: fields of `EpisodeRecord` that
    become columns, including `key`; None: all, and `run`.

    Example: `results_frame(RunDir.open("runs/main")).group_by("model").agg(pl.col("metrics.movement.moves").mean())`
    """
    runs = [run] if isinstance(run, RunDir) else list(run)
    names = [name for name in SCHEMA if only is None or name in only]
    found = pl.concat([SCHEMA.to_frame().select(names), *(_frame(one, forks, only) for one in runs)], how="diagonal")
    return found.select(*names, *sorted(name for name in found.columns if name not in SCHEMA))


def _frame(run: RunDir, forks: bool, only: Collection[str] | None) -> pl.DataFrame:
    """Returns the episodes of one run: finished ones, then failed ones without a result."""
    finished = _last(run.each_result(), forks, only)
    failed = _last(run.each_failure(), forks, only)
    left = failed.filter(~pl.col("key").is_in(finished["key"].implode()))
    found = pl.concat([finished, left], how="diagonal")
    return found.with_columns(pl.lit(run.url, pl.String).alias("run"))


def _last(records: Iterator[EpisodeRecord], forks: bool, only: Collection[str] | None) -> pl.DataFrame:
    """Returns the last record of each key, in the order of first occurrence. Reads some thousands at a time: as columns
    they take a fifth of the memory."""
    kept = (r for r in records if forks or not r.prefix)
    frames = [table([], EpisodeRecord, only)]
    while some := list(islice(kept, AT_ONCE)):
        frames.append(table(some, EpisodeRecord, only))
    found = pl.concat(frames, how="diagonal")
    if found["key"].n_unique() == found.height:
        return found
    rows = found.select("key").with_row_index("row")
    return found[rows.group_by("key", maintain_order=True).agg(pl.col("row").last())["row"]]
