"""Statistics of FlashAdventure: milestones, the gap between seeing a clue and using it, how differently players act in
the same game, and what models know of a game in advance. The gaps of an episode are the metric `clues`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Literal

import polars as pl

GAP = "metrics.clues.gap"
GENRES = ("mystery", "hidden-object", "room-escape", "visual-novel", "management")
"""The genres of adventures in the published order; simulation is called management here."""


@dataclass(frozen=True)
class GameMeans:
    """Means of one cell over games, with equal weights."""

    games: int
    sr: float
    """Success rate, a fraction."""
    mcr: float
    """Milestone completion rate: mean progress as a fraction; can exceed 1 where a task's progress has no cap."""
    steps: float


@dataclass(frozen=True)
class Gap:
    """Environment steps between first seeing clues and acting on them."""

    by_game: Mapping[str, float]
    mean: float
    """Mean of the games' means."""
    sd: float | None
    """Sample standard deviation of the games' means; None for a single game."""


@dataclass(frozen=True)
class PlayerSpread:
    """One player's steps compared with those of others in the same games."""

    normalised: Mapping[str, float]
    """Game → steps minus that game's mean over players."""
    ranks: Mapping[str, float]
    """Game → rank, 1 for the fewest steps; ties get their mean rank."""
    sd: float | None
    """Sample standard deviation of the normalised steps; None for a single game."""


def game_means(frame: pl.DataFrame) -> dict[str, GameMeans]:
    """Returns each cell's means over games. Within a game, finished episodes have equal weights."""
    done = frame.filter(pl.col("status") == "finished")
    games = done.group_by("cell", "game").agg(
        pl.col("success").cast(pl.Float64).mean(), pl.col("progress").mean(), pl.col("steps").mean()
    )
    cells = games.group_by("cell").agg(pl.len(), pl.col("success", "progress", "steps").mean()).sort("cell")
    return {cell: GameMeans(*rest) for cell, *rest in cells.iter_rows()}


def clue_gap(gaps: Mapping[str, Sequence[float]]) -> Gap:
    """Returns the gap over games, from the gaps of each game's episodes. Raises `ValueError` if no game has one."""
    by_game = {game: mean(values) for game, values in gaps.items() if values}
    if not by_game:
        raise ValueError("no clue was both seen and used")
    means = list(by_game.values())
    return Gap(by_game, mean(means), stdev(means) if len(means) > 1 else None)


def episode_gaps(frame: pl.DataFrame) -> dict[str, list[float]]:
    """Returns for each game the mean gaps of its finished episodes that have one."""
    if GAP not in frame.columns:
        return {}
    done = frame.filter((pl.col("status") == "finished") & pl.col(GAP).is_not_null()).sort("game", "key")
    return {str(game): group[GAP].to_list() for (game,), group in done.group_by("game", maintain_order=True)}


def diversity(steps: Mapping[str, Mapping[str, float]]) -> dict[str, PlayerSpread]:
    """Returns each player's spread. `steps`: game → player → steps; a player may lack games."""
    normalised: dict[str, dict[str, float]] = {}
    ranks: dict[str, dict[str, float]] = {}
    for game, by_player in steps.items():
        middle = mean(by_player.values())
        ordered = sorted(by_player.values())
        for player, n in by_player.items():
            normalised.setdefault(player, {})[game] = n - middle
            ranks.setdefault(player, {})[game] = ordered.index(n) + (ordered.count(n) + 1) / 2
    return {
        player: PlayerSpread(differences, ranks[player], stdev(differences.values()) if len(differences) > 1 else None)
        for player, differences in normalised.items()
    }


Level = Literal["solution", "conclusion", "behavior"]
"""Kinds of questions of a probe; behavior is what the model did when it played."""


@dataclass(frozen=True)
class ProbeResult:
    """Answers of one probe at one level of one game: what a model knows of a game without seeing it."""

    probe: str
    """Name of the judge."""
    model: str
    game: str
    level: Level
    published: bool
    """Whether the case's solution is published; of generated cases it can only be guessed."""
    right: int
    asked: int


def count_right(results: Iterable[ProbeResult], level: Level, published: bool = True) -> tuple[int, int]:
    """Returns the number of right answers and of questions at one level."""
    found = [r for r in results if r.level == level and r.published == published]
    return sum(r.right for r in found), sum(r.asked for r in found)


def contamination_p(published: tuple[int, int], generated: tuple[int, int]) -> float | None:
    """Returns the probability of at least as many right answers about published cases if they were known no better than
    generated ones: Fisher's exact test, one-sided. None where one of both has no questions.

    Args:
        published: Right answers and questions about published cases (`count_right`).
        generated: The same about generated cases.
    """
    if not published[1] or not generated[1]:
        return None
    from scipy import stats

    table = [[right, asked - right] for right, asked in (published, generated)]
    return float(stats.fisher_exact(table, alternative="greater").pvalue)  # type: ignore[union-attr]
