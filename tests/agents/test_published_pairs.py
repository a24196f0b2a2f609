"""All eighteen published pairs play complete episodes of two real games in a real browser, through their real SDKs."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from rich.console import Console
from standin import Say, Standin
from test_profiles import PAIRS, computer, function, qwen, uitars

from gwray.agents.coordinates import Grid
from gwray.catalog import load_catalog
from gwray.cli.executors import make_executor
from gwray.pipelines.plan import make_plan
from gwray.pipelines.run import run_plan
from gwray.pipelines.settings import run_spec
from gwray.settings import ModelSpec

STEPS = 6
GAMES = ("01_2048", "19_minesweeper")


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> str:
    """The two games with few steps, under their own names."""
    import re
    import shutil

    from gwray.places import GAMES as BUNDLED

    root = tmp_path_factory.mktemp("library")
    for name in GAMES:
        shutil.copytree(BUNDLED / "gameworld" / name, root / f"short-{name}")
        yaml = root / f"short-{name}" / "game.yaml"
        text = yaml.read_text().replace(f"id: {name}", f"id: short-{name}")
        yaml.write_text(re.sub(r"(\n    start: )", rf"\n    max_steps: {STEPS}\1", text))
    return str(root)


def scripted(spec: ModelSpec, interface: str, game: str, at: tuple[float, float]) -> Say:
    """`ArrowLeft` in the one game, a click on c4 in the other, as this pair writes it."""
    slides = game.endswith("2048")
    if interface == "semantic":
        name, arguments = ("move_left", {}) if slides else ("reveal_cell", {"cell": "c4"})
        return qwen(name, arguments) if spec.semantic_format == "qwen" else function(name, **arguments)
    x, y = Grid.from_spec(spec.image, (1280, 720)).from_viewport(*at)
    match spec.computer_use_format, spec.provider:
        case "qwen", _:
            raw: dict[str, Any] = {"action": "key", "keys": ["left"]}
            return qwen("computer_use", raw if slides else {"action": "left_click", "coordinate": [x, y]})
        case (("uitars" | "seed"), _):
            return uitars("hotkey(key='left')" if slides else f"click(point='<point>{x} {y}</point>')")
        case _, "anthropic":
            click = {"action": "left_click", "coordinate": [x, y]}
            return computer(**({"action": "key", "text": "Left"} if slides else click))
        case _, "gemini":
            return function("key_combination", keys="left") if slides else function("click_at", x=x, y=y)
        case _:
            click = {"type": "click", "x": x, "y": y, "button": "left"}
            return computer(**({"type": "keypress", "keys": ["LEFT"]} if slides else click))


@pytest.mark.slow
@pytest.mark.parametrize("interface", ["computer_use", pytest.param("semantic", marks=pytest.mark.whole)])
async def test_all_published_pairs_finish_both_games(interface, library, standin: Standin, profile, tmp_path):
    specs = {n: profile(n, self_hosted=False) for n, i in PAIRS if i == interface}
    found = load_catalog([library])
    cells = found.game(f"short-{GAMES[1]}").roles[0].control("reveal_cell").cells
    at = cells.centre("c4")

    def answer(wire: str, body: dict[str, Any], session: str) -> Say:
        # A session belongs to one episode, and so to one model and one game.
        episode = episodes[session]
        return scripted(specs[episode.cell.model.name], interface, episode.game, at)

    job = {
        "libraries": library,
        "game": [f"short-{g}" for g in GAMES],
        "task": "1",
        "interface": interface,
        "memory_rounds": 1,
        "executor": {"name": "inline", "lanes": 3},
        "tracking": {"mode": "disabled"},
        "name": "pairs",
        "run_dir": str(tmp_path / "run"),
    }
    plan = make_plan([run_spec({**job, "model": spec.model_dump()}) for spec in specs.values()])
    episodes = {e.key: e for e in plan.episodes}
    standin.answer = answer
    ended = await run_plan(plan, Console(file=io.StringIO()), make_executor)
    assert ended.run.failures() == []
    assert standin.problems == []
    records = ended.run.results()
    assert {(r.model, r.game) for r in records} == {(n, f"short-{g}") for n in specs for g in GAMES}
    for r in records:
        assert (r.proposals, r.no_tool_call, r.out_of_space) == (r.steps, 0, 0), r
        assert r.input_tokens == 1000 * r.steps and r.cached_tokens == 200 * r.steps
        assert r.output_tokens == 50 * r.steps and r.reasoning_tokens == 10 * r.steps
        assert r.latency_ms > 0
        hosted = episodes[r.key].cell.model.api_key_env is None
        assert r.cost_usd is None if hosted else r.cost_usd and r.cost_usd > 0
        for row in ended.run.read_steps(r.key, images=False):
            action = json.loads(row.action or "{}")
            if r.game.endswith("2048"):
                assert action["key"] == "ArrowLeft"
            else:
                assert abs(action["x"] - at[0]) <= 1 and abs(action["y"] - at[1]) <= 1
    opened = {r.model: r.score for r in records if r.game.endswith("minesweeper")}
    assert len(set(opened.values())) == 1 and min(opened.values()) > 0  # the click went where it was meant to go
    files = [f for f in (tmp_path / "run").rglob("*") if f.is_file()]
    assert files and not [f for f in files if b"test-key-0123456789" in f.read_bytes()]
