"""Failure labels from recorded facts."""

import json

from gwray.analysis import diagnose
from gwray.records import StepRecord

KEY = '{"action":"press_key","key":"ArrowLeft"}'
OTHER = '{"action":"press_key","key":"ArrowUp"}'


def steps(n, *, action=lambda i: KEY, state=lambda i: {"x": i}, **fields):
    out = []
    for i in range(n):
        values = {k: v(i) if callable(v) else v for k, v in fields.items()}
        moved = {"timestampMs": i, "gameTimeMs": 16 * i, "game_state": {**state(i), "elapsedMs": i, "frame": i}}
        out.append(StepRecord(step=i, attempt=0, role="p", action=action(i), state=json.dumps(moved), **values))
    return out


def alternating(i):
    return KEY if i % 2 else OTHER


def labels(rows):
    return set(diagnose(rows))


def test_never_acted():
    wait = '{"action":"wait"}'
    assert "never_acted" in labels(steps(5, action=lambda i: wait))
    assert labels(steps(5, action=lambda i: None, validity="no_tool_call")) == {"never_acted", "invalid_actions"}
    assert "never_acted" not in labels(steps(5, action=lambda i: wait if i else KEY))


def test_stuck_needs_ten_ineffective_actions():
    still = steps(12, state=lambda i: {"x": 1}, action=lambda i: f'{{"action":"press_key","key":"{i}"}}')
    assert diagnose(still) == {"stuck": 1}
    assert "stuck" not in labels(still[:10])
    assert "stuck" not in labels(steps(12, state=lambda i: {"x": i // 3}))


def test_stuck_counts_steps_not_rows_of_roles():
    still = steps(12, state=lambda i: {"x": 1}, action=lambda i: f'{{"action":"press_key","key":"{i}"}}')
    pair = [s.model_copy(update={"role": r}) for s in still for r in ("ember", "drop")]
    assert diagnose(pair).get("stuck") == 1
    assert "stuck" not in labels(pair[:20])


def test_waiting_is_not_stuck():
    assert "stuck" not in labels(steps(20, state=lambda i: {"x": 1}, action=lambda i: '{"action":"wait"}'))


def test_loop_and_oscillation_need_unchanged_progress():
    assert labels(steps(12)) == {"action_loop"}
    assert labels(steps(14, action=alternating)) == {"oscillation"}
    assert labels(steps(14, action=lambda i: f'{{"action":"press_key","key":"{i % 3}"}}')) == {"oscillation"}
    assert labels(steps(30, best_progress=lambda i: i / 100)) == set()


def test_progressed_then_died_and_close_miss():
    dead = steps(6, best_progress=0.95, reset=lambda i: i == 3, action=alternating)
    assert [*diagnose(dead).items()] == [("progressed_then_died", 3), ("close_miss", 0)]
    assert "progressed_then_died" not in labels(steps(6, reset=lambda i: i == 3))


def test_malformed_records_are_labelled():
    odd = [
        StepRecord(step=0, attempt=0, role="p", action="[1]", state="not json"),
        StepRecord(step=1, attempt=0, role="p", action="{", state="[]"),
    ]
    assert "never_acted" in labels(odd)
