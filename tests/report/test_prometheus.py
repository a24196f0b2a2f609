"""Prometheus metrics of a run, and a dashboard that uses them."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from runs_to_report import ask

from gwray.records import EngineReading
from gwray.report import ViewServer
from gwray.report.live import metrics
from gwray.store import PlayingNow, RunDir, RunStatus, status_of

DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana.json"
BUSY = PlayingNow("k", "m", "g", "t", 3, 1.5)
STATUS = RunStatus(
    "url", True, 10, 4, 1, 6, (BUSY,), {"ModelError": 1}, {"alpha": 3, 'be"ta\n': 1}, {"m": (4, 10)}, 700, 80,
    None, 2.5, 9.0, 144.0,
)  # fmt: skip


def parse_metrics(text: str) -> dict[tuple[str, ...], float]:
    """By name and the values of the labels, but for the run's."""
    return {
        (sample.name, *(v for k, v in sorted(sample.labels.items()) if k != "run")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def hosted(tmp_path) -> RunDir:
    run = RunDir.create(tmp_path / "run")
    facts = {"model": "m", "replicas": 2, "running": 5.0, "kv_usage": 0.25, "generation_tokens_per_s": 80.0, "at": "",
             "lanes": 4, "lanes_waiting": 1}  # fmt: skip
    run.append_engines(EngineReading(**facts, waiting=waiting) for waiting in (9.0, 3.0))
    return run


def with_engines(run: RunDir) -> RunStatus:
    return replace(STATUS, engines=status_of(run).engines)


def test_last_reading_of_each_hosted_model(hosted):
    assert [(one.model, one.waiting) for one in status_of(hosted).engines] == [("m", 3.0)]


def test_run_metrics_skip_unknown_values(hosted):
    with hosted.lock("judged"):
        status = replace(with_engines(hosted), holder=hosted.holder())
    found = parse_metrics(metrics("run", status, (4, 2)).decode())
    assert found["gwray_held", "judged"] == 1
    assert found["gwray_episodes", "planned"] == 10 and found["gwray_episodes", "left"] == 6
    assert found["gwray_lanes", "held_back"] == 2 and found["gwray_driven",] == 1
    assert found["gwray_machine_episodes_finished", 'be"ta\n'] == 1
    assert found["gwray_failures", "ModelError"] == 1 and found["gwray_eta_seconds",] == 144
    assert found["gwray_engine_waiting", "m"] == 3, "the last reading"
    assert ("gwray_cost_usd",) not in found and ("gwray_engine_requests_per_s", "m") not in found


def test_dashboard_uses_existing_metrics(hosted):
    paid = replace(with_engines(hosted), cost_usd=1.5)
    families = text_string_to_metric_families(metrics("run", paid, (4, 2)).decode())
    labels = {f.name: {k for s in f.samples for k in s.labels} for f in families}
    dashboard = json.loads(DASHBOARD.read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert len(asked) >= 14
    for name, chosen in re.findall(r"(gwray_\w+)\{([^}]*)\}", " ".join(asked)):
        assert set(re.findall(r"(\w+)=", chosen)) <= labels[name], name
    shown = {
        name
        for panel in dashboard["panels"]
        for t in panel["targets"]
        for name in re.findall(r"{{(\w+)}}", t["legendFormat"])
    }
    assert shown <= set().union(*labels.values())


def test_site_serves_metrics(built):
    with ViewServer(built.run) as server:
        page = ask(server.url + "metrics")
    assert page.status_code == 200 and page.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = parse_metrics(page.text)
    assert found["gwray_episodes", "finished"] == len(built.run.results())
    assert ("gwray_lanes", "playing") not in found, "unknown"
