"""Turns a reply into a decision: a format reads its calls, an action space turns them into actions.

    reply → `Format.parse_calls` → `_judged` → decision
    reply → `_repaired_calls`    → `_judged` → decision, if the first one has an impossible call or none

The first line is the strict reading, which decides the invalid action rate; the second one is the repair.
"""

from dataclasses import dataclass, replace

from gwray.agents.base import Decision
from gwray.agents.calls import MAX_TEXT, Call, NoCall, Parsed, Refused
from gwray.agents.finish_reasons import finish_kind
from gwray.agents.formats import Format
from gwray.agents.formats.base import tool_calls
from gwray.agents.formats.in_text import calls_in_text
from gwray.agents.formats.repair import plain_reply
from gwray.agents.spaces import ActionSpace
from gwray.errors import AgentError, InternalError, boundary
from gwray.records import Reply, storable

REPAIRED = "the call was repaired"
"""Begins the reason of a decision that the repair made: the strict reading has no action there."""


@dataclass(frozen=True)
class ReplyParser:
    """Pure: the same reply always gives the same decision, and no reply raises."""

    space: ActionSpace
    format: Format
    repair: bool = True
    """Whether a reply that its format cannot read is repaired."""

    def decide(self, reply: Reply, per_reply: int = 1, *, exact: bool = False) -> Decision:
        """Returns the decision of a reply.

        The actions end before the first call that is not possible: then the decision is `out_of_space`, and the control
        of that call is the last one in `controls`.

        Args:
            reply: the reply of a model.
            per_reply: number of calls that count; further ones are ignored and noted in `reason`.
            exact: whether a reply with fewer calls is not possible as a whole.

        Raises:
            AgentError: a user-defined action space or format raised an error.
        """
        custom = self._custom_code()
        with boundary(AgentError if custom else InternalError, " ".join(["reading a reply", *custom])):
            strict = self._judged(self.format.parse_calls(_end(reply)), reply, per_reply, exact)
            if strict.validity == "valid" or not self.repair:
                return strict
            repaired = self._judged(self._repaired_calls(reply), reply, per_reply, exact)
            if repaired.validity != "valid" or repaired.actions[: len(strict.actions)] != strict.actions:
                return strict
            if len(repaired.actions) == len(strict.actions) and not repaired.finish:
                return strict  # the impossible call was left out
            reason = "; ".join(note for note in (REPAIRED, repaired.reason) if note)
            return replace(repaired, repaired_from=strict.validity, reason=reason)

    def _repaired_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        """Returns the calls that the repair reads: those of the format in the reply in plain JSON."""
        plain = plain_reply(_end(reply), self.space.known_calls())
        calls = self.format.parse_calls(plain)
        if isinstance(calls, NoCall):
            calls = tool_calls(plain) or calls_in_text(plain)
        return self.space.repair_calls(calls) if calls else NoCall("the reply has no call")

    def _judged(self, calls: list[Call | Refused] | NoCall, reply: Reply, per_reply: int, exact: bool) -> Decision:
        """Returns the decision of calls: the actions that the role may do, up to the first impossible one."""
        if isinstance(calls, NoCall):
            unknown = finish_kind(reply.finish_reason) == "unknown"
            reason = f"{calls.reason} (unknown finish reason '{reply.finish_reason}')" if unknown else calls.reason
            return Decision("no_tool_call", reason=storable(reason), reply=reply)
        calls = self.space.merge_calls(calls)
        if exact and len(calls) < per_reply and not any(map(self.space.is_finish, calls)):
            reason = f"a reply needs exactly {per_reply} actions, this one has {len(calls)}"
            return Decision("out_of_space", reason=reason, reply=reply)
        actions: list[Parsed] = []
        refused: Refused | None = None
        finish = False
        limit = per_reply
        for call in calls[:per_reply]:
            if len(actions) == limit or (finish := self.space.is_finish(call)):
                break
            found = self.space.to_action(call)
            if self.space.is_alone(found):
                limit = max(1, len(actions))
                if actions:
                    break
            if isinstance(found, Refused):
                refused = found
                break
            actions.append(found)
        ignored = max(0, len(calls) - limit)
        notes = [p.note for p in actions]
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
        done: list[str] = []
        if decision.actions:
            calls = self._repaired_calls(reply) if decision.repaired_from else self.format.parse_calls(_end(reply))
            listed = self.space.merge_calls(calls) if isinstance(calls, list) else []
            played = zip(listed, decision.actions, decision.controls, strict=False)
            done = [self.space.describe(call, Parsed(action, control)) for call, action, control in played]
        if decision.finish:
            done.append("finish")
        if decision.validity != "valid":
            done.append(f"none ({decision.validity}: {decision.reason})")
        return "; ".join(done)


def _end(reply: Reply) -> Reply:
    """Returns a reply with the end of its text only: a reply ends with its calls."""
    return reply.model_copy(update={"text": reply.text[-MAX_TEXT:]})
