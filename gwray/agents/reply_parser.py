"""Turns a reply into a decision: a format parses its calls, an action space turns them into actions."""

import re
from dataclasses import dataclass, replace

from gwray.agents.base import Decision
from gwray.agents.calls import Call, NoCall, Parsed, Refused
from gwray.agents.clients.misplaced import NOTE, is_misplaced
from gwray.agents.finish_reasons import finish_kind
from gwray.agents.formats import Format
from gwray.agents.formats.repair import repaired, with_thinking
from gwray.agents.respelling import has_several, respelled, respelled_call
from gwray.agents.spaces import ActionSpace
from gwray.errors import AgentError, InternalError, boundary
from gwray.records import Reply, storable

_NAME = re.compile(r"[\w.:-]{1,64}")
REPAIRED = "the call was repaired"
"""Begins the reason of a decision that the second reading made: a strict reading has no action there."""
RESPELLED = f"{REPAIRED} from another shape"
"""The same for the third reading."""


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
            if reply.reading > 2 and (twice := [c for c in reply.tool_calls[:per_reply] if has_several(c.arguments)]):
                reason = f"the arguments of {twice[0].name[:60]} hold several objects"
                return Decision("out_of_space", reason=storable(reason), reply=reply)
            decision = self._decision(self._calls(reply), reply, per_reply, exact)
            if reply.reading > 1 and decision.validity != "valid":
                decision = self._second(decision, reply, per_reply, exact)
            if reply.reading > 2 and decision.validity != "valid":
                decision = self._third(decision, reply, per_reply, exact)
            return decision

    def _second(self, decision: Decision, reply: Reply, per_reply: int, exact: bool) -> Decision:
        calls = self.format.parse_calls(repaired(with_thinking(reply)))
        if isinstance(calls, NoCall):
            return decision
        second = self._decision(self.space.repair_calls(calls), reply, per_reply, exact)
        steps = len(decision.actions)
        # Words that are no call may become one: then the reply still has none, unless it is possible.
        named = all(isinstance(c, Call) and _NAME.fullmatch(c.name) for c in calls)
        better = second.validity == "valid" or len(second.actions) > steps
        better = better or (decision.validity == "no_tool_call" and named)
        if not better or second.actions[:steps] != decision.actions:
            return decision
        return replace(second, reason="; ".join(n for n in (REPAIRED, second.reason) if n))

    def _third(self, decision: Decision, reply: Reply, per_reply: int, exact: bool) -> Decision:
        third = self._decision(self._respelled_calls(reply), reply, per_reply, exact)
        if third.validity != "valid" or third.actions[: len(decision.actions)] != decision.actions:
            return decision
        return replace(third, reason="; ".join(n for n in (RESPELLED, third.reason) if n))

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
        for call in calls[:per_reply]:
            if finish := self.space.is_finish(call):
                break
            found = self.space.to_action(call)
            if isinstance(found, Parsed) and reply.reading > 1 and (doubt := self.space.doubt(found.action)):
                found = Refused(doubt, found.control)
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

    def _calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        return self.format.parse_calls(reply if reply.reading == 1 else with_thinking(reply))

    def _repaired_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        calls = self.format.parse_calls(repaired(with_thinking(reply)))
        return calls if isinstance(calls, NoCall) else self.space.repair_calls(calls)

    def _respelled_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        known = {t.name: list(t.parameters.get("properties", {})) for t in self.space.offered_tools()}
        found = respelled(with_thinking(reply))
        calls = NoCall("no shape of a call is found") if found is None else self.format.parse_calls(found)
        if isinstance(calls, NoCall):
            return calls
        return self.space.repair_calls([respelled_call(c, known) for c in calls])

    def _custom_code(self) -> list[str]:
        """Names the user-defined classes; their errors are agent errors."""
        kinds = type(self.space), type(self.format)
        return [f"with {k.__module__}.{k.__name__}" for k in kinds if not k.__module__.startswith("gwray.")]

    def describe(self, reply: Reply, decision: Decision) -> str:
        """Returns the actions in one short line, in the model's own coordinates, for its memory."""
        done: list[str] = []
        if decision.actions:
            as_repaired = decision.reason.startswith(REPAIRED)
            as_respelled = decision.reason.startswith(RESPELLED)
            read = self._respelled_calls if as_respelled else self._repaired_calls if as_repaired else self._calls
            calls = read(reply)
            listed = self.space.merge_calls(calls) if isinstance(calls, list) else []
            played = zip(listed, decision.actions, decision.controls, strict=False)
            done = [self.space.describe(call, Parsed(action, control)) for call, action, control in played]
        if decision.finish:
            done.append("finish")
        if decision.validity != "valid":
            done.append(f"none ({decision.validity}: {decision.reason})")
        return "; ".join(done)
