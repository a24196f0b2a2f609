"""Pages on engines of others, as `gwray onboard` brought them in: they play, carry no mark, and verify."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from typer.testing import CliRunner

from engines import CARDS, DOCS, ENGINES, GAMES, install, write_page
from engines.cards import page
from gwray.cli import app
from gwray.store import RunDir


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library with a game on each engine."""
    try:
        install()
    except (OSError, subprocess.SubprocessError) as e:
        pytest.skip(f"the engines cannot be installed: {e}")
    folder = tmp_path_factory.mktemp("library") / "engines"
    for name in ENGINES:
        write_page(name, folder / name)
        shutil.copy(GAMES / f"{name}.yaml", folder / name / "game.yaml")
    return folder


def gwray(*words: object) -> str:
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.slow
@pytest.mark.own_browser
def test_engines_play_without_marks_and_verify_at_other_lanes(library, tmp_path):
    run = tmp_path / "run"
    gwray(
        "run", "model=random", "game=library:engines", f"libraries=[{library}]", "limit.steps=4", "executor=inline",
        "executor.lanes=1", "tracking.mode=disabled", f"run_dir={run}", "report=false",
    )  # fmt: skip
    records = {r.game: r for r in RunDir.open(str(run), [str(library)]).results()}
    assert set(records) == set(ENGINES)
    assert {name: r.caveats for name, r in records.items() if not r.reproducible} == {}
    assert {name: (*r.health, *r.page_errors) for name, r in records.items() if r.health or r.page_errors} == {}
    said = gwray("verify", run, "--library", library, "--lanes", 4, "--executor", "inline")
    assert f"{len(ENGINES)} identical" in said, said


def test_page_of_engines_has_every_card():
    cards = json.loads(CARDS.read_text())
    assert set(cards) == set(ENGINES) == {file.stem for file in GAMES.glob("*.yaml")}
    assert page(cards) == DOCS.read_text(), "run python tests/engines/cards.py"
    assert {name: card["verdict"] for name, card in cards.items() if card["verdict"] != "repeatable"} == {}
