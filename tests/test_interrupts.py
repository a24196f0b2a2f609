"""Ctrl-C and SIGTERM end every wait of every command within seconds, and nothing is left running. A killed command
completes when it is given again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import psutil
import pytest
from pipelines.conftest import gone, marked

__all__ = ["marked"]
ROOT = Path(__file__).resolve().parents[1]
RUN = ROOT / "tests" / "fixtures" / "runs" / "scripted"
WITHIN_S = 10
HANGING_PAGE = "<!doctype html><canvas></canvas><script>while (true) {}</script>"


@dataclass
class MuteServer:
    """Accepts connections and never answers."""

    port: int
    connections: list[socket.socket]


@contextmanager
def mute_server() -> Iterator[MuteServer]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = MuteServer(listener.getsockname()[1], [])

        def accept() -> None:
            while True:
                try:
                    server.connections.append(listener.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        yield server
        listener.shutdown(socket.SHUT_RDWR)
        for connection in server.connections:
            connection.close()


def hanging_game(folder: Path) -> Path:
    """A library with one game whose page never finishes loading."""
    shutil.copytree(ROOT / "games" / "gameworld" / "13_flappy-bird", folder / "hanging")
    (folder / "hanging" / "index.html").write_text(HANGING_PAGE)
    game = folder / "hanging" / "game.yaml"
    game.write_text(game.read_text().replace("id: 13_flappy-bird", "id: hanging"))
    return folder


def play(*settings: str) -> list[str]:
    return ["run", "task=1", "tracking.mode=disabled", *settings]


INLINE = "executor=inline"
MODEL = ("model=openai-compatible", "model.model_id=m", "model.base_url=http://127.0.0.1:PORT/v1")
RAY = ("model=random", "game=01_2048", "executor=ray")
WAITS = {
    "reply": play(*MODEL, "game=01_2048", INLINE, "check_endpoints=false", "run_dir=DIR/new"),
    "endpoint check": play(*MODEL, "game=01_2048", INLINE, "run_dir=DIR/new"),
    "page": play("model=random", "game=hanging", "libraries=[DIR/library]", INLINE, "run_dir=DIR/new"),
    "judge": ["judge", "DIR/run", "--judge", "failure", "judge.of=all", *(f"judge.{w}" for w in MODEL)],
    "sync": ["sync", "DIR/run"],
    "tracker": ["run", "task=1", "model=random", "game=01_2048", "limit.steps=1", INLINE, "run_dir=DIR/new"],
    "verify": ["verify", "DIR/run"],
    "engine": play(
        "model=ui-tars-1.5-7b", "interface=computer_use", "game=01_2048", "serving=external", "serving.base_url=http://127.0.0.1:PORT/v1",
        INLINE, "run_dir=DIR/new",
    ),
    "cluster": play(*RAY, "executor.address=127.0.0.1:PORT", "run_dir=DIR/new"),
    "ray": play(*RAY, "run_dir=DIR/new"),
}  # fmt: skip
QUICK = [("page", "ctrl-c"), ("sync", "terminate")]
SIGNALS = {"ctrl-c": signal.SIGINT, "terminate": signal.SIGTERM}


def marks_of(wait: str, how: str) -> list[pytest.MarkDecorator]:
    """Both signals take the same way out: a third of the waits get Ctrl-C in CI, and one gets SIGTERM."""
    if (wait, how) in QUICK:
        return []
    return [pytest.mark.slow, *[pytest.mark.whole] * (how == "terminate" and wait != "reply")]


def fresh_signals() -> None:
    """The tests may run under nohup or behind a script, whose children ignore these, and a command that has run in this
    process then holds Ctrl-C back."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for each in (signal.SIGHUP, signal.SIGINT):
        signal.signal(each, signal.SIG_DFL)


def is_waiting(wait: str, pid: int, server: MuteServer) -> bool:
    """Whether the command has reached the wait."""
    awaited = {"page": "type=renderer", "verify": "type=renderer", "ray": "gcs_server"}
    if wait not in awaited:
        return bool(server.connections)
    with contextlib.suppress(psutil.Error):
        return any(awaited[wait] in " ".join(p.cmdline()) for p in psutil.Process(pid).children(recursive=True))
    return False


