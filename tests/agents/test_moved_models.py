"""Moved and retired models: the served model is compared, priced and shown; a retired profile names its date."""

from __future__ import annotations

import pytest
from agents.conftest import Playing, context_at, observation
from standin import Say, Standin

from gwray.agents import ClientPool, make_responder, substitute_model
from gwray.agents.cost import cost_usd
from gwray.catalog import read_model
from gwray.errors import UsageError
from gwray.records import PressKey, Reply, Usage
from gwray.settings import AgentSpec


@pytest.mark.parametrize(
    ("asked", "served", "other"),
    [
        ("gpt-5.2", "gpt-5.2-2025-12-11", ""),
        ("gpt-5.2", "gpt-5.2", ""),
        ("gemini-3-flash-preview", "models/gemini-3-flash-preview", ""),
        ("claude-sonnet-4-6", "claude-sonnet-4-6-20260217", ""),
        ("kimi-k2.5", "KIMI-K2.5", ""),
        ("gpt-5.2", "gpt-5.2-mini", "gpt-5.2-mini"),
        ("gpt-5.2", "gpt-5.4", "gpt-5.4"),
        ("gpt-5", "gpt-5.2", "gpt-5.2"),
        ("claude-sonnet-4", "claude-sonnet-4-6", "claude-sonnet-4-6"),
        ("gpt-4", "gpt-41", "gpt-41"),
        ("gpt-4", "gpt-4-0613", ""),
        ("gemini-2.5-pro", "gemini-2.5-pro-05-06", ""),
        ("kimi-k2.5", "kimi-k2.5:latest", ""),
        ("grok-4-1-fast-reasoning", "grok-4.3", "grok-4.3"),
        ("gpt-5.2", "", ""),
    ],
)
def test_substitute_model_differs_from_dated_name(asked, served, other):
    assert substitute_model(read_model("gpt-5.2"), asked, Reply(served_model=served)) == other


def test_self_hosted_served_name_is_ignored():
    assert substitute_model(read_model("ui-tars-1.5-7b"), "a", Reply(served_model="b")) == ""


async def test_a_reply_is_priced_by_what_answered(standin: Standin, profile, pool):
    spec = profile("gpt-5.2")
    standin.say(Say(calls=[("move_up", {})], model="gpt-5.4-mini"), Say(calls=[("move_up", {})], model="gpt-5.2"))
    playing = Playing(spec, AgentSpec(), context_at("slide"), pool)
    moved, asked = await playing.reply(observation()), await playing.reply(observation(1))
    assert moved.cost_usd == cost_usd(read_model("gpt-5.4-mini"), moved.usage)
    assert asked.cost_usd == cost_usd(spec, asked.usage) != moved.cost_usd


def test_a_profile_whose_model_is_gone_says_since_when():
    for name, date in (("openai-computer-use", "2026-07-23"), ("grok-4.1-fast-reasoning", "2026-05-15")):
        assert date in read_model(name).retired and "cannot be reproduced" in read_model(name).retired
    assert cost_usd(read_model("grok-4.1-fast-reasoning"), Usage(input=10**6, output=10**6)) == 3.75


@pytest.mark.parametrize(
    "options",
    [{"thinking": {"type": "enabled", "budget_tokens": 1024}}, {"computer_tool": "computer_toolset_20260801"}],
)
def test_unsupported_forced_call_is_refused_early(options):
    spec = read_model("claude-sonnet-4.6")
    refused = spec.model_copy(update={"options": {**spec.options, **options}})
    with pytest.raises(UsageError, match=r"tool_choice 'any'.*Set model.options.tool_choice=auto"):
        make_responder(refused, AgentSpec(), context_at("slide"), ClientPool())
    allowed = spec.model_copy(update={"options": {**spec.options, **options, "tool_choice": "auto"}})
    assert make_responder(allowed, AgentSpec(), context_at("slide"), ClientPool())


async def test_claude_toolset_is_offered_and_its_calls_parsed(standin: Standin, profile, pool):
    options = {"computer_tool": "computer_toolset_20260801", "tool_choice": "auto"}
    spec = profile("claude-sonnet-4.6", options=options)
    spec = spec.model_copy(update={"options": {**spec.options, **options}})
    standin.say(Say(calls=[("key", {"text": "Left"})]))
    decision = await Playing(spec, AgentSpec(interface="computer_use"), context_at("slide"), pool).turn(observation())
    assert standin.problems == [] and decision.actions == (PressKey(key="ArrowLeft"),)
    assert standin.seen[0].body["tools"] == [{"type": "computer_toolset_20260801"}]


async def test_openai_computer_action_list_is_limited_to_per_reply(standin, profile, pool):
    spec = profile("gpt-5.4-mini")
    press = [{"type": "keypress", "keys": [k]} for k in ("LEFT", "UP")]
    standin.say(Say(calls=[("computer", {"type": "screenshot"}), *(("computer", p) for p in press)]))
    decision = await Playing(spec, AgentSpec(interface="computer_use"), context_at("slide"), pool).turn(observation())
    assert standin.problems == [] and standin.seen[0].body["tools"] == [{"type": "computer"}]
    assert decision.actions == (PressKey(key="ArrowLeft"),) and decision.ignored == 1
