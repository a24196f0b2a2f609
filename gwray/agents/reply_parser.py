"""From a reply to a decision: a format reads its calls, and the action space says what they come to."""

from __future__ import annotations

from dataclasses import dataclass

from gwray.agents.base import Decision
from gwray.agents.calls import NoCall, Parsed, Refused
from gwray.agents.formats import Format
from gwray.agents.spaces import ActionSpace
from gwray.errors import AgentError, InternalError, boundary
from gwray.records import Reply, storable


@dataclass(frozen=True)
class ReplyParser:
    """Pure: the same reply always comes to the same decision, and none raises."""

    space: ActionSpace
    format: Format

    def decide(self, reply: Reply, per_reply: int = 1) -> Decision:
        """What a reply came to. Its first `per_reply` calls count; further ones are ignored and noted.

        The actions are those before the first call that is not possible: with it the decision is `out_of_space`, its
        control comes last in `controls`, and what follows it is dropped.
        """
        theirs = self._theirs()
        with boundary(AgentError if theirs else InternalError, " ".join(["reading a reply", *theirs])):
            calls = self.format.parse_calls(reply)
            if isinstance(calls, NoCall):
                return Decision("no_tool_call", reason=storable(calls.reason), reply=reply)
            calls = self.space.merge_calls(calls)
            done: list[Parsed] = []
            refused: Refused | None = None
            finish = False
            for call in calls[:per_reply]:
                if finish := self.space.is_finish(call):
                    break
                found = self.space.to_action(call)
                if isinstance(found, Refused):
                    refused = found
                    break
                done.append(found)
            ignored = max(0, len(calls) - per_reply)
            notes = [p.note for p in done]
            if refused:
                notes.append(f"call {len(done) + 1}: {refused.reason}" if done else refused.reason)
            notes.append(f"{ignored} further call{'s' * (ignored > 1)} ignored" if ignored else "")
            return Decision(
                "out_of_space" if refused else "valid",
                actions=tuple(p.action for p in done),
                controls=tuple(p.control for p in (*done, *([refused] if refused else []))),
                reason=storable("; ".join(n for n in notes if n)),
                ignored=ignored,
                finish=finish,
                reply=reply,
            )

    def _theirs(self) -> list[str]:
        """Which of both is not our code: its author is to blame when it raises."""
        kinds = type(self.space), type(self.format)
        return [f"with {k.__module__}.{k.__name__}" for k in kinds if not k.__module__.startswith("gwray.")]

    def describe(self, reply: Reply, decision: Decision) -> str:
        """What was done in one short line, in the model's own coordinates, for its memory."""
        calls = self.format.parse_calls(reply)
        given = self.space.merge_calls(calls) if isinstance(calls, list) else []
        played = zip(given, decision.actions, decision.controls, strict=False)
        told = [self.space.describe(call, Parsed(action, control)) for call, action, control in played]
        if decision.finish:
            told.append("finish")
        if decision.validity != "valid":
            told.append(f"none ({decision.validity}: {decision.reason})")
        return "; ".join(told)
