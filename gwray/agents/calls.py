"""What a reply asks for, on its way to an action: a format reads calls, an action space makes actions of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gwray.actions import Action

MAX_CALLS = 40
"""Calls that are read from one reply."""


@dataclass(frozen=True)
class Call:
    """Something was asked for by name. Arguments are as the model gave them: an object, JSON text, or a bare value."""

    name: str
    arguments: Any = field(default_factory=dict)


@dataclass(frozen=True)
class NoCall:
    """The reply has no call, or an unfinished one: `no_tool_call`."""

    reason: str


@dataclass(frozen=True)
class Refused:
    """A call that asks for something that cannot be done: `out_of_space`. `control`: the one it names, if any."""

    reason: str
    control: str | None = None


@dataclass(frozen=True)
class Parsed:
    """A call that is an action. `control`: the semantic control it came from; `note`: what was made of a slip."""

    action: Action
    control: str | None = None
    note: str = ""
