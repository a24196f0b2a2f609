"""Sweep → plan."""

import io
import shutil
import sys

import pytest
from rich.console import Console

from gwray.analysis import episode_frame, plan_of
from gwray.catalog import load_catalog, read_model
from gwray.cli.terminal import show_plan
from gwray.errors import AgentError, UsageError
from gwray.pipelines.estimate import require_prices
from gwray.pipelines.plan import Plan, make_plan
from gwray.pipelines.settings import run_spec
from gwray.pipelines.waves import hosted_here
from gwray.places import GAMES
from gwray.serving import ClusterResources, Node
from gwray.settings import ActionSpec, AgentSpec, ModelSpec, RunSpec, Sampling, TimingSpec, axes, cell_labels

GAME = ("13_flappy-bird",)
NAMED = "named controls"


def job(model: str | ModelSpec = "random", **changes) -> RunSpec:
    spec = model if isinstance(model, ModelSpec) else ModelSpec(name=model, provider=model)
    return RunSpec.model_validate({"game": GAME, "model": spec} | changes)


def keys(plan: Plan) -> set[str]:
    return {e.key for e in plan.episodes}


def test_jobs_become_cells_and_cells_become_episodes():
    plan = make_plan([job(), job("noop"), job(interface="computer_use", repeats=3)])
    assert [c.name for c in plan.cells] == [f"random · {NAMED}", f"noop · {NAMED}", "random · mouse and keyboard"]
    assert len(plan.episodes) == 5 + 5 + 15
    assert len(keys(plan)) == 25


def test_the_same_command_makes_the_same_plan_and_name():
    a, b = make_plan([job(repeats=2)]), make_plan([job(repeats=2)])
    assert (a.name, keys(a)) == (b.name, keys(b))
    assert make_plan([job(repeats=3)]).name != a.name


def test_plan_order_is_the_same_for_every_access():
    episodes = make_plan([job(repeats=3, seed_policy="per_repeat"), job("noop", task=("13_02",))]).episodes
    listed = [*episodes]
    assert len(episodes) == len(listed) == 16 and len(episodes.parts) == 6
    assert [episodes[n] for n in range(-16, 16)] == listed * 2
    assert (
        [*episodes[2:11:4]] == listed[2:11:4] and [*episodes[-1:]] == listed[-1:] and [*episodes[::-1]] == listed[::-1]
    )
    with pytest.raises(IndexError):
        episodes[16]
    done = {e.key for e in listed[1:7]}
    assert [*episodes.without(done)] == [e for e in listed if e.key not in done]
    assert [*episodes.of_cell(listed[-1].cell_id)] == listed[-1:] and episodes.games() == ["13_flappy-bird"]


def test_equal_episodes_of_two_cells_are_played_once():
    said = job(task=("13_01",), repeats=2, action=ActionSpec(per_reply=1))
    once, more = job(task=("13_01",)), job(task=("13_01",), repeats=3)
    assert [(e.repeat, e.cell.action.per_reply) for e in make_plan([once, said, more]).episodes] == [
        (0, None), (1, 1), (2, None)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"interface": "computer_use"},
        {"memory_rounds": 1},
        {"seed": 7},
        {"timing": TimingSpec(mode="realtime", latency="fixed:250")},
        {"timing": TimingSpec(speed=0.5)},
        {"action": {"hold_scale": 0.5}},
        {"observation": {"format": "png"}},
        {"roles": {"player": "noop"}},
    ],
)
def test_outcome_settings_change_the_key(change):
    assert not keys(make_plan([job()])) & keys(make_plan([job(**change)]))


def test_adaptive_timing_has_its_own_keys_and_checks_tags():
    def adaptive(*tags: str, latency: str = "fixed:250", task: str = "m2_goal", game: str = "town"):
        timing = TimingSpec(mode="adaptive", paused_in=tags, latency=latency)
        return make_plan([job(game=(game,), task=(task,), timing=timing)])

    realtime = make_plan([job(game=("town",), task=("m2_goal",), timing={"mode": "realtime", "latency": "fixed:250"})])
    plans = [realtime, adaptive("combat"), adaptive("combat", latency="fixed:300")]
    assert len({k for p in plans for k in keys(p)}) == 3
    assert "adaptive · paused in combat" in plans[1].cells[0].name
    assert plans[1].notices == ()
    assert adaptive("combat", task="all").notices == (
        "timing=adaptive: 27 of 30 tasks have no tag combat, so they are always charged",
    )
    assert "1 of 1 tasks have no tag combat" in adaptive("combat", task="n1_goal").notices[0]
    with pytest.raises(UsageError, match=r"timing.paused_in 'fight': no .* Allowed: combat\. Use timing=realtime"):
        adaptive("combat", "fight")
    with pytest.raises(UsageError, match=r"timing.paused_in 'combat': .* Allowed: none, they have no tags"):
        adaptive("combat", task="all", game="13_flappy-bird")


