"""One role's turn in the episode loop: its agent's decision, and the rows that record it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import BaseModel

from gwray.agents import Agent, Call, Decision, Observation, Prompt, Refused, Semantic, check_action, plain_call
from gwray.catalog import Game
from gwray.environments import CommandAnswer
from gwray.errors import AgentError, GwrayError, UsageError, where
from gwray.pipelines.outcome import joined, replies_hash, reply_fields
from gwray.pipelines.replies import Questions, RoleAsk, TurnEnded
from gwray.records import VALIDITIES, Action, Command, Reply, UsageTotals, canonical, storable


@dataclass(frozen=True)
class RoleTurn:
    """One role's decision, its questions and their cost."""

    role: str
    decision: Decision
    asked: Questions
    charged_ms: float
    notes: tuple[str, ...] = ()
    observed: str = ""
    """The game's description."""


@dataclass
class OpenReply:
    """A reply whose actions are being played, in a game with `turns: free`."""

    turn: RoleTurn
    decision: int
    begun: int = 0
    """Number of its environment steps that have begun."""
    answers: list[CommandAnswer | None] = field(default_factory=list)
    """The game's answer to each action that has ended."""

    @property
    def left(self) -> int:
        """Number of its environment steps that have not begun."""
        return self.turn.decision.steps - self.begun


