"""Which ends an agreement study judges: every level as often as any other, and none twice."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from gwray.judges import read_judge
from gwray.judges.milestones import FinalState, sample_final_states


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


def test_per_game_limit_prefers_all_levels():
    assert levels_by_task(sample_final_states(ends("a", 0, 0, 1, 1, 2, 2), 2, 4)) == {"a": {0: 2, 1: 1, 2: 1}}
    assert levels_by_task(sample_final_states(ends("a", *range(13), *range(13)), 2, 9))["a"].keys() >= {0, 12}


@pytest.mark.parametrize("room", range(1, 9))
def test_few_samples_are_spread_over_levels(room):
    levels = [e.level for e in sample_final_states(ends("a", *range(9)), 1, room)]
    assert len({*levels}) == len(levels) == room and levels[0] == 0
    gaps = [b - a for a, b in pairwise(levels)]
    assert not gaps or (max(gaps) - min(gaps) <= 1 and levels[-1] == 8)


def test_sample_does_not_depend_on_order():
    some = ends("a", *(n % 4 for n in range(20)))
    assert {*sample_final_states(some, 2, 5)} == {*sample_final_states(some[::-1], 2, 5)} and len(
        sample_final_states(some, 2, 5)
    ) == 5


def test_no_limit_samples_all_different_states():
    assert len(sample_final_states(ends("a", 0, 0, 1), 0, 0)) == 3


def test_only_milestones_have_levels():
    with pytest.raises(Exception, match="`per_level` has no meaning for a judge of kind `labels`"):
        read_judge("failure", ["judge.model=scripted", "judge.per_level=2"])
