"""Labels of people in an annotations.csv."""

import pytest

from gwray.analysis import CAUSES, Verdict, compare_verdicts, read_labels
from gwray.analysis.annotations import read_annotations
from gwray.errors import UsageError

KEYS = ["abc1", "abd2"]


def causes(text: str) -> dict[str, frozenset[str]]:
    return read_labels(text, "cause", CAUSES, KEYS)


def test_labels_by_name_number_and_beginning_of_key():
    text = "key,annotator,cause\nabc,me,Perception\nabc1,you,long-horizon memory\nabd,me,2; 1\nabd,me,\n"
    assert causes(text) == {
        "abc1": {"perception", "long_horizon_memory"},
        "abd2": {"fine_grained_action", "perception"},
    }


def test_none_is_an_answer_and_an_empty_cell_is_not():
    """A judge that labels an episode to which no label fits is wrong."""
    people = causes("key,cause\nabc,None\nabd,\n")
    assert people == {"abc1": frozenset()}
    judged = {key: Verdict(frozenset({"perception"})) for key in KEYS}
    found = compare_verdicts({key: Verdict(labels) for key, labels in people.items()}, judged)
    assert (found.episodes, found.exact, found.micro_f1) == (1, 0, 0)
    assert found.exact_interval and found.exact_interval.high == pytest.approx(0.975)


def test_wrong_lines_are_named():
    with pytest.raises(UsageError, match="line 2: key 'ab' matches 2 episodes"):
        causes("key,cause\nab,perception\n")
    with pytest.raises(UsageError, match=r"Did you mean perception.*line 3"):
        causes("key,cause\nabc,perception\nabd,perceptoin\n")
    with pytest.raises(UsageError, match="no column 'key'"):
        causes("episode,cause\nabc,perception\n")


def test_a_missing_column_has_no_labels():
    assert causes("key,why\nabc,perception\n") == {} == causes("")
    assert read_labels("key,gates\nabc,gate1; gate2\n", "gates", (), KEYS) == {"abc1": {"gate1", "gate2"}}


def test_causes_and_codes_are_separate_columns():
    cause, code = read_annotations("key,code,cause\nabc,2,\nabd,,perception\n", KEYS)
    assert (cause.source, {*cause.labels}) == ("cause", {"abd2"}) and (code.source, {*code.labels}) == (
        "code",
        {"abc1"},
    )
