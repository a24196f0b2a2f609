"""Ratings of players that meet in matches: Elo by the Bradley–Terry model, with intervals, ranks and sides.

Bradley & Terry, Biometrika 39 (1952) 324–345: P(i beats j) = 1 / (1 + 10^((R_j − R_i)/400)). Ratings maximize the
log-likelihood of all matches, less Σ (R_i − 1500)² / (2 · `PRIOR_SD`²): without this weak prior, a player that wins or
loses every match has no finite rating. Their mean is 1500. A draw counts as half a win for each player.

Intervals are R_i ± 1.96 · SE, with the covariance of the inverse observed information; that of the distance between two
players is a profile-likelihood interval. In simulated arenas they cover
the true ratings in 94–100 %, and a parametric bootstrap in 86–96 %, which repeats a perfect record as a perfect record
(`bench/arena.py`).
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist

import numpy as np
import polars as pl
from numpy.typing import NDArray

from gwray.analysis.cells import Cell, PlannedTasks, scored
from gwray.analysis.intervals import LEVEL, wilson
from gwray.analysis.pairs import ALPHA
from gwray.pages import DASH, NO_VALUE, Column, Table, TableCell
from gwray.settings import axis_words, model_of

MEAN = 1500.0
PRIOR_SD = 800.0
"""Elo points."""
LEAD, WEIGHTED = "metrics.versus.lead", "metrics.versus.weighted"
"""Columns of an episode that was a match (`gwray.evaluation.metrics.versus`)."""
DRAWS = 5000
"""Number of rankings drawn for the rank intervals, and of arenas for p."""
_PER_ELO = np.log(10) / 400
_z = NormalDist().inv_cdf(0.5 + LEVEL / 2)


@dataclass(frozen=True)
class Match:
    """One finished match."""

    first: str
    """Player of the game's first role."""
    second: str
    lead: float
    """How far the first player was ahead at the end: positive for its win, 0 for a draw."""

    @property
    def result(self) -> float:
        """The first player's share of the win: 1, 0.5 or 0."""
        return 0.5 + 0.5 * float(np.sign(self.lead))


@dataclass(frozen=True)
class Rating:
    """A player's place in an arena."""

    player: str
    elo: float
    low: float
    high: float
    rank: int
    """1 is the best; equal ratings are ordered by the matches between these players, and share a rank if that is level
    too."""
    rank_low: int
    rank_high: int
    wins: int
    draws: int
    losses: int
    margin: float
    """Mean lead over all its matches."""


