"""The steps from a reply to actions: a format reads calls, an action space turns calls into actions."""

from dataclasses import dataclass, field
from typing import Any

from gwray.records import Action

MAX_TEXT = 20_000
"""Characters at the end of a reply in which calls are read: reading more would block the event loop, and so the other
episodes of the process. A program, the longest argument, has about half of them."""
MAX_CALLS = 40
"""Calls that are read from one reply."""


@dataclass(frozen=True)
class Call:
    """A named call. Arguments are unchanged: an object, JSON text, or a bare value."""

    name: str
    arguments: Any = field(default_factory=dict)


@dataclass(frozen=True)
class NoCall:
    """The reply has no call, or an incomplete one: validity `no_tool_call`."""

    reason: str


@dataclass(frozen=True)
class Refused:
    """A call for an action that is not possible: validity `out_of_space`."""

    reason: str
    control: str | None = None
    """The control that it names, if any."""


@dataclass(frozen=True)
class Parsed:
    """A call that is an action."""

    action: Action
    control: str | None = None
    """The semantic control that it came from."""
    note: str = ""
    """How a mistake was corrected."""
