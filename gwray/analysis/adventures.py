"""What long adventures come to: milestones, the gap between seeing a clue and using it, and how differently players
play. After FlashAdventure; the gaps of an episode are the metric `clues`."""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from statistics import mean, stdev

import polars as pl

from gwray.analysis.causes import annotated_words

GAP = "metrics.clues.gap"
GENRES = ("mystery", "hidden-object", "room-escape", "visual-novel", "management")
"""The genres of adventures, in the published order; simulation is management here."""
CODES: dict[str, str] = {
    "planning": "weak planning: it does the same again, or gives up a goal half-way",
    "perception": "poor perception: it does not see, or takes for something else, what is on the screen",
    "lateral_thinking": "no lateral thinking: it does not come to use a thing in another way than the usual one",
    "resource_management": "poor management of what is scarce: days, money, goodwill",
}
"""Why adventures are not finished, in the four codes that people give in the column `code` of an `annotations.csv`."""


@dataclass(frozen=True)
class GameMeans:
    """One cell over games, each weighing the same."""

    games: int
    sr: float
    """Success rate, a fraction."""
    mcr: float
    """Milestone completion rate: mean progress as a fraction; above 1 where a task's progress has no cap."""
    steps: float


@dataclass(frozen=True)
class Gap:
    """Environment steps from when clues were first seen to when they were acted on."""

    by_game: Mapping[str, float]
    mean: float
    """Of the games' means."""
    sd: float | None
    """Sample standard deviation of the games' means; None for a single game."""


@dataclass(frozen=True)
class PlayerSpread:
    """How one player's steps lie beside those of others in the same games."""

    normalised: Mapping[str, float]
    """Game → steps minus that game's mean over players."""
    ranks: Mapping[str, float]
    """Game → 1 for the fewest steps; equal ones share the mean of their ranks."""
    sd: float | None
    """Sample standard deviation of the normalised steps; None for a single game."""


def game_means(frame: pl.DataFrame) -> dict[str, GameMeans]:
    """Cell → its means over games. Episodes of a game weigh the same within it; failed ones are left out."""
    done = frame.filter(pl.col("status") == "finished")
    games = done.group_by("cell", "game").agg(
        pl.col("success").cast(pl.Float64).mean(), pl.col("progress").mean(), pl.col("steps").mean()
    )
    cells = games.group_by("cell").agg(pl.len(), pl.col("success", "progress", "steps").mean()).sort("cell")
    return {cell: GameMeans(*rest) for cell, *rest in cells.iter_rows()}


def clue_gap(gaps: Mapping[str, Sequence[float]]) -> Gap:
    """Of the gaps in each game, players and clues alike. Raises `ValueError` where no game has one."""
    by_game = {game: mean(values) for game, values in gaps.items() if values}
    if not by_game:
        raise ValueError("no clue was seen and used")
    means = list(by_game.values())
    return Gap(by_game, mean(means), stdev(means) if len(means) > 1 else None)


def gaps_of(frame: pl.DataFrame) -> dict[str, list[float]]:
    """Game → the mean gap of each of its finished episodes that has one."""
    if GAP not in frame.columns:
        return {}
    done = frame.filter((pl.col("status") == "finished") & pl.col(GAP).is_not_null()).sort("game", "key")
    return {str(game): group[GAP].to_list() for (game,), group in done.group_by("game", maintain_order=True)}


def read_codes(text: str, keys: Collection[str], where: str = "annotations.csv") -> dict[str, frozenset[str]]:
    """The codes that an `annotations.csv` gives in its column `code`, by episode; one row a code, by name or by its
    number from 1. Rows without one say nothing, and neither does a file without that column.

    Raises `UsageError` naming the line for an episode that is not there and an unknown code.
    """
    if "code" not in (csv.DictReader(StringIO(text)).fieldnames or ()):
        return {}
    return annotated_words(text, "code", list(CODES), keys, where)


def diversity(steps: Mapping[str, Mapping[str, float]]) -> dict[str, PlayerSpread]:
    """Player → spread, of game → player → steps. Players need not have played every game."""
    normalised: dict[str, dict[str, float]] = {}
    ranks: dict[str, dict[str, float]] = {}
    for game, of in steps.items():
        middle = mean(of.values())
        ordered = sorted(of.values())
        for player, n in of.items():
            normalised.setdefault(player, {})[game] = n - middle
            ranks.setdefault(player, {})[game] = ordered.index(n) + (ordered.count(n) + 1) / 2
    return {
        player: PlayerSpread(of, ranks[player], stdev(of.values()) if len(of) > 1 else None)
        for player, of in normalised.items()
    }
