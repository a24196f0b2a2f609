"""Published results of PokeGym as data, to compare with. They were measured on games and models of its own."""

from functools import partial

from gwray.analysis import Agreement, JudgeAgreement, read_published

published = partial(read_published, __name__)
"""Returns a table as published; null for a dash. `README.md` has its source."""


def judge_agreement() -> JudgeAgreement:
    """Returns how far the failure judge of PokeGym agreed with people."""
    (m,) = published("judge").to_dicts()
    found = Agreement(m["episodes"], None, m["micro_f1"], m["jaccard"], None, None, {})
    return JudgeAgreement("failure judge of PokeGym (published)", "deadlocks", m["model"], "people", found)
