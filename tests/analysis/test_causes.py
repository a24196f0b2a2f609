"""The paper's four failure causes: rules where facts decide, annotations for the rest, agreement where both speak."""

import pytest

from gwray.analysis import (
    BY_RULE,
    CAUSES,
    LABELS,
    Agreement,
    Cause,
    Diagnosis,
    agreement,
    causes_of,
    count_causes,
    read_annotations,
)
from gwray.errors import UsageError


def lost(*labels):
    return Diagnosis(False, labels, dict.fromkeys(labels, 0))


def test_every_label_means_one_of_the_causes_and_none_means_perception():
    assert set(BY_RULE) == set(LABELS) and set(BY_RULE.values()) == set(CAUSES) - {"perception"}


def test_rules_decide_where_they_can_annotations_come_before_them_and_the_rest_is_undecided():
    diagnoses = {
        "a": lost("stuck", "close_miss"), "b": lost("invalid_actions"), "c": lost(), "d": lost(),
        "won": Diagnosis(True, (), {}),
    }  # fmt: skip
    found = causes_of(diagnoses, {"b": frozenset({"perception"}), "c": frozenset({"perception"})})
    assert found == {
        "a": Cause(("fine_grained_action", "long_horizon_memory"), "rules"),
        "b": Cause(("perception",), "annotation"),
        "c": Cause(("perception",), "annotation"),
        "d": Cause((), ""),
    }
    n = count_causes(found.values())
    assert n == {
        "perception": 2, "fine_grained_action": 1, "instruction_following": 0, "long_horizon_memory": 1, "undecided": 1
    }  # fmt: skip


def test_agreement_counts_only_what_both_decided_and_is_cohens_kappa():
    diagnoses = {f"m{i}": lost("stuck") for i in range(20)} | {f"x{i}": lost("invalid_actions") for i in range(30)}
    memory, following = frozenset({"long_horizon_memory"}), frozenset({"instruction_following"})
    said = {f"m{i}": memory if i < 15 else following for i in range(20)}
    said |= {f"x{i}": following if i < 20 else memory for i in range(30)}
    found = {a.cause: a for a in agreement({**diagnoses, "quiet": lost()}, {**said, "quiet": memory})}
    a = found["long_horizon_memory"]
    assert (a.both, a.rules_only, a.annotation_only, a.neither) == (15, 5, 10, 20)
    # 0.7 seen, 0.5 by chance
    assert a.episodes == 50 and a.agreed == 35 and a.kappa == pytest.approx(0.4)
    assert found["fine_grained_action"] == Agreement("fine_grained_action", 0, 0, 0, 50, None)
    assert agreement(diagnoses, {}) == []


def test_an_annotation_file_names_episodes_and_causes_and_says_which_line_is_wrong():
    keys = ["abc1", "abd2"]
    text = "key,annotator,cause\nabc,me,Perception\nabc1,you,long-horizon memory\n"
    assert read_annotations(text, keys) == {"abc1": {"perception", "long_horizon_memory"}}
    with pytest.raises(UsageError, match="line 2: 'ab' names 2 episodes"):
        read_annotations("key,cause\nab,perception\n", keys)
    with pytest.raises(UsageError, match=r"Did you mean perception.*line 3"):
        read_annotations("key,cause\nabc,perception\nabd,perceptoin\n", keys)
    with pytest.raises(UsageError, match="no column 'cause'"):
        read_annotations("key,why\nabc,perception\n", keys)
