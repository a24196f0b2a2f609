"""Runs recorded by earlier versions, one per run format, still verify, and so does a pack of one."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gwray.pipelines import unpack_run, verify_run, verify_stored
from gwray.pipelines.outcome import totals_of
from gwray.pipelines.verify import retired_reading
from gwray.records import LoggedReply, Reply, StepRecord
from gwray.store import RunDir, read_seal, seal_gap, seal_run, seal_text

RUNS = Path(__file__).parents[1] / "fixtures" / "runs"
"""One episode each: the scripted player in `19_minesweeper`, task 1. Format 1 has `observation.quality=10`, format 2
`observation=text`: their files are small."""


def copy_of(run: str, folder: Path) -> RunDir:
    return RunDir.open(shutil.copytree(RUNS / run, folder / run))


@pytest.mark.parametrize("run_format", [1, 2])
async def test_old_run_verifies(tmp_path, run_format):
    run = copy_of(f"format-{run_format}", tmp_path)
    manifest = run.manifest()
    assert manifest.format == run_format and len(manifest.episodes) == 1
    assert manifest.seal and not read_seal(run).broken
    assert "does not cover addresses" in seal_text(manifest.seal)
    assert all(f.holds for f in verify_stored(run))
    assert [f.verdict for f in await verify_run(run)] == ["identical"]


def test_old_manifest_is_rewritten_unchanged(tmp_path):
    run = copy_of("format-2", tmp_path)
    before = (run.local_path / "run.json").read_bytes()
    run.write_manifest(run.manifest())
    assert (run.local_path / "run.json").read_bytes() == before


async def test_old_pack_unpacks_with_its_own_seal(tmp_path):
    unpacked = await unpack_run(RUNS / "format-2.gwray", str(tmp_path / "run"))
    assert not read_seal(unpacked.run).broken and unpacked.run.manifest().seal == unpacked.seal.recorded
    assert seal_gap(unpacked.seal.recorded) and not seal_gap(seal_run(unpacked.run))
    assert [r.status for r in unpacked.run.results()] == ["finished"]


@pytest.mark.parametrize(
    ("provider", "reading", "named"), [("openai_chat", 3, "reading 3"), ("openai_chat", 4, ""), ("scripted", 3, "")]
)
def test_replies_of_a_retired_reading_are_not_decided_again(provider, reading, named):
    """Their recorded actions are played instead: game verified, agent not."""
    model = SimpleNamespace(provider=provider)
    spec: Any = SimpleNamespace(cell=SimpleNamespace(player=lambda _: SimpleNamespace(model_for=lambda _: model)))
    line = LoggedReply(decision=0, role="player", words_hash="", at="", reply=Reply(reading=reading))
    assert named in (found := retired_reading([line], spec)) and bool(found) == bool(named)


def test_repaired_decisions_are_counted():
    rows = [
        StepRecord(step=i, attempt=0, role="player", repairs=forms) for i, forms in enumerate(["", "words", "call"])
    ]
    assert totals_of(rows).fields()["repaired"] == 2
