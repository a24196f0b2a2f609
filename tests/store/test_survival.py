"""Run directories after a kill, a full disk, an incomplete line or a second driver."""

import errno
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
import uuid
from pathlib import Path
from typing import ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from gwray.errors import DiskFull, LogDamaged, StoreError
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord
from gwray.store import EpisodeMeta, RunDir
from gwray.store.episodes import EpisodeWriter


@pytest.fixture
def run(tmp_path):
    return RunDir.create(tmp_path / "run")


def line(step: int, text: str = "left") -> LoggedReply:
    return LoggedReply(decision=step, role="p", words_hash="h", reply=Reply(text=text), at="t")


def record(key: str, **fields) -> EpisodeRecord:
    return EpisodeRecord(**{"key": key, "cell": "c", "game": "g", "task": "t", **fields})


def steps_of(log) -> list[int]:
    return [r.decision for r in log.read()]


def log_file(run: RunDir) -> Path:
    assert run.local_path
    return run.local_path / "replies/k.jsonl"


def test_log_cut_at_any_byte_keeps_complete_lines(run):
    for i in range(3):
        run.log("k").append(line(i, "ü\n"))
    complete = log_file(run).read_bytes()
    ends = [i + 1 for i, b in enumerate(complete) if b == 10]
    for cut in range(len(complete) + 1):
        log_file(run).write_bytes(complete[:cut])
        # A line whose newline alone is missing is complete.
        kept = sum(end - 1 <= cut for end in ends)
        assert steps_of(run.log("k")) == list(range(kept)), cut
        run.log("k").append(line(9))
        assert steps_of(run.log("k")) == [*range(kept), 9], cut


def test_a_torn_line_on_an_object_store_is_repaired_too():
    run = RunDir.create("memory://torn/run")
    run.log("k").append(line(0))
    raw = run._storage.read("replies/k.jsonl")
    assert raw
    run._storage.replace("replies/k.jsonl", raw + raw[:30])
    assert steps_of(run.log("k")) == [0]
    run.log("k").append(line(1))
    assert steps_of(run.log("k")) == [0, 1]


def test_replies_that_arrive_together_are_all_in_the_log_of_an_object_store(monkeypatch):
    slow, put = threading.Event(), MemoryFileSystem.pipe_file

    def put_slowly(self, *args, **more):
        slow.wait(0.02)
        return put(self, *args, **more)

    monkeypatch.setattr(MemoryFileSystem, "pipe_file", put_slowly)
    log = RunDir.create(f"memory://{uuid.uuid4().hex}/run").log("k")
    roles = [threading.Thread(target=log.append, args=(line(step),)) for step in range(8)]
    for role in roles:
        role.start()
    for role in roles:
        role.join()
    assert sorted(steps_of(log)) == [*range(8)]


def test_results_with_a_torn_last_line_are_readable(run):
    run.append_result(record("a"))
    run.append_result(record("b"))
    path = run.local_path / "results.jsonl"
    path.write_bytes(path.read_bytes()[:-20])
    assert [r.key for r in run.results()] == ["a"]
    run.append_result(record("b"))
    assert [r.key for r in run.results()] == ["a", "b"]


@pytest.mark.parametrize("damage", [b"garbage", b'{"step": 1}', b"\x00\x00\x00", b'{"step": "x"', b"[]"])
def test_damage_in_the_middle_names_file_line_and_format(run, damage):
    for i in range(3):
        run.log("k").append(line(i))
    lines = log_file(run).read_bytes().split(b"\n")
    lines[1] = damage
    log_file(run).write_bytes(b"\n".join(lines))
    with pytest.raises(StoreError, match=r"replies/k\.jsonl, line 2: .* format 1"):
        run.log("k").read()


@pytest.mark.parametrize("seed", range(20))
def test_missing_block_loses_only_later_replies(run, seed):
    draw = random.Random(seed)
    for i in range(8):
        run.log("k").append(line(i, "x" * draw.randrange(200)))
    complete = log_file(run).read_bytes()
    start = draw.randrange(len(complete) - 1)
    end = min(len(complete) - 1, start + draw.randrange(1, 700))
    log_file(run).write_bytes(damaged := complete[:start] + bytes(end - start) + complete[end:])
    before = complete[:start].count(b"\n")
    with pytest.raises(
        LogDamaged, match=rf"Its first {before} replies are kept; the original is .*damaged/k\.0\.jsonl"
    ):
        run.log("k").read_for_resume()
    assert steps_of(run.log("k")) == [r.decision for r in run.log("k").read_for_resume()] == [*range(before)]
    assert (run.local_path / "damaged/k.0.jsonl").read_bytes() == damaged
    run.log("k").append(line(9))
    assert steps_of(run.log("k")) == [*range(before), 9]


