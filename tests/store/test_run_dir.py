"""The run directory as its users see it, on a local disk and on an object store."""

import json
import subprocess
import sys
import tempfile
import threading
import uuid
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from gwray.errors import StoreError, UsageError
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord, ToolCall, Usage
from gwray.store import Episode, EpisodeMeta, RunDir, RunManifest
from gwray.store.episodes import SCHEMA


@pytest.fixture(params=["local", "object"])
def url(request, tmp_path):
    return str(tmp_path / "run") if request.param == "local" else f"memory://{uuid.uuid4().hex}/run"


@pytest.fixture
def run(url):
    return RunDir.create(url, RunManifest(name="try"))


def record(key: str, **fields) -> EpisodeRecord:
    return EpisodeRecord(**{"key": key, "cell": "c", "game": "01_2048", "task": "01_2048_1", **fields})


def line(step: int, text: str = "go left", **fields) -> LoggedReply:
    reply = Reply(text=text, usage=Usage(input=7, output=3), latency_ms=12.5, **fields)
    return LoggedReply(decision=step, role="player", words_hash="h", reply=reply, at="2026-01-01T00:00:00Z")


def frames(n: int, size: int = 1000) -> list[StepRecord]:
    return [
        StepRecord(step=i, attempt=0, role="player", screenshot=bytes([i]) * size, text=f"reply {i}", score=None)
        for i in range(n)
    ]


