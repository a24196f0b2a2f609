"""The Orak section: scores by game with ranks, agents and inputs compared, and a capability profile. Shown if games of
the parlor were played. The paper's values are below ours: they are of other games and models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

import polars as pl

from gwray.analysis import Cell, Counts, counts, reruns
from gwray.pages import NO_VALUE, Column, Table, TableCell, number_cell, text_cell
from gwray.report import Results, Section, counts_column, published_cell
from gwray.settings import LOCAL_PLAYERS, axis_words, family
from gwray.studies.orak.published import published
from gwray.studies.orak.ranks import CAPABILITIES, HIGH, STRATEGIES, OrakGame, average_ranks, orak_games, probes

PRINTED = "(published)"
INPUTS = ("text", "image", "both")
DEFAULT = "default"
"""Strategy of a player whose agents are the paper's defaults of its games."""
UNCONFIRMED = {1: "GPT-4o and Qwen2.5-VL-32B", 2: "Claude 3.7 Sonnet with both inputs"}
"""Players of the modality tables whose printed ranks differ from those of the printed scores by more than 0.1."""


@dataclass(frozen=True)
class Spread:
    """A player's score of one game in percent, over trials."""

    mean: float | None
    """None: refused, because planned episodes are missing."""
    sd: float | None = None
    """Sample standard deviation; None with a single trial."""


@dataclass(frozen=True)
class OrakRow:
    """A player with one strategy and one input, ours or published."""

    player: str
    strategy: str
    input: str
    scores: Mapping[str, Spread]
    """By the game's published name."""
    counts: Counts | None = None
    ranked: bool = True
    printed_rank: float | None = None
    """The average rank that the paper prints, over all of the table's games."""
    ranks: Mapping[str, float] = field(default_factory=dict)
    average: float | None = None
    trained: str = ""
    """Whether the weights were fine-tuned on play, and on what."""


@dataclass(frozen=True)
class _Parlor:
    """The cells of a report that played games of the parlor."""

    results: Results
    games: Mapping[str, tuple[OrakGame, str]]
    """Published name → game, and the id of ours."""
    played: Mapping[str, frozenset[str]]
    """Cell → published names of its planned games."""

    def row(self, cells: Mapping[str, str], strategy: str) -> OrakRow:
        """Returns the row of the cells that play a game each (by published name)."""
        first = self.results.cell(next(iter(cells.values())))
        scores, parts = {}, []
        for name, c in cells.items():
            game = self.games[name][1]
            parts.append(counts(self.results.frame, self.results.plan, c, game=game))
            r = reruns(self.results.frame, self.results.plan, c, "pg", game=game)
            shown = r.mean is not None and (parts[-1].complete or self.results.allow_incomplete)
            percent = [None if x is None or not shown else 100 * x for x in (r.mean, r.sd)]
            scores[name] = Spread(*percent)
        total = Counts(*(sum(getattr(p, k) for p in parts) for k in ("planned", "finished", "failed", "excluded")))
        return OrakRow(_label(first), strategy, _input(first), scores, total, first.ranked and not _local(first))


def orak_section(results: Results) -> Section | None:
    """Returns all tables that have data; None if no game of the parlor and no probe was played."""
    p, wider = _parlor(results, orak_games()), _parlor(results, [*orak_games(), *probes()])
    if not wider.games:
        return None
    rows = _default_rows(p)
    intro = (
        "After Orak: scores are shares of each game's maximum in percent, ± their sample standard deviation over "
        "trials. Games weigh the same in an average rank, and equal scores share theirs. "
        f"Rows marked {PRINTED} are the paper's (arXiv 2506.03610), of other games: they show its findings, and are no "
        "target."
    )
    parts = (
        _main(p, rows),
        _modules(p),
        _modality(p, 1),
        _modality(p, 2),
        _finetuned(wider),
        _capabilities(p, rows),
        _levels(p),
    )
    return Section.build("orak", "Parlor games", *parts, intro=intro)


def _parlor(results: Results, wanted: Sequence[OrakGame]) -> _Parlor:
    planned = results.plan.episodes.select("cell", "game").unique().sort("cell", "game")
    ids = {game.partition("_")[0]: game for game in planned["game"].to_list()}
    games = {g.name: (g, ids[g.prefix]) for g in wanted if g.prefix in ids}
    names = {game: name for name, (_, game) in games.items()}
    played: dict[str, set[str]] = {}
    for cell, game in planned.iter_rows():
        if game in names and cell in results.order:
            played.setdefault(cell, set()).add(names[game])
    order = [c for c in results.order if c in played]
    return _Parlor(results, games, {c: frozenset(played[c]) for c in order})


