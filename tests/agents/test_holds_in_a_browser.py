"""Mining is holding the mouse: each published computer-use pair gathers the dirt of 18_01 in a real browser, with the
holds and fixed durations of its prompt."""

from __future__ import annotations

import io
from collections import defaultdict
from typing import Any

import pytest
from rich.console import Console
from standin import Say, Standin
from test_profiles import PAIRS, computer, function, qwen, uitars

from gwray.agents.coordinates import Grid
from gwray.catalog import load_catalog, read_solutions
from gwray.cli.executors import make_executor
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec
from gwray.settings import ModelSpec

GAME, TASK = "18_minecraft-clone-glm", "18_01"
MIDDLE = (640.0, 360.0)
"""A movement onto it does not turn the view."""
HOLDS = 3
"""Holds of half a second that mine for one second; the last block restarts each time."""


def answer_text(spec: ModelSpec, what: str, at: tuple[float, float] = MIDDLE) -> Say:
    """The key of a slot, a movement of the pointer or a hold of the button, as this pair writes it."""
    x, y = Grid.from_spec(spec.image, (1280, 720)).from_viewport(*at)
    point = f"point='<point>{x} {y}</point>'"
    forms: dict[str, dict[str, Any]] = {
        "qwen": {
            "key": lambda: qwen("computer_use", {"action": "key", "keys": ["3"]}),
            "look": lambda: qwen("computer_use", {"action": "mouse_move", "coordinate": [x, y]}),
            "hold": lambda: qwen("computer_use", {"action": "long_press", "coordinate": [x, y]}),
        },
        "text": {
            "key": lambda: uitars("hotkey(key='3')"),
            "look": lambda: uitars(f"click({point})"),  # its words have no movement alone; a tool puts nothing down
            "hold": lambda: uitars(f"long_press({point})"),
        },
        "anthropic": {
            "key": lambda: computer(action="key", text="3"),
            "look": lambda: computer(action="mouse_move", coordinate=[x, y]),
            "hold": lambda: computer(action="left_mouse_down"),
        },
        "gemini": {
            "key": lambda: function("key_combination", keys="3"),
            "look": lambda: function("hover_at", x=x, y=y),
            "hold": lambda: function("drag_and_drop", x=x, y=y, destination_x=x, destination_y=y),
        },
        "openai_responses": {
            "key": lambda: computer(type="keypress", keys=["3"]),
            "look": lambda: computer(type="move", x=x, y=y),
            "hold": lambda: computer(type="drag", path=[{"x": x, "y": y}] * 2),
        },
    }
    form = {"qwen": "qwen", "seed": "text", "uitars": "text"}.get(spec.computer_use_format, spec.provider)
    return forms[form][what]()


def script(spec: ModelSpec) -> list[Say]:
    """The committed solution in raw input."""
    out = []
    for control in read_solutions(load_catalog().game(GAME))[TASK].roles["player"]:
        if control == "mine_target":
            out += [answer_text(spec, "hold")] * HOLDS
        elif control.startswith("look_"):
            out += [answer_text(spec, "look"), answer_text(spec, "look", (640, 460 if control == "look_down" else 260))]
        else:
            assert control == "select_slot_3"
            out.append(answer_text(spec, "key"))
    return out


@pytest.mark.slow
@pytest.mark.whole
async def test_each_published_computer_use_pair_gathers_dirt(standin: Standin, profile, tmp_path):
    specs = [profile(n, self_hosted=False) for n, i in PAIRS if i == "computer_use"]
    scripts = {s.name: script(s) for s in specs}
    turns: dict[str, int] = defaultdict(int)

    def answer(wire: str, body: dict[str, Any], session: str) -> Say:
        says = scripts[models[session]]
        turns[session] += 1
        return says[min(turns[session], len(says)) - 1]

    job = {
        "game": GAME,
        "task": TASK,
        "interface": "computer_use",
        "executor": {"name": "inline", "lanes": 4},
        "tracking": {"mode": "disabled"},
        "name": "holds",
        "run_dir": str(tmp_path / "run"),
    }
    plan = make_plan([run_spec({**job, "model": s.model_dump()}) for s in specs])
    models = {e.key: e.cell.model.name for e in plan.episodes}
    standin.answer = answer
    ended = await run_plan(plan, Console(file=io.StringIO()), make_executor)
    assert standin.problems == [] and ended.run.failures() == []
    records = {r.model: r for r in ended.run.results()}
    assert len(records) == 8
    for name, record in records.items():
        assert record.success and record.out_of_space == record.no_tool_call == 0, (name, record.score, record.steps)
