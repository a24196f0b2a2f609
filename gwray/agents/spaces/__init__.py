"""Action spaces: how one role acts. `interface` names one: `semantic`, `parametric`, `computer_use`, or the path
`package.Class` of your own."""

from collections.abc import Collection

from gwray.agents.calls import Call, NoCall, Parsed, Refused
from gwray.agents.spaces.base import FINISH, ActionSpace, enum_schema, object_schema, plain_call
from gwray.errors import UsageError
from gwray.places import Registry

SPACES = Registry(
    "interface",
    {
        "semantic": "gwray.agents.spaces.semantic:Semantic",
        "parametric": "gwray.agents.spaces.semantic:Parametric",
        "computer_use": "gwray.agents.spaces.computer_use:ComputerUse",
    },
)
"""Action spaces by name."""


def get_space(interface: str, *, trusted: Collection[str] | None = None) -> type[ActionSpace]:
    """Returns the class that a setting names. Raises `UsageError` if there is none."""
    found = SPACES.get(interface, trusted=trusted)
    if not (isinstance(found, type) and issubclass(found, ActionSpace)):
        raise UsageError(f"interface '{interface}' is not a gwray.agents.ActionSpace; derive your class from it")
    return found
