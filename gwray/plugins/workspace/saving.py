"""Rebuilds the W&B runs of a run directory and saves a workspace that compares them."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from gwray.errors import UsageError
from gwray.plugins.workspace.layout import workspace_of
from gwray.settings import TrackingSpec
from gwray.store import RunDir
from gwray.tracking import Summaries, TrackedCell, WandbRuns, WandbTracker, has_key, rebuild


def require_online() -> None:
    """Raises `UsageError` if no data can be sent to a W&B server."""
    wished = os.environ.get("WANDB_MODE", "")
    if wished not in ("", "online"):
        raise UsageError(f"a workspace needs the W&B server, and WANDB_MODE={wished} disables it: unset WANDB_MODE")
    if not has_key():
        raise UsageError(
            "a workspace needs the W&B server, and no API key is configured: run `wandb login` or export "
            "WANDB_API_KEY=…, then repeat the command"
        )


def sync_workspace(run: RunDir, spec: TrackingSpec, summaries: Summaries | None = None) -> tuple[str, list[str]]:
    """Rebuilds the W&B runs and saves a workspace that compares the sweep's cells; returns its URL and those of the
    runs. Works online only, independent of the run's `tracking.mode`. Raises `UsageError` if no server can be reached
    or the run has no episode."""
    require_online()
    problems: list[str] = []
    tracker = _WorkspaceTracker(spec, run, "online", problems.append)
    places = rebuild(run, tracker, summaries)
    if tracker.workspace:
        return tracker.workspace, places
    if not problems and not places:
        raise UsageError(f"{run.url} has no episode yet: a workspace needs at least one")
    raise UsageError(f"no workspace was created. {' '.join(problems)}")


class _WorkspaceTracker(WandbTracker):
    workspace = ""
    """URL of the saved workspace; empty before it is saved."""

    def on_closed(self, runs: WandbRuns, sweep: str, cells: Sequence[TrackedCell]) -> None:
        logged, rows = (set().union(*names) for names in zip(*((c.summary, c.rows) for c in cells), strict=True))
        layout = workspace_of(sweep, [c.info for c in cells], logged, rows)
        self.workspace = save_workspace(runs, cells[0].wandb_id, layout)


def save_workspace(runs: WandbRuns, id: str, layout: Mapping[str, Any]) -> str:
    """Creates or replaces the workspace in the project of a closed run; returns its URL. `layout`: that of
    `workspace_of`."""
    import wandb_workspaces.reports.v2 as wr
    import wandb_workspaces.workspaces as ws

    entity, project = runs.projects[id]
    # By code points: the library takes quotation marks, `=`, `<` and `>` inside a value for parts of its filters.
    group = "".join(f"\\U{ord(c):08x}" for c in runs.hidden(layout["group"]))
    made = ws.Workspace(
        entity=entity,
        project=project,
        name=runs.hidden(layout["name"]),
        sections=[
            ws.Section(name=s["name"], panels=[_panel(wr, p) for p in s["panels"]], is_open=True)
            for s in layout["sections"]
        ],
        settings=ws.WorkspaceSettings(max_runs=layout["runs"]),
        runset_settings=ws.RunsetSettings(
            filters=f"Metric('Group') == '{group}'",
            order=[ws.Ordering(ws.Summary(layout["order"]), ascending=False)],
            pinned_columns=[f"summary:{name}" for name in layout["columns"]],
        ),
    )
    made._internal_name = f"nw-{layout['view']}-v"
    try:
        made._internal_id = ws.Workspace.from_url(made.url)._internal_id
    except ValueError as e:
        if "Workspace" not in str(e):
            raise
    made.save()
    return made.url


def _panel(wr: Any, p: Mapping[str, Any]) -> Any:
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
