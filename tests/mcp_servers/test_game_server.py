"""An MCP client plays, and the episode is that of a run without MCP."""

from __future__ import annotations

from pathlib import Path

import pytest
from mcp import MCPError
from mcp_servers.conftest import WORLDS, call, chain, client_of, job_of, play_here, refused
from pipelines.conftest import play

from gwray.errors import UsageError
from gwray.plugins.mcp.episodes import GameSession
from gwray.store import RunDir
from gwray.verification.verify import verify_run

DUELS = Path(__file__).resolve().parents[1] / "fencing"


async def verified(folder) -> None:
    for finding in await verify_run(RunDir.open(str(folder / "run")), trusted=WORLDS):
        assert finding.verdict == "identical", finding


@pytest.mark.parametrize("observation", ["text", "image"])
async def test_counter_by_act_and_by_reply(tmp_path, counters, observation):
    """`act` takes calls or a reply in words; what the client sees is the prompt of a model."""
    common = {"game": "solo", "libraries": counters}
    seen = {"text": True, "format": "none"} if observation == "text" else {}
    await play_here(tmp_path / "here", ["up", "down", "up", "up"], **common)
    async with client_of(tmp_path / "mcp", observation=seen, **common) as client:
        data = await call(client, "observe")
        assert data["decision"] == 0 and data["text"] == ("The counter is at 0." if seen else "")
        assert len(data["views"]) == (not seen)
        await call(client, "act", actions=[{"action": "up"}])
        await call(client, "act", reply='I go back: {"action": "down"}')
        assert (await call(client, "act", actions=[{"action": "up", "arguments": {}}], decision=2))["decision"] == 3
        assert "decision 2 is not open" in await refused(client, "act", actions=[{"action": "up"}], decision=2)
        assert (await call(client, "up"))["state"] == "ended"
    assert chain(tmp_path / "mcp") == chain(tmp_path / "here")
    await verified(tmp_path / "mcp")


async def test_two_roles_by_one_client(tmp_path, counters):
    """One client acts for both: the first action waits for the second."""
    common = {"game": "duo", "libraries": counters}
    await play_here(tmp_path / "here", {"left": ["up"] * 4, "right": ["up", "down", "up", "up"]}, **common)
    async with client_of(tmp_path / "mcp", **common) as client:
        assert {"left__up", "right__down"} <= {t.name for t in (await client.list_tools()).tools}
        assert (await call(client, "reset", role="left"))["decision"] == 0
        for right in ["up", "down", "up", "up"]:
            assert (await call(client, "left__up"))["waiting_for"] == ["right"]
            assert "has acted; waiting for right" in await refused(client, "left__up")
            last = await call(client, "act", role="right", actions=[{"action": right}])
        assert last["state"] == "ended"
    assert chain(tmp_path / "mcp") == chain(tmp_path / "here")
    await verified(tmp_path / "mcp")


@pytest.mark.slow
async def test_free_turns_by_one_client(tmp_path):
    """The client is asked for each role when that role's own action has ended."""
    common = {"libraries": str(DUELS), "game": "fencing:duel", "task": "duel_1"}
    await play_here(tmp_path / "here", {"left": ["thrust 4"] * 40, "right": ["parry"] * 40}, **common)
    plays = {"left": {"action": "thrust", "arguments": {"frames": 4}}, "right": {"action": "parry"}}
    turns = []
    async with client_of(tmp_path / "mcp", observation={"text": True, "format": "none"}, **common) as client:
        data = await call(client, "observe", role="left")
        while data["state"] != "ended":
            if data["state"] == "waiting":
                data = await call(client, "observe", role=data["waiting_for"][0])
                continue
            turns.append(data["role"])
            data = await call(client, "act", role=data["role"], actions=[plays[data["role"]]])
    assert turns.count("left") != turns.count("right")
    assert chain(tmp_path / "mcp") == chain(tmp_path / "here")
    await verified(tmp_path / "mcp")


async def test_a_model_plays_the_other_role(tmp_path, counters):
    async with client_of(tmp_path, game="duo", libraries=counters, roles={"right": "noop"}) as client:
        await call(client, "reset")
        for _ in range(4):
            last = await call(client, "up")
    assert last["state"] == "ended" and last["progress"] == 0.5
    await verified(tmp_path)


async def test_wrong_calls_cost_nothing_and_impossible_actions_a_step(tmp_path, counters):
    async with client_of(tmp_path, game="solo", libraries=counters) as client:
        await call(client, "observe")
        assert "is not of type 'array'" in await refused(client, "act", actions="up")
        assert "actions.0" in await refused(client, "act", actions=[{"name": "up"}])
        assert "Allowed: " in await refused(client, "observe", speed=3)
        with pytest.raises(MCPError, match=r"there is no tool 'fly'\. Allowed: observe, act"):
            await client.call_tool("fly", {})
        data = await call(client, "act", actions=[{"action": "fly"}])
        assert data["decision"] == 1 and "not possible" in data["last"]
        assert (await call(client, "score"))["steps"] == 1


async def test_reset_refuses_to_drop_an_episode_and_abandoning_has_no_score(tmp_path, counters):
    common = {"game": "solo", "libraries": counters}
    async with client_of(tmp_path, **common) as client:
        first = await call(client, "reset")
        await call(client, "up")
        assert "is being played (1 steps)" in await refused(client, "reset")
        second = await call(client, "reset", abandon=True)
        assert second["decision"] == 0 and second["episode"] != first["episode"]
        for _ in range(4):
            last = await call(client, "up")
        assert last["success"] and last["episode"] == second["episode"]
    run = RunDir.open(str(tmp_path / "run"))
    assert [r.key for r in run.results()] == [second["episode"]]
    (failure,) = run.failures()
    assert (failure.key, failure.score, failure.error_class) == (first["episode"], None, "EpisodeAbandoned")
    async with client_of(tmp_path, **common) as client:  # a later server resumes it after its first reply
        assert (await call(client, "observe"))["decision"] == 1
        for _ in range(3):
            last = await call(client, "up")
        assert last["success"] and last["episode"] == first["episode"]
    await verified(tmp_path)


async def test_a_client_that_leaves_costs_no_score_and_resumes(tmp_path, counters):
    common = {"game": "solo", "libraries": counters}
    async with client_of(tmp_path, **common) as client:
        await call(client, "up")
    run = RunDir.open(str(tmp_path / "run"))
    assert run.results() == [] and not [*run.failures()] and not run.manifest().seal
    async with client_of(tmp_path, **common) as client:
        assert (await call(client, "reset"))["decision"] == 1
        for _ in range(3):
            await call(client, "up")
        assert (await call(client, "reset"))["decision"] == 0, "one more repeat"
    (record,) = run.results()
    assert record.success and record.steps == 4


@pytest.mark.parametrize(
    ("job", "problem"),
    [
        ({"game": ["solo", "duo"]}, "plays one game"),
        ({"game": "duo", "roles": {"left": "noop", "right": "noop"}}, "no role is left"),
        ({"game": "solo", "agent": {"name": "planning", "modules": ["planning", "act"]}}, "the client .* is the agent"),
    ],
)
def test_settings_that_leave_nothing_to_play_are_refused(tmp_path, counters, job, problem):
    with pytest.raises(UsageError, match=problem):
        GameSession(job_of(tmp_path, libraries=counters, **job))


async def test_the_profile_has_no_player_outside_of_the_server(tmp_path, counters):
    ended = await play(tmp_path, {"game": "solo", "libraries": counters, "model": "mcp"})
    (failure,) = ended.run.failures()
    assert "gwray mcp game solo" in failure.error_message and failure.error_owner == "user"
