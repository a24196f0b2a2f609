"""The process that speaks to W&B, and the only one that imports it.

W&B's client can hang, crash or print in the process that uses it; here none of that reaches the sweep. The writer
is run as a script with JSON messages on its standard input, one a line, and answers with JSON lines:

    in   {"do": "open", "run": id, "mode": …, "dir": …, "project": …, "entity": …, "group": …, "kind": …,
          "tags": […], "name": …, "config": {…}, "init_timeout": seconds}
         {"do": "row", "run": id, "step": n, "row": {…}}
         {"do": "table", "run": id, "columns": […], "rows": [[…]], "pictures": {row number: [first, last]}}
         {"do": "close", "run": id, "summary": {…}}
         {"do": "workspace", "run": id of one that was closed, "view": id, "name": …, "group": …,
          "columns": […], "order": …, "runs": n,
          "sections": [{"name": …, "panels": [{"kind": …, "title": …, "metrics": […], "by": […]}]}]}
         {"do": "end"}
    out  {"at": "…"}  {"problem": "…"}  {"unreachable": "…"}  {"link": url or folder, "run": id}  {"workspace": url}

If its input ends without "end", its owner was killed: the writer exits immediately, and the W&B runs are rebuilt when
the sweep is resumed. It imports only wandb and the standard library.
"""

import base64
import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any


class ServerUnreachable(Exception):
    """No online run could be begun. The client cannot begin the same run offline in the same process."""


class Writer:
    def __init__(self, say: Any):
        self._say = say
        self._runs: dict[str, Any] = {}
        self._links: dict[str, str] = {}
        self._homes: dict[str, tuple[str, str]] = {}

    def open(self, m: dict[str, Any]) -> None:
        try:
            run = self._init(m)
        except Exception as e:
            if m["mode"] == "online":
                raise ServerUnreachable(_short(e)) from e
            raise
        # Values of one episode, or of the episodes so far: the last ones are no summary.
        for name in ("episode/*", "engine/*", "sr/overall/*", "sr/again/*", "pg/overall/*", "pg/again/*"):
            run.define_metric(name, summary="none")
        self._runs[m["run"]] = run
        self._links[m["run"]] = run.dir.removesuffix("/files") if run.offline else run.url
        self._homes[m["run"]] = (run.entity, run.project)
        self._say(at="open")

    def _init(self, m: dict[str, Any]) -> Any:
        import wandb

        # Whatever an earlier, killed writer left of this run is replaced: W&B would keep both otherwise.
        for old in (Path(m["dir"]) / "wandb").glob(f"*run-*-{m['run']}"):
            if old.is_dir() and not old.is_symlink():
                shutil.rmtree(old, ignore_errors=True)
        return wandb.init(
            id=m["run"],
            mode=m["mode"],
            dir=m["dir"],
            project=m["project"],
            entity=m["entity"],
            group=m["group"],
            job_type=m["kind"],
            tags=m["tags"],
            name=m["name"],
            config=m["config"],
            # Rows that W&B already has are kept there and left out here, see `row`.
            resume="allow" if m["mode"] == "online" else None,
            reinit="create_new",
            settings=wandb.Settings(
                init_timeout=m["init_timeout"],
                console="off",
                silent=True,
                disable_code=True,
                disable_git=True,
                save_code=False,
                x_disable_meta=True,
                x_disable_machine_info=True,
                x_disable_stats=True,
                x_save_requirements=False,
            ),
        )

    def row(self, m: dict[str, Any]) -> None:
        run = self._runs[m["run"]]
        if m["step"] >= run.starting_step:
            run.log(m["row"], step=m["step"], commit=True)
        if m["step"] % 100 == 0:
            self._say(at="row")

    def table(self, m: dict[str, Any]) -> None:
        try:
            self._log_table(self._runs[m["run"]], m)
        except Exception as e:  # a table is also an artifact, for which the client asks the server first
            self._say(problem=f"the table of episodes could not be logged ({_short(e)})")
        self._say(at="table")

    def close(self, m: dict[str, Any]) -> None:
        run = self._runs.pop(m["run"])
        run.summary.update(m["summary"])
        run.finish()
        self._say(link=self._links[m["run"]], run=m["run"])

    def workspace(self, m: dict[str, Any]) -> None:
        try:
            self._say(workspace=_save_workspace(m, *self._homes[m["run"]]))
        except Exception as e:
            self._say(problem=f"the workspace could not be saved ({_short(e)})")

    def _log_table(self, run: Any, m: dict[str, Any]) -> None:
        import wandb

        table = wandb.Table(columns=[*m["columns"], "first_frame", "last_frame"], allow_mixed_types=True)
        for i, row in enumerate(m["rows"]):
            table.add_data(*row, *(_image(p) for p in m["pictures"].get(str(i), (None, None))))
        # Into the summary, so that the history holds episodes and nothing else.
        run.summary["episodes"] = table


