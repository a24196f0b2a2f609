"""Adventures: success, milestones and steps, how long clues waited, how differently players play, and why they failed.

After FlashAdventure, whose printed values stand below ours: other games and models. Shown where games of its genres
were played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import polars as pl

from gwray.analysis import (
    CODES,
    GENRES,
    LABEL,
    Cell,
    GameMeans,
    Interval,
    PlannedTasks,
    Score,
    diversity,
    game_means,
    gaps_of,
    published,
    reruns,
    score,
    scored,
    scores_by,
)
from gwray.report.clues import gap_parts
from gwray.report.content import (
    COUNTS,
    NO_VALUE,
    Column,
    Section,
    Table,
    TableCell,
    counts_cell,
    number_cell,
    percent_cell,
    text_cell,
)
from gwray.report.known import known_tables
from gwray.report.published_columns import published_cell
from gwray.report.results import Results

PRINTED = "(published)"
"""Behind the name of who is printed."""
AGENTS = {
    "gpt4o_uground_cradle": "GPT-4o + UGround + Cradle",
    "claude_uground_cradle": "Claude-3.7 + UGround + Cradle",
    "claude_claude_cradle": "Claude-3.7 + Claude + Cradle",
    "claude_claude_agents2": "Claude-3.7 + Agent S2",
    "uitars_1.5_7b": "UI-TARS-1.5-7B",
    "openai_cua": "OpenAI CUA",
    "claude_cu": "Claude-3.7 CU",
    "claude_cu_coast": "Claude-3.7 CU + COAST",
    "human_1k": "people, 1,000 steps",
    "human_unlimited": "people, without a limit",
}
"""Who is printed, and under what name."""
STUDIES = {
    "ablation": "What of COAST helps",
    "prompt_control": "The loop or the words",
    "multi_run": "The same again",
    "hints": "Hints",
}
RATES = (
    Column("SR %", hint="success rate: share of cases that were finished"),
    Column("MCR %", hint="milestone completion rate; above 100 where a case's score has no cap"),
    Column("steps", hint="environment steps, mean over games"),
)

RATED = pl.col("sr", "mcr", "steps")
"""The same in what is printed."""


@dataclass(frozen=True)
class _Played:
    """The adventures of a study, and nothing else that it played."""

    study: Results
    frame: pl.DataFrame
    plan: PlannedTasks
    cells: tuple[str, ...]
    scores: Mapping[str, Score]
    means: Mapping[str, GameMeans]
    games: Mapping[str, str]
    """Game → genre, in the order of the genres."""

    def whole(self, n: Any) -> bool:
        return n.complete or self.study.allow_incomplete

    def cell(self, c: str) -> Cell:
        return self.study.plan.cells[c]

    def rates(
        self, sr: Interval | None, mcr: Interval | None, steps: float | None, n: Any
    ) -> tuple[TableCell, TableCell, TableCell]:
        """Refused where planned episodes are missing, as any headline."""
        if not self.whole(n):
            return (NO_VALUE, NO_VALUE, NO_VALUE)
        return percent_cell(sr), percent_cell(mcr), number_cell(steps)


def adventure_section(s: Results) -> Section | None:
    """All tables and figures of the study for which there is data; None where no adventure was played."""
    p = _played(s)
    if p is None:
        return None
    gaps = gap_parts(p.frame, s.plan, p.cells, list(p.games), PRINTED)
    known = known_tables(s, PRINTED)
    parts = (_overall(p), _by_genre(p), *_studies(p), *gaps, _by_game(p), _diversity(p), *known, _codes(p))
    intro = (
        "After FlashAdventure. Hidden milestones are counted, each game weighs the same. "
        f"Rows marked {PRINTED} are the paper's, of other games and models: they show what was found there, and are no "
        "target."
    )
    return Section("adventures", "Adventures", intro, tuple(x for x in parts if x is not None))


def _played(s: Results) -> _Played | None:
    frame = s.frame.filter(pl.col("genre").is_in(GENRES))
    if not frame.height:
        return None
    episodes = s.plan.episodes.filter(pl.col("genre").is_in(GENRES) | pl.col("genre").is_null())
    there = set(frame["cell"])
    # Without the number of planned episodes, which counts those of other games too.
    cells = {c: replace(cell, planned=None) for c, cell in s.plan.cells.items() if c in there}
    plan = PlannedTasks(cells, episodes)
    of = dict(frame.select("game", "genre").unique().iter_rows())
    games = sorted(of, key=lambda g: (GENRES.index(of[g]), g))
    order = tuple(c for c in s.order if c in there)
    scores = {c: score(frame, plan, c) for c in order}
    return _Played(s, frame, plan, order, scores, game_means(frame), {g: of[g] for g in games})


def _overall(p: _Played) -> Table:
    def row(c: str) -> tuple[TableCell, ...]:
        of, mean = p.scores[c], p.means.get(c)
        return (
            text_cell(p.study.name(c)),
            *p.rates(of.sr, of.pg, mean and mean.steps, of.counts),
            counts_cell(of.counts),
        )

    printed = published("flashadventure_games").filter(pl.col("game") == "Average")
    columns = (Column("player", numeric=False), *RATES, COUNTS)
    return _table(p, "adventures", "Success, milestones and steps", columns, row, _printed_rows(printed), NOTE)


NOTE = f"Means over games; those of the paper over its 34. {LABEL.capitalize()}: arXiv 2509.01052."


def _printed_rows(rows: pl.DataFrame) -> list[tuple[TableCell, ...]]:
    found = {r["agent"]: r for r in rows.to_dicts()}
    return [
        (_printed_name(text), *_printed_rates(found[agent]), NO_VALUE)
        for agent, text in AGENTS.items() if agent in found
    ]  # fmt: skip


def _printed_rates(row: Mapping[str, float]) -> tuple[TableCell, TableCell, TableCell]:
    """Rates as fractions, as ours in the same column."""
    sr, mcr = (replace(published_cell(row[k]), sort=row[k] / 100) for k in ("sr", "mcr"))
    return sr, mcr, published_cell(row["steps"])


def _printed_name(text: str) -> TableCell:
    return text_cell(f"{text} {PRINTED}")


def _table(
    p: _Played,
    id: str,
    title: str,
    columns: Sequence[Column],
    row: Any,
    printed: Iterable[tuple[TableCell, ...]],
    note: str = "",
) -> Table:
    """A row a cell, those that are ranked first in their blocks; people and players that see the state apart, and
    under them what is printed."""
    ranked = [c for c in p.cells if p.cell(c).ranked]
    apart = [row(c) for c in p.cells if not p.cell(c).ranked]
    return Table(
        id, title, tuple(columns), tuple(map(row, ranked)), note, (*apart, *printed), tuple(map(p.study.block, ranked))
    )  # fmt: skip


def _by_genre(p: _Played) -> Table:
    genres = [g for g in GENRES if g in p.games.values()]
    of = {(x.cell, x.group): x for x in scores_by(p.frame, p.plan, "genre")}
    columns = [Column("player", numeric=False)]
    for g in genres:
        columns += [Column(f"{_words(g)} {c.name}", hint=c.hint) for c in RATES]

    def row(c: str) -> tuple[TableCell, ...]:
        tds = [text_cell(p.study.name(c))]
        for g in genres:
            x, steps = of.get((c, g)), _steps(p.frame.filter(pl.col("genre") == g), c)
            tds += p.rates(x.sr, x.pg, steps, x.counts) if x else (NO_VALUE,) * 3
        return tuple(tds)

    printed = published("flashadventure_games").drop_nulls("genre")
    rows = printed.group_by("agent", "genre").agg(RATED.mean()).to_dicts()
    known = {(r["agent"], r["genre"]): r for r in rows}
    printed = [
        (_printed_name(text), *(td for g in genres for td in _printed_rates(known[agent, g])))
        for agent, text in AGENTS.items() if (agent, genres[0]) in known
    ]  # fmt: skip
    return _table(p, "adventure-genres", "Adventures by genre", columns, row, printed)


def _steps(frame: pl.DataFrame, cell: str) -> float | None:
    mean = game_means(frame.filter(pl.col("cell") == cell)).get(cell)
    return mean.steps if mean else None


def _studies(p: _Played) -> list[Table]:
    """The smaller studies of the paper, each beside the cells that were played under its conditions."""
    out = []
    rows = published("flashadventure_studies").to_dicts()
    for study, title in STUDIES.items():
        printed = {r["condition"]: r for r in rows if r["study"] == study}
        mine = [(c, r) for condition, r in printed.items() for c in p.cells if _under(p.cell(c), condition)]
        repeated = study == "multi_run"
        if repeated:
            mine = [(c, r) for c, r in mine if reruns(p.frame, p.plan, c, "sr").repeats > 1]
        met = {r["condition"] for _, r in mine}
        needed = {"prompt_control": {"agent=coast_merged"}, "multi_run": met}.get(study)
        if len(met) < 2 - repeated or not met or (needed and not needed <= met):
            continue
        columns = [Column("player", numeric=False), Column("condition", numeric=False)]
        for c in RATES:
            columns += [c, Column(f"{c.name}, published", hint=LABEL)]
        games = max(int(r["games"]) for r in printed.values())
        note = f"± is the sample standard deviation over repeats. Printed over {games} game{'s' if games > 1 else ''}."
        table = tuple(_study_row(p, c, r, repeated) for c, r in mine)
        out.append(Table(f"adventure-{study.replace('_', '-')}", title, tuple(columns), table, note))
    return out


def _under(c: Cell, condition: str) -> bool:
    axis, _, value = condition.partition("=")
    said = c.setting("nudge.when" if axis == "nudge" else axis)
    if axis == "nudge":
        return value == {None: "none", "no_milestone": "hints_stalled", "every": "hints_periodic"}.get(said, "")
    return said == value


def _study_row(p: _Played, c: str, printed: Mapping[str, Any], repeated: bool) -> tuple[TableCell, ...]:
    of, mean = p.scores[c], p.means.get(c)
    ours = list(p.rates(of.sr, of.pg, mean and mean.steps, of.counts))
    if repeated and p.whole(of.counts):
        for i, metric in enumerate(("sr", "pg")):
            r = reruns(p.frame, p.plan, c, metric)  # type: ignore[arg-type]
            ours[i] = number_cell(r.mean, scale=100, sub="" if r.sd is None else f"± {100 * r.sd:.1f}")
    tds = [text_cell(p.study.name(c)), text_cell(printed["condition"])]
    for td, key in zip(ours, ("sr", "mcr", "steps"), strict=True):
        beside, sd = published_cell(printed[key]), printed.get(f"{key}_sd")
        tds += [td, beside if sd is None else replace(beside, sub=f"± {sd:.1f}")]
    return tuple(tds)


def _by_game(p: _Played) -> Table:
    of = {(x.cell, x.group): x for x in scores_by(p.frame, p.plan, "game")}
    columns = (Column("game", numeric=False), Column("genre", numeric=False), Column("player", numeric=False), *RATES,
               Column("gap, steps", hint="mean over the clues that were seen and used"), COUNTS)  # fmt: skip
    rows = []
    for game, genre in p.games.items():
        here = p.frame.filter(pl.col("game") == game)
        for c in p.cells:
            if (x := of.get((c, game))) is None:
                continue
            gaps = gaps_of(here.filter(pl.col("cell") == c)).get(game)
            rates = p.rates(x.sr, x.pg, _steps(here, c), x.counts)
            gap = number_cell(fmean(gaps) if gaps else None)
            rows.append(
                (
                    text_cell(game),
                    text_cell(_words(genre)),
                    text_cell(p.study.name(c)),
                    *rates,
                    gap,
                    counts_cell(x.counts),
                )
            )
    return Table("adventure-games", "Adventures by game", columns, tuple(rows))


def _diversity(p: _Played) -> Table | None:
    """How differently several players play the same games."""
    done = scored(p.frame).group_by("game", "cell").agg(pl.col("steps").mean()).sort("game", "cell")
    steps: dict[str, dict[str, float]] = {}
    for game, cell, n in done.iter_rows():
        steps.setdefault(game, {})[cell] = n
    games = [g for g in p.games if len(steps.get(g, ())) > 1]
    if not games:
        return None
    spreads = diversity({g: steps[g] for g in games})
    columns = (
        Column("player", numeric=False), Column("mean rank", hint="1: the fewest steps; equal ones share theirs"),
        Column("SD of steps", hint="sample SD, over games, of steps minus the game's mean over players"),
        *(Column(g, hint="steps minus the mean over players; under it the rank") for g in games),
    )  # fmt: skip
    rows = []
    for c in (c for c in p.cells if c in spreads):
        of = spreads[c]
        by_game = [
            TableCell(f"{of.normalised[g]:+,.0f}", of.normalised[g], f"rank {of.ranks[g]:g}", raw=of.normalised[g])
            if g in of.normalised else NO_VALUE for g in games
        ]  # fmt: skip
        rows.append(
            (text_cell(p.study.name(c)), number_cell(fmean(of.ranks.values()), 2), number_cell(of.sd), *by_game)
        )
    note = "Steps of finished episodes, whatever they came to, against the mean over the players of the same game."
    return Table("adventure-diversity", "How differently they play", columns, tuple(rows), note)


def _codes(p: _Played) -> Table | None:
    """The failure codes that people gave."""
    codes: Mapping[str, Collection[str]] = p.study.codes
    rows = []
    for c in p.cells:
        keys = [k for k in scored(p.frame.filter(pl.col("cell") == c))["key"] if k in codes]
        if keys:
            n = {code: sum(code in codes[k] for k in keys) for code in CODES}
            shares = (TableCell(f"{x:,}", float(x), f"{100 * x / len(keys):.0f} %" if x else "") for x in n.values())
            rows.append((text_cell(p.study.name(c)), number_cell(float(len(keys)), 0), *shares))
    if not rows:
        return None
    columns = (Column("player", numeric=False), Column("episodes", hint="that somebody gave a code"),
               *(Column(_words(code), hint=text) for code, text in CODES.items()))  # fmt: skip
    note = (
        "Given by people, in the column code of an annotations.csv in the run directory; an episode may have several."
    )
    return Table("adventure-codes", "Why adventures were not finished", columns, tuple(rows), note)


def _words(text: str) -> str:
    return text.replace("-", " ").replace("_", " ")
