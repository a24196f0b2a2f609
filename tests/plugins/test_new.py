"""The files that `gwray new` writes work unchanged."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gwray.catalog import read_model
from gwray.cli import app
from gwray.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GWRAY_HOME", raising=False)
    return tmp_path


def write(*words: str) -> str:
    done = CliRunner().invoke(app, ["new", *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def gwray(folder: Path, *words: str) -> str:
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "gwray", *words], cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_new_model_is_a_valid_profile(folder):
    assert "conf/model/my-model.yaml" in write("model", "my-model")
    model = read_model("my-model")
    assert (model.name, model.provider, model.sampling.max_output_tokens) == ("my-model", "openai_chat", 2048)


@pytest.mark.own_browser
@pytest.mark.slow
def test_new_game_and_agent_play(folder):
    write("game", "star-lanes")
    assert "my_agent.MyAgent" in write("agent", "my_agent")
    check = "dev solutions check --game star-lanes --executor inline"
    assert "2 of 2 tasks solved" in gwray(folder, *check.split())
    settings = "agent._target_=my_agent.MyAgent model=scripted game=my-games:star-lanes task=1 executor=inline name=one"
    assert "100 / 100" in gwray(folder, "run", *settings.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["model", "My Model"], "is not a name"),
        (["agent", "3d"], "no Python module"),
        (["model", "twice"], "twice.yaml exists"),
        (["game", "../escape"], "is not a name"),
        (["game", "fine", "--library", "../.."], "is not a name"),
    ],
)
def test_new_refuses_and_replaces_nothing(folder, words, message):
    write("model", "twice")
    before = sorted(folder.rglob("*"))
    with pytest.raises(UsageError, match=message):
        CliRunner().invoke(app, ["new", *words], catch_exceptions=False)
    assert sorted(folder.rglob("*")) == before


def test_new_refuses_a_folder_whose_files_are_ignored(folder):
    (folder / "conf").mkdir()
    (folder / "conf" / "config.yaml").write_text("")
    with pytest.raises(UsageError, match="GWRAY_HOME"):
        CliRunner().invoke(app, ["new", "model", "mine"], catch_exceptions=False)
