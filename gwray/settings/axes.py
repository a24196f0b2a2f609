"""Axes of a sweep: the settings of a cell, other than models and interface, that differ from their default. Tables,
ablations, groups and file names are derived from the axes, so a new setting is a new axis without further code."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Protocol

import yaml
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from gwray.places import CONF, conf_files
from gwray.records import non_defaults
from gwray.settings.cell import CellSpec, NudgeSpec, ObservationSpec
from gwray.settings.model import LOCAL_PLAYERS, ModelSpec

Value = str | int | float | bool

NO_AXES = ("model", "roles", "helpers", "code", "metrics")
"""Parts of a cell that are no axes: models have their own columns, and metrics change no episode."""
SAME_NAME = {"agent.memory_rounds": "memory_rounds", "agent.memory_format": "memory_format", "agent.name": "agent",
             "agent.target": "agent", "timing.mode": "timing"}  # fmt: skip
"""Axes as the command line spells them."""
FACTS = {"timing": "timing", "latency": "timing.latency", "memory_rounds": "memory_rounds", "agent": "agent"}
"""Columns of a record and the axis that they contain."""


def axes(cell: CellSpec) -> dict[str, Value]:
    """Returns name → value of the settings of a cell that differ from their default, named as on the command line.

    Example: `{"memory_rounds": 2, "timing": "realtime", "timing.latency": "fixed:250"}`
    """
    flat = _flat(non_defaults(cell, leave_out=NO_AXES))
    flat.pop("agent.interface", None)
    if flat.get("agent.target"):
        flat.pop("agent.name", None)
    if cell.agent.modules and cell.agent.modules == modules_of(cell.agent.name):
        flat.pop("agent.modules", None)
    flat = {name: value for name, value in flat.items() if not name.startswith("agent.models.")}
    flat.pop("timing.latencies", None)  # timing.latency has their fingerprint
    return {SAME_NAME.get(name, name): value for name, value in flat.items()}


@cache
def modules_of(agent: str) -> tuple[str, ...]:
    """Returns the modules that the name of an agent in gwray's `conf/agent/` implies."""
    file = next((f for f in (CONF / "agent").glob("*.yaml") if f.stem == agent), None)
    return tuple(yaml.safe_load(file.read_text("utf-8")).get("modules", ())) if file else ()


def axes_of_facts(facts: Mapping[str, Any]) -> dict[str, Value]:
    """Returns the axes in a record's columns, for records without a manifest."""
    known = {axis: facts.get(column) for column, axis in FACTS.items()}
    return {axis: v for axis, v in known.items() if v not in (None, "") and v != default(axis)}


AS_READ = {
    "observation=image": "pictures",
    "observation=text": "text",
    "observation=both": "pictures + text",
    "observation=none": "no observation",
    "interface=semantic": "named controls",
    "interface=computer_use": "mouse and keyboard",
    "timing=realtime": "real time",
}
"""Values for readers who do not know the settings."""


def axis_title(axis: str) -> str:
    """Returns an axis in words: `memory rounds`, `nudge when`, `delay` for `timing.latency`."""
    last = axis if axis.startswith("nudge.") else axis.rpartition(".")[2]
    return {"limit.steps": "step limit", "timing.latency": "delay"}.get(axis) or re.sub("[._]", " ", last)


def axis_value(axis: str, value: Value) -> str:
    """Returns a value of an axis for readers: `250 ms` for `timing.latency=fixed:250`."""
    text = _short(value)
    fixed = axis == "timing.latency" and text.startswith("fixed:")
    return f"{text.removeprefix('fixed:')} ms" if fixed else AS_READ.get(f"{axis}={text}", text)


def axis_words(some: Mapping[str, Value]) -> tuple[str, ...]:
    """Returns axes in words, for names of cells: `real time`, `delay 250 ms`, `no repair`."""
    words = []
    for axis, given in _by_file(some):
        title, text = axis_title(axis), axis_value(axis, given)
        alone = axis == "timing" or f"{axis}={given}" in AS_READ
        words.append(text if alone else {"True": title, "False": f"no {title}"}.get(text, f"{title} {text}"))
    return tuple(words)


