"""Prices of requests, and schemas of structured output."""

from __future__ import annotations

import json

import jsonschema
import pytest
from agents.conftest import Playing, context_at, observation, space_at

from gwray.agents import cost_usd
from gwray.agents.cost import price_date
from gwray.catalog.protocol import read_model
from gwray.records import Reply, Usage
from gwray.settings import AgentSpec, ImageGrid, ModelSpec, Prices

MILLION = Usage(input=1_000_000, output=1_000_000)


def test_profile_price_wins_and_cached_input_has_its_own():
    prices = Prices(input=2.0, cached=0.5, output=8.0, as_of="2026-01-02")
    spec = read_model("gpt-5.2").model_copy(update={"prices": prices})
    assert cost_usd(spec, MILLION) == 10.0
    assert cost_usd(spec, Usage(input=1_000_000, cached=400_000)) == pytest.approx(0.6 * 2 + 0.4 * 0.5)
    assert price_date(spec) == "profile, 2026-01-02"
    without = spec.model_copy(update={"prices": Prices(input=2.0, output=8.0, as_of="x")})
    assert cost_usd(without, Usage(input=1_000_000, cached=400_000)) == 2.0


@pytest.mark.parametrize("name", ["claude-sonnet-4.6", "gpt-5.2", "kimi-k2.5", "gemini-3-flash-preview"])
def test_unlisted_prices_come_from_genai_prices(name):
    spec = read_model(name)
    complete, cached = cost_usd(spec, MILLION), cost_usd(spec, Usage(input=1_000_000, cached=900_000, output=1_000_000))
    assert complete and cached and 0 < cached < complete < 100
    assert price_date(spec).startswith("genai-prices")


def test_an_unknown_price_is_none_and_never_zero():
    assert cost_usd(ModelSpec(name="m", provider="openai_chat", model_id="nobody/knows-this"), MILLION) is None
    assert cost_usd(read_model("qwen3-vl-30b-a3b"), MILLION) is None
    assert cost_usd(read_model("random"), MILLION) is None
    assert price_date(read_model("random")) == ""


@pytest.mark.parametrize("kind", ["viewport", "thousand", "resized"])
@pytest.mark.parametrize("game", ["slide", "flap", "mines", "words"])
@pytest.mark.parametrize("interface", ["semantic", "computer_use"])
async def test_schema_admits_legal_calls_and_random_replies(game, interface, kind):
    schema = space_at(game, interface, ImageGrid(coordinates=kind, factor=28), durations="fixed").schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    spec = read_model("tiny-vl").model_copy(
        update={"image": ImageGrid(coordinates=kind, factor=28), "base_url": "http://x/v1"}
    )
    playing = Playing(spec, AgentSpec(interface=interface), context_at(game))
    assert (await playing.request(observation())).response_schema == schema
    for option in schema.get("anyOf", [schema]):
        say = json.dumps(example(option))
        decision = await playing.turn(observation(), Reply(text=say))
        assert decision.validity == "valid", (say, decision)


def example(schema: dict) -> object:
    """The largest value a schema allows."""
    match schema["type"]:
        case "object":
            return {k: example(v) for k, v in schema["properties"].items()}
        case "integer":
            return schema["maximum"]
        case _:
            return schema["enum"][-1] if "enum" in schema else "a"


async def test_only_profiles_that_ask_for_it_are_constrained():
    assert (await Playing(read_model("qwen3-vl-30b-a3b")).request(observation())).response_schema is None