async def take_turn(
    agent: Agent, role: str, game: Game, seen: Observation, ask: RoleAsk, per_reply: int = 1
) -> Decision:
    """Returns an agent's decision on an observation, of at most `per_reply` environment steps. Raises the error of a
    failed question even if the agent caught it, and `AgentError` if the agent breaks its contract."""

    async def ask_only(*prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
        return await ask(*prompts, by=by)  # a plain function: `ask` has the game's state, which agents must not read

    try:
        decision = await agent.act(seen, ask_only)
    except TurnEnded as e:
        assert ask.failed is not None
        raise ask.failed from e
    except GwrayError as e:
        if ask.failed is not None and ask.failed is not e:
            raise ask.failed from e
        raise
    except BaseException as e:
        if isinstance(e, KeyboardInterrupt) or (isinstance(e, asyncio.CancelledError) and _is_cancelled()):
            raise
        if ask.failed is not None:
            raise ask.failed from e
        raise AgentError(
            f"the agent of '{role}' failed in decision {seen.decision}: {type(e).__name__}: {e}{where(e)}"
        ) from e
    finally:
        ask.end()
    if ask.failed is not None:
        raise ask.failed
    decision = _checked_decision(role, game, seen.decision, decision, ask.asked.replies, per_reply)
    if ask.has_open_question:
        raise AgentError(f"`act` returned while a question was open (decision {seen.decision})")
    return decision


def _is_cancelled() -> bool:
    """Whether this task was cancelled, as opposed to an agent that raises `CancelledError`."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _checked_decision(
    role: str, game: Game, number: int, decision: Decision, replies: Sequence[Reply], per_reply: int
) -> Decision:
    """Returns an agent's decision with its actions as `check_action` returns them. Agents may build a decision without
    `context.decide`, so every field is checked; raises `AgentError` if one is invalid."""
    at = f"(decision {number})"
    if not isinstance(decision, Decision):
        raise AgentError(
            f"`act` must return a Decision, such as context.decide(reply), not {type(decision).__name__} {at}"
        )
    for name, (valid, allowed) in _field_checks(decision, replies).items():
        if not valid:
            raise AgentError(f"a Decision's {name} must be {allowed}, not {getattr(decision, name)!r:.80} {at}")
    if decision.steps > per_reply:
        raise AgentError(
            f"a Decision takes {decision.steps} environment steps, but action.per_reply is {per_reply}: return fewer "
            f"actions, or set action.per_reply={decision.steps} {at}"
        )
    actions: list[Action] = []
    for action in decision.actions:
        legal = check_action(action, game.role(role), game.viewport)
        if isinstance(legal, Refused):
            raise AgentError(f"a Decision has {action.action}, which '{role}' cannot do: {legal.reason} {at}")
        actions.append(legal.action)
    return replace(decision, actions=tuple(actions), reason=storable(decision.reason))


def _field_checks(decision: Decision, replies: Sequence[Reply]) -> dict[str, tuple[bool, str]]:
    """Returns for each field whether its value is valid, and a description of valid values."""
    actions, controls, ignored = decision.actions, decision.controls, decision.ignored
    listed = isinstance(actions, tuple | list) and all(isinstance(a, BaseModel) for a in actions)
    named = isinstance(controls, tuple | list) and all(isinstance(c, str | None) for c in controls)
    return {
        "validity": (decision.validity in VALIDITIES, f"one of {', '.join(VALIDITIES)}"),
        "actions": (listed, "actions of gwray.records"),
        "controls": (named, "control names, each a text or None"),
        "reason": (isinstance(decision.reason, str), "a string"),
        "repaired_from": (
            decision.repaired_from in ("", *VALIDITIES[1:]),
            f"one of {', '.join(VALIDITIES[1:])}, or ''",
        ),
        "ignored": (type(ignored) is int and ignored >= 0, "an integer >= 0"),
        "finish": (isinstance(decision.finish, bool), "True or False"),
        "reply": (decision.reply is None or decision.reply in replies, "an unmodified reply of this turn, or None"),
    }


def forced_action(game: Game, role: str, control: str) -> Action:
    """Returns the action of a control that a nudge plays; raises `UsageError` if there is none."""
    found = Semantic.for_role(game.role(role), game.viewport).to_action(Call(control))
    if isinstance(found, Refused):
        raise UsageError(f"nudge.force '{control}' of {role} in {game.id}: {found.reason}")
    return found.action


def forced_row(role: str, control: str, action: Action) -> dict[str, Any]:
    return {"role": role, "forced": True, "control": control, "action": canonical(action.model_dump())}


def answer_fields(answer: CommandAnswer | None) -> dict[str, Any]:
    """Returns a row's columns for the game's answer to a command."""
    return {"ok": answer.ok, "feedback": answer.feedback} if answer else {}


def feedback_note(turn: RoleTurn, answers: Sequence[CommandAnswer | None]) -> str:
    """Returns the answers to the commands of a turn, for the role's next prompt; empty if it gave none. The commands
    are written as in the agent's history."""
    lines = []
    for action, control, answer in zip(turn.decision.actions, turn.decision.controls, answers, strict=False):
        if isinstance(action, Command) and answer is not None:
            called = _called(control or action.name, action.args)
            lines.append(f"- {called}: {'ok' if answer.ok else 'failed'}. {answer.feedback}".rstrip())
    return "\n".join(["What the game answered to your last actions:", *lines]) if lines else ""


def _called(name: str, arguments: Mapping[str, Any]) -> str:
    if isinstance(code := arguments.get("code"), str) and "\n" in code:
        return f"{name} with this program:\n```javascript\n{code}\n```\n"
    return plain_call(name, arguments)


def row_of(turn: RoleTurn, index: int, dropped: int) -> dict[str, Any]:
    """Returns one role's row of an environment step; reply and costs are on the first row of a decision."""
    decision, asked = turn.decision, turn.asked
    played = decision.actions[index] if index < len(decision.actions) else None
    reasons = [decision.reason] if index == min(len(decision.actions), decision.steps - 1) else []
    if dropped:
        reasons.append(f"{dropped} further action{'s' * (dropped > 1)} dropped: the attempt was over")
    row: dict[str, Any] = {
        "role": turn.role,
        "index": index,
        "action": canonical(played.model_dump()) if played else None,
        "control": decision.controls[index] if index < len(decision.controls) else None,
        "validity": "valid" if index < len(decision.actions) else decision.validity,
        "reason": "; ".join(r for r in reasons if r),
    }
    if index:
        return row
    reply = decision.reply or (asked.replies[-1] if asked.replies else None)
    spent = UsageTotals.from_replies(asked.replies)
    return {
        **row,
        "words_hash": joined(asked.words),
        "pictures_hash": joined([p for p in asked.pictures if p]),
        "replies_hash": replies_hash(asked.replies),
        **(reply_fields(reply) if reply else {}),
        "repaired_from": decision.repaired_from,
        "ignored_calls": decision.ignored,
        "calls": len(asked.replies),
        "notes": "\n".join(turn.notes),
        "observed": storable(turn.observed),
        **spent.fields(),
        "charged_ms": turn.charged_ms,
    }
