"""A run keeps what it came to when it was last played again, and says that this is a claim."""

import asyncio
import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from gwray.cli import runs as commands
from gwray.cli.results import show_results
from gwray.cli.verification import note_findings
from gwray.pipelines import Verification
from gwray.report import RunFolder, build_report
from gwray.store import RunDir, RunManifest, pack_run, read_verified, seal_run, unpack_texts
from pipelines.conftest import play

SAME = Verification("k", "t", "c", "identical", pictures=True, browser="Chromium 1")
OTHER = replace(SAME, verdict="different", step=3)


@pytest.fixture
def run(tmp_path):
    return RunDir.create(tmp_path / "run", RunManifest(name="study"))


def noted(run: RunDir, *findings: Verification, sample: bool = False) -> str:
    console = Console(file=io.StringIO(), width=400)
    note_findings(run, findings, console, sample=sample, holds=OTHER not in findings)
    return console.file.getvalue()  # type: ignore[attr-defined]


def said(run: RunDir) -> str:
    found = read_verified(run)
    return found.sentence.partition(" (")[0].replace(f"{found.at:%Y-%m-%d}", "DAY") if found else ""


def test_what_is_noted_is_silent_once_results_or_seal_are_others(run):
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


def test_what_differs_is_noted_and_a_sample_takes_the_place_of_the_whole_run_only_if_something_is_wrong_in_it(run):
    noted(run, SAME, SAME, SAME)
    assert "not noted" in noted(run, SAME, SAME, sample=True)
    assert said(run) == "verified by replay on DAY: 3 of 3 identical"
    noted(run, SAME, OTHER, sample=True)
    assert said(run) == "played again on DAY: 1 of 2 identical, 1 different, a sample; it does not hold"
    noted(run, SAME, SAME, SAME)
    assert said(run) == "verified by replay on DAY: 3 of 3 identical"


def test_what_was_never_played_again_is_not_noted_and_a_damaged_note_is_none(run):
    noted(run, replace(SAME, verdict="missing", browser=""))
    assert run.read_verified() is None
    for text in (b"{}", b"\xff", b"[" * 100_000, b'{"at": "<script>"}'):
        run.put_text("verified.json", text)
        assert read_verified(run) is None


def test_a_run_of_somebody_else_is_left_as_it_is(run, monkeypatch):
    monkeypatch.setattr("gwray.store.run_dir.os.geteuid", lambda: 2**31)
    assert "not noted beside the run" in noted(run, SAME) and "another user" in noted(run, SAME)
    assert run.read_verified() is None


async def test_a_verified_run_says_so_wherever_it_is_shown_and_a_pack_of_it_does_not(tmp_path, monkeypatch):
    ended = await play(tmp_path / "run", {"game": "short-sums", "task": "1", "model": "random"})
    run, output = ended.run, Console(file=io.StringIO(), width=400)
    monkeypatch.setattr(commands, "console", output)
    await asyncio.to_thread(commands.verify, run.url)
    assert "noted beside the run" in output.file.getvalue()  # type: ignore[attr-defined]
    note = json.loads(run.read_verified() or b"")
    assert note["verdicts"] == {"identical": 1} and note["browsers"] == [run.results()[0].browser] and note["seal"]
    show_results(run, output)
    assert "1 of 1 identical" in output.file.getvalue().splitlines()[-1]  # type: ignore[attr-defined]
    page = build_report([run], tmp_path / "site", episodes="none", images=False).read_text()
    assert "1 of 1 identical" in page and "So the run's folder says; <code>gwray verify" in page
    (line,) = RunFolder.open(run.url).summaries()
    assert line.verified.startswith("verified by replay")
    pack_run(run, tmp_path / "run.gwray")
    assert read_verified(unpack_texts(tmp_path / "run.gwray", str(tmp_path / "theirs"))) is None
