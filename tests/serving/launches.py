"""Launches of the real command with served models: `launch.py` in a new process, and everything it starts."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import yaml

from gwray.places import GAMES
from gwray.serving import serving_files

ROOT = Path(__file__).resolve().parents[2]
MARK = "GWRAY_TEST_LAUNCH"
STEPS = 12
START_S = 600
"""A busy machine needs minutes for what a quiet one does in half a minute."""


def short_library(folder: Path, *games: str) -> Path:
    """Copies of bundled games, named after them, whose tasks have `STEPS` steps."""
    for game in games:
        shutil.copytree(GAMES / "gameworld" / game, folder / f"{game}-short")
        file = folder / f"{game}-short" / "game.yaml"
        text = file.read_text().replace(f"id: {game}", f"id: {game}-short")
        file.write_text(re.sub(r"(\n    start: )", rf"\n    max_steps: {STEPS}\1", text))
    return folder


def profiles(folder: Path, **changes: object) -> Path:
    """The tiny models' serving profiles with changes, for `GWRAY_HOME`."""
    own = folder / "conf" / "deployment"
    own.mkdir(parents=True)
    for name in ("tiny-vl", "tiny-vl-2"):
        given = yaml.safe_load(serving_files()[name].read_text())
        (own / f"{name}.yaml").write_text(yaml.safe_dump({**given, **changes}))
    return folder


@dataclass
class Launch:
    """A running command and the processes that it started."""

    process: subprocess.Popen[bytes]
    output: Path
    mark: str
    began: float = field(default_factory=time.monotonic)

    @property
    def printed(self) -> str:
        return self.output.read_text(errors="replace")

    def family(self) -> list[psutil.Process]:
        """Every living process that inherited the mark, with any parent."""
        return [p for p in psutil.process_iter() if p.pid != os.getpid() and self._marked(p)]

    def _marked(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE
        except (psutil.Error, OSError):
            return False

    def engines(self) -> list[psutil.Process]:
        return [p for p in self.family() if is_engine(p)]

    def until(self, condition, within_s: float = START_S) -> None:
        """Waits for a condition; fails the test with the output if the launch ends first."""
        end = time.monotonic() + within_s
        while not condition():
            assert self.process.poll() is None and time.monotonic() < end, self.printed
            time.sleep(0.1)

    def ended(self, within_s: float = 600) -> int:
        try:
            return self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {within_s} s:\n{self.printed}") from None

    def left(self, within_s: float = 200) -> list[str]:
        """Command lines of the processes of this launch that are alive after `within_s` seconds."""
        end = time.monotonic() + within_s
        while (alive := self.family()) and time.monotonic() < end:
            time.sleep(0.3)
        return [command_of(p) for p in alive]


def command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline()).strip()
    except psutil.Error:
        return ""


def is_engine(process: psutil.Process) -> bool:
    """Whether it is vLLM's engine, which a replica, itself a child of Ray's node, has started.

    It gives itself a title, but not always can: that depends on which environment variable happens to be the first.
    """
    line = command_of(process)
    if "EngineCore" in line:
        return True
    try:
        replica = process.parent()
        node = replica and replica.parent()
        return "multiprocessing.spawn" in line and node is not None and node.name() == "raylet"
    except psutil.Error:
        return False


@contextmanager
def launched(folder: Path, arguments: Iterable[str], **environment: str) -> Iterator[Launch]:
    """Start a Python command in the repository; nothing of it survives the block, whatever happens in it."""
    mark = uuid.uuid4().hex
    output = folder / f"output-{mark[:6]}.txt"
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("RAY_SERVE_")}  # ours may name ports
    env = {**inherited, **environment, MARK: mark, "RAY_AUTH_MODE": "disabled"}
    with output.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT
        )
    launch = Launch(process, output, mark)
    try:
        yield launch
    finally:
        for survivor in launch.family():
            try:
                survivor.send_signal(signal.SIGKILL)
            except psutil.Error:
                continue
        process.wait()
