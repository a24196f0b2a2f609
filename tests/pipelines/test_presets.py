"""The studies in conf/experiment/ are plans that can be made."""

import json
from functools import cache

import pytest

from gwray.cli.compose import compose_configs, job_specs
from gwray.errors import UsageError
from gwray.pipelines.plan import Plan, make_plan
from gwray.places import BUNDLED, CONF
from gwray.settings import ObservationSpec
from gwray.studies.orak.ranks import orak_games

PRESETS = sorted(str(f.relative_to(CONF / "experiment").with_suffix("")) for f in CONF.glob("experiment/**/*.yaml"))


@cache
def plan(*overrides: str) -> Plan:
    return make_plan(job_specs(overrides))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.slow
def test_every_preset_makes_a_plan(name):
    made = plan(f"experiment={name}")
    assert made.episodes and (name != "main" or len(made.episodes) == 18 * 170)
    assert not [n for n in made.notices if "left out" in n], "a preset names only pairs that exist"


@pytest.mark.slow
def test_smoke_plays_every_study_without_a_model():
    for preset in PRESETS:
        smoke = plan(f"experiment={preset}", "smoke=true")
        assert {m.provider for m in smoke.models()} <= {"random", "scripted", "noop", "fixed"}
        assert smoke.name.startswith("smoke-") and len(smoke.episodes) <= 36
        assert smoke.settings.tracking.mode == "disabled"


@pytest.mark.parametrize("study", ["images", "self_reflection"])
def test_smoke_of_a_town_study_wins_and_loses(study):
    """Judges and tables of failures need both outcomes."""
    smoke = plan(f"experiment=pokegym/{study}", "smoke=true")
    solutions = json.loads((BUNDLED / "games/harbor/town/solutions.json").read_text())
    wins = {len(solutions[e.task]["roles"]["player"]) <= e.cell.limit.steps for e in smoke.episodes}
    assert wins == {True, False}


def test_smoke_replaces_every_model_of_cells_without_smoke_cells(monkeypatch, tmp_path):
    (tmp_path / "conf/experiment").mkdir(parents=True)
    cell = "model=gpt-5.2 agent=agent_s2 agent.models.grounder=ui-tars-1.5-7b interface=computer_use"
    text = f"# @package _global_\nname: mine\ncells: ['{cell}']\nsmoke_settings: {{player: scripted}}\n"
    (tmp_path / "conf/experiment/mine.yaml").write_text(text)
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    (config,) = compose_configs(["experiment=mine", "smoke=true", "game=01_2048"])
    assert config["model"]["name"] == config["agent"]["models"]["grounder"] == "scripted"
    assert (config["name"], config["game"], config["task"]) == ("smoke-mine", "01_2048", [1])
    with pytest.raises(UsageError, match="must be true or false"):
        compose_configs(["smoke=maybe"])


@pytest.mark.slow
def test_harbor_studies_have_the_published_arms():
    arms = {"images": 4, "actions": 4, "interventions": 4, "self_reflection": 8}
    for study, n in arms.items():
        made = plan(f"experiment=pokegym/{study}")
        assert len(made.cells) == n and len(made.episodes) == n * 30 * 5
        tasks = [{e.task for e in made.episodes if e.cell_id == c.id} for c in made.cells]
        assert all(t == tasks[0] for t in tasks)
    board = plan("experiment=pokegym/leaderboard")
    assert {e.task.partition("_")[2] for e in board.episodes} == {"goal", "steps", "visual"}
    assert len({c.spec.model.name for c in board.cells}) == 12
    for cell in board.cells:
        assert cell.spec.thinking == ("min" if cell.spec.model.thinking else "default")
        assert (len(cell.spec.observation.views), cell.spec.action.per_reply) == (4, 3)
    assert plan("experiment=pokegym/granularity").settings.run_dir == board.settings.run_dir


@pytest.mark.slow
def test_orak_studies_have_the_published_arms():
    main = plan("experiment=orak/main")
    assert len({c.spec.model.name for c in main.cells}) == 15 + 1
    games = {game.id: game.defaults for game in main.library.selected("library:parlor")}
    for part in main.episodes.parts:
        spec, d = part.cell, games[part.game]
        agent, repeats = ("direct", 50) if spec.model.name == "random" else (d.agent, d.repeats)
        assert (spec.agent.name, len(part.rounds), spec.scenario) == (agent, repeats, "seen")
        assert spec.observation.text_only and (spec.model.semantic_format == "sections" or repeats == 50)
    modules = plan("experiment=orak/modules")
    assert {c.spec.agent.name for c in modules.cells} == {
        "direct", "orak_reflection", "orak_planning", "orak_reflection_planning",
    }  # fmt: skip
    for study in ("main", "modules", "modality_one", "modality_two"):
        complete, smoke = plan(f"experiment=orak/{study}"), plan(f"experiment=orak/{study}", "smoke=true")
        assert {part.game for part in smoke.episodes.parts} == {part.game for part in complete.episodes.parts}
        assert {c.spec.agent.name for c in smoke.cells} >= {c.spec.agent.name for c in complete.cells}
        assert {c.spec.observation for c in smoke.cells} == {c.spec.observation for c in complete.cells}
        for cell in smoke.cells:
            spec = cell.spec
            if spec.model.name == "canned":
                assert spec.model.semantic_format == "sections", study
    one = plan("experiment=orak/modality_one")
    assert len({(c.spec.model.name, c.spec.observation.views, c.spec.observation.text) for c in one.cells}) == 15
    two = {part.game[:3] for part in plan("experiment=orak/modality_two").episodes.parts}
    assert two == {known.prefix for known in orak_games() if known.group == 2 and known.prefix}
    arcade = plan("experiment=orak/modules", "game=all", "scenario=null")
    assert len(arcade.cells) == 8 and len(arcade.episodes) == 8 * 170


def test_command_line_overrides_preset():
    made = plan("experiment=demo", "game=13_flappy-bird", "task=1", "memory_rounds=1")
    assert {(e.game, e.task) for e in made.episodes} == {("13_flappy-bird", "13_01")}
    assert {c.spec.agent.memory_rounds for c in made.cells} == {1}
    one = plan("experiment=demo", "game=13_flappy-bird", "model=noop")
    assert {c.spec.model.name for c in one.cells} == {"noop"}


def test_the_latency_study_charges_what_it_says():
    timings = [c.spec.timing for c in plan("experiment=latency", "game=13_flappy-bird", "task=1").cells]
    charged = [timing.latency for timing in timings if timing.mode == "realtime"]
    assert charged == [f"fixed:{ms}" for ms in (250, 500, 1000, 2000, 4000)]


def seen(*overrides: str) -> ObservationSpec:
    """Returns what the settings of a command show to an agent."""
    (job,) = job_specs(overrides)
    return job.observation


def test_cell_name_has_nudge_and_observation():
    def name(*overrides: str) -> str:
        return plan("model=random", "game=town", *overrides).cells[0].name

    assert name("nudge=back_rotate", "observation=four_views") == (
        "random · named controls · observation four_views · nudge back_rotate"
    )
    assert name("nudge=tell", "nudge.say=Turn.") == "random · named controls · nudge when ineffective · nudge say Turn."
    assert name("observation=image", "nudge=none") == "random · named controls"
