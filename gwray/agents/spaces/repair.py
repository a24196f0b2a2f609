"""Repairs the names and arguments of calls: the part of the repair that knows what a role can do. Names and values are
compared without case and separators; there are no synonyms."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gwray.agents.calls import Call
from gwray.agents.formats import REASONING
from gwray.agents.formats.loose_json import as_arguments
from gwray.agents.formats.repair import arguments_of, squeezed
from gwray.agents.formats.uitars import named_arguments, read_arguments

_PATH = re.compile(r"((?:\w+[./]|mcp__\w+?__)*)([^./]*)")
_BRACKETED = re.compile(r"\s*([\w./-]{1,100})\s*\((.*)", re.DOTALL)
_QUOTED = re.compile(r"\s*(['\"`])(.+)\1\s*", re.DOTALL)


def repaired_call(call: Call, known: Mapping[str, Sequence[str] | None]) -> Call | None:
    """Returns a call of a known name with arguments by name; None if there is no such call.

    Args:
        call: the name may hold the arguments: `reveal_cell(c4)`, `reveal_cell(cell='c4')`.
        known: parameters of each call, in order; None: those of the UI-TARS format.
    """
    name, given = call.name, call.arguments
    if bracketed := _BRACKETED.fullmatch(name):
        pairs, end = read_arguments(bracketed[2], 0)
        if pairs is None or bracketed[2][end:].strip(" ;.`") or as_arguments(given):
            return None
        name, given = bracketed[1], arguments_of(pairs)
        if given is None:
            return None
    found = _known(name, known)
    if found is None:
        return None
    if isinstance(given, str):
        read = as_arguments(given, loose=True)
        given = read if read is not None else _listed(given)
    if isinstance(given, Mapping):
        return Call(found, _by_name(given, known[found]))
    values = list(given) if isinstance(given, list | tuple) else [given]
    if known[found] is None:
        return Call(found, named_arguments(found, [("", str(v)) for v in values]))
    wanted = [p for p in known[found] or () if p != REASONING]
    return Call(found, dict(zip(wanted, values, strict=False))) if len(values) <= len(wanted) else None


def _known(words: str, known: Mapping[str, Any]) -> str | None:
    """Returns the only known name that words spell, also after a path of other names."""
    path = _PATH.fullmatch(words.strip("`'\"() @#/.:"))
    if path is None or any(squeezed(p) in map(squeezed, known) for p in re.split("[./]", path[1]) if p):
        return None
    found = [k for k in known if squeezed(k) == squeezed(path[2]) != ""]
    return found[0] if len(found) == 1 or (found and known[found[0]] is None) else None


def _listed(text: str) -> list[str]:
    """Returns arguments in order from text: `["c4"]`, `(c4)` or `c4`."""
    inner = text.strip()
    if len(inner) > 2 and (inner[0], inner[-1]) in (("(", ")"), ("[", "]")):
        pairs, end = read_arguments(f"{inner[1:-1]})", 0)
        if pairs is not None and end == len(inner) - 1 and not any(k for k, _ in pairs):
            return [v for _, v in pairs]
    return [inner] if inner else []


def _by_name(given: Mapping[Any, Any], parameters: Sequence[str] | None) -> dict[str, Any]:
    names = {squeezed(p): p for p in parameters or ()}
    return {names.get(squeezed(str(k)), str(k)): plain_value(v) for k, v in given.items()}


def plain_value(value: Any) -> Any:
    """Returns a value without the quotes or the list around it."""
    if isinstance(value, list | tuple) and len(value) == 1 and isinstance(value[0], str | int | float):
        value = value[0]
    quoted = _QUOTED.fullmatch(value) if isinstance(value, str) else None
    return quoted[2] if quoted else value


def spelled(given: Any, parameter: Any) -> Any:
    """Returns the argument that a model's value spells for a parameter, without case and separators: `C-4` is `c4`."""
    if not isinstance(given, str):
        return given
    if parameter.type == "cell" and re.fullmatch(r"\W*[A-Za-z][\W_]*\d{1,2}\W*", given):
        return squeezed(given)
    if parameter.type == "choice":
        same = [c for c in parameter.choices if squeezed(c) == squeezed(given) != ""]
        return same[0] if len(same) == 1 else given
    return given
