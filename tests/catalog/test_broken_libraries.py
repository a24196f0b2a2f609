"""A broken library or game of the user stops only the commands that ask for it."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from gwray.catalog import Catalog, load_catalog
from gwray.catalog.catalog import _catalog, _warn_once
from gwray.cli import main as gwray
from gwray.errors import GameError, UsageError
from gwray.places import GAMES, home
from gwray.store import RunDir

GAME = """\
id: 01_tap
title: Tap
summary: A game
rules: Play it.
roles:
  - name: player
    description: You
    keys: [Space]
    controls:
      - {id: tap, description: Tap, press: Space}
tasks:
  - {id: tap_1, instruction: Go, score: score, target: 3}
"""


def add_game(library: Path, name: str, text: str = GAME) -> Path:
    folder = library / name
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<title>x</title>")
    (folder / "game.yaml").write_text(text.replace("01_tap", name).replace("tap_1", f"{name[:2]}_1"))
    return folder / "game.yaml"


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """`games/mine` in the user's folder, with one valid game."""
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    add_game(tmp_path / "games" / "mine", "01_tap")
    return tmp_path / "games" / "mine"


def command(monkeypatch, capsys, *words):
    """Runs one command as in a new process: nothing is cached, and warnings are printed once."""
    _catalog.cache_clear()
    _warn_once.cache_clear()
    monkeypatch.setattr(sys, "argv", ["gwray", *words])
    with pytest.raises(SystemExit) as ended:
        gwray()
    out, err = capsys.readouterr()
    return ended.value.code or 0, out, err


def test_library_id_defaults_to_folder_name(mine):
    (mine / "library.yaml").write_text("title: Mine\n")
    assert load_catalog().library_of("01_tap").id == "mine" == load_catalog().libraries["mine"].title.lower()
    (mine / "library.yaml").write_text("")
    assert Catalog([mine]).library_of("01_tap").id == "mine"


@pytest.mark.parametrize("text", ["title: [", "titel: Mine", "- a", "[" * 300_000, "id: Mine!", "title: \x00",
                                  "defaults: {02_none: {action.per_reply: 2}}", "id: gameworld"])  # fmt: skip
def test_broken_library_yaml_is_skipped_with_one_warning(mine, capsys, text):
    (mine / "library.yaml").write_text(text)
    for _ in range(2):
        catalog = load_catalog()
    assert "13_flappy-bird" in catalog.games and "01_tap" not in catalog.games and mine not in catalog.extra
    err = capsys.readouterr().err
    assert err.count("warning:") == 1 and str(mine) in err.splitlines()[0]
    assert f"This library is skipped. Fix it, or move {mine} out of the libraries." in err
    for ask in (lambda: catalog.game("01_tap"), lambda: catalog.select(["library:mine"], ["all"]),
                lambda: catalog.require(["games/mine"])):  # fmt: skip
        with pytest.raises(UsageError, match="mine"):
            ask()


@pytest.mark.parametrize(
    "text",
    ["", "id: 02_half\ntitle: Half\n", "a: &a [*a]", "{a: " * 100_000, "x: " + "[" * 65 + "]" * 65, "tasks: \x00"],
)
def test_broken_game_yaml_is_skipped_with_one_warning(mine, capsys, text):
    file = add_game(mine, "02_half", text)
    catalog = load_catalog()
    assert "13_flappy-bird" in catalog.games and catalog.game("01_tap").folder == mine / "01_tap"
    assert catalog.extra == (mine,)
    err = capsys.readouterr().err
    assert err.count("warning:") == 1 and str(file) in err and f"Fix it, or move {file.parent} out" in err
    for selector in ("02_half", "library:mine"):
        with pytest.raises(GameError, match=f"{file}:\\d*"):
            catalog.select([selector], ["all"])


def test_copy_of_a_bundled_game_has_the_namespace_of_its_library(mine):
    add_game(mine, "13_flappy-bird")
    catalog = load_catalog()
    assert catalog.game("12_fireboy-and-watergirl") and catalog.games["13_flappy-bird"].folder.is_relative_to(GAMES)
    assert [g.folder for g in catalog.selected("mine/13_flappy-bird")] == [mine / "13_flappy-bird"]
    assert catalog.selected("mine:13_flappy-bird") == catalog.selected("mine/13_flappy-bird")


