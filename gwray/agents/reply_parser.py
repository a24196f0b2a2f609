"""Turns a reply into a decision: a format parses its calls, an action space turns them into actions."""

from __future__ import annotations

from dataclasses import dataclass

from gwray.agents.base import Decision
from gwray.agents.calls import NoCall, Parsed, Refused
from gwray.agents.clients.misplaced import NOTE, is_misplaced
from gwray.agents.formats import Format
from gwray.agents.spaces import ActionSpace
from gwray.errors import AgentError, InternalError, boundary
from gwray.records import Reply, storable


@dataclass(frozen=True)
class ReplyParser:
    """Pure: the same reply always gives the same decision, and no reply raises."""

    space: ActionSpace
    format: Format

    def decide(self, reply: Reply, per_reply: int = 1) -> Decision:
        """Returns the decision of a reply.

        The actions end before the first call that is not possible: then the decision is `out_of_space`, and the control
        of that call is the last one in `controls`.

        Args:
            reply: the reply of a model.
            per_reply: number of calls that count; further ones are ignored and noted in `reason`.

        Raises:
            AgentError: a user-defined action space or format raised an error.
        """
        custom = self._custom_code()
        with boundary(AgentError if custom else InternalError, " ".join(["reading a reply", *custom])):
            calls = self.format.parse_calls(reply)
            if isinstance(calls, NoCall):
                return Decision("no_tool_call", reason=storable(calls.reason), reply=reply)
            calls = self.space.merge_calls(calls)
            actions: list[Parsed] = []
            refused: Refused | None = None
            finish = False
            for call in calls[:per_reply]:
                if finish := self.space.is_finish(call):
                    break
                found = self.space.to_action(call)
                if isinstance(found, Refused):
                    refused = found
                    break
                actions.append(found)
            ignored = max(0, len(calls) - per_reply)
            notes = [NOTE if is_misplaced(reply) else "", *(p.note for p in actions)]
            if refused:
                notes.append(f"call {len(actions) + 1}: {refused.reason}" if actions else refused.reason)
            notes.append(f"{ignored} further call{'s' * (ignored > 1)} ignored" if ignored else "")
            return Decision(
                "out_of_space" if refused else "valid",
                actions=tuple(p.action for p in actions),
                controls=tuple(p.control for p in (*actions, *([refused] if refused else []))),
                reason=storable("; ".join(n for n in notes if n)),
                ignored=ignored,
                finish=finish,
                reply=reply,
            )

    def _custom_code(self) -> list[str]:
        """Names the user-defined classes; their errors are agent errors."""
        kinds = type(self.space), type(self.format)
        return [f"with {k.__module__}.{k.__name__}" for k in kinds if not k.__module__.startswith("gwray.")]

    def describe(self, reply: Reply, decision: Decision) -> str:
        """Returns the actions in one short line, in the model's own coordinates, for its memory."""
        calls = self.format.parse_calls(reply)
        listed = self.space.merge_calls(calls) if isinstance(calls, list) else []
        played = zip(listed, decision.actions, decision.controls, strict=False)
        done = [self.space.describe(call, Parsed(action, control)) for call, action, control in played]
        if decision.finish:
            done.append("finish")
        if decision.validity != "valid":
            done.append(f"none ({decision.validity}: {decision.reason})")
        return "; ".join(done)
