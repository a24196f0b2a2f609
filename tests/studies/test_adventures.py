"""Means over games, gaps between clue and use, and diversity of agents."""

import polars as pl
import pytest

from gwray.studies.flashadventure.adventures import clue_gap, diversity, episode_gaps, game_means
from gwray.studies.flashadventure.published import published as flashadventure_published


def frame(rows: list[dict]) -> pl.DataFrame:
    return pl.DataFrame([{"status": "finished", "key": str(i), **r} for i, r in enumerate(rows)])


@pytest.mark.parametrize(
    ("agent", "sr", "mcr", "steps"),
    [("openai_cua", 5.88, 15.38, 954.1), ("claude_cu", 0, 17.11, 992.4), ("claude_cu_coast", 5.88, 19.89, 966.8),
     ("human_1k", 50.98, 78.98, 815.5), ("human_unlimited", 97.06, 100, 1142.0)],
)  # fmt: skip
def test_published_averages_are_plain_means_over_games(agent, sr, mcr, steps):
    rows = flashadventure_published("games").filter(agent=agent).filter(pl.col("game") != "Average").to_dicts()
    games = frame([{"cell": "c", "game": r["game"], "success": r["sr"] / 100, "progress": r["mcr"] / 100,
                    "steps": r["steps"]} for r in rows])  # fmt: skip
    ours = game_means(games)["c"]
    assert (ours.games, round(100 * ours.sr, 2), round(100 * ours.mcr, 2)) == (34, sr, mcr)
    assert ours.steps == pytest.approx(steps, abs=0.6)  # one is printed 0.5 off its own table


def test_games_have_equal_weights_and_progress_may_exceed_one():
    rows = [{"cell": "c", "game": "a", "success": True, "progress": 1.4, "steps": 10}] * 3
    rows += [{"cell": "c", "game": "b", "success": False, "progress": 0.2, "steps": 30}]
    ours = game_means(frame(rows))["c"]
    assert (ours.sr, ours.mcr, ours.steps) == (0.5, pytest.approx(0.8), 20)


def test_clue_gap_is_the_mean_of_game_means():
    gap = clue_gap({"a": [100, 300], "b": [50], "c": [650], "d": []})
    assert dict(gap.by_game) == {"a": 200, "b": 50, "c": 650}
    assert gap.mean == 300 and gap.sd == pytest.approx(312.25, abs=0.01)
    with pytest.raises(ValueError, match="no clue"):
        clue_gap({"a": []})
    rows = [{"cell": "c", "game": "a", "metrics.clues.gap": g} for g in (4.0, None, 6.0)]
    assert episode_gaps(frame(rows)) == {"a": [4, 6]} and episode_gaps(frame(rows).drop("metrics.clues.gap")) == {}


def test_diversity_normalizes_steps_by_game_and_shares_ranks():
    spread = diversity({"a": {"x": 10, "y": 20, "z": 30}, "b": {"x": 5, "y": 5, "z": 11}})
    assert spread["x"].normalised == {"a": -10, "b": -2} and spread["z"].ranks == {"a": 3, "b": 3}
    assert spread["x"].ranks == {"a": 1, "b": 1.5} and spread["y"].sd == pytest.approx(2**0.5)
