"""The web page of human players, served on loopback only. It shows what a model gets, and
no score, progress or remaining steps."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from gwray.agents import OutsideInput
from gwray.catalog import Game, Task, prompt_text
from gwray.pages import rendering
from gwray.pages.local_server import listen, own_pages_only
from gwray.records import EpisodeRecord, View
from gwray.settings import EpisodeSpec

PACKAGE = "gwray.person"
OWN_ASSETS = ("play.js", "play.css")
ASSETS = {"style.css": rendering.SHARED, "theme.js": rendering.SHARED, **dict.fromkeys(OWN_ASSETS, PACKAGE)}
POLL_S = 20.0
CLOSE_DELAY_S = 0.05
NO_CACHE = {"cache-control": "no-store"}


class PageServer:
    """Serves one episode after the other. Call `show_episode` before `running`."""

    def __init__(self) -> None:
        self._next, self._begun, self._news = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._inputs: dict[str, OutsideInput] = {}
        self._final: View | None = None
        self._closing = False
        get: dict[str, Any] = {
            "/": self._start,
            "/assets/{name}": self._asset,
            "/play/": self._play,
            "/play/about": self._about,
            "/play/now": self._now,
            "/play/frame/{role}/{asked:int}": self._frame,
            "/play/final": self._final_frame,
        }
        post: dict[str, Any] = {"/play/act": self._act, "/play/begin": self._begin, "/play/next": self._next_episode}
        routes = [Route(path, handler, methods=["GET"]) for path, handler in get.items()]
        routes += [Route(path, _json_only(handler), methods=["POST"]) for path, handler in post.items()]
        self._app = Starlette(routes=routes, middleware=own_pages_only())

    def notify(self) -> None:
        """Wakes the requests that wait for a change."""
        self._news.set()

    def show_episode(
        self, game: Game, task: Task, episode: EpisodeSpec, inputs: Mapping[str, OutsideInput], place: str = ""
    ) -> None:
        """Switches to an episode. `place`: its position among several, such as `player first, task 2 of 5`."""
        self.notify()  # wake requests that wait for the previous episode
        self._game, self._task, self._episode, self._inputs, self._place = game, task, episode, dict(inputs), place
        self._end: dict[str, Any] | None = None
        self._end_seen = asyncio.Event()
        self._next.clear()
        self._begun.clear()

    @contextlib.asynccontextmanager
    async def running(self, port: int) -> AsyncIterator[str]:
        """Serves the pages during the block; yields their URL."""
        listening, address = listen(port)
        server = uvicorn.Server(uvicorn.Config(self._app, log_level="error", lifespan="off"))
        server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]  # the command handles Ctrl-C
        serving = asyncio.create_task(server.serve([listening]))
        while not server.started:
            if serving.done():
                await serving
            await asyncio.sleep(0.02)
        try:
            yield f"{address}/"
        finally:
            self._closing = True
            self.notify()
            await asyncio.sleep(CLOSE_DELAY_S)  # lets waiting requests finish
            server.should_exit = True
            server.force_exit = True
            await serving
            listening.close()

    async def wait_for_start(self) -> None:
        """Waits for the first key if thinking takes game time, so that the time to read the task is not charged."""
        if self._waits:
            await self._begun.wait()

    @property
    def _waits(self) -> bool:
        return self._episode.cell.timing.mode != "paused" and not self._begun.is_set()

    async def wait_for_next(self) -> None:
        """Waits until the person requests the next episode."""
        await self._next.wait()

    async def show_end(
        self, record: EpisodeRecord, final: View | None = None, *, more: bool = False, within_s: float = 5.0
    ) -> None:
        """Shows the result and waits up to `within_s` s until the page has fetched it. `final`: the screen after the
        last action. `more`: another one follows."""
        self._final = final
        self._end = {
            "final": final is not None,
            "status": record.status,
            "success": record.success,
            "progress": record.progress,
            "score": record.score,
            "steps": record.steps,
            "error": record.error_message,
            "more": more,
        }
        self.notify()
        if more:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._end_seen.wait(), within_s)

    async def _start(self, request: Request) -> Response:
        return RedirectResponse("/play/")

    async def _play(self, request: Request) -> Response:
        page = rendering.render(
            PACKAGE, "play", title=self._game.title, root="../", policy=rendering.SERVED_POLICY, pages=()
        )
        return HTMLResponse(page, headers=NO_CACHE)

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return Response(status_code=404)
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        return Response(rendering.asset(name, ASSETS[name]), media_type=kind, headers=NO_CACHE)

    async def _begin(self, request: Request, body: dict[str, Any]) -> Response:
        self._begun.set()
        return Response(status_code=204)

    async def _about(self, request: Request) -> Response:
        game, task, agent = self._game, self._task, self._episode.cell.agent
        return JSONResponse(
            {
                "episode": self._episode.key,
                "waits": self._waits,
                "place": self._place,
                "game": game.id,
                "title": game.title,
                "task": task.id,
                "rules": prompt_text(game.rules, keys=True),
                "instruction": task.instruction,
                "finish": task.finish,
                "interface": agent.interface,
                "timing": self._episode.cell.timing.mode,
                "viewport": game.viewport,
                "roles": [
                    {
                        "name": r.name,
                        "description": prompt_text(r.description, keys=True),
                        "keys": r.keys,
                        "clicks": r.clicks,
                        "controls": [
                            {
                                "id": c.id,
                                "description": c.description,
                                "press": () if c.parameters else c.keys,
                                "command": bool(c.command),
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
        """Returns the current state of the page; waits until it differs from `known`."""
        known = request.query_params.get("known", "")
        end = asyncio.get_running_loop().time() + POLL_S
        while True:
            self._news.clear()
            now = {role: d.asked if d.open else 0 for role, d in self._inputs.items()}
            current = f"{now}{self._end is not None}"
            left = end - asyncio.get_running_loop().time()
            if current != known or left <= 0 or self._closing:
                break
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), left)
        situations = {role: d.open.situation for role, d in self._inputs.items() if d.open}
        if self._end is not None:
            asyncio.get_running_loop().call_later(0.5, self._end_seen.set)
        return JSONResponse(
            {
                "known": current,
                "asked": now,
                "step": min((s.decision for s in situations.values()), default=None),
                "feedback": {role: s.last for role, s in situations.items()},
                "end": self._end,
            }
        )

    async def _frame(self, request: Request) -> Response:
        given = self._inputs.get(request.path_params["role"])
        views = given.open.situation.observation.views if given and given.open else ()
        if given is None or not views or given.asked != request.path_params["asked"]:
            return Response(status_code=404)
        return Response(views[0].data, media_type=views[0].mime, headers=NO_CACHE)

    async def _final_frame(self, request: Request) -> Response:
        """Sends the screen after the last action."""
        if self._final is None:
            return Response(status_code=404)
        return Response(self._final.data, media_type=self._final.mime, headers=NO_CACHE)

    async def _next_episode(self, request: Request, body: dict[str, Any]) -> Response:
        """Requests the next episode."""
        if self._end is None:
            return Response(status_code=409)
        self._next.set()
        return Response(status_code=204)

    async def _act(self, request: Request, body: dict[str, Any]) -> Response:
        """Receives an action of a role."""
        try:
            given, asked, action = self._inputs[body["role"]], int(body["asked"]), body["action"]
        except (ValueError, KeyError, TypeError, OverflowError):
            return Response("role, asked and action are needed", status_code=400)
        if not isinstance(action, dict):
            return Response("action must be an object", status_code=400)
        if given.open is None or asked != given.asked:
            return Response(status_code=409)
        given.answer(json.dumps(action, ensure_ascii=False))
        return Response(status_code=204)


def _json_only(answer: Callable[[Request, dict[str, Any]], Awaitable[Response]]) -> Any:
    """Accepts only JSON requests, which other sites cannot send without permission."""

    async def respond(request: Request) -> Response:
        if request.headers.get("content-type") != "application/json":
            return Response(status_code=415)
        try:
            body = await request.json()
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            return Response("a JSON object is needed", status_code=400)
        return await answer(request, body)

    return respond
