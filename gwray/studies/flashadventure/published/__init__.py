"""Published results of FlashAdventure as data, to compare with. They were measured on games and models of its own."""

from functools import partial

from gwray.analysis import Agreement, JudgeAgreement, read_published

published = partial(read_published, __name__)
"""Returns a table as published; null for a dash. `README.md` has its source."""


def judge_agreement() -> JudgeAgreement:
    """Returns how far the judge of FlashAdventure agreed with people."""
    m = {r["measure"]: r for r in published("measures").to_dicts()}
    exact, spearman, pearson = (m[f"judge_{name}"] for name in ("exact", "spearman", "pearson"))
    games = {r["game"]: (r["right"], r["judged"]) for r in published("judge").to_dicts()}
    found = Agreement(exact["n"], exact["value"], None, None, spearman["value"], pearson["value"], {}, by_game=games)
    return JudgeAgreement("judge of FlashAdventure (published)", "milestones", "Claude-3.7 CU", "people", found)
