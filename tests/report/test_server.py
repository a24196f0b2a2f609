"""The served site of a run, finished or running."""

import json
import os
import shutil
import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import polars as pl
import pytest
from analysis.synthetic_sweep import manifest
from runs_to_report import ask, picture, sweep, until

from gwray.analysis import plan_of
from gwray.errors import UsageError
from gwray.records import EngineReading, EpisodeRecord
from gwray.report import ViewServer, serve_view
from gwray.report.live import live_lanes, progress_grid
from gwray.report.run_view import RunView
from gwray.store import EpisodeMeta, RunDir, results_frame


@pytest.fixture(scope="module")
def server(built):
    with ViewServer(built.run) as s:
        yield s


@pytest.fixture
def own_run(built, tmp_path):
    """A copy that a test may change."""
    shutil.copytree(built.run.local_path, tmp_path / "run")
    return RunDir.open(tmp_path / "run")


@pytest.mark.slow
async def test_all_episodes_open_without_a_report(built, server, watched):
    page = await watched.open(server.url + "episodes.html", "episodes='72'")
    await page.click("#replay")
    assert f"{len(built.keys)} of 72" in await page.inner_text("#matches")
    await page.click("#episodes tbody a >> nth=0")
    await page.wait_for_selector("html[data-step='1']")
    await page.keyboard.press("ArrowRight")
    await page.wait_for_selector("html[data-step='2']")
    await until(page, "document.querySelector('.stage img').naturalWidth === 1280")
    assert watched.problems == [] and await page.evaluate("window.pwned") is None
    assert all(u.startswith((server.url, "data:")) for u in watched.requests)


async def test_episode_without_steps(watched, tmp_path):
    record = EpisodeRecord(key="k", cell="c", game="g", task="t", ended_by="terminal")
    run = RunDir.create(tmp_path / "run")
    run.write_episode("k", [], EpisodeMeta(record=record))
    run.append_result(record)
    with ViewServer(run) as s:
        await watched.page.goto(s.url + "replay/k.html")
        await watched.page.wait_for_selector("html[data-ready]")
        assert await watched.page.inner_text("output") == "no steps"
        assert "ended by\ngame over" in await watched.page.inner_text(".right")
        await watched.page.keyboard.press("ArrowRight")
    assert watched.problems == []


def test_new_results_are_served(own_run):
    finished = own_run.results()
    own_run.rewrite_results(finished[:10])
    with ViewServer(own_run) as s:
        assert ask(f"{s.url}api/counts").json()["n"] == 11
        own_run.append_result(finished[10])
        deadline = time.monotonic() + 120
        while (now := ask(f"{s.url}api/counts").json())["n"] == 11:
            assert time.monotonic() < deadline
        del now["diagnosed"]
        assert now == {"n": 12, "ended": 12, "planned": 72, "finished": 11, "failed": 1}


