"""Runs that are damaged, removed or changed between two commands: what the second one does about it."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from pipelines.conftest import make_executor, plan_of, play
from rich.console import Console
from standin import Say, Standin

from gwray.cli import runs as commands
from gwray.errors import StoreError
from gwray.pipelines.run import RunOutcome, run_plan
from gwray.records import LoggedReply
from gwray.settings import PROTOCOL_VERSION
from gwray.store import RunDir, RunManifest, read_seal, seal_run
from gwray.store.replies import ReplyLog
from gwray.verification import repair_run
from gwray.verification.verify import verify_run

JOBS: list[dict[str, Any]] = [{"game": "short-sums", "task": "1", "model": "random", "repeats": 3}]


async def again(folder: Path, *jobs: dict[str, Any]) -> tuple[RunOutcome, str]:
    """The same command once more, and what it prints."""
    console = Console(file=(output := io.StringIO()), width=500)
    return await run_plan(
        plan_of(folder, *(jobs or JOBS)), console, make_executor, repair=repair_run
    ), output.getvalue()


def files(run: RunDir) -> list[Path]:
    return sorted((run.local_path / "episodes").iterdir())


Answer = Callable[[str, Any, str], Say]


def model_of(standin: Standin, answer: Answer) -> dict[str, str]:
    standin.answer = answer
    return {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x"}


def changing(asked: list[str]) -> Answer:
    """Does not say the same again when it is asked the same; counts questions in `asked`."""

    def answer(wire: str, body: Any, session: str) -> Say:
        asked.append(session)
        names = [t["function"]["name"] for t in body["tools"]]
        return Say(calls=[(names[len(asked) // 3 % len(names)], {})])

    return answer


@pytest.mark.slow
async def test_lost_episode_files_are_recreated_from_logs(run, tmp_path):
    before = {key: run.read_episode(key) for key in run.episode_keys()}
    seal, results = run.manifest().seal, (run.local_path / "results.jsonl").read_bytes()
    lost, cut, flipped = files(run)
    lost.unlink()
    cut.write_bytes(cut.read_bytes()[:-900])
    data = bytearray(flipped.read_bytes())
    data[data.index(b"\xff\xd8") + 1000] ^= 1
    flipped.write_bytes(data)
    ended, output = await again(tmp_path)
    assert ended.complete and output.count("It was recreated from its replies.") == 3, output
    assert {key: run.read_episode(key) for key in run.episode_keys()} == before
    assert (run.local_path / "results.jsonl").read_bytes() == results and run.manifest().seal == seal
    ended, output = await again(tmp_path)
    assert "damaged:" not in output


@pytest.mark.slow
async def test_truncated_log_is_reported_and_result_kept(run, tmp_path):
    key = run.results()[1].key
    log = run.local_path / f"replies/{key}.jsonl"
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:5]))
    (run.local_path / f"episodes/{key}.parquet").unlink()
    ended, output = await again(tmp_path)
    assert (ended.complete, ended.damaged, len(run.results())) == (False, 1, 3)
    assert f"{key}.jsonl has 5 of 16 replies." in output and "cannot be verified any more" in output
    assert "The seal of" in output
    log.write_bytes(whole)
    ended, output = await again(tmp_path)
    assert ended.complete and "It was recreated" in output and "The seal of" not in output


@pytest.mark.parametrize("part", ["", pytest.param("replies", marks=pytest.mark.slow)])
async def test_removed_run_stops_and_is_not_recreated(tmp_path, part):
    def answer(wire: str, body: Any, session: str) -> Say:
        if len(asked) == 6:
            gone = (tmp_path / "run" / part).rename(tmp_path / "gone")  # all of it at once, whoever writes just now
            shutil.rmtree(gone, ignore_errors=True)
        asked.append(session)
        return Say(text="wait")

    asked: list[str] = []
    with Standin(keep_bodies=False) as standin:
        model = model_of(standin, answer)
        with pytest.raises(StoreError, match="is gone: it was removed or moved during the run"):
            await play(tmp_path, {"game": "short-sums", "task": "1,2,3", "model": model, "repeats": 2})
    assert len(asked) <= 9
    left = [*(tmp_path / "run" / part).rglob("*.jsonl")] if part else [*(tmp_path / "run").rglob("*")]
    assert all(json.loads(file.read_text().splitlines()[0])["decision"] == 0 for file in left if file.is_file())


async def test_damaged_log_line_is_reported(run, tmp_path, capsys):
    key = run.results()[0].key
    log = run.local_path / f"replies/{key}.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*lines[:3], b"{]\n", *lines[4:]]))
    assert not verified(run.url)
    output = " ".join(capsys.readouterr().out.split())
    assert f"error 01_01 {key}" in output and "line 4" in output and "2 intact, 1 error" in output
    assert "The seal does not match" in output
    ended, output = await again(tmp_path)
    assert not ended.complete and f"{key}.jsonl, line 4" in output


def lost(lines: list[bytes]) -> list[bytes]:
    """A line is gone, by whoever follows an older gwray's advice."""
    return [*lines[:5], *lines[6:]]


def zeroed(lines: list[bytes]) -> list[bytes]:
    """A block of the file was never written."""
    return [*lines[:5], bytes(len(lines[5]) + 40), lines[6][40:], *lines[7:]]


