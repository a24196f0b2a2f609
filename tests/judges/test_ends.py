"""An agreement study judges every level equally often, and no ending twice."""

from __future__ import annotations

from collections import Counter

from gwray.studies.flashadventure.milestones import FinalState, sample_final_states


def ends(task: str, *levels: int, state: str = "") -> list[FinalState]:
    return [FinalState(f"{task}-{i:02}", task, level, state or f"{task}{i}") for i, level in enumerate(levels)]


def levels_by_task(some: list[FinalState]) -> dict[str, Counter[int]]:
    out: dict[str, Counter[int]] = {}
    for state in some:
        out.setdefault(state.task, Counter())[state.level] += 1
    return out


def test_sample_two_of_each_level():
    sample = sample_final_states([*ends("a", 0, 0, 0, 1, 2, 2), *ends("b", 5, 5, 5)], 2, 0)
    assert levels_by_task(sample) == {"a": {0: 2, 1: 1, 2: 2}, "b": {5: 2}}


def test_equal_final_states_of_a_task_count_once():
    assert levels_by_task(sample_final_states([*ends("a", 1, 1, state="x"), *ends("b", 1, state="x")], 2, 0)) == {
        "a": {1: 1},
        "b": {1: 1},
    }


def test_sample_does_not_depend_on_order():
    some = ends("a", *(n % 4 for n in range(20)))
    assert {*sample_final_states(some, 2, 5)} == {*sample_final_states(some[::-1], 2, 5)} and len(
        sample_final_states(some, 2, 5)
    ) == 5