def test_slow_run_is_not_reread_on_every_request(built, monkeypatch):
    reads, now = [], [0.0]

    def slow(run, *, forks=False):
        now[0] += 2
        reads.append(now[0])
        return results_frame(run)

    monkeypatch.setattr("gwray.report.run_view.results_frame", slow)
    monkeypatch.setattr("gwray.report.run_view.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(RunDir, "stamp", lambda self: None)  # as an object store, which cannot tell what has changed
    shelf = RunView(built.run)
    assert len({shelf.totals()["n"] for _ in range(5)}) == 1
    now[0] += 5 * 2 - 0.1
    shelf.totals()
    assert len(reads) == 1
    now[0] += 0.1
    shelf.totals()
    assert len(reads) == 2, "a change is seen after five times as long as it takes to read"


def test_unknown_and_climbing_paths_are_404(server, built):
    for path in (
        "replay/unknown.html", "data/replay/unknown.js", f"frames/{built.keys[0]}/99.jpg", "frames/unknown/0.jpg",
        f"frames/{built.keys[0]}/x.jpg", "assets/page.html.jinja", "assets/..%2f__init__.py", "live/..%2frun.json.jpg",
        "replay/..%2f..%2frun.json.html",
    ):  # fmt: skip
        assert ask(server.url + path).status_code == 404, path


def test_foreign_host_names_are_refused(server):
    assert ask(server.url + "api/counts", headers={"Host": "evil.example"}).status_code == 400


def test_port_in_use_is_an_error(built, server):
    port = int(server.url.split("/")[2].split(":")[1])
    with pytest.raises(UsageError, match=rf"127.0.0.1, port {port}"):
        ViewServer(built.run, port=port)


def test_serving_reports_address_and_ends_on_interrupt(built):
    seen = []

    def stop(url):
        seen.append(ask(url + "api/counts").status_code)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        serve_view(built.run, on_ready=stop)
    assert seen == [200]


def show_lane(run, lane, *, ago=0.0, **facts):
    folder = run.local_path / "live"
    folder.mkdir(exist_ok=True)
    at = (datetime.now(UTC) - timedelta(seconds=ago)).isoformat()
    row = {
        "episode": "e",
        "game": "13_flappy-bird",
        "task": "13_01",
        "model": "m",
        "step": 4,
        "progress": 0.5,
        "at": at,
    }
    (folder / f"{lane}.json").write_text(json.dumps({**row, **facts}))
    (folder / f"{lane}.jpg").write_bytes(picture(facts.get("step", 4)))


async def test_live_page_shows_activity_of_idle_run(own_run, watched):
    with own_run.lock("judged"), ViewServer(own_run) as s:
        assert (await watched.page.goto(s.url)).url == s.url + "index.html", "its results: it is not being played"
        await watched.page.goto(s.url + "live.html")
        assert f"This run is being judged by process {os.getpid()} on" in await watched.page.inner_text("#ended")


async def test_live_page_shows_every_lane(own_run, watched):
    page = watched.page
    record = next(r for r in own_run.results() if r.model == "gpt-5.2")
    show_lane(own_run, "a-0", episode=record.key, model="m")
    show_lane(own_run, "a-1", task="<b>bold</b>\u202e", step=9, progress=0.25)
    look = {"at": "", "replicas": 2, "running": 7.0, "waiting": 0.0, "kv_usage": 0.1}
    own_run.append_engines([EngineReading(model=m, **look, lanes=9, lanes_waiting=3) for m in ("one", "<b>two</b>")])
    with own_run.lock(), ViewServer(own_run) as s:
        await page.goto(s.url)
        await page.wait_for_selector(".tile[data-lane='a-1']")
        given = "one: 2 engines · 7 requests worked on · 9 lanes play, 3 more wait for it\n<b>two</b>: 2 engines"
        assert given in await page.inner_text("#engines")
        assert "Progress so far" in await page.inner_text("#running") and "4/4" in await page.inner_text("#running td")
        assert "step 4 · 50 %" in await page.inner_text(".tile[data-lane='a-0']")
        assert await page.inner_text(".tile[data-lane='a-0'] .caption span") == record.model, "the cell's name"
        assert "<b>bold</b>⟦U+202E⟧" in await page.inner_text(".tile[data-lane='a-1']")
        await until(page, "document.querySelector('.tile img').naturalWidth === 1280")
        show_lane(own_run, "a-0", step=4, waiting_for=["gpt-5.2"])
        await until(page, "document.querySelector('.tile').innerText.includes('gpt-5.2 does not answer: waiting')")
        show_lane(own_run, "a-0", step=5, progress=0.75)
        await until(page, "document.querySelector('.tile').innerText.includes('step 5 · 75 %')")
        (own_run.local_path / "live/a-1.json").unlink()
        await until(page, "document.querySelectorAll('.tile').length === 1")
        assert "71 of 72 episodes finished" in await page.inner_text("#state")
    assert [p for p in watched.problems if "ERR_CONNECTION" not in p] == []


async def test_live_page_needs_no_storage(own_run, watched):
    forbid = (
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError') } })"
    )
    await watched.page.add_init_script(forbid)
    show_lane(own_run, "a-0")
    with ViewServer(own_run) as s:
        await watched.page.goto(s.url + "live.html")
        await watched.page.wait_for_selector(".tile[data-lane='a-0']")
        assert "1 lane ·" in await watched.page.inner_text("#state")
        before = await watched.page.evaluate("getComputedStyle(document.body).backgroundColor")
        await watched.page.click("#theme")
        assert await watched.page.evaluate("getComputedStyle(document.body).backgroundColor") != before
        assert watched.problems == []


def test_invalid_and_silent_lanes_are_skipped(own_run):
    assert live_lanes(own_run) == []
    show_lane(own_run, "good", episode=own_run.results()[0].key)
    show_lane(own_run, "gone", ago=3600)
    show_lane(own_run, "waits", ago=3600, waiting_for=["m", "<b>"])
    show_lane(own_run, "nan", progress=float("nan"))
    folder = own_run.local_path / "live"
    (folder / "half.json").write_text('{"episode": "x"')
    (folder / "list.json").write_text("[1]")
    (folder / "odd name.json").write_text((folder / "good.json").read_text())
    found = {x["lane"]: x for x in live_lanes(own_run)}
    assert set(found) == {"good", "nan", "waits"} and found["nan"]["progress"] == 0.0
    assert found["good"]["finished"] is True
    assert (found["good"]["waiting_for"], found["waits"]["waiting_for"]) == ("", "m, <b>")


def test_links_and_pipes_are_no_lanes(own_run, tmp_path):
    show_lane(own_run, "good")
    folder = own_run.local_path / "live"
    outside = tmp_path / "outside.jpg"
    outside.write_text("precious")
    (folder / "out.jpg").symlink_to(outside)
    (folder / "out.json").symlink_to(folder / "good.json")
    os.mkfifo(folder / "pipe.json")
    (folder / "endless.json").write_text((folder / "good.json").read_text().replace('"step": 4', '"step": 1e999'))
    assert [x["lane"] for x in live_lanes(own_run)] == ["good"]
    with ViewServer(own_run) as s:
        assert ask(s.url + "live/good.jpg").status_code == 200
        assert ask(s.url + "live/out.jpg").status_code == 404
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert live_lanes(own_run) == []


def test_grid_has_the_mean_of_finished_episodes():
    frame = sweep({"a": 0.4, "b": 0.6}, n_games=2, tasks_per_game=2)
    plan = plan_of(frame, [manifest(frame)])
    ended = frame.with_columns(
        status=pl.when((pl.col("model") == "b") & (pl.col("game") == "01_arcade-1")).then(pl.lit("failed"))
        .otherwise("status"), progress=pl.when(pl.col("task") == "01_01").then(0.5).otherwise(1.0),
    )  # fmt: skip
    found = progress_grid(ended, plan)
    assert (found["games"], len(found["cells"])) == (["01_arcade-1", "02_arcade-2"], 2)
    assert found["rows"] == [[(75, 2, 2), (100, 2, 2)], [(None, 0, 2), (100, 2, 2)]]
