"""Figures from the same numbers as the tables. Colours that depend on light and dark are put in by the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gwray.analysis import Comparison, CurvePoint, GroupTable, Interval, MainRow, PlannedTasks, Rerun
from gwray.report.content import Figure
from gwray.visible_text import SHORT, safe_text

PALETTE = ("#3b6ea5", "#c0632f", "#4f8a5b", "#8a5a9e", "#b08a2e", "#4a9aa3", "#b24c63", "#75808c")
SHOWN = 8
"""Series that are visible from the start; the others wait in the legend."""


NUMBERED = 16
"""Columns of a heatmap that leave room for numbers."""
UPRIGHT = 5
"""Columns that leave room for a game's name upright."""
NAME = 44
"""Characters of a name in a figure."""


def _label(text: str) -> str:
    """A name in a figure: bounded, and free of the tags and links that plotly would interpret."""
    out = safe_text(text, SHORT)
    if len(out) > NAME:
        out = f"{out[: NAME - 14]}…{out[-13:]}"
    return out.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def axis_names(names: Sequence[str]) -> list[str]:
    """`_label` for all, kept apart: plotly would draw two categories of one name into one place."""
    seen: dict[str, int] = {}
    out = []
    for name in map(_label, names):
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return out


def _pct(e: Interval | None) -> float | None:
    return None if e is None else round(100 * e.value, 2)


def _bars(values: Sequence[Interval | None]) -> dict[str, Any]:
    """Asymmetric error bars in percent."""

    def side(e: Interval | None, bound: float | None) -> float:
        return 0.0 if e is None or bound is None else round(abs(100 * (bound - e.value)), 2)

    return {
        "type": "data",
        "symmetric": False,
        "array": [side(e, e.high if e else None) for e in values],
        "arrayminus": [side(e, e.low if e else None) for e in values],
        "thickness": 1.2,
        "width": 3,
    }


def _scale(title: str) -> dict[str, Any]:
    """A colour scale that stays readable beside a heatmap of one row."""
    size = {"lenmode": "pixels", "len": 130, "y": 1, "yanchor": "top", "thickness": 12}
    return {"title": {"text": title}, "outlinewidth": 0, **size}


def overview(rows: Sequence[MainRow]) -> Figure | None:
    """Progress and success of every cell with 95 % intervals."""
    have = [r for r in rows if r.pg is not None][::-1]
    if not have:
        return None
    names = axis_names([r.cell.name for r in have])
    data = []
    # Each on a line of its own: intervals drawn over each other cannot be read.
    for i, (title, estimates, beside) in enumerate(
        (("progress", [r.pg for r in have], 0.14), ("success rate", [r.sr for r in have], -0.14))
    ):
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": title,
                "x": [_pct(e) for e in estimates],
                "y": [n + beside for n in range(len(names))],
                "customdata": names,
                "error_x": _bars(estimates),
                "marker": {"size": 9, "color": PALETTE[i], "symbol": ("circle", "diamond")[i]},
                "hovertemplate": "%{customdata}: %{x:.1f} %<extra>" + title + "</extra>",
            }
        )
    lines: list[list[object]] = [
        [r.cell.name, *_three(r.sr), *_three(r.pg), r.counts.planned, r.counts.finished, r.counts.failed]
        for r in have[::-1]
    ]
    header = ("cell", "sr", "sr low", "sr high", "pg", "pg low", "pg high", "planned", "finished", "failed")
    ticks = {"tickvals": [*range(len(names))], "ticktext": names, "range": [-0.6, len(names) - 0.4]}
    layout = {
        "xaxis": {"title": {"text": "%"}, "range": [-2, 102]},
        "yaxis": {"automargin": True, "zeroline": False, "showgrid": False, **ticks},
    }
    note = "Points with 95 % intervals: both respect that tasks of a game go together."
    return Figure("overview", "Success and progress", data, layout, header, lines, note, 150 + 40 * len(have))


def _three(e: Interval | None) -> list[object]:
    return [None, None, None] if e is None else [e.value, e.low, e.high]


