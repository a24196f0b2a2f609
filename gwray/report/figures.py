"""Plotly figures of the same values as the tables. Colors that depend on light or dark mode are set by the page."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from gwray.analysis import KINDS, Arena, CurvePoint, GroupTable, Interval, MainRow, PlannedTasks, Rerun, rating_table
from gwray.pages import SHORT, points, safe_text
from gwray.report.content import Figure

PALETTE = ("#3b6ea5", "#c0632f", "#4f8a5b", "#8a5a9e", "#b08a2e", "#4a9aa3", "#b24c63", "#75808c")
SYMBOLS = ("circle", "diamond", "square")
SHOWN = 8
"""Series that are visible at first; the others are hidden in the legend."""
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
    series = (("progress", [r.pg for r in have], 0.14), ("success rate", [r.sr for r in have], -0.14))
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
    note = f"Success: the target was reached. Progress: how far towards it. With 95 % intervals {KINDS['tasks']}."
    header = ("cell", *SCORES, "planned", "finished", "failed")
    height = 150 + max(_row_height(names), 48 - len(have)) * len(have)
    return Figure("overview", "Success and progress", figure, header, lines, note, height)


def heatmap(g: GroupTable, plan: PlannedTasks, order: Sequence[str], titles: Mapping[str, str]) -> Figure | None:
    """Progress of every cell on every game. `titles`: of games, by id."""
    if not g.cells or len(g.groups) < 2:
        return None
    cells = [c for c in order if c in g.cells]
    names, games = axis_names([plan.cells[c].name for c in cells]), axis_names([titles.get(x, x) for x in g.groups])
    rows = [g.pg[g.cells.index(c)] for c in cells][::-1]
    trace = go.Heatmap(
        z=[[_pct(e) for e in row] for row in rows], x=games, y=names[::-1],
        text=[["" if e is None else points(e.value, e) for e in row] for row in rows],
        zmin=0, zmax=100, meta="sequential", colorbar_title_text="progress %",
        texttemplate="%{text}" if len(g.groups) <= NUMBERED else "",
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
    slug = re.sub(r"(\(.*?\)|[^a-z0-9])+", "-", block.casefold()).strip("-")
    title, note = f"Capability profile: {safe_text(block, SHORT)}", "Progress in percent by capability level."
    return Figure(f"levels-{slug}", title, figure, ("cell", "level", "pg %"), lines, note, 460, "Figure 5")


def rerun_bars(per_cell: Sequence[tuple[str, Sequence[Rerun]]], titles: Mapping[str, str]) -> Figure | None:
    """Progress of every game with the sample SD over repeats: a panel for each cell, one below the other."""
    known = [(cell, {r.group: r for r in runs if r.mean is not None}) for cell, runs in per_cell]
    have = [(cell, games) for cell, games in known if games]
    if not have:
        return None
    order = sorted({g for _, games in have for g in games})
    share, between = 1 / len(have), 0.28 / len(have)
    traces, lines, headings = [], [], []
    axes: dict[str, Any] = {}
    for i, ((cell, games), name) in enumerate(zip(have, axis_names([cell for cell, _ in have]), strict=True)):
        mine, top, n = [games[g] for g in order if g in games], 1 - i * share, str(i + 1) if i else ""
        axes[f"yaxis{n}"] = {
            "title_text": "progress %", "range": [0, 105], "domain": [max(0, top - share), top - between],
        }  # fmt: skip
        headings.append({"text": name, "xref": "paper", "yref": "paper", "x": 0, "y": top - between, "xanchor": "left",
                       "yanchor": "bottom", "showarrow": False})  # fmt: skip
        traces.append(
            go.Bar(
                name=name, x=[label(titles.get(r.group, r.group)) for r in mine],
                y=[round(100 * (r.mean or 0), 2) for r in mine], yaxis=f"y{n}", marker_color=PALETTE[i % len(PALETTE)],
                error_y={"array": [round(100 * (r.sd or 0), 2) for r in mine], "thickness": 1.2, "width": 2},
                hovertemplate="%{x}: %{y:.1f} ± %{error_y.array:.1f} %<extra>%{fullData.name}</extra>",
            )
        )  # fmt: skip
        lines += [[cell, r.group, r.mean, r.sd, r.repeats] for r in mine]
    xaxis = {
        "tickangle": -60, "anchor": f"y{len(have)}" if len(have) > 1 else "y", "categoryorder": "array",
        "categoryarray": [label(titles.get(g, g)) for g in order],
    }  # fmt: skip
    figure = plot(traces, xaxis=xaxis, showlegend=False, annotations=headings, **axes)
    header = ("cell", "game", "pg mean", "pg sd over repeats", "repeats")
    note = "A panel for each cell. Bars: mean of the repeats' game averages; error bars: their sample SD."
    return Figure("reruns", "Reruns by game", figure, header, lines, note, 180 + 170 * len(have), "Figure 4")


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
        yaxis={"title_text": "progress %", "rangemode": "tozero"}, showlegend=True,
    )  # fmt: skip
    header = ("player", "x", *SCORES, "planned", "finished")
    note = f"Points with 95 % intervals {KINDS['tasks']}."
    if len({(p.player, p.x) for p in points}) < len(points):
        note += " Two points above each other have the same value: a paused game and a free reply are both at 0."
    return Figure(id, title, figure, header, lines, note)
