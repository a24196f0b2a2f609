"""A page is served its game's folder and what `uses` names; the rest of its library does not exist for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gwray.catalog import read_game
from gwray.environments import Opening, open_environment
from gwray.sandbox import BrowserOnDemand

GAME = """
id: {id}
title: Asks
summary: Asks for files
rules: None.
uses: [../shared, ../kit]
roles: [{{name: player, description: You, keys: [Space], controls: [{{id: go, description: Go, press: Space}}]}}]
tasks: [{{id: {id}_1, instruction: Go., score: game_state.score, target: 1}}]
"""
ALLOWED = ["own.txt", "in/own.txt", "../shared/a.txt", "../kit/random.js", "/kit/random.js"]
REFUSED = [
    "game.yaml", "GAME.yaml", "solutions.json", "player.py", "README.md", ".env", ".git/config", "../b/secret.txt",
    "/a/../b/secret.txt", "/b/game.yaml", "../library.yaml", "/library.yaml", "..%2fb%2fsecret.txt", 
    "own.txt/..%2f.env", "link.txt", "../../outside.txt", "../shared/.hidden", "../unused/a.txt",
]  # fmt: skip
PAGE = """<!doctype html><title>Asks</title><script>
const log = [];
const state = () => ({status: 'playing', terminal: {isTerminal: false}, game_state: {score: 0}, log});
window.gameAPI = {init() {}, reset() {}, getState: state};
for (const name of NAMES) fetch(name).then((r) => log.push([name, r.status]));
</script>"""


def library(root: Path) -> Path:
    files = {
        "a/own.txt": "", "a/in/own.txt": "", "a/solutions.json": "{}", "a/player.py": "", "a/README.md": "",
        "a/.env": "KEY=1", "a/.git/config": "", "b/secret.txt": "", "b/index.html": "", "shared/a.txt": "",
        "shared/.hidden": "", "unused/a.txt": "", "library.yaml": "id: mine\n",
    }  # fmt: skip
    files |= {"a/game.yaml": GAME.format(id="a"), "b/game.yaml": GAME.format(id="b")}
    files["a/index.html"] = PAGE.replace("NAMES", repr([*ALLOWED, *REFUSED]))
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root.parent / "outside.txt").write_text("")
    (root / "a/link.txt").symlink_to(root / "b/secret.txt")
    return root


async def test_only_own_and_used_folders_are_served(browser: BrowserOnDemand, tmp_path: Path):
    game = read_game(library(tmp_path / "lib") / "a/game.yaml")
    environment = await open_environment(Opening(game, game.tasks[0], 42, browser))
    try:
        await environment.advance(200)
        log = dict((await environment.read()).state["log"])
    finally:
        await environment.close()
    assert {n for n, status in log.items() if status == 200} == {*ALLOWED}
    assert {n for n, status in log.items() if status == 404} == {*REFUSED}


SERVED = ["a/own.txt", "a/in/own.txt", "shared/a.txt", "a/new.js"]
UNSERVED = [
    "a/.git/config", "a/.env", "b/secret.txt", "unused/a.txt", "shared/.hidden", "a/solutions.json", "a/player.py",
]  # fmt: skip


@pytest.mark.parametrize("name", [*SERVED, *UNSERVED])
async def test_exactly_the_served_files_are_part_of_the_games_version(tmp_path: Path, name: str):
    root = library(tmp_path / "lib")
    before = read_game(root / "a/game.yaml").files_hash
    (root / name).write_text("changed")
    assert (read_game(root / "a/game.yaml").files_hash != before) == (name in SERVED)