def heatmap(g: GroupTable, plan: PlannedTasks, order: Sequence[str]) -> Figure | None:
    """Progress of every cell on every game."""
    if not g.cells or len(g.groups) < 2:
        return None
    cells = [c for c in order if c in g.cells]
    z = [[_pct(e) for e in g.pg[g.cells.index(c)]] for c in cells]
    names = axis_names([plan.cells[c].name for c in cells])
    data = [
        {
            "type": "heatmap",
            "z": z[::-1],
            "x": axis_names(g.groups),
            "y": names[::-1],
            "zmin": 0,
            "zmax": 100,
            "xgap": 1,
            "ygap": 1,
            "meta": "sequential",
            "texttemplate": "%{z:.0f}" if len(g.groups) <= NUMBERED else "",
            "colorbar": _scale("PG %"),
            "hovertemplate": "%{y}<br>%{x}: %{z:.1f} %<extra></extra>",
            "hoverongaps": False,
        }
    ]
    lines: list[list[object]] = []
    for i, c in enumerate(g.cells):
        for j, game in enumerate(g.groups):
            n = g.counts[i][j]
            lines.append([plan.cells[c].name, game, *_three(g.sr[i][j]), *_three(g.pg[i][j]), n.planned, n.finished])
    header = ("cell", "game", "sr", "sr low", "sr high", "pg", "pg low", "pg high", "planned", "finished")
    turned = 0 if len(g.groups) <= UPRIGHT else -60
    layout = {"xaxis": {"tickangle": turned, "automargin": True}, "yaxis": {"automargin": True}}
    note = "Mean progress over a game's tasks. Empty: not played, or not finished."
    return Figure("games", "Progress by game", data, layout, header, lines, note, 260 + 24 * len(names), "Figure 3")


LEVELS = {
    "1": "1 control and timing",
    "2": "2 reactive control",
    "3": "3 spatial navigation",
    "4": "4 reasoning and strategy",
    "5": "5 open-world coordination",
}


def radar(g: GroupTable, plan: PlannedTasks, order: Sequence[str], block: str) -> Figure | None:
    """Five-level capability profile of the cells that are ranked among each other; `block` is their name."""
    levels = [x for x in g.groups if x in LEVELS]
    cells = [c for c in order if c in g.cells]
    if len(levels) < 3 or not cells:
        return None
    at = [g.groups.index(x) for x in levels]
    data, lines = [], []
    names = axis_names([plan.cells[c].name for c in cells])
    for i, c in enumerate(cells):
        values = [_pct(g.pg[g.cells.index(c)][j]) for j in at]
        lines += [[plan.cells[c].name, LEVELS[x], v] for x, v in zip(levels, values, strict=True)]
        data.append(
            {
                "type": "scatterpolar",
                "name": names[i],
                "r": [*values, values[0]],
                "theta": [LEVELS[x] for x in (*levels, levels[0])],
                "line": {"color": PALETTE[i % len(PALETTE)], "width": 2},
                "marker": {"size": 5},
                "visible": True if i < SHOWN else "legendonly",
                "hovertemplate": "%{theta}: %{r:.1f} %<extra>%{fullData.name}</extra>",
            }
        )
    layout = {
        "polar": {"radialaxis": {"range": [0, 100], "angle": 90, "tickangle": 90}},
        "legend": {"orientation": "v", "x": 1.02, "xanchor": "left", "y": 1, "yanchor": "top"},
        "margin": {"t": 40, "l": 120},
    }
    slug = re.sub(r"[^a-z0-9]+", "-", block.casefold()).strip("-")
    title = f"Capability profile: {safe_text(block, SHORT)}"
    return Figure(f"levels-{slug}", title, data, layout, ("cell", "level", "pg %"), lines,
                  "Progress in percent by capability level.", 460, "Figure 5")  # fmt: skip


