"""Action spaces: what there is to do, for one role, in the words and coordinates of a model.

`interface` names one: `semantic`, `parametric`, `computer_use`, or the path `package.Class` of one's own.
"""

from collections.abc import Collection

from gwray.agents.calls import Call, NoCall, Parsed, Refused
from gwray.agents.spaces.base import ActionSpace, enum_schema, object_schema
from gwray.errors import UsageError
from gwray.registry import Registry

SPACES = Registry(
    "interface",
    {
        "semantic": "gwray.agents.spaces.semantic:Semantic",
        "parametric": "gwray.agents.spaces.parametric:Parametric",
        "computer_use": "gwray.agents.spaces.computer_use:ComputerUse",
    },
)
"""Action spaces by name."""

__all__ = [
    "SPACES",
    "ActionSpace",
    "Call",
    "NoCall",
    "Parsed",
    "Refused",
    "enum_schema",
    "get_space",
    "object_schema",
]


def get_space(interface: str, *, trusted: Collection[str] | None = None) -> type[ActionSpace]:
    """The action space of a setting. Raises `UsageError`."""
    found = SPACES.get(interface, trusted=trusted)
    if not (isinstance(found, type) and issubclass(found, ActionSpace)):
        raise UsageError(f"interface '{interface}' is no gwray.agents.ActionSpace; derive your class from it")
    return found
