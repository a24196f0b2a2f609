"""From the actions of several roles to one timeline of input."""

from __future__ import annotations

from collections.abc import Mapping

from gwray.actions import Action, Event, events, merge
from gwray.catalog import Game


def joint_events(game: Game, actions: Mapping[str, Action], hold_scale: float = 1.0) -> list[Event]:
    """All roles' actions over the same frames, in ms of game time; ties in the order of the game's roles.

    An action without a duration lasts its role's `hold_ms`; `hold_scale` multiplies every time. `GameError` for a role
    that the game does not have.
    """
    for name in actions:
        game.role(name)
    merged = merge([events(actions[r.name], r.hold_ms) for r in game.roles if r.name in actions])
    if hold_scale == 1.0:
        return merged
    return [e.model_copy(update={"at_ms": e.at_ms * hold_scale}) for e in merged]
