"""Another agent continues from a recorded state, in real browsers."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pipelines.conftest import BASE, STEPS, make_executor, outcomes, play, quiet, short_library
from pipelines.test_storm import answer
from rich.console import Console
from standin import Say, Standin

from gwray.catalog import read_model
from gwray.cli.terminal import show_ended
from gwray.errors import StoreError, UsageError
from gwray.pipelines import Worker, run_spec
from gwray.pipelines.run import RunOutcome, open_run, run_plan
from gwray.records import EpisodeRecord, StepRecord, digest
from gwray.settings import ModelSpec
from gwray.store import RunDir, results_frame
from gwray.verification import plan_fork, rescore_run, verify_run

pytestmark = pytest.mark.slow

FLAP_OR_FALL = {"game": "short-flight", "task": "1", "model": "random"}
"""Loses within its budget, so that the game is reset in between."""


def fixed(*replies: str) -> dict[str, Any]:
    """A profile that says these, one a decision."""
    return ModelSpec(name="fixed", provider="fixed", options={"actions": list(replies)}).model_dump()


def actions(*names: str) -> str:
    """A reply with several semantic actions."""
    return json.dumps({"actions": [{"action": name, "arguments": {}} for name in names]})


def forked(folder: Path, parent: RunOutcome, at: int | None, to: str = "fork", **job: Any):
    """The plan of a fork of the parent's first episode."""
    spec = run_spec({**BASE, "run_dir": str(folder / to), "model": "noop", **job})
    return plan_fork([spec], parent.run, parent.run.results()[0].key[:12], at)


async def fork(folder: Path, parent: RunOutcome, at: int | None, to: str = "fork", **job: Any) -> RunOutcome:
    plan = await run_blocking(forked, folder, parent, at, to, **job)
    return await run_plan(plan, quiet(), make_executor)


async def run_blocking(function: Any, *args: Any, **named: Any) -> Any:
    """A command plans before it starts its event loop; a test has one already."""
    return await asyncio.to_thread(lambda: function(*args, **named))


def only(ended: RunOutcome) -> tuple[EpisodeRecord, list[StepRecord]]:
    (record,) = ended.run.results()
    return record, ended.run.read_steps(record.key, images=False)


def said(rows: list[StepRecord]) -> list[tuple]:
    return [(r.step, r.decision, r.index, r.attempt, r.control, r.state_hash, r.best_progress, r.reset) for r in rows]


@pytest.fixture
def standin() -> Iterator[Standin]:
    with Standin(keep_bodies=False) as server:
        yield server


@pytest.fixture(scope="module")
def lost(tmp_path_factory) -> RunOutcome:
    """A parent that was reset in between."""
    return asyncio.run(play(tmp_path_factory.mktemp("lost"), FLAP_OR_FALL))


async def test_fork_by_same_player_equals_parent(tmp_path, lost):
    parent, rows = only(lost)
    reset = next(r.step for r in rows if r.reset)
    for at in (3, reset + 1, reset + 2):
        ended = await fork(tmp_path, lost, at, f"at-{at}", model="random")
        record, own = only(ended)
        assert said(own) == said(rows[at:]), f"forked at {at}"
        same = ("success", "progress", "score", "steps", "decisions", "resets", "ended_by", "game_time_ms")
        assert [getattr(record, f) for f in same] == [getattr(parent, f) for f in same]
        assert (record.forked_at, record.proposals, record.calls) == (at, len(rows) - at, len(rows) - at)
        assert own[0].before == (rows[at - 1].state if at != reset + 1 else rows[at].before), "the state it begins in"
        assert record.key != parent.key


async def test_fork_by_other_player_keeps_best_progress(tmp_path, lost):
    parent, rows = only(lost)
    at = next(r.step for r in rows if r.reset) + 1
    record, own = only(await fork(tmp_path, lost, at, model="noop"))
    assert own[0].step == own[0].decision == at and own[0].attempt == 1
    assert record.steps == parent.steps == STEPS, "the budget that the parent left, and no more"
    assert record.progress == max(r.best_progress for r in [*rows[:at], *own]) >= rows[at - 1].best_progress
    assert record.resets == sum(r.reset for r in [*rows[:at], *own])
    assert record.model == "noop" and {r.control for r in own} == {"wait"}


