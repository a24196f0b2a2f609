"""What the players without a model share: their replies are text in the plain JSON format, read like any model's."""

from __future__ import annotations

import json
import time
from typing import Any

from gwray.agents.base import Decision, Observation, Prompt, Seat
from gwray.agents.coordinates import Grid
from gwray.agents.formats import TEXT_FORMATS
from gwray.agents.reading import Reader
from gwray.agents.semantic import argument_of, resolve
from gwray.errors import choose
from gwray.records import Reply, canonical, digest, storable
from gwray.spec import AgentSpec, ImageGrid, ModelSpec


class Player:
    """A player that needs no request. Subclasses say what to do in `choose_text`."""

    sees_state = False
    instructions = ""

    def __init__(self, spec: ModelSpec, agent: AgentSpec, seat: Seat):
        self.spec, self.agent, self.seat = spec, agent, seat
        grid = Grid.of(ImageGrid(), seat.viewport)
        self._reader = Reader(seat, agent.interface, TEXT_FORMATS["json"], grid)
        self._identity = canonical(
            {
                "provider": spec.provider,
                "options": spec.options,
                "interface": agent.interface,
                "game": seat.game.id,
                "role": seat.role.name,
                "task": seat.task.id,
                "seed": seat.seed,
                "repeat": seat.repeat,
            }
        )

    def choose_text(self, observation: Observation) -> str:
        """The reply's text at this observation."""
        raise NotImplementedError

    def prepare(self, observation: Observation) -> Prompt:
        return Prompt(digest(self._identity, str(observation.step)), observation)

    async def ask(self, prompt: Prompt) -> Reply:
        started = time.perf_counter()
        text = self.choose_text(prompt.body)
        return Reply(text=text, finish_reason="stop", latency_ms=(time.perf_counter() - started) * 1000, requests=0)

    def interpret(self, reply: Reply, observation: Observation) -> Decision:
        return self._reader.decide(reply)

    def remember(self, observation: Observation, reply: Reply, decision: Decision) -> None:
        pass

    async def close(self) -> None:
        pass

    def spoken(self, said: str) -> str | None:
        """`control argument` in words, as a reply; None if it does not begin with one of the role's controls."""
        name, _, rest = said.strip().partition(" ")
        control = self.seat.role.control(name) if name else None
        if control is None:
            return None
        argument = argument_of(control)
        arguments = {argument: rest.strip()} if argument else {}
        if self.agent.interface == "semantic":
            return as_json({"action": control.id, "arguments": arguments})
        decision = resolve(control.id, arguments, self.seat.role, self.seat.viewport)
        if decision.action is None:
            return as_json({"action": control.id, **arguments})
        return as_json(decision.action.model_dump(exclude_none=True))

    def idle(self) -> str:
        """A reply that does nothing: a wait where the role can wait, otherwise nothing at all."""
        if self.agent.interface == "computer_use":
            return as_json({"action": "wait"})
        control = next((c for c in self.seat.role.controls if c.wait), None)
        return as_json({"action": control.id}) if control else ""


def as_json(value: dict[str, Any]) -> str:
    """One line of JSON."""
    return storable(json.dumps(value, ensure_ascii=False))


def action_list(given: Any, role: str, known: list[str]) -> list[str]:
    """A list of strings for one role, from a list (every role's) or a mapping by role."""
    if isinstance(given, dict):
        unknown = sorted(set(map(str, given)) - set(known))
        if unknown:
            raise choose("role", unknown[0], known)
        given = given.get(role, [])
    return [str(a) for a in given]
