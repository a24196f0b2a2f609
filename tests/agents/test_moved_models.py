"""Moved and retired models: the served model is compared, priced and shown; a retired profile names its date."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
import typer
from agents.conftest import Playing, context_at, observation
from standin import Say, Standin

from gwray.actions import PressKey
from gwray.agents import ClientPool, make_responder, substitute_model
from gwray.agents.cost import cost_usd
from gwray.catalog import read_model
from gwray.cli.commands import doctor
from gwray.cli.doctor import check_provider_models
from gwray.errors import AuthError, ModelUnavailable, UsageError
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


@pytest.mark.parametrize("name", ["gpt-5.2", "claude-sonnet-4.6", "gemini-3-flash-preview", "glm-4.6v"])
async def test_doctor_asks_the_provider_whether_a_model_is_there(name, standin: Standin, profile):
    spec = profile(name)
    standin.models = [spec.model_id, "other"]
    (check,) = await check_provider_models([spec])
    assert check.good and "is available" in check.detail
    standin.models = [spec.model_id + "-next", "other"]
    (check,) = await check_provider_models([spec])
    assert not check.good and f"does not list {spec.model_id}; the nearest of its 2 models: " in check.detail
    assert check.fix.endswith(f": model={name} model.model_id={spec.model_id}-next")
    (check,) = await check_provider_models([spec.model_copy(update={"retired": "gone since 2026-01-01, use other"})])
    assert not check.good and "2026-01-01" in check.detail


async def test_doctor_takes_a_dated_name_for_the_model(standin: Standin, profile):
    standin.models = ["grok-4.3", "gpt-5.2-2025-12-11"]
    (check,) = await check_provider_models([profile("gpt-5.2")])
    assert check.good and check.detail == "gpt-5.2 is available as gpt-5.2-2025-12-11"


async def test_doctor_names_what_is_nearest_however_far(standin: Standin, profile):
    standin.models = ["grok-4.3", "embedding", "gpt-5", "gpt-5.2-mini", "o3"]
    (check,) = await check_provider_models([profile("gpt-5.2")])
    assert check.detail.endswith("the nearest of its 5 models: gpt-5, gpt-5.2-mini, grok-4.3")
    standin.models = []
    (check,) = await check_provider_models([profile("gpt-5.2")])
    assert not check.good and check.detail == "the provider does not list gpt-5.2; it lists no models"


@pytest.mark.parametrize(
    ("listed", "error", "updates", "ending", "code"),
    [
        (["gpt-5.2"], None, {}, "gwray can run.", 0),
        (["other"], None, {}, "gwray can run, but not with gpt-5.2.", 1),
        (["gpt-5.2"], None, {"retired": "gone since 2026-01-01"}, "gwray can run, but not with gpt-5.2.", 0),
        (["gpt-5.2"], AuthError("key refused"), {}, "gwray can run, but not with gpt-5.2.", 1),
        (["gpt-5.2"], ModelUnavailable("busy"), {}, "gwray can run.", 0),
    ],
)
def test_doctor_summary_names_unusable_models(monkeypatch, capsys, listed, error, updates, ending, code):
    class Provider:
        async def list_models(self) -> list[str]:
            if error:
                raise error
            return listed

        async def close(self) -> None: ...

    async def nothing(*_: object) -> list:
        return []

    spec = read_model("gpt-5.2").model_copy(update=updates)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.setattr("gwray.agents.make_client", lambda _: Provider())
    monkeypatch.setattr("gwray.cli.doctor.read_models", lambda: [spec])
    for look in ("_machine", "_games", "_browser", "_ray", "_gpu", "_engine", "_models", "_keys", "_check_wandb"):
        monkeypatch.setattr(f"gwray.cli.doctor.{look}", nothing)
    with pytest.raises(typer.Exit) if code else nullcontext() as ended:
        doctor(models=True)
    assert (ended.value.exit_code if ended else 0) == code
    assert capsys.readouterr().out.splitlines()[-1] == ending


async def test_doctor_skips_models_without_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert (
        await check_provider_models([read_model("gpt-5.2"), read_model("random"), read_model("ui-tars-1.5-7b")]) == []
    )
