"""A client's own model answers an agent's modules, and the game goes as in a run of that agent."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
import yaml
from mcp import Client
from mcp.types import ImageContent, TextContent
from mcp_servers.conftest import chain, client_of, job_of, refused
from pipelines.conftest import plan_of

from gwray.agents import OutsideInput
from gwray.errors import UsageError
from gwray.pipelines import Attempt
from gwray.places import CONF
from gwray.plugins.mcp.agent import AgentSession, agent_server
from gwray.store import RunDir


def agent(name: str) -> dict[str, Any]:
    return yaml.safe_load((CONF / "agent" / f"{name}.yaml").read_text())


def model(module: str, words: str) -> str:
    """A model whose replies depend on every word of the question."""
    number = sum(map(ord, words))
    if module == "act":
        return ('{"action": "up"}', '{"action": "down"}', "I fly.")[number % 3]
    return f"### Subtask\nPush {number}.\n### Success\n{('yes', 'no')[number % 2]}\n### Self_reflection\n{number}."


async def answer_here(given: OutsideInput) -> None:
    question = given.open
    assert question is not None
    words = question.prompt.system + "".join(getattr(p, "text", "") for p in question.prompt.parts)
    given.answer(model(question.prompt.module or "act", words))


async def run_here(folder: Path, **job: Any) -> list[str]:
    """Plays a run of the agent whose model is `model`; returns the modules in the order in which they asked."""
    import asyncio

    plan = plan_of(folder, {"model": "mcp", **job})
    (episode,) = plan.episodes
    opened = asyncio.Event()
    given = OutsideInput(opened.set)
    attempt = Attempt.begin(plan, episode)
    playing = asyncio.create_task(attempt.play({"player": given}, lambda rows: None, print))
    while not playing.done():
        opened.clear()
        if given.open is not None:
            await answer_here(given)
        await asyncio.wait({playing, asyncio.create_task(opened.wait())}, return_when=asyncio.FIRST_COMPLETED)
    assert playing.result().status == "finished", playing.result()
    return [line.module or "act" for line in RunDir.open(plan.run_dir).log(episode.key).read()]


@pytest.mark.parametrize("name", ["orak_reflection_planning", "reflection_planning", "direct"])
@pytest.mark.parametrize("seen", [{"text": True, "format": "none"}, {"text": True}], ids=["text", "both"])
async def test_modules_over_mcp_lead_to_the_states_of_a_run(tmp_path, counters, name, seen):
    common = {"game": "solo", "libraries": counters, "observation": seen}
    asked_here = await run_here(tmp_path / "here", agent=agent(name), **common)
    asked: list[str] = []
    session = AgentSession(job_of(tmp_path / "agent", agent=agent(name), **common))
    async with client_of(tmp_path / "mcp", **common) as game, Client(agent_server(session)) as modules:
        listed = (await modules.call_tool("list_modules", {})).structured_content
        assert listed["modules"] == list(session.modules) and listed["state"] == "observing"
        shown = await game.call_tool("reset", {})
        while (data := shown.structured_content)["state"] == "playing":
            pictures = [b for b in shown.content if isinstance(b, ImageContent)]
            images = [
                {"data": p.data, "mimeType": p.mime_type, "name": v["name"]}
                for p, v in zip(pictures, data["views"], strict=True)
            ]
            observation = {"text": data["text"], "notes": data["notes"], "decision": data["decision"]}
            turn = (await modules.call_tool("add_observation", {**observation, "images": images})).structured_content
            while turn["state"] == "asking":
                question = await modules.call_tool("module_prompt", {})
                asked.append(turn["module"])
                words = "".join(b.text for b in question.content if isinstance(b, TextContent))
                reply = model(turn["module"], words)
                turn = (await modules.call_tool("send_response", {"reply": reply})).structured_content
            shown = await game.call_tool("act", turn["act"])
        assert shown.structured_content["state"] == "ended"
    assert chain(tmp_path / "mcp") == chain(tmp_path / "here")
    assert asked == asked_here and set(asked) == {*session.modules}


async def test_calls_out_of_order_say_what_comes_next(tmp_path, counters):
    session = AgentSession(job_of(tmp_path, game="solo", libraries=counters, agent=agent("planning")))
    picture = base64.b64encode(b"GIF").decode()
    async with Client(agent_server(session)) as client:
        assert "no question is open" in await refused(client, "send_response", reply="up")
        assert (await client.call_tool("module_prompt", {})).structured_content == {"state": "observing"}
        assert "image 0: it cannot be read" in await refused(
            client, "add_observation", images=[{"data": picture, "mimeType": "image/png"}]
        )
        assert "would see nothing" in await refused(client, "add_observation")
        begun = (await client.call_tool("add_observation", {"text": "0"})).structured_content
        assert begun == {"state": "asking", "module": "planning", "by": ""}
        assert "has not ended" in await refused(client, "add_observation", text="1")
        await client.call_tool("reset", {})
        assert (await client.call_tool("add_observation", {"text": "0"})).structured_content == begun
        await client.call_tool("send_response", {"reply": "1. Up."})
        decided = await client.call_tool("send_response", {"actions": [{"action": "up"}]})
        assert decided.structured_content["act"] == {"reply": "", "actions": [{"action": "up", "arguments": {}}]}


def test_only_agents_that_act_by_calls(tmp_path, counters):
    with pytest.raises(UsageError, match="last module is act"):
        AgentSession(job_of(tmp_path, game="solo", libraries=counters, agent=agent("pokegym")))
    with pytest.raises(UsageError, match="choose one with --role"):
        AgentSession(job_of(tmp_path, game="duo", libraries=counters, agent=agent("planning")))