@dataclass(frozen=True)
class Arena:
    """Matches of one game, and what they say of the players."""

    ratings: tuple[Rating, ...]
    """In order of rank."""
    matches: tuple[Match, ...]
    weighted: bool
    """Whether a match counts by the size of its lead."""
    first_side: tuple[float, float, float]
    """Share of the wins of the first role, with its 95 % interval. Sides are swapped, so that an unfair side changes no
    rating."""
    gap: tuple[float, float, float]
    """How far the first player is ahead of the second one, in Elo points, with its 95 % interval."""
    p: float
    """Two-sided p of that distance: how often the difference of their points is as large if both are equally strong, in
    `DRAWS` simulated arenas."""
    cells: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Both players of each cell with a match."""
    missing: int = 0
    """Number of planned matches without a result."""
    copies: int = 0
    """Matches that repeat another one move by move; they are not among `matches`, since they say nothing new."""

    @property
    def players(self) -> list[str]:
        return [r.player for r in self.ratings]

    @property
    def groups(self) -> list[list[str]]:
        """Players that met, directly or through others; nothing is known between two groups."""
        found: list[set[str]] = [{p} for p in self.players]
        for m in self.matches:
            met = [g for g in found if g & {m.first, m.second}]
            found = [g for g in found if g not in met] + [set().union(*met)]
        return sorted(([p for p in self.players if p in g] for g in found), key=lambda g: self.players.index(g[0]))

    def record(self, player: str, other: str) -> tuple[float, int, float]:
        """Returns the wins of a player over another one (a draw is half a win), their number of matches, and its mean
        lead (0 without a match)."""
        leads = _leads([m for m in self.matches if {m.first, m.second} == {player, other}], player)
        return sum(0.5 + 0.5 * float(np.sign(x)) for x in leads), len(leads), float(np.mean(leads)) if leads else 0.0


def rate(matches: Sequence[Match], players: Sequence[str] = (), *, weighted: bool = False, seed: int = 0) -> Arena:
    """Rates the players of matches.

    Args:
        matches: At least one.
        players: Further players, without a match.
        weighted: A match counts |lead| / mean |lead| times, so that clear wins say more. The paper enters leads for
            its strategy game and does not tell how; this is our reading.
        seed: Seed of the drawn rankings.

    Returns:
        The ratings with their intervals. Rank intervals are those of rankings drawn from the same normal distribution.
    """
    names = list(dict.fromkeys([*players, *(p for m in matches for p in (m.first, m.second))]))
    place = {name: i for i, name in enumerate(names)}
    first = np.array([place[m.first] for m in matches])
    second = np.array([place[m.second] for m in matches])
    size = np.abs([m.lead for m in matches])
    weights = size / size.mean() if weighted and size.any() else np.ones(len(matches))
    won = np.array([m.result for m in matches])
    results = _Results(_wins(first, second, weights * won, weights * (1 - won), len(names)))
    theta, _, information = results.maximum(np.eye(len(names)), np.zeros(len(names)))
    centre = np.eye(len(names)) - 1 / len(names)  # the mean is fixed
    elo, covariance = MEAN + theta / _PER_ELO, centre @ np.linalg.inv(information) @ centre / _PER_ELO**2
    half = _z * np.sqrt(np.diag(covariance))
    drawn = np.random.default_rng(seed).multivariate_normal(elo, covariance, DRAWS, method="svd")
    ranks = 1 + (drawn[:, None, :] > drawn[:, :, None]).sum(axis=2)
    tail = 100 * (1 - LEVEL) / 2
    rank_low, rank_high = np.percentile(ranks, (tail, 100 - tail), axis=0, method="nearest")
    points, share = _wins(first, second, won, 1 - won, len(names)), float(won.mean())
    ends = wilson(np.array(share), np.array(float(len(matches))), np.array(_z))
    ratings = []
    for i, name in enumerate(names):
        equal = np.flatnonzero(np.abs(elo - elo[i]) <= _EQUAL)
        own = points[np.ix_(equal, equal)].sum(axis=1)
        rank = 1 + int((elo > elo[i] + _EQUAL).sum() + (own > own[equal == i]).sum())
        leads = _leads(matches, name)
        wins, draws, losses = (sum(int(np.sign(x)) == s for x in leads) for s in (1, 0, -1))
        span = float(elo[i]), float(elo[i] - half[i]), float(elo[i] + half[i])
        places = rank, min(rank, int(rank_low[i])), max(rank, int(rank_high[i]))
        ratings.append(Rating(name, *span, *places, wins, draws, losses, float(np.mean(leads)) if leads else 0.0))
    ratings.sort(key=lambda r: (r.rank, names.index(r.player)))
    side = share, float(ends[0]), float(ends[1])
    a, b = (names.index(r.player) for r in ratings[:2])
    sign = np.eye(len(names))[a] - np.eye(len(names))[b]
    chance = results.equal(a, b)[first, second]
    again = np.random.default_rng(seed).random((DRAWS, len(matches))) < chance
    swing = weights * (sign[first] - sign[second])
    off = np.abs((again - chance) @ swing) >= abs(float((won - chance) @ swing)) - 1e-9
    p = (1 + int(off.sum())) / (1 + DRAWS)
    return Arena(tuple(ratings), tuple(matches), weighted, side, results.gap(a, b), p)


def arena_verdict(title: str, arena: Arena) -> str:
    """Returns the result of an arena in a sentence. The first player leads only if no match is missing (it may have met
    another on its better side only), matches connect all players, and p is below 0.05."""
    if arena.missing:
        return f"{title}: no result, since {_missing(arena)}."
    first, second = arena.ratings[:2]
    gap, low, high = arena.gap
    apart = f"{gap:+z.0f} Elo [{low:z.0f}, {high:z.0f}], p = {arena.p:.2g}".replace("-", "−")
    if len(groups := arena.groups) > 1:
        separate = "; ".join(", ".join(g) for g in groups)
        return f"{title}: no common ranking, because no matches connect these players: {separate}."
    if arena.p < ALPHA:
        return f"{title}: {first.player} leads the {len(arena.ratings)} players, ahead of {second.player} by {apart}."
    return f"{title}: none of the {len(arena.ratings)} players leads; {first.player} minus {second.player} = {apart}."


def rating_table(title: str, arena: Arena) -> Table:
    """Returns a row for each player, in order of rank."""

    def ranks(r: Rating) -> TableCell:
        span = f"{r.rank_low}–{r.rank_high}" if r.rank_low < r.rank_high else ""
        return TableCell(f"{r.rank}", r.rank, span, raw=r.rank)

    def elo(r: Rating) -> TableCell:
        ends = r.low, r.high
        if not ((r.wins and r.losses) or r.draws):  # only the prior bounds the other side
            text = f"> {r.low:,.0f}" if r.wins else f"< {r.high:,.0f}" if r.losses else DASH
            known = (r.elo, r.low if r.wins else None, r.high if r.losses else None)
            return TableCell(text, r.elo, "won all" if r.wins else "lost all" if r.losses else "", raw=known)
        return TableCell(f"{r.elo:,.0f}", r.elo, "{:,.0f} – {:,.0f}".format(*ends), raw=(r.elo, *ends))

    columns = (
        Column.make("rank", ranks, lambda r: r, "With the 95 % interval of the rank"),
        Column.text("player", "player"),
        Column.make("Elo", elo, lambda r: r),
        Column.number("won", "wins", 0),
        Column.number("drawn", "draws", 0),
        Column.number("lost", "losses", 0),
        Column.number("mean lead", "margin", 1),
    )
    share, low, high = arena.first_side
    counted = "each weighted by its lead" if arena.weighted else "a draw as half a win"
    note = (
        f"Bradley–Terry ratings of {len(arena.matches)} matches, {counted}; their mean is {MEAN:.0f}. 95 % intervals. "
        f"The first side won {100 * share:.0f} % [{100 * low:.0f}, {100 * high:.0f}]; {_sides(arena.matches)}."
    )
    if arena.missing:
        note = f"Incomplete: {_missing(arena)}. {note}"
    if arena.copies:
        note += f" {arena.copies} more matches repeat one of these move by move, and count no second time."
    if len(groups := arena.groups) > 1:
        note += f" No matches connect {'; '.join(', '.join(g) for g in groups)}: ranks hold within a group only."
    return Table.build(f"arena-{_slug(title)}", f"Arena of {title}", columns, arena.ratings, note=note)


def win_table(title: str, arena: Arena) -> Table:
    """Returns the wins of each row's player over each column's, with the mean lead below where its size counts."""

    def cell(player: str, other: str) -> TableCell:
        won, played, lead = arena.record(player, other)
        if not played:
            return NO_VALUE
        sub = f"{lead:+z,.0f}".replace("-", "−") if arena.weighted else ""
        return TableCell(f"{won:g} of {played}", won / played, sub, raw=won / played)

    columns = [
        Column.text("won against", str),
        *(Column(other, lambda player, other=other: cell(player, other)) for other in arena.players),
    ]
    name = f"{title}: wins of the row over the column"
    return Table.build(f"arena-{_slug(title)}-wins", name, columns, arena.players)


def _missing(arena: Arena) -> str:
    return f"{arena.missing} of {arena.missing + len(arena.matches)} planned matches have no result"


def _sides(matches: Sequence[Match]) -> str:
    """Returns whether every pair played equally often on both sides."""
    on = Counter((m.first, m.second) for m in matches)
    uneven = [f"{a} – {b} {on[a, b]} and {on[b, a]}" for a, b in on if on[a, b] != on[b, a] and (a < b or not on[b, a])]
    if not uneven:
        return "every pair plays on both sides"
    return f"pairs with unequal numbers of matches on the two sides: {', '.join(uneven)}"


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


_EQUAL = 1e-6
"""Elo points up to which two ratings are equal."""


def _leads(matches: Sequence[Match], player: str) -> list[float]:
    """Returns how far a player was ahead in each of its matches."""
    return [m.lead for m in matches if m.first == player] + [-m.lead for m in matches if m.second == player]


def _wins(first: NDArray, second: NDArray, of_first: NDArray, of_second: NDArray, players: int) -> NDArray:
    """Returns the wins of each player (row) over each other (column), from both players' share of each match."""
    won = np.zeros((players, players))
    np.add.at(won, (first, second), of_first)
    np.add.at(won, (second, first), of_second)
    return won


