"""The table of forgeries in docs/verify.md: each is found where the table says, or is listed as not provable.

The strongest forger edits a run and lets gwray compute everything again: a reply log is edited, and the run's own
command makes rows, results and hashes from it. The world has no page, so no browser is started.
"""

from __future__ import annotations

import asyncio
import csv
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from standin import Say, Standin

from gwray.cli import runs, verification
from gwray.cli.packs import leaderboard as leaderboard_command
from gwray.cli.packs import unpack as unpack_command
from gwray.pipelines import make_plan, prove_pack, run_plan, unpack_run, verify_run, verify_stored
from gwray.pipelines.manifest_check import episode_specs
from gwray.pipelines.plausibility import clock_note, implausible
from gwray.places import cache
from gwray.records import LoggedReply
from gwray.spec import RunSpec
from gwray.store import UNPROVABLE, RunDir, pack_run, read_seal, read_verified, seal_run, unseal_run
from pipelines.conftest import make_executor, play, quiet
from pipelines.counter_world import CounterWorld

DOCS = Path(__file__).parents[2] / "docs"
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


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    for n in range(TASKS):
        (folder / f"count_{n}").mkdir()
        (folder / f"count_{n}" / "game.yaml").write_text(GAME.format(id=f"count_{n}", kind=KIND))
    (folder / "library.yaml").write_text("id: counters\ntitle: Counters\n")
    return folder


@pytest.fixture(scope="module")
def model() -> Iterator[dict[str, Any]]:
    """A profile whose stand-in counts up, or down where its model is `weak`."""

    def answer(wire: str, body: dict[str, Any], session: str) -> Say:
        return Say(calls=[("down" if body["model"] == "weak" else "up", {"reasoning": "as asked"})])

    with Standin() as standin:
        standin.answer, standin.latency_s = answer, 0.02
        base_url = standin.base_url("openai_chat")
        yield {"name": "strong", "provider": "openai_chat", "model_id": "strong", "base_url": base_url}


class Honest(NamedTuple):
    """Recorded runs, and how to play one."""

    record: Callable[..., RunDir]
    strong: RunDir
    weak: RunDir
    timed: RunDir
    blind: RunDir
    """In real time, without screenshots."""
    random: RunDir


@pytest.fixture(scope="module")
def honest(tmp_path_factory, library, model) -> Honest:
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


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def leaderboard(site: Path, library: Path, *packs: Path) -> tuple[int, list[dict[str, str]]]:
    """The command's exit code and the rows of its table."""
    code = 0
    try:
        leaderboard_command([*packs], site, "L", False, 2, "inline", None, [KIND], [str(library)])
    except typer.Exit as e:
        code = e.exit_code
    return code, [*csv.DictReader((site / "leaderboard.csv").read_text().splitlines())]


def found(run: RunDir) -> str:
    """What is said against a run that was sealed again; empty: it is proven without a remark."""
    seal_run(run)
    findings = [*verify_stored(run), *asyncio.run(verify_run(run, trusted=[KIND]))]
    return " | ".join(f"{f.verdict} {f.detail}" for f in findings if f.detail or not f.proven)


class Trial(NamedTuple):
    name: str
    of: str
    forge: Callable[[Forger], Any]
    found: str
    """Pattern of what is found; empty: not provable."""


def at_once(line: dict[str, Any]) -> None:
    line["reply"]["latency_ms"] = 900.0
    line["at"] = "2026-01-01T00:00:00.000+00:00"


def backwards(line: dict[str, Any]) -> None:
    line["at"] = f"2026-01-01T00:00:0{9 - line['decision']}.000+00:00"


def halved(line: dict[str, Any]) -> None:
    line["reply"]["latency_ms"] /= 2


def halved_elsewhere(line: dict[str, Any]) -> None:
    halved(line)
    line["browser"] = "Chromium 1"


def cheaper(forger: Forger) -> None:
    forger.usage(input=10, cached=0, output=1, reasoning=0)


