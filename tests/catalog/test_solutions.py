"""Solutions are read with errors that say what is wrong, and written one line a task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gwray.catalog import load_catalog
from gwray.catalog.controls import Role
from gwray.catalog.game import Game
from gwray.catalog.solutions import Solution, read_solutions, write_solutions
from gwray.errors import GameError


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """Returns a game in a new folder."""
    return load_catalog().game("13_flappy-bird").model_copy(update={"folder": tmp_path})


def test_write_and_read_in_task_order(game: Game):
    one = Solution(found="search", roles={"player": ("flap", "wait")})
    two = Solution(found="by hand", roles={"player": ("wait",)})
    file = write_solutions(game, {"13_02": two, "13_01": one})
    assert read_solutions(game) == {"13_01": one, "13_02": two}
    assert list(read_solutions(game)) == ["13_01", "13_02"]
    assert len(file.read_text().splitlines()) == 4
    assert [p.name for p in game.folder.iterdir()] == ["solutions.json"]
    assert one.steps == 2


def test_a_game_without_the_file_has_no_solutions(game: Game):
    assert read_solutions(game) == {}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "not valid JSON"),
        ("[]", "mapping from task id"),
        (json.dumps({"99_01": {}}), "no task '99_01'"),
        (json.dumps({"13_01": {"roles": {"player": ["flap"]}}}), "found: is missing"),
        (json.dumps({"13_01": {"found": "x", "roles": {"bird": ["flap"]}}}), "the game has player"),
        (json.dumps({"13_01": {"found": "x", "roles": {"player": ["jump"]}}}), "step 0: 'jump' is not a control"),
        (json.dumps({"13_01": {"found": "x", "roles": {"player": ["flap a1"]}}}), "takes no argument"),
        (json.dumps({"13_01": {"found": "x", "roles": {"player": []}}}), "0 steps"),
        (json.dumps({"13_01": {"found": "x", "roles": {"player": ["flap"] * 101}}}), "101 steps; 1 to 100"),
    ],
)
def test_a_wrong_file_is_refused_with_the_reason(game: Game, content: str, complaint: str):
    (game.folder / "solutions.json").write_text(content)
    with pytest.raises(GameError, match=complaint):
        read_solutions(game)


def test_invalid_cells_and_unequal_lengths_are_refused(tmp_path: Path):
    mines = load_catalog().game("19_minesweeper").model_copy(update={"folder": tmp_path})
    entry = {"found": "x", "roles": {"player": ["reveal_cell j1"]}}
    (tmp_path / "solutions.json").write_text(json.dumps({"19_01": entry}))
    with pytest.raises(GameError, match="there is no cell 'j1'"):
        read_solutions(mines)
    two = load_catalog().game("12_fireboy-and-watergirl").model_copy(update={"folder": tmp_path})
    entry = {"found": "x", "roles": {"watergirl": ["wait"], "fireboy": ["wait", "wait"]}}
    (tmp_path / "solutions.json").write_text(json.dumps({"12_01": entry}))
    with pytest.raises(GameError, match="differ in length"):
        read_solutions(two)


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        ("push -0.5 0.5", ""),
        ("push 0", "needs x and y, each after a space"),
        ("push", "needs x and y"),
        ("push 400 0.5", "its argument 'x' must be a number from -1 to 1, not '400'"),
        ("push 0 2", "its argument 'y' must be a number from -1 to 1"),
        ("push 0 0.5 1", "its argument 'y' must be a number"),
    ],
)
def test_arguments_follow_parameter_order_and_bounds(tmp_path: Path, entry, complaint):
    flappy = load_catalog().game("13_flappy-bird")
    push = {"id": "push", "description": "d", "stick": {"centre": [200, 500], "radius": 50}}
    role = Role.model_validate({"name": "player", "description": "d", "clicks": True, "controls": [push]})
    game = flappy.model_copy(update={"folder": tmp_path, "roles": (role,)})
    write_solutions(game, {"13_01": Solution(found="by hand", roles={"player": (entry,)})})
    if not complaint:
        assert read_solutions(game)["13_01"].roles == {"player": (entry,)}
        return
    with pytest.raises(GameError) as e:
        read_solutions(game)
    assert complaint in str(e.value)


def test_every_committed_file_can_be_read():
    for game in load_catalog().games.values():
        read_solutions(game)
