"""The settings of a job as a user said them → a checked `RunSpec`.

This is the edge: Hydra's config enters `run_spec` and nothing of it goes further.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from gwray.agents import read_library
from gwray.catalog import read_model
from gwray.errors import UsageError, choose
from gwray.local_players import LOCAL_PLAYERS
from gwray.pipelines.cells import cell_of_job
from gwray.pipelines.latency import FORMS, parse_latency
from gwray.pipelines.latency_table import TABLE, from_table
from gwray.records import digest
from gwray.spec import PROMPT_VERSION, TOP_LEVEL, AgentSpec, RunSpec, TimingSpec
from gwray.validation import in_words, names_at


def run_spec(config: Mapping[str, Any]) -> RunSpec:
    """Hydra's config (as a plain mapping) → a checked `RunSpec`. Raises `UsageError` naming field and value."""
    data = {k: v for k, v in config.items() if k not in ("cells", "hydra")}
    for key in ("game", "task", "libraries"):
        if key in data:
            data[key] = _words(data[key])
    if isinstance(data.get("model"), str):
        data["model"] = read_model(data["model"]).model_dump()
    for name in TOP_LEVEL:
        group, _, field = name.partition(".")
        if isinstance(data.get(group), Mapping) and field in data[group]:
            raise UsageError(f"setting {name} is spelled {field}=… (one spelling for one thing)")
    try:
        spec = RunSpec.model_validate(data)
    except ValidationError as e:
        raise UsageError("\n".join(_problem(p) for p in e.errors())) from e
    if spec.timing.latencies:
        raise UsageError("setting timing.latencies is filled in from timing.latency=table:FILE. Leave it out.")
    spec = spec.model_copy(update={"agent": _with_library(_worded(spec))})
    if spec.timing.charge.startswith(TABLE):
        spec = spec.model_copy(update={"timing": _from_table(spec)})
    parse_latency(spec.timing)
    return spec


def _from_table(spec: RunSpec) -> TimingSpec:
    paused = cell_of_job(spec.model_copy(update={"timing": TimingSpec()}))
    if len(paused.spec.models()) > 1:
        raise UsageError(
            f"timing.latency '{spec.timing.latency}': a table is of one model, and '{paused.name}' asks several. Name "
            f"a distribution for it. Allowed: {FORMS} (milliseconds)."
        )
    return from_table(spec.timing, paused.id, paused.name)


def _worded(spec: RunSpec) -> AgentSpec:
    """The agent with the newest wording, if none is said and somebody reads it."""
    names = [*spec.roles.values(), *spec.agent.models.values()]
    asked = any(m.provider not in LOCAL_PLAYERS for m in (spec.model, *map(read_model, names)))
    if "prompt_version" in spec.agent.model_fields_set or not asked:
        return spec.agent
    return spec.agent.model_copy(update={"prompt_version": PROMPT_VERSION})


def _with_library(agent: AgentSpec) -> AgentSpec:
    """The agent with the rules of its library, which then need no file; the digest of what they say stands for it."""
    if agent.rules:
        raise UsageError("setting agent.rules is filled in from agent.library=FILE. Leave it out.")
    if not agent.library:
        return agent
    rules = read_library(agent.library)
    return agent.model_copy(update={"rules": rules, "library": digest(*rules)[:12]})


def _words(value: Any) -> list[str]:
    """`a`, `a,b`, `[a, b]` and numbers all mean a list of words."""
    if value is None:
        return []
    items = value if isinstance(value, (list, tuple)) else str(value).split(",")
    words = ("null" if v is None else str(v).strip() for v in items)
    return [word for word in words if word]


def _problem(p: Any) -> str:
    where = ".".join(str(x) for x in p["loc"])
    if p["type"] == "extra_forbidden":
        prefix = "".join(f"{part}." for part in p["loc"][:-1])
        names = [prefix + name for name in names_at(RunSpec, p["loc"][:-1])]
        return str(choose("setting", where, [n for n in names if n not in TOP_LEVEL]))
    plain = isinstance(p["input"], str | int | float | bool)
    given = "" if p["type"] == "missing" else f" '{p['input']}'" if plain else f" {p['input']!r:.80}"
    return f"setting {where}{given}: {in_words(p, RunSpec)}"
