"""Stands in for an agent whose code must not be imported: plays the recorded actions of an episode."""

from __future__ import annotations

from collections import defaultdict

from gwray.agents import Ask, Decision, Observation
from gwray.pipelines.outcome import reply_fields
from gwray.pipelines.replies import LogEnded, RoleAsk
from gwray.records import ACTION, Reply, StepRecord
from gwray.store import Episode


class RecordedAgent:
    """Plays the recorded actions of a role and reads its replies from the log without asking the questions."""

    calls_per_decision = 1

    def __init__(self, role: str, recorded: Episode, ask: RoleAsk):
        self._turns: dict[int, list[StepRecord]] = defaultdict(list)
        self._ask = ask
        for row in recorded.steps:
            if row.role == role and not row.forced:
                self._turns[row.decision].append(row)
        last = recorded.steps[-1].step if recorded.meta.record.ended_by == "finish" else None
        self._finish = next((row.decision for row in recorded.steps if row.step == last and row.role == role), None)

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        rows = self._turns.get(observation.decision)
        if not rows:
            raise LogEnded(f"there is no recorded decision {observation.decision}")
        replies = await self._ask.replay()
        invalid = next((r for r in rows if r.validity != "valid"), None)
        played = [r for r in rows if r.validity == "valid" and r.action is not None]
        return Decision(
            validity=invalid.validity if invalid else "valid",
            actions=tuple(ACTION.validate_json(r.action or "") for r in played),
            controls=tuple(r.control for r in played),
            reason=rows[-1].reason,
            repaired_from=rows[0].repaired_from,
            ignored=rows[0].ignored_calls,
            finish=observation.decision == self._finish,
            # The agent chose one of the replies: the one whose text is in the row.
            reply=next((r for r in replies if _has_reply(rows[0], r)), None),
        )


def _has_reply(row: StepRecord, reply: Reply) -> bool:
    return all(getattr(row, name) == words for name, words in reply_fields(reply).items())
