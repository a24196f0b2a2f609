"""The progress of a run, read from its directory alone."""

from __future__ import annotations

import json
import os
import socket
from datetime import UTC, datetime, timedelta

import pytest
from pipelines.conftest import plan_of
from typer.testing import CliRunner

from gwray.cli import app
from gwray.pipelines import label, open_run
from gwray.records import EngineReading, LoggedReply, Reply, ToolCall, Usage
from gwray.report import RunFolder
from gwray.settings import EpisodeSpec
from gwray.store import RunDir, status_of
from gwray.store.status import _beginning

AT = datetime(2026, 1, 23, 12, 0, tzinfo=UTC)


def ago(seconds: float) -> str:
    return (AT - timedelta(seconds=seconds)).isoformat(timespec="seconds")


def replies(run: RunDir, spec: EpisodeSpec, turns: int, silent_s: float) -> None:
    for turn in range(turns):
        reply = Reply(text="wait", usage=Usage(input=100, output=10), cost_usd=0.5, latency_ms=1)
        run.log(spec.key).append(
            LoggedReply(decision=turn, role="player", words_hash="w", reply=reply, at=ago(silent_s + turns - 1 - turn))
        )


@pytest.fixture
def run(tmp_path) -> RunDir:
    """Six episodes: two finished, one failed permanently, one that is retried, one playing, one not started."""
    plan = plan_of(tmp_path, {"task": "1,2,3", "model": "noop"}, {"task": "1,2,3", "model": "random"})
    run = open_run(plan)
    run.write_manifest(run.manifest().model_copy(update={"created": ago(3000)}))
    first, second, failed, again, playing, _ = plan.episodes
    for spec, seconds in ((first, 240), (second, 60)):
        sums = {"calls": 1, "input_tokens": 1000, "output_tokens": 20, "cost_usd": 1.0, "steps": 30, "wall_s": 60.0}
        circumstances = {"finished_at": ago(seconds), "machine": "alpha"}
        run.append_result(label(spec).model_copy(update={"progress": 1.0, **sums, **circumstances}))
    for spec in (failed, again):
        why = {"status": "failed", "error_class": "BrowserDisconnected", "finished_at": ago(100)}
        run.append_failure(label(spec).model_copy(update=why))
    replies(run, failed, 2, silent_s=130)
    replies(run, again, 3, silent_s=5)
    replies(run, playing, 7, silent_s=2)
    return run


def test_status_counts_playing_ended_and_cost(run):
    status = status_of(run, at=AT)
    assert (status.planned, status.finished, status.failed, status.left) == (6, 2, 2, 4)
    assert [(p.model, p.decisions, p.silent_s) for p in status.now] == [("random", 7, 2.0), ("random", 3, 5.0)]
    assert {p.last_reply for p in status.now} == {"wait"}
    assert status.failures == {"BrowserDisconnected": 2} and status.cost_usd == 2 + 6.0


def test_rates_cover_playing_time_only(run):
    """Two episodes of 30 steps in five minutes; that the run was begun long before does not slow it down."""
    calm = status_of(run, at=AT)
    assert (calm.episodes_per_minute, calm.steps_per_second) == (0.4, 0.2)
    assert not calm.driven and calm.eta_s is None
    with run.lock():
        assert status_of(run, at=AT).eta_s == 4 / 0.4 * 60
    later = status_of(run, at=AT + timedelta(hours=1))
    assert (later.episodes_per_minute, later.eta_s) == (0, None)


def shown(run: RunDir) -> str:
    return CliRunner().invoke(app, ["results", run.url]).output


def test_results_of_an_incomplete_run_begin_with_its_progress(run):
    first, second = shown(run).splitlines()[:2]
    assert "not running: 2 of 6 episodes finished, 4 left, 2 of them failed" in first
    assert "2 of them without their file: `gwray unpack`" in second and "2 failed by BrowserDisconnected" in shown(run)
    with run.lock():
        assert "steps a second" in shown(run)
    assert "steps a second" not in shown(run)


def test_run_locked_by_other_command_is_not_playing(run):
    with run.lock("judged"):
        status = status_of(run)
        text = shown(run)
    assert not status.driven and status.eta_s is None and status.holder and status.holder.pid == os.getpid()
    assert f"is being judged by process {os.getpid()} on host {socket.gethostname()} (since 20" in text
    times = {"since": "2026-01-01T00:00:00+00:00", "renewed": datetime.now(UTC).isoformat()}
    elsewhere = {"pid": 7, "host": "elsewhere", "place": "other", **times}
    (run.local_path / "driver.lock").write_text(json.dumps(elsewhere))
    text = shown(run)
    assert "is being played by process 7 on host elsewhere (since 2026-01-01" in text


def test_status_shows_engine_load(run):
    look = {"at": "", "model": "own", "running": 5.0, "waiting": 2.0, "kv_usage": 0.1}
    run.append_engines([EngineReading(**look, replicas=n, lanes=8, lanes_waiting=4) for n in (1, 2)])
    received = "own: 2 engines · 5 requests worked on · 2 waiting · 8 lanes play, 4 more wait for it"
    with run.lock():
        assert received in shown(run)
    assert "own: 2 engines" not in shown(run)


def test_players_without_a_model_cost_nothing(tmp_path):
    """A sweep of a model and the random player has the cost of the model."""
    plan = plan_of(tmp_path, {"task": "1", "model": "random"}, {"task": "1", "model": "gpt-5.2"})
    run = open_run(plan)
    for spec in plan.episodes:
        usd = None if spec.cell.model.name == "random" else 0.5
        run.append_result(label(spec).model_copy(update={"calls": 1, "cost_usd": usd, "finished_at": ago(60)}))
    assert status_of(run, at=AT).cost_usd == 0.5
    assert [c.free for c in run.manifest().cells] == [True, False]
    (found,) = RunFolder.open(str(tmp_path)).summaries()
    assert found.spent == "$0.50"


def test_last_reply_shows_calls_and_text():
    call = ToolCall(name="move", arguments='{"to": 1}')
    assert _beginning(Reply(text="I go\n up.", tool_calls=(call,))) == 'move {"to": 1} · I go up.'
