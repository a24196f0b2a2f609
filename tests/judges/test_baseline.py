"""Four players that fail in four ways get the four labels by rule."""

import json

import pytest

from gwray.catalog import Motion, Solution, Task, load_catalog
from gwray.judges.labels import describe_steps
from gwray.judges.spec import read_judge
from gwray.plugins.authoring.check import replay_solution
from gwray.records import StepRecord
from gwray.sandbox import BrowserOnDemand
from gwray.studies.pokegym.failure_judge import rule_labels

TOWN = load_catalog().game("town")

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
def test_rule_labels(turns, labels):
    assert rule_labels(rows(*turns), WALK) == labels


def test_judges_are_told_of_the_end_of_a_task():
    (end,) = rows(("", 0, "Done."))
    assert describe_steps([end], read_judge("cause", ["judge.model=scripted"]), WALK) == [
        'Decision 1, p: "Done." does finish'
    ]


def test_rule_labels_need_motion():
    assert rule_labels(rows(("forward", 0, "")), WALK.model_copy(update={"motion": None})) == ()


LOOKING = WALK.model_copy(update={"motion": Motion(position=("me.x",), controls=("forward",))})


@pytest.mark.parametrize(
    ("control", "action", "label"),
    [("rotate", "press_key", "lost"), ("idle", "wait", "lost"), ("press", "press_key", "execution_failure")],
)
def test_turning_and_waiting_are_not_acting(control, action, label):
    looks = [
        StepRecord(step=n, decision=n, attempt=0, role="p", control=control, action=json.dumps({"action": action}),
                   state=json.dumps({"me": {"x": 0, "yaw": 22.5 * n if control == "rotate" else 0}, "clock": n}),
                   before='{"me": {"x": 0, "yaw": -22.5}, "clock": -1}' if n == 0 else "")
        for n in range(9)
    ]  # fmt: skip
    assert rule_labels(looks, LOOKING) == (label,)


def saying(words: str, control: str) -> str:
    return f"{words} {json.dumps({'action': control})}"


def around(n: int) -> str:
    """Up and down the quay, looking about on the way."""
    return ("move_forward", "rotate_left", "rotate_right", "move_backward", "rotate_right", "rotate_left")[n % 6]


FAILERS = {
    "unaware_deadlock": ("n2_goal", lambda n: "rotate_right" if n < 3 else "move_forward"),
    "aware_deadlock": (
        "n2_goal", lambda n: "rotate_right" if n < 3 else saying("I am stuck at the glass.", "move_forward")
    ),
    "lost": ("n2_goal", around),
    "execution_failure": ("i1_goal", lambda n: "move_backward" if n < 3 else saying("I talk to her.", "press_a")),
}  # fmt: skip


@pytest.mark.slow
async def test_rule_labels_of_four_failures_in_the_town():
    async with BrowserOnDemand() as browser:
        for label, (quest, says) in FAILERS.items():
            task = TOWN.task(quest)
            solution = Solution(found="by hand", roles={"player": tuple(says(n) for n in range(12))})
            played = await replay_solution(browser, TOWN, task, solution)
            assert not played.record.success
            assert rule_labels(played.steps, task) == (label,)