def _local(c: Cell) -> bool:
    return c.person or (c.spec.get("model") or {}).get("provider", c.model) in LOCAL_PLAYERS


def _label(c: Cell) -> str:
    """Returns the name of a player: its model, and its settings other than those with a column of their own."""
    rest = {a: v for a, v in c.axes.items() if family(a) not in ("agent", "observation", "scenario")}
    unseen = ["unseen"] if c.setting("scenario") == "unseen" else []
    return " · ".join([c.model, *unseen, *axis_words(rest)])


def _input(c: Cell) -> str:
    """Returns the input that a player observes, one of `INPUTS`; empty for any other."""
    pictures = c.setting("observation.format") != "none" and bool(c.setting("observation.views"))
    return {(True, True): "both", (True, False): "text", (False, True): "image"}.get((c.sees_text, pictures), "")


def _agent(c: Cell) -> str:
    return str(c.setting("agent"))


def _groups(p: _Parlor, *free: Callable[[Cell], str]) -> list[list[str]]:
    """Returns the cells of each player in the plan's order; cells of a player differ at most in `free`."""
    found: dict[tuple[str, ...], list[str]] = {}
    for c in p.played:
        cell = p.results.cell(c)
        fixed = [f(cell) for f in (_agent, _input) if f not in free]
        found.setdefault((_label(cell), *fixed), []).append(c)
    return list(found.values())


def _default_rows(p: _Parlor) -> list[OrakRow]:
    """Returns one row for each player and input: its cell with the default agent of each game, or the only one it
    has."""
    rows = []
    for group in _groups(p, _agent):
        cells = _default_cells(p, group)
        if cells:
            agents = {_agent(p.results.cell(c)) for c in group}
            default = all(_agent(p.results.cell(c)) == p.games[g][0].agent for g, c in cells.items())
            local = _local(p.results.cell(group[0]))
            rows.append(p.row(cells, "" if local else DEFAULT if default else _words(*sorted(agents))))
    return rows


def _default_cells(p: _Parlor, group: Sequence[str]) -> dict[str, str]:
    """Returns game → cell of a player that plays it with the default agent, or with its only one."""
    cells = {}
    for name, (game, _) in p.games.items():
        having = [c for c in group if name in p.played[c]]
        wanted = [c for c in having if _agent(p.results.cell(c)) == game.agent]
        if wanted or len(having) == 1:
            cells[name] = (wanted or having)[0]
    return cells


def _words(*agents: str) -> str:
    return ", ".join(STRATEGIES.get(a, a) for a in agents)


def _printed(table: Any, games: Sequence[str], **columns: str) -> list[OrakRow]:
    """Returns the rows of a published table. `columns`: fields of the row and the table's columns that they are in."""
    found: dict[tuple[str, ...], dict[str, Spread]] = {}
    for r in table.to_dicts():
        found.setdefault(tuple(r[c] for c in columns.values()), {})[r["game"]] = Spread(r["mean"], r["sd"])
    rows = []
    for key, all_scores in found.items():
        shown: dict[str, Any] = {"player": "", "strategy": "", "input": "", **dict(zip(columns, key, strict=True))}
        rank = all_scores.pop("average rank", None)
        scores = {g: all_scores[g] for g in games if g in all_scores}
        shown["strategy"] = _words(shown["strategy"]) if shown["strategy"] else ""
        rows.append(OrakRow(**shown, scores=scores, ranked=rank is not None, printed_rank=rank and rank.mean))
    return [r for r in rows if r.scores]


def _ranked(rows: Sequence[OrakRow]) -> list[OrakRow]:
    """Returns the rows with their ranks among those that are ranked; the others behind them."""
    some = [r for r in rows if r.ranked]
    means = [{g: s.mean for g, s in r.scores.items() if s.mean is not None} for r in some]
    found = [replace(r, ranks=x, average=y) for r, (x, y) in zip(some, average_ranks(means), strict=True)]
    return [*found, *(r for r in rows if not r.ranked)]