TRIALS = [
    Trial("latency 0 in real time", "timed", lambda f: f.reply(latency_ms=0), "other screenshots|0 ms"),
    Trial("latency halved in real time", "timed", lambda f: f.line(halved), "other screenshots"),
    Trial("latency halved, as if in another browser", "timed", lambda f: f.line(halved_elsewhere), "another browser"),
    Trial("latency 1 ms in real time", "timed", lambda f: f.reply(latency_ms=1), "other screenshots"),
    Trial("latency 0, no screenshots", "blind", lambda f: f.reply(latency_ms=0), "answered in 0 ms"),
    Trial("latency halved, no screenshots", "blind", lambda f: f.line(halved), ""),
    Trial("latency halved, game paused", "strong", lambda f: f.line(halved), ""),
    Trial("latency below 0", "strong", lambda f: f.reply(latency_ms=-5), "latency is -5 ms"),
    Trial("latency of a year", "strong", lambda f: f.reply(latency_ms=3e10), "latency is 3e"),
    Trial("latency longer than between replies", "strong", lambda f: f.reply(latency_ms=60_000), "but took 60,000"),
    Trial("all replies at one instant", "strong", lambda f: f.line(at_once), "it arrived 0 ms after an earlier one"),
    Trial("replies in reverse order", "strong", lambda f: f.line(backwards), "after an earlier one, but took"),
    Trial("no time of arrival", "strong", lambda f: f.line(lambda line: line.update(at="")), "no time of UTC"),
    Trial("a time without its zone", "strong", lambda f: f.line(lambda line: line.update(at="2026-01-01")), "no time"),
    Trial("fewer than 0 in flight", "strong", lambda f: f.line(lambda line: line.update(in_flight=-1)), "-1 in flight"),
    Trial("no request", "strong", lambda f: f.reply(requests=0), "without a request"),
    Trial("fewer than 0 requests", "strong", lambda f: f.reply(requests=-1), "-1 requests"),
    Trial("more cached than input", "strong", lambda f: f.usage(cached=9999), "9999 of 1000 input tokens are cached"),
    Trial("more reasoning than output", "strong", lambda f: f.usage(reasoning=9999), "output tokens are reasoning"),
    Trial("tokens below 0", "strong", lambda f: f.usage(output=-5, reasoning=-5), "-5 output tokens"),
    Trial("text of no token", "strong", lambda f: f.usage(output=0, reasoning=0), "without an output token"),
    Trial("a price below 0", "strong", lambda f: f.reply(cost_usd=-1.0), "it cost -1 USD"),
    Trial("a reading of the future", "strong", lambda f: f.reply(reading=9), "rules of version 9"),
    Trial("fewer tokens", "strong", cheaper, ""),
    Trial("another served model", "strong", lambda f: f.reply(served_model="GPT-5.2"), ""),
    Trial("another finish reason", "strong", lambda f: f.reply(finish_reason="length"), ""),
    Trial("replies of another model", "strong", lambda f: f.relaunch(model_id="GPT-5.2"), "missing|does not plan"),
    Trial("a better random player", "random", lambda f: f.reply(text='{"action": "up"}'), "than its player"),
    Trial("a random player with tokens", "random", lambda f: f.usage(output=5), "without a model has tokens"),
    Trial("a random player with a served model", "random", lambda f: f.reply(served_model="x"), "without a model has"),
    Trial("a random player with a request", "random", lambda f: f.reply(requests=1), "without a model has a request"),
    Trial("results that call themselves irreproducible", "strong",
          lambda f: f.result(success=True, progress=1.0, score=9999.0, reproducible=False, browser="9"), "score"),
    Trial("results of another browser", "strong", lambda f: f.result(score=9999.0, browser="9"), "score"),
    Trial("a failed game left out of the plan", "weak", lambda f: dropped(f), "plans it|does not plan"),
]  # fmt: skip


def dropped(forger: Forger) -> None:
    """The plan, logs and results without one episode."""
    last = forger.run.manifest().episodes[-1].key
    kept = forger.run.manifest().episodes.select(lambda part: last not in part.episode_keys())
    forger.run.write_manifest(forger.run.manifest().model_copy(update={"episodes": kept}))
    forger.run.rewrite_results([r for r in forger.run.results() if r.key != last])
    for file in forger.run.local_path.rglob(f"{last}.*"):
        file.unlink()


def test_honest_runs_are_proven(honest):
    for run in honest[1:]:
        assert found(run) == ""


@pytest.mark.parametrize("trial", TRIALS, ids=[t.name.replace(" ", "-") for t in TRIALS])
def test_forged_run_is_found_or_listed_as_unprovable(forger, honest, trial, library, tmp_path):
    forged = forger(getattr(honest, trial.of))
    trial.forge(forged)
    against = found(forged.run)
    assert re.search(trial.found, against) if trial.found else against == ""
    _, proof = asyncio.run(
        prove_pack(packed(forged.run, tmp_path / "f.gwray"), str(tmp_path / "p"), libraries=[str(library)],
                   trusted=[KIND])
    )  # fmt: skip
    assert any(proof.cells.values()) == bool(trial.found), proof.cells


