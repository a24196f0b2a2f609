"""Label sets, the causes that rules decide, and how two sources agree, on values computed by hand."""

import pytest
from scipy import stats

from gwray.analysis import CAUSE_OF_FACT, CAUSES, FACTS, RULES, LabelSet, Verdict, causes_by_rule, compare_verdicts
from gwray.analysis.labels import PEOPLE, find_labels, label_set


def test_agreement_by_game_and_within_a_tolerance():
    """Scores without labels agree within the reference's tolerance; each game has its own count."""
    truth = {
        "a": Verdict(frozenset(), 0.5, 0.02),
        "b": Verdict(frozenset(), 0.9, 0.02),
        "c": Verdict(frozenset("x"), 1.0),
    }
    judged = {"a": Verdict(frozenset(), 0.51), "b": Verdict(frozenset(), 0.8), "c": Verdict(frozenset("x"), 1.0)}
    found = compare_verdicts(truth, judged, games={"a": "one", "b": "one", "c": "two"})
    assert found.exact == pytest.approx(2 / 3)
    assert found.by_game == {"one": (1, 2), "two": (1, 1)}
    assert not compare_verdicts(truth, {"a": Verdict(frozenset())}).exact
    assert found.fields()["by_game"] == {"one": [1, 2], "two": [1, 1]}


def labelled(**words: str) -> dict[str, Verdict]:
    return {key: Verdict(frozenset(labels.split())) for key, labels in words.items()}


def scored(*scores: float) -> dict[str, Verdict]:
    return {str(i): Verdict(frozenset(), s) for i, s in enumerate(scores)}


def facts(**words: str) -> LabelSet:
    return LabelSet("facts", RULES, {key: dict.fromkeys(labels.split(), 0) for key, labels in words.items()}, FACTS)


def test_compare_uses_common_episodes_only():
    found = compare_verdicts(labelled(a="x", b="x y", c="", d="x"), labelled(a="x", b="y z", c="", e="z"))
    assert found.episodes == 3 and found.exact == pytest.approx(2 / 3)
    assert found.micro_f1 == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    assert found.jaccard == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert dict(found.confusion) == {("x", "x"): 1, ("x+y", "y+z"): 1, ("none", "none"): 1}
    assert (found.spearman, found.pearson) == (None, None)


def test_compare_scores_finds_planted_errors():
    truth = scored(*[i % 7 / 6 for i in range(300)])
    judged = {
        k: Verdict(s.labels, (s.score or 0) - 1 / 6) if int(k) % 50 in (6, 13, 20) else s for k, s in truth.items()
    }
    found = compare_verdicts(truth, judged)
    wrong = sum(n for (a, b), n in found.confusion.items() if a != b)
    assert found.episodes == 300 and wrong == 18
    x, y = [s.score for s in truth.values()], [s.score for s in judged.values()]
    assert found.pearson == pytest.approx(stats.pearsonr(x, y)[0])
    assert found.spearman == pytest.approx(stats.spearmanr(x, y)[0]) and found.spearman != 1


@pytest.mark.parametrize("scores", [(), (1,), (0, 1), (1, 1, 1)])
def test_undefined_values_are_none(scores):
    found = compare_verdicts(scored(*scores), scored(*scores))
    assert (found.spearman, found.pearson, found.micro_f1, found.jaccard) == (None, None, None, None)
    assert found.exact == (1 if scores else None)


def test_every_fact_has_a_cause_and_none_is_perception():
    assert set(CAUSE_OF_FACT) == set(FACTS) and set(CAUSE_OF_FACT.values()) == set(CAUSES) - {"perception"}


def test_rules_decide_causes_only_from_facts():
    found = causes_by_rule(facts(a="stuck close_miss", b="invalid_actions", c=""))
    assert {key: [*causes] for key, causes in found.labels.items()} == {
        "a": ["fine_grained_action", "long_horizon_memory"], "b": ["instruction_following"]
    }  # fmt: skip
    assert found.count("abc") == {
        "perception": 0, "fine_grained_action": 1, "instruction_following": 1, "long_horizon_memory": 1, "": 0
    }  # fmt: skip


def test_count_has_every_label_and_episodes_without_one():
    found = facts(a="action_loop", b="", c="action_loop").count(["a", "b", "unknown"])
    assert set(found) == {*FACTS, ""} and found["action_loop"] == found[""] == 1 and sum(found.values()) == 2


def test_label_sets_of_several_runs_are_merged():
    sets = [label_set("cause", PEOPLE, {key: [cause]}) for key, cause in (("a", "x"), ("a", "y"), ("b", "x"))]
    assert {k: {*v} for k, v in find_labels(sets, "cause", PEOPLE).labels.items()} == {"a": {"x", "y"}, "b": {"x"}}
    assert find_labels(sets, "code", PEOPLE).labels == {}