def _table(
    p: _Parlor, id: str, title: str, rows: Sequence[OrakRow], printed: Sequence[OrakRow], games: Sequence[str],
    *apart: str, note: str = "",
) -> Table | None:  # fmt: skip
    """Returns a table of players. `apart`: fields with a column of their own, which tell a player's rows apart."""
    if not rows:
        return None

    def score(r: OrakRow, game: str, mark: str = "") -> TableCell:
        s = r.scores.get(game)
        if s is None:
            return NO_VALUE
        if s.mean is None:
            return replace(NO_VALUE, mark="refused")
        small = [f"± {s.sd:.1f}" if s.sd is not None else "", f"#{r.ranks[game]:g}" if game in r.ranks else ""]
        sub = ", ".join(filter(None, small))
        return published_cell(s.mean, 1, sub) if mark else number_cell(s.mean, 1, sub=sub)

    def average(r: OrakRow) -> TableCell:
        sub = f"printed: {r.printed_rank:.1f}" if r.printed_rank is not None else ""
        return NO_VALUE if r.average is None else replace(published_cell(r.average, 2), sub=sub)

    columns = (
        Column.text("player", "player", footer=lambda r: text_cell(f"{r.player} {PRINTED}")),
        *(Column.text(f, f, footer=lambda r, f=f: text_cell(getattr(r, f))) for f in apart),
        Column.number("average rank", "average", 2, hint="over the games shown; 1 is the best", footer=average),
        *(Column(p.games[g][1], lambda r, g=g: score(r, g), hint=f"{g} in the paper; # is the rank",
                 footer=lambda r, g=g: score(r, g, "published")) for g in games),
        counts_column(),
    )  # fmt: skip
    ours = _ranked(rows)
    shown = [r for r in ours if r.ranked]
    others = [r for r in ours if not r.ranked]
    return Table.build(id, title, columns, shown, unranked=others, footer=_ranked(printed), note=note)


def _main(p: _Parlor, rows: Sequence[OrakRow]) -> Table | None:
    games = list(p.games)
    printed = _printed(published("main"), games, player="model")
    note = (
        "Default strategies are those that the paper found best for GPT-4o. Ranks of published rows are over the games "
        "shown. People and players without a model are not ranked. Over all twelve games, the printed scores give the "
        "printed ranks to within 0.2, except for DeepSeek-R1: 4.9, printed 5.1."
    )
    printed = [replace(r, strategy=DEFAULT, input="text") if r.ranked else r for r in printed]
    return _table(p, "orak-main", "Scores by game", rows, printed, games, "strategy", "input", note=note)


def _modules(p: _Parlor) -> Table | None:
    """Players that play the same games with several agents."""
    rows = []
    for group in _groups(p, _agent):
        by_agent: dict[str, dict[str, str]] = {}
        for c in group:
            for name in p.played[c]:
                by_agent.setdefault(_agent(p.results.cell(c)), {}).setdefault(name, c)
        several = {g for g in p.games if sum(g in cells for cells in by_agent.values()) > 1}
        for agent, cells in by_agent.items():
            same = {g: cells[g] for g in p.games if g in cells and g in several}
            if same:
                rows.append(p.row(same, _words(agent)))
    games = [g for g in p.games if any(g in r.scores for r in rows)]
    printed = _printed(published("modules"), games, player="model", strategy="agent")
    note = (
        "Over all twelve games, printed scores give printed ranks to within 0.2, but for GPT-4o's reflection-planning: "
        "2.0, printed 2.2. GPT-4o's scores of p05 and p03 contradict the paper's tables 38 and 32."
    )
    return _table(p, "orak-modules", "Agents of several modules", rows, printed, games, "strategy", note=note)


def _modality(p: _Parlor, group: int) -> Table | None:
    """Players that play games of one group with several inputs."""
    names = [g for g, (game, _) in p.games.items() if game.group == group]
    rows = []
    for cells in _groups(p, _agent, _input):
        by_input = {i: [c for c in cells if _input(p.results.cell(c)) == i] for i in INPUTS}
        found = {i: {g: c for g, c in _default_cells(p, some).items() if g in names} for i, some in by_input.items()}
        found = {i: some for i, some in found.items() if some}
        if len(found) > 1:
            rows += [p.row(some, "") for some in found.values()]
    games = [g for g in names if any(g in r.scores for r in rows)]
    table = published("modality").filter(table=4 + group)
    printed = _printed(table, games, player="model", input="input")
    title = f"Text and pictures, of games that show {'everything' if group == 1 else 'a part'}"
    note = (
        "Some printed ranks of this table do not follow from its printed scores, even over all of its games: those of "
        f"{UNCONFIRMED[group]}."
    )
    return _table(p, f"orak-modality-{group}", title, rows, printed, games, "input", note=note)