@dataclass(frozen=True)
class _Results:
    """Matches as matrices."""

    won: NDArray
    """Weighted wins of each player (row) over each other (column)."""

    def maximum(self, basis: NDArray, offset: NDArray) -> tuple[NDArray, float, NDArray]:
        """Maximizes the log-likelihood over θ = `offset` + `basis` φ by Newton's method; it is strictly concave.

        Returns:
            θ, the log-likelihood, and the observed information.
        """
        met, players = self.won + self.won.T, len(self.won)
        prior = np.eye(players) / (PRIOR_SD * _PER_ELO) ** 2
        phi = np.zeros(basis.shape[1])
        while True:
            theta = offset + basis @ phi
            p = 1 / (1 + np.exp(theta - theta[:, None]))
            bend = met * p * (1 - p)
            information = np.diag(bend.sum(axis=1)) - bend + prior
            slope = (self.won - met * p).sum(axis=1) - prior @ theta
            step = np.linalg.solve(basis.T @ information @ basis, basis.T @ slope)
            phi += np.clip(step, -2, 2)
            if np.abs(step).max() < 1e-9:
                break
        return theta, float((self.won * np.log(p)).sum() - theta @ prior @ theta / 2), information

    def equal(self, a: int, b: int) -> NDArray:
        """Returns the chance of each player (row) against each other (column) if a and b are equally strong."""
        basis = np.delete(np.eye(len(self.won)), a, axis=1)
        basis[a] = np.delete(np.eye(len(self.won))[b], a)
        theta, *_ = self.maximum(basis, np.zeros(len(self.won)))
        return 1 / (1 + np.exp(theta - theta[:, None]))

    def gap(self, a: int, b: int) -> tuple[float, float, float]:
        """Returns R_a − R_b with its 95 % profile-likelihood interval: a player that won all matches against a weaker
        one has no useful standard error."""
        players = len(self.won)
        theta, best, information = self.maximum(np.eye(players), np.zeros(players))
        pair = np.eye(players)[a] - np.eye(players)[b]
        basis = np.delete(np.eye(players), a, axis=1)
        basis[a] = np.delete(np.eye(players)[b], a)  # θ_a = θ_b + gap

        def worse(gap: float) -> float:
            return 2 * (best - self.maximum(basis, gap * np.eye(players)[a])[1]) - _z**2

        value, reach = float(pair @ theta), 1 + 3 * _z * float(np.sqrt(pair @ np.linalg.inv(information) @ pair))
        from scipy.optimize import brentq

        ends = (brentq(worse, value, value + side * reach) for side in (-1, 1))
        low, high = (float(end) for end in ends)  # pyright: ignore[reportArgumentType]
        return value / _PER_ELO, low / _PER_ELO, high / _PER_ELO


