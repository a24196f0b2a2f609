"""`gwray play` without a game: a page of all games, each to be played for a score or freely in real time."""

import asyncio
from functools import partial

import httpx
import pytest
from accessibility import barriers
from person.test_play import at_the_page, person, turn, until
from pipelines.conftest import short_library

from gwray.catalog import load_catalog
from gwray.person import play_by_choice
from gwray.pipelines.verify import verify_run
from gwray.store import RunDir


def choosing(tmp_path, **options):
    common = {"run_dir": str(tmp_path / "run"), "libraries": (str(short_library()),)}
    return at_the_page(partial(play_by_choice, **common, **options))


async def choose(page, task: str) -> None:
    await page.wait_for_selector("html[data-ready]")  # before, a click means nothing
    await page.locator(f"[data-game=short-sums][data-task='{task}']").click()
    await page.wait_for_url("**/play/")


async def test_address_names_a_task(tmp_path):
    async with choosing(tmp_path) as (page, _, errors):
        base = page.url.rstrip("/")
        await page.goto(f"{base}/play/short-sums/99")
        assert "no task 99" in await page.inner_text("#refused")
        await page.goto(f"{base}/play/short-sums/1")
        await page.wait_for_url("**/play/")
        assert not errors


async def test_games_page_lists_all_games(tmp_path):
    games = load_catalog((str(short_library()),)).games
    async with choosing(tmp_path) as (page, _, errors):
        cards = await page.locator(".game").evaluate_all(
            "all => all.map(c => [c.querySelector('button').dataset.game, c.innerText,"
            " ...['button', 'a', 'img'].map(tag => c.querySelectorAll(tag).length)])"
        )
        assert sorted(id for id, *_ in cards) == sorted(games)
        for id, text, tasks, starts, pictures in cards:
            game = games[id]
            assert id in text and game.title in text
            free_starts = len({t.options for t in game.tasks}) if id != "p10d_wound-up" else 0
            assert (tasks, starts) == (len(game.tasks), free_starts)
            assert pictures == (game.folder.parent != short_library())
        for picture in ("13_flappy-bird", "town", "c09_second-light"):
            async with httpx.AsyncClient() as client:
                assert (await client.get(f"{page.url}pictures/{picture}.webp")).content[8:12] == b"WEBP"
        await page.fill("#find", "flappy")
        assert await page.locator(".game:visible").count() == 1
        refused = await page.evaluate(
            "fetch('/choose', {method: 'POST', headers: {'content-type': 'application/json'},"
            " body: JSON.stringify({game: 'short-sum', task: '1'})}).then(a => a.text())"
        )
        assert "Did you mean short-sums" in refused
    assert not errors


async def test_pages_are_accessible(tmp_path):
    async with choosing(tmp_path, interface="semantic") as (page, _, _):
        assert await barriers(page) == []
        await choose(page, load_catalog((str(short_library()),)).game("short-sums").tasks[0].id)
        await turn(page, 1)
        assert await barriers(page) == []


@pytest.mark.slow
async def test_chosen_task_can_be_left_and_resumed(tmp_path):
    async with choosing(tmp_path, interface="semantic") as (page, _, errors):
        first, second = load_catalog((str(short_library()),)).game("short-sums").tasks[:2]
        await choose(page, first.id)
        await turn(page, 1)
        assert [await page.inner_text(f"#{id}") for id in ("score", "progress", "left")] == ["–", "–", "16"]
        for n in (1, 2, 3):
            await page.get_by_role("button", name="move_left").click()
            await turn(page, n + 1)
        assert await page.inner_text("#left") == "13"
        assert (await page.inner_text("#progress")).endswith(" %") and await page.inner_text("#score") != "–"
        await page.get_by_role("link", name="All games").click()
        await choose(page, second.id)
        await turn(page, 1)
        await page.get_by_role("link", name="All games").click()
        await choose(page, first.id)
        for n in range(4, 17):
            await turn(page, n)
            await page.get_by_role("button", name="move_left").click()
        await page.wait_for_selector("body[data-ended=finished]")
        assert await page.inner_text("#left") == "0"
        await page.get_by_role("button", name="Play again").click()
        await turn(page, 1)
    assert not errors
    run = RunDir.open(tmp_path / "run")
    (record,) = run.results()
    assert (record.task, record.steps, record.model) == (first.id, 16, "human")
    assert {f.verdict for f in await verify_run(run) if f.key == record.key} == {"identical"}


async def test_free_play_waits_for_first_key(tmp_path):
    def played(page):
        return page.evaluate("gameAPI.getState().gameTimeMs")

    async def held(page) -> bool:
        await page.wait_for_selector("p[role=status]")
        before = await played(page)
        await asyncio.sleep(0.5)
        return await played(page) == before

    async with choosing(tmp_path) as (page, _, errors):
        await page.locator("a[href*='freely/13_flappy-bird']").first.click()
        await until(page, "window.gameAPI")
        assert await held(page) and await played(page) == 0
        assert "the space bar" in (await page.inner_text("p[role=status]")).lower(), "the keys are told"
        await page.keyboard.press("Alt")
        assert await held(page), "a key that belongs to the window begins nothing"
        await page.keyboard.press("Space")
        await until(page, "gameAPI.getState().metrics.flaps > 0")
        await until(page, "gameAPI.getState().status === 'terminal'")
        await page.keyboard.press("Enter")
        await until(page, "gameAPI.getState().status === 'playing'")
        assert await held(page)
        await page.keyboard.press("Space")
        await until(page, "gameAPI.getState().metrics.flaps > 0")
        await page.keyboard.press("Escape")
        await page.wait_for_selector(".game")
        for withheld in ("gameworld/13_flappy-bird/solutions.json", "harbor/town/index.html", "../../README.md"):
            async with httpx.AsyncClient() as client:
                assert (await client.get(f"{page.url}freely/13_flappy-bird/{withheld}")).status_code == 404
    assert not errors


async def test_realtime_episode_waits_for_first_key(tmp_path):
    async with person(tmp_path, "short-sums", timing="realtime") as (page, _, errors):
        await until(page, "document.querySelector('#waiting').textContent.includes('to begin')")
        await page.keyboard.press("Tab")
        await asyncio.sleep(0.5)
        assert (await page.evaluate("fetch('now').then(a => a.json())"))["asked"] == {"player": 0}
        await page.keyboard.press("ArrowLeft")
        await turn(page, 1)
        assert await page.inner_text("#left") == "16", "the key that begins is not an action"
        await page.keyboard.press("ArrowLeft")
        await turn(page, 2)
    assert not errors


@pytest.mark.parametrize(
    ("page", "kept"),
    [
        ("<!doctype html><html lang='en'><head><script src='a.js'>", "<!doctype html><html lang='en'><head>"),
        ("<script src='a.js'>", ""),
    ],
)
def test_start_gate_precedes_page_scripts(page, kept):
    from gwray.person.games import _with_start_gate

    gate = '<script src="/assets/hold.js" data-roles="Say &quot;a&quot; &amp; b.\n\nWait."></script>'
    assert _with_start_gate(page.encode(), ['Say "a" & b.', "Wait."]).decode() == page.replace(kept, kept + gate, 1)


def test_games_of_commands_only_are_not_played_freely():
    from gwray.person.games import game_groups

    starts = {card.id: card.starts for group in game_groups(load_catalog()) for card in group.games}
    assert [game for game, found in starts.items() if not found] == ["p10d_wound-up"]
