"""Clients and jobs for the MCP servers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client
from pipelines.conftest import BASE, short_library
from shared_browser import own_browser, session_loop, shared_browser

from gwray.mcp import GameSession, game_server
from gwray.pipelines import run_spec
from gwray.spec import RunSpec

__all__ = ["own_browser", "session_loop", "shared_browser"]


def job_of(folder: Path, **job: Any) -> RunSpec:
    """A job whose run directory is `folder`/run, played by a client."""
    return run_spec({**BASE, "model": "mcp", "libraries": str(short_library()), "run_dir": str(folder / "run"), **job})


@asynccontextmanager
async def client_of(folder: Path, roles: Sequence[str] = (), **job: Any) -> AsyncIterator[Client]:
    """A client in the same process, of a game server."""
    session = GameSession(job_of(folder, **job))
    async with session.running(), Client(game_server(session, roles)) as client:
        yield client


async def play_to_end(
    call: Callable[[str, dict[str, Any]], Any], choose: Callable[[dict[str, Any]], tuple[str, dict[str, Any]]]
) -> dict[str, Any]:
    """Plays an episode: `call` calls a tool and returns its data, `choose` picks the next call. Returns the result."""
    data = await call("reset", {})
    for _ in range(500):
        if data["state"] not in ("playing", "waiting"):
            return data
        data = await call(*choose(data))
    raise AssertionError("the episode has no end")
