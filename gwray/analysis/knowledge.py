"""What models know of games that they have not seen: in the published case, and in cases nobody can have read of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Level = Literal["title", "opening", "solution"]


@dataclass(frozen=True)
class Known:
    """What one probe found at one level of one game."""

    probe: str
    model: str
    game: str
    level: Level
    published: bool
    """The case's solution is published; otherwise it was generated, and what is right was guessed."""
    right: int
    asked: int


def share(some: Iterable[Known], level: Level, published: bool = True) -> tuple[int, int]:
    """How many answers were right, and of how many questions, in all of these."""
    of = [k for k in some if k.level == level and k.published == published]
    return sum(k.right for k in of), sum(k.asked for k in of)


def by_chance(published: tuple[int, int], generated: tuple[int, int]) -> float | None:
    """The probability of at least so many right answers in the published cases if they were known no better than the
    generated ones: Fisher's exact test, one-sided. None where one of both was not asked about."""
    if not published[1] or not generated[1]:
        return None
    from scipy import stats

    table = [[right, asked - right] for right, asked in (published, generated)]
    return float(stats.fisher_exact(table, alternative="greater").pvalue)  # type: ignore[union-attr]
