"""A game that breaks its page costs concurrent episodes no retry, and counts as the game's fault."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import psutil
import pytest

from gwray.records import EpisodeRecord
from gwray.sandbox import Browser, GamePage, PageSource
from pipelines.conftest import BASE, make_executor, outcomes, plan_of, play, quiet, run_plan, short_library

HANGS = "addEventListener('keydown', () => { for (;;); });"
MICROTASKS = "addEventListener('keydown', () => { const on = () => Promise.resolve().then(on); on(); });"
EATS = """addEventListener('keydown', () => {
  for (const eaten = []; ;) if (eaten.length < 150) eaten.push(new Uint8Array(1e7).fill(1));
});"""


@pytest.fixture
def library(tmp_path: Path, bomb: str) -> Path:
    """Games of the short library, and one with a bomb that goes off at the first key."""
    root = tmp_path / "library"
    for name in ("short-flight", "short-sums"):
        shutil.copytree(short_library() / name, root / name)
    shutil.copytree(root / "short-flight", root / "hangs")
    script = root / "hangs/game.js"
    script.write_text(f"{script.read_text()}\n{bomb}\n")
    output = root / "hangs/game.yaml"
    output.write_text(output.read_text().replace("id: short-flight", "id: hangs").replace("13_", "99_"))
    return root


def tries_that_failed(folder: Path) -> list[EpisodeRecord]:
    """Also of episodes that finished later."""
    lines = (folder / "run/failures.jsonl").read_text().splitlines()
    return [EpisodeRecord.model_validate_json(line) for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bomb", "what", "says"),
    [
        pytest.param(HANGS, "hung", "no answer", id="loop"),
        pytest.param(MICROTASKS, "hung", "no answer", marks=pytest.mark.own_browser, id="microtasks"),
        pytest.param(
            EATS, "crashed", "MB of memory, more than the 700 allowed", marks=pytest.mark.own_browser, id="memory"
        ),
    ],
)
async def test_crashing_game_fails_alone(tmp_path, library, monkeypatch, what, says):
    opens = Browser.open

    async def open_page(browser: Browser, source: PageSource, **how) -> GamePage:
        page = await opens(browser, source, **how)
        if what == "hung" and "/hangs/" in source.page:
            page._cdp._limit_s = 2.0  # its neighbours have as long as ever, on a busy machine too
        return page

    monkeypatch.setattr(Browser, "open", open_page)
    limit_mb = 700 if what == "crashed" else 4000  # a page hung by promises may pass 700 MB within 2 s
    executor = {"name": "inline", "lanes": 3, "browser_memory_mb": limit_mb}
    job = {**BASE, "libraries": str(library), "task": "1,2", "executor": executor}
    jobs = [{**job, "game": "hangs", "task": "1"}, {**job, "game": "short-sums"}]
    ended = await run_plan(plan_of(tmp_path, *jobs), quiet(), make_executor)
    assert {(r.game, r.tries) for r in ended.run.results()} == {("short-sums", 1)}
    first, last = tries_that_failed(tmp_path)
    assert {first.game, last.game} == {"hangs"}
    assert (first.error_class, first.error_owner) == (f"Page{what.title()}", "machine"), "it could be, once"
    assert (last.error_class, last.error_owner, last.tries) == ("GameError", "game", 2)
    assert last.error_message.startswith("hangs: ") and f"also {what} alone in a new browser" in last.error_message
    assert says in last.error_message
    assert ended.tally.failed == 1 and ended.tally.finished == 2


def at_step_20(monkeypatch, then) -> list[Browser]:
    """Calls `then` with the process of the first browser and all pages. Returns the browsers that are launched."""
    launched: list[Browser] = []
    steps: list[GamePage] = []
    launch, step = Browser.launch, GamePage.step

    async def launch_and_tell(**how) -> Browser:
        launched.append(await launch(**how))
        return launched[-1]

    async def step_or_break(page: GamePage, *args, **how):
        steps.append(page)
        if len(steps) == 20:
            then(psutil.Process(launched[0].pid), steps)
        return await step(page, *args, **how)

    monkeypatch.setattr("gwray.pipelines.worker.Browser.launch", launch_and_tell)
    monkeypatch.setattr(GamePage, "step", step_or_break)
    return launched


@pytest.mark.slow
@pytest.mark.parametrize("how", ["kill", pytest.param("suspend", marks=pytest.mark.whole)])
@pytest.mark.own_browser
async def test_killed_browser_costs_no_retry(tmp_path, monkeypatch, how):
    monkeypatch.setattr("gwray.sandbox.cdp.LIVENESS_TIMEOUT_S", 0.5)

    def end(browser, pages):
        getattr(browser, how)()
        for known in pages:
            known._cdp._limit_s = 2.0

    launched = at_step_20(monkeypatch, end)
    job = {"game": "short-sums", "task": "1,2", "executor": {"name": "inline", "lanes": 2}}
    ended = await play(tmp_path, job)
    assert ended.complete
    failures = tries_that_failed(tmp_path)
    assert len(failures) == 2 and {f.error_class for f in failures} == {"BrowserDisconnected"}
    assert {(r.tries, r.status) for r in ended.run.results()} == {(1, "finished")}
    assert len(launched) == 1 + 2, "each of them was played in a browser of its own"


@pytest.mark.slow
@pytest.mark.own_browser
async def test_paused_browser_costs_only_time(tmp_path, monkeypatch):
    job = {"game": "short-sums", "task": "1,2", "executor": {"name": "inline", "lanes": 2}}
    calm = await play(tmp_path / "calm", job)

    def pause(browser, pages):
        browser.suspend()
        asyncio.get_running_loop().call_later(8, browser.resume)

    launched = at_step_20(monkeypatch, pause)
    stopped = await play(tmp_path / "stopped", job)
    assert stopped.complete and not (tmp_path / "stopped/run/failures.jsonl").exists() and len(launched) == 1
    assert outcomes(stopped, "frame_chain") == outcomes(calm, "frame_chain")
