"""An MCP server that chooses actions, as a user's own program: counts up, and dies where its arguments say."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from mcp.server import MCPServer

server = MCPServer("counting-agent", version="3")
started = Path(sys.argv[1])
"""One line for each process that was started."""
how = sys.argv[2] if len(sys.argv) > 2 else ""


@server.tool()
def choose_action(
    episode: str, role: str, decision: int, instructions: str, observation: list[dict[str, Any]], actions: list[Any]
) -> dict[str, Any]:
    assert {a["name"] for a in actions} == {"up", "down"} and "Count up" in instructions, instructions
    assert observation[-1]["type"] == "image"
    if how == "dies" and decision == 2 and len(started.read_text().splitlines()) == 1:
        os._exit(3)
    return {"role": role, "decision": decision, "actions": [{"action": "up", "arguments": {}}]}


if __name__ == "__main__":
    with started.open("a") as file:
        file.write("started\n")
    server.run("stdio")