def test_kill_9_while_writing_loses_no_reply_that_was_acknowledged(run):
    code = """
        import sys
        from gwray.store import RunDir
        from gwray.records import LoggedReply, Reply
        log = RunDir.open(sys.argv[1]).log("k")
        for i in range(10**6):
            log.append(LoggedReply(decision=i, role="p", words_hash="h", reply=Reply(text="x" * 5000), at="t"))
            print(i, flush=True)
    """
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code), run.url], stdout=subprocess.PIPE, text=True)
    assert child.stdout
    child.stdout.readline()
    time.sleep(0.3)
    child.send_signal(signal.SIGKILL)
    acknowledged = [0, *(int(x) for x in child.stdout.read().split())][-1]
    child.wait()
    found = steps_of(run.log("k"))
    assert found == list(range(len(found)))
    assert acknowledged + 1 <= len(found) <= acknowledged + 2


class FullDisk:
    """`os.write` that writes half of what it is given and then has no space left."""

    def __init__(self, monkeypatch):
        self.free = True
        self._real = os.write
        self._half = False
        monkeypatch.setattr("gwray.store.storage.os.write", self)

    def __call__(self, fd, data):
        if self.free:
            return self._real(fd, data)
        if self._half:
            raise OSError(errno.ENOSPC, "No space left on device")
        self._half = True
        return self._real(fd, bytes(data)[: len(data) // 2])


@pytest.mark.parametrize("before", [b"", b'{"step": 7, "ro'])
def test_full_disk_within_a_line_loses_nothing(run, monkeypatch, before):
    run.log("k").append(line(0))
    log_file(run).write_bytes(log_file(run).read_bytes() + before)
    disk = FullDisk(monkeypatch)
    disk.free = False
    with pytest.raises(StoreError, match=r"replies/k\.jsonl.*disk is full.*Everything written before is safe"):
        run.log("k").append(line(1))
    assert log_file(run).read_bytes().endswith(b"\n"), "the half line is taken back"
    assert steps_of(run.log("k")) == [0]
    disk.free = True
    run.log("k").append(line(1))
    assert steps_of(run.log("k")) == [0, 1]


def test_a_full_disk_found_by_fsync_takes_the_line_back(run, monkeypatch):
    run.log("k").append(line(0))

    def full(fd):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as m:
        m.setattr("gwray.store.storage.os.fsync", full)
        with pytest.raises(StoreError, match="disk is full"):
            run.log("k").append(line(1))
    assert steps_of(run.log("k")) == [0]


def test_complete_line_without_newline_survives_full_disk(run, monkeypatch):
    run.log("k").append(line(0))
    log_file(run).write_bytes(log_file(run).read_bytes().rstrip(b"\n"))
    disk = FullDisk(monkeypatch)
    disk.free = False
    with pytest.raises(StoreError):
        run.log("k").append(line(1))
    assert steps_of(run.log("k")) == [0]


def test_a_full_disk_keeps_the_old_episode_and_leaves_no_debris(run):
    run.write_episode("k", [StepRecord(step=0, attempt=0, role="p")], EpisodeMeta(record=record("k")))
    big = [StepRecord(step=i, attempt=0, role="p", screenshot=os.urandom(3_000_000)) for i in range(4)]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000_000, hard))
    try:
        with pytest.raises(StoreError, match=r"Could not write .*k\.parquet: .*Everything written before is safe"):
            run.write_episode("k", big, EpisodeMeta(record=record("k")))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(run.read_steps("k")) == 1
    assert [p.name for p in (run.local_path / "episodes").iterdir()] == ["k.parquet"]


