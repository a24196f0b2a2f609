"""Actors that die during a run: nothing waits for them, and none of their episodes loses a retry."""

from __future__ import annotations

import contextlib
import os

import psutil
import pytest
from standin import Standin

from gwray.records import EpisodeRecord
from pipelines.conftest import play
from pipelines.test_storm import answer


def actors(title: str) -> list[psutil.Process]:
    """Those of this process: others may run beside."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        with contextlib.suppress(psutil.Error):
            if (process.info["cmdline"] or [""])[0].startswith(title):
                found += [process] if os.getpid() in {above.pid for above in process.parents()} else []
    return found


@pytest.mark.slow
async def test_killed_actor_costs_no_retry(tmp_path):
    to_kill = ["ray::RateLimiterActor", "ray::SandboxActor"]

    def answer_or_kill(*asked):
        results = tmp_path / "run/results.jsonl"
        if to_kill and results.exists() and len(results.read_bytes().splitlines()) > 2 - len(to_kill):
            actors(to_kill.pop(0))[0].kill()
        return answer(*asked)

    with Standin(keep_bodies=False) as standin:
        standin.answer = answer_or_kill  # in mid-run, whoever asks now is waiting
        model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x"}
        job = {"game": "short-sums", "task": "all", "model": model,
               "executor": {"name": "ray", "actors": 2, "lanes": 2}}  # fmt: skip
        ended = await play(tmp_path, job)
    assert ended.complete and not to_kill
    assert {r.tries for r in ended.run.results()} == {1}
    file = tmp_path / "run/failures.jsonl"
    failed = [EpisodeRecord.model_validate_json(x) for x in file.read_text().splitlines()] if file.exists() else []
    assert {f.error_class for f in failed} <= {"BrowserDisconnected"}
    assert len(failed) <= 2, "only those that were in the sandbox"
