"""The site of a folder of runs: index, results, filters and the live page."""

import asyncio
import csv
import io
import shutil
from datetime import UTC, datetime, timedelta

import httpx
import polars as pl
import pytest
from runs_to_report import HOSTILE, sweep, write_run

from gwray.errors import UsageError
from gwray.report import RunFolder, ViewServer
from gwray.store import RunDir


@pytest.fixture
def folder(built, tmp_path):
    """The hostile run, a small one that is not finished, a damaged one, and a link."""
    runs = tmp_path / "runs"
    shutil.copytree(built.run.local_path, runs / "study")
    small = write_run(runs / "small & new", sweep({"a": 0.4}, n_games=2, tasks_per_game=1), replays=1, name="small")
    small.rewrite_results(small.results()[:1])
    (runs / "damaged").mkdir()
    (runs / "damaged/run.json").write_text(f'{{"format": 1, "name": "{HOSTILE[:9]}"')
    (runs / "linked").symlink_to(runs / "study")
    return runs


@pytest.mark.slow
async def test_folder_lists_runs_with_links(folder, watched):
    page = watched.page
    with ViewServer(RunFolder.open(str(folder))) as s:
        await page.goto(s.url)
        names = await page.locator("tbody th").all_inner_texts()
        assert sorted(n.split("\n")[0].strip() for n in names) == ["damaged", "small & new", "study"], (
            "no link followed"
        )
        row = page.locator("tr", has_text="small & new")
        assert "1 of 2" in await row.inner_text() and "incomplete" in await row.inner_text()
        study = page.locator("tr", has_text="study")
        assert "71 of 72 planned episodes have a score, so there is no headline yet" in await study.inner_text()
        assert "is not JSON" in await page.locator("tr", has_text="damaged").first.inner_text()
        await study.locator("a").first.click()
        await page.wait_for_selector("#main-section", timeout=60_000)
        await page.click("nav >> text=Runs")
        await page.click("text=small & new")
        await page.wait_for_url("**/runs/small%20%26%20new/index.html")
        for path in ("runs/linked/", "runs/damaged/index.html", "runs/..%2fstudy/", "runs/none/"):
            assert (await asyncio.to_thread(httpx.get, s.url + path)).status_code == 404, path
    assert [p for p in watched.problems if "404" not in p] == [] and await page.evaluate("window.pwned") is None


def test_summary_has_reason_cost_and_age(tmp_path):
    frame = sweep({"a": 0.4}, n_games=2, tasks_per_game=2, cost_usd=0.5)
    lost = frame["task"] == frame["task"][0]
    failed = {"status": pl.lit("failed"), "error_class": pl.lit("AuthError"), "error_message": pl.lit("no key\nmore")}
    frame = frame.with_columns(
        **{n: pl.when(lost).then(v).otherwise(n if n == "status" else None) for n, v in failed.items()}
    )
    run = write_run(tmp_path / "run", frame)
    created = (datetime.now(UTC) - timedelta(hours=3.2)).isoformat()
    run.write_manifest(run.manifest().model_copy(update={"created": created}))
    (found,) = RunFolder.open(str(tmp_path)).summaries()
    assert (found.reason, found.spent) == ("AuthError: no key", "$2.00")
    assert found.age == "3 h ago"


def test_folder_without_runs_is_refused(tmp_path):
    with pytest.raises(UsageError, match="contains none"):
        RunFolder.open(str(tmp_path))


async def test_filters_are_kept_in_address_replay_and_csv(built, watched, tmp_path):
    page = watched.page
    with ViewServer(built.run) as s:
        game = (await asyncio.to_thread(built.run.results))[0].game
        await page.goto(s.url + f"episodes.html#game={game}&model=gpt-5.2&replay=1&sort=-progress")
        await page.reload()
        await page.wait_for_selector("html[data-episodes='72']")
        assert await page.input_value("#model") == "gpt-5.2" and await page.is_checked("#replay")
        shown = await page.locator("#episodes tbody tr").count()
        assert shown == len(
            [r for r in built.run.results() if r.model == "gpt-5.2" and r.game == game and r.key in built.keys]
        )
        async with page.expect_download() as download:
            await page.click("#csv")
        rows = list(csv.DictReader(io.StringIO((await (await download.value).path()).read_text())))
        assert len(rows) == shown and {r["model"] for r in rows} == {"gpt-5.2"}
        progress = [float(r["progress"]) for r in rows]
        assert progress == sorted(progress, reverse=True)
        await page.click("#episodes tbody a >> nth=0")
        await page.wait_for_selector("html[data-step='1']")
        assert f"1 of {shown} episodes: gpt-5.2" in await page.inner_text("nav.around")
        await page.click("text=next →")
        await page.wait_for_selector(f".pane[data-key='{rows[1]['key']}']")
        assert f"2 of {shown}" in await page.inner_text("nav.around")
        await page.keyboard.press("ArrowRight")
        await page.wait_for_selector("html[data-step='2']")
        await page.click("nav.around >> text=episodes")
        await page.wait_for_selector("html[data-episodes='72']")
        assert await page.locator("#episodes tbody tr").count() == shown
    assert watched.problems == []


@pytest.mark.slow
async def test_failures_are_filtered_and_link_to_their_step(built, watched):
    page = watched.page
    with ViewServer(built.run) as s:
        for _ in range(300):
            if (await asyncio.to_thread(httpx.get, s.url + "api/counts")).json()["diagnosed"]:
                break
            await asyncio.sleep(0.2)
        await watched.open(s.url + "episodes.html", "episodes='72'")
        label = await page.locator("#label option").nth(1).get_attribute("value")
        labels = page.locator("#episodes td.labels .tag")
        label = await labels.first.inner_text() if await labels.count() else label
        await page.select_option("#label", label)
        assert "label=" in page.url
        assert (
            await page.locator("#episodes tbody tr").count()
            == await page.locator("#episodes td.labels .tag", has_text=label).count()
        )
        await page.click("#episodes tbody a >> nth=0")
        await page.wait_for_selector("button.tag")
        await page.click(f"button.tag:has-text('{label}')")
    assert watched.problems == []


@pytest.mark.parametrize("polled", [True, False])
async def test_live_page_opens_results_at_the_end(built, watched, tmp_path, polled):
    """Also if the run ends before the page polls for the first time."""
    shutil.copytree(built.run.local_path, tmp_path / "run")
    run, page = RunDir.open(tmp_path / "run"), watched.page
    poll = asyncio.Event()

    async def wait(route):
        await poll.wait()
        await route.continue_()

    await page.route("**/api/live", wait)
    with ViewServer(run) as s:
        with run.lock():
            await page.goto(s.url)
            assert page.url.endswith("/live.html")
            assert "71 of 72" in await page.inner_text("#state")
            assert await page.locator("#ended").is_hidden()
            if polled:
                async with page.expect_response("**/api/live"):
                    poll.set()
        poll.set()
        await page.wait_for_url("**/index.html")
        await page.unroute_all(behavior="ignoreErrors")
    assert [p for p in watched.problems if "ERR_" not in p] == []


@pytest.mark.slow
async def test_pages_work_without_javascript(folder, watched):
    context = await watched.page.context.browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    with ViewServer(RunFolder.open(str(folder))) as s:
        await page.goto(s.url)
        await page.click("text=small & new")
        await page.wait_for_selector("#main", timeout=60_000)
        await page.click("nav >> text=Episodes")
        assert await page.locator("code").inner_text() == "gwray results RUN --format csv"
    await context.close()
