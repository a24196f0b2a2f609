"""The page a person plays on: what a model is told and sees, and ways to act. Served on loopback only.

No score, state or progress is shown during play: a model does not get them either.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from gwray.agents import Desk
from gwray.catalog import Game, Task, told
from gwray.local_server import own_pages_only
from gwray.records import EpisodeRecord
from gwray.spec import EpisodeSpec

HERE = Path(__file__).parent
FILES = {"": "page.html", "page.js": "page.js", "page.css": "page.css"}
POLL_S = 20.0


class PageServer:
    """Shows the desks of one episode after the other. `seat` the first one before it runs."""

    def __init__(self) -> None:
        self._next = asyncio.Event()
        routes = [Route(f"/{path}", self._file(name)) for path, name in FILES.items()]
        routes += [
            Route("/about", self._about),
            Route("/now", self._now),
            Route("/frame/{role}/{asked:int}", self._frame),
            Route("/act", self._act, methods=["POST"]),
            Route("/next", self._go_on, methods=["POST"]),
        ]
        self._app = Starlette(routes=routes, middleware=own_pages_only())

    def seat(self, game: Game, task: Task, episode: EpisodeSpec, desks: Mapping[str, Desk], place: str = "") -> None:
        """Turn to an episode. `place`: which one it is of how many, in words."""
        self._game, self._task, self._episode, self._desks, self._place = game, task, episode, dict(desks), place
        self._end: dict[str, Any] | None = None
        self._end_seen = asyncio.Event()
        self._next.clear()

    @contextlib.asynccontextmanager
    async def running(self, port: int) -> AsyncIterator[str]:
        """Serve while the block lasts; yields the address."""
        config = uvicorn.Config(self._app, host="127.0.0.1", port=port, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        with contextlib.ExitStack() as stack:
            stack.enter_context(_no_signals(server))
            serving = asyncio.create_task(server.serve())
            while not server.started:
                if serving.done():
                    await serving
                await asyncio.sleep(0.02)
            try:
                yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
            finally:
                server.should_exit = True
                server.force_exit = True
                await serving

    async def asked_for_next(self) -> None:
        """Wait until the person wants to go on to the next episode."""
        await self._next.wait()

    async def show_end(self, record: EpisodeRecord, *, more: bool = False, within_s: float = 5.0) -> None:
        """Tell the page how it ended, and give it a moment to fetch that. `more`: another episode follows."""
        self._end = {
            "status": record.status,
            "success": record.success,
            "progress": record.progress,
            "score": record.score,
            "steps": record.steps,
            "error": record.error_message,
            "more": more,
        }
        self._changed()
        if more:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._end_seen.wait(), within_s)

    def _changed(self) -> None:
        for desk in self._desks.values():
            desk.changed.set()

    def _file(self, name: str) -> Any:
        async def send(request: Request) -> Response:
            return FileResponse(HERE / name, headers={"cache-control": "no-store"})

        return send

    async def _about(self, request: Request) -> Response:
        game, task, agent = self._game, self._task, self._episode.cell.agent
        return JSONResponse(
            {
                "episode": self._episode.key,
                "place": self._place,
                "game": game.id,
                "title": game.title,
                "task": task.id,
                "rules": told(game.rules, keys=True),
                "instruction": task.instruction,
                "max_steps": task.budget,
                "interface": agent.interface,
                "timing": self._episode.cell.timing.mode,
                "viewport": game.viewport,
                "roles": [
                    {
                        "name": r.name,
                        "description": told(r.description, keys=True),
                        "keys": r.keys,
                        "clicks": r.clicks,
                        "controls": [
                            {
                                "id": c.id,
                                "description": c.description,
                                "press": () if c.parameters else c.keys,
                                "by_cell": list(c.parameters) == ["cell"] and c.cells is not None,
                                "parameters": {n: p.json_schema() for n, p in c.parameters.items()},
                                "click": c.click,
                                "grid": c.cells.model_dump() if c.cells else None,
                            }
                            for c in r.controls
                        ],
                    }
                    for r in game.roles
                ],
            }
        )

    async def _now(self, request: Request) -> Response:
        """The open questions; waits until something is different from what the page knows."""
        known = request.query_params.get("known", "")
        end = asyncio.get_running_loop().time() + POLL_S
        while True:
            for desk in self._desks.values():
                desk.changed.clear()
            now = {role: d.asked if d.observation else 0 for role, d in self._desks.items()}
            word = f"{now}{self._end is not None}"
            left = end - asyncio.get_running_loop().time()
            if word != known or left <= 0:
                break
            waits = [asyncio.create_task(d.changed.wait()) for d in self._desks.values()]
            await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for w in waits:
                w.cancel()
        steps = [d.observation.decision for d in self._desks.values() if d.observation]
        said = {role: d.last for role, d in self._desks.items()}
        if self._end is not None:
            asyncio.get_running_loop().call_later(0.5, self._end_seen.set)
        return JSONResponse(
            {"known": word, "asked": now, "step": min(steps, default=None), "said": said, "end": self._end}
        )

    async def _frame(self, request: Request) -> Response:
        desk = self._desks.get(request.path_params["role"])
        if desk is None or desk.observation is None or desk.asked != request.path_params["asked"]:
            return Response(status_code=404)
        if not desk.observation.views:
            return Response(status_code=404)
        view = desk.observation.views[0]
        return Response(view.data, media_type=view.mime, headers={"cache-control": "no-store"})

    async def _go_on(self, request: Request) -> Response:
        """The person has seen how it ended."""
        if request.headers.get("content-type") != "application/json":
            return Response(status_code=415)
        if self._end is None:
            return Response(status_code=409)
        self._next.set()
        return Response(status_code=204)

    async def _act(self, request: Request) -> Response:
        """One action of one role. Only from this page: a site elsewhere cannot send JSON here unasked."""
        if request.headers.get("content-type") != "application/json":
            return Response(status_code=415)
        try:
            body = await request.json()
            desk, asked, action = self._desks[body["role"]], int(body["asked"]), body["action"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return Response("role, asked and action are needed", status_code=400)
        if not isinstance(action, dict):
            return Response("action must be an object", status_code=400)
        return Response(status_code=204 if desk.answer(asked, action) else 409)


@contextlib.contextmanager
def _no_signals(server: uvicorn.Server) -> Any:
    """Ctrl-C belongs to the command, not to the page's server."""
    original = server.capture_signals
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        server.capture_signals = original  # type: ignore[method-assign]
