"""Cradle and Agent S2 without an environment: their questions, notes and grounding.

The same agents in real episodes are in `tests/pipelines/test_modular.py`.
"""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest
from agents.conftest import MADE_OF, context_at
from agents.test_modules import MODEL, Fake, logging, looking, pictures, played, role_context, words

from gwray.agents import Decision, Image, RoleContext, calls_per_decision, make_agent, note_history
from gwray.errors import UsageError
from gwray.records import Click, Drag, PressKey, Wait
from gwray.settings import AgentSpec, ImageGrid, ModelSpec, PlayerSpec

WORKED = "Verdict: worked"


def player(name: str, model: ModelSpec = MODEL, helper: ModelSpec = MODEL, **agent: Any) -> PlayerSpec:
    spec = AgentSpec(**{"name": name, "modules": MADE_OF[name], **agent})
    return PlayerSpec(model=model, agent=spec, helpers=dict.fromkeys(spec.models, helper))


def skill(name: str, how: Any = "flap before the gate") -> str:
    return json.dumps({"skills": [{"name": name, "how": how}]})


# Cradle


async def test_cradles_six_modules_are_asked_in_their_order():
    fake = Fake({"reflection": WORKED, "curate": skill("flap")})
    turns = await played(player("cradle", options={"reflect_every": 3}), fake, *map(looking, range(5)))
    usual = ["gather", "reflection", "infer", "curate", "act"]
    assert turns == [["gather", "infer", "act"], usual, usual, [*usual[:2], "memory", *usual[2:]], usual]
    assert calls_per_decision(player("cradle")) == 6


async def test_a_skill_is_kept_only_of_an_action_that_worked():
    for verdict, asked in (("worked", 3), ("failed", 0), ("unclear", 0)):
        fake = Fake({"reflection": f"Verdict: {verdict}"})
        await played(player("cradle"), fake, *map(looking, range(4)))
        assert len(fake.of("curate")) == asked


async def test_module_pages_reach_infer_and_act():
    fake = Fake(
        {"gather": "A gate.", "reflection": f"It rose.\n{WORKED}", "memory": "A story.", "infer": "Pass the gate.",
         "curate": skill("rise")}
    )  # fmt: skip
    await played(player("cradle", options={"reflect_every": 2}), fake, *map(looking, range(4)))
    inferring, acting = words(fake.of("infer")[-1]), words(fake.of("")[-1])
    assert all(text in inferring for text in ("A gate.", "It rose.", "A story.", "Pass the gate."))
    assert all(text in acting for text in ("A gate.", "It rose.", "A story.", "What to do now:\nPass the gate."))
    assert "What you know how to do:\n1. flap before the gate (rise)" in acting
    assert not any(isinstance(p, Image) for p in fake.of("curate")[0].parts) and pictures(fake.of("infer")[0])


async def test_cradle_skills_are_computed_from_replies():
    numbers, kept = count(), []
    fake = Fake({"reflection": WORKED, "curate": lambda: skill(f"s{(n := next(numbers)) % 3}", f"do {n}")})
    player_spec = player("cradle", options={"max_skills": 2})
    agent = make_agent(player_spec, role_context())

    for turn in range(8):
        await agent.act(looking(turn), logging(fake, kept, turn))
    notes = note_history(player_spec.agent, kept)
    for turn, prompt in enumerate(fake.of("")):
        shown = words(prompt).partition("What you know how to do:\n")[2].splitlines()
        now = {f"{n.text} ({n.place})" for n in notes if n.since <= turn and (n.until is None or turn < n.until)}
        assert {line.partition(". ")[2] for line in shown if line[:1].isdigit()} == now and len(now) == min(turn, 2)
    assert {n.kind for n in notes} == {"skill"}


# Agent S2

MOUSE = "computer_use"
KEY = '{"action": "click", "target": "the brass key"}'


def s2(helper: ModelSpec = MODEL, model: ModelSpec = MODEL, **agent: Any) -> PlayerSpec:
    return player("agent_s2", model, helper, **{"interface": MOUSE, "models": {"grounder": "g"}, **agent})


def click_context(**changes: Any) -> RoleContext:
    return context_at("slide", **changes)


async def decided(
    answer_text: str, at: Any = "(10, 20)", player_spec: PlayerSpec | None = None, place: RoleContext | None = None
) -> tuple[Decision, Fake]:
    fake = Fake({"": answer_text, "grounder": at})
    agent = make_agent(player_spec or s2(), place or click_context())
    return await agent.act(looking(0), fake), fake


