"""What a game lets its players see, so that a study asks for nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from gwray.catalog import Game
from gwray.errors import UsageError
from gwray.spec import ObservationSpec

FRONT = "front"
"""The screen itself."""
PREVIOUS = "previous"
"""The screen that the role saw one decision before."""


@dataclass(frozen=True)
class Offer:
    """What can be observed of a game."""

    views: tuple[str, ...]
    text: bool


def offered(game: Game) -> Offer:
    """Every game shows its screen, now and before; further views and text are the game's own (`game.yaml`)."""
    return Offer((FRONT, PREVIOUS, *game.views), game.text)


def refuse_unoffered(game: Game, wanted: ObservationSpec) -> None:
    """`UsageError` if the game cannot show what is wanted, naming what it offers."""
    offer = offered(game)
    views = ", ".join(offer.views)
    for name in wanted.views if wanted.pictures else ():
        if name not in offer.views:
            raise UsageError(
                f"{game.id} has no view '{name}'; it offers: {views}. Choose among them by observation.views=[…], or "
                "leave the game out."
            )
    if wanted.text and not offer.text:
        raise UsageError(
            f"{game.id} does not tell its screen in words; it offers: {views}. Use observation=image, or leave the "
            "game out."
        )
