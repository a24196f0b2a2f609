"""Episodes of roles that act independently (`turns: free`): questions, rows, replays, resumed and forked episodes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gwray.errors import UsageError
from gwray.pipelines import run_spec
from gwray.pipelines.outcome import reply_ends
from gwray.pipelines.run import RunOutcome, open_run, run_plan
from gwray.records import StepRecord
from gwray.settings import ModelSpec
from gwray.verification import plan_fork, verify_run
from pipelines.conftest import BASE, make_executor, plan_of, play, quiet

DUELS = Path(__file__).resolve().parents[1] / "fencing"
FRAME_MS = 1000 / 60
TEXT = {"format": "none", "text": True}


def thrusts(*frames: int) -> str:
    """A reply with several thrusts of so many frames."""
    return json.dumps({"actions": [{"action": "thrust", "arguments": {"frames": n}} for n in frames]})


def duel(left: str, right: str, **job: Any) -> dict[str, Any]:
    """A job in which each role gives the same reply at each of its turns."""
    actions = {"left": [left] * 20, "right": [right] * 20}
    model = ModelSpec(name="fixed", provider="fixed", options={"actions": actions}).model_dump()
    common = {"libraries": str(DUELS), "game": "fencing:duel", "task": "duel_1", "observation": TEXT}
    return {"model": model, **common, **job}


def rows_of(ended: RunOutcome) -> list[StepRecord]:
    (record,) = ended.run.results()
    assert record.status == "finished", record.error_message
    return ended.run.read_steps(record.key)


def begun(rows: list[StepRecord], role: str) -> list[int]:
    """Frames at which a role's actions began, without its thinking."""
    ends = {-1: 0.0, **{row.step: row.game_time_ms for row in rows}}
    start = rows[0].game_time_ms - json.loads(rows[0].state)["game_state"]["frames"] * FRAME_MS
    ends[-1] = start
    return [round((ends[row.step - 1] - start) / FRAME_MS) for row in rows if row.role == role]


def facts(rows: list[StepRecord]) -> list[tuple]:
    """Returns the values that must be equal when an episode is played again."""
    names = ("step", "decision", "index", "role", "words_hash", "notes", "ok", "feedback", "charged_ms", "state_hash")
    return [tuple(getattr(row, name) for name in names) for row in rows]


async def verdicts(ended: RunOutcome) -> list[str]:
    return [f"{f.verdict} {f.detail}".strip() for f in await verify_run(ended.run)]


async def test_each_role_is_asked_when_its_own_action_ends(tmp_path):
    ended = await play(tmp_path, duel(thrusts(7), thrusts(4)))
    rows = rows_of(ended)
    assert begun(rows, "left") == [0, 7, 14, 21, 28] and begun(rows, "right") == [*range(0, 33, 4)]
    assert [(r.step, r.decision, r.role) for r in rows[:5]] == [
        (0, 0, "left"), (0, 0, "right"), (1, 1, "right"), (2, 2, "left"), (3, 3, "right"),
    ]  # fmt: skip
    assert {r.ok for r in rows[:-2]} == {True} and rows[0].feedback == "Thrust 1 at frame 7."
    assert rows[-1].ok is None or rows[-2].ok is None, "an action under way at the end has no answer"
    assert "Thrust 1 at frame 7." in rows[3].notes and rows[2].notes.endswith("ok. Thrust 1 at frame 4.")
    (record,) = ended.run.results()
    assert (record.steps, record.decisions, record.proposals) == (12, rows[-1].decision + 1, len(rows))
    assert await verdicts(ended) == ["identical"]


async def test_actions_of_one_reply_run_without_a_question(tmp_path):
    ended = await play(tmp_path, duel(thrusts(7), thrusts(4, 2), action={"per_reply": 2}))
    rows = rows_of(ended)
    right = [r for r in rows if r.role == "right"]
    assert begun(rows, "right")[:5] == [0, 4, 6, 10, 12]
    assert [(r.index, r.calls) for r in right[:4]] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert right[0].decision == right[1].decision < right[2].decision == right[3].decision
    assert await verdicts(ended) == ["identical"]


async def test_realtime_charges_each_role_its_own_thinking(tmp_path):
    timing = {"mode": "realtime", "latency": f"fixed:{6 * FRAME_MS}"}
    ended = await play(tmp_path, duel(thrusts(7), thrusts(4), timing=timing))
    rows = rows_of(ended)
    assert begun(rows, "left")[:4] == [0, 13, 26, 39] and begun(rows, "right")[:4] == [0, 10, 20, 30]
    assert {round(r.charged_ms) for r in rows} == {100}
    assert await verdicts(ended) == ["identical"]


async def test_lost_attempt_drops_all_actions(tmp_path):
    ended = await play(tmp_path, duel(thrusts(9, 9), thrusts(4), task="duel_2", action={"per_reply": 2}))
    rows = rows_of(ended)
    first = [r for r in rows if r.attempt == 0]
    assert first[-1].reset and json.loads(first[-1].state)["game_state"]["frames"] == 14
    later = [r for r in rows if r.attempt == 1][:2]
    assert [(r.role, r.index, r.calls) for r in later] == [("left", 0, 1), ("right", 0, 1)]
    assert await verdicts(ended) == ["identical"]


@pytest.mark.parametrize("timing", [{"mode": "paused"}, {"mode": "realtime", "latency": "uniform:20,120"}])
async def test_resumed_and_forked_episodes_equal_the_uninterrupted_one(tmp_path, timing):
    """Actions of one role are under way where the other one's reply ends."""
    job = duel(thrusts(7), thrusts(4, 2), timing=timing, action={"per_reply": 2})
    whole = await play(tmp_path, job)
    (record,) = whole.run.results()
    rows = rows_of(whole)

    log = f"replies/{record.key}.jsonl"
    lines = (whole.run.local_path / log).read_text().splitlines(keepends=True)
    plan = plan_of(tmp_path / "killed", job)
    (open_run(plan).local_path / log).parent.mkdir(exist_ok=True)
    (open_run(plan).local_path / log).write_text("".join(lines[:5]))
    resumed = await run_plan(plan, quiet(), make_executor)
    assert facts(rows_of(resumed)) == facts(rows)
    assert (resumed.run.local_path / log).read_text().startswith("".join(lines[:5]))

    spec = run_spec({**BASE, "run_dir": str(tmp_path / "fork"), **job})
    ends = [n for n in range(1, 12) if n - 1 in reply_ends(rows)]
    inside = next(n for n in range(1, 12) if n not in ends)
    plan = await asyncio.to_thread(plan_fork, [spec], whole.run, record.key[:12], ends[1])
    forked = await run_plan(plan, quiet(), make_executor)
    assert len(rows) > len(rows_of(forked)) > 2
    assert [r.state_hash for r in rows_of(forked)] == [r.state_hash for r in rows[-len(rows_of(forked)) :]]
    assert await verdicts(forked) == ["identical"]
    with pytest.raises(UsageError, match="is inside a reply"):
        await asyncio.to_thread(plan_fork, [spec], whole.run, record.key[:12], inside)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"timing": {"mode": "wallclock"}}, "timing=wallclock: the roles of duel act independently"),
        ({"timing": {"mode": "adaptive", "paused_in": ["x"]}}, "timing"),
        ({"nudge": {"when": "every", "count": 2, "say": "Go."}}, "nudge.when=every: the roles of duel act independ"),
    ],
)
def test_settings_that_make_all_roles_wait_are_refused(tmp_path, setting, message):
    with pytest.raises(UsageError, match=message):
        plan_of(tmp_path, duel(thrusts(7), thrusts(4), **setting))