def _by_file(some: Mapping[str, Value]) -> list[tuple[str, Value]]:
    """Returns axes and values. A nudge or observation is named by the file that has most of its settings, if there is
    one, and by those that the file lacks."""
    by_file: dict[str, tuple[str, Value]] = {}
    for group, files in _files().items():
        given = {axis: _short(value) for axis, value in some.items() if family(axis) == group}
        if fitting := [name for name, says in files.items() if says and says.items() <= given.items()]:
            named = max(fitting, key=lambda name: len(files[name]))
            by_file |= dict.fromkeys(files[named], (group, named))
    return list(dict.fromkeys(by_file.get(axis) or (axis, value) for axis, value in some.items()))


@cache
def _files() -> dict[str, dict[str, dict[str, str]]]:
    """Returns group → file → its settings as axes, as text. Unreadable files are skipped."""
    out: dict[str, dict[str, dict[str, str]]] = {"nudge": {}, "observation": {}}
    for group, kind in (("nudge", NudgeSpec), ("observation", ObservationSpec)):
        for name, file in conf_files(group).items():
            with suppress(ValueError, yaml.YAMLError):
                says = kind.model_validate(yaml.safe_load(file.read_text("utf-8")) or {})
                flat = _flat({group: non_defaults(says)})
                out[group][name] = {axis: _short(value) for axis, value in flat.items()}
    return out


def family(axis: str) -> str:
    """Returns the settings group of an axis: its first segment."""
    return axis.partition(".")[0]


def default(axis: str) -> Value | None:
    """Returns the default value of an axis, such as `memory_rounds` or `timing.latency`, named as on the command line.
    Lists are joined by "+". None if the axis is required, defaults to None, or does not exist in this version."""
    path = next((p for p, name in SAME_NAME.items() if name == axis), axis)
    model: type[BaseModel] | None = CellSpec
    value: Any = None
    for part in path.split("."):
        field = model.model_fields.get(part) if model else None
        if field is None:
            return None
        kind = field.annotation
        model = kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None
        value = field.get_default(call_default_factory=True)
    return None if value is PydanticUndefined or value is None else _plain(value)


def _short(value: Value) -> str:
    """Returns a value as text, without the trailing zeros of a float; `none` for an empty list."""
    return (f"{value:g}" if isinstance(value, float) else str(value)) or "none"


def _plain(value: Any) -> Value:
    """Returns a scalar as it is, and a list or tuple as its items joined by "+"."""
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else value


def _flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Value]:
    """Returns nested settings by dotted path, such as `timing.latency`, without those that are None."""
    out: dict[str, Value] = {}
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            out |= _flat(inner, f"{prefix}{name}.")
        elif inner is not None:
            out[prefix + name] = _plain(inner)
    return out


def in_order(several: Iterable[Mapping[str, Value]]) -> list[str]:
    """Returns all axes of several cells, in the order of first occurrence."""
    return list(dict.fromkeys(axis for cell_axes in several for axis in cell_axes))


def model_of(spec: Mapping[str, Any], name: str) -> str:
    """Returns the label of a recorded cell's model; `name` if the specification has none."""
    model = spec.get("model")
    known = model if isinstance(model, Mapping) else {}
    fields = (str(known.get(field) or "") for field in ("provider", "model_id", "label"))
    return _make_label(str(known.get("name") or name), *fields)


def model_label(model: ModelSpec) -> str:
    """Returns a model's name for tables and messages: its label, or else its name with its model id in parentheses
    unless the name contains it. A profile for any server is named by the model id. A player without a model has its
    kind in parentheses, whatever its name or label."""
    return _make_label(model.name, model.provider, model.model_id, model.label)


GENERIC = ("openai-compatible", "default")
"""Name and model id of the profile for any server."""


def _make_label(name: str, provider: str, model_id: str, label: str) -> str:
    """Returns a model's label; see `model_label`."""
    local = provider in LOCAL_PLAYERS
    if not local and (label or (name == GENERIC[0] and model_id not in ("", GENERIC[1]))):
        return label or model_id
    name, kind = label or name, provider if local else model_id
    contained = re.fullmatch(rf"{re.escape(_letters(name))}(instruct|preview|\d{{6,}})*", _letters(kind))
    return name if contained or not kind else f"{name} ({kind})"


def _letters(name: str) -> str:
    """Returns letters and digits of a model's name, without the organization before it."""
    return re.sub(r"[\W_]", "", name.lower().rpartition("/")[2])


