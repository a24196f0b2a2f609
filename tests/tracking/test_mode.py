"""Tracking modes: online, offline, disabled."""

from pathlib import Path

import pytest
from episodes_to_track import FAKE_KEY, episode

from gwray.settings import TrackingSpec
from gwray.store import ManifestCell, RunManifest
from gwray.tracking import CellInfo, resolve_mode
from gwray.tracking.cells import cells_of
from gwray.tracking.progress import METRICS, MetricsSoFar

AUTO = TrackingSpec()


def test_without_a_key_nothing_leaves_the_machine():
    assert resolve_mode(AUTO) == "offline"


def test_a_key_means_online(monkeypatch):
    monkeypatch.setenv("WANDB_API_KEY", FAKE_KEY)
    assert resolve_mode(AUTO) == "online"


@pytest.mark.parametrize("host", ["api.wandb.ai", "api.forge.coreweave.com"])
def test_a_login_means_online(clean_machine, host):
    netrc = clean_machine / ".netrc"
    netrc.write_text(f"machine {host}\n  login user\n  password {FAKE_KEY}\n")
    netrc.chmod(0o600)
    assert resolve_mode(AUTO) == "online"


@pytest.mark.parametrize(
    ("wished", "mode"), [("offline", "offline"), ("disabled", "disabled"), ("online", "online"), ("dryrun", "offline")]
)
def test_the_variable_of_the_wandb_client_is_obeyed(monkeypatch, wished, mode):
    monkeypatch.setenv("WANDB_API_KEY", FAKE_KEY)
    monkeypatch.setenv("WANDB_MODE", wished)
    assert resolve_mode(AUTO) == mode
    assert resolve_mode(TrackingSpec(mode="offline")) == "offline", "what the sweep says comes first"


def test_a_cell_is_taken_from_the_manifest():
    manifest = RunManifest(cells=(ManifestCell(id="a", name="A", planned=3, model="m", spec={"x": 1}),))
    (cell,) = cells_of(manifest)
    assert cell == CellInfo(id="a", name="A", planned=3, config={"model": "m", "label": "m", "spec": {"x": 1}})


def test_the_documentation_names_every_metric_that_is_logged():
    page = (Path(__file__).parents[2] / "docs/wandb.md").read_text()
    progress = MetricsSoFar()
    record = episode(1, score=3.0)
    logged = set(progress.add(record)) | set(progress.summary())
    for name in logged:
        for kind, value in (("genre", record.genre), ("level", str(record.level)), ("game", record.game)):
            name = name.replace(f"/{kind}/{value}", f"/{kind}/<{kind}>")
        assert f"`{name}`" in page, name


def test_the_documentation_names_every_figure_of_an_engine():
    page = (Path(__file__).parents[2] / "docs/wandb.md").read_text()
    assert [f for f in METRICS if f"`engine/{f}`" not in page] == []
