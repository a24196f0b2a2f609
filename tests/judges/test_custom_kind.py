"""A kind of judge from outside the package: one class and one profile."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from judges.test_judging import library, played  # noqa: F401

from gwray.errors import UsageError
from gwray.judges import compare_judges, judge_labels, judge_run, read_judge, verify_judgements
from gwray.store import RunDir

MODULE = """
import json
from gwray.judges import JudgeKind, JudgeResult

class Length(JudgeKind):
    async def judge(self, episode, session):
        steps = len(episode.rows())
        neutral = json.dumps({"long": steps >= self.spec.options["steps"]})
        answer = await session.ask_json(self.spec.question, [f"It has {steps} steps."], neutral)
        return JudgeResult(["long"] if answer["long"] else ["short"])
"""
PROFILE = """
kind: my_judge.Length
question: Is this episode long?
labels: {long: many steps, short: few steps}
options: {steps: 2}
"""


@pytest.fixture
def run(played, tmp_path, monkeypatch) -> Iterator[RunDir]:  # noqa: F811
    """A run, with the class and the profile in the user's folder."""
    shutil.copytree(played.run.local_path, tmp_path / "run")
    (tmp_path / "my_judge.py").write_text(MODULE)
    (tmp_path / "conf/judge").mkdir(parents=True)
    (tmp_path / "conf/judge/length.yaml").write_text(PROFILE)
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield RunDir.open(tmp_path / "run")
    sys.modules.pop("my_judge", None)


async def test_custom_kind_is_verified_if_trusted(run):
    done = await judge_run(run, read_judge("length", ["judge.model=scripted"]))
    assert not done.failed and {j.labels for j in done.judgements} == {("long",)}
    assert {f.verdict for f in await verify_judgements(run, trusted=["my_judge.Length"])} == {"identical"}
    untrusted = await verify_judgements(run)
    assert {f.verdict for f in untrusted} == {"skipped"} and "--trust my_judge.Length" in untrusted[0].detail
    assert {f.verdict for f in await verify_judgements(run, stored=True)} == {"intact"}


async def test_reports_do_not_import_a_custom_kind(run):
    done = await judge_run(run, read_judge("length", ["judge.model=scripted"]))
    sys.modules.pop("my_judge", None)
    (Path(run.url) / "annotations.csv").write_text(f"key,length\n{done.judgements[0].key},short\n")
    (found,) = compare_judges(run)
    assert (found.kind, found.reference, found.agreement.exact) == ("my_judge.Length", "annotations", 0)
    assert [(x.source, x.by) for x in judge_labels(run)] == [("length", "scripted"), ("length", "people")]
    assert "my_judge" not in sys.modules


def test_settings_of_kinds(run):
    assert read_judge("length", ["judge.model=scripted", "judge.options.steps=9"]).options == {"steps": 9}
    for name, setting, message in (
        ("length", "judge.kind=my_judge.Lenght", "no 'Lenght'"),
        ("failure", "judge.kind=lables", "kind of judge 'lables'.*labels"),
        ("failure", "judge.options.steps=9", "`options` has no meaning for a judge of kind `deadlocks`"),
    ):
        with pytest.raises(UsageError, match=message):
            read_judge(name, ["judge.model=scripted", setting])
