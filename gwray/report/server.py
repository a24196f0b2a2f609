"""`gwray view`: the site of the runs in a folder, also while they are going.

Under `/` the runs, under `/runs/NAME/` the pages of each, laid out as a static report is: results, episodes, replays;
and what plays now. Pages are made when they are asked for. Listens on this machine only, and writes nothing but what a
person says of an episode (`annotations.csv`).
"""

from __future__ import annotations

import json
import re
import socket
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

from gwray.analysis import Diagnosis, diagnose
from gwray.errors import GwrayError, StoreError, UsageError
from gwray.local_server import own_pages_only
from gwray.pages import SERVED_POLICY
from gwray.report.agent_notes import cell_spec, read_agent_notes
from gwray.report.bundle import episode_columns, plain_rows, replay_bundle
from gwray.report.export import animation, replay_file
from gwray.report.live import doing, lane_frame, lanes, live_folder, live_view
from gwray.report.notes import Note
from gwray.report.pages import ASSETS, SERVED, asset, plotly_script, render, stream
from gwray.report.prometheus import CONTENT_TYPE, metrics
from gwray.report.replay import frames, record_facts, thumbnail
from gwray.report.run_folder import Runs, path_of
from gwray.report.run_view import RunView
from gwray.report.sanitize import SHORT, safe_text, script_file
from gwray.report.task_text import task_texts
from gwray.store import RunDir
from gwray.version import __version__

AT_ONCE_S = 0.5
"""A page waits so long for the report of its run; if that takes longer, it says so instead."""
NOTE_BYTES = 40_000
_FRAME = re.compile(r"(t?)(\d{1,6})\.[a-z]{3,4}")
_KINDS = {"css": "text/css", "js": "text/javascript", "csv": "text/csv"}
View = Callable[[RunView, Request], Response]


def _around(shelf: RunView, current: str, root: str = "") -> dict[str, Any]:
    """What every page of a run has."""
    return {"root": root, "current": current, "title": _title(shelf), **SERVED}


def _title(shelf: RunView) -> str:
    return safe_text(shelf.run.manifest().get("name") or "run", SHORT)


def first_page(shelf: RunView, request: Request) -> Response:
    return RedirectResponse("live.html" if shelf.run.is_driven() else "index.html")


def results_page(shelf: RunView, request: Request) -> Response:
    report = shelf.report(AT_ONCE_S)
    if report is None or report.problem:
        common = _around(shelf, "Results") | {"totals": shelf.totals()}
        return HTMLResponse(render("waiting", **common, problem=report.problem if report else ""))
    return HTMLResponse(report.files["index.html"])


def report_file(shelf: RunView, request: Request) -> Response:
    """A file that the results page names: figures, and tables as CSV."""
    report, path = shelf.report(AT_ONCE_S), request.url.path.split("/", 3)[3]
    if report is None or path not in report.files:
        raise HTTPException(404, "no such file")
    return Response(report.files[path], media_type=_KINDS.get(path.rpartition(".")[2]))


def list_page(shelf: RunView, request: Request) -> Response:
    columns = _columns(shelf, 0.0)
    page = render("episodes", **_around(shelf, "Episodes"), plain=plain_rows(columns), n=columns["n"])
    return HTMLResponse(page)


def list_data(shelf: RunView, request: Request) -> Response:
    return _script(script_file("episodes", _columns(shelf, AT_ONCE_S)))


def _columns(shelf: RunView, patience_s: float) -> dict[str, Any]:
    frame, plan = shelf.now()
    report = shelf.report(patience_s)
    found = report.diagnoses if report else {}
    columns = episode_columns(
        frame, plan, found, shelf.watchable(frame), shelf.begun(frame), shelf.state(), shelf.notes()
    )
    return columns | {"looked": len(found)}


def counts(shelf: RunView, request: Request) -> Response:
    """Asked again and again by open pages."""
    report = shelf.report(0.0)
    ended = shelf.now()[0].filter(pl.col("prefix").fill_null("") == "").height
    return JSONResponse({**shelf.totals(), "ended": ended, "looked": len(report.diagnoses) if report else 0})


