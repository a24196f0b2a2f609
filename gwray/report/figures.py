"""Plotly figures of the same values as the tables. Colors that depend on light or dark mode are set by the page."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from gwray.analysis import (
    KINDS,
    Arena,
    Comparison,
    CurvePoint,
    GroupTable,
    Interval,
    MainRow,
    PlannedTasks,
    ProfilePoint,
    Rerun,
    rating_table,
    shown_interval,
)
from gwray.report.content import Figure
from gwray.visible_text import SHORT, safe_text

PALETTE = ("#3b6ea5", "#c0632f", "#4f8a5b", "#8a5a9e", "#b08a2e", "#4a9aa3", "#b24c63", "#75808c")
SYMBOLS = ("circle", "diamond", "square")
SHOWN = 8
"""Series that are visible at first; the others are hidden in the legend."""
BANDS = 3
"""The same, of series with bands."""
NUMBERED = 16
"""Most columns of a heatmap with values."""
UPRIGHT = 5
"""Most columns with horizontal names of games."""
NAME = 44
"""Characters of a name in a figure."""
SCORES = ("sr", "sr low", "sr high", "pg", "pg low", "pg high")

_LEGEND = {"orientation": "v", "x": 1.02, "xanchor": "left", "y": 1, "yanchor": "top"}
TEMPLATE = go.layout.Template(
    layout={"colorway": PALETTE, "xaxis": {"automargin": True}, "yaxis": {"automargin": True}},
    data={
        # A color scale that stays readable next to a heatmap of one row.
        "heatmap": [
            {"xgap": 1, "ygap": 1, "hoverongaps": False,
             "colorbar": {"outlinewidth": 0, "lenmode": "pixels", "len": 130, "y": 1, "yanchor": "top",
                          "thickness": 12}}
        ]
    },
)  # fmt: skip
"""Defaults of all figures."""


def plot(traces: Iterable[Any], **layout: Any) -> go.Figure:
    return go.Figure(list(traces), {"template": TEMPLATE, **layout})


def label(text: str) -> str:
    """Returns a name in a figure: bounded, and without the tags and links that plotly would interpret."""
    out = safe_text(text, SHORT)
    if len(out) > NAME:
        out = f"{out[: NAME - 14]}…{out[-13:]}"
    return out.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def axis_names(names: Sequence[str]) -> list[str]:
    """Returns distinct labels, since plotly draws two categories of one name in one place."""
    seen: dict[str, int] = {}
    out = []
    for name in ("<br>".join(map(label, _lines(name))) for name in names):
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return out


def _lines(name: str) -> tuple[str, ...]:
    """Breaks a long name of a cell after the setting nearest to its middle, so that no setting is cut."""
    name = safe_text(name, SHORT)
    breaks = [m.start() for m in re.finditer(" · ", name)]
    if len(name) <= NAME or not breaks:
        return (name,)
    at = min(breaks, key=lambda i: abs(i - len(name) / 2))
    return name[: at + 2], name[at + 3 :]


def _row_height(names: Iterable[str]) -> int:
    """Returns the least pixels of a row with one of these names."""
    return 34 if any("<br>" in name for name in names) else 24


def marker(i: int, **more: Any) -> dict[str, Any]:
    """Returns color and symbol of the i-th series."""
    return {"color": PALETTE[i % len(PALETTE)], "symbol": SYMBOLS[i // len(PALETTE) % len(SYMBOLS)], **more}


def _pct(e: Interval | None) -> float | None:
    return None if e is None else round(100 * e.value, 2)


def _bars(values: Sequence[Interval | None]) -> dict[str, Any]:
    """Returns asymmetric error bars in percent."""

    def side(e: Interval | None, bound: float | None) -> float:
        return 0.0 if e is None or bound is None else round(abs(100 * (bound - e.value)), 2)

    high = [side(e, e.high if e else None) for e in values]
    low = [side(e, e.low if e else None) for e in values]
    return {"symmetric": False, "array": high, "arrayminus": low, "thickness": 1.2, "width": 3}


def _three(e: Interval | None) -> list[object]:
    return [None, None, None] if e is None else [e.value, e.low, e.high]


def overview(rows: Sequence[MainRow]) -> Figure | None:
    """Progress and success of every cell with 95 % intervals."""
    have = [r for r in rows if r.pg is not None][::-1]
    if not have:
        return None
    names = axis_names([r.cell.name for r in have])
    # Each on a line of its own: overlapping intervals cannot be read.
    series = (
        ("progress", [shown_interval(r.pg, r.pg_again) for r in have], 0.14),
        ("success rate", [shown_interval(r.sr, r.sr_again) for r in have], -0.14),
    )
    traces = [
        go.Scatter(
            mode="markers", name=title, x=[_pct(e) for e in estimates], y=[n + shift for n in range(len(names))],
            customdata=names, error_x=_bars(estimates),
            marker={"size": 9, "color": PALETTE[i], "symbol": SYMBOLS[i]},
            hovertemplate="%{customdata}: %{x:.1f} %<extra>" + title + "</extra>",
        )
        for i, (title, estimates, shift) in enumerate(series)
    ]  # fmt: skip
    lines: list[list[object]] = [
        [r.cell.name, *_three(r.sr), *_three(r.pg), r.counts.planned, r.counts.finished, r.counts.failed]
        for r in have[::-1]
    ]
    ticks = {"tickvals": [*range(len(names))], "ticktext": names, "range": [-0.6, len(names) - 0.4]}
    figure = plot(
        traces, xaxis={"title_text": "%", "range": [-2, 102]}, yaxis={"zeroline": False, "showgrid": False, **ticks}
    )
    kinds = dict.fromkeys(KINDS[e.kind] for _, estimates, _ in series for e in estimates if e)
    note = f"Points with 95 % intervals for {', '.join(kinds)}."
    header = ("cell", *SCORES, "planned", "finished", "failed")
    return Figure(
        "overview",
        "Success and progress",
        figure,
        header,
        lines,
        note,
        150 + max(_row_height(names), 48 - len(have)) * len(have),
    )


def heatmap(g: GroupTable, plan: PlannedTasks, order: Sequence[str]) -> Figure | None:
    """Progress of every cell on every game."""
    if not g.cells or len(g.groups) < 2:
        return None
    cells = [c for c in order if c in g.cells]
    names = axis_names([plan.cells[c].name for c in cells])
    trace = go.Heatmap(
        z=[[_pct(e) for e in g.pg[g.cells.index(c)]] for c in cells][::-1], x=axis_names(g.groups),
        y=names[::-1], zmin=0, zmax=100, meta="sequential",
        texttemplate="%{z:.0f}" if len(g.groups) <= NUMBERED else "", colorbar_title_text="PG %",
        hovertemplate="%{y}<br>%{x}: %{z:.1f} %<extra></extra>",
    )  # fmt: skip
    lines: list[list[object]] = []
    for i, c in enumerate(g.cells):
        for j, game in enumerate(g.groups):
            n = g.counts[i][j]
            lines.append([plan.cells[c].name, game, *_three(g.sr[i][j]), *_three(g.pg[i][j]), n.planned, n.finished])
    figure = plot([trace], xaxis={"tickangle": 0 if len(g.groups) <= UPRIGHT else -60}, yaxis={})
    height = 260 + _row_height(names) * len(cells)
    note = "Mean progress over a game's tasks. Empty: not played, or not finished."
    header = ("cell", "game", *SCORES, "planned", "finished")
    return Figure("games", "Progress by game", figure, header, lines, note, height, "Figure 3")


LEVELS = {
    "1": "1 control and timing",
    "2": "2 reactive control",
    "3": "3 spatial navigation",
    "4": "4 reasoning and strategy",
    "5": "5 open-world coordination",
}


def radar(g: GroupTable, plan: PlannedTasks, order: Sequence[str], block: str) -> Figure | None:
    """Returns the capability profile of the cells of one block over five levels."""
    levels = [x for x in g.groups if x in LEVELS]
    cells = [c for c in order if c in g.cells]
    if len(levels) < 3 or not cells:
        return None
    at = [g.groups.index(x) for x in levels]
    traces, lines = [], []
    for i, (c, name) in enumerate(zip(cells, axis_names([plan.cells[c].name for c in cells]), strict=True)):
        values = [_pct(g.pg[g.cells.index(c)][j]) for j in at]
        lines += [[plan.cells[c].name, LEVELS[x], v] for x, v in zip(levels, values, strict=True)]
        traces.append(
            go.Scatterpolar(
                name=name, r=[*values, values[0]], theta=[LEVELS[x] for x in (*levels, levels[0])],
                line={"color": PALETTE[i % len(PALETTE)], "width": 2}, marker_size=5,
                visible=True if i < SHOWN else "legendonly",
                hovertemplate="%{theta}: %{r:.1f} %<extra>%{fullData.name}</extra>",
            )
        )  # fmt: skip
    figure = plot(
        traces, polar_radialaxis={"range": [0, 100], "angle": 90, "tickangle": 90}, legend=_LEGEND,
        margin={"t": 40, "l": 120},
    )  # fmt: skip
    slug = re.sub(r"[^a-z0-9]+", "-", block.casefold()).strip("-")
    title, note = f"Capability profile: {safe_text(block, SHORT)}", "Progress in percent by capability level."
    return Figure(f"levels-{slug}", title, figure, ("cell", "level", "pg %"), lines, note, 460, "Figure 5")


def profiles(points: Mapping[str, Sequence[ProfilePoint]], plan: PlannedTasks) -> Figure | None:
    """Returns the share of tasks with more than some progress, with its band, for each cell; None if all progress is
    0 or 1: then the success rate says the same."""
    have = {c: found for c, found in points.items() if found}
    if all(p.share.value == found[0].share.value for found in have.values() for p in found):
        return None
    traces, lines = [], []
    for i, (c, name) in enumerate(zip(have, axis_names([plan.cells[c].name for c in have]), strict=True)):
        found, color = have[c], PALETTE[i % len(PALETTE)]
        x, shown = [round(100 * p.threshold) for p in found], True if i < BANDS else "legendonly"
        both = {"legendgroup": c, "visible": shown, "mode": "lines"}
        ends = [(100 * (p.share.low or 0), 100 * (1 if p.share.high is None else p.share.high)) for p in found]
        band = [round(v, 2) for v in [*(low for low, _ in ends), *(high for _, high in ends[::-1])]]
        traces.append(
            go.Scatter(x=[*x, *x[::-1]], y=band, fill="toself", fillcolor=color, opacity=0.18, line_width=0,
                       showlegend=False, hoverinfo="skip", **both)
        )  # fmt: skip
        traces.append(
            go.Scatter(x=x, y=[_pct(p.share) for p in found], name=name, line={"color": color, "width": 2},
                       hovertemplate="more than %{x} %: %{y:.0f} % of tasks<extra>%{fullData.name}</extra>", **both)
        )  # fmt: skip
        lines += [[plan.cells[c].name, p.threshold, *_three(p.share)] for p in found]
    figure = plot(
        traces, xaxis={"title_text": "progress, %", "range": [0, 97]},
        yaxis={"title_text": "tasks with more, %", "range": [0, 102]}, showlegend=True,
    )  # fmt: skip
    kinds = ", ".join(dict.fromkeys(KINDS[p.share.kind] for found in have.values() for p in found))
    note = f"How to read it: the higher line gets further. Bands: 95 % intervals of each point, for {kinds}."
    return Figure(
        "profiles", "Tasks with more than this progress", figure, ("cell", "threshold", "share", "low", "high"), lines,
        note,
    )  # fmt: skip


def rerun_bars(per_cell: Sequence[tuple[str, Sequence[Rerun]]]) -> Figure | None:
    """Progress of every game with the sample SD over repeats: a panel for each cell, one below the other."""
    known = [(cell, {r.group: r for r in runs if r.mean is not None}) for cell, runs in per_cell]
    have = [(cell, games) for cell, games in known if games]
    if not have:
        return None
    order = sorted({g for _, games in have for g in games})
    share, between = 1 / len(have), 0.28 / len(have)
    traces, lines, titles = [], [], []
    axes: dict[str, Any] = {}
    for i, ((cell, games), name) in enumerate(zip(have, axis_names([cell for cell, _ in have]), strict=True)):
        mine, top, n = [games[g] for g in order if g in games], 1 - i * share, str(i + 1) if i else ""
        axes[f"yaxis{n}"] = {
            "title_text": "PG %", "range": [0, 105], "domain": [max(0, top - share), top - between],
        }  # fmt: skip
        titles.append({"text": name, "xref": "paper", "yref": "paper", "x": 0, "y": top - between, "xanchor": "left",
                       "yanchor": "bottom", "showarrow": False})  # fmt: skip
        traces.append(
            go.Bar(
                name=name, x=[label(r.group) for r in mine], y=[round(100 * (r.mean or 0), 2) for r in mine],
                yaxis=f"y{n}", marker_color=PALETTE[i % len(PALETTE)],
                error_y={"array": [round(100 * (r.sd or 0), 2) for r in mine], "thickness": 1.2, "width": 2},
                hovertemplate="%{x}: %{y:.1f} ± %{error_y.array:.1f} %<extra>%{fullData.name}</extra>",
            )
        )  # fmt: skip
        lines += [[cell, r.group, r.mean, r.sd, r.within_task_sd, r.repeats] for r in mine]
    xaxis = {
        "tickangle": -60, "anchor": f"y{len(have)}" if len(have) > 1 else "y", "categoryorder": "array",
        "categoryarray": [label(g) for g in order],
    }  # fmt: skip
    figure = plot(traces, xaxis=xaxis, showlegend=False, annotations=titles, **axes)
    header = ("cell", "game", "pg mean", "pg sd over repeats", "within-task sd", "repeats")
    note = "A panel for each cell. Bars: mean of the repeats' game averages; error bars: their sample SD."
    return Figure("reruns", "Reruns by game", figure, header, lines, note, 180 + 170 * len(have), "Figure 4")


def pair_matrix(comparisons: Sequence[Comparison], plan: PlannedTasks, order: Sequence[str]) -> Figure | None:
    """Returns a heat map of row minus column in percentage points of progress; a star if it is significant after
    Holm's correction."""
    cells = [c for c in order if any(c in (p.a, p.b) for p in comparisons)]
    if len(cells) < 3:  # one number, which the table has
        return None
    at = {c: i for i, c in enumerate(cells)}
    n = len(cells)
    z: list[list[float | None]] = [[None] * n for _ in range(n)]
    text = [[""] * n for _ in range(n)]
    lines: list[list[object]] = []
    for p in comparisons:
        if p.a not in at or p.b not in at:
            continue
        d = round(100 * p.difference.value, 2)
        star = " *" if p.significant else ""
        for i, j, sign in ((at[p.a], at[p.b], 1), (at[p.b], at[p.a], -1)):
            z[i][j] = sign * d if p.significant else 0.0
            text[i][j] = f"{sign * d:+z.1f}{star}"
        lines.append([plan.cells[p.a].name, plan.cells[p.b].name, *_three(p.difference), p.p, p.p_holm])
    top = max((abs(v) for row in z for v in row if v is not None), default=1.0) or 1.0
    names = axis_names([plan.cells[c].name for c in cells])
    trace = go.Heatmap(
        z=z[::-1], text=text[::-1], texttemplate="%{text}" if n <= 20 else "", x=names, y=names[::-1], zmin=-top,
        zmax=top, meta="diverging", colorbar_title_text="points", showscale=any(p.significant for p in comparisons),
        hovertemplate="%{y} minus %{x}: %{text}<extra></extra>",
    )  # fmt: skip
    figure = plot([trace], xaxis={"tickangle": -45}, yaxis={})
    title = "Row minus column, progress in percentage points"
    kinds = ", ".join(dict.fromkeys(KINDS[p.difference.kind] for p in comparisons))
    note = f"Colored, with a star: significant at 5 % after Holm's correction over all pairs ({kinds})."
    return Figure("pairs", title, figure, ("a", "b", "difference", "low", "high", "p", "p holm"), lines, note,
                  260 + 30 * n)  # fmt: skip


