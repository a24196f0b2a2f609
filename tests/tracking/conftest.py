"""A machine without W&B settings, a stand-in server, and a run to track."""

import os

import pytest
from episodes_to_track import FAKE_KEY, cell
from wandb_server import WandbServer

from gwray.store import RunDir, RunManifest


@pytest.fixture(autouse=True)
def clean_machine(monkeypatch, tmp_path):
    for name in [n for n in os.environ if n.startswith("WANDB_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("NETRC", raising=False)
    return home


@pytest.fixture
def server(monkeypatch):
    with WandbServer() as server:
        monkeypatch.setenv("WANDB_BASE_URL", server.url)
        monkeypatch.setenv("WANDB_API_KEY", FAKE_KEY)
        yield server


@pytest.fixture
def run(tmp_path):
    manifest = RunManifest(name="my sweep", cells=(cell("random", 6), cell("scripted", 6)))
    return RunDir.create(tmp_path / "run", manifest)