READ = """
import os, sys
from gwray.store import RunDir
run = RunDir(sys.argv[1])
before = len(os.listdir("/proc/self/task"))
assert len(run.read_episode("k").steps) == 3 and len(list(run.iter_steps("k"))) == 3
assert len(os.listdir("/proc/self/task")) == before, "a thread that may outlive the interpreter"
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads as Linux shows them")
def test_reading_an_episode_starts_no_thread(tmp_path):
    run = RunDir.create(tmp_path / "run")
    rows = [StepRecord(step=i, decision=i, attempt=0, role="p", screenshot=b"x" * 5000) for i in range(3)]
    run.write_episode("k", rows, EpisodeMeta(record=record("k")))
    subprocess.run([sys.executable, "-c", READ, str(run.local_path)], check=True, timeout=300)


def test_a_new_run_keeps_its_manifest_and_gets_a_format_and_an_id(run, url):
    again = RunDir.open(url)
    assert again.manifest().stored() == {"format": 1, "id": run.id, "name": "try"}
    again.write_manifest(RunManifest(name="other", id="forged", format=99))
    assert RunDir.open(url).manifest().stored() == {"format": 1, "id": run.id, "name": "other"}


def test_a_run_is_never_begun_over_another(run, url):
    with pytest.raises(UsageError, match="already holds a run"):
        RunDir.create(url)
    assert RunDir.is_run(url)


def test_opening_something_else_says_what_a_run_directory_looks_like(tmp_path):
    with pytest.raises(UsageError, match=r"has no run\.json.*results\.jsonl.*replies/"):
        RunDir.open(tmp_path)
    with pytest.raises(UsageError, match="does not exist"):
        RunDir.open(tmp_path / "missing")
    (tmp_path / "run.json").write_text('{"scripts": {}}')
    with pytest.raises(UsageError, match="not written by gwray"):
        RunDir.open(tmp_path)
    (tmp_path / "run.json").write_text('{"form')
    with pytest.raises(UsageError, match=r"not JSON.*remove that file and start the same command again"):
        RunDir.open(tmp_path)


def test_a_format_from_the_future_is_named(tmp_path):
    (tmp_path / "run.json").write_text('{"format": 7, "id": "x"}')
    with pytest.raises(UsageError, match="format 7; this gwray supports format 1 only"):
        RunDir.open(tmp_path)


def test_replies_come_back_in_order_and_equal(run, url):
    said = [
        line(0, "zwei\nZeilen \u2028 und \x00"),
        line(1, tool_calls=(ToolCall(name="move", arguments={"x": float("inf"), "n": 10**30}),)),
        line(2, tool_calls=(ToolCall(name="move", arguments={"half": "\ud800", "whole": "ü"}),)),
        line(3, "x" * 1_000_000),
    ]
    assert run.log("k").read() == []
    for one in said:
        run.log("k").append(one)
    assert RunDir.open(url).log("k").read() == said
    assert run.log("other").read() == []


def test_an_episode_comes_back_with_its_pictures_and_metadata(run, url):
    steps = frames(3)
    meta = EpisodeMeta(
        record=record("k", success=True, progress=1.0, caveats=("a worker",)),
        prompts={"player": "Rules …"},
        final_frame=bytes(range(256)),
        mime="image/png",
        console=("hello",),
    )
    assert not run.has_episode("k")
    run.write_episode("k", steps, meta)
    episode = RunDir.open(url).read_episode("k")
    assert episode.steps == steps and episode.meta == meta
    assert run.has_episode("k") and run.episode_keys() == ["k"]
    assert run.read_meta("k") == meta


def test_a_page_that_prints_half_a_surrogate_pair_costs_no_episode(run):
    meta = EpisodeMeta(record=record("k", page_errors=("\ud83d",)), console=("half: \ud83d", "ü"))
    run.write_episode("k", frames(1), meta)
    run.append_result(meta.record)
    assert run.read_meta("k") == meta and run.results() == [meta.record]


def test_an_episode_can_be_written_again(run):
    run.write_episode("k", frames(3), EpisodeMeta(record=record("k")))
    run.write_episode("k", frames(1), EpisodeMeta(record=record("k")))
    assert len(run.read_steps("k")) == 1


def test_an_episode_without_steps_is_an_episode(run):
    run.write_episode("k", [], EpisodeMeta(record=record("k")))
    assert run.read_episode("k").steps == []


def test_steps_without_pictures_do_not_read_the_pictures(tmp_path):
    run = RunDir.create(tmp_path / "run")
    run.write_episode("k", frames(4, size=300_000), EpisodeMeta(record=record("k")))
    path = tmp_path / "run/episodes/k.parquet"
    column = pq.read_metadata(path).row_group(0).column(SCHEMA.names.index("screenshot"))
    data = bytearray(path.read_bytes())
    start = column.data_page_offset
    data[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    path.write_bytes(data)

    steps = run.read_steps("k", images=False)
    assert [s.text for s in steps] == [f"reply {i}" for i in range(4)]
    assert all(s.screenshot is None for s in steps)
    with pytest.raises(StoreError, match=r"episodes/k\.parquet is not a readable episode"):
        run.read_steps("k")


def test_pictures_are_not_compressed_again_and_texts_are(tmp_path):
    run = RunDir.create(tmp_path / "run")
    run.write_episode("k", frames(2), EpisodeMeta(record=record("k")))
    group = pq.read_metadata(tmp_path / "run/episodes/k.parquet").row_group(0)
    by_name = {group.column(i).path_in_schema: group.column(i).compression for i in range(group.num_columns)}
    assert by_name["screenshot"] == "UNCOMPRESSED" and by_name["state"] == "ZSTD"


def test_the_columns_of_an_episode_are_the_fields_of_a_step():
    assert SCHEMA.names == list(StepRecord.model_fields)


def test_episode_file_appears_only_when_complete(run):
    rows = [s.model_copy(update={"milestones": ("a",) * i}) for i, s in enumerate(frames(5, size=2_000_000))]
    meta = EpisodeMeta(record=record("k", metrics={"a.b": 1.5}), final_frame=b"last")
    with run.episode_writer("k") as writer:
        for row in rows:
            writer.append([row])
        assert not run.has_episode("k")
        writer.finish(meta)
    assert list(run.iter_steps("k")) == rows and run.read_episode("k") == Episode(rows, meta)
    with run._storage.open("episodes/k.parquet") as file:
        assert pq.read_metadata(file).num_row_groups == 2


def test_an_episode_that_ends_in_an_error_leaves_nothing(run, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    with pytest.raises(ZeroDivisionError), run.episode_writer("k") as writer:
        writer.append(frames(2, size=3_000_000))
        raise ZeroDivisionError
    assert run.episode_keys() == [] and not [p for p in tmp_path.rglob("*k.parquet*")]


def test_a_missing_episode_is_named(run):
    with pytest.raises(StoreError, match=r"episodes/nope\.parquet does not exist"):
        run.read_episode("nope")


@pytest.mark.parametrize("key", ["../../etc/passwd", "a/b", "", ".hidden", "a\nb", "k" * 200])
def test_a_key_never_leaves_its_folder(run, key):
    with pytest.raises(UsageError, match="not an episode key"):
        run.log(key)
    with pytest.raises(UsageError, match="not an episode key"):
        run.write_episode(key, [], EpisodeMeta(record=record("k")))


def test_last_record_wins_and_success_removes_failure(run):
    run.append_result(record("a", progress=0.1))
    run.append_failure(record("b", status="failed", error_class="BrowserError"))
    run.append_failure(record("c", status="failed", error_message="first"))
    run.append_result(record("b", progress=0.5))
    run.append_result(record("a", progress=0.2))
    run.append_failure(record("c", status="failed", error_message="second"))
    assert [(r.key, r.progress) for r in run.results()] == [("a", 0.2), ("b", 0.5)]
    assert [(r.key, r.error_message) for r in run.failures()] == [("c", "second")]


def test_results_can_be_replaced_at_once(run):
    for key in "abc":
        run.append_result(record(key, progress=0.0))
    run.rewrite_results(r.model_copy(update={"progress": 1.0}) for r in run.results())
    run.append_result(record("d", progress=1.0))
    assert [(r.key, r.progress) for r in run.results()] == [(k, 1.0) for k in "abcd"]


def test_many_lines_are_one_file_to_a_reader(run, monkeypatch):
    monkeypatch.setattr("gwray.store.object_storage.PART_BYTES", 4000)
    for i in range(60):
        run.append_result(record(f"k{i:02d}"))
    assert [r.key for r in run.results()] == [f"k{i:02d}" for i in range(60)]
    run.rewrite_results([record("only")])
    run.append_result(record("next"))
    assert [r.key for r in run.results()] == ["only", "next"]


def test_fields_of_a_newer_version_are_left_out(tmp_path):
    run = RunDir.create(tmp_path / "run")
    value = record("a").model_dump(mode="json") | {"mood": "good"}
    (tmp_path / "run/results.jsonl").write_text(json.dumps(value) + "\n")
    assert run.results() == [record("a")]


def test_lines_of_several_threads_never_mix(tmp_path):
    run = RunDir.create(tmp_path / "run")

    def write(name: str) -> None:
        for i in range(40):
            run.append_result(record(f"{name}{i}", error_message=name * 3000))

    threads = [threading.Thread(target=write, args=(n,)) for n in "abcd"]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(run.results()) == 160


def test_records_stay_frozen(run):
    with pytest.raises(ValidationError):
        EpisodeMeta(record=record("k")).mime = "x"  # type: ignore[misc]


def test_reading_and_appending_replies_does_not_read_the_manifest(tmp_path):
    RunDir.create(tmp_path / "run")
    (tmp_path / "run/run.json").write_text("garbage")
    log = RunDir(tmp_path / "run").log("k")
    log.append(line(0))
    assert log.read() == [line(0)]
    (tmp_path / "run/replies/k.jsonl").write_text("garbage\n")
    with pytest.raises(StoreError, match="line 1"):
        log.read()
