"""PokeGym's question whether success in the town goes with other benchmarks, over the models of its table 11."""

from __future__ import annotations

import plotly.graph_objects as go

from gwray.analysis import (
    CATEGORIES,
    GAME_SCORES,
    TEXTS,
    Correlation,
    external_correlations,
    external_scores,
    published,
)
from gwray.report.content import Figure
from gwray.report.figures import plot
from gwray.report.movement import PRINTED, PRINTED_TEXTS
from gwray.report.published_columns import published_cell
from gwray.report.town import Town
from gwray.tables import Column, Table, TableCell, text_cell

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
FEWEST = 3
"""Models below which there is no r."""

Found = dict[tuple[str, str], Correlation | None]


def external_parts(t: Town) -> list[Table | Figure]:
    """r of our success rates and each other benchmark, the published ones below; empty with fewer than three models
    whose other results are published."""
    external = external_scores()
    ours = {}
    for c in t.complete:
        model = PRINTED_AS.get(t.results.cell(c).model, "")
        if model in external and t.results.ranked(c) and model not in ours:
            ours[model] = _scores(t, c)
    if len(ours) < FEWEST:
        return []
    found = external_correlations(ours, external)
    rows = published("pokegym_external").to_dicts()
    theirs = external_correlations({r["model"]: {k: r[k] for k in GAME_SCORES} for r in rows}, external)
    return [_figure(found), _table(found, theirs, len(ours))]


def _scores(t: Town, cell: str) -> dict[str, float | None]:
    """Success over all episodes of a text or a category."""
    by_text = {PRINTED_TEXTS[x]: t.mean(cell, text=x) for x in TEXTS}
    by_category = {x: t.mean(cell, category=x) for x in CATEGORIES.values()}
    return {k: v.value if v else None for k, v in (by_text | by_category).items()}


def _words(name: str) -> str:
    return name.replace("_", " ")


def _table(found: Found, theirs: Found, models: int) -> Table:
    def cell(row: str, benchmark: str) -> TableCell:
        fit = found[row, benchmark]
        return TableCell("–") if fit is None else TableCell(f"{fit.r:+.2f}", fit.r, f"p {fit.p:.2f}", raw=fit.r)

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


def _figure(found: Found) -> Figure:
    benchmarks = list(dict.fromkeys(b for _, b in found))
    values = [[fit.r if (fit := found[s, b]) else None for b in benchmarks] for s in GAME_SCORES]
    names = [_words(s) for s in GAME_SCORES]
    heat = go.Heatmap(
        x=[_words(b) for b in benchmarks], y=names, z=values, zmin=-1, zmax=1, colorscale="RdBu", reversescale=True,
        texttemplate="%{z:.2f}", hovertemplate="%{y}, %{x}: r %{z:.2f}<extra></extra>", colorbar_title_text="r",
    )  # fmt: skip
    lines = [[s, *row] for s, row in zip(names, values, strict=True)]
    note = "Blue: models that are better there are worse here; red: better here, too."
    header = ("success", *benchmarks)
    figure = plot([heat], yaxis={"autorange": "reversed"})
    return Figure("town-benchmarks", "Success and other benchmarks", figure, header, lines, note, 340)