def rating_figure(title: str, arena: Arena) -> Figure:
    """Ratings of an arena's players with 95 % intervals."""
    players = arena.ratings[::-1]
    names = axis_names([r.player for r in players])
    trace = go.Scatter(
        mode="markers", x=[r.elo for r in players], y=names, marker={"size": 9, "color": PALETTE[0]},
        error_x={"symmetric": False, "array": [r.high - r.elo for r in players],
                 "arrayminus": [r.elo - r.low for r in players], "thickness": 1.2, "width": 3},
        hovertemplate="%{y}: %{x:.0f}<extra></extra>",
    )  # fmt: skip
    figure = plot([trace], xaxis={"title_text": "Elo"}, yaxis={})
    lines: list[list[object]] = [[r.player, r.elo, r.low, r.high] for r in arena.ratings]
    header, note = ("player", "elo", "low", "high"), "Points with 95 % intervals."
    return Figure(
        rating_table(title, arena).id, f"{title}: ratings", figure, header, lines, note, 150 + 34 * len(players)
    )


def curve(id: str, title: str, axis: str, points: Sequence[CurvePoint]) -> Figure | None:
    """Progress against the values of an axis, a line for each player."""
    if not points:
        return None
    traces, lines = [], []
    for player in dict.fromkeys(p.player for p in points):
        mine = [p for p in points if p.player == player]
        lines += [[player, p.x, *_three(p.sr), *_three(p.pg), p.counts.planned, p.counts.finished] for p in mine]
        traces.append(
            go.Scatter(
                mode="lines+markers", name=label(player), x=[p.x for p in mine], y=[_pct(p.pg) for p in mine],
                error_y=_bars([p.pg for p in mine]), line_width=2,
                hovertemplate="%{x}: %{y:.1f} %<extra>%{fullData.name}</extra>",
            )
        )  # fmt: skip
    figure = plot(
        traces, xaxis={"title_text": axis, "rangemode": "tozero"},
        yaxis={"title_text": "PG %", "rangemode": "tozero"}, showlegend=True,
    )  # fmt: skip
    header = ("player", "x", *SCORES, "planned", "finished")
    return Figure(id, title, figure, header, lines, "95 % intervals clustered by game.")


