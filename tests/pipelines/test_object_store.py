"""A run in an object store: its requests do not grow with the number of episodes."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest
from object_store import Requests, bucket
from rich.console import Console
from shared_browser import run_async
from store.test_run_dir import frames, line, record

from gwray.pipelines.run import run_plan
from gwray.store import EpisodeMeta, RunDir
from gwray.verification import repair_run
from gwray.verification.repair import find_damage
from pipelines.conftest import STEPS, make_executor, plan_of

__all__ = ["bucket"]
JOB = {"game": "short-sums", "task": "1", "model": "random"}


@pytest.mark.slow
def test_requests_of_an_episode_are_few_and_list_no_folder(bucket, caplog):
    sent = Requests(caplog)
    url = f"{bucket}/played"

    def play(repeats: int) -> tuple[str, list[tuple[str, str]]]:
        console = Console(file=(output := io.StringIO()), width=500)
        plan = plan_of(Path(), {**JOB, "repeats": repeats, "run_dir": url})
        assert run_async(run_plan(plan, console, make_executor, repair=repair_run)).complete
        return output.getvalue(), sent.all()

    _, first = play(2)
    said, further = play(6)
    assert "2 finished, 4 to play" in said
    keys = [record.key for record in RunDir.open(url).results()]
    for key, requests in [*((k, first) for k in keys[:2]), *((k, further) for k in keys[2:])]:
        own = Counter(method for method, path in requests if key in path)
        assert own["PUT"] == STEPS + 1, "a reply is one, and so is the episode file"
        assert own.total() <= STEPS + 9, own
    folders = ("prefix=played/replies/&", "prefix=played/episodes/&")
    listed = [sum(folder in path for _, path in requests for folder in folders) for requests in (first, further)]
    assert listed == [1, 4], "for the seal; the second command checks the old seal and the files of what is finished"


def test_missing_files_of_finished_episodes_are_found_with_two_requests(bucket, caplog):
    url = f"{bucket}/damaged"
    plan = plan_of(Path(), {**JOB, "repeats": 5, "run_dir": url})
    run = RunDir.create(url)
    specs = {spec.key: spec for spec in plan.episodes}
    done = {key: record(key, calls=1) for key in specs}
    for key in specs:
        run.log(key).append(line(0))
        run.write_episode(key, frames(1), EpisodeMeta(record=done[key]))
    sent = Requests(caplog)
    sent.all()
    assert find_damage(run, specs.values(), done) == [] and sent.methods() == ["GET", "GET"]
    without_log, without_file, *_ = specs
    run._storage.fs.rm(f"runs/damaged/replies/{without_log}.jsonl")  # type: ignore[attr-defined]
    run._storage.fs.rm(f"runs/damaged/episodes/{without_file}.parquet")  # type: ignore[attr-defined]
    found = {d.spec.key: (d.log, d.file) for d in find_damage(run, specs.values(), done)}
    assert found == {
        without_log: (f"{url}/replies/{without_log}.jsonl does not exist.", ""),
        without_file: ("", f"{url}/episodes/{without_file}.parquet does not exist."),
    }


@pytest.mark.parametrize("many", [1, 100])
def test_logs_of_a_remote_run_are_read_in_order(many):
    run = RunDir.create(f"memory://logs-{many}")
    for n in range(many):
        run.log(f"k{n:03}").append(line(n))
    assert [(key, lines[0].decision) for key, lines in run.logs()] == [(f"k{n:03}", n) for n in range(many)]
