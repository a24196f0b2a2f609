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

from gwray.cli import main as gwray
from gwray.cli.doctor import examine
from gwray.cli.library import tasks
from gwray.cli.runs import fork
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError
from gwray.store import RunDir, RunManifest

SOURCE = Path(__file__).parents[1]


def test_help_and_typing_errors_need_none_of_the_large_libraries():
    script = "import sys, gwray.cli; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    large = {"ray", "polars", "pyarrow", "playwright", "wandb", "plotly", "scipy", "openai", "hydra", "PIL", "numpy"}
    assert large.isdisjoint(loaded)


def test_games_may_be_given_one_by_one_or_with_commas(capsys):
    given = [["01_2048", "13_flappy-bird"], ["01_2048,13_flappy-bird"], ["01_2048, 13_flappy-bird"]]
    shown = []
    for words in given:
        tasks(words, as_json=True)
        shown.append({row["game"] for row in json.loads(capsys.readouterr().out)})
    assert shown == [{"01_2048", "13_flappy-bird"}] * 3


@pytest.mark.parametrize(
    ("at", "words", "said"),
    [
        ("three", [], "--at 'three': must be a number of environment steps, or end"),
        ("3", ["seed=7"], "setting seed is fixed by the recorded episode"),
        ("3", ["+game=01_2048"], "setting game is fixed by the recorded episode"),
        ("3", ["modle=random"], "Did you mean model"),
    ],
)
def test_a_fork_takes_settings_of_the_player_and_none_of_the_episode(tmp_path, at, words, said):
    run = RunDir.create(tmp_path / "run", RunManifest(protocol_version=2))
    with pytest.raises(UsageError, match=said):
        fork(run.url, "k", at, words, port=0, open_page=False)


def test_a_fork_of_an_episode_that_is_not_there_says_where_the_keys_are(tmp_path, capsys):
    run = RunDir.create(tmp_path / "run", RunManifest(protocol_version=2))
    with pytest.raises(typer.Exit) as ended:
        fork(run.url, "k", "3", ["model=noop"], port=0, open_page=False)
    assert ended.value.exit_code == 2
    assert "'k' matches 0 episodes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["view", "run", "--port", "99999", "--no-open"], "99999 is not in the range 0<=x<=65535|less than or equal"),
        (["export", "run", "k", "-o", "missing/a.html"], "there is no folder missing; make it"),
        (["report", "run", "-o", "file"], "file is a file; a report is a folder"),
        (["results", "rum"], r"rum does not exist. Runs in .*: run\."),
        (["results", "."], "is not a run directory: it has no run.json"),
    ],
)
def test_a_slip_is_answered_by_a_sentence(tmp_path, monkeypatch, capsys, words, said):
    RunDir.create(tmp_path / "run", RunManifest(name="run", protocol_version=2))
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["gwray", *words])
    with pytest.raises(SystemExit) as ended:
        gwray()
    assert ended.value.code != 0
    assert re.search(said, " ".join(capsys.readouterr().err.split()))


async def test_a_cluster_that_was_asked_for_and_is_not_there_is_an_error(monkeypatch):
    def dead(address: str) -> None:
        raise ConnectionError(f"nobody answers at {address}")

    async def nothing() -> list:
        return []

    for look in ("_machine", "_games", "_browser", "_ray", "_gpu", "_engine", "_keys", "_wandb"):
        monkeypatch.setattr(f"gwray.cli.doctor.{look}", nothing)
    monkeypatch.setattr("gwray.ray_connection.connect", dead)
    (asked,) = await examine("DEADHOST:6379")
    assert asked.needed and not asked.good and "DEADHOST" in asked.detail


def test_ctrl_c_before_anything_has_begun_leaves_nothing_behind(monkeypatch, recwarn):
    async def work() -> None: ...

    def interrupted(work: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("asyncio.run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_to_end(work())
    gc.collect()
    assert not recwarn.list, "such as that the work was never awaited"


@pytest.mark.parametrize(
    ("words", "reads", "code"), [([SOURCE / "launch.py", "model=random"], "hydra", 1), (["-m", "gwray"], "typer", 130)]
)
def test_ctrl_c_while_the_code_is_being_read_ends_without_a_traceback(tmp_path, words, reads, code):
    """On a busy machine that takes long enough to lose patience."""
    (tmp_path / f"{reads}.py").write_text("import signal; signal.raise_signal(signal.SIGINT)")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def listens() -> None:  # the tests may run in the background, where Ctrl-C is ignored, and `gwray` holds it back
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, signal.default_int_handler)

    ended = subprocess.run([sys.executable, *words], capture_output=True, text=True, env=env, preexec_fn=listens)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", "")


def test_in_the_background_of_a_script_sigterm_ends_a_command_and_ctrl_c_does_not():
    script = """
        import asyncio, os, signal
        from gwray.cli.signals import end_like_ctrl_c, run_to_end

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
        end_like_ctrl_c()
        try:
            run_to_end(work())
        except KeyboardInterrupt:
            print("like Ctrl-C")
    """
    words = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.stdout.splitlines() == ["played on", "ended in order", "like Ctrl-C"], done.stderr
