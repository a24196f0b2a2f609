"""Validates the settings of a job and completes them to a `RunSpec`. Nothing beyond this module sees Hydra's config."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from gwray.catalog import read_model
from gwray.errors import UsageError, choose
from gwray.pipelines.cells import cell_of_job
from gwray.pipelines.latency import FORMS, TABLE, from_table, parse_latency
from gwray.places.validation import in_words, names_at
from gwray.settings import TOP_LEVEL, RunSettings, RunSpec, TimingSettings, TimingSpec


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
    spec = RunSpec.model_construct(given.model_fields_set | {"timing"}, **{**dict(given), "timing": TimingSpec()})
    spec = spec.model_copy(update={"timing": _read_timing(given.timing, spec)})
    parse_latency(spec.timing)
    return spec


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
