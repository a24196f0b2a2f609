"""The library's pages say what the games say, and what was measured."""

from __future__ import annotations

from pathlib import Path

from gwray.catalog import load_library
from gwray.catalog.difficulty import Difficulty, read_difficulties, write_difficulties
from gwray.catalog.docs import game_page, library_page, write_docs
from gwray.catalog.library import identity

GAME = load_library().game("19_minesweeper")
TASK = GAME.tasks[0]


def measured(**changes: object) -> Difficulty:
    facts = {
        "task": TASK.id,
        "identity": identity(GAME, TASK),
        "random_progress": (0.5, 1.0, 0.5, 0.5, 0.5),
        "random_success": (False, True, False, False, False),
        "noop_progress": 0.0,
        "search_progress": 1.0,
        "search_expansions": 3000,
    }
    return Difficulty.model_validate({**facts, **changes})


def test_a_game_page_has_rules_controls_tasks_and_numbers():
    page = game_page(GAME, {TASK.id: measured()})
    assert GAME.title in page and GAME.rules.strip() in page
    for control in GAME.roles[0].controls:
        assert f"`{control.id}`" in page
    for task in GAME.tasks:
        assert task.instruction.strip() in page
    assert f"| {TASK.id} | 0 → 58 | 20 | 60.0 | 0.0 | 100.0 (3000) |" in page


def test_the_library_page_counts_tasks_and_names_what_was_measured_on_an_older_version():
    page = library_page([GAME], {TASK.id: measured()})
    assert "1 games, 5 tasks" in page
    assert "SR 20.0 and PG 60.0" in page and "Waiting solves none" in page
    assert "older version" not in page
    assert f"older version of the game: {TASK.id}." in library_page([GAME], {TASK.id: measured(identity="old")})
    assert "Waiting solves 1" in library_page([GAME], {TASK.id: measured(noop_progress=1.0)})


def test_measured_numbers_survive_the_file(tmp_path: Path):
    file = tmp_path / "docs" / "library.json"
    assert read_difficulties(file) == {}
    write_difficulties({TASK.id: measured()}, file)
    assert read_difficulties(file) == {TASK.id: measured()}


def test_pages_of_games_that_are_gone_are_removed(tmp_path: Path):
    old = tmp_path / "games" / "00_gone.md"
    old.parent.mkdir()
    old.write_text("x")
    written = write_docs(tmp_path)
    assert not old.exists()
    assert {f.stem for f in written} == {"library", *load_library().games}
