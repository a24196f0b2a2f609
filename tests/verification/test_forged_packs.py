"""Forged, copied and damaged packs: on a leaderboard, when they are unpacked, and while they are verified."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import typer
from pipelines.counter_world import CounterWorld

from gwray.cli import runs, verification
from gwray.cli.packs import unpack as unpack_command
from gwray.places import cache
from gwray.plugins.leaderboard.commands import leaderboard as leaderboard_command
from gwray.store import UNPROVABLE, RunDir, pack_run, unseal_run
from gwray.verification import unpack_run
from verification.forging import KIND, TASKS, Forger, edited, packed

pytestmark = pytest.mark.usefixtures("own_cache")


def leaderboard(site: Path, library: Path, *packs: Path) -> tuple[int, list[dict[str, str]]]:
    """The command's exit code and the rows of its table."""
    code = 0
    try:
        leaderboard_command([*packs], site, "L", False, 2, "inline", None, [KIND], [str(library)])
    except typer.Exit as e:
        code = e.exit_code
    return code, [*csv.DictReader((site / "leaderboard.csv").read_text().splitlines())]


def rows_by_player(rows: list[dict[str, str]]) -> dict[str, tuple[str, str]]:
    return {row["player"]: (row["rank"], row["verified"]) for row in rows}


@pytest.mark.slow
def test_copies_are_visible_and_change_no_rank(honest, tmp_path):
    strong, weak = (packed(getattr(honest, n), tmp_path / f"{n}.gwray") for n in ("strong", "weak"))
    code, rows = leaderboard(tmp_path / "board", honest.library, strong, weak)
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
    code, rows = leaderboard(tmp_path / "board", honest.library, strong, weak, *files)
    assert [row["pack"] for row in rows if row["player"] == "weak"] == ["weak.gwray"]
    assert next(row["rank"] for row in rows if row["player"] == "weak") == "2", "however many stand above it"
    assert len(rows) == 2 + len(copies)
    assert {row["rank"] for row in rows if row["player"] == "strong"} == {"1"}


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


@pytest.mark.slow
def test_bad_packs_cost_only_themselves(honest, tmp_path):
    board, good = tmp_path / "board", packed(honest.weak, tmp_path / "weak.gwray")
    code, _ = leaderboard(board, honest.library, good)
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
    code, rows = leaderboard(board, honest.library, *packs.values(), good)
    assert code == 1
    shown = {row["pack"].removesuffix(".gwray"): row for row in rows}
    assert {*shown} == {"score", "unsealed", "junk", "orphan", "random", "weak"}
    assert {name for name, row in shown.items() if row["verified"] == "True"} == {"weak", "random"}
    assert not any(row["rank"] for row in shown.values()), "one player has no rank"
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


@pytest.mark.slow
def test_unpacking_keeps_only_what_was_proven(honest, tmp_path, monkeypatch, capsys, recwarn):
    forged = Forger(honest, honest.strong, tmp_path / "f")
    first, *others = (r.key for r in forged.run.results())

    def lie(record: dict[str, Any]) -> None:
        if record["key"] == first:
            record.update(score=9999.0, success=True, progress=1.0, steps=1, reproducible=False, browser="999.0")

    edited(forged.run.local_path / "results.jsonl", lie)
    forged.run.append_result(forged.run.results()[1].model_copy(update={"key": "unplanned"}))
    pack, out = packed(forged.run, tmp_path / "f.gwray"), tmp_path / "out"
    for _ in range(2):  # the second command finds what the first has proven
        assert unpacked(pack, out, honest.library) == (1, "".join(others))
        assert not RunDir.open(out).manifest().seal
        assert f"{len(others)} of {len(others) + 1} identical" in capsys.readouterr().out
    assert not [w for w in recwarn if "never awaited" in str(w.message)]
    # Only the replay can say that a world is not reproducible: then the result stays, unproven.
    monkeypatch.setattr(CounterWorld, "uncontrolled", ("a clock",))
    assert unpacked(pack, tmp_path / "other", honest.library) == (1, "".join((first, *others)))
    monkeypatch.undo()
    seal = packed(honest.strong, tmp_path / "good.gwray") and honest.strong.manifest().seal
    assert unpacked(tmp_path / "good.gwray", tmp_path / "good", honest.library) == (0, "".join((first, *others)))
    assert RunDir.open(tmp_path / "good").manifest().seal == seal


def test_interrupted_unpacking_leaves_no_unproven_result(honest, tmp_path, monkeypatch):
    pack = packed(honest.strong, tmp_path / "s.gwray")

    async def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gwray.verification.unpack.repair", stopped)
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(unpack_run(pack, str(tmp_path / "out"), libraries=[str(honest.library)], trusted=[KIND]))
    assert RunDir.open(tmp_path / "out").results() == []
    monkeypatch.undo()
    assert unpacked(pack, tmp_path / "out", honest.library)[0] == 0


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
