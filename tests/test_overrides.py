"""What is typed and what stands in files reaches the plan as it was meant."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hydra import compose, initialize_config_dir
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import CompactHydraException, HydraException
from omegaconf import OmegaConf

from gwray import yaml12
from gwray.catalog import load_catalog, read_model
from gwray.cli.composing import composing
from gwray.cli.configs import Configs
from gwray.cli.launch import specs_of
from gwray.cli.overrides import GROUPS, read_files_by_our_rules, understood
from gwray.errors import UsageError
from gwray.pipelines import run_spec
from gwray.places import CONF
from gwray.spec import RunSpec

ROOT = Path(__file__).resolve().parents[1]
SURPRISES = ("1e3", "007", "1_000", "2026-11-22", "on", "true", "nan", ".5", "12:30")
"""Words that are text to a person and something else to Hydra or to YAML 1.1."""


def parsed(*arguments: str, sweep: bool = False) -> list[Override]:
    return OverridesParser.create().parse_overrides(understood(arguments, sweep=sweep))


def every_task() -> list[str]:
    return [task.id for _, task in load_catalog().select(["all"], ["all"])]


def test_each_task_of_the_library_can_be_typed_bare_in_lists_and_in_sweeps():
    tasks = every_task()
    assert len(tasks) == 170
    for task in tasks:
        (one,) = parsed(f"task={task}")
        (listed,) = parsed(f"task=[{task}, {task}]")
        (commas,) = parsed(f"task={task},{task}")
        (swept,) = parsed(f"task={task},{task}", sweep=True)
        assert one.value() == task and listed.value() == [task, task] == commas.value()
        assert list(swept.sweep_string_iterator()) == [f"'{task}'"] * 2


@pytest.mark.parametrize("word", SURPRISES)
@pytest.mark.parametrize("setting", ["name", "task", "run_dir", "model.model_id", "tracking.project", "metrics"])
def test_text_stays_text(setting, word):
    (said,) = parsed(f"{setting}={word}")
    assert said.value() == word
    (said,) = parsed(f"{setting}=[a,{word}]")
    assert said.value() == ["a", word]


@pytest.mark.parametrize("value", ["'01_01',13_03", '01_01, "13_03"', "['01_01', 13_03]", '["01_01",13_03 ]'])
def test_a_word_in_quotes_leaves_the_others_text(value):
    (said,) = parsed(f"task={value}")
    assert said.value() == ["01_01", "13_03"]
    (swept,) = parsed(f"task={value.strip('[ ]')}", sweep=True)
    assert [word.strip("'\"") for word in swept.sweep_string_iterator()] == ["01_01", "13_03"]


def test_a_line_of_a_preset_may_quote_one_word_of_a_list():
    with composing("run") as made:
        (spec,) = specs_of(made, understood(["model=random", r"""+cells=['"task=[\'01_01\',13_03]"']"""]))
    assert spec.task == ("01_01", "13_03")


def test_what_is_in_quotes_stays_as_it_was_said():
    said = parsed("task='08_05,09_01'", "task=['1,2', 13_03]", "nudge.say='Go, on: {hint}'", r"name='it\'s 1e3'")
    assert [s.value() for s in said] == ["08_05,09_01", ["1,2", "13_03"], "Go, on: {hint}", "it's 1e3"]
    assert understood(["name='a'${seed}", "task=choice('a',1)"]) == ["name='a'${seed}", "task=choice('a',1)"]


def test_nothing_is_a_word_where_a_list_of_words_is_asked_for():
    said = parsed("task=null", "task=on,null", "task=[a,NULL]", "metrics=[null]", "name=null", "model.retired=null")
    assert [s.value() for s in said] == ["null", ["on", "null"], ["a", "NULL"], ["null"], None, None]
    assert run_spec({"model": "random", "task": ["on", None]}).task == ("on", "null")


@pytest.mark.parametrize("setting", ["roles.fire", "agent.models.critic", "model.thinking.min.reasoning_effort"])
def test_text_under_a_name_of_ones_own_stays_text(setting):
    said = parsed(f"{setting}=1e3", f"{setting}=on", "model.options.steps=1e3", "model.sampling.extra.top_k=5")
    assert [s.value() for s in said] == ["1e3", "on", 1000.0, 5]


def test_braces_in_a_sentence_are_no_mapping():
    (said,) = parsed("nudge.say=Now: go on, {hint}")
    assert said.value() == "Now: go on, {hint}"


def test_what_is_no_text_stays_what_it_is():
    said = parsed("seed=1", "dry_run=true", "name=null", "budget.usd=1e3", "timing.mode='x,y'")
    assert [s.value() for s in said] == [1, True, None, 1000.0, "x,y"]
    (memory,) = parsed("memory_rounds=0,1", sweep=True)
    assert memory.is_choice_sweep()
    assert understood(["task=choice(1,2)", "name=${game}"], sweep=True) == ["task=choice(1,2)", "name=${game}"]


@pytest.mark.parametrize("group", GROUPS)
def test_a_list_of_files_is_never_poured_into_one_setting(group):
    first = next(f.stem for f in (CONF / group).glob("*.yaml"))
    with pytest.raises(UsageError, match=rf"-m {group}={first},x"):
        understood([f"{group}=[{first},x]"])
    with pytest.raises(UsageError, match="add -m"):
        understood([f"{group}={first},{first}"])
    for wrong in ("nope", "null", ""):
        with pytest.raises(UsageError, match=f"{group} '{wrong}' does not exist.*conf/{group}/"):
            understood([f"{group}={wrong}"])
    assert understood([f"{group}=mine", "--config-dir=/elsewhere"])[0] == f"{group}=mine"


def test_files_are_read_as_they_are_written(tmp_path):
    lines = ["task: [01_01, 13_03]", "game: 01_2048", "name: 2026-11-22", "seed: 12", "dry_run: true"]
    (tmp_path / "experiment").mkdir()
    (tmp_path / "experiment" / "mine.yaml").write_text("# @package _global_\n" + "\n".join(lines))
    read_files_by_our_rules()
    with initialize_config_dir(str(CONF), version_base=None):
        searched = f"hydra.searchpath=[file://{tmp_path}]"
        config = compose("config", overrides=[searched, "experiment=mine"])
        spec = run_spec({k: v for k, v in yaml.safe_load(json.dumps(_plain(config))).items() if k != "hydra"})
    assert isinstance(spec, RunSpec) and spec.task == ("01_01", "13_03") and spec.name == "2026-11-22"
    assert spec.seed == 12 and spec.dry_run is True


def _plain(config) -> dict:
    from omegaconf import OmegaConf

    found = OmegaConf.to_container(config, resolve=True)
    assert isinstance(found, dict)
    return {str(k): v for k, v in found.items()}


def test_yaml_reads_numbers_truths_and_nothing_as_such():
    said = yaml12.load("a: [1, -2, 2.5, 1e3, .5, true, False, null, ~]\nb:\nc: &x {d: 1}\ne: {<<: *x, f: 2}")
    assert said == {
        "a": [1, -2, 2.5, 1000.0, 0.5, True, False, None, None], "b": None, "c": {"d": 1}, "e": {"d": 1, "f": 2},
    }  # fmt: skip
    words = [w for w in SURPRISES if w not in ("1e3", ".5", "true")]
    assert yaml12.load("[" + ", ".join(words).replace("12:30", "'12:30'") + "]") == words
    with pytest.raises(yaml.YAMLError, match="'a' stands here twice"):
        yaml12.load("a: 1\na: 2")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "name: mine\nprovider: random\nprovider: noop\n",
            r"mine\.yaml:3: not valid YAML: 'provider' stands",
        ),
        ("name: mine\n  provider: random\n", r"mine\.yaml:2: not valid YAML: "),
        ("name: other\nprovider: random\n", r"mine\.yaml: name is 'other', which must be that of the file: 'mine'"),
    ],
)
def test_a_profile_that_is_wrong_is_one_sentence_for_the_launcher_and_for_commands(tmp_path, monkeypatch, text, said):
    (tmp_path / "conf/model").mkdir(parents=True)
    (tmp_path / "conf/model/mine.yaml").write_text(text)
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    with pytest.raises(UsageError, match=said):
        read_model("mine")
    # What Hydra shows without a traceback.
    with composing("run") as made, pytest.raises(CompactHydraException, match=said):
        made(["model=mine"])


@pytest.mark.parametrize(
    ("words", "episodes"),
    [
        (["task=13_03"], "1 episode"),
        (["task=13_03,13_01"], "2 episodes"),
        (["seed=1,2", "-m", "task=13_03"], "2 episodes"),
    ],
)
@pytest.mark.slow
def test_by_command(words, episodes):
    command = [sys.executable, "launch.py", "model=random", "game=13_flappy-bird", *words, "dry_run=true"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 0 and f" {episodes} in 1 cell " in said.stdout, said.stdout + said.stderr


@pytest.mark.slow
def test_the_run_remembers_the_command_as_it_was_typed(tmp_path, monkeypatch, capsys):
    from gwray.cli.launch import main

    words = ["launch.py", "model=noop", "game=13_flappy-bird", "task=13_03", f"run_dir={tmp_path}", "executor=inline"]
    monkeypatch.setattr(sys, "argv", [*words, "tracking.mode=disabled"])
    main()
    command = json.loads((tmp_path / "run.json").read_text())["command"]
    assert command.startswith("python " + " ".join(words)), capsys.readouterr().out


def test_a_wrong_choice_is_one_line_without_a_traceback():
    said = subprocess.run([sys.executable, "launch.py", "agent=nope"], cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 2
    assert said.stderr.startswith("Cannot start: agent 'nope' does not exist.") and said.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["game", "01_2048"], ["-m", "game", "01_2048"]])
def test_a_word_without_a_value_is_answered_in_words(words):
    with pytest.raises(UsageError, match="'game' is no setting: settings are NAME=VALUE"):
        understood(words)


def test_the_value_of_an_option_of_hydras_is_no_setting():
    assert understood(["--cfg", "job", "model=random"]) == ["--cfg", "job", "model=random"]


SAID = (
    ["model=scripted", "interface=computer_use", "repeats=3"],
    ["model=scripted", "model.timeout_s=5", "interface=semantic", "task=13_03"],
    ["model=scripted", "game=01_2048,13_flappy-bird", "timing=realtime", "timing.latency=fixed:250", "+model.notes=x"],
    ["model=scripted", "name=1e3", "+roles.fire=random", "timing=realtime", "timing.speed=0.5", "~cells"],
    ["experiment=smoke/main", "observation=none", "serving=external", "budget.usd=3", "action={per_reply: 2}"],
)


def test_jobs_that_choose_the_same_files_are_composed_once_and_say_what_hydra_makes_of_them():
    read_files_by_our_rules()
    composed = []
    with initialize_config_dir(str(CONF), version_base=None):

        def by_hydra(words):
            composed.append(words)
            return compose("config", overrides=list(words))

        configs = Configs(by_hydra)
        for words in [*SAID, *SAID]:
            whole = OmegaConf.to_container(compose("config", overrides=understood(words)), resolve=True)
            assert configs.of(understood(words)) == whole
    assert len(composed) == 4 and ["model=scripted"] in [[*words] for words in composed]


@pytest.mark.parametrize("wrong", ["repeats=1,2", "nowhere=1", "name=[", "model=nobody"])
def test_what_cannot_be_composed_is_refused_in_the_words_of_hydra(wrong):
    read_files_by_our_rules()
    with initialize_config_dir(str(CONF), version_base=None):
        with pytest.raises(HydraException) as by_hydra:
            compose("config", overrides=["seed=7", wrong])
        with pytest.raises(HydraException) as ours:
            Configs(lambda words: compose("config", overrides=list(words))).of(["seed=7", wrong])
    assert str(ours.value) == str(by_hydra.value) and type(ours.value) is type(by_hydra.value)


@pytest.mark.parametrize(("name", "setting"), [("max_steps", "limit.steps"), ("trials", "repeats")])
def test_names_of_other_frameworks_suggest_the_setting(name, setting):
    with pytest.raises(UsageError, match=f"'{name}' does not exist. Use {setting}="):
        understood([f"{name}=8"])
