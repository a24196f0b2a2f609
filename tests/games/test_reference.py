"""The bundled library agrees with the published benchmark in everything that is a fact."""

from __future__ import annotations

import json
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from gwray.catalog import load_catalog
from gwray.catalog.controls import Control, Role
from gwray.catalog.game import Game
from gwray.catalog.solutions import read_solutions

PUBLISHED = files("gwray.catalog") / "published"
GAMES: list[dict[str, Any]] = json.loads((PUBLISHED / "games.json").read_text())
TASKS: list[dict[str, Any]] = json.loads((PUBLISHED / "tasks.json").read_text())

CAPPED = {f"12_0{n}": "each character must take its own gems; the published sum let one take all" for n in range(1, 6)}
"""Tasks whose score fields are capped on purpose."""


def bundled(game_id: str) -> Game:
    return load_catalog().game(game_id)


def hold(control: Control, role: Role) -> float:
    own = [role.key_hold_ms[k] for k in control.press if k in role.key_hold_ms]
    return control.hold_ms or (max(own) if own else role.hold_ms)


@pytest.mark.parametrize("facts", GAMES, ids=lambda g: g["id"])
def test_game_matches_published_facts(facts: dict[str, Any]):
    game = bundled(facts["id"])
    assert (game.genre, game.level, list(game.viewport)) == (facts["genre"], facts["level"], facts["viewport"])
    assert [r.name for r in game.roles] == [r["name"] for r in facts["roles"]]
    for role, published in zip(game.roles, facts["roles"], strict=True):
        assert set(role.keys) == {named(k) for k in published["keys"]}
        assert (role.clicks, role.hold_ms) == (published["clicks"], published["hold_ms"])
        assert role.key_hold_ms == published.get("key_hold_ms", {})
        assert [c.id for c in role.controls] == [c["id"] for c in published["controls"]]
        expected = Role(
            name=role.name,
            description="",
            keys=role.keys,
            clicks=role.clicks,
            hold_ms=role.hold_ms,
            key_hold_ms=role.key_hold_ms,
            controls=tuple(control(c) for c in published["controls"]),
        )
        for ours, theirs in zip(role.controls, expected.controls, strict=True):
            assert binding(ours) == binding(theirs), ours.id
            assert hold(ours, role) == hold(theirs, expected), ours.id


def named(key: str) -> str:
    return "Space" if key == " " else key


def control(published: dict[str, Any]) -> Control:
    """A published control as one of ours; where its cells lie on the screen is the page's business."""
    data = {**published, "description": "", "press": tuple(map(named, published.get("press", ())))}
    if "cells" in data:
        data["cells"] = {**data["cells"], "origin": (0, 0), "pitch": (1, 1)}
    return Control.model_validate(data)


def binding(control: Control) -> dict[str, Any]:
    out = control.model_dump(exclude={"description", "hold_ms"})
    if control.cells:
        out["cells"] = (control.cells.columns, control.cells.rows)
    return {**out, "press": sorted(control.press)}


@pytest.mark.parametrize("facts", TASKS, ids=lambda t: t["id"])
def test_task_scoring_matches_published_facts(facts: dict[str, Any]):
    game = bundled(facts["game"])
    assert [t.id for t in game.tasks] == [t["id"] for t in TASKS if t["game"] == game.id]
    task = game.task(facts["id"])
    assert [t.field for t in task.score] == facts["score"]
    assert (task.start, task.target) == (facts["start"], facts["target"])
    assert (task.options, task.max_steps) == (facts["options"], facts["max_steps"])
    assert task.reset_on_fail == facts["reset_on_fail"]
    assert (task.end.model_dump() if task.end else None) == facts["end"]
    assert set(facts["metrics"]) <= set(task.metrics)
    caps = [t.cap for t in task.score]
    if task.id in CAPPED:
        assert None not in caps and sum(c or 0 for c in caps) == task.target, CAPPED[task.id]
    else:
        assert caps == [None] * len(caps)


def test_an_instruction_names_the_number_to_reach():
    for _, task in load_catalog().select(["all"], ["all"]):
        words = task.instruction.replace(",", "")
        assert f"{task.target:g}" in words or task.id in CAPPED, f"{task.id} does not say {task.target:g}"


def test_library_is_complete():
    games = [g for g in load_catalog().games.values() if g.id in {f["id"] for f in GAMES}]
    assert (len(games), sum(len(g.tasks) for g in games), sum(len(g.roles) for g in games)) == (34, 170, 35)
    assert Counter(g.genre for g in games) == {
        "arcade": 7, "platformer": 8, "puzzle": 7, "runner": 8, "simulation": 4,
    }  # fmt: skip
    assert [t.id for g in games for t in g.tasks if t.id not in read_solutions(g)] == []
    assert Counter(g.level for g in games) == Counter(f["level"] for f in GAMES)
