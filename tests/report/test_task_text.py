"""Task texts in replays, and run conditions in the report."""

import re

import pytest

from gwray.catalog import load_catalog
from gwray.report import build_report
from gwray.report.task_texts import goal_text, task_texts
from gwray.settings import LimitSpec
from gwray.store import unpack_texts


def page_text(index):
    """The page without the command that the run was made with."""
    return re.sub(r"(?s)<p>Run it again.*?</pre>", "", index.read_text())


@pytest.mark.slow
async def test_replay_shows_task_and_report_shows_conditions(demo, tmp_path, watched):
    task = load_catalog().game("13_flappy-bird").tasks[0]
    index = build_report([demo], tmp_path / "site")
    page = await watched.open(index, "")
    lead = await page.inner_text(".intro")
    assert "Test run without an AI model: automatic players in 1 game. " in lead and " of 1 play (" in lead
    assert "13_0" not in await page.inner_text("body"), "a page shows titles"
    await page.click(".again summary")
    again = await page.inner_text(".again")
    (pack,) = (tmp_path / "site" / "proof").iterdir()
    assert f"{pack.name} has what the players answered" in lead and demo.url not in page_text(index)
    assert unpack_texts(pack, str(tmp_path / "theirs")).manifest().seal == demo.manifest().seal
    for words in (f"gwray unpack {pack.name}", demo.manifest().git_commit[:12], "seeds\n42", "playwright"):
        assert words in again
    await page.goto(next((tmp_path / "site" / "replay").glob("*.html")).as_uri())
    text = await page.inner_text(".asked")
    assert text.startswith("Gap Flyer: ") and task.instruction.strip() in text
    assert f"Goal: target 1 within {task.max_steps} steps." in text
    await page.goto((index.parent / "episodes.html").as_uri())
    await page.fill("#q", "gap flyer: target 1")
    assert await page.locator("#episodes tbody td:nth-child(3)").all_inner_texts() == [
        f"Gap Flyer: target 1 within {task.max_steps} steps"
    ] * len(demo.results())
    assert watched.problems == []


def test_goals_name_the_budgets_of_all_cells():
    """With `limit.steps`, a title says the budget that episodes had, not the task's."""
    task = load_catalog().game("13_flappy-bird").tasks[0]
    half, huge = LimitSpec(steps=task.max_steps // 2), LimitSpec(steps=task.max_steps * 2)
    assert goal_text(task, {half}).endswith(f"within {task.max_steps // 2} steps")
    assert goal_text(task, {half, huge}).endswith(f"within {task.max_steps // 2} or {task.max_steps} steps")
    assert goal_text(task, {LimitSpec(unlimited=True)}) == "target 1 without a limit"


@pytest.mark.slow
def test_changed_games_have_no_task_text(demo, monkeypatch):
    manifest = demo.manifest()
    assert task_texts([demo])["13_01"].title == "Gap Flyer"
    for games in ({"13_flappy-bird": "0" * 32}, {}):
        monkeypatch.setattr(type(demo), "manifest", lambda _, g=games: manifest.model_copy(update={"games": g}))
        assert task_texts([demo]) == {}


@pytest.mark.slow
def test_row_headers_are_valid_html(demo, tmp_path):
    page = build_report([demo], tmp_path / "site", episodes="none").read_text()
    assert '<th scope="row"' in page and "&#34;row" not in page
