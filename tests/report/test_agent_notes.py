"""Notes of an agent in a replay, by step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from runs_to_report import HOSTILE, picture

from gwray.agents import NoteSpan
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord
from gwray.report import build_report
from gwray.report.agent_notes import memory_rows, read_agent_notes
from gwray.settings import AgentSpec, CellSpec, ModelSpec, ObservationSpec, TimingSpec
from gwray.store import EpisodeMeta, PlannedEpisode, PlannedEpisodes, RunDir, RunManifest

COAST = AgentSpec(name="coast", modules=("seek", "map", "solve", "act"), options={"max_clues": 40})


def seek(n: int, text: str = "a rusty key") -> str:
    clue = {"clue": f"key {n}", "description": text, "location": f"hall {n}", "type": "item"}
    return json.dumps({"clues": [clue], "done": {"action": f"walk {n}", "place": "hall"}})


def coast_run(url: Path, n: int, pictures: bool = False, text: str = "a rusty key") -> RunDir:
    """One episode of `n` decisions in which a clue is found in every second one."""
    model = ModelSpec(name="m", provider="openai_chat")
    spec = CellSpec(model=model, agent=COAST, timing=TimingSpec(), observation=ObservationSpec())
    row: dict[str, Any] = {"key": "k", "cell": "c", "game": "g", "task": "g_1", "seed": 1, "repeat": 0}
    cell = {"id": "c", "name": "c", "model": "m", "interface": "semantic", "axes": {"agent": "coast"},
            "spec": spec.model_dump(mode="json")}  # fmt: skip
    planned = PlannedEpisodes.group([PlannedEpisode(**row)])
    run = RunDir.create(url, RunManifest.model_validate({"name": "coast", "cells": [cell], "episodes": planned}))
    record = EpisodeRecord(**row, model="m", interface="semantic", progress=0.5, steps=n, proposals=n, calls=n)
    rows = [
        StepRecord(step=i, decision=i, attempt=0, role="player", state=json.dumps({"n": i, "pad": "x" * 900}),
                   text='{"action": "wait"}', action='{"action": "wait"}', validity="valid",
                   screenshot=picture(i % 40) if pictures else None)
        for i in range(n)
    ]  # fmt: skip
    run.write_episode("k", rows, EpisodeMeta(record=record))
    run.append_result(record)
    for i in range(n):
        report = seek(i, text) if i % 2 == 0 else '{"clues": []}'
        reply = Reply(text=f'<report>{report}</report>\n{{"action": "wait"}}')
        run.log("k").append(LoggedReply(decision=i, role="player", module="seek", words_hash="", at="", reply=reply))
    return run


def spec_of(run: RunDir) -> dict[str, Any]:
    return run.manifest().cells[0].spec


def test_notes_span_the_steps_played_with_them():
    def row(step: int, decision: int, forced: bool = False) -> StepRecord:
        return StepRecord(step=step, decision=decision, attempt=0, role="p", forced=forced)

    # Three actions of one reply, a push, then two turns; the third decision was never played.
    steps = [row(0, 0), row(1, 0), row(2, 0), row(3, 1, forced=True), row(4, 1), row(5, 2)]
    notes = (
        NoteSpan("p", "clue", "a", "hall", 0), NoteSpan("p", "clue", "b", "", 1, 2), NoteSpan("p", "goal", "c", "", 2),
        NoteSpan("p", "clue", "d", "", 3), NoteSpan("p", "clue", "e", "", 2, 2),
    )  # fmt: skip
    rows = memory_rows(notes, steps)
    assert [(r["text"], r["since"], r["until"]) for r in rows] == [("a", 0, None), ("b", 4, 5), ("c", 5, None)]
    assert memory_rows(notes, []) == []


def test_forgotten_notes_end_and_hostile_text_is_bounded(tmp_path):
    run = coast_run(tmp_path / "run", 100, text=HOSTILE.replace("\ud800", "") + "y" * 5_000)
    rows = memory_rows(read_agent_notes(run, "k", spec_of(run)), run.read_steps("k"))
    at = [r for r in rows if r["kind"] == "clue" and r["since"] <= 99 and (r["until"] is None or r["until"] > 99)]
    assert len(at) == 40, "as many as the agent keeps"
    assert {r["since"] for r in at} == set(range(20, 100, 2))
    assert all(len(r["text"]) < 1200 and "⟦U+202E⟧" in r["text"] for r in rows if r["kind"] == "clue")


@pytest.mark.parametrize(
    "agent", [None, 3, {}, {"modules": []}, {"modules": ["seek"], "options": {"max_clues": "x"}}, {"modules": 7}]
)
def test_invalid_agent_settings_cost_only_the_notes(tmp_path, agent):
    run = coast_run(tmp_path / "run", 2)
    assert read_agent_notes(run, "k", {**spec_of(run), "agent": agent}) == ()
    assert read_agent_notes(run, "other", spec_of(run)) == ()


async def test_replay_shows_notes_at_each_step(tmp_path, watched):
    run, page = coast_run(tmp_path / "run", 6), watched.page
    build_report([run], tmp_path / "site", episodes="all")
    await watched.open((tmp_path / "site/replay/k.html").as_uri() + "#step=1", "step='1'")
    assert "key 0 (item): a rusty key" in await page.inner_text(".memory .fresh")
    assert "1 clue" in await page.inner_text(".memory summary >> nth=0")
    await page.keyboard.press("End")
    await page.wait_for_selector("html[data-step='6']")
    known = await page.locator(".memory details[open] li").all_inner_texts()
    assert ["key 4" in known[0], "since step 5" in known[0], len(known)] == [True, True, 3]
    # What was shut stays shut at the next step.
    await page.click(".memory summary >> nth=0")
    await page.keyboard.press("ArrowLeft")
    assert await page.locator(".memory details[open]").count() == 0
    assert watched.problems == []
