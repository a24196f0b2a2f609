"""State → score → progress → ending."""

import pytest

from gwray.catalog import Task
from gwray.errors import GameError
from gwray.evaluation import Standing, field, judge, progress, score


def task(**changes) -> Task:
    facts = {"id": "t", "instruction": "do it", "score": "game_state.score", "target": 10}
    return Task.model_validate(facts | changes)


def state(value: float = 0, outcome: str | None = None, **more) -> dict:
    terminal = {"isTerminal": outcome is not None, "outcome": outcome, "reason": None}
    return {"status": "playing", "terminal": terminal, "game_state": {"score": value, **more}}


@pytest.mark.parametrize(
    ("value", "start", "target", "expected"),
    [(0, 0, 10, 0), (5, 0, 10, 0.5), (25, 0, 10, 1), (-5, 0, 10, 0), (2, 1, 2, 1), (7, 10, 0, 0.3), (-1, 10, 0, 1)],
)
def test_progress_is_the_clipped_share_of_the_way(value, start, target, expected):
    assert progress(value, task(start=start, target=target)) == pytest.approx(expected)


def test_caps_make_a_sum_mean_each():
    each = task(score=[{"field": "game_state.a", "cap": 3}, {"field": "game_state.b", "cap": 4}], target=7)
    assert score({"game_state": {"a": 7, "b": 0}}, each) == 3
    assert score({"game_state": {"a": 3, "b": 4}}, each) == 7


def test_a_missing_field_is_named_with_what_is_there():
    with pytest.raises(GameError, match=r"'game_state.lives' is missing: game_state has score"):
        field(state(), "game_state.lives")


@pytest.mark.parametrize("bad", [None, "7", True, float("nan"), float("inf"), [1]])
def test_a_score_that_is_not_a_number_is_an_error_and_never_a_zero(bad):
    with pytest.raises(GameError, match="not a number"):
        score(state(bad), task())


@pytest.mark.parametrize(
    ("now", "left", "changes", "then", "by"),
    [
        (state(10, "fail"), 0, {}, "end", "target"),
        (state(3, "fail"), 5, {}, "reset", None),
        (state(3, "fail"), 5, {"reset_on_fail": False}, "end", "terminal"),
        (state(3, "fail"), 0, {}, "end", "budget"),
        (state(3), 0, {}, "end", "budget"),
        (state(3, "win"), 5, {"end": {"field": "terminal.isTerminal", "value": True}}, "end", "end_field"),
        (state(3, "quit"), 5, {}, "end", "terminal"),
        (state(3), 5, {}, "go on", None),
    ],
)
def test_endings_come_in_the_protocols_order(now, left, changes, then, by):
    verdict, _ = judge(now, task(**changes), left, Standing())
    assert (verdict.then, verdict.ended_by) == (then, by)


def test_a_terminal_state_short_of_the_target_is_no_success():
    for outcome in ("win", "quit", None):
        _, standing = judge(state(9, outcome), task(), 0, Standing())
        assert not standing.success


@pytest.mark.parametrize(("value", "success"), [(3, False), (0, True), (-1, True)])
def test_a_target_below_the_start_is_reached_from_above(value, success):
    verdict, standing = judge(state(value), task(start=10, target=0), 5, Standing())
    assert (standing.success, verdict.ended_by) == (success, "target" if success else None)


def test_the_best_progress_survives_a_reset():
    _, standing = judge(state(6, "fail"), task(), 5, Standing())
    _, standing = judge(state(2), task(), 4, standing)
    assert (standing.best, standing.best_score, standing.resets) == (0.6, 6, 1)
