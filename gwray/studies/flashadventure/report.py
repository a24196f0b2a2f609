"""The FlashAdventure section: success, milestones and steps, clue gaps, diversity of play, and causes of failure. Shown
if games of its genres were played. The paper's values are below ours: they are of other games and models."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

import polars as pl

from gwray.analysis import (
    CODES,
    LABEL,
    PEOPLE,
    Cell,
    Counts,
    PlannedTasks,
    Rerun,
    Score,
    find_labels,
    reruns,
    score,
    scored,
    scores_by,
)
from gwray.errors import GwrayError
from gwray.pages import NO_VALUE, CellFunction, Column, Table, TableCell, number_cell, percent_cell, text_cell
from gwray.report import Results, Section, counts_column, join, published_cell
from gwray.studies.flashadventure.adventures import GENRES, GameMeans, ProbeResult, diversity, episode_gaps, game_means
from gwray.studies.flashadventure.clues import gap_parts, known_table
from gwray.studies.flashadventure.published import published

PRINTED = "(published)"
"""Marks the name of a published agent."""
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
"""Published agents and their names here."""
STUDIES = {
    "ablation": "Parts of COAST",
    "prompt_control": "The loop or the prompt",
    "multi_run": "Repeated runs",
    "hints": "Hints",
}
RATES = {"sr": "SR %", "mcr": "MCR %", "steps": "steps"}
HINTS = {
    "sr": "success rate: share of cases that were finished",
    "mcr": "milestone completion rate; above 100 if a case's score has no cap",
    "steps": "environment steps until the case was finished, given up or out of budget, mean over games: few steps "
    "and a low SR mean that the player gave up",
}
RATED = pl.col("sr", "mcr", "steps")


@dataclass(frozen=True)
class AdventureScore:
    """Rates of one cell over some of its adventures, or of a published agent."""

    cell: str
    sr: TableCell = NO_VALUE
    mcr: TableCell = NO_VALUE
    steps: TableCell = NO_VALUE
    counts: Counts | None = None
    game: str = ""
    gap: float | None = None
    condition: str = ""
    published: Mapping[str, Any] | None = None
    genres: Mapping[str, "AdventureScore"] = field(default_factory=dict)


@dataclass(frozen=True)
class Adventures:
    """The adventures of a report."""

    results: Results
    frame: pl.DataFrame
    plan: PlannedTasks
    cells: tuple[str, ...]
    scores: Mapping[str, Score]
    means: Mapping[str, GameMeans]
    games: Mapping[str, str]
    """Game → genre, by genre."""

    def has_headline(self, n: Counts) -> bool:
        return n.complete or self.results.allow_incomplete

    def of_cell(self, c: str) -> pl.DataFrame:
        return self.frame.filter(pl.col("cell") == c)

    def rate(self, c: str, score: Score | None, steps: float | None, **more: Any) -> AdventureScore:
        """Returns the scores of a cell, without values if planned episodes are missing."""
        if score is None or not self.has_headline(score.counts):
            return AdventureScore(c, counts=score.counts if score else None, **more)
        return AdventureScore(
            c, percent_cell(score.sr), percent_cell(score.pg), number_cell(steps), score.counts, **more
        )

    def overall(self, c: str) -> AdventureScore:
        mean = self.means.get(c)
        return self.rate(c, self.scores[c], mean and mean.steps)


def adventure_section(results: Results) -> Section | None:
    """Returns all tables and figures that have data; None if no adventure was played."""
    a = _adventures(results)
    if a is None:
        return None
    gaps = gap_parts(a.frame, results.plan, a.cells, list(a.games), PRINTED)
    known = known_table(_read_probes(results), PRINTED)
    intro = (
        "After FlashAdventure. Hidden milestones are counted, each game weighs the same. "
        f"Rows marked {PRINTED} are the paper's, of other games and models: they show its findings, and are no target."
    )
    parts = (_overall(a), _by_genre(a), *_studies(a), *gaps, _by_game(a), _diversity(a), known, _codes(a))
    return Section.build("adventures", "Adventures", *parts, intro=intro)


def _adventures(results: Results) -> Adventures | None:
    frame = results.frame.filter(pl.col("genre").is_in(GENRES))
    if not frame.height:
        return None
    episodes = results.plan.episodes.filter(pl.col("genre").is_in(GENRES) | pl.col("genre").is_null())
    played = set(frame["cell"])
    # Without the number of planned episodes, which counts those of other games too.
    cells = {c: replace(cell, planned=None) for c, cell in results.plan.cells.items() if c in played}
    plan = PlannedTasks(cells, episodes)
    genres = dict(frame.select("game", "genre").unique().iter_rows())
    games = sorted(genres, key=lambda g: (GENRES.index(genres[g]), g))
    order = tuple(c for c in results.order if c in played)
    scores = {c: score(frame, plan, c) for c in order}
    return Adventures(results, frame, plan, order, scores, game_means(frame), {g: genres[g] for g in games})


def _read_probes(results: Results) -> list[ProbeResult]:
    """Returns the results of knowledge judges; a run whose cannot be read is listed among the damaged ones."""
    from gwray.studies.flashadventure.knowledge import probe_results  # imported late: judges take a while

    found, saved = [], results.saved
    if saved is None:
        return found
    for run in saved.run_dirs:
        try:
            found += probe_results(run)
        except GwrayError as e:
            saved.damaged[run.url] = str(e)
    return found


def _rate_columns(prefix: str = "", part: Callable[[Any], AdventureScore] = lambda row: row) -> list[Column]:
    """Returns the columns SR, MCR and steps. `part`: the scores, ours or published, that a row shows in these
    columns."""

    def cells(rate: str) -> CellFunction:
        return lambda row: getattr(part(row), rate)

    return [Column(prefix + head, cells(k), hint=HINTS[k], footer=cells(k)) for k, head in RATES.items()]


def _player_column(a: Adventures) -> Column:
    return Column.text(
        "player", lambda s: a.results.name(s.cell), footer=lambda s: text_cell(f"{AGENTS[s.cell]} {PRINTED}")
    )  # fmt: skip


def _published_score(row: Mapping[str, Any]) -> AdventureScore:
    """Returns a published row whose values sort as fractions, as ours in the same column do."""
    sr, mcr = (replace(published_cell(row[k]), sort=row[k] / 100) for k in ("sr", "mcr"))
    return AdventureScore(row["agent"], sr, mcr, published_cell(row["steps"]))


def _table(
    a: Adventures, id: str, title: str, columns: Iterable[Column], make: Callable[[str], Any], printed: Iterable[Any],
    note: str = "",
) -> Table:  # fmt: skip
    """Returns a table of ranked cells in their groups, below them the others, then the published agents."""
    ranked, others = ([make(c) for c in a.cells if a.results.ranked(c) is x] for x in (True, False))
    group = {id_: a.results.block(id_) for id_ in a.cells}
    return Table.build(
        id, title, columns, ranked, unranked=others, footer=printed, group=lambda row: group[row.cell], note=note
    )  # fmt: skip


def _overall(a: Adventures) -> Table:
    rows = published("games").filter(pl.col("game") == "Average").to_dicts()
    found = {r["agent"]: _published_score(r) for r in rows}
    columns = join(_player_column(a), _rate_columns(), counts_column())
    note = f"Means over games; those of the paper over its 34. {LABEL.capitalize()}: arXiv 2509.01052."
    printed = [found[agent] for agent in AGENTS if agent in found]
    return _table(a, "adventures", "Success, milestones and steps", columns, a.overall, printed, note)


def _by_genre(a: Adventures) -> Table:
    genres = [g for g in GENRES if g in a.games.values()]
    scores = {(x.cell, x.group): x for x in scores_by(a.frame, a.plan, "genre")}

    def row(c: str) -> AdventureScore:
        steps = {g: _steps(a.frame.filter(pl.col("genre") == g), c) for g in genres}
        return AdventureScore(c, genres={g: a.rate(c, scores.get((c, g)), steps[g]) for g in genres})

    every = published("games").drop_nulls("genre")
    means = every.group_by("agent", "genre").agg(RATED.mean()).to_dicts()
    found = {(r["agent"], r["genre"]): _published_score(r) for r in means}
    played = [agent for agent in AGENTS if (agent, genres[0]) in found]
    printed = [AdventureScore(agent, genres={g: found[agent, g] for g in genres}) for agent in played]
    columns = join(_player_column(a), *(_rate_columns(f"{_words(g)} ", lambda row, g=g: row.genres[g]) for g in genres))
    return _table(a, "adventure-genres", "Adventures by genre", columns, row, printed)


def _steps(frame: pl.DataFrame, cell: str) -> float | None:
    mean = game_means(frame.filter(pl.col("cell") == cell)).get(cell)
    return mean.steps if mean else None


def _studies(a: Adventures) -> list[Table]:
    """Returns tables of the smaller studies of the paper, next to the cells that were played under its conditions."""
    out = []
    rows = published("studies").to_dicts()
    for study, title in STUDIES.items():
        printed = {r["condition"]: r for r in rows if r["study"] == study}
        mine = [(c, r) for condition, r in printed.items() for c in a.cells if _matches(a.results.cell(c), condition)]
        repeated = study == "multi_run"
        if repeated:
            mine = [(c, r) for c, r in mine if reruns(a.frame, a.plan, c, "sr").repeats > 1]
        met = {r["condition"] for _, r in mine}
        needed = {"prompt_control": {"agent=coast_merged"}, "multi_run": met}.get(study)
        if len(met) < 2 - repeated or not met or (needed and not needed <= met):
            continue
        scores = [replace(_repeats(a, c) if repeated else a.overall(c), condition=r["condition"], published=r)
                  for c, r in mine]  # fmt: skip
        columns = _study_columns(a)
        games = max(int(r["games"]) for r in printed.values())
        note = (
            f"± is the sample standard deviation over repeats. Published over {games} game{'s' if games > 1 else ''}."
        )
        out.append(Table.build(f"adventure-{study.replace('_', '-')}", title, columns, scores, note=note))
        if study in ("ablation", "multi_run"):
            out.append(_study_by_game(a, study))
    return out


def _study_by_game(a: Adventures, study: str) -> Table:
    """Returns a table of a study's conditions in each game, next to the printed game of the same genre."""
    printed = {(r["condition"], r["genre"]): r for r in published(study).to_dicts()}
    scores = {(x.cell, x.group): x for x in scores_by(a.frame, a.plan, "game")}
    rows = [
        replace(_in_game(a, c, game, scores[c, game]), condition=condition, published=r)
        for game, genre in a.games.items()
        for (condition, of), r in printed.items()
        for c in a.cells
        if of == genre and (c, game) in scores and _matches(a.results.cell(c), condition)
    ]
    theirs = Column.text("published game", lambda s: (s.published or {}).get("game", ""), hint="of the same genre")
    columns = [Column.text("game", "game"), *_study_columns(a, theirs)]
    return Table.build(f"adventure-{study.replace('_', '-')}-games", f"{STUDIES[study]}, by game", columns, rows)


