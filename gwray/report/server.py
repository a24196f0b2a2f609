"""`gwray view`: the viewer over a run directory, for all its episodes, also while the run is going.

The same pages as the static report, made when they are asked for. Listens on this machine only and writes nothing.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from gwray.analysis import Diagnosis, PlannedTasks, counts, diagnose, episode_frame, plan_of
from gwray.errors import StoreError, UsageError
from gwray.local_server import own_pages_only
from gwray.pages import SERVED_POLICY
from gwray.report.asked import asked_of
from gwray.report.bundle import episode_columns, replay_bundle
from gwray.report.export import animation, replay_file
from gwray.report.pages import SERVED_PAGES, asset, render
from gwray.report.remembered import cell_of, remembered
from gwray.report.replay import frames, record_facts, thumbnail
from gwray.report.sanitize import SHORT, script_file, shown
from gwray.report.unfinished import Replays, UnfinishedEpisode, begun
from gwray.store import Episode, RunDir, results_frame

KEPT = 4
"""Episodes held in memory, with their pictures."""
FRESH_S = 30.0
"""How long one is believed before its file is read again."""
PATIENCE = 5
"""Results are believed for so many times as long as it took to read them: pages ask every second, and a run of tens of
thousands of episodes takes a second to read."""
LANE_GONE_S = 600.0
WAITING_GONE_S = 7200.0
_FRAME = re.compile(r"(t?)(\d{1,6})\.[a-z]{3,4}")


class _Shelf:
    """The run as it is now, and the few episodes that were looked at last."""

    def __init__(self, run: RunDir):
        self.run = run
        self._episodes: OrderedDict[str, tuple[float, Episode]] = OrderedDict()
        self._lock = threading.Lock()
        self._replays = Replays(run)
        self._now: tuple[pl.DataFrame, PlannedTasks] | None = None
        self._until = 0.0
        self._reading = threading.Lock()

    def now(self) -> tuple[pl.DataFrame, PlannedTasks]:
        with self._reading:
            if self._now is None or time.monotonic() >= self._until:
                start = time.monotonic()
                frame = episode_frame(results_frame(self.run, forks=True))
                self._now = frame, plan_of(frame, [self.run.manifest()])
                end = time.monotonic()
                self._until = end + PATIENCE * (end - start)
            return self._now

    def totals(self) -> dict[str, int]:
        """What there is and how far the run is."""
        frame, plan = self.now()
        n = [counts(frame, plan, c) for c in plan.cells]
        return {
            "n": frame.height, "planned": sum(c.planned for c in n), "finished": sum(c.finished for c in n),
            "failed": sum(c.failed for c in n),
        }  # fmt: skip

    def watchable(self, frame: pl.DataFrame) -> set[str]:
        """Saved episodes, and failed ones: their logs say how far they came."""
        failed = frame.filter(pl.col("status") == "failed")["key"]
        return {*self.run.episode_keys(), *(set(failed) & set(self.run.logged_keys()))}

    def begun(self, frame: pl.DataFrame) -> list[UnfinishedEpisode]:
        return begun(self.run, self.run.manifest(), set(frame["key"]))

    def state(self) -> str:
        """What an episode without a result is."""
        return "running" if self.run.is_driven() else "unfinished"

    def look(self, key: str, *, fresh: bool = False) -> tuple[Episode, str | None]:
        """The episode; if it has not ended, also a remark on what is shown of it. `fresh`: as far as it is now."""
        try:
            if self.run.has_episode(key):
                return self._ended(key), None
            so_far = self._replays.get(key, fresh=fresh)
        except (StoreError, UsageError) as e:
            raise HTTPException(404, str(e)) from e
        if so_far is None:
            raise HTTPException(404, f"episode {key} has not begun, or is not of this run")
        return so_far.episode, so_far.why

    def episode(self, key: str) -> Episode:
        return self.look(key)[0]

    def _ended(self, key: str) -> Episode:
        with self._lock:
            held = self._episodes.get(key)
            if held and time.monotonic() - held[0] < FRESH_S:
                self._episodes.move_to_end(key)
                return held[1]
        episode = self.run.read_episode(key)
        with self._lock:
            self._episodes[key] = (time.monotonic(), episode)
            while len(self._episodes) > KEPT:
                self._episodes.popitem(last=False)
        return episode


def viewer_app(run: RunDir, *, live: bool = False, host: str = "127.0.0.1") -> Starlette:
    """The server's application; `live` makes the wall of lanes the first page."""
    shelf = _Shelf(run)
    name = shown(run.manifest().get("name") or "run", SHORT)
    asked = asked_of([run.manifest()])
    common: dict[str, Any] = {"policy": SERVED_POLICY, "title": name, "pages": SERVED_PAGES}

    def first(request: Request) -> Response:
        return RedirectResponse("/live" if live else "/episodes.html")

    def list_page(request: Request) -> Response:
        return HTMLResponse(render("episodes", **common, root="", live_count=True))

    def list_data(request: Request) -> Response:
        frame, plan = shelf.now()
        columns = episode_columns(frame, plan, {}, shelf.watchable(frame), shelf.begun(frame), shelf.state())
        return _script(script_file("episodes", columns))

    def replay_page(request: Request) -> Response:
        key = request.path_params["key"]
        episode, unfinished = shelf.look(key, fresh=True)
        r = episode.meta.record
        page = render(
            "replay", key=r.key, root="../", policy=SERVED_POLICY, pages=SERVED_PAGES, inline=None,
            exports=unfinished is None, title=f"{shown(r.game, 80)} · {shown(r.task, 80)}",
        )  # fmt: skip
        return HTMLResponse(page)

    def replay_script(request: Request) -> Response:
        key = request.path_params["key"]
        episode, unfinished = shelf.look(key)
        frame, plan = shelf.now()
        r = episode.meta.record
        ended = unfinished is None and r.status == "finished"
        found = diagnose(episode.steps, success=r.success) if ended else Diagnosis(False, (), {})
        labels = [x.replace("_", " ") for x in found.labels]
        notes = remembered(run, key, cell_of(run.manifest(), r.cell))
        data = replay_bundle(
            episode, frame, plan, watchable=run.episode_keys(), labels=labels, asked=asked, notes=notes
        )  # fmt: skip
        if unfinished is not None:
            failed = next((f for f in run.failures() if f.key == key), None)
            state = "failed" if failed else shelf.state()
            data |= {"state": state, "unread": unfinished}
            data["record"]["status"] = state
            if failed:
                data["record"] |= {n: record_facts(failed)[n] for n in ("error_class", "error_message", "tries")}
        return _script(script_file(f"replay:{key}", data))

    def picture(request: Request) -> Response:
        match = _FRAME.fullmatch(request.path_params["name"])
        episode = shelf.episode(request.path_params["key"])
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

    def save_html(request: Request) -> Response:
        episode = shelf.episode(request.path_params["key"])
        r = episode.meta.record
        notes = remembered(run, r.key, cell_of(run.manifest(), r.cell))
        return HTMLResponse(replay_file(episode, asked.get(r.task), notes))

    def save_webp(request: Request) -> Response:
        return Response(animation(shelf.episode(request.path_params["key"])), media_type="image/webp")

    def now(request: Request) -> Response:
        return JSONResponse(shelf.totals())

    def live_page(request: Request) -> Response:
        return HTMLResponse(render("live", **common, root="/"))

    def live_data(request: Request) -> Response:
        shown_now = lanes(run)
        _, plan = shelf.now()
        planned = plan.episodes.filter(pl.col("key").is_in([x["episode"] for x in shown_now]))
        names = {k: shown(plan.cells[c].name, SHORT) for k, c in planned.select("key", "cell").iter_rows()}
        told = [{**x, "player": names.get(x["episode"], x["model"])} for x in shown_now]
        return JSONResponse({"lanes": told, **shelf.totals()})

    def live_picture(request: Request) -> Response:
        folder, lane = live_folder(run), request.path_params["lane"]
        file = folder / f"{lane}.jpg" if folder and _LANE.fullmatch(lane) else None
        if file is None or not _is_plain(file):
            raise HTTPException(404, "no such lane")
        data = file.read_bytes()
        return Response(data, media_type="image/png" if data[:4] == b"\x89PNG" else "image/jpeg")

    def file(request: Request) -> Response:
        wanted = request.path_params["name"]
        kinds = {"css": "text/css", "js": "text/javascript"}
        if wanted not in ("style.css", "theme.js", "report.js", "viewer.js", "live.js"):
            raise HTTPException(404, "no such file")
        return Response(asset(wanted), media_type=kinds[wanted.rpartition(".")[2]])

    pages: dict[str, Callable[[Request], Response]] = {
        "/": first,
        "/index.html": first,
        "/episodes.html": list_page,
        "/data/episodes.js": list_data,
        "/replay/{key}.html": replay_page,
        "/data/replay/{key}.js": replay_script,
        "/frames/{key}/{name}": picture,
        "/export/{key}.html": save_html,
        "/export/{key}.webp": save_webp,
        "/api/counts": now,
        "/live": live_page,
        "/api/live": live_data,
        "/live/{lane}.jpg": live_picture,
        "/assets/{name}": file,
    }
    routes = [Route(path, _off_loop(view), methods=["GET"]) for path, view in pages.items()]
    return Starlette(routes=routes, middleware=own_pages_only([host]))