def _finetuned(p: _Parlor) -> Table | None:
    """Returns players whose weights record what they were trained on, and the same models without."""
    found = [(group, _trained(p.results.cell(group[0]))) for group in _groups(p)]
    models = {p.results.cell(group[0]).model.partition("+")[0] for group, trained in found if trained != "no"}
    rows = []
    for group, trained in found:
        base = p.results.cell(group[0]).model.partition("+")[0]  # without what differs, such as +model_source=…
        if base in models or (models and base == "random"):
            cells = {game: c for c in group for game in p.games if game in p.played[c]}
            rows.append(replace(p.row(cells, ""), trained=trained))
    games = [g for g in p.games if any(g in r.scores for r in rows)]
    numbers = published("finetuned").with_columns(pl.concat_str("trained", pl.lit(", table "), "table"))
    printed = _printed(numbers, games, player="model", trained="trained")
    note = (
        "Orak's tables 7, 12, 46 and 48. Published scores are of scenarios not trained on (SF3 by a zero-shot agent, "
        "Darkest Dungeon, StarCraft2, SlayTheSpire, BabaIsYou) or of games not trained on (SuperMario and 2048, "
        "in table 46 against its text; in table 48 all). Sums and shop stand for Math500 and WebShop, by default with "
        "questions and products of our own. Shop's published scores are WebShop-E's, ours the mean of both kinds of "
        "instruction; WebShop-H has no counterpart. Training took 1.7 (1B) and 4.2 to 4.3 hours (3B) on four A100 "
        "(table 47). Missing: illegible or not printed."
    )
    return _table(p, "orak-finetuned", "Fine-tuned on play", rows, printed, games, "trained", note=note)


def _trained(c: Cell) -> str:
    """Returns what a player's weights have learned from, as far as it is recorded beside them; `no`: nothing."""
    learned = ((c.spec.get("model") or {}).get("deployment") or {}).get("trained_on")
    if not learned:
        return "no"
    games = [str(g).partition("_")[0] for g in learned.get("game", [])]
    return f"yes, on {', '.join(games) if len(games) <= 3 else f'{len(games)} games'}"


def _capabilities(p: _Parlor, rows: Sequence[OrakRow]) -> Table | None:
    """Returns the mean score over the games that require a capability."""
    need = {c: [g for g, (game, _) in p.games.items() if game.levels[c] == HIGH] for c in CAPABILITIES}

    def mean(r: OrakRow, games: Sequence[str]) -> float | None:
        known = [r.scores[g].mean for g in games if g in r.scores]
        return fmean(x for x in known if x is not None) if known and None not in known else None

    if not rows:
        return None
    columns = (
        Column.text("player", "player", footer=lambda r: text_cell(f"{r.player} {PRINTED}")),
        Column.text("input", "input"),
        *(Column.number(words, lambda r, c=c: mean(r, need[c]), hint=f"{len(need[c])} games here",
                        footer=lambda r, c=c: published_cell(mean(r, need[c]))) for c, words in CAPABILITIES.items()),
    )  # fmt: skip
    printed = [r for r in _printed(published("main"), [g.name for g in orak_games()], player="model") if r.ranked]
    note = (
        f"Mean score in percent over the games whose level is {HIGH}. Published rows are over the same games, not over "
        "all twelve of the paper."
    )
    return Table.build("orak-capabilities", "Capability profile", columns, rows, footer=printed, note=note)


def _levels(p: _Parlor) -> Table:
    columns = (
        Column.text("game", lambda g: p.games[g][1]),
        *(Column.number(words, lambda g, c=c: p.games[g][0].levels[c], 0) for c, words in CAPABILITIES.items()),
    )
    note = (
        "From 1 (not needed) to 3 (essential), by our reading of the paper's criteria: it asked eight people and shows "
        "their answers as a figure only."
    )
    return Table.build("orak-levels", "Capabilities that the games require", columns, list(p.games), note=note)
