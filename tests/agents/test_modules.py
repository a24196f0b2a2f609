"""Modular agents without an environment: which module asks what and when, with which images and notes.

The same agents in real episodes are in `tests/pipelines/test_modular.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
import yaml
from agents.conftest import MADE_OF

from gwray.agents import (
    AGENTS,
    AgentContext,
    Decision,
    Image,
    Modular,
    Module,
    Observation,
    Prompt,
    RoleContext,
    Text,
    calls_per_decision,
    make_agent,
)
from gwray.catalog import Game, read_game
from gwray.errors import AgentError, UsageError
from gwray.places import CONF, GAMES
from gwray.records import LoggedReply, Reply, View
from gwray.settings import AgentSpec, ImageGrid, ModelSpec, PlayerSpec


def role_context() -> RoleContext:
    """A seat at a game of two controls."""
    wait, flap = {"id": "wait", "description": "Wait."}, {"id": "flap", "description": "Flap."}
    controls = [{**wait, "wait": True}, {**flap, "press": "a"}]
    roles = [{"name": "player", "description": "You fly.", "keys": ["a"], "controls": controls}]
    tasks = [{"id": "t_01", "instruction": "Pass three gates.", "score": "game_state.score", "target": 3}]
    game = Game.model_validate(
        {"id": "99_flap", "title": "Flap", "genre": "runner", "level": 1, "summary": "s", "rules": "Do not fall.",
         "roles": roles, "tasks": tasks}
    )  # fmt: skip
    return RoleContext(game, game.roles[0], game.tasks[0], 42, 0, "key")


MODEL = ModelSpec(name="m", provider="openai_chat", model_id="m", semantic_format="json")


def player(name: str = "reflection_planning", *, text_only: bool = False, **agent: Any) -> PlayerSpec:
    spec = AgentSpec(**{"name": name, "modules": MADE_OF.get(name, ()), **agent})
    return PlayerSpec(model=MODEL, agent=spec, helpers={by: small() for by in spec.models}, text_only=text_only)


def small() -> ModelSpec:
    """A model that takes small pictures only."""
    return MODEL.model_copy(update={"name": "small", "image": ImageGrid(max_pixels=64 * 36)})


def at(decision: int, text: str = "", *names: str, notes: tuple[str, ...] = ()) -> Observation:
    """An observation whose pictures say of which turn and view they are."""
    views = tuple(View(n, f"{n} {decision}".encode(), "image/png", 1280, 720) for n in names)
    return Observation(decision, views, text, notes)


def looking(decision: int, *more: str) -> Observation:
    return at(decision, "", "front", *more)


@dataclass
class Fake:
    """An `ask` that answers by module and keeps what it was asked."""

    answers: dict[str, Callable[[], str] | str] = field(default_factory=dict)
    asked: list[tuple[Prompt, str]] = field(default_factory=list)

    async def __call__(self, *prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
        self.asked += [(p, by) for p in prompts]
        return tuple(Reply(text=self._answer(p)) for p in prompts)

    def _answer(self, prompt: Prompt) -> str:
        usual = "Well." if prompt.module else '{"action": "flap", "arguments": {}}'
        answer = self.answers.get(prompt.module, usual)
        return answer if isinstance(answer, str) else answer()

    def modules(self) -> list[str]:
        return [p.module or "act" for p, _ in self.asked]

    def of(self, module: str) -> list[Prompt]:
        return [p for p, _ in self.asked if p.module == module]


async def played(player_spec: PlayerSpec, fake: Fake, *seen: Observation) -> list[list[str]]:
    """Modules that asked, turn by turn."""
    agent = make_agent(player_spec, role_context())
    turns = []
    for observation in seen:
        before = len(fake.asked)
        decision = await agent.act(observation, fake)
        assert isinstance(decision, Decision)
        turns.append(fake.modules()[before:])
    return turns


def logging(fake: Fake, kept: list[LoggedReply], turn: int) -> Callable[..., Any]:
    """An `ask` that adds the replies of a turn to a log."""

    async def ask(*prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
        replies = await fake(*prompts, by=by)
        for p, r in zip(prompts, replies, strict=True):
            module, call = p.module, len(kept)
            kept.append(
                LoggedReply(decision=turn, role="player", call=call, module=module, words_hash="", reply=r, at="")
            )
        return replies

    return ask


def words(prompt: Prompt) -> str:
    return "\n".join(p.text for p in prompt.parts if isinstance(p, Text))


def pictures(prompt: Prompt) -> list[str]:
    return [p.data.decode() for p in prompt.parts if isinstance(p, Image)]


@pytest.mark.parametrize("name", MADE_OF)
def test_the_files_of_conf_are_the_registered_agents(name):
    told = yaml.safe_load((CONF / "agent" / f"{name}.yaml").read_text())
    assert (told["name"], told["modules"]) == (name, [*MADE_OF[name]]) and issubclass(AGENTS.get(name), Modular)


async def test_reflection_starts_in_the_second_turn_before_act():
    turns = await played(player("reflection"), Fake(), *map(looking, range(3)))
    assert turns == [["act"], ["reflection", "act"], ["reflection", "act"]]


async def test_reflection_prompt_has_both_screens_and_the_action():
    fake = Fake({"": 'I flap. {"action": "flap", "arguments": {}}'})
    await played(player("reflection"), fake, looking(0), looking(1), looking(2))
    first, second = fake.of("reflection")
    assert pictures(first) == ["front 0", "front 1"]
    assert pictures(second) == ["front 1", "front 2"]
    assert "The last action: flap" in words(first)
    assert isinstance(first.parts[-1], Image), "the newest picture comes last"


@pytest.mark.parametrize("name", [n for n in MADE_OF if n != "agent_s2"])
async def test_text_only_prompts_never_speak_of_a_screen(name):
    fake = Fake({"reflection": "Verdict: worked"})
    spec = player(name, text_only=True, modules=MADE_OF[name])
    await played(spec, fake, *(at(n, f"{n} gates far off") for n in range(7)))
    spoken = [p.module for p, _ in fake.asked if re.search("screen|picture|image", f"{p.system}\n{words(p)}", re.I)]
    assert {"act", "seek", "merged"} & {*fake.modules()} and spoken == []


async def test_a_plan_is_made_first_and_again_every_few_decisions():
    spec = player("planning", options={"replan_every": 3})
    turns = await played(spec, Fake(), *map(looking, range(7)))
    assert [i for i, turn in enumerate(turns) if "planning" in turn] == [0, 3, 6]


@pytest.mark.parametrize(
    ("answer_text", "again"),
    [
        ("Nothing moved.\nVerdict: failed", True),
        ("**Verdict:** Failed.", True),
        ("It fell.\nVerdict: worked", False),
        ("The word failed is in here.\nVerdict: unclear", False),
        ("It went wrong", False),
        ("", False),
        ("<think>Verdict: failed? no.</think>Verdict: worked", False),
    ],
)
async def test_plan_is_replaced_after_a_failed_action(answer_text, again):
    turns = await played(player(), Fake({"reflection": answer_text}), looking(0), looking(1))
    assert turns[1] == (["reflection", "planning", "act"] if again else ["reflection", "act"])


async def test_module_with_helper_asks_it_others_ask_own_model():
    fake = Fake()
    await played(player(models={"reflection": "small"}), fake, looking(0), looking(1))
    assert {(p.module, by) for p, by in fake.asked} == {("planning", ""), ("reflection", "reflection"), ("", "")}


async def test_every_module_prompt_has_a_neutral_answer():
    fake = Fake()
    await played(player(), fake, looking(0), looking(1))
    assert all((p.neutral is None) == (p.module == "") for p, _ in fake.asked)
    for module in ("reflection", "planning"):
        neutral = fake.of(module)[0].neutral
        turns = await played(player(), Fake({module: neutral or ""}), looking(0), looking(1))
        assert turns[1] == ["reflection", "act"], "a neutral answer changes nothing"


async def test_two_agents_share_nothing():
    fakes = [Fake({"planning": f"1. Plan {i}."}) for i in range(2)]
    for fake in fakes:
        await played(player(), fake, looking(0), looking(1))
    assert "Plan 0" not in "".join(words(p) for p, _ in fakes[1].asked)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ({"modules": ["reflecton", "act"]}, "agent module 'reflecton' .*reflection, planning, .*act"),
        ({"modules": []}, "the last module, and no other"),
        ({"modules": ["reflection"]}, "the last module, and no other"),
        ({"modules": ["act", "reflection"]}, "the last module, and no other"),
        ({"modules": ["act", "act"]}, "the last module, and no other"),
        ({"options": {"replan_evry": 2}}, "agent.options 'replan_evry' .*Allowed: replan_every"),
        ({"options": {"replan_every": 0}}, "replan_every '0' must be"),
        ({"options": {"replan_every": "often"}}, "replan_every 'often' must be"),
        ({"models": {"planing": "m"}}, "agent.models 'planing' .*Allowed: reflection, planning"),
        ({"models": {"act": "m"}}, "agent.models 'act' .*Allowed: reflection, planning"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_allowed(agent, message):
    with pytest.raises(UsageError, match=message):
        make_agent(player(**agent), role_context())


async def test_model_without_image_or_text_is_refused():
    fake = Fake()
    with pytest.raises(UsageError, match="would see nothing"):
        await played(player("planning"), fake, at(0))
    assert not fake.asked


@pytest.mark.parametrize(
    ("name", "options", "calls"),
    [
        ("reflection", {}, 2),
        ("planning", {"replan_every": 1}, 2),
        ("planning", {"replan_every": 5}, 2),
        ("reflection_planning", {}, 3),
    ],
)
def test_calls_per_decision_before_the_run(name, options, calls):
    assert calls_per_decision(player(name, options=options)) == calls


class Doubt(Module):
    """A user-defined module, as in the docstring of `Module`."""

    name = "doubt"
    template = "Say in one sentence what could go wrong in {{ game.title }} within {{ steps }} steps."
    options: ClassVar = {"steps": 3}

    async def run(self, turn, ask):
        answer_text = await self.query(
            ask, self.context.observation_parts(turn.observation, self.by), neutral="Nothing."
        )
        turn.notes.write(self.name, answer_text, title="What could go wrong")


class Doubting(Modular):
    MODULES: ClassVar = {**Modular.MODULES, "doubt": Doubt}


async def test_custom_module_is_a_class_and_a_name():
    spec = AgentSpec.model_validate({"_target_": "x.Doubting", "modules": ["doubt", "act"], "options": {"steps": 7}})
    player_spec = PlayerSpec(model=MODEL, agent=spec)
    fake = Fake({"doubt": "The ground."})
    decision = await Doubting(AgentContext(role_context(), player_spec), spec).act(looking(0), fake)
    assert fake.modules() == ["doubt", "act"] and decision.validity == "valid"
    assert "what could go wrong in Flap within 7 steps" in fake.asked[0][0].system
    assert "What could go wrong:\nThe ground." in words(fake.of("")[0])


class Silent(Module):
    name = "silent"
    acts = True

    async def run(self, turn, ask):
        return None


async def test_acting_module_without_decision_is_agent_error():
    class Agent(Modular):
        MODULES: ClassVar = {"silent": Silent}

    spec = AgentSpec(modules=("silent",))
    with pytest.raises(AgentError, match="'silent' acts"):
        await Agent(AgentContext(role_context(), PlayerSpec(model=MODEL, agent=spec)), spec).act(looking(0), Fake())


class Greedy:
    """Makes its task easier for itself."""

    def __init__(self, context: AgentContext, spec: AgentSpec):
        object.__setattr__(context.task, "target", 0.0)
        object.__setattr__(context.game.roles[0], "keys", ())
        self.context = context

    async def act(self, seen: Observation, ask: Any) -> Decision:
        raise NotImplementedError


def test_what_an_agent_from_outside_changes_is_its_own_copy():
    game = read_game(GAMES / "gameworld" / "13_flappy-bird" / "game.yaml")
    role_context = RoleContext(game, game.roles[0], game.tasks[0], 42, 0, "k")
    player = PlayerSpec(model=ModelSpec(name="r", provider="random"), agent=AgentSpec(target=f"{__name__}.Greedy"))
    greedy = make_agent(player, role_context)
    assert isinstance(greedy, Greedy) and greedy.context.task.target == 0
    assert game.tasks[0].target and game.roles[0].keys
