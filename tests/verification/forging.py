"""Honest runs of a world without a page, and a forger that edits copies of them and has gwray compute them again."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pipelines.conftest import make_executor, play, quiet
from pipelines.counter_world import CounterWorld
from standin import Say, Standin

from gwray.pipelines import make_plan, run_plan
from gwray.settings import RunSpec
from gwray.store import RunDir, pack_run, seal_run, unseal_run

KIND = "pipelines.counter_world.CounterWorld"
TASKS = 6
"""Games: with fewer than six, no comparison is significant."""
GAME = """id: {id}
title: Counter
summary: A counter.
rules: Count up.
kind: {kind}
viewport: [64, 64]
text: true
uses: []
roles:
  - name: player
    description: You count.
    keys: [a, b]
    controls:
      - {{id: up, description: adds one, press: a}}
      - {{id: down, description: takes one away, press: b}}
tasks:
  - {{id: {id}_1, instruction: Reach four., score: game_state.count, target: 4, max_steps: 4}}
"""
SOLUTION = {"provider": "fixed", "options": {"actions": ["up"] * 4}}


def counters(folder: Path) -> Path:
    """Writes a library of `TASKS` games, one task each."""
    for n in range(TASKS):
        (folder / f"count_{n}").mkdir()
        (folder / f"count_{n}" / "game.yaml").write_text(GAME.format(id=f"count_{n}", kind=KIND))
    (folder / "library.yaml").write_text("id: counters\ntitle: Counters\n")
    return folder


class Honest(NamedTuple):
    """Recorded runs, and how to play one."""

    record: Callable[..., RunDir]
    library: Path
    strong: RunDir
    weak: RunDir
    timed: RunDir
    blind: RunDir
    """In real time, without screenshots."""
    random: RunDir


@pytest.fixture(scope="session")
def honest(tmp_path_factory) -> Iterator[Honest]:
    """Runs whose stand-in counts up, or down where its model is `weak`."""

    def answer(wire: str, body: dict[str, Any], session: str) -> Say:
        return Say(calls=[("down" if body["model"] == "weak" else "up", {"reasoning": "as asked"})])

    library = counters(tmp_path_factory.mktemp("library"))
    with Standin() as standin:
        standin.answer, standin.latency_s = answer, 0.02
        base_url = standin.base_url("openai_chat")
        model = {"name": "strong", "provider": "openai_chat", "model_id": "strong", "base_url": base_url}
        yield _recorded(tmp_path_factory, library, model)


def _recorded(tmp_path_factory, library: Path, model: dict[str, Any]) -> Honest:
    base = {"game": [f"count_{n}" for n in range(TASKS)], "task": "all", "libraries": str(library)}

    def record(folder: Path, **job: Any) -> RunDir:
        profile = {**model, **job.pop("model", {})}
        if profile["provider"] != "openai_chat":
            profile = {k: v for k, v in profile.items() if k not in ("model_id", "base_url")}
        ended = asyncio.run(play(folder, {**base, **job, "model": profile}))
        assert ended.complete
        return ended.run

    def recorded(name: str, **job: Any) -> RunDir:
        return record(tmp_path_factory.mktemp(name), **job)

    charged = {"timing": {"mode": "realtime"}, "game": "count_0"}
    return Honest(
        record,
        library,
        strong=recorded("strong"),
        weak=recorded("weak", model={"name": "weak", "model_id": "weak"}),
        timed=recorded("timed", **charged),
        blind=recorded("blind", **charged, observation={"format": "none", "text": True}),
        random=recorded("random", model={"name": "random", "provider": "random"}, game="count_0"),
    )


def packed(run: RunDir, file: Path, *, seal: bool = True) -> Path:
    seal_run(run) if seal else unseal_run(run)
    pack_run(run, file)
    return file


def edited(file: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Changes every line of a JSONL file, or the only value of a JSON file."""
    texts = [file.read_text()] if file.suffix == ".json" else file.read_text().splitlines()
    values = [json.loads(text) for text in texts]
    for value in values:
        change(value)
    file.write_text("".join(json.dumps(value) + "\n" for value in values))


class Forger:
    """A copy of an honest run, and what a forger does to it."""

    def __init__(self, honest: Honest, run: RunDir, folder: Path):
        self.honest, self.folder = honest, folder
        shutil.copytree(run.local_path, folder / "run")
        self.run = RunDir.open(folder / "run")
        self.logs = sorted((folder / "run" / "replies").iterdir())

    def reply(self, **fields: Any) -> None:
        """Other fields of every reply; everything that follows from it is computed again."""
        for log in self.logs:
            edited(log, lambda line: line["reply"].update(fields))
        self.relaunch()

    def reply_elsewhere(self, **fields: Any) -> None:
        """The same in a run of another browser."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(CounterWorld, "renderer", "counter 2")
            self.reply(**fields)

    def usage(self, **fields: int) -> None:
        for log in self.logs:
            edited(log, lambda line: line["reply"]["usage"].update(fields))
        self.relaunch()

    def line(self, change: Callable[[dict[str, Any]], Any]) -> None:
        for log in self.logs:
            edited(log, change)
        self.relaunch()

    def result(self, **fields: Any) -> None:
        edited(self.run.local_path / "results.jsonl", lambda record: record.update(fields))

    def manifest(self, **fields: Any) -> None:
        edited(self.run.local_path / "run.json", lambda plan: plan.update(fields))

    def relaunch(self, **changes: Any) -> None:
        """The command of the run once more: it asks nothing, since all replies are in the log."""
        job = self.run.manifest().jobs[0]
        root = self.run.local_path
        for name in ("results.jsonl", "episodes"):
            shutil.rmtree(root / name) if (root / name).is_dir() else (root / name).unlink()
        unseal_run(self.run)
        spec = RunSpec.from_record({**job, "model": {**job["model"], **changes}, "run_dir": self.run.url})
        asyncio.run(run_plan(make_plan([spec]), quiet(), make_executor))


@pytest.fixture
def forger(honest, tmp_path) -> Callable[[RunDir], Forger]:
    return lambda run: Forger(honest, run, tmp_path / "forged")


@pytest.fixture
def own_cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
