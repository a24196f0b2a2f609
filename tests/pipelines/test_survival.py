"""Kills, dead endpoints and hostile replies: nothing is lost, billed twice or scored 0 by accident."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path
from typing import ClassVar

import psutil
import pytest
from standin import Say, Standin

from gwray.cli.executors import make_executor
from gwray.cli.progress import Bar
from gwray.pipelines.live import LiveLane
from gwray.pipelines.run import open_run, run_plan
from gwray.pipelines.worker import Worker
from gwray.records import OUTCOME_FIELDS
from gwray.report.live import live_lanes
from gwray.store import RunDir
from pipelines.conftest import gone, plan_of, play, quiet, short_library

ROOT = Path(__file__).resolve().parents[2]
SWEEP = ["game=[short-flight,short-pair]", "task=[1,2,3]", "repeats=2"]


def answer(wire: str, body: dict, session: str) -> Say:
    """A model whose reply is a function of the request: what a cache of replies would be."""
    names = [t["function"]["name"] for t in body["tools"]]
    pick = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).digest()[0] % len(names)
    return Say(calls=[(names[pick], {"reasoning": "Why not."})], tokens=(1000, 0, 50, 0))


def command(standin: Standin, run_dir: Path, *more: str) -> list[str]:
    url = f"model.base_url={standin.base_url('openai_chat')}"
    base = ["model=openai-compatible", url, "model.max_in_flight=4", "tracking.mode=disabled", f"run_dir={run_dir}",
            f"libraries=[{short_library()}]"]  # fmt: skip
    return [sys.executable, str(ROOT / "launch.py"), *base, *SWEEP, *more]


def results(run_dir: Path) -> list[tuple]:
    rows = sorted(RunDir.open(str(run_dir)).results(), key=lambda r: r.key)
    return [tuple(getattr(r, f) for f in (*OUTCOME_FIELDS, "frame_chain", "input_tokens")) for r in rows]


def wait_for(standin: Standin, answered: int, driver: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 300
    while standin.answered < answered:
        assert driver.poll() is None and time.monotonic() < end
        time.sleep(0.01)


def replies(run_dir: str) -> int:
    return sum(len(lines) for _, lines in RunDir.open(run_dir).logs())


@pytest.mark.parametrize("executor", ["inline", pytest.param("ray", marks=pytest.mark.whole)])
@pytest.mark.slow
async def test_resume_after_kill_gives_same_results(tmp_path, marked, executor):
    how = [f"executor={executor}", "executor.lanes=4", "repeats=1", *["executor.actors=1"] * (executor == "ray")]
    here = ["executor=inline", *how[1:3]]
    with Standin(keep_bodies=False) as standin:
        standin.answer = answer
        done = subprocess.run(command(standin, tmp_path / "calm", *here), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        needed = standin.answered

        standin.seen.clear()
        standin.latency_s = 0.02
        kill_at = random.Random(executor).randrange(needed // 8, needed * 2 // 3)
        driver = subprocess.Popen(command(standin, tmp_path / "killed", *how), stdout=subprocess.DEVNULL)
        end = time.monotonic() + 200
        while standin.answered < kill_at:
            assert driver.poll() is None and time.monotonic() < end
            time.sleep(0.005)
        family = psutil.Process(driver.pid).children(recursive=True)  # some of Ray's hide their environment
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
        assert not await gone(marked, "chrom", "headless", "node"), f"killed after {kill_at} replies"
        before = len(RunDir.open(str(tmp_path / "killed")).results())

        standin.latency_s = 0
        done = subprocess.run(command(standin, tmp_path / "killed", *how), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        assert results(tmp_path / "killed") == results(tmp_path / "calm"), f"killed after {kill_at} replies"
        assert before < len(results(tmp_path / "killed"))
        # Only what was in flight at the kill may have been asked again: at most the model's limit.
        assert needed <= standin.answered <= needed + 4
    assert not await gone(marked)
    assert not psutil.wait_procs(family, timeout=120)[1], "the second run ended what was left of the first"


def endpoint(standin: Standin, **model) -> dict:
    spec = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x",
            "options": {"attempts": 1}}  # fmt: skip
    return {"model": {**spec, **model}, "task": "1,2"}


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("500", "ModelUnavailable"),
        ("malformed", "MalformedResponse"),
        pytest.param("wrong_shape", "MalformedResponse", marks=pytest.mark.whole),
        pytest.param("truncated", "ModelUnavailable", marks=pytest.mark.whole),
        pytest.param("400", "BadRequest", marks=pytest.mark.whole),
        ("filtered", "ContentFiltered"),
    ],
)
@pytest.mark.slow
async def test_outage_fails_episode_without_score(tmp_path, fault, kind):
    with Standin() as standin:
        standin.answer = answer
        standin.fail(fault)
        ended = await play(tmp_path, endpoint(standin))
        (failure,) = ended.run.failures()
        assert (failure.status, failure.error_class, failure.progress) == ("failed", kind, None)
        assert failure.error_message
        assert len(ended.run.results()) == 1, "the other episode was played"
        again = await play(tmp_path, endpoint(standin))
        assert again.complete, "a failed episode is played by the next invocation"


class Wall(LiveLane):
    """Records what its lanes received."""

    told: ClassVar[list[list[str]]] = []

    def waits(self, held_back: Collection[str]) -> None:
        super().waits(held_back)
        shown = json.loads((self._folder / f"{self._lane}.json").read_text()) if held_back and self._folder else {}
        self.told.append(shown.get("waiting_for", []))


@pytest.mark.parametrize("patience_s", [3600, 0.0], ids=["waited for", "too long"])
@pytest.mark.slow
async def test_outage_pauses_model_instead_of_failing_episodes(tmp_path, monkeypatch, patience_s):
    monkeypatch.setattr("gwray.agents.rate_limiter.BACK_OFF_S", 0.01)
    monkeypatch.setattr("gwray.agents.rate_limiter.OUTAGE_S", patience_s)
    monkeypatch.setattr("gwray.cli.progress.EVERY_S", 0.02)
    monkeypatch.setattr("gwray.pipelines.worker.LiveLane", Wall)
    Wall.told.clear()
    console = quiet()
    with Standin() as standin:
        standin.answer = answer
        live = {"name": "inline", "lanes": 2, "live": True}
        job = endpoint(standin, options={"attempts": 5}) | {"task": "1,2,3", "executor": live}

        def fails_in_mid_run(wire: str, body: dict, session: str) -> Say:
            if standin.answered == 10:
                standin.fail(*["500"] * 12)
            return answer(wire, body, session)

        standin.answer = fails_in_mid_run
        ended = await run_plan(plan_of(tmp_path, job), console, make_executor, lambda t, p: Bar(t, p, console))
    said = console.file.getvalue()  # type: ignore[attr-defined]
    if patience_s:
        assert ["m (x)"] in Wall.told, "it was on the wall"
        assert [tile["waiting_for"] for tile in live_lanes(ended.run)] == ["", ""], "the wall knows that it is over"
        assert ended.complete and not ended.run.failures()
        assert said.count("m (x) does not respond") == said.count("m (x) responds again") == 1
    else:
        assert {f.error_class for f in ended.run.failures()} == {"ModelDown"}
        assert sum(ended.tally.skipped.values()) == 1, "the third was not begun"


async def test_a_self_hosted_model_is_asked_where_it_was_deployed(tmp_path):
    with Standin() as standin:
        standin.answer = answer
        plan = plan_of(tmp_path, endpoint(standin, base_url=None, self_hosted=True) | {"task": "1"})
        open_run(plan)
        worker = Worker(plan.run_dir, [short_library()], endpoints={"m": standin.base_url("openai_chat")})
        try:
            record = await worker.play(plan.episodes[0])
        finally:
            await worker.close()
        assert record.status == "finished", record.error_message
        assert len(standin.seen) == record.proposals


async def test_a_wrong_key_stops_the_cell_after_one_message(tmp_path, monkeypatch):
    monkeypatch.setenv("PLANTED_KEY", "sk-planted-0123456789")
    with Standin(key="the-right-one") as standin:
        job = endpoint(standin, api_key_env="PLANTED_KEY") | {"task": "all", "repeats": 5}
        ended = await play(tmp_path, job)
        assert len(standin.seen) <= 2
    assert {f.error_class for f in ended.run.failures()} == {"AuthError"}
    assert sum(ended.tally.skipped.values()) >= 20
    for file in (tmp_path / "run").rglob("*"):
        assert not file.is_file() or b"sk-planted" not in file.read_bytes()


async def test_failed_episode_record_has_its_cost(tmp_path):
    with Standin() as standin:
        said = []

        def four_times(*_) -> Say:
            said.append(1)
            if len(said) == 4:
                standin.fail("400")
            return Say(calls=[("wait", {})], tokens=(1000, 0, 50, 0))

        standin.answer = four_times
        job = endpoint(standin, prices={"input": 1, "output": 1, "as_of": "2026-01-01"}) | {"task": "1"}
        ended = await play(tmp_path, job)
        (failure,) = ended.run.failures()
        assert (failure.error_class, failure.calls, failure.input_tokens) == ("BadRequest", 4, 4000)
        assert failure.cost_usd == pytest.approx(4 * 1050e-6) == pytest.approx(ended.tally.usd)
        assert failure.progress is None


async def test_earlier_invocations_count_against_budget(tmp_path):
    with Standin() as standin:
        standin.answer = lambda *_: Say(calls=[("wait", {})], tokens=(9000, 0, 900, 0))  # more than is estimated
        priced = endpoint(standin, prices={"input": 1000, "output": 1000, "as_of": "2026-01-01"})
        first = await play(tmp_path, priced | {"task": "1"})
        spent = first.run.results()[0].cost_usd or 0
        asked = len(standin.seen)
        again = await play(tmp_path, priced | {"budget": {"usd": spent * 1.5}})
        assert len(standin.seen) == asked, "the second episode would have passed the budget"
        assert again.run.manifest().prices == {"m": "profile, 2026-01-01"}
    assert sum(again.tally.skipped.values()) == 1 and again.tally.usd == pytest.approx(spent)
    assert again.tally.progress == pytest.approx(first.run.results()[0].progress) and again.tally.finished == 1
    assert "budget.usd" in next(iter(again.tally.skipped))
