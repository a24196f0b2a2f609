"""An MCP client plays, and the episode is that of a run in one process."""

from __future__ import annotations

from typing import Any

from mcp.types import ImageContent
from mcp_servers.conftest import client_of
from pipelines.conftest import STEPS, play

from gwray.pipelines.verify import verify_run
from gwray.store import RunDir

FLIGHT = ["flap" if step % 3 == 0 else "wait" for step in range(STEPS)]


def fixed(actions: Any) -> dict[str, Any]:
    return {"name": "fixed", "provider": "fixed", "options": {"actions": actions}}


def chain(folder, *fields: str) -> list[tuple]:
    run = RunDir.open(str(folder / "run"))
    (record,) = run.results()
    return [(r.role, r.action, r.state_hash, r.validity) for r in run.read_steps(record.key)]


async def test_client_plays_the_states_of_a_run_in_one_process(tmp_path):
    await play(tmp_path / "here", {"model": fixed(FLIGHT)})
    async with client_of(tmp_path / "mcp") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert {"observe", "act", "reset", "score", "flap"} <= {*tools}
        first = await client.call_tool("reset", {})
        (picture,) = [b for b in first.content if isinstance(b, ImageContent)]
        assert picture.mime_type == "image/jpeg" and "flap" in first.content[0].text
        for action in FLIGHT:
            last = await client.call_tool(action, {})
        assert last.structured_content["state"] == "ended", last
        assert (await client.call_tool("score", {})).structured_content == last.structured_content
    assert chain(tmp_path / "mcp") == chain(tmp_path / "here")
    (finding,) = await verify_run(RunDir.open(str(tmp_path / "mcp" / "run")))
    assert (finding.verdict, finding.pictures) == ("identical", True), finding
