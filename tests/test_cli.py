"""The command line answers at once."""

import gc
import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from gwray.cli import COMMANDS, app
from gwray.cli import main as gwray
from gwray.cli.commands import fork
from gwray.cli.library import tasks
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError
from gwray.plugins.doctor.checks import examine
from gwray.settings import PROTOCOL_VERSION
from gwray.store import RunDir, RunManifest

SOURCE = Path(__file__).parents[1]


def test_help_imports_no_large_library():
    script = "import sys, gwray.cli; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    large = {"ray", "polars", "pyarrow", "playwright", "wandb", "plotly", "scipy", "openai", "hydra", "PIL", "numpy"}
    assert large.isdisjoint(loaded)


def test_games_one_by_one_or_with_commas(capsys):
    given = [["01_2048", "13_flappy-bird"], ["01_2048,13_flappy-bird"], ["01_2048, 13_flappy-bird"]]
    shown = []
    for words in given:
        tasks(words, as_json=True)
        shown.append({row["game"] for row in json.loads(capsys.readouterr().out)})
    assert shown == [{"01_2048", "13_flappy-bird"}] * 3


@pytest.mark.parametrize(
    ("at", "words", "message"),
    [
        ("three", [], "--at 'three': must be a number of environment steps, or end"),
        ("3", ["seed=7"], "setting seed is fixed by the recorded episode"),
        ("3", ["+game=01_2048"], "setting game is fixed by the recorded episode"),
        ("3", ["modle=random"], "Did you mean model"),
    ],
)
def test_fork_refuses_settings_of_the_episode(tmp_path, at, words, message):
    run = RunDir.create(tmp_path / "run", RunManifest(protocol_version=PROTOCOL_VERSION))
    with pytest.raises(UsageError, match=message):
        fork(run.url, "k", at, words, port=0, open_page=False)


def test_fork_of_unknown_episode(tmp_path, capsys):
    run = RunDir.create(tmp_path / "run", RunManifest(protocol_version=PROTOCOL_VERSION))
    with pytest.raises(typer.Exit) as ended:
        fork(run.url, "k", "3", ["model=noop"], port=0, open_page=False)
    assert ended.value.exit_code == 2
    assert "'k' matches 0 episodes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["view", "run", "--port", "99999", "--no-open"], "99999 is not in the range 0<=x<=65535|less than or equal"),
        (["report", "run", "-o", "file"], "file is a file; a report is a folder"),
        (["results", "rum"], r"rum does not exist. Runs in .*: run\."),
        (["results", "."], "is not a run directory: it has no run.json"),
    ],
)
def test_invalid_arguments_are_explained(tmp_path, monkeypatch, capsys, words, message):
    RunDir.create(tmp_path / "run", RunManifest(name="run", protocol_version=PROTOCOL_VERSION))
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["gwray", *words])
    with pytest.raises(SystemExit) as ended:
        gwray()
    assert ended.value.code != 0
    assert re.search(message, " ".join(capsys.readouterr().err.split()))


async def test_doctor_reports_unreachable_cluster(monkeypatch):
    def dead(address: str) -> None:
        raise ConnectionError(f"no server at {address}")

    async def nothing() -> list:
        return []

    for look in ("_browser", "_ray"):
        monkeypatch.setattr(f"gwray.plugins.doctor.checks.{look}", nothing)
    monkeypatch.setattr("gwray.ray_connection.connect", dead)
    (asked,) = await examine("DEADHOST:6379")
    assert asked.needed and not asked.good and "DEADHOST" in asked.detail


def test_early_ctrl_c_leaves_no_coroutine(monkeypatch, recwarn):
    async def work() -> None: ...

    def interrupted(runner: object, work: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("asyncio.Runner.run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_to_end(work())
    gc.collect()
    assert not recwarn.list, "such as that the work was never awaited"


@pytest.mark.parametrize(
    ("words", "reads", "code"), [([SOURCE / "launch.py", "model=random"], "hydra", 1), (["-m", "gwray"], "typer", 130)]
)
def test_ctrl_c_during_import_has_no_traceback(tmp_path, words, reads, code):
    """On a busy machine that takes long enough to lose patience."""
    (tmp_path / f"{reads}.py").write_text("import signal; signal.raise_signal(signal.SIGINT)")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def listens() -> None:  # the tests may run in the background, where Ctrl-C is ignored, and `gwray` holds it back
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)

    ended = subprocess.run([sys.executable, *words], capture_output=True, text=True, env=env, preexec_fn=listens)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", "")


def test_background_command_stops_on_sigterm_only():
    script = """
        import asyncio, os, signal
        from gwray.cli.signals import stop_like_ctrl_c, run_to_end

        async def work():
            try:
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.1)
                print("played on")
                os.kill(os.getpid(), signal.SIGTERM)
                await asyncio.sleep(100)
            except asyncio.CancelledError:
                print("ended in order")
                raise

        signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell starts what it does not wait for
        stop_like_ctrl_c()
        try:
            run_to_end(work())
        except KeyboardInterrupt:
            print("like Ctrl-C")
    """
    words = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["played on", "ended in order", "like Ctrl-C"], done.stderr


def test_help_lists_every_command_in_one_group():
    named = [name for members in COMMANDS.values() for name in members]
    assert len(named) == len({*named}) == len(get_command(app).commands) <= 20  # type: ignore[attr-defined]
