"""The pages of a person: all games to choose from, and the one that is played on. Served on loopback only.

On the second a person is told what a model is told, sees what it sees, and is shown how the task stands: score, best
progress, steps left. That is for people; an agent gets none of it, and neither does a person who plays blind.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from gwray import pages
from gwray.agents import HumanInput
from gwray.catalog import Catalog, Game, Task, prompt_text
from gwray.errors import GwrayError, UsageError
from gwray.local_server import own_pages_only
from gwray.person.shelves import FREELY_POLICY, freely, picture, shelves
from gwray.records import EpisodeRecord, StepRecord
from gwray.spec import EpisodeSpec

ROOM = "gwray.person"
OURS = ("play.js", "play.css", "games.js", "games.css", "hold.js")
ASSETS = {"style.css": pages.__name__, "theme.js": pages.__name__, **dict.fromkeys(OURS, ROOM)}
POLL_S = 20.0
ANSWERED_S = 0.05
FRESH = {"cache-control": "no-store"}


@dataclass(frozen=True)
class Choice:
    """What a person chose on the page of all games, who waits there until `seated` is done."""

    game: str
    task: str
    seated: asyncio.Future[None]


class PageServer:
    """Shows the desks of one episode after the other. `seat` the first one before it runs."""

    def __init__(self, catalog: Catalog | None = None, run_dir: str = "") -> None:
        """`catalog`: games to choose from on the first page; without, there is only the episode that is seated.
        `run_dir`: where they are stored, in words."""
        self._catalog, self._run_dir = catalog, run_dir
        self._next, self._begun = asyncio.Event(), asyncio.Event()
        self._choices: asyncio.Queue[Choice] = asyncio.Queue()
        self._desks: dict[str, HumanInput] = {}
        self._closing = False
        get: dict[str, Any] = {
            "/": self._first,
            "/pictures/{game}.webp": self._picture,
            "/freely/{game}/{path:path}": self._freely,
            "/assets/{name}": self._asset,
            "/play/": self._play,
            "/play/about": self._about,
            "/play/now": self._now,
            "/play/frame/{role}/{asked:int}": self._frame,
        }
        post: dict[str, Any] = {
            "/choose": self._choose,
            "/play/act": self._act,
            "/play/begin": self._begin,
            "/play/next": self._go_on,
        }
        routes = [Route(path, of, methods=["GET"]) for path, of in get.items()]
        routes += [Route(path, _json_only(of), methods=["POST"]) for path, of in post.items()]
        self._app = Starlette(routes=routes, middleware=own_pages_only())

    def seat(
        self, game: Game, task: Task, episode: EpisodeSpec, desks: Mapping[str, HumanInput], place: str = ""
    ) -> None:
        """Turn to an episode. `place`: which one it is of how many, in words."""
        self._changed()  # whoever still waits at the desks of before
        self._game, self._task, self._episode, self._desks, self._place = game, task, episode, dict(desks), place
        self._blind = episode.cell.observation.blind
        self._standing: dict[str, Any] | None = None
        if not self._blind:
            self._standing = {"score": None, "progress": None, "left": task.budget}
        self._end: dict[str, Any] | None = None
        self._end_seen = asyncio.Event()
        self._next.clear()
        self._begun.clear()

    def stepped(self, rows: Sequence[StepRecord]) -> None:
        """Show how the task stands after an environment step."""
        if self._blind:
            return
        last = rows[-1]
        left = self._task.remaining(last.step + 1, last.decision + 1)
        self._standing = {"score": last.score, "progress": last.best_progress, "left": max(0, left)}

    @contextlib.asynccontextmanager
    async def running(self, port: int) -> AsyncIterator[str]:
        """Serve while the block lasts; yields the address."""
        listening = _listening(port)
        config = uvicorn.Config(self._app, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        with contextlib.ExitStack() as stack:
            stack.enter_context(_no_signals(server))
            serving = asyncio.create_task(server.serve([listening]))
            while not server.started:
                if serving.done():
                    await serving
                await asyncio.sleep(0.02)
            try:
                yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
            finally:
                self._closing = True
                self._changed()
                await asyncio.sleep(ANSWERED_S)  # pages that wait are answered, not cut off
                server.should_exit = True
                server.force_exit = True
                await serving
                listening.close()

    async def chosen(self) -> Choice:
        """Wait for the person to choose a task."""
        return await self._choices.get()

    async def begun(self) -> None:
        """Wait for the person's first key, where thinking takes game time: reading the task is not thinking."""
        if self._waits:
            await self._begun.wait()

    @property
    def _waits(self) -> bool:
        return self._episode.cell.timing.mode != "paused" and not self._begun.is_set()

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

    async def _first(self, request: Request) -> Response:
        if self._catalog is None:
            return RedirectResponse("/play/")
        page = pages.render(
            ROOM, "games", title="Games", root="", policy=pages.SERVED_POLICY, pages=(),
            shelves=shelves(self._catalog), run_dir=self._run_dir,
        )  # fmt: skip
        return HTMLResponse(page, headers=FRESH)

    async def _play(self, request: Request) -> Response:
        if not self._desks:
            return RedirectResponse("/")
        above = (("All games", ""),) if self._catalog else ()
        page = pages.render(ROOM, "play", title=self._game.title, root="../", policy=pages.SERVED_POLICY, pages=above)
        return HTMLResponse(page, headers=FRESH)

    async def _asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return Response(status_code=404)
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        return Response(pages.asset(name, ASSETS[name]), media_type=kind, headers=FRESH)

    async def _picture(self, request: Request) -> Response:
        game = self._game_of(request)
        file = picture(game) if game else None
        return Response(file.read_bytes(), media_type="image/webp") if file else Response(status_code=404)

    async def _freely(self, request: Request) -> Response:
        """A game in real time, with nobody's score. The way up from its folder leads to all games."""
        path, game = request.path_params["path"], self._game_of(request)
        if not path:
            return RedirectResponse("/")
        found = freely(game, path) if game else None
        if found is None:
            return Response(status_code=404)
        data, kind = found
        return Response(data, media_type=kind, headers={**FRESH, "content-security-policy": FREELY_POLICY})

    def _game_of(self, request: Request) -> Game | None:
        return self._catalog.games.get(request.path_params["game"]) if self._catalog else None

    async def _choose(self, request: Request, body: dict[str, Any]) -> Response:
        """Sit down at a task; answers when the page of it can be shown."""
        if self._catalog is None:
            return Response(status_code=404)
        choice = Choice(str(body.get("game")), str(body.get("task")), asyncio.get_running_loop().create_future())
        self._choices.put_nowait(choice)
        try:
            await choice.seated
        except GwrayError as e:
            return PlainTextResponse(str(e), status_code=400)
        return Response(status_code=204)

    async def _begin(self, request: Request, body: dict[str, Any]) -> Response:
        self._begun.set()
        return Response(status_code=204)

    async def _about(self, request: Request) -> Response:
        game, task, agent = self._game, self._task, self._episode.cell.agent
        return JSONResponse(
            {
                "episode": self._episode.key,
                "waits": self._waits,
                "choice": self._catalog is not None,
                "place": self._place,
                "game": game.id,
                "title": game.title,
                "task": task.id,
                "rules": prompt_text(game.rules, keys=True),
                "instruction": task.instruction,
                "max_steps": None if self._blind else task.budget,
                "blind": self._blind,
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
            if word != known or left <= 0 or self._closing:
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
            {
                "known": word,
                "asked": now,
                "step": min(steps, default=None),
                "said": said,
                "end": self._end,
                "standing": self._standing,
            }
        )

    async def _frame(self, request: Request) -> Response:
        desk = self._desks.get(request.path_params["role"])
        if desk is None or desk.observation is None or desk.asked != request.path_params["asked"]:
            return Response(status_code=404)
        if not desk.observation.views:
            return Response(status_code=404)
        view = desk.observation.views[0]
        return Response(view.data, media_type=view.mime, headers={"cache-control": "no-store"})

    async def _go_on(self, request: Request, body: dict[str, Any]) -> Response:
        """The person has seen how it ended."""
        if self._end is None:
            return Response(status_code=409)
        self._next.set()
        return Response(status_code=204)

    async def _act(self, request: Request, body: dict[str, Any]) -> Response:
        """One action of one role."""
        try:
            desk, asked, action = self._desks[body["role"]], int(body["asked"]), body["action"]
        except (ValueError, KeyError, TypeError, OverflowError):
            return Response("role, asked and action are needed", status_code=400)
        if not isinstance(action, dict):
            return Response("action must be an object", status_code=400)
        return Response(status_code=204 if desk.answer(asked, action) else 409)


def _listening(port: int) -> socket.socket:
    """A socket of this machine only. `UsageError` for a port that is taken."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
    except OSError as e:
        made.close()
        raise UsageError(f"cannot listen on port {port}: {e.strerror}. Choose another port (0: any free one).") from e
    return made


def _json_only(answer: Callable[[Request, dict[str, Any]], Awaitable[Response]]) -> Any:
    """Only from pages of ours: a site elsewhere cannot send JSON here unasked."""

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


@contextlib.contextmanager
def _no_signals(server: uvicorn.Server) -> Any:
    """Ctrl-C belongs to the command, not to the page's server."""
    original = server.capture_signals
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        server.capture_signals = original  # type: ignore[method-assign]
