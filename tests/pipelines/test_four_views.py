"""The harbor with four images per decision: independent of concurrent episodes, and verified by replay."""

import re
import shutil
from pathlib import Path

import pytest

from gwray.places import GAMES
from gwray.verification.verify import verify_run
from pipelines.conftest import outcomes, play

STEPS = 5
"""Steps per quest; complete results of all thirty are in `bench/README.md`."""


def short_town(folder: Path) -> Path:
    """The harbour with fewer steps."""
    shutil.copytree(GAMES / "harbor" / "town", folder / "town-short")
    game = folder / "town-short" / "game.yaml"
    game.write_text(re.sub(r"steps: \d+", f"steps: {STEPS}", game.read_text().replace("id: town", "id: town-short")))
    return folder


@pytest.mark.slow
@pytest.mark.own_browser
@pytest.mark.whole
async def test_four_views_are_equal_in_one_lane_and_eight(tmp_path):
    job = {
        "libraries": str(short_town(tmp_path / "library")), "game": "town-short", "task": "n4_goal,m2_visual",
        "model": "scripted", "observation": {"views": ["front", "previous", "left", "right"]},
    }  # fmt: skip
    one, eight = [await play(tmp_path / str(n), {**job, "executor": {"name": "inline", "lanes": n}}) for n in (1, 8)]
    assert outcomes(one) == outcomes(eight) and one.tally.finished == 2
    assert [(f.verdict, f.pictures) for f in await verify_run(eight.run)] == [("identical", True)] * 2
