"""Getting stuck: the movement measures of successes and failures, and whether they explain failing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from gwray.analysis import (
    CATEGORIES,
    TEXTS,
    Behaviour,
    Correlation,
    behaviour,
    published,
    success_by_immobility,
    task_points,
)
from gwray.report.content import NO_VALUE, Column, Figure, Table, TableCell, number_cell, p_value_cell, text_cell
from gwray.report.figures import PALETTE
from gwray.report.published_columns import published_cell
from gwray.report.results import Results

PRINTED = "published, other games and models"
OUTCOMES = {True: "successes", False: "failures"}
MEASURES = (
    Column("IM %", hint="moves that moved nothing, of all moves: mean over episodes"),
    Column("Rec %", hint="ineffective moves that the next decision made good"),
    Column("MaxIM", hint="longest run of ineffective moves"),
    Column("Ent, nats", hint="entropy of the actions in runs of three or more ineffective moves"),
)
PRINTED_TEXTS = {"visual": "visual_guided", "steps": "step_guided", "goal": "goal_only"}


def behaviour_table(
    frame: pl.DataFrame, cells: Sequence[str], s: Results, printed_as: Mapping[str, str]
) -> Table | None:
    """A row for each cell, category and outcome that there is, with what is printed of the same model."""
    printed = {(r["category"], r["model"]): r for r in published("pokegym_behaviour").to_dicts()}
    rows: list[tuple[TableCell, ...]] = []
    for c in cells:
        model = printed_as.get(s.plan.cells[c].model, "")
        for category in CATEGORIES.values():
            found = behaviour(frame.filter((pl.col("cell") == c) & (pl.col("category") == category)))
            for b in (b for b in found if b.episodes):
                r, which = printed.get((category, model), {}), "ok" if b.success else "fail"
                beside = (published_cell(r.get(f"{which}_{k}"), 2) for k in ("im", "rec", "maxim", "ent"))
                rows.append(
                    (text_cell(s.name(c)), text_cell(category), text_cell(OUTCOMES[b.success]), *_measures(b), *beside)
                )
    if not rows:
        return None
    columns = (
        Column("player", numeric=False), Column("category", numeric=False), Column("of", numeric=False), *MEASURES,
        Column("episodes"), *(Column(f"{c.name} ({PRINTED})", hint=c.hint) for c in MEASURES),
    )  # fmt: skip
    note = "Counted in decisions: one that moves is ineffective where the place after it is the place before it."
    return Table("town-behaviour", "Getting stuck", columns, tuple(rows), note)


def _measures(b: Behaviour) -> tuple[TableCell, ...]:
    shares = (number_cell(x, scale=100) for x in (b.ineffective, b.recovered))
    return (*shares, number_cell(b.longest_run, 2), number_cell(b.entropy, 2), number_cell(float(b.episodes), 0))


def correlation_parts(frame: pl.DataFrame, cells: Sequence[str]) -> list[Table | Figure]:
    """Success against IM, a point for each of these cells and each task; r by text, and the printed ones."""
    frame = frame.filter(pl.col("cell").is_in(list(cells)))
    by_text = {x: frame.filter(pl.col("text") == x) for x in TEXTS}
    points = {x: task_points(of) for x, of in by_text.items()}
    if not any(p.height for p in points.values()):
        return []
    found = {x: success_by_immobility(of) for x, of in by_text.items() if points[x].height}
    printed = {r["granularity"]: r for r in published("pokegym_correlation").to_dicts()}
    rows: list[tuple[TableCell, ...]] = [
        (text_cell(TEXTS[x]), number_cell(float(points[x].height), 0), *_fit(fit), *_beside(printed[PRINTED_TEXTS[x]]))
        for x, fit in found.items()
    ]
    if len(found) > 1:
        n = float(sum(p.height for p in points.values()))
        rows.append((text_cell("all"), number_cell(n, 0), *_fit(success_by_immobility(frame)), *(NO_VALUE,) * 2))
    columns = (
        Column("text", numeric=False), Column("points", hint="a player in a task"), Column("r", hint="Pearson's"),
        Column("p", hint="two-sided, for r = 0"), Column("slope", hint="points of SR for a point of IM"),
        Column(f"points ({PRINTED})"), Column(f"r ({PRINTED})", hint="every p below 0.001"),
    )  # fmt: skip
    note = (
        "Players that see the game's state and people are left out. Below three points, or where nothing varies, "
        "there is no r."
    )
    table = Table("town-correlation", "Does getting stuck explain failing?", columns, tuple(rows), note)
    return [_scatter(points, found), table]


def _fit(fit: Correlation | None) -> tuple[TableCell, TableCell, TableCell]:
    if fit is None:
        return NO_VALUE, NO_VALUE, NO_VALUE
    return number_cell(fit.r, 2), p_value_cell(fit.p), number_cell(fit.slope, 2)


def _beside(r: Mapping[str, Any]) -> tuple[TableCell, TableCell]:
    return published_cell(float(r["points"]), 0), published_cell(r["r"], 2)


def _scatter(points: Mapping[str, pl.DataFrame], fits: Mapping[str, Correlation | None]) -> Figure:
    data: list[dict[str, Any]] = []
    for i, (text, fit) in enumerate(fits.items()):
        p, colour = points[text], PALETTE[i]
        x = [round(100 * v, 2) for v in p["im"]]
        legend = TEXTS[text] + (f", r = {fit.r:.2f}" if fit else "")
        data.append(
            {
                "type": "scatter", "mode": "markers", "name": legend, "legendgroup": text, "x": x,
                "y": [round(100 * v, 2) for v in p["sr"]], "customdata": p["task"].to_list(),
                "marker": {"size": 8, "color": colour, "symbol": ("circle", "diamond", "square")[i], "opacity": 0.75},
                "hovertemplate": "%{customdata}: IM %{x:.1f} %, SR %{y:.1f} %<extra></extra>",
            }
        )  # fmt: skip
        if fit:
            data += _line(text, colour, fit, min(x), max(x))
    lines: list[list[object]] = [
        [TEXTS[text], cell, task, 100 * im, 100 * sr]
        for text, p in points.items()
        for cell, task, im, sr in p.select("cell", "task", "im", "sr").iter_rows()
    ]
    layout = {
        "xaxis": {"title": {"text": "IM %"}, "rangemode": "tozero"},
        "yaxis": {"title": {"text": "SR %"}, "range": [-5, 105]}, "showlegend": True,
    }  # fmt: skip
    note = "A point is a player in a task. Lines of least squares with their 95 % bands."
    header = ("text", "cell", "task", "IM %", "SR %")
    return Figure("town-stuck", "Success against moves that moved nothing", data, layout, header, lines, note, 440)


def _line(text: str, colour: str, fit: Correlation, low: float, high: float) -> list[dict[str, Any]]:
    """The line and, under it, its band, cut to what a rate can be."""
    xs = [low + (high - low) * k / 24 for k in range(25)]
    bands = [fit.band(x / 100) for x in xs]
    cut = [[round(min(102.0, max(-2.0, 100 * y)), 2) for y in side] for side in zip(*bands, strict=True)]
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    common = {"type": "scatter", "mode": "lines", "legendgroup": text, "showlegend": False, "hoverinfo": "skip"}
    return [
        {**common, "x": [*xs, *reversed(xs)], "y": [*cut[0], *reversed(cut[1])], "fill": "toself",
         "fillcolor": f"rgba({red},{green},{blue},0.12)", "line": {"width": 0}},
        {**common, "x": xs, "y": [round(100 * (fit.intercept + fit.slope * x / 100), 2) for x in xs],
         "line": {"color": colour, "width": 2}},
    ]  # fmt: skip