def _study_columns(a: Adventures, *more: Column) -> list[Column]:
    """Returns player, condition, `more`, and each rate with the published one behind it."""
    pairs = [column for k, own in zip(RATES, _rate_columns(), strict=True) for column in (own, _published_rate(k))]
    player = Column.text("player", lambda s: a.results.name(s.cell))
    return [player, Column.text("condition", "condition"), *more, *pairs]


def _published_rate(rate: str) -> Column:
    def cell(s: AdventureScore) -> TableCell:
        row = s.published or {}
        sd = row.get(f"{rate}_sd")
        return published_cell(row[rate], sub="" if sd is None else f"± {sd:.1f}")

    return Column(f"{RATES[rate]}, published", cell, hint=LABEL)


def _matches(c: Cell, condition: str) -> bool:
    """Whether a cell was played under a published condition such as `agent=coast`; several are joined by `+`.
    `grounder=NAME`: with a grounder, whichever it is; `grounder=` (empty): the player's own model is the grounder."""
    if "+" in condition:
        return all(_matches(c, one) for one in condition.split("+"))
    axis, _, value = condition.partition("=")
    setting = c.setting("nudge.when" if axis == "nudge" else axis)
    if axis == "nudge":
        return value == {None: "none", "no_milestone": "hints_stalled", "every": "hints_periodic"}.get(setting, "")
    if axis == "grounder":
        return bool(value) == ("grounder" in (c.spec.get("helpers") or {}))
    return setting == value


