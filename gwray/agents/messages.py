"""A provider-independent request: static text, turns of text and images, tools, sampling. Clients translate it into
their wire format. Its hashes cover everything that can influence the reply and nothing else: no endpoint, no key, no
time limit. Text and images are hashed separately."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from gwray.records import canonical, digest, non_defaults
from gwray.settings import Sampling


@dataclass(frozen=True)
class Text:
    """Text in a prompt."""

    text: str


@dataclass(frozen=True)
class Image:
    """An image in a prompt. Clients resize it to `size` (width, height in pixels) when they send it, so that replays do
    not have to."""

    data: bytes = field(repr=False)
    mime: str
    size: tuple[int, int]

    @cached_property
    def hash(self) -> str:
        """Digest of the original file."""
        return digest(self.data)


Part = Text | Image


@dataclass(frozen=True)
class Message:
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Tool:
    """A function that the model may call. `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True)
class Request:
    """One question to one model."""

    model_id: str
    provider: str
    system: str
    turns: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    computer: tuple[int, int] | None = None
    """Screen size in pixels for which to offer the provider's own computer tool."""
    sampling: Sampling = field(default_factory=Sampling)
    response_schema: dict[str, Any] | None = None
    pattern: str = ""
    """Regular expression of the reply."""
    options: dict[str, Any] = field(default_factory=dict)
    """The options of the profile that can influence a reply."""
    session: str = ""
    """The episode key, which keeps an episode on one replica (`x-session-id`). Not part of the hash."""
    role: str = ""
    """The role that asks. Not part of the hash."""
    decision: int = 0
    """Number of the role's turn, counted from 0. Not part of the hash."""

    @cached_property
    def words_hash(self) -> str:
        """Digest of everything except the content of images, of which only place, type and size count. Empty fields and
        defaults are left out, so a field that is added later changes no hash."""
        fields = {
            "model": self.model_id,
            "provider": self.provider,
            "system": self.system,
            "turns": [{"role": t.role, "parts": [_without_pixels(p) for p in t.parts]} for t in self.turns],
            "tools": [[t.name, t.description, t.parameters] for t in self.tools],
            "computer": self.computer,
            "sampling": non_defaults(self.sampling),
            "schema": self.response_schema,
            "pattern": self.pattern,
            "options": self.options,
        }
        return digest(canonical({name: value for name, value in fields.items() if value}))

    @cached_property
    def pictures_hash(self) -> str:
        """Digest of all images in order; empty if there is none. Separate, because another browser draws other pixels
        and must still be able to verify all text."""
        images = [p.hash for t in self.turns for p in t.parts if isinstance(p, Image)]
        return digest(*images) if images else ""


def _without_pixels(part: Part) -> Any:
    if isinstance(part, Text):
        return {"text": part.text}
    return {"mime": part.mime, "size": list(part.size)}
