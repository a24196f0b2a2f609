"""Judges: models that assess recorded episodes, at any later time. A judge is a profile in `conf/judge/` of one kind
(`JudgeKind`). Verdicts are stored in `judgements/` and change no result. They follow from the recorded episode and the
judge's reply log, so they are verified like an episode."""

from gwray.judges.agreement import compare_judge, compare_judges, judge_labels
from gwray.judges.annotation_page import annotation_page
from gwray.judges.judging import JudgeOutcome, judge_run
from gwray.judges.kinds import JUDGES, JudgeKind, JudgeResult, RecordedEpisode, load_kind
from gwray.judges.knowledge import probe_results
from gwray.judges.session import JudgeSession
from gwray.judges.spec import JudgeSpec, read_judge
from gwray.judges.verification import verify_judgements

__all__ = [
    "JUDGES",
    "JudgeKind",
    "JudgeOutcome",
    "JudgeResult",
    "JudgeSession",
    "JudgeSpec",
    "RecordedEpisode",
    "annotation_page",
    "compare_judge",
    "compare_judges",
    "judge_labels",
    "judge_run",
    "load_kind",
    "probe_results",
    "read_judge",
    "verify_judgements",
]