def _repeats(a: Adventures, c: str) -> AdventureScore:
    """Means over the repeats, with their standard deviation."""
    overall = a.overall(c)
    if not a.has_headline(a.scores[c].counts):
        return overall

    def cell(r: Rerun) -> TableCell:
        return number_cell(r.mean, scale=100, sub="" if r.sd is None else f"± {100 * r.sd:.1f}")

    sr, mcr = cell(reruns(a.frame, a.plan, c, "sr")), cell(reruns(a.frame, a.plan, c, "pg"))
    return replace(overall, sr=sr, mcr=mcr)


def _in_game(a: Adventures, c: str, game: str, score: Score) -> AdventureScore:
    return a.rate(c, score, _steps(a.frame.filter(pl.col("game") == game), c), game=game)


def _by_game(a: Adventures) -> Table:
    scores = {(x.cell, x.group): x for x in scores_by(a.frame, a.plan, "game")}
    rows = []
    for game in a.games:
        here = a.frame.filter(pl.col("game") == game)
        for c in (c for c in a.cells if (c, game) in scores):
            gaps = episode_gaps(here.filter(pl.col("cell") == c)).get(game)
            rows.append(replace(_in_game(a, c, game, scores[c, game]), gap=fmean(gaps) if gaps else None))
    columns = join(
        Column.text("game", "game"), Column.text("genre", lambda s: _words(a.games[s.game])),
        Column.text("player", lambda s: a.results.name(s.cell)), _rate_columns(),
        Column.number("gap, steps", "gap", hint="mean over the clues that were seen and used"), counts_column(),
    )  # fmt: skip
    return Table.build("adventure-games", "Adventures by game", columns, rows)