def test_protocol_and_game_files_change_the_key(monkeypatch, tmp_path):
    def planned(library: str) -> set[str]:
        return keys(make_plan([job(game=("flight",), libraries=(str(tmp_path / library),))]))

    for library in ("one", "same", "other"):
        shutil.copytree(GAMES / "gameworld" / "13_flappy-bird", tmp_path / library / "flight")
        yaml = tmp_path / library / "flight" / "game.yaml"
        yaml.write_text(yaml.read_text().replace("id: 13_flappy-bird", "id: flight"))
    with (tmp_path / "other" / "flight" / "rules.js").open("a") as rules:
        rules.write("// another line\n")
    assert planned("one") == planned("same")
    assert not planned("one") & planned("other")
    before = planned("one")
    monkeypatch.setattr("gwray.pipelines.cells.PROTOCOL_VERSION", 99)
    assert not before & planned("one")


def test_other_settings_keep_the_key():
    plain = ModelSpec(name="m", provider="openai_chat")
    other = plain.model_copy(
        update={"base_url": "http://127.0.0.1:1/v1", "max_in_flight": 99, "api_key_env": "OTHER", "timeout_s": 5.0,
                "interfaces": ("semantic",),
                "options": {"price_provider": "openai", "headers": {"x": "y"}, "attempts": 9}}
    )  # fmt: skip
    same = [make_plan([job(model=m, **more)]) for m in (plain, other) for more in ({}, {"name": "x"})]
    same.append(make_plan([job(model=plain, executor={"name": "inline", "lanes": 9})]))
    same.append(make_plan([job(model=plain, timing=TimingSpec(mode="paused", latency="fixed:9"))]))
    assert len({frozenset(keys(p)) for p in same}) == 1
    in_words = [plain, plain.model_copy(update={"pictures": False})]
    assert len({frozenset(keys(make_plan([job(m, observation=TEXT)]))) for m in in_words}) == 1


def test_seed_policies():
    fixed = make_plan([job(repeats=3)])
    drawn = make_plan([job(repeats=3, seed_policy="per_repeat")])
    assert {e.seed for e in fixed.episodes} == {42}
    assert len({e.seed for e in drawn.episodes}) == 3
    assert all(len({e.seed for e in drawn.episodes if e.repeat == r}) == 1 for r in range(3))


def test_unsupported_pair_is_skipped_with_notice():
    model = ModelSpec(name="only-semantic", provider="openai_chat", interfaces=("semantic",))
    plan = make_plan([job(model=model), job(model=model, interface="computer_use")])
    assert len(plan.cells) == 1
    assert "only-semantic does not play through computer_use" in plan.notices[0]
    with pytest.raises(UsageError, match="nothing to play"):
        make_plan([job(model=model, interface="computer_use")])


WORDS_ONLY = ModelSpec(name="words-only", provider="openai_chat", pictures=False)
TEXT = {"views": [], "text": True}


def test_text_only_model_is_skipped_where_images_are_needed():
    both = {"views": ["front"], "text": True}
    wanted = [job(WORDS_ONLY, observation=seen) for seen in (TEXT, both, {})]
    plan = make_plan([*wanted, job(WORDS_ONLY, observation=both, interface="computer_use")])
    assert [c.spec.observation.text and not c.spec.observation.pictures for c in plan.cells] == [True]
    assert len(plan.notices) == 1 and "words-only cannot see pictures" in plan.notices[0]
    with pytest.raises(UsageError, match=r"nothing to play: words-only cannot see pictures.*observation=text"):
        make_plan([job(WORDS_ONLY)])


