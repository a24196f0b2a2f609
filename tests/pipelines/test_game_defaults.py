"""Settings of single games in `library.yaml`, the scenario axis, and games whose pictures alone show too little."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from gwray.catalog import load_catalog
from gwray.cli.compose import job_specs
from gwray.errors import UsageError
from gwray.pipelines.plan import make_plan
from gwray.pipelines.settings import run_spec
from gwray.settings import modules_of
from pipelines.conftest import BASE
from pipelines.test_commands import ERRANDS

LIBRARY = """\
id: mine
defaults:
  first: {repeats: 3, agent: reflection, limit.steps: 4, sampling.temperature: 0.7, sampling.repetition_penalty: 1}
  second: {action.per_reply: 5, action.exact: true, sampling.temperature: 0.2, sampling.models: all}
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Three games of one task: seen in the first, unseen in the second; pictures do not suffice in the third."""
    root = tmp_path / "mine"
    (root / "library.yaml").parent.mkdir()
    (root / "library.yaml").write_text(LIBRARY)
    for name, line in {"first": "", "second": "", "third": "\nneeds_text: true"}.items():
        shutil.copytree(ERRANDS / "errands", root / name)
        yaml = root / name / "game.yaml"
        scenario = {"first": "scenario: seen, ", "second": "scenario: unseen, "}.get(name, "")
        text = yaml.read_text().replace("id: errands", f"id: {name}", 1).replace("text: true", f"text: true{line}", 1)
        yaml.write_text(re.sub(r"\{id: errands_1, ", f"{{id: {name}_1, {scenario}", text))
    return root


def plan(library: Path, tmp_path: Path, **job):
    model = {"name": "m", "provider": "openai_chat", "base_url": "http://localhost:9", "model_id": "x"}
    return make_plan(
        [run_spec({**BASE, "game": "library:mine", "task": "all", "model": model, "libraries": str(library),
                   "run_dir": str(tmp_path / "run"), **job})]
    )  # fmt: skip


def test_explicit_agent_is_never_replaced_by_a_games_default(library, tmp_path):
    given = {"agent": {"name": "planning", "modules": modules_of("planning")}, "game_defaults": ["agent"], **TEXT}
    with pytest.raises(UsageError, match=r"agent=planning and game_defaults=\[agent\], which is reflection for first"):
        plan(library, tmp_path, **given)
    made = plan(library, tmp_path, **{**given, "game_defaults": ["repeats"]})
    assert {part.cell.agent.name for part in made.episodes.parts} == {"planning"}
    with pytest.raises(UsageError, match=r"agent=direct and game_defaults with agent.*\[repeats,sampling\]"):
        job_specs(["experiment=orak/main", "agent=direct"])


def test_seed_policy_of_a_game_comes_with_its_repeats(library, tmp_path):
    file = library / "library.yaml"
    file.write_text(file.read_text().replace("repeats: 3,", "repeats: 3, seed_policy: fixed,"))

    def seeds(**job) -> dict[str, int]:
        made = plan(library, tmp_path, seed_policy="per_repeat", repeats=2, **job)
        return {part.game: len({e.seed for e in made.episodes if e.game == part.game}) for part in made.episodes.parts}

    assert seeds() == {"first": 2, "second": 2}
    assert seeds(game_defaults=["repeats"]) == {"first": 1, "second": 2}


def test_person_has_the_actions_of_a_models_replies(tmp_path):
    """30 replies of up to 40 moves are 1,200 actions for a person, whose replies have one each."""
    game = load_catalog().game("p04_say-so")
    for model, limit, budget in (("random", None, 30), ("human", None, 1200), ("human", 2, 80)):
        job = {**BASE, "game": game.id, "task": "1", "model": model, "run_dir": str(tmp_path / "run")}
        (episode,) = make_plan([run_spec({**job, "limit": {"steps": limit}})]).episodes
        assert game.task_of(episode).budget == budget


def facts(made) -> dict[str, tuple]:
    return {
        part.game: (len(part.rounds), part.cell.agent.name, part.cell.limit.steps, part.cell.model.sampling.temperature,
                    part.cell.model.sampling.extra, part.action.per_reply, part.action.exact)
        for part in made.episodes.parts
    }  # fmt: skip


HOSTED = {"name": "m", "provider": "openai_chat", "model_id": "x", "self_hosted": True}
TEXT = {"observation": {"views": [], "text": True}}
PENALTY = {"repetition_penalty": 1.0}
TWO, FIVE = (1, "direct", None, None, {}, 2, None), (1, "direct", None, None, {}, 5, True)
COOL = (1, "direct", None, 0.2, {}, 5, True)


@pytest.mark.parametrize(
    ("asked", "job", "first", "second"),
    [
        ([], {}, (1, "direct", None, None, {}, None, None), FIVE),
        ([], {"action": {"per_reply": 2}}, TWO, TWO),
        (["agent", "repeats", "limit"], {}, (3, "reflection", 4, None, {}, None, None), FIVE),
        (["sampling"], {}, (1, "direct", None, None, {}, None, None), COOL),
        (["sampling"], {"model": HOSTED}, (1, "direct", None, 0.7, PENALTY, None, None), COOL),
        (["agent", "repeats"], {"model": "random"}, (3, "direct", None, None, {}, None, None), FIVE),
    ],
)
def test_defaults_of_games_apply_where_asked_for(library, tmp_path, asked, job, first, second):
    made = plan(library, tmp_path, **TEXT, **job, game_defaults=asked)
    found = facts(made)
    assert (found["first"], found["second"]) == (first, second)
    if first[1] == "reflection":
        assert made.cells[0].spec.agent.modules == ("reflection", "act")
        assert [j.game for j in made.jobs] == [("first",), ("second",), ("third",)]
    else:
        assert made.cells[0].name.startswith(made.cells[-1].name[:9])


def test_scenario_is_an_axis(library, tmp_path):
    made = plan(library, tmp_path, scenario="unseen")
    assert made.episodes.games() == ["second"] and made.cells[0].name == "m · named controls · scenario unseen"
    assert plan(library, tmp_path).cells[0].id != made.cells[0].id
    with pytest.raises(UsageError, match="scenario 'seen': no selected task has it"):
        plan(library, tmp_path, scenario="seen", game="third")


def test_models_never_get_pictures_alone_of_a_game_that_needs_text(library, tmp_path):
    images = plan(library, tmp_path)
    assert images.episodes.games() == ["first", "second"]
    assert images.notices == (
        "third: left out, because its pictures alone do not show the state (use observation=text or both)",
    )
    for how in (TEXT, {"observation": {"text": True}}, {"model": "random"}):
        assert "third" in plan(library, tmp_path, **how).episodes.games()
    with pytest.raises(UsageError, match="nothing to play: third: left out"):
        plan(library, tmp_path, game="third")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [("agent: nobody", "agent 'nobody' does not exist"), ("action.per_reply: 41", "per_reply.*40")],
)
def test_wrong_default_is_refused(library, tmp_path, line, complaint):
    (library / "library.yaml").write_text(f"id: mine\ndefaults: {{first: {{{line}}}}}\n")
    with pytest.raises(UsageError, match=complaint):
        plan(library, tmp_path, game_defaults=["agent"])
