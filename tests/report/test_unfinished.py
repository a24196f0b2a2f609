"""The replies of episodes that have started and not ended can be viewed."""

import asyncio
import io
import json
import shutil
import threading
from pathlib import Path

import pytest
from rich.console import Console
from runs_to_report import ask, until
from standin import Say, Standin

from gwray.cli.executors import make_executor
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec
from gwray.records import EpisodeRecord
from gwray.report import ViewServer, export_html
from gwray.report.unfinished import read_unfinished, unfinished_episodes
from gwray.store import EpisodeMeta, RunDir

JOB = {
    "game": "13_flappy-bird", "task": "4,5", "model": "random", "name": "going", "tracking": {"mode": "disabled"},
    "executor": {"name": "inline", "lanes": 2},
}  # fmt: skip


@pytest.fixture
def cut(demo, tmp_path) -> tuple[RunDir, str, list[str]]:
    """The same run when one episode was at its fifth step, the sixth reply half written; and the rest of its log."""
    shutil.copytree(demo.local_path, tmp_path / "run")
    run = RunDir.open(tmp_path / "run")
    record = max(run.results(), key=lambda r: r.steps)
    assert record.steps > 7
    run.rewrite_results([r for r in run.results() if r.key != record.key])
    (tmp_path / f"run/episodes/{record.key}.parquet").unlink()
    log = tmp_path / f"run/replies/{record.key}.jsonl"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:5]) + lines[5][: len(lines[5]) // 2])
    return run, record.key, lines


def rows(url: str) -> list[dict]:
    text = ask(url + "data/episodes.js").text
    data = json.loads(text[text.index(",") + 1 : text.rindex(")")])

    def column(name: str) -> list:
        c = data["columns"][name]
        return [c["words"][i] for i in c["codes"]] if "words" in c else c["values"]

    return [
        dict(zip(data["columns"], values, strict=True)) for values in zip(*map(column, data["columns"]), strict=True)
    ]


async def test_unfinished_episode_is_listed_first_and_opens(cut, watched):
    run, key, lines = cut
    with ViewServer(run) as s:
        first, *others = await asyncio.to_thread(rows, s.url)
        assert (first["key"], first["outcome"], first["steps"], first["progress"]) == (key, "unfinished", 5, None)
        assert {r["outcome"] for r in others} == {"success", "missed"} and len(others) == 3
        with run.lock():
            assert (await asyncio.to_thread(rows, s.url))[0]["outcome"] == "running"
            await watched.page.goto(s.url + "episodes.html#outcome=running")
            await watched.page.click("#episodes tbody a")
            await watched.page.wait_for_selector("html[data-step='1']")
            assert "step 1 of 5" in await watched.page.inner_text("output")
            assert "running, 5 steps so far" in await watched.page.inner_text(".pane h2")
            await watched.page.keyboard.press("End")
            assert "only its replies" in await watched.page.inner_text(".pane h2")
            log = Path(str(run.local_path)) / f"replies/{key}.jsonl"
            log.write_text("".join(lines[:7]))
            await watched.page.click("text=reload")
            await until(watched.page, "document.querySelector('output')?.textContent.includes('of 7') ?? false")
        assert watched.problems == []


async def test_failed_episode_opens_with_its_replies(cut, demo, watched):
    run, key, _ = cut
    record = next(r for r in demo.results() if r.key == key)
    why = {"status": "failed", "progress": None, "error_class": "BrowserError", "error_message": "the page <b>crashed"}
    run.append_failure(record.model_copy(update=why))
    with ViewServer(run) as s:
        await watched.page.goto(s.url + "episodes.html#outcome=failed")
        await watched.page.click("#episodes tbody a")
        await watched.page.wait_for_selector("html[data-step='1']")
        assert "step 1 of 5" in await watched.page.inner_text("output")
        head = await watched.page.inner_text(".pane h2")
        assert "failed after 5 steps: no score" in head and "BrowserError: the page <b>crashed" in head
        assert "progress" not in head and "This episode is running" not in await watched.page.inner_text("main")
        assert watched.problems == []


async def test_episode_without_steps(watched, tmp_path):
    record = EpisodeRecord(key="k", cell="c", game="g", task="t", ended_by="terminal")
    run = RunDir.create(tmp_path / "run")
    run.write_episode("k", [], EpisodeMeta(record=record))
    export_html(run, "k", tmp_path / "one.html")
    await watched.page.goto((tmp_path / "one.html").as_uri())
    await watched.page.wait_for_selector("html[data-ready]")
    assert await watched.page.inner_text("output") == "no steps"
    assert "ended by\nterminal" in await watched.page.inner_text(".right")
    await watched.page.keyboard.press("ArrowRight")
    assert watched.problems == []


def test_replies_are_shown_as_recorded(cut, demo):
    run, key, _ = cut
    shown = read_unfinished(run, key)
    assert shown and [s.text for s in shown.steps] == [s.text for s in demo.read_steps(key)[:5]]
    assert [s.text for s in shown.steps] == [line.reply.text for line in run.log(key).read()]
    with ViewServer(run) as s:
        data = ask(f"{s.url}data/replay/{key}.js").text
    assert '"progress":null' in data and '"replies_only":true' in data


def test_unknown_or_unstarted_episode_is_not_found(cut):
    run, key, _ = cut
    assert [b.key for b in unfinished_episodes(run, run.manifest(), {r.key for r in run.results()})] == [key]
    (Path(str(run.local_path)) / f"replies/{key}.jsonl").write_text('{"step": 0, "ro')
    assert read_unfinished(run, key) is None
    with ViewServer(run) as s:
        assert ask(f"{s.url}replay/{key}.html").status_code == 404


@pytest.mark.slow
async def test_running_episode_can_be_viewed(tmp_path):
    url, looked = str(tmp_path / "run"), threading.Event()

    def waits_for_who_looks(*_: object) -> Say:
        return Say(calls=[("wait", {})]) if standin.answered < 8 or looked.wait(200) else Say()

    with Standin(keep_bodies=False) as standin:
        standin.answer = waits_for_who_looks
        model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x"}
        plan = make_plan([run_spec(JOB | {"run_dir": url, "model": model})])
        playing = asyncio.create_task(run_plan(plan, Console(file=io.StringIO()), make_executor))
        while not (RunDir.is_run(url) and any(len(RunDir(url).log(k).read()) > 3 for k in RunDir(url).logged_keys())):
            assert not playing.done()
            await asyncio.sleep(0.02)
        with ViewServer(RunDir.open(url)) as s:
            listed = await asyncio.to_thread(rows, s.url)
            going = next(r for r in listed if r["outcome"] == "running" and r["steps"])
            seen = await asyncio.to_thread(ask, f"{s.url}data/replay/{going['key']}.js")
            assert seen.status_code == 200 and '"step":0' in seen.text
            looked.set()
            ended = await playing
            assert ended.complete
            outcomes = {"running"}
            for _ in range(2400):
                if outcomes <= {"success", "missed"}:
                    break
                await asyncio.sleep(0.05)
                outcomes = {r["outcome"] for r in await asyncio.to_thread(rows, s.url)}
            assert outcomes <= {"success", "missed"}
