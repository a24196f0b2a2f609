"""Models that moved: who answered is compared with who was asked, priced, and shown; what is gone says since when."""

from __future__ import annotations

import pytest
from agents.conftest import Playing, observation, seat_at
from standin import Say, Standin

from gwray.actions import PressKey
from gwray.agents import ClientPool, answered_by, make_answerer
from gwray.agents.cost import cost_usd
from gwray.catalog import read_model
from gwray.cli.doctor import asked_models
from gwray.errors import UsageError
from gwray.records import Reply, Usage
from gwray.spec import AgentSpec


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
        ("grok-4-1-fast-reasoning", "grok-4.3", "grok-4.3"),
        ("gpt-5.2", "", ""),
    ],
)
def test_another_model_than_was_asked_is_told_from_a_dated_name(asked, served, other):
    assert answered_by(read_model("gpt-5.2"), asked, Reply(served_model=served)) == other


def test_what_a_self_hosted_server_calls_its_model_says_nothing():
    assert answered_by(read_model("ui-tars-1.5-7b"), "a", Reply(served_model="b")) == ""


async def test_a_reply_is_priced_by_what_answered(standin: Standin, profile, pool):
    spec = profile("gpt-5.2")
    standin.say(Say(calls=[("move_up", {})], model="gpt-5.4-mini"), Say(calls=[("move_up", {})], model="gpt-5.2"))
    playing = Playing(spec, AgentSpec(), seat_at("slide"), pool)
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
def test_a_forced_call_that_the_provider_would_refuse_is_refused_early(options):
    spec = read_model("claude-sonnet-4.6")
    refused = spec.model_copy(update={"options": {**spec.options, **options}})
    with pytest.raises(UsageError, match=r"tool_choice 'any'.*Set model.options.tool_choice=auto"):
        make_answerer(refused, AgentSpec(), seat_at("slide"), ClientPool())
    allowed = spec.model_copy(update={"options": {**spec.options, **options, "tool_choice": "auto"}})
    assert make_answerer(allowed, AgentSpec(), seat_at("slide"), ClientPool())


async def test_claudes_toolset_is_offered_without_a_name_and_its_members_are_read(standin: Standin, profile, pool):
    options = {"computer_tool": "computer_toolset_20260801", "tool_choice": "auto"}
    spec = profile("claude-sonnet-4.6", options=options)
    spec = spec.model_copy(update={"options": {**spec.options, **options}})
    standin.say(Say(calls=[("key", {"text": "Left"})]))
    decision = await Playing(spec, AgentSpec(interface="computer_use"), seat_at("slide"), pool).turn(observation())
    assert standin.problems == [] and decision.actions == (PressKey(key="ArrowLeft"),)
    assert standin.seen[0].body["tools"] == [{"type": "computer_toolset_20260801"}]


async def test_openais_computer_tool_answers_with_lists_of_which_as_many_are_played_as_may_be(standin, profile, pool):
    spec = profile("gpt-5.4-mini")
    press = [{"type": "keypress", "keys": [k]} for k in ("LEFT", "UP")]
    standin.say(Say(calls=[("computer", {"type": "screenshot"}), *(("computer", p) for p in press)]))
    decision = await Playing(spec, AgentSpec(interface="computer_use"), seat_at("slide"), pool).turn(observation())
    assert standin.problems == [] and standin.seen[0].body["tools"] == [{"type": "computer"}]
    assert decision.actions == (PressKey(key="ArrowLeft"),) and decision.ignored == 1


@pytest.mark.parametrize("name", ["gpt-5.2", "claude-sonnet-4.6", "gemini-3-flash-preview", "glm-4.6v"])
async def test_doctor_asks_the_provider_whether_a_model_is_there(name, standin: Standin, profile):
    spec = profile(name)
    standin.models = [spec.model_id, "other"]
    (check,) = await asked_models([spec])
    assert check.good and "is there" in check.detail
    standin.models = [spec.model_id + "-next", "other"]
    (check,) = await asked_models([spec])
    assert not check.good and f"no longer lists {spec.model_id}; it has {spec.model_id}-next" in check.detail
    (check,) = await asked_models([spec.model_copy(update={"retired": "gone since 2026-01-01, use other"})])
    assert not check.good and "2026-01-01" in check.detail


async def test_doctor_asks_nobody_without_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert await asked_models([read_model("gpt-5.2"), read_model("random"), read_model("ui-tars-1.5-7b")]) == []
