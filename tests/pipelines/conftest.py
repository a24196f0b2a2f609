"""Helpers for short runs: `await run(tmp_path, task="13_01", model="scripted")`."""

from __future__ import annotations

import asyncio
import atexit
import io
import json
import os
import re
import shutil
import tempfile
import time
import uuid
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from shared_browser import own_browser, session_loop, shared_browser

from gwray.cli.executors import make_executor
from gwray.pipelines.plan import Plan, make_plan
from gwray.pipelines.run import RunOutcome, run_plan
from gwray.pipelines.settings import run_spec
from gwray.places import GAMES
from gwray.records import OUTCOME_FIELDS, EpisodeRecord
from gwray.sandbox.processes import MARKER
from gwray.verification import repair_run

__all__ = ["own_browser", "session_loop", "shared_browser"]

SHORT = {"short-flight": "13_flappy-bird", "short-pair": "12_fireboy-and-watergirl", "short-sums": "01_2048",
         "short-field": "19_minesweeper"}  # fmt: skip
"""Bundled games with fewer steps, so that a test takes seconds; the bundled library is played whole elsewhere."""


STEPS = 16


def short_library() -> Path:
    """A library of the games in `SHORT`, made once per test process."""
    return _short_library(Path(tempfile.gettempdir()) / f"gwray-short-{os.getpid()}")


@cache
def _short_library(root: Path) -> Path:
    shutil.rmtree(root, ignore_errors=True)
    atexit.register(shutil.rmtree, root, True)
    for name, original in SHORT.items():
        shutil.copytree(GAMES / "gameworld" / original, root / name)
        yaml = root / name / "game.yaml"
        text = yaml.read_text().replace(f"id: {original}", f"id: {name}")
        yaml.write_text(re.sub(r"(\n    start: )", rf"\n    max_steps: {STEPS}\1", text))
        solutions = root / name / "solutions.json"
        cut = {
            task: {**s, "roles": {role: actions[:STEPS] for role, actions in s["roles"].items()}}
            for task, s in json.loads(solutions.read_text()).items()
        }
        solutions.write_text(json.dumps(cut))
    return root


BASE: dict[str, Any] = {
    "game": "short-flight",
    "task": "1",
    "model": "random",
    "executor": {"name": "inline", "lanes": 2},
    "tracking": {"mode": "disabled"},
    "name": "test",
}


def plan_of(folder: Path, *jobs: dict[str, Any]) -> Plan:
    """A plan whose run directory is `folder`/run."""
    return make_plan(
        [
            run_spec({**BASE, "libraries": str(short_library()), "run_dir": str(folder / "run"), **job})
            for job in jobs or ({},)
        ]
    )


def quiet() -> Console:
    """A console whose output is dropped."""
    return Console(file=io.StringIO())


async def play(folder: Path, *jobs: dict[str, Any]) -> RunOutcome:
    """Carry a plan out; what it printed is dropped."""
    return await run_plan(plan_of(folder, *jobs), quiet(), make_executor, repair=repair_run)


def outcomes(ended: RunOutcome, *more: str) -> list[tuple]:
    """Returns the values that must be equal when the same episodes are played again, in the order of their keys."""
    rows: list[EpisodeRecord] = sorted(ended.run.results(), key=lambda r: r.key)
    return [tuple(getattr(r, f) for f in (*OUTCOME_FIELDS, *more)) for r in rows]


MARK = "GWRAY_TEST_RUN"


@pytest.fixture
def marked(monkeypatch) -> str:
    """Everything that this test starts has the returned mark in its environment, browsers too."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)
    monkeypatch.setenv(MARKER, mark)
    return mark


def processes_of(mark: str, *names: str) -> list[str]:
    """Command names of living processes that carry the mark, this one excepted; all if no name is given."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append((folder / "comm").read_text().strip())
        except OSError:
            continue
    return [f for f in found if not names or any(n in f for n in names)]


async def gone(mark: str, *names: str, within_s: float = 120) -> list[str]:
    """Waits until no such process is left; returns what still lives then."""
    end = time.monotonic() + within_s
    while (left := processes_of(mark, *names)) and time.monotonic() < end:
        await asyncio.sleep(0.2)
    return left
