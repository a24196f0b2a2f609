"""A person plays in a real browser, and the episode is like any other."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from functools import partial

import httpx
import pytest
from accessibility import barriers
from pipelines.conftest import BASE, play, short_library
from playwright.async_api import Error
from shared_browser import viewer

from gwray.errors import UsageError
from gwray.person import play_as_person, play_planned
from gwray.pipelines import run_spec
from gwray.store import RunDir
from gwray.verification import plan_fork
from gwray.verification.verify import verify_run

pytestmark = pytest.mark.slow


def person(tmp_path, game: str, task: str = "1", **options):
    """A person plays a task from its beginning; as `at_the_page`."""
    common = {"run_dir": str(tmp_path / "run"), "libraries": (str(short_library()),)}
    return at_the_page(partial(play_as_person, game, task, **common, **options))


@asynccontextmanager
async def at_the_page(play_it):
    """The page in a browser beside the running episode: (page, task of the episode, console errors)."""
    where: asyncio.Queue[str] = asyncio.Queue()
    playing = asyncio.create_task(play_it(open_page=False, say=lambda text: where.put_nowait(text.split()[-1])))
    errors: list[str] = []
    page = await (await viewer()).new_page(viewport={"width": 1400, "height": 900})
    page.set_default_timeout(120_000)
    page.on("pageerror", lambda e: errors.append(str(e)))
    try:
        await page.goto(await asyncio.wait_for(where.get(), 120))
        yield page, playing, errors
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await page.close()


async def until(page, what: str) -> None:
    """Wait until something is true on the page; its policy lets no driver wait inside it."""
    for _ in range(6000):
        with suppress(Error):  # between two pages
            if await page.evaluate(f"!!({what})"):
                return
        await asyncio.sleep(0.02)
    raise AssertionError(f"it never came to {what}")


async def turn(page, n: int) -> None:
    """Wait until action `n` is asked for."""
    await until(page, f"document.querySelector('#budget')?.textContent.includes('action {n} ')")


async def test_keys_play_an_episode_that_verifies(tmp_path):
    async with person(tmp_path, "short-sums") as (page, playing, errors):
        for n in range(1, 17):
            await turn(page, n)
            await page.keyboard.press(["ArrowLeft", "ArrowDown"][n % 2])
            if n == 2:
                await page.screenshot(path=str(tmp_path / "page.png"))
        (ended,) = await asyncio.wait_for(playing, 120)
        await page.wait_for_selector("body[data-ended=finished]")
    assert not errors
    run = RunDir.open(ended.run_dir)
    (record,) = run.results()
    assert (record.model, record.interface, record.steps) == ("human", "computer_use", 16)
    assert record.no_tool_call == record.out_of_space == 0
    assert {f.verdict for f in await verify_run(run)} == {"identical"}


async def test_finish_button_ends_the_episode_and_the_last_screen_is_shown(tmp_path):
    play_it = partial(play_as_person, "c05_flea-market", "1", run_dir=str(tmp_path / "run"), interface="computer_use")
    async with at_the_page(play_it) as (page, playing, errors):
        await turn(page, 1)
        await page.get_by_role("button", name="finish").click()
        await page.wait_for_selector("body[data-ended]")
        assert (await page.get_attribute("#frame", "src")) == "final"
        frame, end = [await page.locator(x).bounding_box() for x in ("#frame", "#end")]
        assert end["y"] >= frame["y"] + frame["height"], "the game's own words about the end stay visible"
        (ended,) = await playing
        assert (ended.record.ended_by, ended.record.success, errors) == ("finish", False, [])


async def test_click_selects_cell_in_semantic_interface(tmp_path):
    async with person(tmp_path, "short-field", interface="semantic") as (page, _, errors):
        await turn(page, 1)
        box = await page.locator("#frame").bounding_box()
        x = box["x"] + 368 / 1280 * box["width"]
        y = box["y"] + 110 / 720 * box["height"]
        await page.mouse.click(x, y)
        await turn(page, 2)
        await page.mouse.click(x, y, button="right")
        await turn(page, 3)
        for method, path in (("GET", "about"), ("GET", "now"), ("POST", "act")):
            async with httpx.AsyncClient() as outside:
                elsewhere = await outside.request(method, page.url + path, headers={"host": "evil.example"})
                assert elsewhere.status_code == 400
                deep = {"content-type": "application/json"}
                assert (await outside.post(page.url + "act", headers=deep, content="[" * 100_000)).status_code == 400
    assert not errors
    run = RunDir.open(tmp_path / "run")
    said = [line.reply.text for line in run.log(run.manifest().episodes[0].key).read()]
    assert ['"reveal_cell"' in said[0], '"flag_cell"' in said[1]] == [True, True]
    assert all('"a1"' in text for text in said)


async def test_a_drag_on_the_picture_pulls_the_stick_that_a_page_draws(tmp_path):
    async with person(tmp_path, "town", "i1_goal") as (page, _, errors):
        await turn(page, 1)
        box = await page.locator("#frame").bounding_box()
        at = [
            (box["x"] + x / 1280 * box["width"], box["y"] + y / 720 * box["height"])
            for x, y in ((120, 600), (120, 530))
        ]
        await page.mouse.click(*at[0])
        await turn(page, 2)
        await page.mouse.move(*at[0])
        await page.mouse.down()
        await page.mouse.move(*at[1])
        await page.mouse.up()
        await turn(page, 3)
    assert not errors
    run = RunDir.open(tmp_path / "run")
    key = run.manifest().episodes[0].key
    said = [json.loads(line.reply.text) for line in run.log(key).read()]
    assert [(a["action"], a["x"], a["y"]) for a in said] == [("click", 120, 600), ("drag", 120, 600)]


async def test_interrupted_attempt_is_resumed(tmp_path):
    async with person(tmp_path, "short-sums", interface="semantic") as (page, _, _):
        for n in (1, 2, 3):
            await turn(page, n)
            await page.get_by_role("button", name="move_left").click()
        await turn(page, 4)
    async with person(tmp_path, "short-sums", interface="semantic") as (page, _, _):
        await turn(page, 4)


async def test_person_plays_fork_of_model_once(tmp_path):
    parent = await play(tmp_path, {"game": "short-sums", "model": "random"})
    key = parent.run.results()[0].key
    job = run_spec({**BASE, "model": "human", "run_dir": str(tmp_path / "fork")})
    plan = plan_fork([job], parent.run, key, 13)
    async with at_the_page(partial(play_planned, plan)) as (page, playing, errors):
        for n in (14, 15, 16):
            await turn(page, n)
            await page.get_by_role("button", name="move_left").click()
        ended = await asyncio.wait_for(playing, 120)
    assert not errors
    assert (ended.record.model, ended.record.forked_at, ended.record.steps) == ("human", 13, 16)
    assert [f.verdict for f in await verify_run(RunDir.open(ended.run_dir))] == ["identical"]
    with pytest.raises(UsageError, match="already has a result of this episode; repeats=2 plays it again"):
        await play_planned(plan, open_page=False)


async def test_named_person_resumes_several_tasks(tmp_path):
    async def one_episode(page, first: int = 1) -> None:
        for n in range(first, 17):
            await turn(page, n)
            await page.get_by_role("button", name="move_left").click()
        await page.wait_for_selector("body[data-ended=finished]")

    words = {"task": "all", "player": "novice", "interface": "semantic"}
    async with person(tmp_path, "short-sums", **words) as (page, playing, errors):
        await turn(page, 1)
        assert "task 1 of " in await page.inner_text("#title")
        await one_episode(page)
        await page.wait_for_timeout(300)
        assert not playing.done(), "the next task begins when the person says so"
        await page.get_by_role("button", name="Next task").click()
        await turn(page, 1)
        assert "task 2 of " in await page.inner_text("#title")
        await page.get_by_role("button", name="move_left").click()
        await turn(page, 2)
    assert not errors
    run = RunDir.open(tmp_path / "run")
    (record,) = run.results()
    planned = run.manifest().episodes
    assert (record.model, len(planned)) == ("novice", len({e.task for e in planned}))
    async with person(tmp_path, "short-sums", **words) as (page, _, _):
        await turn(page, 2)
        assert f"task 2 of {len(planned)}" in await page.inner_text("#title"), "neither the first again nor from step 1"
    verdicts = {f.verdict for f in await verify_run(run) if f.key == record.key}
    assert verdicts == {"identical"}


async def test_both_roles_of_a_pair_decide_before_anything_moves(tmp_path):
    async with person(tmp_path, "short-pair", interface="semantic") as (page, _, errors):
        await turn(page, 1)
        await page.keyboard.press("d")
        await until(page, "document.querySelector('#waiting').textContent.startsWith('Now ')")
        await page.keyboard.press("ArrowRight")
        await turn(page, 2)
    assert not errors


async def test_invalid_answers_are_refused(tmp_path):
    wrong = {
        '{"role": "nobody"}': 400,
        "no json": 400,
        '{"role": "player", "asked": 1e999, "action": {}}': 400,
        '{"role": "player", "asked": 99, "action": {}}': 409,
    }
    async with person(tmp_path, "short-sums", player="novice") as (page, _, _):
        await turn(page, 1)
        async with httpx.AsyncClient(base_url=page.url) as client:
            await told_no_more_than_a_model(page, client)
            for body, status in wrong.items():
                answer = await client.post("act", content=body, headers={"content-type": "application/json"})
                assert (body, answer.status_code) == (body, status)
                assert (await client.post("act", content=body)).status_code == 415
        await turn(page, 1)
    run = RunDir.open(tmp_path / "run")
    assert [cell.name for cell in run.manifest().cells] == ["novice · mouse and keyboard"]


async def told_no_more_than_a_model(page, client: httpx.AsyncClient) -> None:
    """Checks that neither the page nor its messages show the state of the task to a person."""
    about, now = [(await client.get(path)).json() for path in ("about", "now")]
    assert {"max_steps", "score", "progress", "left"}.isdisjoint({*about, *now})
    assert await page.inner_text("#budget") == "action 1 · paused"


async def test_page_is_accessible(tmp_path):
    async with person(tmp_path, "short-sums", interface="semantic") as (page, _, _):
        await turn(page, 1)
        assert await barriers(page) == []


async def test_realtime_episode_waits_for_first_key(tmp_path):
    async with person(tmp_path, "short-sums", timing="realtime") as (page, _, errors):
        await until(page, "document.querySelector('#waiting').textContent.includes('to begin')")
        await page.keyboard.press("Tab")
        await asyncio.sleep(0.5)
        assert (await page.evaluate("fetch('now').then(a => a.json())"))["asked"] == {"player": 0}
        await page.keyboard.press("ArrowLeft")
        await turn(page, 1)
        await page.keyboard.press("ArrowLeft")
        await turn(page, 2)
    assert not errors
