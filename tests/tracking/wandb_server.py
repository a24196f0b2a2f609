"""A stand-in for the W&B server: the part of its wire that a client uses to log runs, kept in memory.

History lines are kept by offset, as the real file stream does, and nothing is ever removed. What it does not know it
answers emptily and notes in `unknown`.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


@dataclass
class StoredRun:
    name: str
    display_name: str = ""
    group: str = ""
    project: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, dict[int, str]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    complete: bool = False

    @property
    def history(self) -> list[dict[str, Any]]:
        stored = self.lines.get("wandb-history.jsonl", {})
        return [json.loads(stored[i]) for i in sorted(stored)]

    @property
    def summary(self) -> dict[str, Any]:
        stored = self.lines.get("wandb-summary.json", {})
        return json.loads(stored[max(stored)]) if stored else {}


class WandbServer:
    """`with WandbServer() as server:` listens on a free port of 127.0.0.1."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self._host = host
        self.runs: dict[str, StoredRun] = {}
        self.keys: set[str] = set()
        self.unknown: list[str] = []
        self.views: dict[str, dict[str, Any]] = {}
        self.closed: set[str] = set()
        """Projects that the key may not see."""
        self.hang = threading.Event()
        """While set, requests get no answer."""
        app = Starlette(
            routes=[
                Route("/graphql", self._graphql, methods=["POST"]),
                Route("/files/{entity}/{project}/{run}/file_stream", self._stream, methods=["POST"]),
                Route("/upload/{run}/{path:path}", self._upload, methods=["PUT"]),
                Route("/sdk/{rest:path}", self._ignore, methods=["POST"]),
            ]
        )
        self._server = uvicorn.Server(uvicorn.Config(app, host=host, port=0, log_level="critical", lifespan="off"))
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> WandbServer:
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            time.sleep(0.01)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://{self._host}:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.hang.clear()
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(timeout=10)

    async def _graphql(self, request: Request) -> Response:
        await self._maybe_hang()
        self._note_key(request)
        body = await request.json()
        found = re.search(r"(?:query|mutation)\s+(\w+)", body["query"])
        operation = found.group(1) if found else "?"
        answer = getattr(self, f"_on_{operation}", None)
        if answer is None:
            self.unknown.append(operation)
            return JSONResponse({"data": {}})
        return JSONResponse({"data": answer(body.get("variables") or {})})

    async def _maybe_hang(self) -> None:
        while self.hang.is_set():  # noqa: ASYNC110  (set and cleared by another thread)
            await asyncio.sleep(0.05)

    def _note_key(self, request: Request) -> None:
        scheme, _, value = request.headers.get("authorization", "").partition(" ")
        if scheme == "Basic":
            self.keys.add(base64.b64decode(value).decode().partition(":")[2])

    def _on_Viewer(self, _: dict[str, Any]) -> dict[str, Any]:
        teams = {"edges": [{"node": {"name": "team", "id": "t"}}]}
        return {"viewer": {"id": "v", "entity": "team", "username": "user", "flags": "{}", "teams": teams}}

    def _on_ServerFeaturesQuery(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"serverInfo": {"features": []}}

    def _on_RunResumeStatus(self, v: dict[str, Any]) -> dict[str, Any]:
        run = self.runs.get(v["name"])
        if run is None:
            return {"model": {"id": "p", "name": v["project"], "entity": {"id": "e", "name": "team"}, "bucket": None}}
        stored = run.lines.get("wandb-history.jsonl", {})
        tail = json.dumps([stored[max(stored)]] if stored else [])
        bucket = {
            "id": f"id-{run.name}", "name": run.name, "displayName": run.display_name, "tags": [], "notes": None,
            "summaryMetrics": json.dumps(run.summary), "historyLineCount": len(stored), "historyTail": tail,
            "eventsLineCount": 0, "eventsTail": "[]", "logLineCount": 0, "wandbConfig": '{"t": 1}',
            "config": json.dumps({k: {"value": c} for k, c in run.config.items()}),
        }  # fmt: skip
        return {"model": {"id": "p", "name": run.project, "entity": {"id": "e", "name": "team"}, "bucket": bucket}}

    def _on_UpsertBucket(self, v: dict[str, Any]) -> dict[str, Any]:
        new = v["name"] not in self.runs
        run = self.runs.setdefault(v["name"], StoredRun(v["name"]))
        run.project = v.get("project") or run.project
        if v.get("displayName"):
            run.display_name = v["displayName"]
        if v.get("groupName"):
            run.group = v["groupName"]
        if v.get("config"):
            sent = json.loads(v["config"])
            run.config |= {k: c["value"] for k, c in sent.items() if k != "_check_wandb"}
        project = {"id": "p", "name": run.project, "entity": {"id": "e", "name": "team"}}
        bucket = {
            "id": f"id-{run.name}", "name": run.name, "displayName": run.display_name, "description": "",
            "config": "{}", "sweepName": None, "project": project, "historyLineCount": len(run.history),
        }  # fmt: skip
        return {"upsertBucket": {"bucket": bucket, "inserted": new}}

    # A table is kept as an artifact too: declared here, its files are put like any other upload.

    def _on_ArtifactType(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"project": {"artifact": None}}

    def _on_CreateArtifact(self, v: dict[str, Any]) -> dict[str, Any]:
        run = v["input"]["runName"]
        sequence = {"latestArtifact": None}
        return {"createArtifact": {"artifact": {"id": f"art-{run}", "state": "PENDING", "artifactSequence": sequence}}}

    def _on_CreateArtifactManifest(self, v: dict[str, Any]) -> dict[str, Any]:
        manifest = {"id": f"man-{v['runName']}", "file": {"id": "f", "uploadUrl": None, "uploadHeaders": []}}
        return {"createArtifactManifest": {"artifactManifest": manifest}}

    def _on_CreateArtifactFiles(self, v: dict[str, Any]) -> dict[str, Any]:
        nodes = []
        for f in v["input"]["artifactFiles"]:
            run = f["artifactID"].removeprefix("art-")
            node = {"storagePath": f["name"], "uploadUrl": f"{self.url}/upload/{run}/artifact/{f['name']}"}
            nodes.append({"node": node | {"uploadHeaders": [], "artifact": {"id": f["artifactID"]}}})
        return {"createArtifactFiles": {"files": {"edges": nodes}}}

    def _on_UpdateArtifactManifest(self, v: dict[str, Any]) -> dict[str, Any]:
        manifest = v["artifactManifestID"]
        url = f"{self.url}/upload/{manifest.removeprefix('man-')}/artifact/wandb_manifest.json"
        file = {"id": "f", "uploadUrl": url, "uploadHeaders": []}
        return {"updateArtifactManifest": {"artifactManifest": {"id": manifest, "file": file}}}

    def _on_CommitArtifact(self, v: dict[str, Any]) -> dict[str, Any]:
        return {"commitArtifact": {"artifact": {"id": v["artifactID"], "digest": "d"}}}

    def _on_CreateRunFiles(self, v: dict[str, Any]) -> dict[str, Any]:
        files = [{"name": f, "uploadUrl": f"{self.url}/upload/{v['run']}/{f}"} for f in v["files"]]
        return {"createRunFiles": {"runID": f"id-{v['run']}", "uploadHeaders": [], "files": files}}

    async def _stream(self, request: Request) -> Response:
        await self._maybe_hang()
        self._note_key(request)
        body = await request.json()
        run = self.runs[request.path_params["run"]]
        for name, chunk in (body.get("files") or {}).items():
            lines = run.lines.setdefault(name, {})
            for i, line in enumerate(chunk["content"]):
                lines[chunk["offset"] + i] = line
        run.complete = run.complete or bool(body.get("complete"))
        return JSONResponse({"limits": {}})

    async def _upload(self, request: Request) -> Response:
        await self._maybe_hang()
        self.runs[request.path_params["run"]].files[request.path_params["path"]] = await request.body()
        return Response()

    async def _ignore(self, request: Request) -> Response:
        return JSONResponse({})

    # A workspace is a view of a project, found by its name.

    def _on_View(self, v: dict[str, Any]) -> dict[str, Any]:
        if v["projectName"] in self.closed:
            return {"project": None}
        there = [view for view in self.views.values() if view["name"] == v["viewName"]]
        nodes = [{"node": {"id": x["id"], "displayName": x["displayName"], "spec": x["spec"]}} for x in there]
        return {"project": {"allViews": {"edges": nodes}}}

    def _on_UpsertView2(self, v: dict[str, Any]) -> dict[str, Any]:
        known = v.get("id") or f"view-{len(self.views)}"
        self.views[known] = {**v, "id": known}
        return {"upsertView": {"view": {"id": known, "name": v["name"]}, "inserted": not v.get("id")}}
