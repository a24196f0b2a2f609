"""A request before it has a provider: static text, turns of text and pictures, tools, sampling.

Clients translate it into their wire format. Its hash covers everything that can influence the reply and nothing that
cannot: no endpoint, no key, no time limit. Words and pictures are hashed apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from gwray.identity import said
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
class Message:
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
    turns: tuple[Message, ...]
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
    def words_hash(self) -> str:
        """Digest of everything that is said in words: each picture counts as a place with its kind and size.

        What is empty or left at its default is not said, so a part that is added later changes no hash.
        """
        words = {
            "model": self.model_id,
            "provider": self.provider,
            "system": self.system,
            "turns": [{"role": t.role, "parts": [_words_of(p) for p in t.parts]} for t in self.turns],
            "tools": [[t.name, t.description, t.parameters] for t in self.tools],
            "computer": self.computer,
            "sampling": said(self.sampling),
            "schema": self.response_schema,
            "options": self.options,
        }
        return digest(canonical({name: value for name, value in words.items() if value}))

    @cached_property
    def pictures_hash(self) -> str:
        """Digest of all pictures in their order; empty when there is none. Another browser draws other pictures, so
        they are hashed apart: it still proves every word."""
        pictures = [p.hash for t in self.turns for p in t.parts if isinstance(p, Image)]
        return digest(*pictures) if pictures else ""


def _words_of(part: Part) -> Any:
    if isinstance(part, Text):
        return {"text": part.text}
    return {"mime": part.mime, "size": list(part.size)}
