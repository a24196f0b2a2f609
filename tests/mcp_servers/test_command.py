"""`gwray mcp`: what it refuses before it serves."""

from __future__ import annotations

import pytest

from gwray.cli import app
from gwray.errors import UsageError


def run(*words: str) -> None:
    app(["mcp", *words], standalone_mode=False)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("game", "01_2049"), "Did you mean 01_2048"),
        (("game", "01_2048", "1", "model=gpt-5"), "the client's own model plays"),
        (("game", "01_2048", "1", "game=13_flappy-bird"), "game is fixed"),
        (("agent", "01_2048", "1", "agent=pokegym"), "last module is act"),
        (("agent", "12_fireboy-and-watergirl", "1"), "choose one with --role"),
    ],
)
def test_wrong_use_says_what_to_do(tmp_path, monkeypatch, words, problem):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=problem):
        run(*words)


def test_without_the_package(monkeypatch):
    monkeypatch.setattr("gwray.plugins.mcp.commands.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'gwray\[mcp\]'"):
        run("game", "01_2048")