def test_text_only_helper_is_skipped_too(tmp_path, monkeypatch):
    (tmp_path / "conf" / "model").mkdir(parents=True)
    profile = "name: words-only\nprovider: openai_chat\npictures: false\n"
    (tmp_path / "conf" / "model" / "words-only.yaml").write_text(profile)
    monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
    helped = {"name": "planning", "modules": ("planning", "act"), "models": {"planning": "words-only"}}
    for others in ({"agent": helped}, {"roles": {"player": "words-only"}}):
        with pytest.raises(UsageError, match="words-only cannot see pictures"):
            make_plan([job(ModelSpec(name="m", provider="openai_chat"), **others)])
        plan = make_plan([job(ModelSpec(name="m", provider="openai_chat"), observation=TEXT, **others)])
        assert len(plan.cells) == 1 and not plan.notices


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"repeats": 0}, "setting repeats '0'"),
        (
            {"interface": "telepathy"},
            "interface 'telepathy' does not exist.*Allowed: computer_use, parametric, semantic",
        ),
        ({"memory_round": 1}, "Did you mean memory_rounds"),
        ({"timing": {"mode": "realtime", "latency": "fast"}}, "timing.latency 'fast'"),
        ({"model": "gpt-9"}, "model 'gpt-9' does not exist"),
        ({"game": "14_gendash"}, None),
    ],
)
def test_invalid_setting_message_has_value_and_allowed_values(config, words):
    base = {"game": list(GAME), "model": {"name": "random", "provider": "random"}}
    with pytest.raises(UsageError, match=words):
        make_plan([run_spec(base | config)])


MODEL = {"name": "m", "provider": "openai_chat", "model_id": "x"}


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"model": MODEL | {"max_in_flight": 0}}, "model.max_in_flight '0': must be greater than 0"),
        ({"model": MODEL | {"requests_per_minute": 0}}, "model.requests_per_minute '0'"),
        ({"model": MODEL | {"timeout_s": -1}}, "model.timeout_s '-1'"),
        ({"model": MODEL | {"image": {"max_pixels": 0}}}, "model.image.max_pixels '0'"),
        ({"budget": {"usd": "nan"}}, "budget.usd 'nan'"),
        ({"budget": {"tokens": -5}}, "budget.tokens '-5'"),
        ({"model": MODEL | {"provider": "opnai_chat"}}, "Did you mean openai_chat"),
        ({"model": MODEL | {"semantic_format": "jsn"}}, "format 'jsn' does not exist.*json"),
        ({"model": MODEL | {"computer_use_format": "native"}, "interface": "computer_use"}, "native computer tool"),
        ({"model": MODEL, "observation": {"format": "none"}}, "would see nothing: set observation=image, text or both"),
        ({"model": MODEL | {"provider": "fixed", "options": {"actions": "flap"}}}, "must be a list of strings"),
        (
            {"game": "12_fireboy-and-watergirl", "roles": {"fireboy": "ui-tars-1.5-7b"}},
            "cannot play interface 'semantic'",
        ),
    ],
)
def test_unusable_settings_are_refused_while_planning(config, words):
    with pytest.raises(UsageError, match=words):
        make_plan([run_spec({"game": list(GAME), "model": MODEL} | config)])


def test_a_budget_in_usd_needs_prices():
    hosted = MODEL | {"name": "h", "provider": "openai_chat", "self_hosted": True}
    priced = MODEL | {"prices": {"input": 1, "output": 1, "as_of": "2026-01-01"}}
    for model in ({"name": "random", "provider": "random"}, hosted, priced):
        require_prices(make_plan([run_spec({"game": list(GAME), "model": model, "budget": {"usd": 5}})]))
    require_prices(make_plan([run_spec({"game": list(GAME), "model": MODEL, "budget": {"tokens": 5}})]))
    with pytest.raises(
        UsageError, match=r"budget.usd '5' cannot be enforced: the price of m is unknown\. .*budget.tokens"
    ):
        require_prices(make_plan([run_spec({"game": list(GAME), "model": MODEL, "budget": {"usd": 5}})]))


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        ({"executor": {"lanes": 2}}, {"executor": {"lanes": 4}}, "executor.lanes must be equal .* values 2 and 4"),
        ({"run_dir": "a"}, {"run_dir": "b"}, "setting run_dir must be equal .* values a and b"),
        ({"budget": {"usd": 1}}, {}, "budget.usd must be equal .* values 1.0 and None"),
    ],
)
def test_run_settings_must_be_equal_in_all_jobs(one, other, words):
    with pytest.raises(UsageError, match=words):
        make_plan([job(**one), job(**other)])


