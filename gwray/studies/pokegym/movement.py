"""Movement statistics of successes and failures, whether they explain failures, and whether success in the town goes
with other benchmarks, over the models of PokeGym's table 11."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import polars as pl

from gwray.pages import Column, Table, TableCell, text_cell
from gwray.report import PALETTE, SYMBOLS, Figure, Results, plot, published_cell, published_column
from gwray.studies.pokegym.deadlocks import (
    GAME_SCORES,
    Behaviour,
    Correlation,
    behaviour,
    external_correlations,
    external_scores,
    success_by_immobility,
    task_points,
)
from gwray.studies.pokegym.published import published
from gwray.studies.pokegym.quests import CATEGORIES, TEXTS
from gwray.studies.pokegym.town import Town

PRINTED = "published, other games and models"
OUTCOMES = {True: "successes", False: "failures"}
PRINTED_AS = {
    "claude-sonnet-4.6": "Claude-Sonnet-4.6",
    "gemini-3-pro": "Gemini-3-Pro",
    "glm-4.6v": "GLM-4.6V",
    "gpt-5.2": "GPT-5.2",
    "gpt-5.4": "GPT-5.4",
    "gpt-5.4-mini": "GPT-5.4-mini",
    "gpt-5.4-nano": "GPT-5.4-nano",
    "qwen3-vl-30b-a3b": "Qwen3-VL-30B",
    "qwen3.5-122b-a10b": "Qwen3.5-122B",
    "qwen3.5-35b-a3b": "Qwen3.5-35B",
    "qwen3.5-plus": "Qwen3.5-Plus",
}
"""Names in the paper, by our model profile."""
PRINTED_TEXTS = {"visual": "visual_guided", "steps": "step_guided", "goal": "goal_only"}
FEWEST = 3
"""Models below which there is no r."""

Found = dict[tuple[str, str], Correlation | None]


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
    """Returns a table with a row for each cell, category and outcome, with the published values of the same model."""
    printed = {(r["category"], r["model"]): r for r in published("behaviour").to_dicts()}
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
                            hint="moves that changed the position by at most 0.05 m, of all moves: mean over episodes"),
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
    printed = {r["granularity"]: r for r in published("correlation").to_dicts()}
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
    """Returns the fitted line and its band, cut to possible rates."""
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


def external_table(t: Town) -> Table | None:
    """Returns a table of r of our success rates and each other benchmark, the published ones below; None with fewer
    than three models whose other results are published."""
    external = external_scores()
    ours = {}
    for c in t.complete:
        model = PRINTED_AS.get(t.results.cell(c).model, "")
        if model in external and t.results.ranked(c) and model not in ours:
            ours[model] = _scores(t, c)
    if len(ours) < FEWEST:
        return None
    found = external_correlations(ours, external)
    rows = published("external").to_dicts()
    theirs = external_correlations({r["model"]: {k: r[k] for k in GAME_SCORES} for r in rows}, external)
    return _external_table(found, theirs, len(ours))


def _scores(t: Town, cell: str) -> dict[str, float | None]:
    """Success over all episodes of a text or a category."""
    by_text = {PRINTED_TEXTS[x]: t.mean(cell, text=x) for x in TEXTS}
    by_category = {x: t.mean(cell, category=x) for x in CATEGORIES.values()}
    return {k: v.value if v else None for k, v in (by_text | by_category).items()}


def _words(name: str) -> str:
    return name.replace("_", " ")


def _external_table(found: Found, theirs: Found, models: int) -> Table:
    def cell(row: str, benchmark: str) -> TableCell:
        fit = found[row, benchmark]
        return TableCell("–") if fit is None else TableCell(f"{fit.r:+z.2f}", fit.r, f"p {fit.p:z.2f}", raw=fit.r)

    def printed(row: str, benchmark: str) -> TableCell:
        fit = theirs[row, benchmark]
        return published_cell(fit.r if fit else None, 2)

    benchmarks = list(dict.fromkeys(b for _, b in found))
    columns = (
        Column.text("success, by text or category", _words,
                    footer=lambda s: text_cell(_words(s), sub=PRINTED, raw=f"{_words(s)} ({PRINTED})")),
        *(Column(_words(b), lambda s, b=b: cell(s, b), footer=lambda s, b=b: printed(s, b)) for b in benchmarks),
    )  # fmt: skip
    note = (
        f"Pearson's r over {models} models; p two-sided. So few models say little: with five, r must exceed 0.88 for "
        "p < 0.05. The published rows are computed from the paper's table 11."
    )
    title = "Success and other benchmarks"
    return Table.build("town-external", title, columns, list(GAME_SCORES), footer=list(GAME_SCORES), note=note)