def cost_against_progress(rows: Sequence[MainRow], costs: Mapping[str, float | None], n_tasks: int) -> Figure | None:
    """Returns progress over cost, with a point for each priced cell; None for fewer than two. `costs`: USD of one
    repeat of `n_tasks` tasks, by cell."""
    have = [(r, c) for r in rows if r.pg is not None and (c := costs.get(r.cell.id)) is not None and c > 0]
    if len(have) < 2:
        return None
    names = axis_names([r.cell.name for r, _ in have])
    traces = [
        go.Scatter(
            mode="markers", name=names[i], x=[round(c, 4)], y=[_pct(r.pg)], error_y=_bars([r.pg]),
            marker=marker(i, size=10), hovertemplate="$%{x:.2f}, %{y:.1f} %<extra>%{fullData.name}</extra>",
        )
        for i, (r, c) in enumerate(have)
    ]  # fmt: skip
    figure = plot(
        traces,
        xaxis={"title_text": f"USD for {n_tasks} tasks", "type": "log", **_money_ticks([c for _, c in have])},
        yaxis={"title_text": "PG %", "rangemode": "tozero"},
        legend=_LEGEND,
    )
    lines: list[list[object]] = [[r.cell.name, c, *_three(r.pg)] for r, c in have]
    return Figure("cost", "Cost of progress", figure, ("cell", f"usd for {n_tasks} tasks", "pg", "low", "high"), lines)


def _money_ticks(usd: Sequence[float]) -> dict[str, Any]:
    """Returns ticks of a logarithmic axis of USD at 1, 2 and 5, or only at powers of ten for more than three of them,
    with the range from the last tick below all values to the first one above."""
    powers = range(math.floor(math.log10(min(usd))) - 1, math.ceil(math.log10(max(usd))) + 2)
    steps = (1, 2, 5) if max(usd) / min(usd) < 1000 else (1,)
    values = [step * 10.0**power for power in powers for step in steps]
    low, high = max(v for v in values if v < min(usd)), min(v for v in values if v > max(usd))
    shown = [v for v in values if low <= v <= high]
    return {"tickvals": shown, "ticktext": [f"${v:,.6g}" for v in shown], "range": [math.log10(low), math.log10(high)]}