class Named(Protocol):
    """A cell of a run or of its analysis."""

    @property
    def id(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def interface(self) -> str: ...
    @property
    def axes(self) -> Mapping[str, Value] | None: ...
    @property
    def spec(self) -> Mapping[str, Any]: ...


def factors(cells: Iterable[Named]) -> dict[str, dict[str, Value | None]]:
    """Returns the columns that tell cells apart: name → cell id → value. The first two are `model` and `interface`,
    then other roles and helpers, then each axis with its defaults filled in. An observation or nudge that equals a file
    is one column. If cells still look alike, `cell` has the settings in which they differ, or their ids."""
    cells = list(cells)
    rows: dict[str, dict[str, Value | None]] = {}
    for c in cells:
        rows[c.id] = {"model": model_of(c.spec, c.model), "interface": c.interface}
        for part in ("roles", "helpers"):
            models = (c.spec.get(part) or {}).items()
            rows[c.id] |= {name: model_of({"model": m}, name) for name, m in models}
        rows[c.id] |= dict(_by_file(c.axes or {}))
    names = in_order(row for row in rows.values())  # type: ignore[arg-type]
    table = {name: {id: row.get(name, _missing(name, row)) for id, row in rows.items()} for name in names}
    alike: dict[tuple, list[Named]] = {}
    for c in cells:
        alike.setdefault(tuple(str(column[c.id]) for column in table.values()), []).append(c)
    if len(alike) < len(cells):
        table["cell"] = {
            c.id: name.removeprefix(" · ")
            for same in alike.values()
            for c, name in zip(same, distinct_names("", [(c.id, c.spec) for c in same]), strict=True)
        }
    return table


def _missing(name: str, row: Mapping[str, Value | None]) -> Value | None:
    """Returns the default of a factor that a cell does not set. Details of real time have none while the game waits."""
    if name in _files():  # named by files: the one that sets nothing
        return next((file for file, says in _files()[name].items() if not says), None)
    found = None if name.startswith("timing.") and "timing" not in row else default(name)
    return found if isinstance(found, str | int | float) else None


def cell_labels(cells: Mapping[str, tuple[str, Mapping[str, Any]]]) -> dict[str, str]:
    """Returns a distinct label of each cell by id. `cells`: its name (profile first) and specification.

    A label says which model plays, also where a profile was renamed or points at another model.
    """
    alike: dict[str, list[str]] = {}
    for id, (name, spec) in cells.items():
        profile = str((spec.get("model") or {}).get("name") or "")
        rest = name.removeprefix(profile)
        shown = f"{model_of(spec, profile)}{rest}" if profile and rest != name else name
        alike.setdefault(shown, []).append(id)
    labels: dict[str, str] = {}
    for shown, ids in alike.items():
        labels |= zip(ids, distinct_names(shown, [(id, cells[id][1]) for id in ids]), strict=True)
    return {id: labels[id] for id in cells}


def distinct_names(name: str, cells: Sequence[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """Makes equal names unique, by the settings in which the cells, given as id and specification, differ, or else by
    their ids."""
    if len(cells) == 1:
        return [name]
    settings = [_leaves(spec) for _, spec in cells]
    differ = [k for k in dict.fromkeys(k for s in settings for k in s) if len({s.get(k) for s in settings}) > 1]
    first = sorted(differ, key=lambda k: k not in IDENTIFYING)
    for chosen in (*([k] for k in first), differ):
        names = [" · ".join([name, *(f"{_last_word(k)} {s.get(k, 'none')}" for k in chosen)]) for s in settings]
        if 0 < len(chosen) <= 3 and len(set(names)) == len(names) and max(map(len, names)) < len(name) + 60:
            return names
    return [f"{name} · {id[:8]}" for id, _ in cells]


def _last_word(setting: str) -> str:
    """Returns the word of a setting that tells it apart: for a role's model, the role."""
    path = setting.split(".")
    return path[1] if path[0] == "roles" and path[2:] == ["name"] else path[-1]


IDENTIFYING = ("model.model_id", "model.provider", "model.name")
"""Settings that distinguish equal names best."""


def _leaves(value: Any, path: str = "") -> dict[str, str]:
    if isinstance(value, Mapping):
        return {k: v for key, x in value.items() for k, v in _leaves(x, f"{path}.{key}" if path else str(key)).items()}
    return {path: str(value)}
