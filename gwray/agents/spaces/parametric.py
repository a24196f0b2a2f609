"""Semantic controls of a role's other set, such as two sticks with direction, strength and duration."""

from __future__ import annotations

from typing import Any

from gwray.agents.spaces.semantic import Semantic
from gwray.catalog import Role
from gwray.errors import UsageError


class Parametric(Semantic):
    """Acting by `parametric` of `game.yaml` in place of `controls`. A model that plays through controls plays through
    these. Raises `UsageError` for a role that has none."""

    def __init__(self, role: Role, *further: Any, **named: Any):
        if not role.parametric:
            raise UsageError(
                f"the role '{role.name}' of this game has no parametric controls; choose interface=semantic, or a game "
                "whose game.yaml has `parametric:` in its role, such as town"
            )
        controls = {"controls": role.parametric, "parametric": ()}
        super().__init__(role.model_copy(update=controls), *further, **named)
