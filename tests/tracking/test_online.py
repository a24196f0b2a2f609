"""The real W&B client against a stand-in of its server on this machine."""

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from episodes_to_track import FAKE_KEY, episode, play
from wandb_file import read_offline

from gwray.settings import TrackingSpec
from gwray.tracking import client, make_tracker, sync, tracker

AUTO = TrackingSpec()
HERE = Path(__file__).parent


def wait_for(condition: Callable[[], object], seconds: float = 200) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def only(server):
    (stored,) = server.runs.values()
    return stored


def test_a_key_sends_every_episode_to_the_server_and_stays_out_of_every_file(run, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-planted-planted")
    reports: list[str] = []
    live = make_tracker(AUTO, run, reports.append)
    cells = run.manifest().cells
    cells[0].spec["options"] = {"header": "Bearer sk-planted-planted-planted"}
    live.start(cells, "my sweep")
    for i in range(4):
        live.episode(play(run, episode(i)))
    links = live.finish({"id-random": {"pg/overall/high": 0.9}})

    one = only(server)
    assert reports == [] and server.unknown == [] and server.keys == {FAKE_KEY} and server.views == {}
    assert links == [f"{server.url}/team/gwray/runs/{one.name}"]
    assert (one.display_name, one.group, one.project, one.complete) == ("random", "my sweep", "gwray", True)
    assert [row["episode/key"] for row in one.history] == [f"random{i}" for i in range(4)]
    assert one.summary["episodes/finished"] == 4 and one.summary["pg/overall/high"] == 0.9
    assert one.config["spec"]["options"] == {"header": "Bearer [redacted]"}
    for path in (p for p in Path(run.url).rglob("*") if p.is_file()):
        content = path.read_bytes()
        assert FAKE_KEY.encode() not in content and b"sk-planted" not in content, path


DRIVER = """
    import itertools, sys, time
    sys.path.insert(0, sys.argv[2])
    from episodes_to_track import episode, play
    from gwray.settings import TrackingSpec
    from gwray.store import RunDir
    from gwray.tracking import make_tracker
    run = RunDir.open(sys.argv[1])
    live = make_tracker(TrackingSpec(), run)
    live.start(run.manifest().cells, "my sweep")
    for i in itertools.count():
        live.episode(play(run, episode(i)))
        time.sleep(0.05)
"""


@pytest.mark.slow
def test_a_continued_run_adds_to_the_rows_that_the_server_has(run, server):
    for part in (range(3), range(3, 5)):
        live = make_tracker(AUTO, run)
        live.start(run.manifest().cells, "my sweep")
        for i in part:
            live.episode(play(run, episode(i)))
        live.finish()
    one = only(server)
    assert [row["episode/key"] for row in one.history] == [f"random{i}" for i in range(5)]
    assert one.summary["episodes/finished"] == 5


@pytest.mark.slow
def test_a_killed_and_continued_run_is_one_run_with_every_episode_once(run, server):
    command = [sys.executable, "-c", textwrap.dedent(DRIVER), run.url, str(HERE)]
    driver = subprocess.Popen(command)
    wait_for(lambda: server.runs and len(only(server).history) >= 3)
    family = psutil.Process(driver.pid).children(recursive=True)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    wait_for(lambda: not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in family))

    had = len(only(server).history)
    done = len(run.results())
    assert 3 <= had <= done
    again = make_tracker(AUTO, run)
    again.start(run.manifest().cells, "my sweep")
    for i in range(done, done + 3):
        again.episode(play(run, episode(i)))
    again.finish()

    one = only(server)
    assert [row["episode/key"] for row in one.history] == [f"random{i}" for i in range(done + 3)]
    assert [row["_step"] for row in one.history] == list(range(done + 3))
    assert one.summary["episodes/finished"] == done + 3
    sync(run, AUTO)
    assert len(only(server).history) == done + 3


@pytest.mark.slow
def test_unreachable_server_leaves_an_offline_run(run, monkeypatch):
    monkeypatch.setattr(client, "INIT_S", 2)
    monkeypatch.setenv("WANDB_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("WANDB_API_KEY", FAKE_KEY)
    reports: list[str] = []
    live = make_tracker(AUTO, run, reports.append)
    live.start(run.manifest().cells, "my sweep")
    for i in range(4):
        live.episode(play(run, episode(i)))
    (link,) = live.finish()
    assert len(reports) == 1 and "continuing offline" in reports[0] and "gwray sync" in reports[0]
    assert read_offline(run.local_folder("wandb"))["random"].keys == [f"random{i}" for i in range(4)]
    assert "offline-run" in link


@pytest.mark.slow
def test_a_server_that_stops_answering_does_not_hold_the_end_of_the_sweep(run, server, monkeypatch):
    reports: list[str] = []
    before = set(psutil.Process().children(recursive=True))
    live = make_tracker(AUTO, run, reports.append)
    live.start(run.manifest().cells, "my sweep")
    live.episode(play(run, episode(0)))
    wait_for(lambda: server.runs)
    children = set(psutil.Process().children(recursive=True)) - before
    server.hang.set()
    live.episode(play(run, episode(1)))
    with monkeypatch.context() as impatient:
        impatient.setattr(tracker, "QUIET_S", 4)
        live.finish()  # and the server is silent still
    assert len(reports) == 1 and "no response" in reports[0]
    wait_for(lambda: not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in children))

    server.hang.clear()
    sync(run, AUTO)
    assert [row["episode/key"] for row in only(server).history] == ["random0", "random1"]


def test_a_crash_of_the_client_is_reported_once_and_the_sweep_goes_on(run, server):
    reports: list[str] = []
    live = make_tracker(AUTO, run, reports.append)
    live.start(run.manifest().cells, "my sweep")
    live.episode(play(run, episode(0)))
    wait_for(lambda: server.runs)
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "wandb-core" in child.name():
                child.kill()
    for i in range(1, 200):
        live.episode(episode(i))
    live.finish()
    assert len(reports) == 1
    assert [r.key for r in run.results()] == ["random0"]


def test_a_broken_installation_of_wandb_is_reported_once(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    reports: list[str] = []
    live = make_tracker(TrackingSpec(mode="offline"), run, reports.append)
    live.start(run.manifest().cells, "my sweep")
    live.episode(play(run, episode(0)))
    assert live.finish() == []
    assert len(reports) == 1 and "wandb" in reports[0]


@pytest.mark.parametrize("when", ["before start", "with nothing played"])
def test_finishing_without_episodes_makes_no_run(run, server, when):
    live = make_tracker(AUTO, run)
    if when == "with nothing played":
        live.start(run.manifest().cells, "my sweep")
    assert live.finish() == [] and server.runs == {}
