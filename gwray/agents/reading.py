"""From a reply to a decision: read it in the seat's format, then ask whether the role may do it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from gwray.agents.base import Decision, Seat
from gwray.agents.coordinates import Grid
from gwray.agents.formats import ControlCall, Format, NoCall, Refused
from gwray.agents.legality import judge
from gwray.agents.semantic import argument_of, resolve
from gwray.errors import InternalError, boundary
from gwray.records import Reply, storable
from gwray.spec import Interface


@dataclass(frozen=True)
class Reader:
    """Pure: the same reply always comes to the same decision."""

    seat: Seat
    interface: Interface
    format: Format
    grid: Grid

    def decide(self, reply: Reply) -> Decision:
        """What the reply came to."""
        with boundary(InternalError, "reading a reply"):
            decision = self._decide(reply)
            return replace(decision, reason=storable(decision.reason))

    def _decide(self, reply: Reply) -> Decision:
        if self.interface == "semantic":
            found = self.format.control(reply)
            if isinstance(found, ControlCall):
                return resolve(found.name, found.arguments, self.seat.role, self.seat.viewport)
        else:
            found = self.format.raw(reply, self.grid)
            if not isinstance(found, NoCall | Refused):
                return judge(found, self.seat.role, self.seat.viewport)
        validity = "no_tool_call" if isinstance(found, NoCall) else "out_of_space"
        return Decision(validity, reason=found.reason)

    def retell(self, reply: Reply, decision: Decision) -> str:
        """The action in one short line, in the model's own coordinates, for its memory."""
        if decision.action is None:
            return f"none ({decision.validity}: {decision.reason})"
        if decision.control is not None:
            control = self.seat.role.control(decision.control)
            found = self.format.control(reply)
            if control and argument_of(control) and isinstance(found, ControlCall):
                given = found.arguments
                said = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
                return f"{control.id} {storable(said)}"
            return decision.control
        told = decision.action.model_dump(exclude_none=True)
        for x, y in (("x", "y"), ("to_x", "to_y"), ("from_x", "from_y")):
            if x in told and y in told:
                told[x], told[y] = self.grid.from_viewport(told[x], told[y])
        return json.dumps(told, ensure_ascii=False)
