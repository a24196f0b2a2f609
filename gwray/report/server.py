"""`gwray view`: a web site of the runs in a folder, also of running ones. `/` lists the runs; `/runs/NAME/` has the
pages of a run, laid out as in a static report (results, episodes, replays), and a live page. Pages are made on request.
The server listens on this machine only, and writes nothing."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from gwray import __version__
from gwray.analysis import diagnose
from gwray.errors import GwrayError
from gwray.pages import SHORT, safe_text
from gwray.pages.local_server import listen, own_pages_only
from gwray.pages.rendering import SERVED_POLICY
from gwray.report.agent_notes import cell_spec, read_agent_notes
from gwray.report.bundle import episode_columns, replay_bundle
from gwray.report.live import activity, lane_frame, live_view
from gwray.report.pages import ASSETS, SERVED, asset, plotly_script, render, script_file, stream
from gwray.report.replay import frames
from gwray.report.run_folder import RunFolder, run_path
from gwray.report.run_view import RunView
from gwray.store import RunDir

PATIENCE_S = 0.5
"""Seconds that a page waits for the report of its run before it says that the report is being made."""
_FRAME = re.compile(r"(\d{1,6})\.[a-z]{3,4}")
_KINDS = {"css": "text/css", "js": "text/javascript", "csv": "text/csv"}
View = Callable[[RunView, Request], Response]


def _frame(view: RunView, current: str, root: str = "") -> dict[str, Any]:
    """Returns the template values of every page of a run."""
    title = safe_text(view.run.manifest().name or "run", SHORT)
    return {"root": root, "current": current, "title": title, "headline": view.known_headline, **SERVED}


def first_page(view: RunView, request: Request) -> Response:
    return RedirectResponse("live.html" if view.run.is_driven() else "index.html")


def results_page(view: RunView, request: Request) -> Response:
    report = view.report(PATIENCE_S)
    if report is None or report.problem:
        common = _frame(view, "Results") | {"totals": view.totals()}
        return HTMLResponse(render("waiting", **common, problem=report.problem if report else ""))
    return HTMLResponse(report.files["index.html"])


def report_file(view: RunView, request: Request) -> Response:
    """Returns a file linked from the results page: figures, and tables as CSV."""
    report, path = view.report(PATIENCE_S), request.url.path.split("/", 3)[3]
    if report is None or path not in report.files:
        raise HTTPException(404, "no such file")
    return Response(report.files[path], media_type=_KINDS.get(path.rpartition(".")[2]))


def list_page(view: RunView, request: Request) -> Response:
    return HTMLResponse(render("episodes", **_frame(view, "Episodes"), n=view.snapshot()[0].height))


def list_data(view: RunView, request: Request) -> Response:
    frame, plan = view.snapshot()
    report = view.report(PATIENCE_S)
    found = report.facts if report else {}
    columns = episode_columns(frame, plan, found, view.run.episode_keys(), view.tasks())
    return _script(script_file("episodes", columns | {"diagnosed": len(found)}))


def counts(view: RunView, request: Request) -> Response:
    """Returns the numbers of episodes, which open pages poll."""
    report = view.report(0.0)
    ended = view.snapshot()[0].filter(pl.col("prefix").fill_null("") == "").height
    return JSONResponse({**view.totals(), "ended": ended, "diagnosed": len(report.facts) if report else 0})


def replay_page(view: RunView, request: Request) -> Response:
    r = view.episode(request.path_params["key"]).meta.record
    page = render(
        "replay", key=r.key,
        **_frame(view, "", "../") | {"title": f"{safe_text(r.game, 80)} · {safe_text(r.task, 80)}"},
    )  # fmt: skip
    return HTMLResponse(page)


def replay_script(view: RunView, request: Request) -> Response:
    key, run = request.path_params["key"], view.run
    episode = view.episode(key)
    frame, plan = view.snapshot()
    r, manifest = episode.meta.record, run.manifest()
    found = diagnose(episode.steps) if r.status == "finished" and not r.success else None
    data = replay_bundle(
        episode, frame, plan, watchable=run.episode_keys(), found=found, tasks=view.tasks(),
        notes=read_agent_notes(run, key, cell_spec(manifest, r.cell)),
    )  # fmt: skip
    return _script(script_file(f"replay:{key}", data))


def picture(view: RunView, request: Request) -> Response:
    match = _FRAME.fullmatch(request.path_params["name"])
    episode = view.episode(request.path_params["key"])
    every = frames(episode)
    n = int(match[1]) if match else -1
    data = every[n] if 0 <= n < len(every) else None
    if data is None:
        raise HTTPException(404, "no such screenshot")
    return Response(data, media_type=episode.meta.mime)


def live_page(view: RunView, request: Request) -> Response:
    now = {"totals": view.totals(), "driven": view.run.is_driven(), "activity": activity(view.run.holder())}
    return HTMLResponse(render("live", **_frame(view, "Live"), **now))


def live_data(view: RunView, request: Request) -> Response:
    return JSONResponse({**live_view(view.run, *view.snapshot(), view.status(), view.tasks()), **view.totals()})


def live_picture(view: RunView, request: Request) -> Response:
    data = lane_frame(view.run, request.path_params["lane"])
    if data is None:
        raise HTTPException(404, "no such lane")
    return Response(data, media_type="image/png" if data[:4] == b"\x89PNG" else "image/jpeg")


def file(request: Request) -> Response:
    wanted = request.path_params["name"]
    if wanted == "plotly.min.js":
        return Response(plotly_script(), media_type="text/javascript")
    if wanted not in ASSETS:
        raise HTTPException(404, "no such file")
    return Response(asset(wanted), media_type=_KINDS[wanted.rpartition(".")[2]])


PAGES: dict[str, View] = {
    "": first_page,
    "index.html": results_page,
    "data/figures.js": report_file,
    "tables/{name}": report_file,
    "figures/{name}": report_file,
    "episodes.html": list_page,
    "data/episodes.js": list_data,
    "api/counts": counts,
    "replay/{key}.html": replay_page,
    "data/replay/{key}.js": replay_script,
    "frames/{key}/{name}": picture,
    "live.html": live_page,
    "api/live": live_data,
    "live/{lane}.jpg": live_picture,
}
"""Pages of a run, below `/runs/NAME/`."""


def site_app(runs: RunFolder, *, host: str = "127.0.0.1") -> Starlette:
    """Returns the ASGI application of the site."""

    def view_of(request: Request) -> RunView:
        view = runs.view(request.path_params["run"])
        if view is None:
            raise HTTPException(404, "no such run")
        return view

    def for_run(page: View) -> Callable[[Request], Response]:
        def respond(request: Request) -> Response:
            try:
                return page(view_of(request), request)
            except GwrayError as e:
                raise HTTPException(404, safe_text(str(e), SHORT)) from e

        return respond

    def index(request: Request) -> Response:
        if runs.single is not None:
            return RedirectResponse(run_path(runs.single))
        pieces = stream(
            "runs", title="Runs", root="", home="./", pages=(), policy=SERVED_POLICY, runs=runs.summaries(),
            version=__version__,
        )  # fmt: skip
        return StreamingResponse(_in_pieces(pieces), media_type="text/html; charset=utf-8")

    routes = [Route(f"/runs/{{run}}/{path}", _off_loop(for_run(page)), methods=["GET"]) for path, page in PAGES.items()]
    routes += [
        Route("/", _off_loop(index), methods=["GET"]),
        Route("/assets/{name}", _off_loop(file), methods=["GET"]),
        Route("/runs/{run}/assets/{name}", _off_loop(file), methods=["GET"]),
    ]
    return Starlette(routes=routes, middleware=own_pages_only([host]))


def _in_pieces(pieces: Iterator[str]) -> Iterator[str]:
    """Joins small pieces to ones of 400 characters or more."""
    buffer = ""
    for piece in pieces:
        buffer += piece
        if len(buffer) >= 400:
            yield buffer
            buffer = ""
    yield buffer


def _off_loop(view: Callable[[Request], Response]):
    async def respond(request: Request) -> Response:
        response = await run_in_threadpool(view, request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return respond


def _script(text: str) -> Response:
    return Response(text, media_type="text/javascript")


class ViewServer:
    """The site in a thread: `with ViewServer(runs) as server: server.url`, the address of its first page."""

    def __init__(self, runs: RunFolder | RunDir, *, host: str = "127.0.0.1", port: int = 0):
        import uvicorn

        runs = runs if isinstance(runs, RunFolder) else RunFolder(runs)
        config = uvicorn.Config(site_app(runs, host=host), log_level="warning", lifespan="off")
        self._server = uvicorn.Server(config)
        self._socket, address = listen(port, host)
        self.url = f"{address}/{'' if runs.single is None else run_path(runs.single)}"
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def __enter__(self) -> "ViewServer":
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self._socket.close()

    def wait(self) -> None:
        """Waits until the server ends or the caller is interrupted."""
        while self._thread.is_alive():
            self._thread.join(0.5)


def serve_view(
    runs: RunFolder | RunDir, host: str = "127.0.0.1", port: int = 0, *, on_ready: Callable[[str], None] | None = None
) -> None:
    """Serves the site until interrupted. `on_ready` gets the address of its first page; `port` 0 takes any free one."""
    with ViewServer(runs, host=host, port=port) as server:
        if on_ready:
            on_ready(server.url)
        try:
            server.wait()
        except KeyboardInterrupt:
            return
