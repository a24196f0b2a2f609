"""Turns a reply into a decision: a format parses its calls, an action space turns them into actions."""

from dataclasses import dataclass, replace

from gwray.agents.base import Decision
from gwray.agents.calls import Call, NoCall, Parsed, Refused
from gwray.agents.clients.misplaced import NOTE, is_misplaced
from gwray.agents.finish_reasons import finish_kind
from gwray.agents.formats import Format
from gwray.agents.formats.answers import without_asides
from gwray.agents.formats.base import tool_calls
from gwray.agents.formats.loose_json import has_several
from gwray.agents.formats.repair import Found, calls_in, chosen, plain_tool_calls
from gwray.agents.spaces import ActionSpace
from gwray.errors import AgentError, InternalError, boundary
from gwray.records import Reply, storable

REPAIRED = "the call was repaired"
"""Begins the reason of a decision that the repair path made: a strict reading has no action there."""
QUOTED = "the call is quoted, negated or considered only"


@dataclass(frozen=True)
class ReplyParser:
    """Pure: the same reply always gives the same decision, and no reply raises."""

    space: ActionSpace
    format: Format

    def decide(self, reply: Reply, per_reply: int = 1, *, exact: bool = False) -> Decision:
        """Returns the decision of a reply, by the reading that it was recorded with.

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
            if reply.reading == 1:
                return self._decision(self.format.parse_calls(reply), reply, per_reply, exact)
            if several := [c.name for c in reply.tool_calls[:per_reply] if has_several(c.arguments)]:
                reason = f"the arguments of {several[0][:60]} hold several objects"
                return Decision("out_of_space", reason=storable(reason), reply=reply)
            decision = self._decision(self.format.parse_calls(without_asides(reply)), reply, per_reply, exact)
            return self._repaired(decision, reply, per_reply, exact)

    def _repaired(self, strict: Decision, reply: Reply, per_reply: int, exact: bool) -> Decision:
        """Returns the decision of the repair path if it is a better one, and refuses a call that is only quoted."""
        if reply.tool_calls and strict.validity == "valid":
            return strict
        found = [] if self._has_calls(reply) else self._found(reply)
        if strict.validity == "valid":
            same = [f for f in found if f.possible and self._plays(f.call, strict)]
            if not all(f.dismissed for f in same) or not (same or any(f.form == "two values" for f in found)):
                return strict
            strict = Decision("no_tool_call", reason=QUOTED, reply=reply)
        forms, calls = self._repaired_calls(reply)
        if not calls:
            return strict
        repaired = self._decision(calls, reply, per_reply, exact)
        # A repaired reading that is valid with the same actions has only dropped the call that was not possible.
        complete = repaired.validity == "valid" and (repaired.finish or not strict.actions)
        better = complete or len(repaired.actions) > len(strict.actions)
        if not better and (strict.validity != "no_tool_call" or strict.reason == QUOTED):
            return strict
        if repaired.actions[: len(strict.actions)] != strict.actions:
            return strict
        return replace(repaired, repairs=forms, reason="; ".join(n for n in (REPAIRED, repaired.reason) if n))

    def _has_calls(self, reply: Reply) -> bool:
        """Whether only the names and arguments of calls may be repaired: text in a user-defined format has no other."""
        return bool(reply.tool_calls) or not type(self.format).__module__.startswith("gwray.")

    def _found(self, reply: Reply) -> list[Found]:
        return calls_in(without_asides(reply), self.space.known_calls(), self.space.possible)

    def _plays(self, call: Call, decision: Decision) -> bool:
        action = self.space.to_action(call)
        return isinstance(action, Parsed) and decision.actions[:1] == (action.action,)

    def _repaired_calls(self, reply: Reply) -> tuple[str, list[Call | Refused]]:
        """Returns the forms of the calls that the repair path reads, and the calls."""
        if not self._has_calls(reply):
            found = [f for f in chosen(self._found(reply)) if f.call.name]
            return ",".join(sorted({f.form for f in found})), self.space.repair_calls([f.call for f in found])
        plain = plain_tool_calls(reply)
        calls = self.format.parse_calls(plain)
        return "arguments", self.space.repair_calls(tool_calls(plain) if isinstance(calls, NoCall) else calls)

    def _decision(self, calls: list[Call | Refused] | NoCall, reply: Reply, per_reply: int, exact: bool) -> Decision:
        if isinstance(calls, NoCall):
            unknown = reply.reading > 2 and finish_kind(reply.finish_reason) == "unknown"
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
            if isinstance(found, Parsed) and isinstance(call, Call) and reply.reading > 1:
                doubt = self.space.doubt(found.action, call)
                found = Refused(doubt, found.control) if doubt else found
            if isinstance(found, Refused):
                refused = found
                break
            actions.append(found)
        ignored = max(0, len(calls) - limit)
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
        done: list[str] = []
        if decision.actions:
            plain = reply if reply.reading == 1 else without_asides(reply)
            repaired = decision.reason.startswith(REPAIRED)
            calls = self._repaired_calls(reply)[1] if repaired else self.format.parse_calls(plain)
            listed = self.space.merge_calls(calls) if isinstance(calls, list) else []
            played = zip(listed, decision.actions, decision.controls, strict=False)
            done = [self.space.describe(call, Parsed(action, control)) for call, action, control in played]
        if decision.finish:
            done.append("finish")
        if decision.validity != "valid":
            done.append(f"none ({decision.validity}: {decision.reason})")
        return "; ".join(done)
