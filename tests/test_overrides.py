"""Overrides and config files reach the plan with the values that users mean."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hydra import compose
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from omegaconf import OmegaConf

from gwray.catalog import load_catalog, read_model
from gwray.cli import compose as composition
from gwray.cli import launch
from gwray.cli.compose import job_specs
from gwray.cli.overrides import GROUPS, normalize_overrides
from gwray.errors import UsageError
from gwray.pipelines import make_plan, run_spec
from gwray.places import CONF, paths, yaml12

ROOT = Path(__file__).resolve().parents[1]
SURPRISES = ("1e3", "007", "1_000", "2026-11-22", "on", "true", "nan", ".5", "12:30")
"""Text that Hydra or YAML 1.1 reads as another type."""


def parsed(*arguments: str, sweep: bool = False) -> list[Override]:
    return OverridesParser.create().parse_overrides(normalize_overrides(arguments, sweep=sweep))


def documented_overrides() -> list[str]:
    """Inline code of the pages that sets several settings and has no placeholder."""
    prose = [re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M) for page in (ROOT / "docs").glob("*.md")]
    spans = [span for text in prose for span in re.findall(r"`((?:-m )?[a-z][a-z_.]*=[^`]+)`", text)]
    return [
        s
        for s in spans
        if len(re.findall(r"(?:^|[ \n])[a-z'\"][a-z_.]*=", s)) > 1 and not re.search("…|solve_steps", s)
    ]


@pytest.mark.parametrize("span", documented_overrides())
def test_documented_inline_overrides_parse(span: str):
    words = shlex.split(span)
    assert parsed(*[w for w in words if w != "-m"], sweep="-m" in words)


def every_task() -> list[str]:
    return [task.id for _, task in load_catalog().select(["all"], ["all"])]


def test_task_ids_need_no_quotes():
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
def test_text_settings_stay_text(setting, word):
    (one,) = parsed(f"{setting}={word}")
    assert one.value() == word
    (one,) = parsed(f"{setting}=[a,{word}]")
    assert one.value() == ["a", word]


@pytest.mark.parametrize("value", ["'01_01',13_03", '01_01, "13_03"', "['01_01', 13_03]", '["01_01",13_03 ]'])
def test_quoting_one_word_keeps_the_others_text(value):
    (one,) = parsed(f"task={value}")
    assert one.value() == ["01_01", "13_03"]
    (swept,) = parsed(f"task={value.strip('[ ]')}", sweep=True)
    assert [word.strip("'\"") for word in swept.sweep_string_iterator()] == ["01_01", "13_03"]


def test_cells_may_quote_words_of_a_list():
    (spec,) = job_specs(["model=random", r"""+cells=['"task=[\'01_01\',13_03]"']"""])
    assert spec.task == ("01_01", "13_03")


@pytest.mark.parametrize("model", ["random", "noop"])
def test_arena_beside_a_model_is_refused_even_if_it_is_the_default(model):
    with pytest.raises(UsageError, match=rf"arena \[random, noop\] and model={model} exclude each other"):
        job_specs(["game=p09d_iron-bell", "arena=[random,noop]", f"model={model}"])


def test_quoted_values_stay_unchanged():
    values = parsed("task='08_05,09_01'", "task=['1,2', 13_03]", "nudge.say='Go, on: {hint}'", r"name='it\'s 1e3'")
    assert [s.value() for s in values] == ["08_05,09_01", ["1,2", "13_03"], "Go, on: {hint}", "it's 1e3"]
    assert normalize_overrides(["name='a'${seed}", "task=choice('a',1)"]) == ["name='a'${seed}", "task=choice('a',1)"]


def test_null_is_text_in_lists_of_text():
    values = parsed("task=null", "task=on,null", "task=[a,NULL]", "metrics=[null]", "name=null", "model.retired=null")
    assert [s.value() for s in values] == ["null", ["on", "null"], ["a", "NULL"], ["null"], None, None]
    assert run_spec({"model": "random", "task": ["on", None]}).task == ("on", "null")


def test_habits_of_hydra_users_work_or_are_explained():
    assert normalize_overrides(["+experiment=demo"]) == ["experiment=demo"]
    with pytest.raises(UsageError, match=r"launchers, sweepers .* are not used"):
        normalize_overrides(["hydra/launcher=joblib"])
    for roles in ("roles={fireboy: scripted}", "roles.fireboy=scripted"):
        (config,) = composition.compose_configs([roles, "executor.resources={sandbox: 1}"])
        assert config["roles"] == {"fireboy": "scripted"} and config["executor"]["resources"] == {"sandbox": 1}


@pytest.mark.parametrize("setting", ["roles.fire", "agent.models.critic", "model.thinking.min.reasoning_effort"])
def test_text_under_custom_names_stays_text(setting):
    values = parsed(f"{setting}=1e3", f"{setting}=on", "model.options.steps=1e3", "model.sampling.extra.top_k=5")
    assert [s.value() for s in values] == ["1e3", "on", 1000.0, 5]


def test_braces_in_text_are_no_mapping():
    (one,) = parsed("nudge.say=Now: go on, {hint}")
    assert one.value() == "Now: go on, {hint}"


def test_other_types_keep_their_values():
    values = parsed("seed=1", "dry_run=true", "name=null", "budget.usd=1e3", "timing.mode='x,y'")
    assert [s.value() for s in values] == [1, True, None, 1000.0, "x,y"]
    (memory,) = parsed("memory_rounds=0,1", sweep=True)
    assert memory.is_choice_sweep()
    assert normalize_overrides(["task=choice(1,2)", "name=${game}"], sweep=True) == ["task=choice(1,2)", "name=${game}"]


@pytest.mark.parametrize("group", GROUPS)
def test_groups_take_one_file(group):
    first = next(f.stem for f in (CONF / group).glob("*.yaml"))
    with pytest.raises(UsageError, match=rf"-m {group}={first},x"):
        normalize_overrides([f"{group}=[{first},x]"])
    with pytest.raises(UsageError, match="Add -m"):
        normalize_overrides([f"{group}={first},{first}"])
    for wrong in ("nope", "null", ""):
        with pytest.raises(UsageError, match=f"{group} '{wrong}' does not exist.*conf/{group}/"):
            normalize_overrides([f"{group}={wrong}"])


def test_config_files_follow_yaml_1_2(tmp_path, monkeypatch):
    lines = ["task: [01_01, 13_03]", "game: 01_2048", "name: 2026-11-22", "seed: 12", "dry_run: true"]
    (tmp_path / "conf" / "experiment").mkdir(parents=True)
    (tmp_path / "conf" / "experiment" / "mine.yaml").write_text("# @package _global_\n" + "\n".join(lines))
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    (spec,) = job_specs(["experiment=mine"])
    assert spec.task == ("01_01", "13_03") and spec.name == "2026-11-22"
    assert spec.seed == 12 and spec.dry_run is True


def test_yaml_1_2_scalars():
    values = yaml12.load("a: [1, -2, 2.5, 1e3, .5, true, False, null, ~]\nb:\nc: &x {d: 1}\ne: {<<: *x, f: 2}")
    assert values == {
        "a": [1, -2, 2.5, 1000.0, 0.5, True, False, None, None], "b": None, "c": {"d": 1}, "e": {"d": 1, "f": 2},
    }  # fmt: skip
    words = [w for w in SURPRISES if w not in ("1e3", ".5", "true")]
    assert yaml12.load("[" + ", ".join(words).replace("12:30", "'12:30'") + "]") == words
    with pytest.raises(yaml.YAMLError, match="'a' is a duplicate key"):
        yaml12.load("a: 1\na: 2")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("name: mine\nprovider: random\nprovider: noop\n", r"mine\.yaml:3: not valid YAML: 'provider' is a duplicate"),
        ("name: mine\n  provider: random\n", r"mine\.yaml:2: not valid YAML: "),
        ("name: other\nprovider: random\n", r"mine\.yaml: name is 'other' but must equal the file name, 'mine'"),
    ],
)
def test_invalid_profile_is_reported_alike_everywhere(tmp_path, monkeypatch, text, values):
    (tmp_path / "conf/model").mkdir(parents=True)
    (tmp_path / "conf/model/mine.yaml").write_text(text)
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    with pytest.raises(UsageError, match=values):
        read_model("mine")
    with pytest.raises(UsageError, match=values):
        job_specs(["model=mine"])


@pytest.mark.parametrize(
    ("words", "episodes"),
    [
        (["task=13_03"], "1 episode"),
        (["task=13_03,13_01"], "2 episodes"),
        (["seed=1,2", "-m", "task=13_03"], "2 episodes"),
    ],
)
@pytest.mark.slow
def test_task_selection_on_the_command_line(words, episodes):
    command = [sys.executable, "launch.py", "model=random", "game=13_flappy-bird", *words, "dry_run=true"]
    values = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert values.returncode == 0 and f": {episodes} in 1 cell\n" in values.stdout, values.stdout + values.stderr


@pytest.mark.slow
def test_run_records_the_command_as_typed(tmp_path, monkeypatch, capsys):
    words = ["launch.py", "model=noop", "game=13_flappy-bird", "task=13_03", f"run_dir={tmp_path}", "executor=inline"]
    monkeypatch.setattr(sys, "argv", [*words, "tracking.mode=disabled"])
    with pytest.raises(SystemExit) as ended:
        launch.main()
    assert ended.value.code == 0
    command = json.loads((tmp_path / "run.json").read_text())["command"]
    assert command.startswith("python " + " ".join(words)), capsys.readouterr().out


def test_unknown_file_is_reported_in_one_line():
    values = subprocess.run([sys.executable, "launch.py", "agent=nope"], cwd=ROOT, capture_output=True, text=True)
    assert values.returncode == 2
    lines = [line for line in values.stderr.splitlines() if line != "reading the settings"]
    assert len(lines) == 1 and lines[0].startswith("Cannot start: agent 'nope' does not exist.")


@pytest.mark.parametrize("word", ["game", "--foo", "verbose=true"])
def test_words_that_are_no_setting_are_refused(word):
    with pytest.raises(UsageError, match=r"is not a setting|setting 'verbose' does not exist"):
        normalize_overrides([word, "model=random"])


@pytest.mark.parametrize(
    ("words", "printed", "hidden"),
    [
        ("--cfg job model=scripted repeats=3", "provider: scripted\n.*repeats: 3\n", "hydra:|smoke_settings"),
        ("model=scripted repeats=3 --help", "experiment=memory smoke=true.*provider: scripted", "smoke_settings"),
        ("model=scripted -c all repeats=3", "provider: scripted.*repeats: 3\n.*hydra:", "smoke_settings"),
        ("-m seed=1,2 --cfg job -p seed", "# @package seed\n1\n\n# @package seed\n2\n$", "model"),
        ("--package tracking model=scripted --cfg=job", "^# @package tracking\nmode: auto", "provider"),
        ("seed=3 --cfg hydra --resolve -p hydra.sweep", r"dir: multirun/\d{4}-", r"\$\{"),
        ("seed=3 --cfg hydra -p hydra.sweep", r"dir: multirun/\$\{now", "seed"),
    ],
)
def test_options_of_hydra_work_in_any_place(words, printed, hidden, capsys):
    with pytest.raises(SystemExit) as ended:
        launch.main(words.split())
    output = capsys.readouterr().out
    assert ended.value.code == 0 and re.search(printed, output, re.S) and not re.search(hidden, output), output


def test_info_shows_the_defaults_tree():
    """In a process of its own: Hydra configures logging for it."""
    command = [sys.executable, "launch.py", "model=scripted", "--info", "defaults-tree"]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert shown.returncode == 0 and "model: scripted" in shown.stdout and "timing: paused" in shown.stdout


def test_config_dir_adds_a_folder_of_files(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(paths, "_conf_folders", [])
    (tmp_path / "experiment").mkdir()
    (tmp_path / "experiment" / "mine.yaml").write_text("# @package _global_\nrepeats: 7\n")
    for words in (["experiment=mine", "--config-dir", str(tmp_path), "--cfg", "job"], ["-cd", str(tmp_path / "no")]):
        with pytest.raises(SystemExit) as ended:
            launch.main(words)
    captured = capsys.readouterr()
    assert "repeats: 7\n" in captured.out
    assert ended.value.code == 2 and "must be a folder with files such as model/NAME.yaml" in captured.err


@pytest.mark.parametrize(
    "words",
    [
        "model@roles.foo=random",
        "+experiment@x=main",
        "hydra/launcher=x",
        "agent/models=x",
        "seed=[",
        "nudge.say=a(b",
        "~model",
        "~seed.x",
        "seed=${nope}",
        "observation=${seed}",
        "model.x=${model.y}",
        "model=x y",
        "seed=interval(0,1)",
        "observation={name: x}",
        "--config-name=x",
        "--cfg=jobs",
        "model='nope'",
        "roles={a: {b: c}}",
        "model=glob(q*)",
    ],
)
def test_errors_are_not_those_of_hydra(words, capsys):
    with pytest.raises(SystemExit) as ended:
        launch.main([words, "dry_run=true"])
    said = capsys.readouterr().err.removeprefix("planning\n")  # said after three seconds, on a busy machine
    assert ended.value.code == 2 and len(said.splitlines()) == 1, said
    assert not re.search("hydra.cc|defaults list|full_key|object_type|To append|In 'config'|multirun", said), said


def test_mappings_set_fields_of_groups():
    (job,) = job_specs(["executor=inline", "executor={lanes: 2, live: true}", "timing={mode: realtime}", "+seed=3"])
    assert (job.executor.name, job.executor.lanes, job.executor.live) == ("inline", 2, True)
    assert job.timing.mode == "realtime" and job.timing.speed == 1.0 and job.seed == 3
    swept = job_specs(["timing={mode: paused},{mode: realtime}"], sweep=True)
    assert [j.timing.mode for j in swept] == ["paused", "realtime"]


def test_sweep_names_all_misfits_at_once_or_skips_and_lists_them():
    words = ["model=gpt-5.2,random,gpt-4o,gpt-4o-mini", "thinking=min,default,max", "observation=image,four_views",
             "game=01_2048", "task=1"]  # fmt: skip
    with pytest.raises(UsageError) as refused:
        make_plan(job_specs(words, sweep=True))
    lines = str(refused.value).splitlines()
    assert "skip_unsupported=true" in lines.pop() and len(lines) > 1
    assert any("thinking" in line for line in lines) and any("no view 'left'" in line for line in lines)
    plan = make_plan(job_specs([*words, "skip_unsupported=true"], sweep=True))
    assert plan.cells and [n.removeprefix("left out: ") for n in plan.notices if n.startswith("left out: ")] == lines
    assert {c.spec.observation.views for c in plan.cells} == {("front",)}
    alone = ["model=random", "game=01_2048", "task=1"]
    assert {e.key for e in make_plan(job_specs(alone)).episodes} < {e.key for e in plan.episodes}


OVERRIDES = (
    ["model=scripted", "interface=computer_use", "repeats=3"],
    ["model=scripted", "model.timeout_s=5", "interface=semantic", "task=13_03"],
    ["model=scripted", "game=01_2048,13_flappy-bird", "timing=realtime", "timing.latency=fixed:250", "+model.notes=x"],
    ["model=scripted", "name=1e3", "+roles.fire=random", "timing=realtime", "timing.speed=0.5"],
    ["experiment=main", "observation=none", "serving=external", "budget.usd=3", "action={per_reply: 2}"],
)


def test_composing_equals_hydra_and_merges_files_once(monkeypatch):
    merged = []
    monkeypatch.setattr(
        composition, "compose", lambda *a, overrides: merged.append(overrides) or compose(*a, overrides)
    )
    with composition._hydra():
        composer = composition._Composer()
        for words in [*OVERRIDES, *OVERRIDES]:
            overrides = normalize_overrides(words)
            expected = OmegaConf.to_container(compose("config", overrides=overrides), resolve=True)
            assert isinstance(expected, dict)
            ours = {k: v for k, v in expected.items() if k not in ("smoke", "smoke_settings")}
            assert composer._config(overrides) == ours
    assert len(merged) == 3 and ["model=scripted"] in merged


def test_sweep_is_the_product_of_its_values():
    jobs = job_specs(
        ["model=random,scripted", "task=1,2", "game=13_flappy-bird", "memory_rounds=range(0,2)"], sweep=True
    )
    assert [(j.model.name, j.task, j.memory_rounds) for j in jobs][:3] == [
        ("random", ("1",), 0), ("random", ("1",), 1), ("random", ("2",), 0),
    ]  # fmt: skip
    assert len(jobs) == 8


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("repeats=1,2", "a sweep. Add -m, or write "), ("nowhere=1", "'nowhere' does not exist"),
        ("name=[", "cannot be read: close"), ("model=nope", "'nope' does not exist"), ("repeats=x", "repeats 'x'"),
        ("action.per_rely=2", "action.per_rely"), ("cells=[{model: noop}]", "must be a list of texts"),
        ("cells=noop", "must be a list of texts"),
    ],
)  # fmt: skip
def test_invalid_settings_are_usage_errors(wrong, message):
    with pytest.raises(UsageError, match=message):
        job_specs(["seed=7", wrong])
