"""Rescoring by hand-made rows: what the new rules say of goals, replies, "done" and milestones."""

from pathlib import Path

import pytest

from gwray.catalog import Game, load_catalog
from gwray.errors import UsageError
from gwray.pipelines.outcome import totals_of
from gwray.records import EpisodeRecord, StepRecord, canonical, digest
from gwray.settings import PROTOCOL_VERSION
from gwray.store import EpisodeMeta, RunDir, RunManifest
from gwray.verification.rescore import NOTE, rescore_run, rescore_steps

GAME = """
id: walk
title: Walk
genre: puzzle
level: 1
summary: s
rules: r
uses: []
motion: {position: [x], controls: [go]}
roles: [{name: p, description: d, keys: [w], controls: [{id: go, description: d, press: w}]}]
tasks:
  - {id: reply, instruction: i, goal: {field: x, is: 3}, check: reply, budget: {decisions: 3}, metrics: [x]}
  - {id: action, instruction: i, goal: {field: x, is: 3}, budget: {decisions: 3}}
  - {id: far, instruction: i, goal: {field: x, is: 9}, milestones: [{name: half, field: x, at_least: 3}]}
  - id: done
    instruction: i
    goal: {field: x, is: 9}
    finish: true
    milestones: [{name: half, field: x, at_least: 3}, {name: complete, field: x, is: 9}]
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory) -> Game:
    return load_catalog([library(tmp_path_factory.mktemp("library"))]).game("walk")


def library(folder: Path) -> Path:
    (folder / "walk").mkdir(parents=True)
    (folder / "walk/index.html").write_text("")
    (folder / "walk/game.yaml").write_text(GAME)
    return folder


def run_of(folder: Path) -> RunDir:
    known = (str(library(folder / "library")),)
    RunDir.create(folder / "run", RunManifest(libraries=known, protocol_version=PROTOCOL_VERSION))
    return RunDir.open(folder / "run", libraries=known)


def walked(*places: int) -> list[StepRecord]:
    """Two actions a decision."""
    return [
        StepRecord(
            step=i, decision=i // 2, index=i % 2, attempt=0, role="p", control="go", state=canonical({"x": x}),
            state_hash=digest(canonical({"x": x})), screenshot=bytes([i]), before='{"x": 0}' if i == 0 else "",
            score=0.0,
        )
        for i, x in enumerate(places)
    ]  # fmt: skip


def record(task: str, **more) -> EpisodeRecord:
    return EpisodeRecord(
        key="k", cell="c", game="walk", task=task, metrics={"shots.fired": 2, "fields.gone.last": 1}, **more
    )


def test_goal_inside_a_reply_counts_only_with_action_check(game):
    rows = walked(1, 2, 3, 4, 5, 5)
    _, reply, _ = rescore_steps(rows, record("reply"), game.task("reply"))
    assert (reply.success, reply.steps, reply.decisions, reply.ended_by) == (False, 6, 3, "budget")
    kept, action, _ = rescore_steps(rows, record("action"), game.task("action"))
    assert (action.success, action.steps, action.ended_by, len(kept)) == (True, 3, "target", 3)


def test_wrong_finish_and_milestones_are_rescored(game):
    rows, after, note = rescore_steps(walked(1, 3, 2), record("done", ended_by="finish"), game.task("done"))
    assert (after.progress, after.score, after.ended_by, note) == (0.5, 1, "finish", "")
    assert [r.milestones for r in rows] == [(), ("half",), ()]


def test_builtin_metrics_are_recomputed_others_kept(game):
    _, after, _ = rescore_steps(walked(1, 2, 2, 2, 5, 5), record("reply"), game.task("reply"))
    assert "fields.gone.last" not in after.metrics and after.metrics["shots.fired"] == 2
    assert after.metrics["fields.x.best"] == 5
    assert (after.metrics["movement.moves"], after.metrics["movement.ineffective"]) == (3, 1)


async def test_a_run_of_another_protocol_is_not_rescored(tmp_path):
    run = run_of(tmp_path)
    run.write_manifest(run.manifest().model_copy(update={"protocol_version": 2}))
    with pytest.raises(UsageError, match="protocol version 2, and this gwray supports version 1 only"):
        await rescore_run(run)


async def test_rewritten_episode_keeps_screenshots(tmp_path):
    run = run_of(tmp_path)
    rows = walked(1, 2, 3, 4, 5, 5)
    before = record("action", steps=6, state_chain=totals_of(rows).fields()["state_chain"])
    run.write_episode("k", rows, EpisodeMeta(record=before, final_frame=b"old"))
    run.append_result(before)
    (done,) = await rescore_run(run)
    episode = run.read_episode("k")
    assert done.changed and [s.screenshot for s in episode.steps] == [b"\0", b"\1", b"\2"]
    assert episode.meta.final_frame == b"\3" and run.results() == [episode.meta.record] == [done.after]


async def test_interrupted_rescore_starts_over(tmp_path, monkeypatch):
    rows = walked(1, 2, 3, 4, 5, 5)
    before = record("action", steps=6, state_chain=totals_of(rows).fields()["state_chain"])
    runs = [run_of(tmp_path / name) for name in ("whole", "broken")]
    for run in runs:
        run.write_episode("k", rows, EpisodeMeta(record=before, final_frame=b"old"))
        run.append_result(before)

    def dies(self, records):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr(RunDir, "rewrite_results", dies)
        await rescore_run(runs[1])
    assert runs[1].results() == [before] and runs[1].read_meta("k").record.steps == 3
    done = [await rescore_run(run) for run in runs]
    assert done[0] == done[1] and done[0][0].after is not None and done[0][0].changed
    complete, broken = ((run.results(), run.read_episode("k")) for run in runs)
    assert complete == broken


@pytest.mark.parametrize("name", ["action", "reply"])
@pytest.mark.parametrize(("per_reply", "decisions"), [(2, 3), (3, 3), (4, 3), (6, 1)])
def test_rescoring_twice_is_idempotent(game, per_reply, decisions, name):
    """Where new rules would have reset, the steps after it are cut off, within a reply too."""
    task = game.task(name)
    task = task.model_copy(update={"max_decisions": decisions})
    places = [1, 2, -1, 4, 5, 1]
    rows = [
        row.model_copy(update={"decision": i // per_reply, "index": i % per_reply, "state": state(x), "reset": False})
        for i, (row, x) in enumerate(zip(walked(*places), places, strict=True))
    ]
    once = rescore_steps(rows, record(name, steps=6), task)
    assert once[2] == "step 2: the new rules would reset here" and len(once[0]) == 3
    assert rescore_steps(once[0], once[1], task) == once
    never = task.model_copy(update={"reset_on_fail": False})
    other = rescore_steps(once[0], once[1], never)
    # Of other rules what is left looks like a reply that is over.
    assert other[1].ended_by == ("budget" if decisions == 1 else "terminal")
    assert not any(NOTE in c for c in other[1].caveats)


def state(x: int) -> str:
    failed = {"terminal": {"isTerminal": True, "outcome": "fail"}}
    return canonical({"x": x, **(failed if x < 0 else {})})


@pytest.mark.parametrize("forged", ["state", "state and its hash"])
async def test_mismatching_states_are_not_rescored(tmp_path, forged):
    run = run_of(tmp_path)
    true, high = walked(1, 2), walked(1, 3)
    rows = [true[0], high[1] if forged != "state" else true[1].model_copy(update={"state": high[1].state})]
    before = record("action", steps=2, state_chain=totals_of(true).fields()["state_chain"])
    run.write_episode("k", rows, EpisodeMeta(record=before))
    run.append_result(before)
    (done,) = await rescore_run(run)
    assert done.after is None and run.results() == [before]
    assert ("state_chain" if forged != "state" else "the state of step 1 of k does not match") in done.note
