"""A checkout of the published benchmark is a library, in each of its layouts; a folder without games is none."""

from pathlib import Path

import pytest

from gwray.catalog import Catalog, load_catalog
from gwray.errors import GameError, UsageError
from gwray.places import GAMES

GAME = """\
game_name: 01_2048
speed_multiplier: 1.0
game_rules: "Slide {tiles}."
game_roles:
  - name: player
    prompt: {role_section: You slide., computer_use_controls_section: "- ArrowUp: up"}
    computer_use_controls: {allowed_keys: [ArrowUp], hold_duration: 0.5, key_durations: {ArrowUp: 0.3}}
    semantic_controls:
      - {id: wait, description: Wait., binding: {action: wait, duration: 1.0}}
      - {id: up, description: Up., binding: {action: press_key, key: ArrowUp}}
      - {id: both, description: Both., binding: {action: press_keys, keys: [ArrowUp, a], duration: 0.2}}
      - {id: look, description: Look., binding: {action: mouse_move, from_x: 1, from_y: 2, x: 3, y: 4}}
      - {id: hold, description: Hold., binding: {action: click_hold, x: 5, y: 6, button: right}}
      - {id: word, description: Type., binding: {action: type}, parameters: {text: {type: string}}}
      - id: flag
        description: Flag.
        binding: {action: click, cell_param: true, cell_bindings: {a1: {x: 10, y: 20}, b1: {x: 35, y: 20}}}
"""
TASK = """\
task_id: "01_01"
game_id: 01_2048
evaluator_id: game_api_metric
max_steps: 7
task_target_score_field: 2.0
task_start_score_field: 0
continue_on_fail: false
game_url_suffix: "?level=1"
task_prompt: Reach {2}.
evaluator_config:
  terminal_status: fail
  score_field: game_state.score
  aggregate_score_fields: [game_state.a, game_state.b]
  end_field: terminal.isTerminal
  metrics_fields: [game_state.a]
"""


def checkout(root: Path, pages: str, game: str = GAME, task: str = TASK, page: str = "<title>x</title>") -> Path:
    for name, text in (("catalog/games/01_2048.yaml", game), ("catalog/tasks/01_2048/01_01.yaml", task)):
        file = root / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
    file = root / pages / "01_2048" / "index.html"
    file.parent.mkdir(parents=True)
    file.write_text(page)
    return root


@pytest.mark.parametrize("pages", ["games/benchmark", "games", "../gameworld-games/benchmark", "../gameworld-games"])
def test_checkout_is_a_library_in_each_layout(tmp_path, pages):
    """Its games have a namespace of their own: the remake of the same id stays what it is."""
    root = checkout(tmp_path / "gameworld", pages)
    catalog = load_catalog([f"gameworld:{root}"])
    assert [(g.id, t.id) for g, t in catalog.select(["gameworld/01_2048"], ["all"])] == [("gameworld/01_2048", "01_01")]
    assert catalog.game("01_2048").folder.is_relative_to(GAMES)
    assert catalog.selected("gameworld:01_2048") == [catalog.game("01_2048")]
    with pytest.raises(UsageError, match=r"more than one library has a game '01_2048'.*gameworld/01_2048"):
        catalog.selected("01_2048")
    assert catalog.selected("library:gameworld-checkout") == [catalog.game("gameworld/01_2048")]
    game = catalog.game("gameworld/01_2048")
    role, task = game.roles[0], game.tasks[0]
    assert (role.keys, role.hold_ms, role.key_hold_ms) == (("ArrowUp", "a"), 500, {"ArrowUp": 300})
    by_id = {c.id: c for c in role.controls}
    assert (by_id["wait"].hold_ms, by_id["both"].press, by_id["hold"].hold_click) == (1000, ("ArrowUp", "a"), True)
    flag = by_id["flag"]
    assert flag.value(flag.point, {"cell": flag.parameters["cell"].value("b1", "cell")}) == (35, 20)
    assert ([t.field for t in task.score], task.target, task.max_steps) == (["game_state.a", "game_state.b"], 2, 7)
    assert (task.options, task.reset_on_fail, task.instruction) == ("?level=1", False, "Reach (2).")


@pytest.mark.parametrize(
    ("game", "task", "said"),
    [
        (GAME.replace("multiplier: 1.0", "multiplier: 2"), TASK, "speed_multiplier 2 is not supported"),
        (GAME, TASK.replace("game_api_metric", "noop"), "evaluator 'noop' is not supported"),
        (GAME.replace("action: type", "action: dance"), TASK, "'dance' of the published catalog"),
        (GAME.replace("game_name: 01_2048", "game_name: 02_x"), TASK, "no page of 02_x; tried"),
    ],
)
def test_what_cannot_be_converted_is_an_error_with_its_reason(tmp_path, game, task, said):
    catalog = Catalog([], [checkout(tmp_path / "gw", "games", game, task)])
    with pytest.raises(GameError, match=said):
        catalog.game("gameworld/01_2048")


def test_folder_without_games_is_refused(tmp_path):
    (tmp_path / "01_2048").mkdir()
    (tmp_path / "01_2048" / "index.html").write_text("x")
    with pytest.raises(UsageError, match=r"has no game.*game-yaml.*gameworld:PATH"):
        load_catalog([tmp_path])