def replay_page(shelf: RunView, request: Request) -> Response:
    episode, unfinished = shelf.look(request.path_params["key"], fresh=True)
    r = episode.meta.record
    page = render(
        "replay", key=r.key, inline=None, exports=unfinished is None,
        **_around(shelf, "", "../") | {"title": f"{safe_text(r.game, 80)} · {safe_text(r.task, 80)}"},
    )  # fmt: skip
    return HTMLResponse(page)


def replay_script(shelf: RunView, request: Request) -> Response:
    key, run = request.path_params["key"], shelf.run
    episode, unfinished = shelf.look(key)
    frame, plan = shelf.now()
    r, manifest = episode.meta.record, run.manifest()
    ended = unfinished is None and r.status == "finished"
    found = diagnose(episode.steps, success=r.success) if ended else Diagnosis(False, (), {})
    notes = read_agent_notes(run, key, cell_spec(manifest, r.cell))
    data = replay_bundle(
        episode, frame, plan, watchable=run.episode_keys(), found=found, asked=task_texts([manifest]), notes=notes,
        said=shelf.notes().get(key),
    )  # fmt: skip
    data["note_to"] = f"note/{key}"
    if unfinished is not None:
        failed = next((f for f in run.failures() if f.key == key), None)
        state = "failed" if failed else shelf.state()
        data |= {"state": state, "unread": unfinished}
        data["record"]["status"] = state
        if failed:
            data["record"] |= {n: record_facts(failed)[n] for n in ("error_class", "error_message", "tries")}
    return _script(script_file(f"replay:{key}", data))


def picture(shelf: RunView, request: Request) -> Response:
    match = _FRAME.fullmatch(request.path_params["name"])
    episode, _ = shelf.look(request.path_params["key"])
    all_frames = frames(episode)
    n = int(match[2]) if match else -1
    data = all_frames[n] if 0 <= n < len(all_frames) else None
    if data is None or match is None:
        raise HTTPException(404, "no such picture")
    if not match[1]:
        return Response(data, media_type=episode.meta.mime)
    try:
        return Response(thumbnail(data), media_type="image/webp")
    except OSError as e:
        raise HTTPException(404, "not a picture") from e


def save_html(shelf: RunView, request: Request) -> Response:
    episode, _ = shelf.look(request.path_params["key"])
    r, manifest = episode.meta.record, shelf.run.manifest()
    notes = read_agent_notes(shelf.run, r.key, cell_spec(manifest, r.cell))
    return HTMLResponse(replay_file(episode, task_texts([manifest]).get(r.task), notes))


def save_webp(shelf: RunView, request: Request) -> Response:
    return Response(animation(shelf.look(request.path_params["key"])[0]), media_type="image/webp")


def live_page(shelf: RunView, request: Request) -> Response:
    now = {"totals": shelf.totals(), "driven": shelf.run.is_driven(), "doing": doing(shelf.run.holder())}
    return HTMLResponse(render("live", **_around(shelf, "Live"), **now))


def live_data(shelf: RunView, request: Request) -> Response:
    return JSONResponse({**live_view(shelf.run, shelf.now()[1], shelf.status()), **shelf.totals()})


def run_metrics(shelf: RunView, request: Request) -> Response:
    now = [lane for lane in lanes(shelf.run) if not lane["finished"]]
    shows = live_folder(shelf.run)
    seen = (len(now), sum(bool(lane["waiting_for"]) for lane in now)) if shows and shows.is_dir() else None
    data = metrics(request.path_params["run"], shelf.status(), seen)
    return Response(data, media_type=CONTENT_TYPE)


def live_picture(shelf: RunView, request: Request) -> Response:
    data = lane_frame(shelf.run, request.path_params["lane"])
    if data is None:
        raise HTTPException(404, "no such lane")
    return Response(data, media_type="image/png" if data[:4] == b"\x89PNG" else "image/jpeg")


