"""The library's pages say what the games say, and what was measured."""

from __future__ import annotations

import runpy
from pathlib import Path

from gwray.catalog import load_catalog, prompt_text
from gwray.catalog.difficulty import Difficulty, read_difficulties, write_difficulties
from gwray.catalog.game import Game
from gwray.catalog.library import task_identity
from gwray.catalog.solutions import Solution, read_solutions

SCRIPT = runpy.run_path(str(Path(__file__).resolve().parents[2] / "scripts" / "library_docs.py"))
game_page, gets_harder, library_page, write_docs = (
    SCRIPT[n] for n in ("game_page", "gets_harder", "library_page", "write_docs")
)
GAME = load_catalog().game("19_minesweeper")
TASK = GAME.tasks[0]


def measured(**changes: object) -> Difficulty:
    facts = {
        "task": TASK.id,
        "identity": task_identity(GAME, TASK),
        "random_progress": (0.5, 1.0, 0.5, 0.5, 0.5),
        "random_success": (False, True, False, False, False),
        "noop_progress": 0.0,
        "search_progress": 1.0,
        "search_expansions": 3000,
    }
    return Difficulty.model_validate({**facts, **changes})


def test_a_game_page_has_rules_controls_tasks_and_numbers():
    page = game_page(GAME, {TASK.id: measured()})
    assert GAME.title in page and prompt_text(GAME.rules, keys=True) in page
    for control in GAME.roles[0].controls:
        assert f"`{control.id}`" in page
    for task in GAME.tasks:
        assert task.instruction.strip() in page
    assert f"| {TASK.id} | 0 → 58 | 20 | 60.0 | 0.0 | – | – | 0 |  | 100.0 (3000) |" in page
    assert "| random ≥ 50 |" in page


def test_a_game_page_lists_commands_with_their_parameters():
    page = game_page(load_catalog().game("p03_thirteen-days"), {})
    assert "| `till` | command. count is a whole number from 1 to 40: How many tiles. | until it has ended |" in page
    assert "| `sleep` | command. | until it has ended |" in page


def test_library_page_counts_tasks_and_lists_stale_ones():
    page = library_page([GAME], {TASK.id: measured()})
    assert "1 games, 5 tasks" in page
    assert "SR 20.0 and PG 60.0" in page and "Waiting solves none" in page
    assert "older version" not in page
    assert f"older version of the game: {TASK.id}." in library_page([GAME], {TASK.id: measured(identity="old")})
    assert "Waiting solves 1" in library_page([GAME], {TASK.id: measured(noop_progress=1.0)})


def solved(first: int, last: int, game: Game = GAME) -> dict[str, Solution]:
    role = game.roles[0]
    steps = {game.tasks[0].id: first, game.tasks[-1].id: last}
    return {t: Solution(found="by hand", roles={role.name: (role.controls[0].id,) * n}) for t, n in steps.items()}


def measured_at(first: float, last: float, game: Game = GAME) -> dict[str, Difficulty]:
    progress = {game.tasks[0].id: first, game.tasks[-1].id: last}
    return {t: measured(task=t, random_progress=(p,) * 5) for t, p in progress.items()}


def test_gets_harder_by_random_progress():
    assert gets_harder(GAME, measured_at(0.5, 0.1), solved(9, 5)) is True
    assert gets_harder(GAME, measured_at(0.1, 0.5), solved(5, 9)) is False
    assert gets_harder(GAME, {}, solved(5, 9)) is None


def test_gets_harder_by_solution_length():
    assert gets_harder(GAME, measured_at(0.0, 0.0), solved(5, 9)) is True
    assert gets_harder(GAME, measured_at(0.0, 0.0), solved(9, 9)) is False
    typed = load_catalog().game("32_wordle")
    assert gets_harder(typed, measured_at(0.2, 0.4, typed), solved(2, 6, typed)) is True


def test_last_bundled_task_is_harder_than_first_where_tasks_differ():
    games = load_catalog().selected("all")
    known = read_difficulties()
    assert [g.id for g in games if not gets_harder(g, known, read_solutions(g))] == ["32_wordle"]
    page = library_page(games, known)
    assert "By this it is not harder in: 32_wordle." in page


def test_the_page_names_a_game_whose_last_task_is_not_harder():
    page = library_page([GAME], measured_at(0.1, 0.5))
    assert f"By this it is not harder in: {GAME.id}." in page


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
    assert {f.stem for f in written} == {"library", *load_catalog().games}
