"""Actors that die in mid-run: nobody waits for them in vain, and none of their episodes loses a try."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import psutil
import pytest

from gwray.records import EpisodeRecord
from pipelines.conftest import play


def actors(title: str) -> list[psutil.Process]:
    """Those of this process: others may run beside."""
    found = [p for p in psutil.process_iter(["cmdline"]) if (p.info["cmdline"] or [""])[0].startswith(title)]
    return [p for p in found if os.getpid() in {above.pid for above in p.parents()}]


async def killed_in_mid_run(folder: Path, title: str) -> psutil.Process:
    while not (folder / "run/results.jsonl").exists():
        await asyncio.sleep(0.05)
    process = (await asyncio.to_thread(actors, title))[0]
    process.kill()
    return process


@pytest.mark.slow
@pytest.mark.parametrize("title", ["ray::SandboxActor", "ray::GateActor"])
async def test_a_killed_actor_costs_no_episode_a_try(tmp_path, title):
    job = {"game": "short-sums", "task": "all", "repeats": 3, "executor": {"name": "ray", "actors": 2, "lanes": 2}}
    killing = asyncio.create_task(killed_in_mid_run(tmp_path, title))
    ended = await play(tmp_path, job)
    assert ended.complete and await killing
    assert {r.tries for r in ended.run.results()} == {1}
    file = tmp_path / "run/failures.jsonl"
    failed = [EpisodeRecord.model_validate_json(x) for x in file.read_text().splitlines()] if file.exists() else []
    assert {f.error_class for f in failed} <= {"BrowserLost"}
    assert len(failed) <= (2 if "Sandbox" in title else 0), "only those that were in it"
