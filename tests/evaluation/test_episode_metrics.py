"""Metrics of an episode, built-in and custom."""

import json
import math

import pytest
from test_nudges import WALK, rows

from gwray.catalog import Task
from gwray.errors import UsageError
from gwray.evaluation import check_metrics, measure
from gwray.places import NotTrusted
from gwray.records import EpisodeRecord, StepRecord

RECORD = EpisodeRecord(key="k", cell="c", game="g", task="t")


def presses(steps, record, task):
    """A custom metric."""
    return {"n": sum(s.control == "press" for s in steps), "": len(steps)}


def broken(steps, record, task):
    return {"rate": math.nan}


def states(*values: dict) -> list[StepRecord]:
    return [StepRecord(step=i, attempt=0, role=r, state=json.dumps(v)) for i, v in enumerate(values) for r in "pq"]


def task(**more) -> Task:
    return Task.model_validate({"id": "t", "instruction": "i", "score": "n", "target": 9} | more)


def test_failing_metric_is_a_caveat():
    found = measure((f"{__name__}.broken", f"{__name__}.presses"), rows("press 0"), RECORD, WALK)
    assert found.values["presses.n"] == 1 and "broken.rate" not in found.values
    assert len(found.problems) == 1 and f"metric {__name__}.broken failed: ValueError: broken.rate" in found.problems[0]


def listed(steps, record, task):
    return [1]


NUMBER = 3
tags = listed


def test_invalid_metric_is_refused_before_the_run():
    check_metrics((f"{__name__}.presses",))
    for wrong, says in (
        ((f"{__name__}.missing",), "does not exist.*has no 'missing'"),
        ((f"{__name__}.NUMBER",), r"NUMBER' is not a function; write `def NUMBER\(steps, record, task\)`"),
        ((f"{__name__}.presses", "elsewhere.presses"), "elsewhere"),
        ((f"{__name__}.tags",), r"'tags' and '.*\.tags' would both be recorded as tags"),
    ):
        with pytest.raises(UsageError, match=says):
            check_metrics(wrong)


def test_custom_metric_needs_trust():
    with pytest.raises(UsageError, match=r"metric 'speed' does not exist.*fields, movement, tags"):
        measure(("speed",), [], RECORD, None)
    with pytest.raises(NotTrusted):
        measure((f"{__name__}.presses",), [], RECORD, None, trusted=())


def test_state_fields_last_and_best():
    seen = states({"n": 1, "a": {"on": True}}, {"n": 5, "a": {"on": False}}, {"n": 3, "a": {"on": True}, "w": "x"})
    found = measure((), seen, RECORD, task(metrics=["n", "a.on", "w", "gone"])).values
    assert found == {"fields.n.last": 3, "fields.n.best": 5, "fields.a.on.last": 1, "fields.a.on.best": 1}
    down = measure((), seen, RECORD, task(metrics=["n"], start=9, target=0)).values
    assert down["fields.n.best"] == 1


def test_tag_shares():
    found = measure(
        (), states({"n": 1}, {"n": 5}, {"n": 7}, {"n": 2}), RECORD, task(tags={"far": {"field": "n", "at_least": 5}})
    )
    assert found.values == {"tags.far": 0.5}


def test_movement_metrics():
    walked = rows(
        "forward 1", "forward 1", "press 1", "forward 1", "back 1", "forward 1", "!back 0", "forward 1", "forward 1 *",
        "forward 1", start="0",
    )  # fmt: skip
    found = measure((), walked, RECORD, WALK).values
    # Own decisions: move, BAD, press, BAD, BAD, BAD, move, BAD | move.
    assert (found["movement.moves"], found["movement.ineffective"], found["movement.longest_run"]) == (8, 5, 3)
    assert found["movement.ineffective_share"] == pytest.approx(5 / 8)
    assert found["movement.recovered_share"] == pytest.approx(2 / 4)
    assert found["movement.stuck_entropy"] == pytest.approx(-(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3)))


@pytest.mark.parametrize(
    ("turns", "entropy"),
    [
        (["forward 0", "back 0", "forward 1"], 0),
        (["forward 0", "back 0", "press 0", "forward 0", "back 0"], 0),
        (["forward 0", "back 0", "forward 0"], 0.6365),
        (["forward 0", "back 0", "forward 0", "back 0"], 0.6931),
        (["back 0", "back 0", "forward 1", *["forward 1"] * 3], 0),
    ],
)
def test_stuck_entropy_needs_three_ineffective_moves(turns, entropy):
    assert measure((), rows(*turns), RECORD, WALK).values["movement.stuck_entropy"] == pytest.approx(entropy, abs=1e-4)


def test_game_without_definitions_has_no_metrics():
    assert measure((), states({"n": 1}), RECORD, task()).values == {} == measure((), [], RECORD, None).values


def clues(**given: tuple) -> dict:
    clues = {name: dict(zip(("seen", "used"), both, strict=True)) for name, both in given.items()}
    return {"game_state": {"clues": clues}}


def test_clue_gap_in_steps():
    seen = states(clues(a=(False, False)), clues(a=(True, False), b=(1, None)), clues(a=(False, False), b=(1, None)),
                  clues(a=(True, True), b=(1, None), c=(None, 3)), clues(a=(True, True), b=(1, 4)))  # fmt: skip
    found = measure((), seen, RECORD, task()).values
    assert found == {"clues.seen": 2, "clues.used": 3, "clues.gap": 2.5}
    inside = states(clues(a=(None, None)), clues(a=(1, None)))
    assert measure((), inside, RECORD, task()).values == {"clues.seen": 1, "clues.used": 0}
    assert measure((), states(clues(a=(False, False))), RECORD, task()).values == {"clues.seen": 0, "clues.used": 0}
    strange = states({"game_state": {"clues": 3}}, {"game_state": {"clues": {"a": 1}}}, {})
    assert measure((), strange, RECORD, task()).values == {}
