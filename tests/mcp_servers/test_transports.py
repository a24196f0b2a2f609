"""A whole episode over stdin and stdout, by the official client."""

from __future__ import annotations

import os
import sys

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import ImageContent
from mcp_servers.conftest import call, chain, play_here
from pipelines.conftest import STEPS, short_library

from gwray.store import RunDir, read_seal
from gwray.verification.verify import verify_run

FLIGHT = ["flap" if step % 3 == 0 else "wait" for step in range(STEPS)]


@pytest.mark.slow
async def test_official_client_over_stdio_plays_the_states_of_a_run(tmp_path):
    await play_here(tmp_path / "here", FLIGHT)
    folder = tmp_path / "mcp" / "run"
    words = ["mcp", "game", "short-flight", "1", f"libraries=[{short_library()}]", f"run_dir={folder}"]
    server = StdioServerParameters(command=sys.executable, args=["-m", "gwray", *words], env=dict(os.environ))
    async with Client(server) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"observe", "act", "reset", "score", "flap"} <= tools
        first = await client.call_tool("reset", {})
        (picture,) = [b for b in first.content if isinstance(b, ImageContent)]
        assert picture.mime_type == "image/jpeg" and "flap" in first.content[0].text
        for action in FLIGHT:
            last = await call(client, action)
        assert last["state"] == "ended" and last == await call(client, "score")
    assert chain(tmp_path / "mcp") == chain(tmp_path / "here")
    run = RunDir.open(str(folder))
    (finding,) = await verify_run(run)
    assert (finding.verdict, finding.pictures) == ("identical", True), finding
    assert run.manifest().seal and not read_seal(run).broken
