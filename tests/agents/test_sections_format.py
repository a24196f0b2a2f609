"""Replies in `### Section`s, and the regular expressions that constrain self-hosted models to them."""

from __future__ import annotations

import re
from random import Random

import pytest
from agents.conftest import context_at
from agents.test_modules import Fake, at, played, player

from gwray.agents import AgentContext, Call, NoCall, Observation, Prompt, Situation
from gwray.agents.build import build_request
from gwray.agents.clients.openai_api import chat_body
from gwray.agents.formats import get_format
from gwray.agents.players.base import Random as RandomPlayer
from gwray.agents.sections import actions_pattern
from gwray.records import Reply
from gwray.settings import ActionSpec, AgentSpec, ModelSpec, PlayerSpec

HOSTED = ModelSpec(
    name="m", provider="openai_chat", model_id="m", semantic_format="sections", structured=True, self_hosted=True
)


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("### Reasoning\nUp.\n### Actions\nmove_up", [Call("move_up", "")]),
        (
            "### Action\n1. `walk(x=3, y=-4)`\n- buy('bean', 2)\n",
            [Call("walk", {"x": "3", "y": "-4"}), Call("buy", "bean 2")],
        ),
        ('**### Actions:** say(word="a b", n: 2)', [Call("say", {"word": "a b", "n": "2"})]),
        ("## actions\nreveal_cell c4.\nmove_up()", [Call("reveal_cell", "c4"), Call("move_up", "")]),
        ('### Actions\n{"action": "walk", "arguments": {"x": 3}}', [Call("walk", {"x": 3})]),
        ("<think>### Actions\nmove_up</think>### Actions\nmove_down", [Call("move_down", "")]),
    ],
)
def test_calls_are_read_from_the_section(text, calls):
    assert get_format("sections", "openai_chat").parse_calls(Reply(text=text)) == calls


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(text=""), "the reply is empty"),
        (Reply(text="move_up"), "the reply has no section '### Actions'"),
        (
            Reply(text="### Reasoning\nmove_up", finish_reason="length"),
            "the reply was cut off before its section '### Actions'",
        ),
        (Reply(text="### Actions\n"), "the section '### Actions' has no action"),
        (Reply(text="### Actions\nmove_u", finish_reason="length"), "the section '### Actions' has no action"),
    ],
)
def test_reply_without_action_says_why(reply, why):
    assert get_format("sections", "openai_chat").parse_calls(reply) == NoCall(why)


@pytest.mark.parametrize("game", ["slide", "mines"])
@pytest.mark.parametrize(("per_reply", "exact"), [(1, False), (3, False), (3, True)])
def test_pattern_allows_legal_replies_of_the_right_length(game, per_reply, exact):
    role_context = context_at(game, action=ActionSpec(per_reply=per_reply, exact=exact))
    context = AgentContext(role_context, PlayerSpec(model=HOSTED, agent=AgentSpec()))
    pattern = re.compile(actions_pattern(context.space, per_reply, exact))
    assert "### Actions" in context.instructions and ("exactly 3" in context.instructions) == exact
    drawn = [context.space.random_call(Random(n)) for n in range(20)]
    lines = [f"{c.name}({', '.join(f'{k}={v}' for k, v in c.arguments.items())})" for c in drawn]
    for count in range(1, 6):
        reply = Reply(text="### Reasoning\nWell.\n### Actions\n" + "\n".join(lines[:count]))
        legal = count == per_reply if exact else count <= per_reply
        assert bool(pattern.fullmatch(reply.text)) == legal
        assert not legal or context.decide(reply).validity == "valid"
    assert not pattern.fullmatch("### Reasoning\nWell.\n### Actions\nfly()")


async def test_self_hosted_models_are_constrained_to_sections():
    fake = Fake({"subtask": "### Subtask\nGo."})
    await played(player("orak_planning", modules=("subtask", "act")), fake, at(0, "gate"))
    (asked,) = fake.of("subtask")
    pattern = r"### Subtask_reasoning\n[^#]{1,1500}\n### Subtask\n[^#]{1,1500}"
    assert chat_body(build_request(asked, HOSTED, "semantic", ""))["extra_body"] == {
        "structured_outputs": {"regex": pattern}
    }
    assert re.fullmatch(pattern, "### Subtask_reasoning\nWell.\n### Subtask\nGo.")
    for changes in ({"structured": False}, {"self_hosted": False}):
        request = build_request(asked, HOSTED.model_copy(update=changes), "semantic", "")
        assert chat_body(request)["extra_body"] is None
        assert request.words_hash == build_request(Prompt(asked.system, asked.parts), HOSTED, "semantic", "").words_hash


@pytest.mark.parametrize("text_only", [False, True])
async def test_local_player_answers_in_sections_where_its_profile_does(text_only):
    """A player that stands in for a model writes the form that is asked for; text-only prompts repeat calls as such."""
    spec = ModelSpec(name="canned", provider="random", semantic_format="sections")
    agent = AgentSpec()
    role_context = context_at("mines", action=ActionSpec(per_reply=2))
    context = AgentContext(role_context, PlayerSpec(model=spec, agent=agent, text_only=text_only))
    assert "### Actions" in context.instructions
    drawn = RandomPlayer(spec, agent, role_context).choose_text(Situation(Observation(0)))
    decision = context.decide(Reply(text=drawn))
    assert (decision.validity, len(decision.actions)) == ("valid", 2) and "{" not in drawn
    lines = drawn.partition("### Actions\n")[2].splitlines()
    if text_only:
        assert context.describe(decision) == "; ".join(lines)
    else:
        assert all(c in context.describe(decision) for c in ("{", "; "))


@pytest.mark.parametrize(
    ("text_only", "written"), [(False, 'reveal_cell {"cell": "a1"}'), (True, "reveal_cell(cell=a1)")]
)
def test_history_names_the_parameters_of_a_call_without_names(text_only, written):
    context = AgentContext(context_at("mines"), PlayerSpec(model=HOSTED, agent=AgentSpec(), text_only=text_only))
    decision = context.decide(Reply(text="### Reasoning\nHm.\n### Actions\nreveal_cell(a1)"))
    assert decision.validity == "valid" and context.describe(decision) == written


@pytest.mark.parametrize("text_only", [False, True])
def test_prompts_of_lists_say_which_action_stops_the_others(text_only):
    player = PlayerSpec(model=HOSTED, agent=AgentSpec(), text_only=text_only)
    context = AgentContext(context_at("slide", action=ActionSpec(per_reply=3)), player)
    assert "An action that the game refuses, or that has no effect, does not stop" in context.instructions
