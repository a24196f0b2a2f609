"""The four labels of failure by rule: what positions and words alone tell, to measure judges against."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gwray.catalog import Task
from gwray.evaluation import stuck_turns
from gwray.records import StepRecord

STUCK_SHARE = 0.5
"""Of the last moves that moved nothing, from which on a player is stuck."""
LAST = 20
"""Decisions at the end that the rules look at."""
DOING_SHARE = 0.3
"""Of the last decisions that neither move, nor turn on the spot, nor wait, from which on a player has found what it
cannot finish."""
SAYS_SO = re.compile(
    r"\b(stuck|blocked|obstruct\w*|trapped|jammed|in the way|(?:not|n't|cannot|can't|no longer) (?:\w+ )?(?:mov\w+|"
    r"pass\w*|get (?:past|through)|chang\w+)|no (?:progress|movement|change|effect))",
    re.IGNORECASE,
)


def rule_labels(rows: Sequence[StepRecord], task: Task) -> tuple[str, ...]:
    """One label of an episode that failed; none where the game does not say what moving is.

    Stuck is who ended with half of its last moves moving nothing: aware if its words of these turns say so, unaware
    otherwise. Who moved freely is lost, or, if it often did something else than move, has failed in the doing; to turn
    on the spot and to wait is to do nothing.
    """
    if task.motion is None or not rows:
        return ()
    turns = stuck_turns(rows, rows[0].role, task.motion)[-LAST:]
    moves = [turn for turn in turns if turn.moves]
    bad = [turn for turn in moves if turn.ineffective]
    if moves and len(bad) / len(moves) >= STUCK_SHARE:
        said = sum(bool(SAYS_SO.search(turn.words)) for turn in bad)
        return ("aware_deadlock" if said * 2 >= len(bad) else "unaware_deadlock",)
    doing = [turn for turn in turns if turn.acts and not turn.moves]
    return ("execution_failure" if len(doing) >= DOING_SHARE * len(turns) else "lost",)