# Packs and the page


def rows_by_player(rows: list[dict[str, str]]) -> dict[str, tuple[str, str]]:
    return {row["player"]: (row["rank"], row["verified"]) for row in rows}


def test_clock_set_back_once_is_only_a_note(honest):
    """An honest computer's clock is corrected, or the computer sleeps; a forger's times step back again and again."""

    def moved(lines: list[LoggedReply], decision: int, seconds: float) -> list[LoggedReply]:
        later = timedelta(seconds=seconds)
        times = [datetime.fromisoformat(line.at) + (line.decision >= decision) * later for line in lines]
        return [line.model_copy(update={"at": t.isoformat()}) for line, t in zip(lines, times, strict=True)]

    (key, spec), *_ = episode_specs(honest.strong).items()
    lines = honest.strong.log(key).read()
    for log, note, doubt in (
        (lines, False, False),
        (moved(lines, 2, 3600), False, False),
        (moved(lines, 2, -5), True, False),
        (moved(moved(lines, 2, -5), 3, -5), False, True),
    ):
        assert (bool(clock_note(log)), bool(implausible(log, spec))) == (note, doubt)


def test_copies_are_visible_and_change_no_rank(honest, library, tmp_path):
    strong, weak = (packed(getattr(honest, n), tmp_path / f"{n}.gwray") for n in ("strong", "weak"))
    code, rows = leaderboard(tmp_path / "board", library, strong, weak)
    assert (code, rows_by_player(rows)) == (0, {"strong": ("1", "True"), "weak": ("2", "True")})
    assert [(r["provider"].split(" at ")[0], r["model id"], r["served model"], r["agent"]) for r in rows] == [
        ("openai_chat", name, "standin-1", "direct") for name in ("strong", "weak")
    ]

    def another_arrival(line: dict[str, Any]) -> None:
        line["at"] = line["at"].replace("+00:00", "0+00:00")

    copies = {
        "command": lambda f: f.manifest(command="x1"),
        "arrival": lambda f: [edited(log, another_arrival) for log in f.logs],
        "renamed": lambda f: f.manifest(name="mine", created="2001", id="0" * 32),
        **{f"latency {n}": lambda f, n=n: f.line(lambda line: line["reply"].update(latency_ms=5 + n)) for n in (1, 2)},
    }
    files = []
    for name, change in copies.items():
        forged = Forger(honest, honest.strong, tmp_path / name)
        change(forged)
        files.append(packed(forged.run, tmp_path / f"{name}.gwray"))
    code, rows = leaderboard(tmp_path / "board", library, strong, weak, *files)
    assert [row["pack"] for row in rows if row["player"] == "weak"] == ["weak.gwray"]
    assert next(row["rank"] for row in rows if row["player"] == "weak") == "2", "however many stand above it"
    same = "strong.gwray; command.gwray; arrival.gwray; renamed.gwray"
    assert {row["pack"] for row in rows} == {same, "weak.gwray", "latency 1.gwray", "latency 2.gwray"}
    assert {row["rank"] for row in rows if row["player"] == "strong"} == {"1"}
    marked = "the same states as latency 1.gwray, latency 2.gwray in 6 of 6 episodes: nothing proves which"
    assert {row["pack"] for row in rows if "the same states" not in row["note"]} == {"weak.gwray"}
    assert next(row["note"] for row in rows if row["pack"] == same).startswith(marked)