def _image(data: str | None) -> Any:
    if data is None:
        return None
    import wandb
    from PIL import Image

    return wandb.Image(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"), file_type="jpg")


def _save_workspace(m: dict[str, Any], entity: str, project: str) -> str:
    """Creates or replaces the view; returns its URL."""
    import wandb_workspaces.reports.v2 as wr
    import wandb_workspaces.workspaces as ws

    columns = [f"summary:{name}" for name in m["columns"]]
    # By code points: the library takes quotation marks, `=`, `<` and `>` inside a value for parts of its filters.
    group = "".join(f"\\U{ord(c):08x}" for c in m["group"])
    made = ws.Workspace(
        entity=entity,
        project=project,
        name=m["name"],
        sections=[
            ws.Section(name=s["name"], panels=[_panel(wr, p) for p in s["panels"]], is_open=True) for s in m["sections"]
        ],
        settings=ws.WorkspaceSettings(max_runs=m["runs"]),
        runset_settings=ws.RunsetSettings(
            filters=f"Metric('Group') == '{group}'",
            order=[ws.Ordering(ws.Summary(m["order"]), ascending=False)],
            pinned_columns=columns,
        ),
    )
    made._internal_name = f"nw-{m['view']}-v"
    try:
        made._internal_id = ws.Workspace.from_url(made.url)._internal_id
    except ValueError as e:
        if "Workspace" not in str(e):
            raise
    made.save()
    return made.url


def _panel(wr: Any, p: dict[str, Any]) -> Any:
    if p["kind"] == "line":
        return wr.LinePlot(title=p["title"], x="Step", y=p["metrics"])
    if p["kind"] == "table":
        return wr.WeavePanelSummaryTable(table_name=p["metrics"][0])
    if p["kind"] == "parallel":
        settings = [wr.ParallelCoordinatesPlotColumn(metric=wr.Config(name)) for name in p["by"]]
        results = [wr.ParallelCoordinatesPlotColumn(metric=wr.SummaryMetric(name)) for name in p["metrics"]]
        return wr.ParallelCoordinatesPlot(title=p["title"], columns=[*settings, *results])
    spread: dict[str, Any] = {}
    if p["by"]:
        spread = {"groupby": wr.Config(p["by"][0]), "groupby_aggfunc": "mean", "groupby_rangefunc": "stddev"}
    return wr.BarPlot(title=p["title"], metrics=p["metrics"], **spread)


def _short(e: BaseException) -> str:
    text = " ".join(str(e).split())
    return f"{type(e).__name__}: {text[:300]}"


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what the client prints goes to the log

    def say(**message: Any) -> None:
        answers.write(json.dumps(message) + "\n")

    writer = Writer(say)
    code = 1
    try:
        for line in sys.stdin:
            message = json.loads(line)
            if message["do"] == "end":
                if "wandb" in sys.modules:
                    sys.modules["wandb"].teardown()
                code = 0
                break
            getattr(writer, message["do"])(message)
    except ServerUnreachable as e:
        say(unreachable=str(e))
    except BaseException as e:
        say(problem=_short(e))
    # The client's exit hooks wait for a service that may be gone; `close` has already stored everything.
    if code:  # the owner may have been killed: then no other process removes the temporary files
        shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    os._exit(code)


if __name__ == "__main__":
    main()