def _diversity(a: Adventures) -> Table | None:
    """Returns a table of how much the steps of players differ on the same games; None for a single player."""
    done = scored(a.frame).group_by("game", "cell").agg(pl.col("steps").mean()).sort("game", "cell")
    steps: dict[str, dict[str, float]] = {}
    for game, cell, n in done.iter_rows():
        steps.setdefault(game, {})[cell] = n
    games = [g for g in a.games if len(steps.get(g, ())) > 1]
    if not games:
        return None
    spreads = diversity({g: steps[g] for g in games})

    def game_steps(c: str, game: str) -> TableCell:
        spread = spreads[c]
        if game not in spread.normalised:
            return NO_VALUE
        x = spread.normalised[game]
        return TableCell(f"{x:+z,.0f}", x, f"rank {spread.ranks[game]:g}", raw=x)

    columns = (
        Column.text("player", a.results.name),
        Column.number("mean rank", lambda c: fmean(spreads[c].ranks.values()), 2,
                      hint="1: the fewest steps; equal ones share theirs"),
        Column.number("SD of steps", lambda c: spreads[c].sd,
                      hint="sample SD, over games, of steps minus the game's mean over players"),
        *(Column(g, lambda c, g=g: game_steps(c, g), hint="steps minus the mean over players; the rank below")
          for g in games),
    )  # fmt: skip
    note = "Steps of finished episodes, successful or not, against the mean over the players of the same game."
    rows = [c for c in a.cells if c in spreads]
    return Table.build("adventure-diversity", "Differences in play", columns, rows, note=note)


def _codes(a: Adventures) -> Table | None:
    """Returns a table of the failure codes that people assigned; None if there are none."""
    codes = find_labels(a.results.labels, "code", PEOPLE).labels
    coded = {c: [codes[k] for k in scored(a.of_cell(c))["key"] if k in codes] for c in a.cells}
    cells = [c for c in a.cells if coded[c]]
    if not cells:
        return None

    def share(c: str, code: str) -> TableCell:
        n = sum(code in given for given in coded[c])
        return TableCell(f"{n:,}", float(n), f"{100 * n / len(coded[c]):.0f} %" if n else "")

    columns = (
        Column.text("player", a.results.name),
        Column.number("episodes", lambda c: float(len(coded[c])), 0, hint="with a code"),
        *(Column(_words(code), lambda c, code=code: share(c, code), hint=text) for code, text in CODES.items()),
    )
    note = (
        "Assigned by people, in the column `code` of an annotations.csv in the run directory; an episode may have "
        "several."
    )
    return Table.build("adventure-codes", "Why adventures were not finished", columns, cells, note=note)


def _words(text: str) -> str:
    return text.replace("-", " ").replace("_", " ")
