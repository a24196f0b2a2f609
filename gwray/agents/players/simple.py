"""Players that need neither model nor state: `random`, `noop` and `fixed`."""

from __future__ import annotations

import random

from gwray.agents.players.base import Player, action_list, as_json
from gwray.agents.role_context import RoleContext, Situation
from gwray.errors import UsageError
from gwray.records import digest
from gwray.spec import AgentSpec, ModelSpec


class Random(Player):
    """Uniform over what the role's action space draws from, as many actions a reply as it may hold.

    Each turn has its own stream, made from seed, repeat, game, task, role and turn: what is drawn never depends on
    when or beside what the episode runs.
    """

    def choose_text(self, situation: Situation) -> str:
        at = self.role_context
        parts = ("random", at.seed, at.repeat, at.game.id, at.task.id, at.role.name, situation.decision)
        draw = random.Random(int(digest(*map(str, parts)), 16))
        drawn = [self.space.to_json(self.space.random_call(draw)) for _ in range(at.action.per_reply or 1)]
        return as_json(drawn[0] if len(drawn) == 1 else {"actions": drawn})


class Noop(Player):
    """Does nothing, each step."""

    def choose_text(self, situation: Situation) -> str:
        return self.idle_reply()


class Fixed(Player):
    """Says the strings of `options.actions`, one a step, then does nothing.

    A string that begins with a control of the role is spoken as that control; any other is said as it is, so that
    any reply at all can be played.
    """

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext):
        super().__init__(spec, agent, role_context)
        given = spec.options.get("actions", [])
        if not isinstance(given, list | tuple | dict):
            raise UsageError(
                "options.actions of the fixed player must be a list of strings, or a mapping from role to such a list"
            )
        self._actions = action_list(given, role_context.role.name, [r.name for r in role_context.game.roles])

    def choose_text(self, situation: Situation) -> str:
        if situation.decision >= len(self._actions):
            return self.idle_reply()
        said = self._actions[situation.decision]
        return self.control_reply(said) or said
