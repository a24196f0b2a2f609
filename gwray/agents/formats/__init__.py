"""Formats: how calls are written in a reply, one file per family, and by what name a profile asks for one.

A format of one's own is a class (derived from `Format`) that a profile names as `package.Class`.
"""

from collections.abc import Collection

from gwray.agents.formats.base import Format
from gwray.agents.formats.tools import REASONING, add_reasoning, stated_reason
from gwray.errors import UsageError, choose
from gwray.registry import Registry

_HERE = "gwray.agents.formats"
FORMATS = Registry(
    "format",
    {
        "json": f"{_HERE}.generic:GenericJson",
        "qwen": f"{_HERE}.qwen:Qwen",
        "uitars": f"{_HERE}.uitars:UiTars",
        "seed": f"{_HERE}.uitars:UiTars",
        "tools": f"{_HERE}.tools:NativeTools",
    },
)
"""Formats by the name a profile uses. Seed writes as UI-TARS does, on another grid."""
NATIVE = Registry(
    "a native computer tool for provider",
    {
        "anthropic": f"{_HERE}.native:ClaudeComputer",
        "openai_responses": f"{_HERE}.native:OpenAIComputer",
        "gemini": f"{_HERE}.native:GeminiComputer",
    },
)
"""Native computer tools by provider: the format `native`."""

__all__ = [
    "FORMATS",
    "NATIVE",
    "REASONING",
    "Format",
    "add_reasoning",
    "get_format",
    "stated_reason",
]


def get_format(name: str, provider: str, *, trusted: Collection[str] | None = None) -> Format:
    """The format of a profile: a name, the path `package.Class` of one's own, or `native`, the provider's own computer
    tool. Raises `UsageError`."""
    if name == "native":
        if provider not in NATIVE.builtin:
            raise choose(NATIVE.what, provider, NATIVE.names(), "Use a text format.")
        return NATIVE.get(provider)()
    if "." not in name and name not in FORMATS.names():
        raise choose("format", name, [*FORMATS.names(), "native"], "It is named in conf/model/; or package.Class.")
    found = FORMATS.get(name, trusted=trusted)
    if not (isinstance(found, type) and issubclass(found, Format)):
        raise UsageError(f"format '{name}' is no gwray.agents.Format; derive your class from it")
    return found()
