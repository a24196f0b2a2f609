"""Agreement of a judge with a truth, on numbers that can be made by hand."""

import pytest
from scipy import stats

from gwray.analysis import Said, judge_agreement


def labelled(**said: str) -> dict[str, Said]:
    return {key: Said(frozenset(words.split())) for key, words in said.items()}


def scored(*scores: float) -> dict[str, Said]:
    return {str(i): Said(frozenset(), s) for i, s in enumerate(scores)}


def test_labels_are_sets_and_only_episodes_of_which_both_speak_count():
    found = judge_agreement(labelled(a="x", b="x y", c="", d="x"), labelled(a="x", b="y z", c="", e="z"))
    assert found.episodes == 3 and found.exact == pytest.approx(2 / 3)
    assert found.micro_f1 == pytest.approx(2 * 2 / (2 * 2 + 1 + 1))
    assert found.jaccard == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert dict(found.confusion) == {("x", "x"): 1, ("x+y", "y+z"): 1, ("none", "none"): 1}
    assert (found.spearman, found.pearson) == (None, None)


def test_planted_errors_of_six_percent_are_found_exactly():
    truth = scored(*[i % 7 / 6 for i in range(300)])
    judged = {k: Said(s.labels, (s.score or 0) - 1 / 6) if int(k) % 50 in (6, 13, 20) else s for k, s in truth.items()}
    found = judge_agreement(truth, judged)
    wrong = sum(n for (a, b), n in found.confusion.items() if a != b)
    assert found.episodes == 300 and wrong == 18
    x, y = [s.score for s in truth.values()], [s.score for s in judged.values()]
    assert found.pearson == pytest.approx(stats.pearsonr(x, y)[0])
    assert found.spearman == pytest.approx(stats.spearmanr(x, y)[0]) and found.spearman != 1


@pytest.mark.parametrize("scores", [(), (1,), (0, 1), (1, 1, 1)])
def test_what_does_not_exist_is_not_made_up(scores):
    found = judge_agreement(scored(*scores), scored(*scores))
    assert (found.spearman, found.pearson, found.micro_f1) == (None, None, None)
    assert found.exact == (1 if scores else None)
