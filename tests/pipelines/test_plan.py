"""Sweep → plan."""

import shutil

import pytest

from gwray.catalog import BUNDLED
from gwray.errors import UsageError
from gwray.pipelines.plan import Plan, make_plan, run_spec
from gwray.spec import ModelSpec, RunSpec, TimingSpec

GAME = ("13_flappy-bird",)


def job(model: str | ModelSpec = "random", **changes) -> RunSpec:
    spec = model if isinstance(model, ModelSpec) else ModelSpec(name=model, provider=model)
    return RunSpec.model_validate({"game": GAME, "model": spec} | changes)


def keys(plan: Plan) -> set[str]:
    return {e.key for e in plan.episodes}


def test_jobs_become_cells_and_cells_become_episodes():
    plan = make_plan([job(), job("noop"), job(interface="computer_use", repeats=3)])
    assert [c.name for c in plan.cells] == ["random · semantic", "noop · semantic", "random · computer_use"]
    assert len(plan.episodes) == 5 + 5 + 15
    assert len(keys(plan)) == 25


def test_jobs_that_differ_only_in_what_is_played_share_a_cell():
    plan = make_plan([job(task=("13_01",)), job(task=("13_02", "13_01"))])
    assert len(plan.cells) == 1
    assert [e.task for e in plan.episodes] == ["13_01", "13_02"]


def test_the_same_command_makes_the_same_plan_and_name():
    a, b = make_plan([job(repeats=2)]), make_plan([job(repeats=2)])
    assert (a.name, keys(a)) == (b.name, keys(b))
    assert make_plan([job(repeats=3)]).name != a.name


def test_more_repeats_keep_the_episodes_that_were_there():
    assert keys(make_plan([job(repeats=2)])) < keys(make_plan([job(repeats=3)]))


@pytest.mark.parametrize(
    "change",
    [
        {"interface": "computer_use"},
        {"memory_rounds": 1},
        {"seed": 7},
        {"timing": TimingSpec(mode="realtime", latency="fixed:250")},
        {"observation": {"hold_scale": 0.5}},
        {"observation": {"format": "png"}},
        {"roles": {"player": "noop"}},
    ],
)
def test_whatever_can_change_an_episode_changes_its_key(change):
    assert not keys(make_plan([job()])) & keys(make_plan([job(**change)]))


def test_each_realtime_rule_has_episodes_of_its_own():
    rules = [("fixed:250", 0), ("fixed:300", 0), ("normal:300,50", 0), ("normal:300,50", 1)]
    timings = [TimingSpec(mode="realtime", latency=rule, latency_seed=seed) for rule, seed in rules]
    assert len({k for t in timings for k in keys(make_plan([job(timing=t)]))}) == 4 * 5


def test_another_protocol_or_another_games_files_are_other_episodes(monkeypatch, tmp_path):
    def planned(library: str) -> set[str]:
        return keys(make_plan([job(game=("flight",), libraries=(str(tmp_path / library),))]))

    for library in ("one", "same", "other"):
        shutil.copytree(BUNDLED / "13_flappy-bird", tmp_path / library / "flight")
        yaml = tmp_path / library / "flight" / "game.yaml"
        yaml.write_text(yaml.read_text().replace("id: 13_flappy-bird", "id: flight"))
    with (tmp_path / "other" / "flight" / "rules.js").open("a") as rules:
        rules.write("// another line\n")
    assert planned("one") == planned("same")
    assert not planned("one") & planned("other")
    before = planned("one")
    monkeypatch.setattr("gwray.pipelines.plan.PROTOCOL_VERSION", 99)
    assert not before & planned("one")


def test_what_cannot_change_an_episode_does_not_change_its_key():
    plain = ModelSpec(name="m", provider="openai_chat")
    other = plain.model_copy(
        update={"base_url": "http://127.0.0.1:1/v1", "max_in_flight": 99, "api_key_env": "OTHER", "timeout_s": 5.0}
    )
    same = [make_plan([job(model=m, **more)]) for m in (plain, other) for more in ({}, {"name": "x"})]
    same.append(make_plan([job(model=plain, executor={"name": "inline", "lanes": 9})]))
    same.append(make_plan([job(model=plain, timing=TimingSpec(mode="paused", latency="fixed:9"))]))
    assert len({frozenset(keys(p)) for p in same}) == 1


def test_seed_policies():
    fixed = make_plan([job(repeats=3)])
    drawn = make_plan([job(repeats=3, seed_policy="per_repeat")])
    assert {e.seed for e in fixed.episodes} == {42}
    assert len({e.seed for e in drawn.episodes}) == 3
    assert all(len({e.seed for e in drawn.episodes if e.repeat == r}) == 1 for r in range(3))


def test_a_pair_that_does_not_exist_is_left_out_and_said():
    model = ModelSpec(name="only-semantic", provider="openai_chat", interfaces=("semantic",))
    plan = make_plan([job(model=model), job(model=model, interface="computer_use")])
    assert len(plan.cells) == 1
    assert "only-semantic does not play through computer_use" in plan.notices[0]
    with pytest.raises(UsageError, match="nothing to play"):
        make_plan([job(model=model, interface="computer_use")])


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"repeats": 0}, "setting repeats '0'"),
        ({"interface": "telepathy"}, "'semantic' or 'computer_use'"),
        ({"memory_round": 1}, "Did you mean memory_rounds"),
        ({"timing": {"mode": "realtime", "latency": "fast"}}, "timing.latency 'fast'"),
        ({"model": "gpt-9"}, "model 'gpt-9' does not exist"),
        ({"game": "14_gendash"}, None),
    ],
)
def test_a_wrong_setting_names_itself_its_value_and_what_is_allowed(config, words):
    base = {"game": list(GAME), "model": {"name": "random", "provider": "random"}}
    with pytest.raises(UsageError, match=words):
        make_plan([run_spec(base | config)])


def test_words_may_be_a_list_or_a_comma_separated_string():
    base = {"model": {"name": "random", "provider": "random"}}
    assert run_spec(base | {"task": "13_01, 13_02"}).task == ("13_01", "13_02")
    assert run_spec(base | {"task": 1}).task == ("1",)


@pytest.mark.parametrize("name", ["../up", "a b", "", ".hidden"])
def test_a_name_cannot_leave_the_runs_folder(name):
    if name == "":
        assert make_plan([job(name=name)]).name
        return
    with pytest.raises(UsageError, match="only letters"):
        make_plan([job(name=name)])
