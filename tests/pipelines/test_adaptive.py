"""`timing=adaptive` in the harbour: the same latency is charged on the way to the mump, and not while it is fought."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gwray.places import GAMES
from gwray.verification import verify_run
from tests.pipelines.conftest import play

LATENCY = 250.0


def harbour(folder: Path) -> Path:
    """The town with a budget that ends soon after the mump has noticed who comes."""
    shutil.copytree(GAMES / "harbor" / "town", folder / "library" / "short-town")
    game = folder / "library" / "short-town" / "game.yaml"
    text = game.read_text().replace("id: town\n", "id: short-town\n")
    game.write_text(text.replace("budget: {steps: 300}", "budget: {steps: 20}"))
    return folder / "library"


@pytest.mark.slow
async def test_adaptive_timing_charges_only_outside_the_paused_tag(tmp_path):
    timing = {"mode": "adaptive", "paused_in": ("combat",), "latency": f"fixed:{LATENCY:g}"}
    town = {"game": "short-town", "task": "m2_goal", "model": "scripted", "libraries": str(harbour(tmp_path))}
    ended = await play(tmp_path, {**town, "observation": {"format": "none"}, "timing": timing})
    (record,) = ended.run.results()
    rows = ended.run.read_steps(record.key, images=False)
    fought = [False, *(json.loads(row.state)["game_state"]["fighting"] for row in rows)]
    assert 2 <= sum(fought[:-1]) <= len(rows) - 2, "there are decisions of both kinds"
    assert [row.charged_ms for row in rows] == [0 if fighting else LATENCY for fighting in fought[:-1]]
    assert record.latency == timing["latency"] and record.charged_ms == LATENCY * fought[:-1].count(False)
    assert [f.verdict for f in await verify_run(ended.run)] == ["identical"]