async def test_grounder_finds_the_named_thing():
    decision, fake = await decided(f"I need it.\n{KEY}", "(640, 360)")
    assert decision.actions == (Click(x=640, y=360),) and decision.validity == "valid"
    assert [(p.module, by) for p, by in fake.asked] == [("manager", ""), ("", ""), ("grounder", "grounder")]
    acting, (grounding,) = fake.of("")[0], fake.of("grounder")
    assert "Give no coordinates" in acting.system and '"x"' not in acting.system and not acting.tools
    assert words(grounding) == "Where is: the brass key" and pictures(grounding) == ["front 0"]
    assert "Game Rules" not in grounding.system and "from 0 to 1279" in grounding.system
    assert decision.reply is not None and decision.reply.text.endswith(KEY), "the reply as it was given"


@pytest.mark.parametrize(
    ("image", "answer", "at"),
    [
        (ImageGrid(coordinates="thousand"), "(500, 500)", (640, 360)),
        (ImageGrid(coordinates="resized", max_pixels=640 * 360), "click(start_box='(320,180)')", (640, 360)),
        (ImageGrid(coordinates="resized", max_pixels=640 * 360), "<point>320 180</point>", (640, 360)),
        (ImageGrid(), "It is at (1, 2), or rather [630, 350, 650, 370].", (640, 360)),
        (ImageGrid(), '```json\n{"point_2d": [640, 360], "label": "key"}\n```', (640, 360)),
        (ImageGrid(), '{"x": 640, "y": 360}', (640, 360)),
        (ImageGrid(), "640, 360", (640, 360)),
    ],
)
async def test_grounder_coordinates_and_spellings(image, answer, at):
    grounder = MODEL.model_copy(update={"name": "g", "image": image})
    thousand = MODEL.model_copy(update={"image": ImageGrid(coordinates="thousand")})
    decision, _ = await decided(KEY, answer, s2(grounder, thousand))
    assert decision.actions == (Click(x=at[0], y=at[1]),)


@pytest.mark.parametrize("answer", ["none", "", "It is not there (yet).", "(5000, 3)", "[1, 2, 3]", "{"])
async def test_what_is_not_found_is_not_clicked(answer):
    decision, _ = await decided(KEY, answer)
    assert decision.validity == "out_of_space" and not decision.actions
    assert "the brass key" in decision.reason or "outside" in decision.reason


async def test_both_ends_of_a_drag_are_asked_for_at_once():
    left = iter(["(10, 20)", "(300, 400)"])
    drag = '{"action": "drag", "target": "the key", "to_target": "the lock"}'
    decision, fake = await decided(drag, lambda: next(left))
    assert decision.actions == (Drag(x=10, y=20, to_x=300, to_y=400),)
    assert [words(p) for p in fake.of("grounder")] == ["Where is: the key", "Where is: the lock"]


@pytest.mark.parametrize(
    ("answer_text", "action"),
    [
        ('{"action": "press_key", "key": "ArrowUp"}', PressKey(key="ArrowUp")),
        ('{"action": "wait"}', Wait()),
        ('{"action": "click", "x": 5, "y": 6}', Click(x=5, y=6)),
    ],
)
async def test_what_needs_no_place_or_has_one_asks_no_grounder(answer_text, action):
    decision, fake = await decided(answer_text)
    assert decision.actions == (action,) and not fake.of("grounder")


async def test_manager_replaces_list_on_done_failed_or_old():
    answer_text = iter([KEY, KEY, f"Subgoal: done\n{KEY}", KEY, f"**Subgoal: failed**\n{KEY}", KEY])
    fake = Fake({"": lambda: next(answer_text, KEY), "grounder": "(1, 1)", "manager": "1. Take the key."})
    agent, asked = make_agent(s2(options={"replan_every": 4}), click_context()), []
    for n in range(12):
        before = len(fake.asked)
        await agent.act(looking(n), fake)
        asked.append(fake.modules()[before] == "manager")
    assert [n for n, there in enumerate(asked) if there] == [0, 3, 5, 9]
    assert "Your plan:\n1. Take the key." in words(fake.of("")[0]) and "Subgoal: done" in words(fake.of("")[0])
    prompt_text = words(fake.of("manager")[1])
    assert '- click {"target": "the brass key"}' in prompt_text, "the memory repeats the name of the thing"


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ({"interface": "semantic"}, "interface 'semantic'.*computer_use.*act"),
        ({"modules": ("point", "act")}, "the last module, and no other"),
        ({"models": {"point": "g"}}, "agent.models 'point' .*manager, grounder"),
        ({"options": {"replan_every": 0}}, "replan_every '0'"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_allowed(agent, message):
    with pytest.raises(UsageError, match=message):
        make_agent(s2(**agent), click_context())