async def take_note(shelf: RunView, request: Request) -> Response:
    """What a person says of an episode. JSON only: no other site's page can send that without being asked first."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise HTTPException(415, "a note is JSON")
    sent = b""
    async for part in request.stream():
        sent += part
        if len(sent) > NOTE_BYTES:
            raise HTTPException(413, "a note is shorter than that")
    try:
        note = Note.of(json.loads(sent))
        await run_in_threadpool(shelf.say, request.path_params["key"], note)
    except (UsageError, StoreError, ValueError, RecursionError) as e:
        return JSONResponse({"problem": safe_text(str(e), SHORT)}, status_code=400)
    return JSONResponse(note.facts())


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
    "export/{key}.html": save_html,
    "export/{key}.webp": save_webp,
    "live.html": live_page,
    "api/live": live_data,
    "live/{lane}.jpg": live_picture,
    "metrics": run_metrics,
}
"""Of a run, below `/runs/NAME/`."""


def site_app(runs: Runs, *, host: str = "127.0.0.1") -> Starlette:
    """The server's application."""

    def shelf_of(request: Request) -> RunView:
        shelf = runs.shelf(request.path_params["run"])
        if shelf is None:
            raise HTTPException(404, "there is no such run")
        return shelf

    def of_run(view: View) -> Callable[[Request], Response]:
        def respond(request: Request) -> Response:
            try:
                return view(shelf_of(request), request)
            except GwrayError as e:
                raise HTTPException(404, safe_text(str(e), SHORT)) from e

        return respond

    async def noted(request: Request) -> Response:
        return await take_note(await run_in_threadpool(shelf_of, request), request)

    def index(request: Request) -> Response:
        if runs.only is not None:
            return RedirectResponse(path_of(runs.only))
        pieces = stream(
            "runs", title="Runs", root="", home="./", pages=(), policy=SERVED_POLICY, lines=runs.lines(),
            version=__version__,
        )  # fmt: skip
        return StreamingResponse(_in_pieces(pieces), media_type="text/html; charset=utf-8")

    routes = [Route(f"/runs/{{run}}/{path}", _off_loop(of_run(view)), methods=["GET"]) for path, view in PAGES.items()]
    routes += [
        Route("/", _off_loop(index), methods=["GET"]),
        Route("/assets/{name}", _off_loop(file), methods=["GET"]),
        Route("/runs/{run}/assets/{name}", _off_loop(file), methods=["GET"]),
        Route("/runs/{run}/note/{key}", noted, methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=own_pages_only([host]))


def _in_pieces(pieces: Iterator[str], least: int = 400) -> Iterator[str]:
    """Fewer, larger ones."""
    held = ""
    for piece in pieces:
        held += piece
        if len(held) >= least:
            yield held
            held = ""
    yield held


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

    def __init__(self, runs: Runs | RunDir, *, host: str = "127.0.0.1", port: int = 0):
        import uvicorn

        runs = runs if isinstance(runs, Runs) else Runs(runs)
        config = uvicorn.Config(site_app(runs, host=host), log_level="warning", lifespan="off")
        self._server = uvicorn.Server(config)
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((host, port))
        except OSError as e:
            self._socket.close()
            raise UsageError(
                f"cannot listen on {host}:{port}: {e.strerror}. Choose another port (0: any free one)."
            ) from e
        shown_host = f"[{host}]" if ":" in host else host
        first = "" if runs.only is None else path_of(runs.only)
        self.url = f"http://{shown_host}:{self._socket.getsockname()[1]}/{first}"
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def __enter__(self) -> ViewServer:
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)
        self._socket.close()

    def wait(self) -> None:
        """Until the server ends or the caller is interrupted."""
        while self._thread.is_alive():
            self._thread.join(0.5)


def serve_view(
    runs: Runs | RunDir, host: str = "127.0.0.1", port: int = 0, *, on_ready: Callable[[str], None] | None = None
) -> None:
    """Serve the site until interrupted; `on_ready` is told the address of its first page. `port` 0 takes a free one."""
    with ViewServer(runs, host=host, port=port) as server:
        if on_ready:
            on_ready(server.url)
        try:
            server.wait()
        except KeyboardInterrupt:
            return
