"""Nudges: hints and forced actions for an agent without progress, as a pure function of the rows so far. Nothing else
is used, so a replay nudges at the same steps. Forced actions are played like any other; their rows are marked and do
not trigger the next nudge, which needs a decision of the agent."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from gwray.catalog import Game, Motion, Role, Task
from gwray.errors import UsageError, choose
from gwray.evaluation.movement import ineffective, moved, turns_back
from gwray.evaluation.predicates import field
from gwray.records import StepRecord
from gwray.settings import NudgeSpec

STATE_FIELD = re.compile(r"{([a-z_][\w.]*)}")
HINT = "{hint}"
"""Placeholder in `nudge.say` for the hint of the next milestone."""


@dataclass(frozen=True)
class NudgeEffect:
    """Effect of a nudge on a role, before its next decision."""

    say: str
    """Text for the next observation; may be empty."""
    force: tuple[str, ...]
    """Controls to play first, one environment step each."""


def nudge(spec: NudgeSpec, rows: Sequence[StepRecord], task: Task, role: str) -> NudgeEffect | None:
    """Returns the nudge that is due before a role's next decision, given the rows so far; None if none is.

    Example: `nudge(NudgeSpec(when="every", count=50, say="Look around."), rows, task, "player")`
    """
    if spec.when is None or not _is_due(spec, rows, task, role):
        return None
    say = spec.say
    if HINT in say:
        hint = _hint(rows, task)
        if not hint:
            return None
        say = say.replace(HINT, hint)
    return NudgeEffect(say, spec.force)


def check_nudge(spec: NudgeSpec, game: Game, role: Role) -> None:
    """Raises `UsageError` for a nudge without effect in a game: unknown controls of the role, and movement, milestones
    or hints that the game does not define."""
    if unknown := [word for word in re.findall(r"{[^{}]*}", spec.say) if word != HINT]:
        raise UsageError(f"nudge.say has the unknown placeholder {unknown[0]}. Allowed: {HINT}.")
    if spec.when and HINT in spec.say and not any(m.hint for task in game.tasks for m in task.milestones):
        raise UsageError(
            f"nudge.say {HINT}: no milestone of {game.id} has a hint. Add `hint:` to the milestones in its "
            "game.yaml, remove {HINT} from nudge.say, or choose nudge=none."
        )
    if spec.when and game.turns == "free":
        raise UsageError(
            f"nudge.when={spec.when}: the roles of {game.id} act independently (turns: free), and a nudge is for "
            "games whose roles act at the same instants. Choose nudge=none."
        )
    for name in spec.force:
        if role.control(name) is None:
            raise choose(f"nudge.force: control of {game.id}'s {role.name}", name, [c.id for c in role.controls])
    if spec.when == "ineffective" and game.motion is None:
        raise UsageError(
            f"nudge.when=ineffective: {game.id} does not define movement. Add to its game.yaml "
            "`motion: {position: [fields], controls: [ids]}`, or choose nudge=none."
        )
    if spec.when == "no_milestone" and not any(task.milestones for task in game.tasks):
        raise UsageError(
            f"nudge.when=no_milestone: no task of {game.id} has milestones, so it would equal "
            "nudge.when=every. Set that, or choose nudge=none."
        )


def _is_due(spec: NudgeSpec, rows: Sequence[StepRecord], task: Task, role: str) -> bool:
    """Returns whether a nudge is due before the next decision of a role."""
    mine = [r for r in rows if r.role == role]
    if not mine or mine[-1].forced:
        return False
    if spec.when == "ineffective":
        return task.motion is not None and _stuck(rows, role, task.motion, spec.count)
    since = 0
    if spec.when == "no_milestone":
        since = max((r.step + 1 for r in rows if r.milestones), default=0)
    begun: dict[int, int] = {}
    for r in mine:
        if not r.forced:
            begun.setdefault(r.decision, r.step)
    own = sum(step >= since for step in begun.values())
    return own > 0 and own % spec.count == 0


def _stuck(rows: Sequence[StepRecord], role: str, motion: Motion, count: int) -> bool:
    """Returns whether the last `count` decisions were ineffective moves. A reset and a forced move with an effect
    restart the count; forced moves without an effect are skipped."""
    run = 0
    if rows[-1].reset:
        return False
    for turn in turns_back(rows, role):
        if turn.forced:
            if moved(turn, motion):
                return False
        elif ineffective(turn, motion):
            run += 1
        else:
            return False
        if run == count or turn.begins_attempt:
            break
    return run == count


def _hint(rows: Sequence[StepRecord], task: Task) -> str:
    """Returns the hint of the first milestone that this attempt has not reached, with the fields of the last state that
    it names (`{field.of.state}`)."""
    attempt = rows[-1].attempt + rows[-1].reset
    reached = {name for r in rows if r.attempt == attempt for name in r.milestones}
    hint = next((m.hint for m in task.milestones if m.name not in reached), "")
    if "{" not in hint:
        return hint
    state = json.loads(rows[-1].state)
    return STATE_FIELD.sub(lambda found: str(field(state, found[1])), hint)
