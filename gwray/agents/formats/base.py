"""What reading a reply can come to, before anybody asks whether it is allowed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from gwray.actions import Action
from gwray.agents.coordinates import Grid
from gwray.records import Reply


@dataclass(frozen=True)
class ControlCall:
    """A semantic control was named."""

    name: str
    arguments: Any = field(default_factory=dict)


@dataclass(frozen=True)
class NoCall:
    """The reply has no call, or an unfinished one: `no_tool_call`."""

    reason: str


@dataclass(frozen=True)
class Refused:
    """The reply asks for something that cannot be done: `out_of_space`."""

    reason: str


class Format(Protocol):
    """One way of writing actions. Both methods are pure and raise nothing, whatever the reply says."""

    def control(self, reply: Reply) -> ControlCall | NoCall | Refused:
        """Read a semantic reply."""
        ...

    def raw(self, reply: Reply, grid: Grid) -> Action | NoCall | Refused:
        """Read a computer-use reply; points come back in viewport pixels."""
        ...

    def thought(self, reply: Reply) -> str:
        """What the model wrote besides its call."""
        ...


CUT = frozenset({"length", "max_tokens", "max_output_tokens", "incomplete", "MAX_TOKENS"})
"""Finish reasons of a reply that was cut off."""


def was_cut(reply: Reply) -> bool:
    """Did the provider stop the reply before the model was done?"""
    return reply.finish_reason in CUT