def rerun_bars(per_cell: Sequence[tuple[str, Sequence[Rerun]]]) -> Figure | None:
    """Progress of every game with the sample SD over repeats as error bars: a panel for each cell, games above each
    other."""
    known = [(cell, {r.group: r for r in runs if r.mean is not None}) for cell, runs in per_cell]
    have = [(cell, games) for cell, games in known if games]
    if not have:
        return None
    order = sorted({g for _, games in have for g in games})
    share, between = 1 / len(have), 0.28 / len(have)
    data, lines, titles = [], [], []
    layout: dict[str, Any] = {}
    for i, ((cell, games), name) in enumerate(zip(have, axis_names([cell for cell, _ in have]), strict=True)):
        mine = [games[g] for g in order if g in games]
        bars = [round(100 * (r.sd or 0), 2) for r in mine]
        top = 1 - i * share
        axis = "y" if i == 0 else f"y{i + 1}"
        layout[axis.replace("y", "yaxis")] = {
            "title": {"text": "PG %"}, "range": [0, 105], "domain": [max(0, top - share), top - between],
        }  # fmt: skip
        titles.append(
            {"text": name, "xref": "paper", "yref": "paper", "x": 0, "y": top - between, "xanchor": "left",
             "yanchor": "bottom", "showarrow": False}
        )  # fmt: skip
        data.append(
            {
                "type": "bar",
                "name": name,
                "x": [_label(r.group) for r in mine],
                "y": [round(100 * (r.mean or 0), 2) for r in mine],
                "yaxis": axis,
                "error_y": {"type": "data", "array": bars, "thickness": 1.2, "width": 2},
                "marker": {"color": PALETTE[i % len(PALETTE)]},
                "hovertemplate": "%{x}: %{y:.1f} ± %{error_y.array:.1f} %<extra>%{fullData.name}</extra>",
            }
        )
        lines += [[cell, r.group, r.mean, r.sd, r.within_task_sd, r.repeats] for r in mine]
    layout["xaxis"] = {
        "tickangle": -60, "automargin": True, "anchor": f"y{len(have)}" if len(have) > 1 else "y",
        "categoryorder": "array", "categoryarray": [_label(g) for g in order],
    }  # fmt: skip
    layout |= {"showlegend": False, "annotations": titles}
    header = ("cell", "game", "pg mean", "pg sd over repeats", "within-task sd", "repeats")
    return Figure("reruns", "Reruns by game", data, layout, header, lines,
                  "A panel for each cell. Bars: mean of the repeats' game averages; error bars: their sample SD.",
                  180 + 170 * len(have), "Figure 4")  # fmt: skip


def pair_matrix(comparisons: Sequence[Comparison], plan: PlannedTasks, order: Sequence[str]) -> Figure | None:
    """Row minus column in percentage points of progress; a star where it is significant after Holm."""
    cells = [c for c in order if any(c in (p.a, p.b) for p in comparisons)]
    if len(cells) < 2:
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
            text[i][j] = f"{sign * d:+.1f}{star}"
        lines.append([plan.cells[p.a].name, plan.cells[p.b].name, *_three(p.difference), p.p, p.p_holm])
    top = max((abs(v) for row in z for v in row if v is not None), default=1.0) or 1.0
    names = axis_names([plan.cells[c].name for c in cells])
    data = [
        {
            "type": "heatmap",
            "z": z[::-1],
            "text": text[::-1],
            "texttemplate": "%{text}" if n <= 20 else "",
            "x": names,
            "y": names[::-1],
            "zmin": -top,
            "zmax": top,
            "xgap": 1,
            "ygap": 1,
            "meta": "diverging",
            "colorbar": _scale("points"),
            "hovertemplate": "%{y} minus %{x}: %{text}<extra></extra>",
            "hoverongaps": False,
        }
    ]
    layout = {"xaxis": {"tickangle": -45, "automargin": True}, "yaxis": {"automargin": True}}
    header = ("a", "b", "difference", "low", "high", "p", "p holm")
    return Figure("pairs", "Row minus column, progress in percentage points", data, layout, header, lines,
                  "Coloured, with a star: significant at 5 % after Holm's correction over all pairs.",
                  260 + 30 * n)  # fmt: skip


