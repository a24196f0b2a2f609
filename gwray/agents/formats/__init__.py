"""Formats: how an action is written in a reply. One file per family; a new one is added to the two tables here."""

from gwray.agents.formats.base import ControlCall, Format, NoCall, Refused
from gwray.agents.formats.generic import GenericJson
from gwray.agents.formats.native import ClaudeComputer, GeminiComputer, OpenAIComputer
from gwray.agents.formats.qwen import Qwen
from gwray.agents.formats.tools import NativeTools
from gwray.agents.formats.uitars import UiTars
from gwray.errors import choose

TEXT_FORMATS: dict[str, Format] = {
    "json": GenericJson(),
    "qwen": Qwen(),
    "uitars": UiTars(),
    "seed": UiTars(),
    "tools": NativeTools(),
}
"""Formats by the name a profile uses; the same reader may serve several prompts."""

NATIVE_FORMATS: dict[str, Format] = {
    "anthropic": ClaudeComputer(),
    "openai_responses": OpenAIComputer(),
    "gemini": GeminiComputer(),
}
"""Native computer tools by provider."""

__all__ = ["NATIVE_FORMATS", "TEXT_FORMATS", "ControlCall", "Format", "NoCall", "Refused", "format_of"]


def format_of(name: str, provider: str) -> Format:
    """The format of a profile; `native` is the provider's own computer tool."""
    if name == "native":
        if provider not in NATIVE_FORMATS:
            raise choose("a native computer tool for provider", provider, sorted(NATIVE_FORMATS), "Use a text format.")
        return NATIVE_FORMATS[provider]
    if name not in TEXT_FORMATS:
        raise choose("format", name, [*sorted(TEXT_FORMATS), "native"], "It is named in conf/model/.")
    return TEXT_FORMATS[name]
