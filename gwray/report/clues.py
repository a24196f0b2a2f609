"""The observation–behaviour gap: how many steps clues waited from being seen to being used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from gwray.analysis import PlannedTasks, clue_gap, gaps_of, published
from gwray.report.content import NO_VALUE, Column, Figure, Table, number_cell, text_cell
from gwray.report.figures import PALETTE, axis_names
from gwray.report.published_columns import published_cell

SEEN, USED = "metrics.clues.seen", "metrics.clues.used"


def gap_parts(
    frame: pl.DataFrame, plan: PlannedTasks, cells: Sequence[str], games: Sequence[str], printed_by: str
) -> list[Table | Figure]:
    """A figure of every episode's gap, and a table of the cells' means; nothing where no game tells of clues.

    `games`: in their order. `printed_by`: how published rows are marked.
    """
    if SEEN not in frame.columns:
        return []
    rows, points = [], []
    for c in cells:
        mine = frame.filter((pl.col("cell") == c) & (pl.col("status") == "finished") & pl.col(SEEN).is_not_null())
        if not mine.height:
            continue
        (seen, used), by_game = (sum(mine[m].to_list()) for m in (SEEN, USED)), gaps_of(mine)
        gap = clue_gap(by_game) if by_game else None
        points.append((plan.cells[c].name, by_game))
        rows.append(
            (
                text_cell(plan.cells[c].name), number_cell(seen, 0), number_cell(used, 0),
                number_cell(used / seen if seen else None, scale=100),
                number_cell(gap and gap.mean, sub=f"± {gap.sd:.1f}" if gap and gap.sd is not None else ""),
                number_cell(float(len(by_game)), 0),
            )
        )  # fmt: skip
    if not rows:
        return []
    printed = next(r for r in published("flashadventure_measures").to_dicts() if r["measure"] == "clue_gap")
    columns = (
        Column("player", numeric=False), Column("clues seen", hint="in all episodes"), Column("clues used"),
        Column("used %", hint="of those that were seen"),
        Column("gap, steps", hint="from the step after which a clue was seen to the one after which it was used; mean "
                                  "and sample SD of the games' means"),
        Column("games", hint="in which a clue was seen and used"),
    )  # fmt: skip
    people = (
        text_cell(f"people {printed_by}"), NO_VALUE, NO_VALUE, NO_VALUE,
        replace(published_cell(printed["value"]), sub=f"± {printed['sd']:.1f}"), published_cell(printed["n"], 0),
    )  # fmt: skip
    note = "A clue that is used at once asks for no memory; one that waits for hundreds of steps does."
    table = Table("clue-gaps", "From seeing a clue to using it", columns, tuple(rows), note, (people,))
    there = [g for g in games if any(g in of for _, of in points)]
    return [*([_strip(points, there, printed["value"], printed["sd"])] if there else []), table]


def _strip(
    points: Sequence[tuple[str, Mapping[str, Sequence[float]]]], games: Sequence[str], mean: float, sd: float
) -> Figure:
    """A point an episode, games beside each other, and as a band what is published of people."""
    data, lines = [], []
    names = axis_names([player for player, _ in points])
    at = dict(zip(games, axis_names(games), strict=True))
    for i, (player, by_game) in enumerate(points):
        mine = [(g, gap) for g in games for gap in by_game.get(g, ())]
        lines += [[player, g, gap] for g, gap in mine]
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": names[i],
                "x": [at[g] for g, _ in mine],
                "y": [round(gap, 1) for _, gap in mine],
                "marker": {
                    "size": 10,
                    "color": PALETTE[i % len(PALETTE)],
                    "symbol": ("circle", "diamond", "square")[i // len(PALETTE) % 3],
                },
                "hovertemplate": "%{x}: %{y:.0f} steps<extra>%{fullData.name}</extra>",
            }
        )
    across = {"xref": "paper", "x0": 0, "x1": 1, "layer": "below"}
    grey = "rgba(128,128,128,{})".format
    layout = {
        "xaxis": {"automargin": True, "categoryorder": "array", "categoryarray": list(at.values())},
        "yaxis": {"title": {"text": "steps"}, "rangemode": "tozero"},
        "shapes": [
            {"type": "rect", "y0": mean - sd, "y1": mean + sd, "fillcolor": grey(0.14), "line": {"width": 0}, **across},
            {"type": "line", "y0": mean, "y1": mean, "line": {"color": grey(0.8), "dash": "dot"}, **across},
        ],
        "annotations": [
            {"text": "published, people", "xref": "paper", "x": 1, "xanchor": "right", "y": mean, "yanchor": "bottom",
             "showarrow": False}
        ],
        "showlegend": True, "scattermode": "group",
    }  # fmt: skip
    note = "A point an episode: mean over its clues. Band: mean ± SD over seven games, as published of people."
    return Figure("clue-gaps", "From seeing a clue to using it, in steps", data, layout, ("player", "game", "gap"),
                  lines, note, 420)  # fmt: skip