def test_two_hosted_models_cannot_share_a_name():
    models = [ModelSpec(name="m", provider="openai_chat", self_hosted=True, model_id=i) for i in ("big", "small")]
    with pytest.raises(UsageError, match="'small' and 'big' are both hosted as 'm'"):
        hosted_here(make_plan([job(m) for m in models]))
    assert len(hosted_here(make_plan([job(models[0]), job(models[0], memory_rounds=1)]))) == 1


@pytest.mark.parametrize("what", ["raise KeyError('plan')", "raise SystemExit(3)", "return None + 1"])
def test_agent_failing_first_turn_is_refused(tmp_path, monkeypatch, what):
    act = f"    async def act(self, seen, ask):\n        {what}"
    lines = ("class Failing:", "    def __init__(self, context, spec): ...", act)
    (tmp_path / "failing_agent.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "failing_agent", raising=False)
    with pytest.raises(AgentError, match="first turn"):
        make_plan([job(agent=AgentSpec(target="failing_agent.Failing"))])


def test_the_same_agent_of_other_modules_has_another_name():
    modules = ("reflection", "planning", "act"), ("planning", "act")
    received = [AgentSpec(name="reflection_planning", modules=m) for m in modules]
    names = [make_plan([job(agent=agent)]).cells[0].name for agent in received]
    assert "modules" not in names[0] and "modules planning+act" in names[1]


@pytest.mark.parametrize(("setting", "says"), [
    ({"agent": {"options": {"pace": 3}}}, "agent.options 'pace': agent 'direct' has none"),
    ({"agent": {"modules": ["act"]}}, "agent.modules 'act': agent 'direct' has none"),
    ({"roles": {"nobody": "random"}}, "role 'nobody' does not exist"),
    ({"metrics": ["no_such_module.rate"]}, "there is no Python module 'no_such_module'"),
    ({"timing": {"mode": "realtime", "latencies": [1]}}, "setting 'timing.latencies' does not exist"),
    ({"agent": {"name": "reflection_planning", "modules": ["reflection", "planning", "act"], "max_calls": 1}},
     "agent.max_calls '1': agent 'reflection_planning' asks 3 questions .* Set agent.max_calls=3 or more"),
    ({"observation": {"views": ["front", "front"]}}, r"views \[front, front\] has a duplicate"),
    ({"observation": {"views": ["previous"]}}, "is empty at the first decision; add front"),
])  # fmt: skip
def test_settings_without_effect_are_refused(setting, says):
    with pytest.raises(UsageError, match=says):
        make_plan([run_spec({"game": list(GAME), "model": MODEL} | setting)])


def test_limit_steps_changes_keys_only_when_set():
    words = {"model": "random", "game": "13_flappy-bird", "task": "1"}
    plain, unset, limited = (
        make_plan([run_spec({**words, **more})]) for more in ({}, {"limit": {"steps": None}}, {"limit": {"steps": 8}})
    )
    assert plain.episodes[0].key == unset.episodes[0].key != limited.episodes[0].key
    assert plain.cells[0].id != limited.cells[0].id
    assert limited.cells[0].name.endswith("step limit 8") and axes(limited.cells[0].spec) == {"limit.steps": 8}
    job = {**limited.manifest().jobs[0], "knock": False, "a_setting_of_another_version": 1}
    assert RunSpec.from_record(job) == limited.jobs[0]


def test_selectors_name_one_game_of_a_library_and_one_task_of_a_game():
    catalog = load_catalog()
    assert [g.id for g in catalog.selected("harbor:town")] == ["town"]
    assert [t.id for _, t in catalog.select(["all"], ["13_flappy-bird:1", "01_2048:01_03"])] == ["01_03", "13_01"]
    assert {g.id for g, _ in catalog.select(["all", "town"], ["library:harbor"])} == {"town"}
    with pytest.raises(UsageError, match=r"library harbor .twn. does not exist\. Did you mean town"):
        catalog.selected("harbor:twn")


REMOTE = ModelSpec(name="openai-compatible", provider="openai_chat", model_id="a", base_url="http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    ("changes", "labels"),
    [
        (({}, {"model_id": "b"}), ["a", "b"]),
        (({"name": "GPT-5.2", "model_id": "openai/gpt-5.2"}, {"name": "GPT-5.2", "model_id": "gpt-5.2-mini"}),
         ["GPT-5.2", "GPT-5.2 (gpt-5.2-mini)"]),
        (({"name": "GPT-5.2", "provider": "random", "model_id": ""}, {"name": "a"}), ["GPT-5.2 (random)", "a"]),
        (({"label": "GPT-5.2", "provider": "scripted", "model_id": ""}, {"name": "a"}), ["GPT-5.2 (scripted)", "a"]),
        (({"sampling": Sampling(extra={"k": 1})}, {"sampling": Sampling(extra={"k": 2})}), ["a · k 1", "a · k 2"]),
        (({"provider": "openai_responses"}, {}), ["a · provider openai_responses", "a · provider openai_chat"]),
        (({"label": "Ours"}, {"model_id": "default"}), ["Ours", "openai-compatible (default)"]),
    ],
)  # fmt: skip
def test_cells_have_distinct_labels_that_name_their_model(changes, labels):
    agent = AgentSpec()
    plan = make_plan([job(REMOTE.model_copy(update=change), agent=agent) for change in changes])
    named = [*cell_labels(plan.manifest().named_cells()).values()]
    assert [name.replace(f" · {NAMED}", "") for name in named] == labels and all(NAMED in name for name in named)
    console = Console(file=(output := io.StringIO()), width=300)
    show_plan(plan, console)
    assert all(word in output.getvalue() for label in labels for word in label.split())
    assert [c.name for c in plan_of(episode_frame([]), [plan.manifest()]).cells.values()] == labels
    assert len(plan.models()) == 2 or "k 1" in labels[0]


def test_plan_shows_gpus_of_each_wave(monkeypatch):
    node = Node(cpus=64, gpus=8, gpu_memory_gb=80, memory_gb=1000)
    monkeypatch.setattr("gwray.pipelines.hosting.this_machine", lambda reserve_cpus: ClusterResources((node,)))
    models = [read_model(name) for name in ("qwen3-vl-235b-a22b", "qwen3-vl-30b-a3b", "ui-tars-1.5-7b", "random")]
    plan = make_plan(
        [
            job(m, repeats=r, limit={"steps": 72}, interface="computer_use", executor={"name": "inline"})
            for m, r in zip(models, (32, 32, 16, 1), strict=True)
        ]
    )
    console = Console(file=(output := io.StringIO()), width=300)
    show_plan(plan, console)
    assert [line for line in output.getvalue().splitlines() if "wave" in line] == [
        "wave 1: qwen3-vl-235b-a22b (8 GPUs): 160 episodes",
        "wave 2: qwen3-vl-30b-a3b (2 GPUs), ui-tars-1.5-7b (1 GPU): 240 episodes",
        "beside the waves: 5 episodes without a hosted model",
        "a wave's models load when they fit beside earlier ones",
    ]


def test_label_changes_no_key_and_names_one_model():
    plain, labelled = (make_plan([job(REMOTE.model_copy(update=how))]) for how in ({}, {"label": "Ours"}))
    assert [e.key for e in plain.episodes] == [e.key for e in labelled.episodes]
    with pytest.raises(UsageError, match="'Ours' names 2 models"):
        make_plan([job(REMOTE.model_copy(update={"label": "Ours", "model_id": id})) for id in "ab"])


@pytest.mark.parametrize(("name", "values"), [("base_url", ("http://a/v1", "http://b/v1")), ("max_in_flight", (1, 2))])
def test_sweep_over_what_is_no_identity_is_refused(name, values):
    jobs = [job(REMOTE.model_copy(update={name: value})) for value in values]
    with pytest.raises(UsageError, match=rf"model\.{name} of openai-compatible.* has the values {values[0]} and"):
        make_plan(jobs)


def test_limits_belong_to_model_address_and_account():
    same = REMOTE.model_copy(update={"name": "other", "max_in_flight": 1})
    others = [{"model_id": "b"}, {"base_url": "http://b/v1"}, {"provider": "openai_responses"}, {"api_key_env": "K"}]
    keys = [REMOTE.key, *(REMOTE.model_copy(update=change).key for change in others)]
    assert same.key == REMOTE.key and len({*keys}) == len(keys)
