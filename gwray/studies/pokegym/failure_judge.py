"""The judge of PokeGym's four failure labels. They can also be given by rule, from positions and words alone, as a
baseline for judges."""

import re
from collections.abc import Collection, Sequence

from gwray.catalog import Task
from gwray.judges import LabelJudge
from gwray.records import StepRecord
from gwray.studies.pokegym.stuck import stuck_turns

STUCK_SHARE = 0.5
"""An episode is stuck from this share of ineffective moves among the last ones."""
LAST = 20
"""Decisions at the end that the rules look at."""
DOING_SHARE = 0.3
"""From this share of last decisions that neither move, turn nor wait, the agent found its goal but could not finish."""
ADMITS_STUCK = re.compile(
    r"\b(stuck|blocked|obstruct\w*|trapped|jammed|in the way|(?:not|n't|cannot|can't|no longer) (?:\w+ )?(?:mov\w+|"
    r"pass\w*|get (?:past|through)|chang\w+)|no (?:progress|movement|change|effect))",
    re.IGNORECASE,
)


class DeadlockJudge(LabelJudge):
    """Gives PokeGym's failure labels; rules give them too."""

    def by_rule(self, rows: Sequence[StepRecord], task: Task) -> Collection[str]:
        return rule_labels(rows, task)


def rule_labels(rows: Sequence[StepRecord], task: Task) -> tuple[str, ...]:
    """Returns one of PokeGym's four labels for a failed episode; none where the game does not define movement.

    An episode is a deadlock if at least half of its last moves were ineffective: aware if the agent's words in these
    turns say so, unaware otherwise. Without a deadlock it is an execution failure if the agent often did something else
    than moving, turning and waiting; otherwise the agent was lost.
    """
    if task.motion is None or not rows:
        return ()
    turns = stuck_turns(rows, rows[0].role, task.motion)[-LAST:]
    moves = [turn for turn in turns if turn.moves]
    bad = [turn for turn in moves if turn.ineffective]
    if moves and len(bad) / len(moves) >= STUCK_SHARE:
        aware = sum(bool(ADMITS_STUCK.search(turn.words)) for turn in bad)
        return ("aware_deadlock" if aware * 2 >= len(bad) else "unaware_deadlock",)
    doing = [turn for turn in turns if turn.acts and not turn.moves]
    return ("execution_failure" if len(doing) >= DOING_SHARE * len(turns) else "lost",)
