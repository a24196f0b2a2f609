"""A request before it has a provider: static text, turns of text and pictures, tools, sampling.

Clients translate it into their wire format. Its hash covers everything that can influence the reply and nothing that
cannot: no endpoint, no key, no time limit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from gwray.records import canonical, digest
from gwray.spec import Sampling


@dataclass(frozen=True)
class Text:
    """A piece of text in a turn."""

    text: str


@dataclass(frozen=True)
class Image:
    """A picture, as taken; the client resizes it to `size` when it is sent, so that replaying costs nothing."""

    data: bytes = field(repr=False)
    mime: str
    size: tuple[int, int]

    @cached_property
    def hash(self) -> str:
        """Digest of the picture as taken."""
        return digest(self.data)


Part = Text | Image


@dataclass(frozen=True)
class Turn:
    """One message."""

    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Tool:
    """A function the model may call. `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Request:
    """What one model is asked in one step."""

    model_id: str
    provider: str
    system: str
    turns: tuple[Turn, ...]
    tools: tuple[Tool, ...] = ()
    computer: tuple[int, int] | None = None
    """Offer the provider's own computer tool for a screen of this size."""
    sampling: Sampling = field(default_factory=Sampling)
    response_schema: dict[str, Any] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    """Those provider options that can influence a reply."""
    session: str = ""
    """The episode key: keeps an episode on one replica (`x-session-id`). Not part of the hash."""

    @cached_property
    def hash(self) -> str:
        """Digest of the canonical form, with each picture replaced by its digest and size."""
        return digest(
            canonical(
                {
                    "model": self.model_id,
                    "provider": self.provider,
                    "system": self.system,
                    "turns": [{"role": t.role, "parts": [_canonical_part(p) for p in t.parts]} for t in self.turns],
                    "tools": [[t.name, t.description, t.parameters] for t in self.tools],
                    "computer": self.computer,
                    "sampling": self.sampling.model_dump(mode="json"),
                    "schema": self.response_schema,
                    "options": self.options,
                }
            )
        )


def _canonical_part(part: Part) -> Any:
    if isinstance(part, Text):
        return {"text": part.text}
    return {"image": part.hash, "mime": part.mime, "size": list(part.size)}
