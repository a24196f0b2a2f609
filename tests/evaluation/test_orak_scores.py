"""The twelve score formulas of Orak, written as score terms, with vectors computed by hand."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright._impl._driver import compute_driver_executable

from gwray.catalog import Task
from gwray.errors import GameError
from gwray.evaluation import BestSoFar, evaluate_step
from gwray.evaluation.scoring import progress, score
from gwray.plugins import authoring
from gwray.plugins.authoring.lab import rules

CLEARED = {"field": "cleared", "is": True}
COURT = {"mc": (1, 3, 25), "ce1": (4, 1, 11), "ce2": (2, 1, 3), "ce3": (3, 1, 4)}
"""Weight, best reward and best number of steps of each subtask."""
COURT_TERMS = [
    {**term, "when": {"field": name, "exists": True}}
    for name, (weight, reward, steps) in COURT.items()
    for term in (
        {"field": f"{name}.reward", "over": reward, "weight": 7 * weight},
        {"value": steps, "over": f"{name}.steps", "weight": 3 * weight},
    )
]
FORMULAS: dict[str, dict[str, Any]] = {
    "fighter": {"score": [{"field": "stages", "weight": 10}], "target": 100},
    "platformer": {"score": "x", "start": 40, "target": 3161},
    "courtroom": {"score": COURT_TERMS, "target": 100},
    "archive": {"score": [{"field": "clips", "over": 271, "weight": 100}], "target": 100},
    "rpg": {"milestones": [{"name": f"flag_{n}", "field": "flags", "at_least": n} for n in range(1, 13)]},
    "dungeon": {
        "score": [
            {"field": "rooms", "over": "all_rooms", "weight": 40},
            {"field": "alive", "over": 4, "weight": 30, "when": CLEARED},
            {"value": 30, "when": CLEARED},
            {"field": "stress", "over": 800, "weight": -30, "when": CLEARED},
        ],
        "target": 100,
    },
    "crafting": {"score": [{"value": 100, "when": {"field": "inventory", "contains": "table"}}], "target": 100},
    "farm": {"score": "gold", "start": 200, "target": 1156, "progress": {"cap": None, "floor": None, "take": "last"}},
    "strategy": {"score": [{"value": 100, "when": {"field": "winner", "is": "us"}}], "target": 100},
    "deck": {"score": ["floors", {"field": "bosses", "over": 3, "weight": 50}], "target": 100},
    "rules": {
        "score": [
            {"value": 60, "when": CLEARED},
            {"value": 20, "when": {"any": [CLEARED, {"field": "broken", "is": True}]}},
            {"value": 20, "when": {"any": [CLEARED, {"all": [{"field": f, "is": True} for f in ("broken", "win")]}]}},
        ],
        "target": 100,
    },
    "2048": {"score": [{"field": "points", "cap": 20000, "weight": 0.005}], "target": 100},
}


def court(**subtasks: tuple[int, int]) -> dict[str, Any]:
    return {name: {"reward": reward, "steps": steps} for name, (reward, steps) in subtasks.items()}


def dungeon(rooms: int, alive: int, stress: int) -> dict[str, Any]:
    return {"rooms": rooms, "all_rooms": 5, "alive": alive, "stress": stress, "cleared": rooms == 5}


def board(cleared: bool, broken: bool, win: bool) -> dict[str, Any]:
    return {"cleared": cleared, "broken": broken, "win": win}


VECTORS = [
    ("fighter", {"stages": 3}, 30),
    ("platformer", {"x": 40}, 0),
    ("platformer", {"x": 1600.5}, 50),
    ("courtroom", court(mc=(3, 25), ce1=(1, 11), ce2=(1, 3), ce3=(1, 4)), 100),
    ("courtroom", court(mc=(0, 50), ce1=(0, 50), ce2=(0, 50), ce3=(0, 50)), 5.22),
    ("courtroom", {}, 0),
    ("courtroom", court(mc=(2, 50)), 7 * 2 / 3 + 3 / 2),
    ("archive", {"clips": 271}, 100),
    ("archive", {"clips": 27.1}, 10),
    ("rpg", {"flags": 0}, 0),
    ("rpg", {"flags": 10}, 1000 / 12),
    ("dungeon", dungeon(3, 4, 0), 24),
    ("dungeon", dungeon(5, 4, 0), 100),
    ("dungeon", dungeon(5, 3, 400), 40 + 22.5 + 15),
    ("dungeon", dungeon(5, 1, 800), 47.5),
    ("crafting", {"inventory": ["wood"]}, 0),
    ("crafting", {"inventory": ["wood", "table"]}, 100),
    ("farm", {"gold": 0}, 100 * -200 / 956),
    ("farm", {"gold": 200}, 0),
    ("farm", {"gold": 1156}, 100),
    ("farm", {"gold": 1213}, 100 * 1013 / 956),
    ("strategy", {"winner": "them"}, 0),
    ("strategy", {"winner": "us"}, 100),
    ("deck", {"floors": 17, "bosses": 1}, 17 + 50 / 3),
    ("deck", {"floors": 50, "bosses": 3}, 100),
    ("rules", board(False, False, True), 0),
    ("rules", board(False, True, False), 20),
    ("rules", board(False, True, True), 40),
    ("rules", board(True, False, False), 100),
    ("2048", {"points": 5000}, 25),
    ("2048", {"points": 30000}, 100),
]


def task(name: str, **changes: Any) -> Task:
    return Task.model_validate({"id": "t", "instruction": "i", **FORMULAS[name], **changes})


@pytest.mark.parametrize(("name", "state", "points"), VECTORS)
def test_formula_gives_points(name, state, points):
    game = task(name)
    ended = {**state, "terminal": {"isTerminal": True, "outcome": "done"}}
    result, best = evaluate_step(ended, game, 0, BestSoFar())
    assert 100 * best.best == pytest.approx(points) == 100 * result.progress


def test_searches_score_alike():
    """`authoring/lab.js` evaluates the same tasks inside a page."""
    code = (Path(authoring.__file__).parent / "lab.js").read_text()
    asked = [[rules(task(name)), {**state, "terminal": {"isTerminal": False}}] for name, state, _ in VECTORS]
    script = f"{code}; console.log(JSON.stringify({json.dumps(asked)}.map(([t, s]) => evaluate(t, s).progress)))"
    node, _ = compute_driver_executable()
    done = subprocess.run([node, "-"], input=script, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert [100 * p for p in json.loads(done.stdout)] == pytest.approx([points for _, _, points in VECTORS])


def test_every_formula_is_tried():
    assert len(FORMULAS) == 12 and {name for name, _, _ in VECTORS} == {*FORMULAS}


def test_last_value_counts_even_if_it_is_worse():
    game, best = task("farm"), BestSoFar()
    for gold in (1156, 80):
        _, best = evaluate_step({"gold": gold}, game, 5, best)
    assert best.best == pytest.approx(-120 / 956) and best.best_score == 80


@pytest.mark.parametrize(
    ("term", "complaint"),
    [({}, "either `field` or `value`"), ({"field": "a", "value": 1}, "either"), ({"field": "a", "over": 0}, "by 0")],
)
def test_wrong_term_is_refused(term, complaint):
    with pytest.raises(ValueError, match=complaint):
        task("farm", score=[term])


def test_division_by_a_zero_field_is_a_game_error():
    with pytest.raises(GameError, match="'all_rooms' is 0"):
        score({"rooms": 0, "all_rooms": 0}, task("dungeon"))
    assert progress({"gold": 100}, task("farm", progress={})) == 0
