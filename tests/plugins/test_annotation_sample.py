"""Samples for human labels: per model, in proportion to the judge's labels, without showing these."""

import csv
from io import StringIO

import pytest

from gwray.analysis import read_labels
from gwray.errors import UsageError
from gwray.plugins.annotation.sampling import sample_episodes, with_rows

LABELS = {
    **{f"a{n}": ("unaware_deadlock",) for n in range(40)},
    **{f"b{n}": ("aware_deadlock", "lost") for n in range(20)},
    **{f"c{n}": ("lost",) for n in range(19)},
    "d0": (),
    **{f"z{n}": ("lost",) for n in range(7)},
}
MODELS = {key: "small" if key[0] == "z" else "large" for key in LABELS} | {"unjudged": "large"}


def test_sample_keeps_the_proportions_of_each_model():
    keys = sample_episodes(LABELS, MODELS, 20)
    first = [k[0] for k in keys]
    assert [first.count(x) for x in "abcdz"] == [10, 5, 5, 0, 7], "of 80: 40, 20, 19 and 1; and all of a small model"
    back = dict(reversed(LABELS.items()))
    assert keys == sample_episodes(back, MODELS, 20), "no order of the record matters"
    assert first != sorted(first), "the rows do not show the labels by their order"
    with pytest.raises(UsageError, match="--sample '0' must be 1 or more"):
        sample_episodes(LABELS, MODELS, 0)


def test_sheet_has_empty_rows_and_keeps_what_people_wrote():
    before = "key,tags,failure\na1,odd,\nb2,,lost\n"
    text = with_rows(before, "failure", ["a1", "b2", "c3"], {"c3": {"task": "n1_goal"}})
    rows = {r["key"]: r for r in csv.DictReader(StringIO(text))}
    assert list(rows) == ["a1", "b2", "c3"] and rows["a1"]["tags"] == "odd" and rows["c3"]["task"] == "n1_goal"
    assert "unaware" not in text and with_rows(text, "failure", ["a1", "b2", "c3"], {}) == text
    filled = text.replace("c3,", "c3,2", 1)
    vocabulary = ["unaware_deadlock", "aware_deadlock", "lost", "execution_failure"]
    assert read_labels(filled, "failure", vocabulary, MODELS) == {
        "b2": frozenset({"lost"}), "c3": frozenset({"aware_deadlock"}),
    }  # fmt: skip
