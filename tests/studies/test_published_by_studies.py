"""The published tables of the studies."""

import polars as pl
import pytest

from gwray.analysis import read_published
from gwray.studies import flashadventure, orak, pokegym
from gwray.studies.flashadventure.published import published as flashadventure_published


def test_ablation_by_game_has_the_printed_means():
    """The study's totals are the means of its five games."""
    means = flashadventure_published("ablation").group_by("condition").agg(pl.col("sr", "mcr", "steps").mean())
    printed = {r["condition"]: r for r in flashadventure_published("studies").filter(study="ablation").to_dicts()}
    for row in means.to_dicts():
        total = printed[row["condition"]]
        assert row["mcr"] == pytest.approx(total["mcr"], abs=0.06) and row["sr"] == total["sr"]
        assert row["steps"] == pytest.approx(total["steps"])


@pytest.mark.parametrize(("study", "heights"), [
    (pokegym, {"success": 33, "behaviour": 24, "studies": 20, "tokens": 33, "external": 5, "external_r": 15,
               "correlation": 3, "judge": 1}),
    (flashadventure, {"games": 350, "studies": 13, "measures": 6, "judge": 34, "contamination": 60, "ablation": 15}),
    (orak, {"games": 12, "main": 211, "modules": 106, "modality": 160, "finetuned": 65}),
])  # fmt: skip
def test_every_published_table_can_be_read(study, heights):
    assert {t: read_published(f"{study.__name__}.published", t).height for t in heights} == heights
