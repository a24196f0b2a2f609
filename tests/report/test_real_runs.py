"""Reports of real runs, played by real browsers: the demo and the complete library."""

import io
from pathlib import Path

import pytest
from rich.console import Console
from runs_to_report import play_demo

from gwray.catalog import load_catalog
from gwray.cli.executors import make_executor
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec
from gwray.report import build_report
from gwray.store import RunDir
from gwray.verification.replays import InlineReplays
from gwray.verification.verify import verify_run


async def played(folder: Path, *jobs: dict) -> RunDir:
    """A run of these jobs, every episode finished."""
    base = {"run_dir": str(folder / "run"), "name": "real", "tracking": {"mode": "disabled"},
            "executor": {"name": "inline", "lanes": 4}}  # fmt: skip
    ended = await run_plan(
        make_plan([run_spec(base | job) for job in jobs]), Console(file=io.StringIO()), make_executor
    )
    assert ended.complete and not ended.tally.failed
    return ended.run


async def looked_at(site: Path, watched) -> None:
    """Tables sort, the slider moves, a deep link leads to its step; nothing complains, nothing leaves the folder."""
    page = await watched.open(site / "index.html")
    head = page.locator("#main thead th", has_text="progress %").first
    await head.locator("button").click()
    assert await head.get_attribute("aria-sort") == "descending"
    replay = sorted((site / "replay").glob("*.html"))[0]
    await watched.open(replay.as_uri() + "#step=2", "step='2'")
    slider = page.locator("input[type=range]").first
    assert await slider.input_value() == "2"
    await page.keyboard.press("ArrowRight")
    await page.wait_for_selector("html[data-step='3']")
    assert await slider.input_value() == "3"
    assert watched.problems == []
    assert [u for u in watched.requests if not u.startswith((site.as_uri(), "data:", "blob:"))] == []


@pytest.mark.slow
async def test_demo_report_opens_in_a_browser(tmp_path, watched):
    demo = await play_demo(tmp_path / "run")
    assert {r.game for r in demo.results()} == {
        "01_2048", "12_fireboy-and-watergirl", "13_flappy-bird", "19_minesweeper"
    }  # fmt: skip
    index = build_report([demo], tmp_path / "site")
    assert "16 of 16 planned episodes (plays) finished" in index.read_text()
    await looked_at(index.parent, watched)


@pytest.mark.slow
@pytest.mark.parametrize(("every", "steps"), [(3, 20), pytest.param(1, None, marks=pytest.mark.whole)])
@pytest.mark.own_browser
async def test_random_player_finishes_every_game(tmp_path, watched, every, steps):
    games = [game.id for game in load_catalog().selected("all")][::every]
    run = await played(tmp_path, {"game": games, "task": "1", "model": "random", "limit": {"steps": steps}})
    results = run.results()
    assert len(results) == len(games) >= 12 and all(r.reproducible and not r.page_errors for r in results)
    assert {f.verdict for f in await verify_run(run, executor=InlineReplays(4), sample=4)} == {"identical"}
    index = build_report([run], tmp_path / "site")
    await looked_at(index.parent, watched)