def test_next_writer_clears_only_files_of_dead_writers(run):
    script = f"""
        import os
        from gwray.records import StepRecord
        from gwray.store import RunDir
        writer = RunDir.open({str(run.local_path)!r}).episode_writer("k")
        writer.append(StepRecord(step=i, attempt=0, role="p", screenshot=bytes(3_000_000)) for i in range(5))
        os.kill(os.getpid(), 9)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False)
    folder, episodes = run.local_path / "unfinished", run.local_path / "episodes"
    assert len(list(folder.iterdir())) == 1 and not episodes.exists(), "the next writer need not list all episodes"
    with run.episode_writer("k") as living:
        living.append([StepRecord(step=0, attempt=0, role="p", screenshot=os.urandom(5_000_000))])
        run.write_episode("k", [], EpisodeMeta(record=record("k")))
        assert len(list(folder.iterdir())) == 1, "what was left is gone, that of the living one is there"
        living.finish(EpisodeMeta(record=record("k")))
    assert len(run.read_steps("k")) == 1
    assert [p.name for p in episodes.iterdir()] == ["k.parquet"] and not list(folder.iterdir())


def test_append_syncs_file_and_new_folder(run, monkeypatch):
    synced: list[str] = []
    real = os.fsync

    def fsync(fd):
        synced.append(str(Path(f"/proc/self/fd/{fd}").readlink()))
        real(fd)

    monkeypatch.setattr("gwray.store.storage.os.fsync", fsync)
    run.log("k").append(line(0))
    assert synced == [str(log_file(run)), str(log_file(run).parent)]
    synced.clear()
    run.log("k").append(line(1))
    assert synced == [str(log_file(run))]


def test_replace_syncs_file_then_folder(run, monkeypatch):
    done: list[str] = []
    real, place = os.fsync, Path.replace

    def fsync(fd):
        done.append(f"synced {Path(f'/proc/self/fd/{fd}').readlink().name}")
        real(fd)

    def replace(path, target):
        done.append("in place")
        return place(path, target)

    run.write_episode("j", [], EpisodeMeta(record=record("j")))
    monkeypatch.setattr("gwray.store.storage.os.fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    run.write_episode("k", [], EpisodeMeta(record=record("k")))
    temporary, placed, folder = done
    assert temporary.startswith("synced k.parquet.") and (placed, folder) == ("in place", "synced episodes")


def test_append_waits_for_another_writers_partial_line(run, monkeypatch):
    half_written, go_on = threading.Event(), threading.Event()
    real = os.write

    def write(fd, data):
        if half_written.is_set() or b'"decision":1' not in bytes(data):
            return real(fd, data)
        written = real(fd, bytes(data)[: len(data) // 2])
        half_written.set()
        go_on.wait(120)
        return written

    run.log("k").append(line(0))
    monkeypatch.setattr("gwray.store.storage.os.write", write)
    writers = [threading.Thread(target=run.log("k").append, args=(line(i),)) for i in (1, 2)]
    writers[0].start()
    assert half_written.wait(120)
    writers[1].start()
    writers[1].join(0.3)
    go_on.set()
    for writer in writers:
        writer.join(120)
    assert steps_of(run.log("k")) == [0, 1, 2]


class Bucket(MemoryFileSystem):
    """An object store that may be full, slow, or lose an acknowledgement after it has stored what it was given."""

    protocol = "bucket"
    store: ClassVar[dict] = {}
    pseudo_dirs: ClassVar[list] = [""]
    trouble = ""

    def pipe_file(self, path, value, **how):
        if self.trouble == "full":
            raise OSError(errno.EDQUOT, "QuotaExceeded")
        if self.trouble == "slow":
            time.sleep(0.02)
        super().pipe_file(path, value, **how)
        if self.trouble == "silent":
            raise TimeoutError("Read timeout on endpoint URL")


@pytest.fixture
def bucket(monkeypatch):
    fsspec.register_implementation("bucket", Bucket, clobber=True)
    monkeypatch.setattr(Bucket, "trouble", "")
    yield RunDir.create(f"bucket://{uuid.uuid4().hex}/run")
    Bucket.store.clear()


def test_full_object_store_loses_no_acknowledged_reply(bucket, monkeypatch):
    bucket.log("k").append(line(0))
    bucket.append_result(record("a"))
    monkeypatch.setattr(Bucket, "trouble", "full")
    for write in (lambda: bucket.log("k").append(line(1)), lambda: bucket.append_result(record("b")),
                  lambda: bucket.log("new").append(line(0))):  # fmt: skip
        with pytest.raises(
            StoreError, match=r"bucket://.*Your disk quota is used up\. Free some space.*same command again"
        ):
            write()
    monkeypatch.setattr(Bucket, "trouble", "")
    assert (steps_of(bucket.log("k")), steps_of(bucket.log("new"))) == ([0], [])
    assert [r.key for r in bucket.results()] == ["a"]
    bucket.log("k").append(line(1))
    assert steps_of(bucket.log("k")) == [0, 1]


def test_a_full_disk_of_one_machine_is_no_fault_of_the_object_store(bucket, monkeypatch, tmp_path):
    def without_room(prefix: str, suffix: str) -> tuple[int, str]:
        full = tmp_path / f"{prefix}{suffix}"
        full.symlink_to("/dev/full")
        return os.open(full, os.O_WRONLY), str(full)

    monkeypatch.setattr("tempfile.mkstemp", without_room)
    for end in (EpisodeWriter.flush, lambda writer: writer.finish(EpisodeMeta(record=record("k")))):
        with pytest.raises(DiskFull, match=rf"{os.uname().nodename} could not write .*No space left"):  # noqa: SIM117
            with bucket.episode_writer("k") as writer:
                writer.hold([StepRecord(step=0, attempt=0, role="p")])
                end(writer)
    assert not bucket.has_episode("k") and [*tmp_path.iterdir()] == []
    assert (DiskFull.owner, DiskFull.retryable) == ("machine", True)


def test_a_line_whose_acknowledgement_was_lost_is_there_once(bucket, monkeypatch):
    log = bucket.log("k")
    log.append(line(0))
    monkeypatch.setattr(Bucket, "trouble", "silent")
    with pytest.raises(StoreError, match=r"append to .*TimeoutError|append to .*Read timeout"):
        log.append(line(1))
    monkeypatch.setattr(Bucket, "trouble", "")
    assert steps_of(bucket.log("k")) == [0, 1], "it is used, not asked for again"


def test_episodes_on_a_slow_object_store_do_not_mix(bucket, monkeypatch):
    monkeypatch.setattr(Bucket, "trouble", "slow")

    def play(key: str) -> None:
        for i in range(5):
            bucket.log(key).append(line(i, key))

    lanes = [threading.Thread(target=play, args=(key,)) for key in "abcd"]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    for key in "abcd":
        assert [(r.decision, r.reply.text) for r in bucket.log(key).read()] == [(i, key) for i in range(5)]
