"""Commands in episodes: the answers are recorded, reach the next prompt, and a replay proves them."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from standin import Say, Standin

from gwray.agents import Decision
from gwray.environments import CommandAnswer
from gwray.pipelines.replies import Questions
from gwray.pipelines.turn import RoleTurn, feedback_note
from gwray.records import Command
from gwray.store import RunDir
from gwray.verification.verify import verify_run
from pipelines.conftest import play
from pipelines.test_modular import conf, job, text_of

ERRANDS = Path(__file__).resolve().parents[1] / "errands"
TURNS = [
    [("buy", {"seed": "bean", "count": 2}), ("walk_to", {"x": 7})],
    [("buy", {"seed": "bean", "count": 2})],
    [("right", {})],
    [("buy", {"seed": "parsnip", "count": 2})],
]


async def test_answers_reach_the_next_prompt_and_replay(tmp_path):
    asked, prompts = count(), []

    def shopper(wire: str, body: dict[str, Any], session: str) -> Say:
        prompts.append(text_of(body))
        return Say(calls=TURNS[min(next(asked), 3)])

    with Standin() as standin:
        standin.answer = shopper
        model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x"}
        where = {"libraries": str(ERRANDS), "game": "errands:errands", "action": {"per_reply": 2}}
        ended = await play(tmp_path, {"model": model, **where})
    (record,) = ended.run.results()
    rows = ended.run.read_steps(record.key)
    told = [(r.control, r.ok, r.feedback) for r in rows]
    assert told == [
        ("buy", True, "Bought: 1."),
        ("walk_to", True, "player is at 7."),
        ("buy", False, "4 coins are too few."),
        ("right", None, ""),
        ("buy", True, "Bought: 2."),
        ("buy", False, "0 coins are too few."),
    ]
    heading = "What the game answered to your last actions:"
    assert heading not in prompts[0] and heading not in prompts[3]
    assert f"{heading}\n- buy(seed=6, count=2): ok. Bought: 1.\n- walk_to(x=7): ok. player is at 7." in prompts[1]
    assert f"{heading}\n- buy(seed=6, count=2): failed. 4 coins are too few." in prompts[2]
    (finding,) = await verify_run(ended.run)
    assert (finding.verdict, finding.pictures) == ("identical", True), finding


def test_answers_write_commands_as_histories_do():
    decision = Decision(
        validity="valid", actions=(Command(name="buy", args={"seed": "bean", "count": 2}),), controls=("buy",)
    )
    turn = RoleTurn("player", decision, Questions(), 0)
    note = feedback_note(turn, [CommandAnswer(ok=True, feedback="Bought: 1.")])
    assert note.splitlines()[1:] == ["- buy(seed=bean, count=2): ok. Bought: 1."]


@pytest.mark.parametrize("name", ["orak_skills", pytest.param("orak_history", marks=pytest.mark.slow)])
async def test_orak_agents_replay_without_a_model(tmp_path, name):
    answer = (
        "### Success\nyes\n### Subtask\nBuy beans.\n### Knowledge\nBeans cost 6.\n### Lessons\nBuy first.\n"
        '{"skills": [{"name": "beans", "how": "buy"}]}'
    )

    def shopper(wire: str, body: dict[str, Any], session: str) -> Say:
        return Say(calls=TURNS[0]) if body.get("tools") else Say(text=answer)

    with Standin() as standin:
        standin.answer = shopper
        seen = {"observation": {"views": [], "text": True}, "libraries": str(ERRANDS), "game": "errands:errands"}
        ended = await play(tmp_path, job(standin, conf(name), **seen))
    (record,) = ended.run.results()
    modules = {line.module for line in ended.run.log(record.key).read()}
    assert modules == {m for m in conf(name)["modules"] if m != "act"} | {""}
    rows = ended.run.read_steps(record.key)
    assert all((r.index == 0) == bool(r.observed) for r in rows), "the description that each decision was made on"
    assert [f.verdict for f in await verify_run(ended.run)] == ["identical"]


def stubborn(wire: str, body: dict[str, Any], session: str) -> Say:
    """Jumps at level 2 until a reflection names a wall; the reflection names one if the hare has not moved."""
    received = text_of(body)
    if body.get("tools"):
        return Say(calls=[("jump", {"level": 6 if "a wall" in received else 2})])
    before, now = re.findall(r"- Trunks: (.*)", received)
    stuck = "The trunk is a wall: jump higher." if before == now else "The hare got on."
    return Say(text=f"### Success\n{'no' if before == now else 'yes'}\n### Self_reflection_summary\n{stuck}")


async def test_only_reflection_frees_the_stuck_runner(tmp_path):
    """A stand-in that repeats its jump passes the first wall of the platformer only if its agent reflects."""
    far = {}
    with Standin() as standin:
        standin.answer = stubborn
        seen = {"observation": {"views": [], "text": True}, "game": "parlor:p02_up-and-over", "limit": {"steps": 8}}
        for name in ("direct", "orak_reflection"):
            ended = await play(tmp_path / name, job(standin, conf(name), **seen))
            (record,) = ended.run.results()
            far[name] = record.progress
    assert 0 < far["direct"] < 0.02 < far["orak_reflection"]


FARM = [
    ("leave_house", {}),
    ("buy", {"item": "parsnip", "count": 3}),
    ("till", {"count": 3}),
    ("plant", {}),
    ("sleep", {}),
]


def farmer(wire: str, body: dict[str, Any], session: str) -> Say:
    """Replies that depend on the request alone."""
    read = len(text_of(body))
    if body.get("tools"):
        return Say(calls=[FARM[read % len(FARM)]])
    return Say(text=f"### Success\nyes\n### Self_reflection_summary\nIt is {read}.\n### Subtask\nFarm {read % 7}.")


@pytest.mark.slow
async def test_orak_agent_with_commands_resumes_after_kill_and_forks(tmp_path):
    with Standin(keep_bodies=False) as standin:
        standin.answer = farmer
        settings = ["model=openai-compatible", f"model.base_url={standin.base_url('openai_chat')}", "observation=text",
                    "agent=orak_reflection_planning", "limit.steps=12", "executor=inline"]  # fmt: skip

        def gwray(command: str, to: str, *words: str) -> list[str]:
            start = [sys.executable, "-c", "from gwray.cli import main; main()", command]
            return [*start, *words, *settings, f"run_dir={tmp_path / to}"]

        async def done(*words: str) -> RunDir:
            ended = await asyncio.to_thread(subprocess.run, gwray(*words), capture_output=True, text=True)
            assert ended.returncode == 0, ended.stdout + ended.stderr
            run = RunDir.open(tmp_path / words[1])
            assert [f.verdict for f in await verify_run(run)] == ["identical"]
            return run

        played = "game=p03_thirteen-days", "task=1", "tracking.mode=disabled"
        (complete,) = (whole := await done("run", "whole", *played)).results()
        assert len({r.control for r in whole.read_steps(complete.key)}) > 2
        assert {r.ok for r in whole.read_steps(complete.key)} >= {True, False}
        go_on, asked = threading.Event(), standin.answered

        def ten_until_the_kill(*request: Any) -> Say:
            return farmer(*request) if standin.answered < asked + 10 or go_on.wait(300) else Say()

        standin.answer = ten_until_the_kill
        log = tmp_path / "killed" / "replies" / f"{complete.key}.jsonl"
        driver = subprocess.Popen(gwray("run", "killed", *played), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (log.exists() and log.read_bytes().count(b"\n") >= 10):
            assert driver.poll() is None
            await asyncio.sleep(0.01)
        driver.kill()
        driver.wait()
        go_on.set()
        kept = log.read_bytes()
        (resumed,) = (await done("run", "killed", *played)).results()
        assert log.read_bytes().startswith(kept) and log.read_bytes().count(b"\n") == complete.calls > 10
        assert resumed.state_chain == complete.state_chain
        (forked,) = (await done("fork", "fork", whole.url, complete.key, "--at", "5")).results()
        assert (forked.forked_at, forked.steps) == (5, complete.steps)
