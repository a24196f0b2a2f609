"""Orak's main study with the tiny model on the real engine: text-only prompts, sections, the agent of each game."""

import pytest
from serving.launches import launched

from gwray.store import RunDir

pytestmark = [pytest.mark.vllm, pytest.mark.slow, pytest.mark.whole]
CELL = "model=tiny-vl model.semantic_format=sections observation=text"
GAMES = {"p01_twofold": {""}, "p07_fair-trial": {"critique", ""}}
"""Games, and the modules of their published agents. The acting module has no name."""


def test_tiny_model_plays_orak_by_text_in_sections(tmp_path):
    command = [
        "launch.py", "experiment=orak/main", f'cells=["{CELL}"]', f"game=[{','.join(GAMES)}]", "repeats=1",
        "game_defaults=[agent,sampling]", "limit.steps=3", "tracking.mode=disabled", f"run_dir={tmp_path / 'run'}",
    ]  # fmt: skip
    with launched(tmp_path, command) as launch:
        assert launch.ended() == 0, launch.printed
        assert launch.left() == []
    run = RunDir.open(tmp_path / "run")
    results = run.results()
    assert run.failures() == [] and {r.game for r in results} == set(GAMES)
    for record in results:
        replies = run.log(record.key).read()
        assert {line.module for line in replies} == GAMES[record.game]
        # The engine constrains every reply to its sections; random words fill the first one until the reply is cut off.
        assert (record.steps, record.proposals, record.out_of_space) == (3, 3, 0)
        begins = {"": "### Reasoning\n", "critique": "### Self_reflection\n"}
        assert all(line.reply.text.startswith(begins[line.module]) for line in replies)