def test_fork_has_the_steps_limit_of_its_parent(tmp_path):
    ended = asyncio.run(play(tmp_path, {**FLAP_OR_FALL, "limit": {"steps": 4}}))
    assert {e.cell.limit.steps for e in forked(tmp_path, ended, 3).episodes} == {4}
    assert {e.cell.limit.steps for e in forked(tmp_path, ended, 3, limit={"steps": 6}).episodes} == {6}
    with pytest.raises(UsageError, match="nothing is left of the budget of 4"):
        forked(tmp_path, ended, 4)


async def test_fork_verifies_without_parent(tmp_path, lost):
    shutil.copytree(lost.run.local_path, tmp_path / "parent")
    parent = replace(lost, run=RunDir.open(tmp_path / "parent"))
    ended = await fork(tmp_path, parent, 5)
    shutil.rmtree(tmp_path / "parent")
    (finding,) = await verify_run(ended.run)
    assert (finding.verdict, finding.pictures, finding.detail) == ("identical", True, "")
    (file,) = (tmp_path / "fork" / "prefixes").iterdir()
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:-1]) + "\n")
    (finding,) = await verify_run(ended.run)
    assert finding.verdict == "error" and "not that of its name" in finding.detail
    with pytest.raises(StoreError, match="was changed"):
        ended.run.read_prefix(only(ended)[0].prefix)


async def test_differing_prefix_fails_before_play(tmp_path, lost):
    plan = await run_blocking(forked, tmp_path, lost, 4)
    lines = plan.prefix.decode().splitlines()
    wrong = json.loads(lines[2]) | {"state_hash": "0" * 32}
    data = "\n".join([*lines[:2], json.dumps(wrong), lines[3]]).encode() + b"\n"
    run = open_run(replace(plan, prefix=data))
    worker = Worker(run.url, [str(short_library())])
    try:
        record = await worker.play(replace(plan.episodes[0], prefix=digest(data)))
    finally:
        await worker.close()
    assert record.error_class == "GameError" and "step 2 of its 4 recorded steps" in record.error_message
    assert not run.log(record.key).read()


async def test_same_fork_is_resumed_other_step_is_new(tmp_path, lost):
    first = await fork(tmp_path, lost, 5)
    before = (tmp_path / "fork" / "results.jsonl").read_bytes()
    again = await fork(tmp_path, lost, 5)
    assert (tmp_path / "fork" / "results.jsonl").read_bytes() == before and outcomes(again) == outcomes(first)
    more = await fork(tmp_path, lost, 6)
    assert [r.forked_at for r in more.run.results()] == [5, 6]
    assert {f.verdict for f in await verify_run(more.run)} == {"identical"}


