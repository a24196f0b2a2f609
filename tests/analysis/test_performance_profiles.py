"""Performance profiles."""

import polars as pl
import pytest
from synthetic_sweep import sweep

from gwray.analysis import episode_frame, performance_profile


def test_profile_is_the_share_of_tasks_with_more_progress():
    progress = {"t1": (0.2, 0.6), "t2": (0.5, 0.5)}
    rows = [
        {"key": f"{t}{r}", "cell": "a", "game": "g", "task": t, "repeat": r, "progress": x, "status": "finished"}
        for t, found in progress.items() for r, x in enumerate(found)
    ]  # fmt: skip
    points = performance_profile(episode_frame(rows), "a", (0.0, 0.2, 0.5, 0.6))
    assert [p.share.value for p in points] == [1.0, 0.75, 0.25, 0.0], "progress at the threshold is not above it"
    assert {p.share.kind for p in points} == {"tasks"} and points[1].share.low < 0.75 < points[1].share.high
    assert performance_profile(episode_frame(rows), "b") == []


def test_profile_of_many_games_has_the_interval_of_a_success_rate():
    frame = sweep({"a": 0.5}, repeats=2)
    (point,) = performance_profile(frame, "a-semantic", (0.4,))
    share = frame.select((pl.col("progress") > 0.4).cast(pl.Float64).mean()).item()
    assert point.share.value == pytest.approx(share) and point.share.kind == "games" and point.share.clusters == 34