def test_given_library_must_be_valid(tmp_path):
    add_game(tmp_path / "theirs", "01_tap")
    add_game(tmp_path / "theirs", "02_half", "")
    assert "01_tap" in Catalog([], [tmp_path / "theirs"]).games
    (tmp_path / "theirs" / "library.yaml").write_text("titel: Theirs")
    with pytest.raises(UsageError, match="titel"):
        Catalog([], [tmp_path / "theirs"])


def test_bundled_library_must_be_valid(mine):
    add_game(mine, "02_half", "")
    with pytest.raises(GameError):
        Catalog([mine])


def test_unreadable_files_and_folders(capsys):
    """Without read permission: a `game.yaml`, a `library.yaml`, a file of a game, a game folder, a library."""
    root = Path(tempfile.mkdtemp())
    root.chmod(0o755)
    user = os.geteuid()
    denied = []
    for n, part in enumerate(("01_tap/game.yaml", "library.yaml", "01_tap/index.html", "01_tap", ".")):
        library = root / f"lib{n}"
        add_game(library, "01_tap")
        (library / "library.yaml").write_text("")
        denied.append(library / part)
        denied[-1].chmod(0)
    add_game(root / "fine", "07_fine")
    try:
        if user == 0:
            os.seteuid(65534)
        catalog = Catalog([], own=[*(root / f"lib{n}" for n in range(5)), root / "fine"])
    finally:
        os.seteuid(user)
        for place in denied:
            place.chmod(0o700)
        shutil.rmtree(root)
    assert set(catalog.games) == {"07_fine"}
    assert [str(place.relative_to(root)) for place in sorted(catalog.problems)] == [
        "lib0/01_tap/game.yaml", "lib1", "lib2/01_tap/game.yaml", "lib3/01_tap/game.yaml", "lib4",
    ]  # fmt: skip
    for problem in catalog.problems.values():
        assert "cannot be read" in str(problem) and "ermission denied" in str(problem)


def test_unreadable_home(tmp_path, monkeypatch):
    stat = Path.stat

    def deny(self, **kwargs):
        if tmp_path in self.parents:
            raise PermissionError(13, "Permission denied", str(self))
        return stat(self, **kwargs)

    monkeypatch.setattr(Path, "stat", deny)
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    with pytest.raises(UsageError, match=f"'{tmp_path}', which cannot be read"):
        home()
    monkeypatch.delenv("GWRAY_HOME")
    monkeypatch.chdir(tmp_path)
    assert home() is None


@pytest.mark.slow
def test_unrelated_commands_work_with_one_warning(mine, monkeypatch, capsys):
    """`run`, `games` and `verify --stored` with a half-written library and a half-written game beside it."""
    (mine / "library.yaml").write_text("title: Mine\ncategory: puzzle\n")
    options = ["model=noop", "executor=inline", "tracking.mode=disabled", "run_dir=run"]
    code, out, err = command(monkeypatch, capsys, "run", "game=13_flappy-bird", "task=1", *options)
    assert code == 0, out + err
    assert err.count("warning:") == 1 and f"{mine}/library.yaml: category" in err
    assert len(RunDir.open("run").results()) == 1
    code, out, _ = command(monkeypatch, capsys, "games")
    assert code == 0 and "13_flappy-bird" in out and "01_tap" not in out
    code, out, _ = command(monkeypatch, capsys, "verify", "run", "--stored")
    assert code == 0, out
    code, out, err = command(monkeypatch, capsys, "run", "game=01_tap", "dry_run=true", *options[:-1])
    assert code != 0 and "category" in out + err
    (mine / "library.yaml").unlink()
    add_game(mine, "02_half", "id: 02_half\ntitle: Half\n")
    for words in (["verify", "run", "--stored"], ["games"]):
        code, out, err = command(monkeypatch, capsys, *words)
        assert code == 0, out + err
    assert "01_tap" in out
    code, out, err = command(monkeypatch, capsys, "run", "game=02_half", "dry_run=true", *options[:-1])
    assert code != 0 and "02_half/game.yaml" in out + err
