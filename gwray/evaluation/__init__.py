"""State → score → progress; stop and reset rules."""

from gwray.evaluation.scoring import Standing, Verdict, field, judge, progress, reached, score

__all__ = ["Standing", "Verdict", "field", "judge", "progress", "reached", "score"]
