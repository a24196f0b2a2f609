"""The workspace that `gwray workspace` makes: the real library against a stand-in of the server."""

import json
from collections.abc import Iterator

import pytest
from episodes_to_track import FAKE_KEY, cell, episode, play
from typer.testing import CliRunner

from gwray.cli import app
from gwray.errors import UsageError
from gwray.plugins.workspace.layout import workspace_of
from gwray.plugins.workspace.saving import sync_workspace
from gwray.records import EngineReading
from gwray.settings import TrackingSpec
from gwray.store import RunDir, RunManifest

SPEC = TrackingSpec()
SWEEP = 'lr=2 it\'s "the" sweep'


@pytest.fixture
def run(tmp_path):
    """Two cells, one of them with an axis; a hosted engine was read once."""
    run = RunDir.create(tmp_path / "run", RunManifest(name=SWEEP, cells=(cell("random", 6), cell("scripted", 6))))
    look = {"replicas": 1, "running": 1, "waiting": 2, "kv_usage": 0.5}
    run.append_engines([EngineReading(model="random", at="2026-01-01T00:00:00+00:00", **look)])
    for i in range(4):
        play(run, episode(i, finished_at="2026-01-01T00:00:10+00:00"))
    play(run, episode(0, model="scripted", cost_usd=None))
    return run


def panels(spec: dict) -> Iterator[tuple[str, dict]]:
    """Section and panel, in order."""
    for section in spec["section"]["panelBankConfig"]["sections"]:
        for panel in section["panels"]:
            yield section["name"], panel


def only_view(server) -> tuple[dict, dict]:
    (view,) = server.views.values()
    return view, json.loads(view["spec"])


def known_as(stored) -> set[str]:
    """Every spelling in which a panel may name what this run of the server has."""
    names = {f"summary:{k}" for k in stored.summary} | set(stored.summary) | {k for row in stored.history for k in row}
    for key, value in stored.config.items():
        inner = value if isinstance(value, dict) else {}
        for path in (f"{key}.value", *(f"{key}.value.{k}" for k in inner)):
            names |= {path, f"config:{path}"}
    return names


def named_by(panel: dict) -> list[str]:
    config = panel["config"]
    return [
        *config.get("metrics", ()),
        *(column["accessor"] for column in config.get("columns", ())),
        *([config["groupBy"]] if config.get("groupBy") else ()),
    ]


def test_the_workspace_shows_the_sweep_by_metrics_that_its_runs_have(run, server):
    made, places = sync_workspace(run, SPEC)

    view, spec = only_view(server)
    assert (view["entityName"], view["projectName"], view["type"]) == ("team", "gwray", "project-view")
    assert view["displayName"] == 'lr 2 it\'s "the" sweep'
    assert made == f"{server.url}/team/gwray?nw={view['name'].removeprefix('nw-').removesuffix('-v')}"
    assert len(places) == 2 and server.unknown == [] and server.keys == {FAKE_KEY}

    shown = list(panels(spec))
    sections = list(dict.fromkeys(name for name, _ in shown))
    assert sections == ["Cells", "Profiles", "Running", "Settings", "Reruns", "Engines", "Episodes"]
    known = set.union(*map(known_as, server.runs.values()))
    for section, panel in shown:
        for name in named_by(panel):
            assert name in known, f"{section}: {name} is logged by no run"
    reports = {name for _, panel in shown for name in named_by(panel)}
    assert {"pg/genre/puzzle", "sr/level/2", "cost/usd", "engine/waiting", "axes.value.fog", "cell.value"} <= reports
    assert '"episodes"' in json.dumps(shown[-1])  # the query panel's table

    runs = spec["section"]["runSets"][0]
    (choice,) = runs["filters"]["filters"]
    assert choice["key"] == {"section": "run", "name": "group"} and choice["value"] == SWEEP
    assert {stored.group for stored in server.runs.values()} == {SWEEP}
    assert runs["sort"]["keys"] == [{"key": {"section": "summary", "name": "pg/overall"}, "ascending": False}]
    columns = runs["runFeed"]["columnOrder"]
    assert columns[:4] == ["run:displayName"] + [f"summary:episodes/{w}" for w in ("planned", "finished", "failed")]
    assert set(columns[1:]) <= known


@pytest.mark.slow
def test_workspace_of_same_sweep_is_replaced(run, server):
    first, _ = sync_workspace(run, SPEC)
    play(run, episode(4, genre="strategy"))
    again, _ = sync_workspace(run, SPEC)
    _, spec = only_view(server)
    assert again == first and "pg/genre/strategy" in json.dumps(spec)


def test_what_no_cell_logged_has_no_panel():
    made = workspace_of("plain", [], {"pg/overall", "sr/overall"}, {"pg/overall"})
    assert [s["name"] for s in made["sections"]] == ["Cells", "Running", "Settings", "Reruns", "Episodes"]
    shown = [m for s in made["sections"] for p in s["panels"] for m in p["metrics"]]
    assert set(shown) == {"pg/overall", "sr/overall", "episodes"} and shown.count("sr/overall") == 1


def test_workspace_without_key_says_what_to_do(run, server, monkeypatch):
    monkeypatch.setenv("WANDB_MODE", "offline")
    with pytest.raises(UsageError, match="WANDB_MODE=offline disables it: unset WANDB_MODE"):
        sync_workspace(run, SPEC)
    monkeypatch.delenv("WANDB_MODE")
    monkeypatch.delenv("WANDB_API_KEY")
    shown = CliRunner().invoke(app, ["workspace", run.url])
    assert isinstance(shown.exception, UsageError) and "export WANDB_API_KEY=" in str(shown.exception)
    assert server.runs == {} and server.views == {}


def test_a_run_without_an_episode_has_no_workspace(tmp_path, server):
    empty = RunDir.create(tmp_path / "empty", RunManifest(name="empty", cells=(cell("random", 6),)))
    with pytest.raises(UsageError, match="has no episode yet"):
        sync_workspace(empty, SPEC)
