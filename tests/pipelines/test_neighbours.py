"""What one game does to its page takes no try from the episodes beside it, and is booked as the game's fault."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import psutil
import pytest

from gwray.records import EpisodeRecord
from gwray.sandbox import Browser, GamePage
from gwray.sandbox.types import Limits
from pipelines.conftest import BASE, make_executor, plan_of, play, quiet, run_plan, short_library

HANGS = "addEventListener('keydown', () => { for (;;); });"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Games of the short library, and one that hangs at the first key."""
    root = tmp_path / "library"
    for name in ("short-flight", "short-sums"):
        shutil.copytree(short_library() / name, root / name)
    shutil.copytree(root / "short-flight", root / "hangs")
    script = root / "hangs/game.js"
    script.write_text(f"{script.read_text()}\n{HANGS}\n")
    said = root / "hangs/game.yaml"
    said.write_text(said.read_text().replace("id: short-flight", "id: hangs").replace("13_", "99_"))
    return root


def tries_that_failed(folder: Path) -> list[EpisodeRecord]:
    """Also of episodes that finished later."""
    lines = (folder / "run/failures.jsonl").read_text().splitlines()
    return [EpisodeRecord.model_validate_json(line) for line in lines]


async def test_a_hanging_game_fails_by_its_name_and_its_neighbours_lose_nothing(tmp_path, library, monkeypatch):
    launch = partial(Browser.launch, limits=Limits(call_s=2.0))
    monkeypatch.setattr("gwray.pipelines.worker.Browser.launch", launch)
    job = {**BASE, "libraries": str(library), "task": "1,2", "executor": {"name": "inline", "lanes": 3}}
    jobs = [{**job, "game": "hangs", "task": "1"}, {**job, "game": "short-sums"}]
    ended = await run_plan(plan_of(tmp_path, *jobs), quiet(), make_executor)
    assert {(r.game, r.tries) for r in ended.run.results()} == {("short-sums", 1)}
    first, last = tries_that_failed(tmp_path)
    assert {first.game, last.game} == {"hangs"}
    assert (first.error_class, first.error_owner) == ("PageHung", "machine"), "it could be the machine, once"
    assert (last.error_class, last.error_owner, last.tries) == ("GameError", "game", 2)
    assert last.error_message.startswith("hangs: ") and "hung alone in a new browser too" in last.error_message
    assert ended.tally.failed == 1 and ended.tally.finished == 2


@pytest.mark.slow
async def test_a_killed_browser_costs_none_of_its_episodes_a_try(tmp_path, monkeypatch):
    launched: list[Browser] = []
    steps: list[GamePage] = []
    launch, step = Browser.launch, GamePage.step

    async def launch_and_tell(**how) -> Browser:
        launched.append(await launch(**how))
        return launched[-1]

    async def step_or_kill(page: GamePage, *args, **how):
        steps.append(page)
        if len(steps) == 20:
            psutil.Process(launched[0].pid).kill()
        return await step(page, *args, **how)

    monkeypatch.setattr("gwray.pipelines.worker.Browser.launch", launch_and_tell)
    monkeypatch.setattr(GamePage, "step", step_or_kill)
    job = {"game": "short-sums", "task": "1,2", "executor": {"name": "inline", "lanes": 2}}
    ended = await play(tmp_path, job)
    assert ended.complete
    failures = tries_that_failed(tmp_path)
    assert len(failures) == 2 and {f.error_class for f in failures} == {"BrowserLost"}
    assert {(r.tries, r.status) for r in ended.run.results()} == {(1, "finished")}
    assert len(launched) == 1 + 2, "each of them was played in a browser of its own"
