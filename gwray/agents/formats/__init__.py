"""Text formats by the name that a model profile uses.

Your own format is a class derived from `Format`, named in a profile as `package.Class`.
"""

from collections.abc import Collection

from gwray.agents.formats.base import Format
from gwray.agents.formats.json_calls import REASONING, add_reasoning, stated_reason
from gwray.errors import UsageError, choose
from gwray.places import Registry

_HERE = "gwray.agents.formats"
FORMATS = Registry(
    "format",
    {
        "json": f"{_HERE}.json_calls:GenericJson",
        "qwen": f"{_HERE}.json_calls:Qwen",
        "uitars": f"{_HERE}.uitars:UiTars",
        "seed": f"{_HERE}.uitars:UiTars",
        "sections": f"{_HERE}.sections:Sections",
        "tools": f"{_HERE}.json_calls:NativeTools",
    },
)
"""Formats by name. Seed writes like UI-TARS, on another grid."""
NATIVE = Registry(
    "a native computer tool for provider",
    {
        "anthropic": f"{_HERE}.native:ClaudeComputer",
        "openai_responses": f"{_HERE}.native:OpenAIComputer",
        "gemini": f"{_HERE}.native:GeminiComputer",
    },
)
"""Formats of the providers' computer tools by provider; the profile names them all `native`."""


def get_format(name: str, provider: str, *, trusted: Collection[str] | None = None) -> Format:
    """Creates the format of a profile.

    Args:
        name: a name in `FORMATS`, the path `package.Class` of your own, or `native` for the provider's computer tool.
        provider: the provider of the profile.
        trusted: names of user-defined code that may be imported; None: all.

    Raises:
        UsageError: there is no such format.
    """
    if name == "native":
        if provider not in NATIVE.builtin:
            raise choose(NATIVE.what, provider, NATIVE.names(), "Use a text format.")
        return NATIVE.get(provider)()
    if "." not in name and name not in FORMATS.names():
        raise choose("format", name, [*FORMATS.names(), "native"], "It is named in conf/model/; or package.Class.")
    found = FORMATS.get(name, trusted=trusted)
    if not (isinstance(found, type) and issubclass(found, Format)):
        raise UsageError(f"format '{name}' is not a gwray.agents.Format; derive your class from it")
    return found()
