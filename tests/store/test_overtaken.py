"""Two writers of one reply log, one of them outdated: nothing is overwritten or written twice."""

import fcntl

import pytest
from object_store import Requests, bucket

from gwray.errors import ConcurrentWriteError, StoreError
from gwray.records import LoggedReply, Reply
from gwray.store import RunDir, storage
from gwray.store.storage import storage_for

__all__ = ["bucket"]
PATH = "replies/k.jsonl"


def line(decision: int) -> LoggedReply:
    return LoggedReply(decision=decision, role="player", words_hash="w", at="", reply=Reply(text=f"{decision}"))


@pytest.fixture(params=["local", "memory", "s3"])
def run(request, tmp_path) -> RunDir:
    urls = {"local": str(tmp_path), "memory": f"memory://{tmp_path.name}"}
    where = urls.get(request.param) or request.getfixturevalue("bucket")
    return RunDir.create(f"{where}/{request.node.name.partition('[')[0]}")


def test_who_was_taken_for_lost_adds_nothing_and_who_goes_on_loses_nothing(run):
    lost, goes_on = run.log("k"), run.log("k")
    lost.append(line(0))
    assert [r.decision for r in goes_on.read_for_resume()] == [0]
    goes_on.append(line(1))
    with pytest.raises(
        ConcurrentWriteError, match=r"k\.jsonl was changed by another process meanwhile; nothing was appended"
    ):
        lost.append(line(1))
    goes_on.append(line(2))
    assert [r.decision for r in run.log("k").read()] == [0, 1, 2]
    assert [r.decision for r in lost.read_for_resume()] == [0, 1, 2]
    lost.append(line(3))
    assert [r.decision for r in run.log("k").read()] == [0, 1, 2, 3]


def test_a_log_that_both_would_begin_is_begun_once(run):
    one, other = run.log("k"), run.log("k")
    assert one.read_for_resume() == other.read_for_resume() == []
    one.append(line(0))
    with pytest.raises(ConcurrentWriteError):
        other.append(line(0))
    assert len(run.log("k").read()) == 1


def test_writer_frozen_with_its_lock_blocks_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr(storage, "LOCK_S", 0.1)
    run = storage_for(str(tmp_path))
    size = run.append(PATH, b"0\n", lambda _: True)
    with (tmp_path / PATH).open("ab") as frozen:
        fcntl.flock(frozen, fcntl.LOCK_EX)
        assert run.append(PATH, b"1\n", lambda _: True, size=size) == 4
        frozen.write(b"late\n")
    assert run.read(PATH) == b"0\n1\n"


def test_the_store_itself_refuses_who_writes_between_a_look_and_a_put(bucket, monkeypatch):
    storage = storage_for(f"{bucket}/between")
    storage.append(PATH, b"{}\n", lambda _: True)
    fs = storage.fs  # type: ignore[attr-defined]
    put = fs.pipe_file

    def late(path: str, data: bytes, **how: str) -> None:
        monkeypatch.setattr(fs, "pipe_file", put)
        storage_for(f"{bucket}/between").append(PATH, b'{"other": 1}\n', lambda _: True)
        put(path, data, **how)

    monkeypatch.setattr(fs, "pipe_file", late)
    with pytest.raises(ConcurrentWriteError):
        storage.append(PATH, b'{"mine": 1}\n', lambda _: True, size=3)
    assert storage.read(PATH) == b'{}\n{"other": 1}\n'


def test_a_put_of_which_the_answer_was_lost_is_no_other_writer(bucket, monkeypatch):
    storage = storage_for(f"{bucket}/again")
    fs = storage.fs  # type: ignore[attr-defined]
    put = fs.pipe_file

    def twice(path: str, data: bytes, **how: str) -> None:
        put(path, data, **how)
        put(path, data, **how)

    monkeypatch.setattr(fs, "pipe_file", twice)
    for n in range(2):
        storage.append(PATH, b"%d\n" % n, lambda _: True)
    assert storage.read(PATH) == b"0\n1\n"


def test_a_log_that_is_gone_is_not_begun_again(run):
    log = run.log("k")
    log.append(line(0))
    goes_on = run.log("k")
    goes_on.read_for_resume()
    run._storage.replace(PATH, b"")
    with pytest.raises(ConcurrentWriteError):
        log.append(line(1))
    if run.local_path is not None:
        (run.local_path / PATH).unlink()
        with pytest.raises(StoreError, match="is gone"):
            goes_on.append(line(1))


def test_append_costs_one_put_however_many_logs_there_are(bucket, caplog):
    sent = Requests(caplog)
    storage, log = storage_for(f"{bucket}/many"), "replies/k3.jsonl"
    for i in range(20):
        storage.append(f"replies/k{i}.jsonl", b"{}\n", lambda _: True)
    sent.methods()
    assert storage.append(log, b"{}\n", lambda _: True, size=3) == 6
    assert sent.methods() == ["PUT"]
    other = storage_for(f"{bucket}/many")
    assert other.append(log, b"{}\n", lambda _: True, size=6) == 9, "a process that resumes the episode"
    assert sorted(sent.methods()) == ["GET", "GET", "HEAD", "HEAD", "PUT"], "a listing of one log, and its content"
    assert storage.append(log, b"{}\n", lambda _: True, size=9) == 12, "it was overtaken, so it looks again"
    assert storage.read(log) == b"{}\n" * 4
