"""Four players that fail in four ways get the four labels by rule."""

import json

import pytest

from gwray.catalog import Motion, Task
from gwray.judges.baseline import rule_labels
from gwray.records import StepRecord

WALK = Task.model_validate({"id": "t", "instruction": "i", "score": "n", "target": 9}).model_copy(
    update={"motion": Motion(position=("x",), controls=("forward",))}
)


def rows(*turns: tuple[str, int, str]) -> list[StepRecord]:
    """(control, position after it, words)."""
    return [
        StepRecord(step=i, decision=i, attempt=0, role="p", control=control, text=words, state=json.dumps({"x": x}),
                   before='{"x": 0}' if i == 0 else "")
        for i, (control, x, words) in enumerate(turns)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "labels"),
    [
        ([("forward", 0, "Onwards, nearly there.")] * 9, ("unaware_deadlock",)),
        ([("forward", 0, "I am stuck at the railing.")] * 9, ("aware_deadlock",)),
        ([("forward", 0, "The figure did not move.")] * 9, ("aware_deadlock",)),
        ([("forward", n, "Where is it?") for n in range(1, 9)], ("lost",)),
        ([("forward", 1, "There."), *[("press", 1, "I talk to her.")] * 8], ("execution_failure",)),
        ([*[("forward", 0, "Onwards.")] * 30, *[("forward", n, "Free!") for n in range(1, 30)]], ("lost",)),
        ([], ()),
    ],
)
def test_the_rules_tell_how_a_player_failed(turns, labels):
    assert rule_labels(rows(*turns), WALK) == labels


def test_where_the_game_does_not_say_what_moving_is_the_rules_say_nothing():
    assert rule_labels(rows(("forward", 0, "")), WALK.model_copy(update={"motion": None})) == ()
