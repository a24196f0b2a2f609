"""Evaluates predicates of `gwray.catalog.predicates` in a state."""

import math
from collections.abc import Callable
from typing import Any

from gwray.catalog import All, Any_, AtLeast, AtMost, Between, Contains, Exists, Is, Not, OneOf, Predicate
from gwray.errors import GameError


def field(state: dict[str, Any], path: str) -> Any:
    """Returns the value at a dotted path. Raises `GameError` naming the missing part and the existing ones."""
    value: Any = state
    for i, part in enumerate(path.split(".")):
        if not isinstance(value, dict) or part not in value:
            there = ", ".join(map(str, value)) if isinstance(value, dict) else type(value).__name__
            parent = ".".join(path.split(".")[:i]) or "the state"
            raise GameError(f"state field '{path}' is missing: {parent} has {there or 'nothing'}")
        value = value[part]
    return value


def number(state: dict[str, Any], path: str) -> float:
    """Returns the number at a dotted path. Raises `GameError` for a missing field or another type."""
    value = field(state, path)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise GameError(f"state field '{path}' is {value!r}, not a number")
    return value


def holds(predicate: Predicate, state: dict[str, Any]) -> bool:
    """Returns whether a predicate is true in a state.

    Raises `GameError` for a missing field (except in `exists`) or a type that the operator does not support: that is an
    error of the game's author, not an unreached goal.

    Example: `holds(Is(field="items.newspaper", is_=True), state)`
    """
    return _HOLDS[type(predicate)](predicate, state)


def same(a: Any, b: Any) -> bool:
    """Returns whether JSON values are equal: numbers by value, and a boolean equals no number."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return a == b


def _contains(p: Contains, state: dict[str, Any]) -> bool:
    there, wanted = field(state, p.field), p.contains
    if isinstance(there, list):
        return any(same(x, wanted) for x in there)
    if isinstance(there, dict | str) and isinstance(wanted, str):
        return wanted in there
    raise GameError(
        f"state field '{p.field}' is {there!r}: `contains: {wanted!r}` looks for an element in a list, or for a text "
        "in a text or among an object's keys"
    )


def _exists(p: Exists, state: dict[str, Any]) -> bool:
    value: Any = state
    for part in p.field.split("."):
        if not isinstance(value, dict) or part not in value:
            return not p.exists
        value = value[part]
    return p.exists


_HOLDS: dict[type, Callable[[Any, dict[str, Any]], bool]] = {
    Is: lambda p, s: same(field(s, p.field), p.is_),
    OneOf: lambda p, s: any(same(field(s, p.field), v) for v in p.one_of),
    Between: lambda p, s: p.between[0] <= number(s, p.field) <= p.between[1],
    AtLeast: lambda p, s: number(s, p.field) >= p.at_least,
    AtMost: lambda p, s: number(s, p.field) <= p.at_most,
    Contains: _contains,
    Exists: _exists,
    All: lambda p, s: all(holds(x, s) for x in p.all),
    Any_: lambda p, s: any(holds(x, s) for x in p.any),
    Not: lambda p, s: not holds(p.not_, s),
}
