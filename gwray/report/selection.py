"""Selection of the episodes that a report replays: a few of each cell and failure label."""

from collections.abc import Mapping, Sequence

import polars as pl

from gwray.analysis import FACTS, scored


def choose_episodes(
    frame: pl.DataFrame, facts: Mapping[str, Mapping[str, int]], cells: Sequence[str], *, limit: int = 40
) -> list[str]:
    """Keys, without repetition, at most `limit`.

    Round by round over the cells, so that a limit cuts all cells alike: the best episode; the same task by every other
    cell where cells differ most (a case study side by side); one episode of each failure label; the median; the worst.
    The choice depends on the rows alone, never on chance.
    """
    rows = scored(frame).filter(pl.col("cell").is_in(list(cells))).sort("progress", "steps", "key")
    per_cell = {c: rows.filter(pl.col("cell") == c) for c in cells}
    per_cell = {c: r for c, r in per_cell.items() if r.height}
    rounds: list[list[str]] = [[r["key"][-1] for r in per_cell.values()]]
    rounds += [_study(rows, place) for place in range(3)] if len(per_cell) > 1 else []
    for label in FACTS:
        rounds.append([k for r in per_cell.values() for k in _labelled(r, facts, label)])
    rounds.append([r["key"][r.height // 2] for r in per_cell.values()])
    rounds.append([r["key"][0] for r in per_cell.values()])
    return list(dict.fromkeys(k for keys in rounds for k in keys))[:limit]


def _labelled(rows: pl.DataFrame, facts: Mapping[str, Mapping[str, int]], label: str) -> list[str]:
    keys = (k for k in rows["key"] if label in facts.get(k, ()))
    return [k for k in (next(keys, None),) if k is not None]


def _study(rows: pl.DataFrame, place: int) -> list[str]:
    """Every cell's episode of the task on which cells differ most (`place` 0), second most (1), …"""
    first = rows.sort("repeat").unique(["cell", "game", "task"], keep="first", maintain_order=True)
    spread = (
        first.group_by("game", "task")
        .agg((pl.col("progress").max() - pl.col("progress").min()).alias("spread"), pl.len().alias("n"))
        .filter(pl.col("n") > 1)
        .sort(pl.col("spread"), "game", "task", descending=[True, False, False])
    )
    if spread.height <= place:
        return []
    game, task = spread["game"][place], spread["task"][place]
    return first.filter((pl.col("game") == game) & (pl.col("task") == task)).sort("progress")["key"].to_list()