def _off_loop(view: Callable[[Request], Response]):
    async def respond(request: Request) -> Response:
        response = await run_in_threadpool(view, request)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return respond


def _script(text: str) -> Response:
    return Response(text, media_type="text/javascript")


# the wall

_LANE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")


def live_folder(run: RunDir) -> Path | None:
    try:
        return run.live_path
    except StoreError:  # a link that leads out of the run directory
        return None


def lanes(run: RunDir, *, at: datetime | None = None) -> list[dict[str, Any]]:
    """What lanes last showed: `live/<lane>.json` beside `live/<lane>.jpg`, newest writers first to last by name.

    Half-written or foreign files are passed over; lanes that were silent for ten minutes are gone,
    those whose model is held back after two hours.
    """
    folder = live_folder(run)
    if folder is None or not folder.is_dir():
        return []
    out = []
    for file in sorted(folder.glob("*.json"))[:400]:
        if not _is_plain(file):
            continue
        try:
            facts = json.loads(file.read_text())
            then = datetime.fromisoformat(facts["at"])
            if then.tzinfo is None:
                then = then.replace(tzinfo=UTC)
            age = ((at or datetime.now(UTC)) - then).total_seconds()
            key, step, best = str(facts["episode"]), int(facts["step"]), float(facts["progress"])
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            continue
        waiting_for = facts.get("waiting_for")
        waiting_for = ", ".join(map(str, waiting_for)) if isinstance(waiting_for, list) else ""
        if age > (WAITING_GONE_S if waiting_for else LANE_GONE_S) or not _LANE.fullmatch(file.stem):
            continue
        picture = file.with_suffix(".jpg")
        out.append(
            {
                "lane": file.stem,
                "episode": key,
                "finished": bool(_LANE.fullmatch(key)) and run.has_episode(key),
                "watchable": bool(_LANE.fullmatch(key)),
                "step": step,
                "progress": min(1.0, max(0.0, best)) if best == best else 0.0,
                "age_s": round(age, 1),
                "picture": str(picture.stat().st_mtime_ns) if picture.is_file() else None,
                "waiting_for": shown(waiting_for, 120),
                **{k: shown(facts.get(k) or "", 120) for k in ("game", "task", "model")},
            }
        )
    return out


def _is_plain(file: Path) -> bool:
    """A file itself, as lanes write it: no link, no pipe."""
    return file.is_file() and not file.is_symlink()


class ViewServer:
    """The viewer in a thread: `with ViewServer(run) as server: server.url`."""

    def __init__(self, run: RunDir, *, host: str = "127.0.0.1", port: int = 0, live: bool = False):
        import uvicorn

        config = uvicorn.Config(viewer_app(run, live=live, host=host), log_level="warning", lifespan="off")
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
        self.url = f"http://{shown_host}:{self._socket.getsockname()[1]}/"
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
    run: RunDir,
    host: str = "127.0.0.1",
    port: int = 0,
    live: bool = False,
    *,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the viewer until interrupted; `on_ready` is told the address. `port` 0 takes a free one."""
    with ViewServer(run, host=host, port=port, live=live) as server:
        if on_ready:
            on_ready(server.url)
        try:
            server.wait()
        except KeyboardInterrupt:
            return
