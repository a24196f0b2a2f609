"""Failure labels from recorded facts."""

import json

from gwray.analysis import LABELS, count_labels, diagnose
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


def labels(rows, success=False):
    return set(diagnose(rows, success=success).labels)


def test_a_success_has_no_labels():
    assert diagnose(steps(30), success=True).labels == ()


def test_never_acted_means_no_valid_action_but_waiting():
    wait = '{"action":"wait"}'
    assert "never_acted" in labels(steps(5, action=lambda i: wait))
    assert labels(steps(5, action=lambda i: None, validity="no_tool_call")) == {"never_acted", "invalid_actions"}
    assert "never_acted" not in labels(steps(5, action=lambda i: wait if i else KEY))


def test_stuck_needs_ten_actions_that_change_nothing_but_clocks():
    still = steps(12, state=lambda i: {"x": 1}, action=lambda i: f'{{"action":"press_key","key":"{i}"}}')
    d = diagnose(still, success=False)
    assert d.labels == ("stuck",) and d.at == {"stuck": 1}
    assert "stuck" not in labels(still[:10])
    assert "stuck" not in labels(steps(12, state=lambda i: {"x": i // 3}))


def test_two_players_are_stuck_after_as_many_steps_as_one():
    still = steps(12, state=lambda i: {"x": 1}, action=lambda i: f'{{"action":"press_key","key":"{i}"}}')
    pair = [s.model_copy(update={"role": r}) for s in still for r in ("ember", "drop")]
    assert diagnose(pair, success=False).at.get("stuck") == 1
    assert "stuck" not in labels(pair[:20])


def test_waiting_is_not_being_stuck():
    assert "stuck" not in labels(steps(20, state=lambda i: {"x": 1}, action=lambda i: '{"action":"wait"}'))


def test_loop_and_oscillation_are_told_apart_and_forgiven_while_progress_is_made():
    assert labels(steps(12)) == {"action_loop"}
    assert labels(steps(14, action=alternating)) == {"oscillation"}
    assert labels(steps(14, action=lambda i: f'{{"action":"press_key","key":"{i % 3}"}}')) == {"oscillation"}
    assert labels(steps(30, best_progress=lambda i: i / 100)) == set()


def test_death_after_progress_and_a_close_miss():
    dead = steps(6, best_progress=0.95, reset=lambda i: i == 3, action=alternating)
    d = diagnose(dead, success=False)
    assert d.labels == ("died_after_progress", "close_miss") and d.at["died_after_progress"] == 3
    assert "died_after_progress" not in labels(steps(6, reset=lambda i: i == 3))


def test_counts_name_every_label():
    n = count_labels([diagnose(steps(12), success=False), diagnose(steps(2), success=True)])
    assert set(n) == set(LABELS) and n["action_loop"] == 1 and sum(n.values()) == 1


def test_hostile_records_are_no_reason_to_stop():
    odd = [
        StepRecord(step=0, attempt=0, role="p", action="[1]", state="not json"),
        StepRecord(step=1, attempt=0, role="p", action="{", state="[]"),
    ]
    assert "never_acted" in labels(odd)
