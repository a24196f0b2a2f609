"""`thinking=min|default|max` through each provider's SDK; default sends nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agents.conftest import Playing, context_at, observation
from standin import Say, Standin

from gwray.agents import make_responder
from gwray.catalog import read_model
from gwray.errors import UsageError
from gwray.pipelines import make_plan, run_spec
from gwray.places import conf_files
from gwray.settings import LOCAL_PLAYERS, ActionSpec, AgentSpec, CellSpec

SENT: dict[str, dict[str, dict[str, Any]]] = {
    "gpt-5.2": {
        "min": {"reasoning": {"effort": "none"}, "max_output_tokens": 4096},
        "max": {"reasoning": {"effort": "xhigh"}, "max_output_tokens": 32000},
    },
    "claude-sonnet-4.6": {
        "min": {"output_config": {"effort": "low"}, "max_tokens": 2048},
        "max": {"output_config": {"effort": "max"}, "max_tokens": 16000, "thinking": {"type": "adaptive"},
                "tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
    },
    "gemini-3-flash-preview": {
        "min": {"thinkingConfig": {"thinking_level": "MINIMAL"}, "maxOutputTokens": 2048},
        "max": {"thinkingConfig": {"thinking_level": "HIGH"}, "maxOutputTokens": 16000},
    },
    "kimi-k2.5": {
        "min": {"thinking": {"type": "disabled"}, "max_completion_tokens": 8192},
        "max": {"thinking": {"type": "enabled"}, "max_completion_tokens": 16000},
    },
    "qwen3.5": {
        "min": {"chat_template_kwargs": {"enable_thinking": False}, "max_tokens": 4096},
        "max": {"chat_template_kwargs": {"enable_thinking": True}, "max_tokens": 16384, "top_k": 20},
    },
}  # fmt: skip
"""A profile for every wire, and the fields of its requests."""
PLANNING = {"name": "planning", "modules": ["planning", "act"]}
ABOUT_THINKING = {"reasoning", "reasoning_effort", "output_config", "thinking", "thinkingConfig"}


async def body(name: str, how: Any, standin: Standin, profile, pool) -> dict[str, Any]:
    standin.say(Say(calls=[("move_left", {})]))
    await Playing(profile(name).with_thinking(how), pool=pool).turn(observation())
    assert standin.problems == []
    sent = standin.seen[-1].body
    return {**sent, **sent.get("generationConfig", {})}


@pytest.mark.parametrize("name", SENT)
async def test_thinking_is_translated_for_each_provider(name, standin: Standin, profile, pool):
    bodies = {how: await body(name, how, standin, profile, pool) for how in ("min", "default", "max")}
    for how, fields in SENT[name].items():
        assert {field: bodies[how].get(field) for field in fields} == fields
    assert not ABOUT_THINKING & bodies["default"].keys()
    words = bodies["default"].get("messages") or bodies["default"].get("contents") or bodies["default"]["input"]
    assert words == (bodies["min"].get("messages") or bodies["min"].get("contents") or bodies["min"]["input"])


@pytest.mark.parametrize(("name", "allowed"), [("claude-sonnet-4.6", '"disable_parallel_tool_use": false'),
                                               ("gpt-5.2", '"parallel_tool_calls": true')])  # fmt: skip
async def test_several_actions_allow_several_tool_calls(name, allowed, profile, pool, standin):
    for per_reply in (3, 1):
        standin.say(Say(calls=[("move_left", {})]))
        await Playing(profile(name), None, context_at("slide", action=ActionSpec(per_reply=per_reply)), pool).turn(
            observation()
        )
        assert (allowed in json.dumps(standin.seen[-1].body)) is (per_reply == 3)


def cell(model: str, thinking: str, **more: Any):
    return make_plan([run_spec({"game": "13_flappy-bird", "task": "1", "model": model, "thinking": thinking, **more})])


def test_thinking_min_and_max_change_identity_default_does_not():
    plans = {how: cell("gpt-5.2", how) for how in ("min", "default", "max")}
    assert len({p.episodes[0].key for p in plans.values()}) == 3
    unsaid = make_plan([run_spec({"game": "13_flappy-bird", "task": "1", "model": "gpt-5.2"})])
    assert unsaid.episodes[0].key == plans["default"].episodes[0].key
    assert [c.name.partition(" · thinking ")[2] for p in plans.values() for c in p.cells] == ["min", "", "max"]
    kept = CellSpec.model_validate_json(plans["max"].cells[0].spec.model_dump_json())
    assert kept.player("player").model.sampling.reasoning_effort == "xhigh", "run.json is enough to ask the same again"
    assert kept.model == read_model("gpt-5.2")


def test_unsupported_thinking_names_the_alternatives():
    with pytest.raises(UsageError, match=r"thinking 'max': the profile of qwen2.5-vl-7b .* Allowed with it: default\."):
        cell("qwen2.5-vl-7b", "max")
    with pytest.raises(UsageError, match=r"thinking 'min': the profile of grok"):
        cell("gpt-5.2", "min", agent={**PLANNING, "models": {"planning": "grok-4.1-fast-reasoning"}})
    with pytest.raises(UsageError, match=r"setting thinking 'much': .*min.*default.*max"):
        cell("gpt-5.2", "much")
    with pytest.raises(UsageError, match=r"temperature '0' of claude-sonnet-4.6: a model that thinks has its own"):
        cell("claude-sonnet-4.6", "max", sampling="published")


@pytest.mark.parametrize("name", [n for n in conf_files("model") if read_model(n).thinking])
def test_profiles_define_both_thinking_settings(name, pool):
    spec = read_model(name)
    assert spec.provider not in LOCAL_PLAYERS and spec.thinking.keys() == {"min", "max"}
    assert spec.with_thinking("max").sampling.max_output_tokens > spec.sampling.max_output_tokens, (
        "thoughts count as output"
    )
    for how in ("min", "max"):
        make_responder(spec.with_thinking(how), AgentSpec(), context_at("slide"), pool)