@pytest.mark.parametrize("first", ["original", "copy"])
def test_copy_under_another_provider_takes_no_row(honest, library, tmp_path, first):
    """Both rows stay, both are marked, and a copy that does not replay marks nothing."""
    original, thief = (Forger(honest, honest.strong, tmp_path / name) for name in ("a", "b"))

    def moved(plan: dict[str, Any]) -> None:
        for profile in (plan["cells"][0]["spec"]["model"], *(job["model"] for job in plan["jobs"])):
            profile["base_url"] = "https://api.example.com/v1"

    edited(thief.run.local_path / "run.json", moved)
    assert read_seal(thief.run).broken, "the address is sealed"
    packs = {"original": packed(original.run, tmp_path / "original.gwray")}
    packs["copy"] = packed(thief.run, tmp_path / "copy.gwray")
    ordered = sorted(packs.values(), key=lambda file: file.stem != first)
    code, rows = leaderboard(tmp_path / "board", library, *ordered)
    shown = {row["pack"]: row for row in rows}
    assert code == 0 and {*shown} == {"original.gwray", "copy.gwray"}
    assert shown["copy.gwray"]["provider"] == "openai_chat at api.example.com"
    for name, other in (("original", "copy"), ("copy", "original")):
        row = shown[f"{name}.gwray"]
        recording = f"the same recording as {other}.gwray in {TASKS} of {TASKS} episodes"
        assert row["note"] == f"{recording}: nothing proves which was recorded first" and row["rank"] == "1"
    thief.result(score=9999.0)
    code, rows = leaderboard(tmp_path / "board", library, packed(thief.run, tmp_path / "copy.gwray"), packs["original"])
    assert [row["note"] for row in rows if row["pack"] == "original.gwray"] == [""]


