"""One command at a time works on a run: who gets the lease, who takes it over, and who stops writing."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from gwray.errors import LeaseLost, RunInUse, StoreError
from gwray.records import EpisodeRecord
from gwray.store import RunDir, lease
from gwray.store.storage import storage_for
from tests.object_store import bucket  # noqa: F401

NUMBERS = count()


@pytest.fixture(params=["local", "s3"])
def run(request, tmp_path) -> RunDir:
    if request.param == "local":
        return RunDir.create(tmp_path / "run")
    return RunDir.create(f"{request.getfixturevalue('bucket')}/{next(NUMBERS)}")


@pytest.fixture
def short(monkeypatch):
    """A lease of 4 s, renewed every 0.4 s."""
    for name, seconds in {"LEASE_S": 4.0, "RENEW_S": 0.4, "POLL_S": 0.05}.items():
        monkeypatch.setattr(lease, name, seconds)


def driver(run: RunDir, inside: str = "", after: str = "", renew_s: float = 0.4) -> subprocess.Popen:
    """A process that holds the lease, says so, and waits for a line."""
    code = f"""
        import os, sys
        from gwray.errors import RunInUse
        from gwray.records import EpisodeRecord
        from gwray.store import RunDir, lease
        lease.LEASE_S, lease.RENEW_S, lease.POLL_S = {10 * renew_s}, {renew_s}, 0.05
        try:
            with RunDir(sys.argv[1]).lock():
                {inside or "pass"}
                print("held", flush=True)
                sys.stdin.readline()
                {after or "pass"}
        except RunInUse:
            print("refused", flush=True)
    """
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code), run.url], **pipes)


def said(child: subprocess.Popen) -> str:
    assert child.stdout
    return child.stdout.readline().strip()


def row(key: str) -> EpisodeRecord:
    return EpisodeRecord(key=key, cell="c", game="g", task="t")


def elsewhere(run: RunDir, renewed: float, **more) -> None:
    """Writes the lease of a process on another machine, renewed that many seconds ago."""
    at = (datetime.now(UTC) - timedelta(seconds=renewed)).isoformat()
    held = {"id": "other", "pid": 1, "host": "elsewhere", "place": "other", "since": "2026-01-01", "renewed": at}
    assert run._storage.swap("driver.lock", run._storage.read("driver.lock") or b"", json.dumps(held | more).encode())


@pytest.mark.slow
def test_second_driver_refused_dead_driver_replaced(run):
    child = driver(run)
    try:
        assert said(child) == "held"
        with pytest.raises(RunInUse, match=rf"process {child.pid} on host \S+"), run.lock():
            pass
    finally:
        child.kill()
        child.wait()
    assert not run.is_driven()
    with run.lock(), pytest.raises(RunInUse, match=f"process {os.getpid()} on host"), run.lock():
        pass
    with run.lock():
        assert run.is_driven()


def test_lease_before_the_run_exists(tmp_path):
    with RunDir(tmp_path / "new" / "run").lock():
        with pytest.raises(RunInUse, match="is being played"), RunDir(tmp_path / "new" / "run").lock():
            pass
        assert not RunDir.is_run(tmp_path / "new" / "run")


def test_lost_node_is_replaced_once_its_lease_has_run_out(run, short, capsys):
    elsewhere(run, renewed=1.5)
    assert run.is_driven()
    began = time.monotonic()
    with run.lock():
        assert time.monotonic() - began < 30
        assert "played by process 1 on host elsewhere" in capsys.readouterr().err
    elsewhere(run, renewed=1000)
    assert not run.is_driven()
    with run.lock():
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize("content", [{}, {"renewed": "never"}, {"renewed": [1], "pid": -1, "place": 7}])
def test_unreadable_lease_has_run_out(tmp_path, content):
    run = RunDir.create(tmp_path / "run")
    run._storage.replace("driver.lock", json.dumps({"id": "x", **content}).encode())
    with run.lock():
        pass


def test_living_driver_of_another_node_is_not_replaced(run, short):
    elsewhere(run, renewed=0)
    renews = threading.Timer(0.3, elsewhere, (run, 0), {"number": 2})
    renews.start()
    with pytest.raises(RunInUse, match="on host elsewhere"), run.lock():
        pass
    renews.join()


@pytest.mark.parametrize("other", ["began", "place"])
def test_reused_process_id_does_not_hold_the_lease(run, short, other):
    with run.lock():
        held = json.loads(run._storage.read("driver.lock"))
    changed = {"renewed": "2026-01-01T00:00:00+00:00", other: "another"}
    run._storage.replace("driver.lock", json.dumps({**held, **changed}).encode())
    assert not run.is_driven()
    with run.lock():
        pass


@pytest.mark.parametrize("trial", range(2))
@pytest.mark.slow
def test_of_drivers_that_start_at_once_one_plays(run, trial):
    drivers = [driver(run, renew_s=30) for _ in range(4)]
    assert sorted(map(said, drivers)) == ["held", *["refused"] * 3]
    for child in drivers:
        child.communicate("\n", timeout=60)


def test_one_of_many_swaps_succeeds(run):
    run._storage.swap("driver.lock", b"", b"old")
    won: list[int] = []
    start = threading.Barrier(8)

    def swap(number: int) -> None:
        start.wait()
        if storage_for(run.url).swap("driver.lock", b"old", b"%d" % number):
            won.append(number)

    threads = [threading.Thread(target=swap, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1 and run._storage.read("driver.lock") == b"%d" % won[0]


@pytest.mark.slow
def test_frozen_driver_writes_nothing_after_its_lease(run, short):
    write = "RunDir(sys.argv[1]).append_result(EpisodeRecord(key='late', cell='c', game='g', task='t'))"
    child = driver(run, after=write)
    assert said(child) == "held"
    child.send_signal(signal.SIGSTOP)
    taken = json.loads(run._storage.read("driver.lock"))
    run._storage.replace("driver.lock", json.dumps({**taken, "place": "other"}).encode())  # as another node sees it
    with run.lock():
        child.send_signal(signal.SIGCONT)
        _, error = child.communicate("\n", timeout=60)
        assert "LeaseLost" in error and "was taken over" in error and child.returncode == 1
        run.append_result(row("now"))
        assert run.is_driven(), "the late process released nothing"
    assert [r.key for r in run.results()] == ["now"]


def test_processes_of_a_driver_stop_with_its_lease(run, monkeypatch):
    """An actor on another node plays on while its driver is lost."""
    now = [0.0]
    monkeypatch.setattr(lease, "_clock", lambda: now[0])
    monkeypatch.setattr(lease, "_leases", {})
    for number, key in enumerate("abcd"):  # its driver lives
        elsewhere(run, renewed=0, id="driver", number=number)
        if not number:
            run.lease.watch("driver")
        run.append_failure(row(key))
        now[0] += lease.RENEW_S
    run.append_failure(row("e"))
    now[0] += lease.LEASE_S - lease.RENEW_S
    with pytest.raises(LeaseLost, match="not been renewed"):
        run.append_failure(row("f"))
    elsewhere(run, renewed=0, id="successor")
    run.lease.watch("driver")
    now[0] += lease.RENEW_S
    with pytest.raises(LeaseLost, match=r"taken over: it is being played by process 1 on host elsewhere"):
        run.append_failure(row("g"))
    assert "".join(r.key for r in run.failures()) == "abcde"


def test_unreachable_store_ends_the_lease_before_others_take_it(run, monkeypatch):
    def unreachable(*_):
        raise StoreError("no network")

    now = [0.0]
    monkeypatch.setattr(lease, "_clock", lambda: now[0])
    with run.lock(), monkeypatch.context() as cut:
        cut.setattr(type(run._storage), "swap", unreachable)
        now[0] += lease.RENEW_S
        run.append_failure(row("a"))
        now[0] += lease.LEASE_S - 2 * lease.RENEW_S
        with pytest.raises(LeaseLost, match="not been renewed"):
            run.append_failure(row("b"))
