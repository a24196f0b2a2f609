"""Getting stuck: movement statistics of successes and failures, and whether they explain failures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
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
from gwray.report.content import Figure
from gwray.report.figures import PALETTE, SYMBOLS, plot
from gwray.report.published_columns import published_column
from gwray.report.results import Results
from gwray.tables import Column, Table

PRINTED = "published, other games and models"
OUTCOMES = {True: "successes", False: "failures"}
PRINTED_TEXTS = {"visual": "visual_guided", "steps": "step_guided", "goal": "goal_only"}


@dataclass(frozen=True)
class _Measured:
    player: str
    category: str
    behaviour: Behaviour
    published: Mapping[str, Any]

    def printed(self, measure: str) -> float | None:
        return self.published.get(f"{'ok' if self.behaviour.success else 'fail'}_{measure}")


def behaviour_table(
    frame: pl.DataFrame, cells: Sequence[str], results: Results, printed_as: Mapping[str, str]
) -> Table | None:
    """A row for each cell, category and outcome, with the published values of the same model."""
    printed = {(r["category"], r["model"]): r for r in published("pokegym_behaviour").to_dicts()}
    rows = []
    for c in cells:
        model = printed_as.get(results.cell(c).model, "")
        for category in CATEGORIES.values():
            found = behaviour(frame.filter((pl.col("cell") == c) & (pl.col("category") == category)))
            printed_row = printed.get((category, model), {})
            rows += [_Measured(results.name(c), category, b, printed_row) for b in found if b.episodes]
    if not rows:
        return None
    ours = {
        "im": Column.number("IM %", "behaviour.ineffective", scale=100,
                            hint="moves that moved nothing, of all moves: mean over episodes"),
        "rec": Column.number("Rec %", "behaviour.recovered", scale=100,
                             hint="ineffective moves that the next decision made good"),
        "maxim": Column.number("MaxIM", "behaviour.longest_run", 2, hint="longest run of ineffective moves"),
        "ent": Column.number("Ent, nats", "behaviour.entropy", 2,
                             hint="entropy of the actions in runs of three or more ineffective moves"),
    }  # fmt: skip
    columns = (
        Column.text("player", "player"), Column.text("category", "category"),
        Column.text("outcome", lambda r: OUTCOMES[r.behaviour.success]), *ours.values(),
        Column.number("episodes", lambda r: float(r.behaviour.episodes), 0),
        *(published_column(f"{c.name} ({PRINTED})", lambda r, k=k: r.printed(k), 2, hint=c.hint)
          for k, c in ours.items()),
    )  # fmt: skip
    note = "Counted in decisions: one that moves is ineffective if the place after it is the place before it."
    return Table.build("town-behaviour", "Getting stuck", columns, rows, note=note)


@dataclass(frozen=True)
class _Fit:
    text: str
    points: int
    fit: Correlation | None
    published: Mapping[str, Any]

    def value(self, field: str) -> float | None:
        return None if self.fit is None else getattr(self.fit, field)


def correlation_parts(frame: pl.DataFrame, cells: Sequence[str]) -> list[Table | Figure]:
    """Success against IM, a point for each of these cells and each task; r by text, and the published ones."""
    frame = frame.filter(pl.col("cell").is_in(list(cells)))
    by_text = {x: frame.filter(pl.col("text") == x) for x in TEXTS}
    points = {x: p for x, rows in by_text.items() if (p := task_points(rows)).height}
    if not points:
        return []
    fits = {x: success_by_immobility(by_text[x]) for x in points}
    printed = {r["granularity"]: r for r in published("pokegym_correlation").to_dicts()}
    rows = [_Fit(TEXTS[x], points[x].height, fit, printed[PRINTED_TEXTS[x]]) for x, fit in fits.items()]
    if len(fits) > 1:
        rows.append(_Fit("all", sum(p.height for p in points.values()), success_by_immobility(frame), {}))
    columns = (
        Column.text("text", "text"), Column.number("points", lambda r: float(r.points), 0, hint="a player in a task"),
        Column.number("r", lambda r: r.value("r"), 2, hint="Pearson's"),
        Column.p_value("p", lambda r: r.value("p"), hint="two-sided, for r = 0"),
        Column.number("slope", lambda r: r.value("slope"), 2, hint="points of SR for a point of IM"),
        published_column(f"points ({PRINTED})", lambda r: float(r.published["points"]) if r.published else None, 0),
        published_column(f"r ({PRINTED})", lambda r: r.published.get("r"), 2, hint="every p below 0.001"),
    )  # fmt: skip
    note = (
        "Without players that see the game's state and people. Below three points, or without variation, there is no r."
    )
    table = Table.build("town-correlation", "Does getting stuck explain failures?", columns, rows, note=note)
    return [_scatter(points, fits), table]


def _scatter(points: Mapping[str, pl.DataFrame], fits: Mapping[str, Correlation | None]) -> Figure:
    traces = []
    for i, (text, fit) in enumerate(fits.items()):
        p, color = points[text], PALETTE[i]
        x = [round(100 * v, 2) for v in p["im"]]
        traces.append(
            go.Scatter(
                mode="markers", name=TEXTS[text] + (f", r = {fit.r:.2f}" if fit else ""), legendgroup=text, x=x,
                y=[round(100 * v, 2) for v in p["sr"]], customdata=p["task"].to_list(),
                marker={"size": 8, "color": color, "symbol": SYMBOLS[i], "opacity": 0.75},
                hovertemplate="%{customdata}: IM %{x:.1f} %, SR %{y:.1f} %<extra></extra>",
            )
        )  # fmt: skip
        if fit:
            traces += _line(text, color, fit, min(x), max(x))
    lines: list[list[object]] = [
        [TEXTS[text], cell, task, 100 * im, 100 * sr]
        for text, p in points.items()
        for cell, task, im, sr in p.select("cell", "task", "im", "sr").iter_rows()
    ]
    figure = plot(
        traces, xaxis={"title_text": "IM %", "rangemode": "tozero"}, yaxis={"title_text": "SR %", "range": [-5, 105]},
        showlegend=True,
    )  # fmt: skip
    note = "A point is a player in a task. Lines of least squares with their 95 % bands."
    header = ("text", "cell", "task", "IM %", "SR %")
    return Figure("town-stuck", "Success against moves that moved nothing", figure, header, lines, note, 440)


def _line(text: str, color: str, fit: Correlation, low: float, high: float) -> list[go.Scatter]:
    """The fitted line and its band, cut to possible rates."""
    xs = [low + (high - low) * k / 24 for k in range(25)]
    bands = [fit.band(x / 100) for x in xs]
    cut = [[round(min(102.0, max(-2.0, 100 * y)), 2) for y in side] for side in zip(*bands, strict=True)]
    red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    common = {"mode": "lines", "legendgroup": text, "showlegend": False, "hoverinfo": "skip"}
    band = go.Scatter(
        x=[*xs, *reversed(xs)], y=[*cut[0], *reversed(cut[1])], fill="toself",
        fillcolor=f"rgba({red},{green},{blue},0.12)", line_width=0, **common,
    )  # fmt: skip
    ys = [round(100 * (fit.intercept + fit.slope * x / 100), 2) for x in xs]
    return [band, go.Scatter(x=xs, y=ys, line={"color": color, "width": 2}, **common)]