def arenas(frame: pl.DataFrame, plan: PlannedTasks) -> dict[str, Arena]:
    """Returns the arenas of an episode frame: one for each game and setting in which models met in matches, by title.
    Failed and missing matches are left out; players are labelled as in all tables."""
    if LEAD not in frame.columns:
        return {}
    done = scored(frame).filter(pl.col(LEAD).is_not_null() & pl.col("cell").is_in([*plan.cells]))
    players = {c.id: met for c in plan.cells.values() if (met := _players(c))}
    planned = Counter(
        (row["game"], axis_words(plan.cells[row["cell"]].axes))
        for row in plan.episodes.iter_rows(named=True)
        if row["cell"] in players
    )
    groups: dict[tuple[str, tuple[str, ...]], list[tuple[str, Match, bool]]] = {}
    copies, seen = Counter[tuple[str, tuple[str, ...]]](), set[tuple[str, str]]()
    for cell, game, lead, weighted, moves in done.select("cell", "game", LEAD, WEIGHTED, "state_chain").iter_rows():
        if cell in players:
            key = game, axis_words(plan.cells[cell].axes)
            if moves and (cell, moves) in seen:
                copies[key] += 1
                continue
            seen.add((cell, moves))
            groups.setdefault(key, []).append((cell, Match(*players[cell], lead), bool(weighted)))
    found = {}
    for (game, words), played in groups.items():
        again = copies[game, words]
        alone = sum(g == game for g, _ in groups) == 1
        arena = rate([m for _, m, _ in played], weighted=all(weighted for *_, weighted in played))
        cells = {cell: players[cell] for cell, *_ in played}
        found[game if alone else " · ".join([game, *words])] = replace(
            arena, cells=cells, copies=again, missing=max(0, planned[game, words] - len(played) - again)
        )
    return found


def _players(cell: Cell) -> tuple[str, str] | None:
    """Returns the labels of the models of the first and second role; None if the cell is no match of two models."""
    roles = cell.spec.get("roles") or {}
    if len(roles) != 1:
        return None
    [other] = roles.values()
    first, second = model_of(cell.spec, cell.model), model_of({"model": other}, "")
    return (first, second) if first != second else None
