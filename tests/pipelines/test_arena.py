"""Arenas: the matches of a plan, what a match records, and what its tables say."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from gwray.analysis import cell_summaries, verdict
from gwray.cli.results import read_results
from gwray.errors import UsageError
from gwray.notebook import Run
from gwray.pipelines import run_spec
from gwray.pipelines.plan import make_plan
from gwray.report.results import make_results
from gwray.report.sections import by_tab, make_sections
from gwray.store import RunDir, results_frame
from gwray.verification import verify_run
from pipelines.conftest import BASE, play

SCRIPT = """
import { defineGame, finish } from '../../kit/game.js';
const create = () => ({ lead: 0, left: 6 });
function update(s, input) {
  if (input.pressed('a')) s.lead += 1;
  if (input.pressed('l')) s.lead -= 1;
  if (--s.left <= 0) s.left = 6;
}
const draw = (ctx, s) => { ctx.fillRect(640 + 40 * s.lead, 300, 60, 60); };
const observe = s => ({ game_state: { lead: s.lead }, metrics: {}, raw: {} });
defineGame({ id: 'tug', create, update, draw, observe });
"""


@pytest.fixture
def tug(tmp_path: Path) -> dict[str, Any]:
    """A game in which each of two roles pulls to its side."""
    folder = tmp_path / "ropes/tug"
    folder.mkdir(parents=True)
    (folder / "game.js").write_text(SCRIPT)
    (folder / "index.html").write_text('<!doctype html><script type="module" src="game.js"></script>')
    (folder / "player.py").write_text("def act(state, role, task):\n    return 'pull'\n")
    seats = [
        {"name": name, "description": "Pull.", "keys": [key], "controls": [
            {"id": "pull", "description": "Pull.", "press": [key]},
            {"id": "rest", "description": "Rest.", "wait": True}]}
        for name, key in (("left", "a"), ("right", "l"))
    ]  # fmt: skip
    match = {"id": "tug_2", "instruction": "Pull harder.", "goal": {"field": "game_state.lead", "at_least": 99},
             "max_steps": 4, "versus": {"lead": "game_state.lead", "weighted": True}}  # fmt: skip
    alone = {**match, "id": "tug_1", "instruction": "Pull."}
    del alone["versus"]
    game = {"id": "tug", "title": "Tug", "genre": "arcade", "level": 1, "summary": "s", "rules": "r",
            "capture": "canvas", "roles": seats, "tasks": [alone, match]}  # fmt: skip
    (folder / "game.yaml").write_text(json.dumps(game))
    (tmp_path / "ropes/library.yaml").write_text("title: Ropes\n")
    return {"libraries": str(tmp_path / "ropes"), "game": "tug", "task": "all", "run_dir": str(tmp_path / "run")}


def test_plan_has_all_pairs_on_both_sides(tug):
    plan = make_plan([run_spec({**BASE, **tug, "arena": "scripted,random,noop", "repeats": 2})])
    sides = [(c.spec.model.name, c.spec.roles["right"].name) for c in plan.cells]
    assert len(plan.cells) == 6 and len(set(sides)) == 6 and all(a != b for a, b in sides)
    assert {e.task for e in plan.episodes} == {"tug_2"}, "the other task is no match"
    assert len(plan.episodes) == 12


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"arena": "random"}, "two or more different models"),
        ({"arena": "random,random"}, "two or more different models"),
        ({"arena": "random,nobody"}, "nobody"),
        ({"arena": "random,noop", "roles": {"right": "noop"}}, "exclude each other"),
        ({"arena": "random,noop", "model": "scripted"}, "model=scripted exclude each other.*Leave model out"),
        ({"arena": "random,noop", "task": "tug_1"}, "tug_2"),
        ({"arena": "random,noop", "game": "13_flappy-bird"}, r"no match between two roles.*tug \(task tug_2\)"),
    ],
)
def test_arena_that_cannot_be_played_is_refused(tug, settings, says):
    with pytest.raises(UsageError, match=says):
        make_plan([run_spec({**BASE, **tug, **settings})])


@pytest.mark.slow
async def test_arena_of_three_is_played_rated_and_verified(tug, tmp_path):
    arena = {**tug, "arena": "scripted,random,noop", "observation": {"format": "none"}}
    ended = await play(tmp_path, arena)
    assert ended.tally.finished == 6
    ratings = Run(ended.run).arena()
    assert ratings["player"].to_list() == ["scripted", "random", "noop"]
    assert ratings.filter(pl.col("player") == "scripted")["margin"].item() == pytest.approx(3, abs=1.01)
    assert "tug: none of the 3 players leads; scripted minus random" in Run(ended.run).verdict()
    found = read_results(ended.run)
    assert found is not None and found.verdict == Run(ended.run).verdict()
    rows = [[str(cell) for cell in row] for row in found.arenas[1].rows]
    assert rows[0][0] == "scripted" and rows[0][3].startswith("2 of 2 (+4")
    results = make_results(results_frame(ended.run), [ended.run.manifest()])
    first, _ = by_tab(make_sections(results))
    assert first[0].title == "tug: ratings", "the overview of cells is no result of an arena"
    assert verdict(results.main, results.comparisons, results.arenas) == found.verdict, "as the report begins"
    summaries = cell_summaries(results_frame(ended.run), ended.run.manifest())
    assert all(len([k for k in s if k.startswith("arena/tug/")]) == 2 for s in summaries.values())
    assert {f.verdict for f in await verify_run(ended.run)} == {"identical"}


@pytest.mark.slow
@pytest.mark.whole
def test_killed_arena_of_strategy_games_resumes_to_the_same_ratings(tmp_path):
    runs = []
    for kill in (False, True):
        runs.append(tmp_path / f"killed-{kill}")
        words = ["arena=[scripted,random]", "game=p09d_iron-bell", "limit.steps=30", "executor=inline",
                 "executor.lanes=2", "tracking.mode=disabled", f"run_dir={runs[-1]}"]  # fmt: skip
        command = [sys.executable, "-m", "gwray", "run", *words]
        if kill:
            driver, end = subprocess.Popen(command, stdout=subprocess.DEVNULL), time.monotonic() + 200
            while not any(log.stat().st_size >= 600 for log in runs[-1].glob("replies/*.jsonl")):
                assert driver.poll() is None and time.monotonic() < end
                time.sleep(0.02)
            driver.kill()
            driver.wait()
            assert not RunDir.open(runs[-1]).results(), "killed within its first matches"
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    calm, killed = ({r.key: r.state_chain for r in RunDir.open(run).results()} for run in runs)
    assert len(calm) == 4 and calm == killed
    assert Run(RunDir.open(runs[0])).arena().equals(Run(RunDir.open(runs[1])).arena())
