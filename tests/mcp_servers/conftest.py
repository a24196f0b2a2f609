"""Jobs, and clients in the same process, for the MCP servers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_servers.worlds import library
from pipelines.conftest import BASE, play, short_library
from shared_browser import own_browser, session_loop, shared_browser

from gwray.pipelines import run_spec
from gwray.plugins.mcp.episodes import GameSession
from gwray.plugins.mcp.game import game_server
from gwray.settings import RunSpec
from gwray.store import RunDir

__all__ = ["own_browser", "session_loop", "shared_browser"]

WORLDS = ("mcp_servers.worlds.Solo", "mcp_servers.worlds.Pair")


@pytest.fixture(scope="session")
def counters(tmp_path_factory) -> str:
    """The library of worlds without a page."""
    return str(library(tmp_path_factory.mktemp("counters")))


def job_of(folder: Path, **job: Any) -> RunSpec:
    """A job whose run directory is `folder`/run, played by a client."""
    return run_spec({**BASE, "model": "mcp", "libraries": str(short_library()), "run_dir": str(folder / "run"), **job})


@asynccontextmanager
async def client_of(folder: Path, **job: Any) -> AsyncIterator[Client]:
    """A client of a game server."""
    session = GameSession(job_of(folder, **job))
    async with session.running(), Client(game_server(session)) as client:
        yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Calls a tool, which must succeed; returns its data."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Calls a tool, which must fail; returns its message."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    return result.content[0].text


async def play_here(folder: Path, actions: Any, **job: Any) -> None:
    """Plays the same actions without MCP."""
    ended = await play(
        folder, {"model": {"name": "fixed", "provider": "fixed", "options": {"actions": actions}}, **job}
    )
    assert ended.complete, [r.error_message for r in ended.run.failures()]


def chain(folder: Path) -> list[tuple]:
    """Returns what was played, and the state after each step."""
    run = RunDir.open(str(folder / "run"))
    (record,) = run.results()
    return [(r.step, r.role, r.action, r.validity, r.state_hash, r.best_progress) for r in run.read_steps(record.key)]