@pytest.mark.parametrize(("wait", "how"), [pytest.param(w, h, marks=marks_of(w, h)) for w in WAITS for h in SIGNALS])
@pytest.mark.slow
async def test_signal_to_the_group_ends_every_wait(wait, how, tmp_path, marked):
    """A terminal sends Ctrl-C, and a batch system SIGTERM, to all processes of a command."""
    run = Path(shutil.copytree(RUN, tmp_path / "run"))
    manifest = run / "run.json"
    manifest.write_text(manifest.read_text().replace('"mode": "disabled"', '"mode": "auto"'))
    if wait == "page":
        hanging_game(tmp_path / "library")
    (key,) = {file.name.split(".")[0] for file in (RUN / "replies").iterdir()}
    with mute_server() as server:
        names = {"PORT": str(server.port), "DIR": str(tmp_path), "KEY": key}
        words = [re.sub("PORT|DIR|KEY", lambda m: names[m[0]], w) for w in WAITS[wait]]
        home = {"HOME": str(tmp_path), "WANDB_BASE_URL": f"http://127.0.0.1:{server.port}", "WANDB_API_KEY": "0" * 40}
        # A test that connected to Ray in this process leaves its mode, and the new home has no token.
        environment = {name: value for name, value in os.environ.items() if name != "RAY_AUTH_MODE"} | home
        process = subprocess.Popen(  # noqa: ASYNC220
            [sys.executable, "-m", "gwray", *words], env=environment, cwd=ROOT, text=True,
            start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=fresh_signals,
        )  # fmt: skip
        while not is_waiting(wait, process.pid, server):
            assert process.poll() is None, process.communicate()[0]
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        os.killpg(process.pid, SIGNALS[how])
        try:
            output, _ = process.communicate(timeout=WITHIN_S)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        assert process.returncode == 130, output
        assert "Traceback" not in output
        assert "Run the same command again to resume" in output or words[0] != "run" or wait == "verify"
        assert not await gone(marked, within_s=20)


AFTER_A_RUN = {
    "verify": ["verify", "DIR/run"],
    "report": ["report", "DIR/run", "-o", "DIR/site"],
    "pack": ["pack", "DIR/run", "-o", "DIR/run.gwray"],
    "unpack": ["unpack", "DIR/packed.gwray", "-o", "DIR/theirs"],
    "rescore": ["rescore", "DIR/run"],
    "leaderboard": ["leaderboard", "DIR/packed.gwray", "-o", "DIR/board"],
    "fork": ["fork", "DIR/run", "KEY", "--at", "2", "model=random", "limit.steps=6", "run_dir=DIR/fork"],
}


@pytest.mark.slow
async def test_killed_command_completes_when_given_again(tmp_path, marked):
    """Two of the commands that come after a run, killed at random moments; each day tries others."""
    seed = date.today().toordinal()
    chance = random.Random(seed)
    (key,) = {file.name.split(".")[0] for file in (RUN / "replies").iterdir()}
    for name in chance.sample(sorted(AFTER_A_RUN), 2):
        work, temporary = tmp_path / name, tmp_path / f"{name}-temporary"
        temporary.mkdir()
        shutil.copytree(RUN, work / "run")
        if "DIR/packed.gwray" in AFTER_A_RUN[name]:
            packing = [sys.executable, "-m", "gwray", "pack", str(work / "run"), "-o", str(work / "packed.gwray")]
            subprocess.run(packing, check=True, capture_output=True)  # noqa: ASYNC221
        words = [w.replace("DIR", str(work)).replace("KEY", key) for w in AFTER_A_RUN[name]]
        after_s = chance.uniform(0.5, 5)
        env = {**os.environ, "HOME": str(work / "home"), "TMPDIR": str(temporary)}
        trial = f"{name} killed after {after_s:.1f} s (day {seed})"
        for kill in (True, False):
            process = subprocess.Popen(  # noqa: ASYNC220
                [sys.executable, "-m", "gwray", *words], env=env, cwd=ROOT, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            try:
                output, _ = process.communicate(timeout=after_s if kill else 120)
            except subprocess.TimeoutExpired:
                process.kill()
                output, _ = process.communicate()
            assert kill or process.returncode == 0, (trial, output)
            assert "Traceback" not in output, (trial, output)
            assert not await gone(marked, within_s=20), trial
        assert not [*temporary.iterdir()], trial


ENGINE_LOADED = """
import atexit, sys, types
from gwray.cli.signals import exit_despite_threads

class Leaked:
    def __del__(self):
        print("leaked type ATOMIC_OP")

sys.modules["triton"] = types.ModuleType("triton")
kept = Leaked()
atexit.register(print, "closed")

@exit_despite_threads()
def main():
    print("results")
    sys.exit(1)

main()
"""


def test_results_are_the_last_lines_of_a_process_that_has_loaded_an_engine():
    done = subprocess.run([sys.executable, "-c", ENGINE_LOADED], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("results\nclosed\n", "", 1)
