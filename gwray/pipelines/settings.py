"""Validates the settings of a job and completes them to a `RunSpec`. Nothing beyond this module sees Hydra's config."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from gwray.agents import read_library
from gwray.catalog import read_model
from gwray.errors import UsageError, choose
from gwray.pipelines.cells import cell_of_job
from gwray.pipelines.latency import FORMS, TABLE, from_table, parse_latency
from gwray.records import digest
from gwray.spec import (
    LOCAL_PLAYERS,
    TOP_LEVEL,
    AgentSettings,
    AgentSpec,
    ModelSpec,
    RunSettings,
    RunSpec,
    TimingSettings,
    TimingSpec,
)
from gwray.validation import in_words, names_at


def run_spec(config: Mapping[str, Any]) -> RunSpec:
    """Returns the job of a config (a plain mapping). Raises `UsageError` naming setting and value."""
    data = {k: v for k, v in config.items() if k not in ("cells", "hydra")}
    for key in ("game", "task", "libraries", "arena"):
        if key in data:
            data[key] = _list_of_words(data[key])
    if isinstance(data.get("model"), str):
        data["model"] = read_model(data["model"]).model_dump()
    for name in TOP_LEVEL:
        group, _, field = name.partition(".")
        if isinstance(data.get(group), Mapping) and field in data[group]:
            raise UsageError(f"setting {name} does not exist; use {field}=…")
    try:
        given = RunSettings.model_validate(data)
    except ValidationError as e:
        raise UsageError("\n".join(_error_message(p) for p in e.errors())) from e
    given = given.model_copy(update={"model": _with_server(given.model, given.agent)})
    files = {"agent": _read_agent(given), "timing": TimingSpec()}
    spec = RunSpec.model_construct(given.model_fields_set | {*files}, **{**dict(given), **files})
    spec = spec.model_copy(update={"timing": _read_timing(given.timing, spec)})
    parse_latency(spec.timing)
    return spec


def _with_server(model: ModelSpec, agent: AgentSettings) -> ModelSpec:
    """Returns the model with the address of the MCP server that chooses the actions, if the agent is one."""
    if agent.code != "mcp":
        return model
    if model.provider != "mcp":
        raise UsageError(
            f"model '{model.name}' with agent=mcp: the server of agent.command or agent.url asks its own model. Leave "
            "model out, or set model=mcp."
        )
    options = {**model.options, "command": agent.command} if agent.command else model.options
    return model.model_copy(update={"base_url": agent.url or None, "options": options})


def _read_timing(given: TimingSettings, spec: RunSpec) -> TimingSpec:
    """Returns the timing, with its table of latencies read. `spec`: the same job, paused."""
    timing = TimingSpec(**dict(given))
    if not timing.charge.startswith(TABLE):
        return timing
    paused = cell_of_job(spec)
    if len(paused.spec.models()) > 1:
        raise UsageError(
            f"timing.latency '{timing.latency}': a table is of one model, but '{paused.name}' has several. "
            f"Use a distribution instead: {FORMS} (milliseconds)."
        )
    return from_table(timing, paused.id, paused.name)


def _read_agent(given: RunSettings) -> AgentSpec:
    """Returns the agent, with the rules of its library read and the newest prompt version if models read it and the
    settings name none."""
    agent, update = AgentSpec(**dict(given.agent)), {}
    names = [*given.roles.values(), *agent.models.values(), *given.arena]
    models = [given.model, *map(read_model, names)]
    asks_models = any(m.provider not in LOCAL_PLAYERS or m.options.get("replies") for m in models)
    if asks_models and "prompt_version" not in given.agent.model_fields_set:
        update["prompt_version"] = given.observation.prompt_version
    if agent.library:
        rules = read_library(agent.library)
        update |= {"rules": rules, "library": digest(*rules)[:12]}
    return agent.model_copy(update=update)


def _list_of_words(value: Any) -> list[str]:
    """Returns the words of `a`, `a,b`, `[a, b]` or a number."""
    if value is None:
        return []
    items = value if isinstance(value, (list, tuple)) else str(value).split(",")
    words = ("null" if v is None else str(v).strip() for v in items)
    return [word for word in words if word]


def _error_message(p: Any) -> str:
    """Returns the message for one of pydantic's errors."""
    where = ".".join(str(x) for x in p["loc"])
    if p["type"] == "extra_forbidden":
        prefix = "".join(f"{part}." for part in p["loc"][:-1])
        names = [prefix + name for name in names_at(RunSettings, p["loc"][:-1])]
        return str(choose("setting", where, [n for n in names if n not in TOP_LEVEL]))
    plain = isinstance(p["input"], str | int | float | bool)
    given = "" if p["type"] == "missing" else f" '{p['input']}'" if plain else f" {p['input']!r:.80}"
    return f"setting {where}{given}: {in_words(p, RunSettings)}"
