"""Judges: models that say what a recorded episode came to, long after it was played.

One kind reads the record; another goes on playing from the exact final state, as a fork with a budget of its own. What
they say lies beside the results and changes none; it follows from their reply logs, so it is verified like an episode.
"""

from gwray.judges.judging import Judged, judge_run
from gwray.judges.knowledge import known_in
from gwray.judges.profile import JudgeSpec, read_judge
from gwray.judges.truth import agreement_of, agreements_of, labelled_in
from gwray.judges.verifying import verify_judgements

__all__ = [
    "JudgeSpec",
    "Judged",
    "agreement_of",
    "agreements_of",
    "judge_run",
    "known_in",
    "labelled_in",
    "read_judge",
    "verify_judgements",
]
