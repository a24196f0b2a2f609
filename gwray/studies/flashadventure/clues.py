"""Two measures of FlashAdventure: steps between seeing a clue and using it (the observation–behavior gap), and what
models know of games without seeing them (the contamination study)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import plotly.graph_objects as go
import polars as pl

from gwray.analysis import PlannedTasks
from gwray.pages import NO_VALUE, Column, Table, TableCell, number_cell, text_cell
from gwray.report import Figure, axis_names, marker, plot, published_cell
from gwray.studies.flashadventure.adventures import ProbeResult, clue_gap, contamination_p, count_right, episode_gaps
from gwray.studies.flashadventure.published import published

SEEN, USED = "metrics.clues.seen", "metrics.clues.used"


@dataclass(frozen=True)
class _Clues:
    player: str
    seen: float
    used: float
    gaps: Mapping[str, Sequence[float]]
    """Steps of each episode's mean gap, by game."""

    def gap(self) -> TableCell:
        gap = clue_gap(self.gaps) if self.gaps else None
        return number_cell(gap and gap.mean, sub=f"± {gap.sd:.1f}" if gap and gap.sd is not None else "")


def gap_parts(
    frame: pl.DataFrame, plan: PlannedTasks, cells: Sequence[str], games: Sequence[str], printed_by: str
) -> list[Table | Figure]:
    """Returns a figure of every episode's gap, and a table of the cells' means; nothing if no game reports clues.
    `games`: in display order. `printed_by`: marks published rows."""
    if SEEN not in frame.columns:
        return []
    rows = []
    for c in cells:
        mine = frame.filter((pl.col("cell") == c) & (pl.col("status") == "finished") & pl.col(SEEN).is_not_null())
        if mine.height:
            seen, used = (sum(mine[m].to_list()) for m in (SEEN, USED))
            rows.append(_Clues(plan.cells[c].name, seen, used, episode_gaps(mine)))
    if not rows:
        return []
    columns = (
        Column.text("player", "player", footer=lambda r: text_cell(f"people {printed_by}")),
        Column.number("clues seen", "seen", 0, hint="in all episodes"), Column.number("clues used", "used", 0),
        Column.number("used %", lambda r: r.used / r.seen if r.seen else None, scale=100,
                      hint="of those that were seen"),
        Column("gap, steps", _Clues.gap,
               hint="from the step that showed a clue to the step that used it; mean and sample SD of the games' means",
               footer=lambda r: published_cell(r["value"], sub=f"± {r['sd']:.1f}")),
        Column.number("games", lambda r: float(len(r.gaps)), 0, hint="in which a clue was seen and used",
                      footer=lambda r: published_cell(r["n"], 0)),
    )  # fmt: skip
    people = next(r for r in published("measures").to_dicts() if r["measure"] == "clue_gap")
    note = "A clue that is used at once needs no memory; one that waits for hundreds of steps does."
    table = Table.build("clue-gaps", "From seeing a clue to using it", columns, rows, footer=[people], note=note)
    shown = [g for g in games if any(g in r.gaps for r in rows)]
    points = [(r.player, r.gaps) for r in rows]
    return [*([_strip(points, shown, people["value"], people["sd"])] if shown else []), table]


def _strip(
    points: Sequence[tuple[str, Mapping[str, Sequence[float]]]], games: Sequence[str], mean: float, sd: float
) -> Figure:
    """Returns a figure with a point for each episode, by game; the band is the published gap of people."""
    traces, lines = [], []
    names = axis_names([player for player, _ in points])
    at = dict(zip(games, axis_names(games), strict=True))
    for i, (player, by_game) in enumerate(points):
        mine = [(g, gap) for g in games for gap in by_game.get(g, ())]
        lines += [[player, g, gap] for g, gap in mine]
        traces.append(
            go.Scatter(
                mode="markers", name=names[i], x=[at[g] for g, _ in mine], y=[round(gap, 1) for _, gap in mine],
                marker=marker(i, size=10), hovertemplate="%{x}: %{y:.0f} steps<extra>%{fullData.name}</extra>",
            )
        )  # fmt: skip
    figure = plot(
        traces, xaxis={"categoryorder": "array", "categoryarray": list(at.values())},
        yaxis={"title_text": "steps", "rangemode": "tozero"}, showlegend=True, scattermode="group",
    )  # fmt: skip
    figure.add_hrect(mean - sd, mean + sd, fillcolor="rgba(128,128,128,0.14)", line_width=0, layer="below")
    figure.add_hline(
        mean, line={"color": "rgba(128,128,128,0.8)", "dash": "dot"}, layer="below",
        annotation={"text": "published, people", "xanchor": "right", "yanchor": "bottom"},
    )  # fmt: skip
    note = "A point for each episode: the mean over its clues. Band: published mean ± SD of people over seven games."
    return Figure(
        "clue-gaps", "From seeing a clue to using it, in steps", figure, ("player", "game", "gap"), lines, note
    )


NOTE = (
    "Asked without screenshots or play (judge probe). Published is the one case whose walkthrough is in the library; "
    "solutions of generated cases can only be guessed. p: Fisher's exact test, one-sided. Behavior: whether "
    "the same model did in the published case what the questions are about, which a good agent does without having "
    "known it; the printed one leaves out questions whose situation no agent met."
)


def known_table(known: Sequence[ProbeResult], mark: str) -> Table | None:
    """Returns a table by model; None without probes. `mark` follows the names of published rows."""
    probes = dict.fromkeys((k.probe, k.model) for k in known)
    if not probes:
        return None
    columns = (
        Column("model", numeric=False),
        Column("solutions %, published case"),
        Column("solutions %, generated cases"),
        Column("p", hint="of at least so many right solutions if the published case were known no better"),
        Column("conclusions %", hint="what a solution leads to"),
        Column("behavior %", hint="what its episodes of the published case did of what was asked about"),
    )
    rows = []
    for probe, model in probes:
        results = [k for k in known if k.probe == probe]
        case, control = count_right(results, "solution"), count_right(results, "solution", published=False)
        p = contamination_p(case, control)
        chance = NO_VALUE if p is None else TableCell(f"{p:.2g}", p, mark="warn" if p < 0.05 else "", raw=p)
        criteria = (count_right(results, "conclusion"), count_right(results, "behavior"))
        rows.append((text_cell(model), *map(_rate, (case, control)), chance, *map(_rate, criteria)))
    printed = []
    for r in published("measures").to_dicts():
        if model := CONTAMINATED.get(r["measure"]):
            rate = replace(published_cell(100 * r["value"]), sort=r["value"])
            criteria = [published_cell(100 * _met(model, c)) for c in ("conclusion", "behavior")]
            printed.append((text_cell(f"{model} {mark}"), rate, NO_VALUE, NO_VALUE, *criteria))
    return Table("adventure-known", "What models know in advance", columns, tuple(rows), NOTE, tuple(printed))


CONTAMINATED = {"contaminated_gpt4o": "GPT-4o", "contaminated_claude": "Claude-3.7"}
"""Published measure → model; of questions about five games."""


def _met(model: str, criterion: str) -> float:
    """Returns the printed share of questions in which a model met a criterion."""
    printed = published("contamination").filter(criterion=criterion).filter(pl.col("met") != "-")
    met = printed.filter(pl.col("model").str.starts_with(model))["met"]
    return int((met == "yes").sum()) / len(met)


def _rate(count: tuple[int, int]) -> TableCell:
    right, asked = count
    return number_cell(right / asked, scale=100, sub=f"{right} of {asked}") if asked else NO_VALUE
