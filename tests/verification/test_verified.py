"""The note about the last verification that is stored beside a run."""

import asyncio
import io
import json
from dataclasses import replace

import pytest
from pipelines.conftest import play
from rich.console import Console

from gwray.cli import runs as commands
from gwray.cli.results import show_results
from gwray.cli.verification import note_findings
from gwray.report import RunFolder, build_report
from gwray.store import RunDir, RunManifest, Verifiable, pack_run, read_verified, seal_run, unpack_texts
from gwray.verification import Verification

SAME = Verification("k", "t", "c", "identical", pictures=True, browser="Chromium 1")
OTHER = replace(SAME, verdict="different", step=3)


@pytest.fixture
def run(tmp_path):
    return RunDir.create(tmp_path / "run", RunManifest(name="study"))


def noted(run: RunDir, *findings: Verification, sample: bool = False) -> str:
    console = Console(file=io.StringIO(), width=400)
    note_findings(run, findings, console, replayed=Verifiable.read(run), sample=sample, holds=OTHER not in findings)
    return console.file.getvalue()  # type: ignore[attr-defined]


def said(run: RunDir) -> str:
    found = read_verified(run)
    return found.sentence.partition(" (")[0].replace(f"{found.at:%Y-%m-%d}", "DAY") if found else ""


def test_note_is_hidden_after_results_change(run):
    assert said(run) == ""
    assert noted(run, SAME, SAME) == "noted beside the run: verified.json\n"
    assert said(run) == "verified by replay on DAY: 2 of 2 identical"
    before = run.read_verified()
    seal_run(run)
    assert said(run) == ""
    noted(run, SAME)
    assert said(run) != ""
    run.put_text("results.jsonl", b"\n")
    assert said(run) == "" and run.read_verified() != before


def test_sample_replaces_full_note_only_if_it_fails(run):
    noted(run, SAME, SAME, SAME)
    assert "not noted" in noted(run, SAME, SAME, sample=True)
    assert said(run) == "verified by replay on DAY: 3 of 3 identical"
    noted(run, SAME, OTHER, sample=True)
    assert said(run) == "played again on DAY: 1 of 2 identical, 1 different, a sample; it does not hold"
    noted(run, SAME, SAME, SAME)
    assert said(run) == "verified by replay on DAY: 3 of 3 identical"


def test_unreplayed_run_has_no_note_and_damaged_note_is_ignored(run):
    noted(run, replace(SAME, verdict="missing", browser=""))
    assert run.read_verified() is None
    for text in (b"{}", b"\xff", b"[" * 100_000, b'{"at": "<script>"}'):
        run.put_text("verified.json", text)
        assert read_verified(run) is None


def test_run_of_another_user_is_not_written(run, monkeypatch):
    monkeypatch.setattr("gwray.store.run_dir.os.geteuid", lambda: 2**31)
    assert "not noted beside the run" in noted(run, SAME) and "another user" in noted(run, SAME)
    assert run.read_verified() is None


async def test_verified_note_is_shown_and_not_packed(tmp_path, monkeypatch):
    ended = await play(tmp_path / "run", {"game": "short-sums", "task": "1", "model": "random"})
    run, output = ended.run, Console(file=io.StringIO(), width=400)
    monkeypatch.setattr(commands, "console", output)
    await asyncio.to_thread(commands.verify, run.url)
    assert "noted beside the run" in output.file.getvalue()  # type: ignore[attr-defined]
    note = json.loads(run.read_verified() or b"")
    assert note["verdicts"] == {"identical": 1} and note["browsers"] == [run.results()[0].browser] and note["seal"]
    show_results(run, output)
    assert "1 of 1 identical" in output.file.getvalue().splitlines()[-1]  # type: ignore[attr-defined]
    page = build_report([run], tmp_path / "site", episodes="none").read_text()
    assert "1 of 1 identical" in page and "according to the run directory. <code>gwray unpack" in page
    (line,) = RunFolder.open(run.url).summaries()
    assert line.verified.startswith("verified by replay")
    pack_run(run, tmp_path / "run.gwray")
    assert read_verified(unpack_texts(tmp_path / "run.gwray", str(tmp_path / "theirs"))) is None