def curve(id: str, title: str, axis: str, points: Sequence[CurvePoint]) -> Figure | None:
    """Progress against seconds of latency, or against the hold."""
    if not points:
        return None
    data, lines = [], []
    for i, player in enumerate(dict.fromkeys(p.player for p in points)):
        mine = [p for p in points if p.player == player]
        for p in mine:
            lines.append([player, p.x, *_three(p.sr), *_three(p.pg), p.counts.planned, p.counts.finished])
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": _label(player),
                "x": [p.x for p in mine],
                "y": [_pct(p.pg) for p in mine],
                "error_y": _bars([p.pg for p in mine]),
                "line": {"color": PALETTE[i % len(PALETTE)], "width": 2},
                "hovertemplate": "%{x}: %{y:.1f} %<extra>%{fullData.name}</extra>",
            }
        )
    layout = {"xaxis": {"title": {"text": axis}, "rangemode": "tozero"},
              "yaxis": {"title": {"text": "PG %"}, "rangemode": "tozero"}, "showlegend": True}  # fmt: skip
    header = ("player", "x", "sr", "sr low", "sr high", "pg", "pg low", "pg high", "planned", "finished")
    return Figure(id, title, data, layout, header, lines, "95 % intervals clustered by game.", 420)


def cost_against_progress(rows: Sequence[MainRow], costs: dict[str, float | None]) -> Figure | None:
    have = [(r, c) for r in rows if r.pg is not None and (c := costs.get(r.cell.id)) is not None and c > 0]
    if len(have) < 2:
        return None
    names = axis_names([r.cell.name for r, _ in have])
    data = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": names[i],
            "x": [round(c, 4)],
            "y": [_pct(r.pg)],
            "error_y": _bars([r.pg]),
            "marker": {
                "size": 10,
                "color": PALETTE[i % len(PALETTE)],
                "symbol": ("circle", "diamond", "square")[i // 8 % 3],
            },
            "hovertemplate": "$%{x:.2f}, %{y:.1f} %<extra>%{fullData.name}</extra>",
        }
        for i, (r, c) in enumerate(have)
    ]
    layout = {"xaxis": {"title": {"text": "USD for 170 tasks"}, "type": "log"},
              "yaxis": {"title": {"text": "PG %"}},
              "legend": {"orientation": "v", "x": 1.02, "xanchor": "left", "y": 1, "yanchor": "top"}}  # fmt: skip
    lines: list[list[object]] = [[r.cell.name, c, *_three(r.pg)] for r, c in have]
    header = ("cell", "usd for 170 tasks", "pg", "low", "high")
    return Figure("cost", "What progress costs", data, layout, header, lines, "", 420)


def _two_lines(label: str) -> str:
    """Broken at the last gap, so that neighbours do not run into each other."""
    first, _, last = label.rpartition("_")
    return f"{first.replace('_', ' ')}<br>{last}" if first else last


UNKNOWN = ("undecided", "none_of_these")
"""Columns of `failure_map` that say what is not known; they have no colour."""


def failure_map(id: str, title: str, counts: Sequence[tuple[str, dict[str, int], int]]) -> Figure | None:
    """Share of each cell's unsuccessful episodes that carry a label, or have a cause."""
    have = [(name, n, total) for name, n, total in counts if total]
    if not have:
        return None
    labels = list(have[0][1])
    shares = [[round(100 * n[label] / total, 1) for label in labels] for _, n, total in have]
    # What is not known must not be the darkest field.
    z = [[0.0 if label in UNKNOWN else x for label, x in zip(labels, row, strict=True)] for row in shares]
    data = [
        {
            "type": "heatmap",
            "z": z[::-1],
            "x": [_two_lines(label) for label in labels],
            "y": axis_names([name for name, _, _ in have])[::-1],
            "text": [[f"{x:.0f}" for x in row] for row in shares][::-1],
            "texttemplate": "%{text}",
            "zmin": 0,
            "zmax": 100,
            "xgap": 1,
            "ygap": 1,
            "meta": "sequential",
            "colorbar": _scale("%"),
            "hovertemplate": "%{y}<br>%{x}: %{text} %<extra></extra>",
        }
    ]
    lines: list[list[object]] = [[name, label, n[label], total] for name, n, total in have for label in labels]
    layout = {
        "xaxis": {"automargin": True, "side": "top", "tickangle": 0},
        "yaxis": {"automargin": True},
        "margin": {"b": 15},
    }
    header = ("cell", "label", "episodes", "unsuccessful episodes read")
    note = "Percent of a cell's unsuccessful episodes; an episode may count in several columns."
    return Figure(id, title, data, layout, header, lines, note, 110 + 32 * len(have))