@pytest.mark.slow
@pytest.mark.parametrize("damaged", [lost, zeroed])
async def test_resume_from_usable_part_of_damaged_log(tmp_path, damaged):
    """And stops neither the sweep nor itself; nothing is used that was output of something else."""

    asked: list[str] = []
    with Standin(keep_bodies=False) as standin:
        model = model_of(standin, changing(asked))
        job = {"game": "short-sums", "task": "1", "model": model, "repeats": 2}
        ended = await play(tmp_path, job)
        first, second = ended.run.results()
        results, log = tmp_path / "run/results.jsonl", tmp_path / f"run/replies/{first.key}.jsonl"
        results.write_text(results.read_text().splitlines(keepends=True)[1])
        whole = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join(damaged(whole)))
        needed = len(asked)
        ended, output = await again(tmp_path, job)
    assert ended.complete and ended.run.results()[0] == second
    assert len(asked) - needed == first.calls - 5
    assert "damaged: 1 reply log of unfinished episodes could not be read to the end" in output
    assert (tmp_path / f"run/damaged/{first.key}.0.jsonl").read_bytes() == b"".join(damaged(whole))
    assert {f.verdict for f in await verify_run(ended.run)} == {"identical"}
    tried = (tmp_path / "run/failures.jsonl").read_text()
    assert tried.count("LogDamaged") == 1 and "Its first 5 replies are kept" in tried
    assert ended.run.results()[1].tries == 1


@pytest.mark.slow
async def test_false_dead_actor_costs_one_reply(tmp_path, monkeypatch):
    """Behind a link that was cut it had asked the same, and its answer comes first."""

    def append(log: ReplyLog, line: LoggedReply) -> None:
        if len(asked) == 5 and not other:
            other.append(ReplyLog(log._storage, log._path, log._written_by, log._check_run))
            other[0].read_for_resume()
            write(other[0], line)
        write(log, line)

    asked: list[str] = []
    other: list[ReplyLog] = []
    write = ReplyLog.append
    monkeypatch.setattr(ReplyLog, "append", append)
    with Standin(keep_bodies=False) as standin:
        model = model_of(standin, changing(asked))
        ended = await play(tmp_path, {"game": "short-sums", "task": "1", "model": model})
    (result,) = ended.run.results()
    assert ended.complete and result.tries == 2 and len(asked) == result.calls
    assert [f.verdict for f in await verify_run(ended.run)] == ["identical"]
    assert (tmp_path / "run/failures.jsonl").read_text().count("ConcurrentWriteError") == 1


# The seal


@pytest.mark.slow
async def test_continued_run_is_sealed_when_complete(run, tmp_path):
    first = run.manifest().seal
    assert list(json.loads((run.local_path / "run.json").read_text()))[-1] == "seal" and not read_seal(run).broken
    more = {**JOBS[0], "repeats": 4}
    await again(tmp_path, more)
    assert run.manifest().seal != first and not read_seal(run).broken
    written = (run.local_path / "run.json").read_bytes()
    await again(tmp_path, more)
    assert (run.local_path / "run.json").read_bytes() == written


@pytest.mark.slow
async def test_changed_run_is_not_sealed_again(run, tmp_path, capsys):
    seal = run.manifest().seal
    run.rewrite_results(r.model_copy(update={"score": 9.0}) for r in run.results())
    _, output = await again(tmp_path, {**JOBS[0], "repeats": 4})
    assert "was changed" not in output and f"The seal of {run.url} does not fit" in output
    assert run.manifest().seal == seal
    assert not verified(run.url)


def test_the_seal_covers_content_and_not_files(run):
    seal = read_seal(run).found
    records = run.results()
    run.rewrite_results(reversed([r.model_copy(update={"wall_s": 1.0, "tries": 2}) for r in records]))
    for key in run.episode_keys():
        run.write_episode(key, (e := run.read_episode(key)).steps, e.meta)
    assert read_seal(run).found == seal
    run.rewrite_results([records[0].model_copy(update={"cost_usd": 7.0}), *records[1:]])
    assert read_seal(run).found != seal


def verified(url: str, **options: Any) -> bool:
    """Whether `gwray verify --stored` ends with 0."""
    try:
        commands.verify(url, stored=True, **options)
    except typer.Exit:
        return False
    return True


def test_verifying_nothing_fails_with_advice(run, tmp_path, capsys):
    assert verified(run.url)
    assert f"sealed {run.manifest().seal}" in capsys.readouterr().out
    commands.results(run.url)
    assert f"sealed {run.manifest().seal}" in capsys.readouterr().out
    empty = RunDir.create(tmp_path / "empty", RunManifest(protocol_version=PROTOCOL_VERSION))
    assert not verified(empty.url)
    assert "Nothing was verified" in capsys.readouterr().out


@pytest.mark.slow
async def test_nothing_but_skips_is_no_success(tmp_path, capsys):
    await play(tmp_path, {"model": "noop", "timing": {"mode": "wallclock"}})
    commands_verify: Callable[..., Any] = commands.verify
    with pytest.raises(typer.Exit):
        await asyncio.to_thread(commands_verify, str(tmp_path / "run"), sample=None, lanes=1, trust=None, stored=False)
    output = " ".join(capsys.readouterr().out.split())
    assert "not verified, 1 episode: not reproducible: timing=wallclock" in output
    assert "Nothing was verified: no episode can be played again" in output
    run = RunDir.open(tmp_path / "run")
    (record,) = run.results()
    forged = record.model_copy(update={"reproducible": True, "caveats": ()})
    episode = run.read_episode(record.key)
    run.write_episode(record.key, episode.steps, episode.meta.model_copy(update={"record": forged}))
    run.rewrite_results([forged])
    seal_run(run)
    capsys.readouterr()
    assert not verified(run.url)
    assert "reproducible: recorded True, but timing=wallclock" in " ".join(capsys.readouterr().out.split())
