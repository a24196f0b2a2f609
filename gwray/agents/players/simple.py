"""Players that need neither model nor state: `random`, `noop` and `fixed`."""

from __future__ import annotations

import random

from gwray.agents.base import Observation, Seat
from gwray.agents.players.base import Player, action_list, as_json
from gwray.agents.semantic import argument_of
from gwray.catalog.game import Control
from gwray.errors import UsageError
from gwray.records import digest
from gwray.spec import AgentSpec, ModelSpec


class Random(Player):
    """Uniform over the role's controls, or over its keys, clicks and waiting.

    Each step has its own stream, made from seed, repeat, game, task, role and step: what is drawn never depends on
    when or beside what the episode runs.
    """

    def choose_text(self, observation: Observation) -> str:
        seat = self.seat
        parts = ("random", seat.seed, seat.repeat, seat.game.id, seat.task.id, seat.role.name, observation.step)
        draw = random.Random(int(digest(*map(str, parts)), 16))
        if self.agent.interface == "semantic":
            control = draw.choice(seat.role.controls)
            return as_json({"action": control.id, "arguments": self._arguments(control, draw)})
        moves: list[dict[str, object]] = [{"action": "press_key", "key": k} for k in seat.role.keys]
        if seat.role.clicks:
            x, y = draw.randrange(seat.viewport[0]), draw.randrange(seat.viewport[1])
            moves += [{"action": "click", "x": x, "y": y, "button": b} for b in ("left", "right")]
        return as_json(draw.choice([*moves, {"action": "wait"}]))

    def _arguments(self, control: Control, draw: random.Random) -> dict[str, str]:
        match argument_of(control):
            case "cell":
                assert control.cells is not None
                return {"cell": draw.choice(control.cells.names())}
            case "text":
                letters = [k for k in self.seat.role.keys if len(k) == 1] or [" "]
                return {"text": "".join(draw.choices(letters, k=draw.randint(1, 5)))}
            case _:
                return {}


class Noop(Player):
    """Does nothing, each step."""

    def choose_text(self, observation: Observation) -> str:
        return self.idle()


class Fixed(Player):
    """Says the strings of `options.actions`, one a step, then does nothing.

    A string that begins with a control of the role is spoken as that control; any other is said as it is, so that
    any reply at all can be played.
    """

    def __init__(self, spec: ModelSpec, agent: AgentSpec, seat: Seat):
        super().__init__(spec, agent, seat)
        given = spec.options.get("actions", [])
        if not isinstance(given, list | tuple | dict):
            raise UsageError(
                "options.actions of the fixed player must be a list of strings, or a mapping from role to such a list"
            )
        self._actions = action_list(given, seat.role.name, [r.name for r in seat.game.roles])

    def choose_text(self, observation: Observation) -> str:
        if observation.step >= len(self._actions):
            return self.idle()
        said = self._actions[observation.step]
        return self.spoken(said) or said