async def test_fork_resumes_after_kill(tmp_path, lost, standin):
    standin.answer = answer
    url = standin.base_url("openai_chat")
    model = read_model("openai-compatible").model_copy(update={"base_url": url})
    complete = await fork(tmp_path, lost, 4, "whole", model=model.model_dump())
    record, _ = only(complete)
    go_on = threading.Event()
    log = tmp_path / "killed" / "replies" / f"{record.key}.jsonl"

    def three_until_the_kill(*asked: Any) -> Say:
        if log.exists() and log.read_bytes().count(b"\n") >= 3:
            go_on.wait(300)
        return answer(*asked)

    standin.answer = three_until_the_kill
    words = ["--at", "4", "model=openai-compatible", f"model.base_url={url}", f"run_dir={tmp_path / 'killed'}"]
    command = [sys.executable, "-m", "gwray", "fork", lost.run.url, lost.run.results()[0].key]
    driver = subprocess.Popen([*command, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (log.exists() and log.read_bytes().count(b"\n") >= 3):
        assert driver.poll() is None
        await asyncio.sleep(0.005)
    driver.kill()
    driver.wait()
    go_on.set()
    kept = log.read_bytes()
    assert not RunDir.open(tmp_path / "killed").results()
    done = await asyncio.to_thread(subprocess.run, [*command, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    killed = RunDir.open(tmp_path / "killed")
    assert killed.results()[0].state_chain == record.state_chain
    assert log.read_bytes().startswith(kept) and log.read_bytes().count(b"\n") == record.calls


async def test_a_fork_of_a_fork_has_the_steps_of_both(tmp_path, lost):
    _, rows = only(lost)
    child = await fork(tmp_path, lost, 4, "child", model="random")
    grandchild = await fork(tmp_path, child, 9, "grandchild", model="random")
    record, own = only(grandchild)
    assert record.forked_at == 9 and said(own) == said(rows[9:])
    assert len(grandchild.run.read_prefix(record.prefix)) == 9
    earlier = await run_blocking(forked, tmp_path, child, 2, "earlier")
    assert earlier.prefix == (await run_blocking(forked, tmp_path, lost, 2, "earlier")).prefix


async def test_fork_replays_charged_time(tmp_path):
    realtime = {"timing": {"mode": "realtime", "latency": "uniform:50,250"}}
    parent = await play(tmp_path, {**FLAP_OR_FALL, **realtime})
    _, rows = only(parent)
    assert len({r.charged_ms for r in rows}) == len(rows)
    record, own = only(await fork(tmp_path, parent, 6, model="random", **realtime))
    assert said(own) == said(rows[6:]) and [r.charged_ms for r in own] == [r.charged_ms for r in rows[6:]]
    assert record.charged_ms == pytest.approx(sum(r.charged_ms for r in own), abs=0.01), "the fork's own"
    paused, _ = only(await fork(tmp_path, parent, 6, "paused", model="random"))
    assert paused.charged_ms == 0 and paused.game_time_ms < record.game_time_ms


async def test_fork_starts_between_replies_only(tmp_path):
    replies = fixed(*[actions("flap", "wait")] * 20)
    parent = await play(tmp_path, {**FLAP_OR_FALL, "model": replies, "action": {"per_reply": 2}})
    _, rows = only(parent)
    assert [r.index for r in rows[:4]] == [0, 1, 0, 1]
    with pytest.raises(UsageError, match=r"--at 3 is inside a reply.* Nearest: --at 2 and --at 4\."):
        await run_blocking(forked, tmp_path, parent, 3)
    ended = await fork(tmp_path, parent, 4, model=replies, action={"per_reply": 2})
    _, own = only(ended)
    assert said(own) == said(rows[4:]) and (own[0].step, own[0].decision) == (4, 2)
    assert [f.verdict for f in await verify_run(ended.run)] == ["identical"]


async def test_forks_need_a_finished_episode_and_a_budget(tmp_path, lost):
    parent, _ = only(lost)
    with pytest.raises(UsageError, match=f"after {STEPS} steps nothing is left of the budget of {STEPS}"):
        await run_blocking(forked, tmp_path, lost, None)
    shutil.copytree(lost.run.local_path, tmp_path / "half")
    for name in ("results.jsonl", f"episodes/{parent.key}.parquet"):
        (tmp_path / "half" / name).unlink()
    spec = run_spec({**BASE, "run_dir": str(tmp_path / "end"), "model": "random"})
    with pytest.raises(UsageError, match="has not finished"):
        await run_blocking(plan_fork, [spec], RunDir.open(tmp_path / "half"), parent.key, None)


@pytest.mark.parametrize(
    ("at", "job", "words"),
    [
        (0, {}, "--at 0: episode .* has 16 environment steps. Allowed: 1 to 16, or end"),
        (17, {}, "Allowed: 1 to 16"),
        (3, {"timing": {"mode": "wallclock"}}, "timing=wallclock cannot be forked"),
        (3, {"action": {"hold_scale": 0.5}}, "played with 1, .* Say action.hold_scale=1"),
        (3, {"timing": {"speed": 2}}, "timing.speed=2: .* played with 1, .* Say timing.speed=1"),
    ],
)
async def test_invalid_fork_names_allowed_values(tmp_path, lost, at, job, words):
    with pytest.raises(UsageError, match=words):
        await run_blocking(forked, tmp_path, lost, at, **job)
    assert not (tmp_path / "fork").exists()


async def test_forks_are_not_in_tables_nor_rescored(tmp_path, lost):
    ended = await fork(tmp_path, lost, 5)
    assert results_frame(ended.run).height == 0 and results_frame(ended.run, forks=True).height == 1
    assert ended.run.manifest().without_forks().cells == ()
    console = Console(file=io.StringIO(), width=80)
    show_ended(ended, console)
    said = console.file.getvalue()
    assert "forked after step 5 and continued by " in said and " further step" in said and "success" not in said
    mixed = await play(tmp_path, {**FLAP_OR_FALL, "model": "noop", "run_dir": str(tmp_path / "fork")})
    (cell,) = mixed.run.manifest().without_forks().cells
    assert (cell.planned, results_frame(mixed.run).height, len(mixed.run.results())) == (1, 1, 2)
    before = outcomes(mixed)
    notes = [d.note for d in await rescore_run(mixed.run)]
    assert outcomes(mixed) == before and sum("a fork is not rescored" in n for n in notes) == 1
