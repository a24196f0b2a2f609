"""A reader learns what was asked, by whom it was played, what came out, and how to do or check it again."""

import pytest

from gwray.catalog import load_catalog
from gwray.report import build_report, export_html
from gwray.report.task_text import task_texts


async def test_a_replay_opens_with_the_task_and_the_report_with_who_what_and_how(demo, tmp_path, watched):
    task = load_catalog().game("13_flappy-bird").tasks[0]
    index = build_report([demo], tmp_path / "site", images=False)
    page = watched.page
    await page.goto(index.as_uri())
    lead = await page.inner_text(".intro")
    assert "1 task of 1 game, played by" in lead and "Highest success rate: " in lead
    await page.click(".again summary")
    again = await page.inner_text(".again")
    for words in (f"gwray verify {demo.url}", demo.manifest()["git_commit"][:12], "seeds\n42", "playwright"):
        assert words in again
    await page.goto(next((tmp_path / "site" / "replay").glob("*.html")).as_uri())
    said = await page.inner_text(".asked")
    assert "Gap Flyer (13_01)" in said and task.instruction.strip() in said
    assert f"Goal: a score of 1 within {task.max_steps} steps." in said
    assert watched.problems == []


def test_an_episode_as_one_file_says_it_too(demo, tmp_path):
    assert "Gap Flyer" in export_html(demo, demo.results()[0].key, tmp_path / "one.html").read_text()


@pytest.mark.slow
def test_of_games_that_have_changed_since_nothing_is_said(demo):
    manifest = demo.manifest()
    assert task_texts([manifest])["13_01"].title == "Gap Flyer"
    assert task_texts([{**manifest, "games": {"13_flappy-bird": "0" * 32}}]) == {}
    assert task_texts([{}]) == {}


def test_row_headers_are_valid_html(demo, tmp_path):
    page = build_report([demo], tmp_path / "site", images=False, episodes="none").read_text()
    assert '<th scope="row"' in page and "&#34;row" not in page