def damaged(data: bytes) -> dict[str, bytes]:
    """A pack, damaged in ways that raise different errors."""
    start = data.index(b"results.jsonl") + len(b"results.jsonl")
    entry = data.rindex(b"PK\x01\x02")
    method, flags = entry + 10, entry + 8
    return {
        "deflate": data[: start + 4] + bytes([data[start + 4] ^ 0xFF]) * 40 + data[start + 44 :],
        "cut": data[: len(data) // 2],
        "empty": b"",
        "text": b"PK\x03\x04 and no more",
        "method": data[:method] + b"\x0e\x00" + data[method + 2 :],
        "unknown-method": data[:method] + b"\x63\x00" + data[method + 2 :],
        "encrypted": data[:flags] + b"\x01\x00" + data[flags + 2 :],
        "offset": data[: entry + 42] + b"\xff\xff\xff\x7f" + data[entry + 46 :],
    }


def renamed_random(f: Forger) -> None:
    profile = {"name": "GPT-5.2", "provider": "random"}
    f.run = f.honest.record(f.folder / "again", model=profile, game=[f"count_{n}" for n in range(TASKS)])


def hand_written(board: Path, proof_of: Path, pack: Path) -> None:
    """A proof of a forged pack, and its unpacked episodes, in the folder that strangers can write."""
    proof = json.loads(next((cache() / "proofs").iterdir()).read_text())
    digest = hashlib.sha256(pack.read_bytes()).hexdigest()
    for folder in (board, board / "proofs"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{digest}.json").write_text(json.dumps({**proof, "pack": digest}))
    shutil.copytree(proof_of, board / ".unpacking" / digest)


def test_bad_packs_cost_only_themselves(honest, library, tmp_path):
    board, good = tmp_path / "board", packed(honest.weak, tmp_path / "weak.gwray")
    code, _ = leaderboard(board, library, good)
    assert code == 0
    forged = {name: Forger(honest, honest.strong, tmp_path / name) for name in ("score", "unsealed", "junk")}
    forged["orphan"] = Forger(honest, honest.weak, tmp_path / "orphan")
    forged["score"].result(success=True, progress=1.0, score=9999.0, reproducible=False)
    forged["junk"].result(progress=0.5)
    forged["orphan"].run.append_result(forged["orphan"].run.results()[0].model_copy(update={"key": "unplanned"}))
    random = Forger(honest, honest.random, tmp_path / "random")
    renamed_random(random)
    packs = {name: packed(f.run, tmp_path / f"{name}.gwray", seal=name != "unsealed") for name, f in forged.items()}
    packs["random"] = packed(random.run, tmp_path / "random.gwray")
    seal = honest.weak.manifest().seal
    forged["junk"].manifest(seal=seal)
    pack_run(forged["junk"].run, packs["junk"])
    hand_written(board, honest.strong.local_path, packs["score"])
    for name, data in damaged(good.read_bytes()).items():
        packs[name] = tmp_path / f"{name}.gwray"
        packs[name].write_bytes(data)
    code, rows = leaderboard(board, library, *packs.values(), good)
    assert code == 1
    shown = {row["pack"].removesuffix(".gwray"): row for row in rows}
    assert {*shown} == {"score", "unsealed", "junk", "orphan", "random", "weak"}
    assert {name for name, row in shown.items() if row["verified"] == "True"} == {"weak", "random"}
    assert {name: row["rank"] for name, row in shown.items() if row["rank"] != "–"} == {"weak": "1"}
    assert shown["score"]["finished"] == "0" and shown["score"]["success %"] == "", "what was refused is not shown"
    assert "has no seal" in shown["unsealed"]["note"] and "differs from the result" in shown["junk"]["note"]
    assert "does not plan" in shown["orphan"]["note"]
    assert shown["random"]["player"] == "GPT-5.2 (random)" and shown["random"]["provider"] == "random"
    assert "'GPT-5.2' is played without a model (random): not ranked" in shown["random"]["note"]
    page = (board / "index.html").read_text()
    assert UNPROVABLE.partition(",")[0] in page and all(f"{name}.gwray" in page for name in damaged(good.read_bytes()))


def unpacked(pack: Path, out: Path, library: Path) -> tuple[int, str]:
    code = 0
    try:
        unpack_command(pack, str(out), 2, "inline", None, [KIND], [str(library)])
    except typer.Exit as e:
        code = e.exit_code
    return code, "".join(r.key for r in RunDir.open(out).results())


def test_unpacking_keeps_only_what_was_proven(honest, library, tmp_path, monkeypatch, capsys, recwarn):
    forged = Forger(honest, honest.strong, tmp_path / "f")
    first, *others = (r.key for r in forged.run.results())

    def lie(record: dict[str, Any]) -> None:
        if record["key"] == first:
            record.update(score=9999.0, success=True, progress=1.0, steps=1, reproducible=False, browser="999.0")

    edited(forged.run.local_path / "results.jsonl", lie)
    forged.run.append_result(forged.run.results()[1].model_copy(update={"key": "unplanned"}))
    pack, out = packed(forged.run, tmp_path / "f.gwray"), tmp_path / "out"
    for _ in range(2):  # the second command finds what the first has proven
        assert unpacked(pack, out, library) == (1, "".join(others))
        assert not RunDir.open(out).manifest().seal
        assert f"{len(others)} of {len(others) + 2} identical" in capsys.readouterr().out
    assert not [w for w in recwarn if "never awaited" in str(w.message)]
    # Only the replay can say that a world is not reproducible: then the result stays, unproven.
    monkeypatch.setattr(CounterWorld, "uncontrolled", ("a clock",))
    assert unpacked(pack, tmp_path / "other", library) == (1, "".join((first, *others)))
    monkeypatch.undo()
    seal = packed(honest.strong, tmp_path / "good.gwray") and honest.strong.manifest().seal
    assert unpacked(tmp_path / "good.gwray", tmp_path / "good", library) == (0, "".join((first, *others)))
    assert RunDir.open(tmp_path / "good").manifest().seal == seal


def test_interrupted_unpacking_leaves_no_unproven_result(honest, library, tmp_path, monkeypatch):
    pack = packed(honest.strong, tmp_path / "s.gwray")

    async def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gwray.pipelines.unpack.repair", stopped)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(unpack_run(pack, str(tmp_path / "out"), libraries=[str(library)], trusted=[KIND]))
    assert RunDir.open(tmp_path / "out").results() == []
    monkeypatch.undo()
    assert unpacked(pack, tmp_path / "out", library)[0] == 0


def test_a_run_changed_while_it_is_verified_is_not_called_verified(honest, tmp_path, monkeypatch, capsys):
    forged = Forger(honest, honest.strong, tmp_path / "f")
    unseal_run(forged.run)
    playing = verification.verify_run

    async def replaced(run: RunDir, **how: Any) -> Any:
        findings = await playing(run, **how)
        forged.result(success=True, progress=1.0, score=9999.0)
        return findings

    monkeypatch.setattr(verification, "verify_run", replaced)
    with pytest.raises(typer.Exit):
        runs.verify(str(forged.run.url), executor="inline", trust=[KIND])
    out = capsys.readouterr().out
    assert "The run was changed while it was verified" in out and UNPROVABLE.partition(",")[0] in out.replace("\n", " ")
    assert read_verified(forged.run) is None


def test_the_same_sentence_says_what_is_not_provable():
    words = " ".join((DOCS / "verify.md").read_text().split())
    assert UNPROVABLE in words
    table = [line for line in (DOCS / "verify.md").read_text().splitlines() if line.startswith("| ")]
    for trial in TRIALS:
        (row,) = [line for line in table if line.startswith(f"| {trial.name} |")]
        assert ("not provable" in row) == (not trial.found), row
