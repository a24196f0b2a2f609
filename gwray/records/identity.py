"""Identity of specifications: only values that differ from their defaults are hashed.

A field that is added later, with a default that changes nothing, therefore leaves every key unchanged. In return, a
*changed* default silently changes the meaning of a key, and needs a new `PROTOCOL_VERSION`.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from operator import eq
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

NOT_OUTCOME = {
    "base_url", "api_key_env", "prices", "max_in_flight", "requests_per_minute", "timeout_s", "source",
    "self_hosted", "interfaces", "pictures", "retired", "thinking", "label",
}  # fmt: skip
"""Fields of a model profile that cannot change a model's replies, so they are not part of an episode's identity. Of
`thinking`, the resulting request settings are."""


def non_defaults(value: Any, leave_out: Collection[str] = ()) -> Any:
    """Returns a specification as plain JSON values, with only the fields that differ from their default.

    A `Literal` field with a single value (`action: "click"`) distinguishes types, so it is always included. `leave_out`
    names fields of the outermost model to exclude.

    Example: `non_defaults(Sampling(temperature=0)) == {"temperature": 0.0}`
    """
    if isinstance(value, BaseModel):
        fields = ((name, getattr(value, name), always, empty) for name, always, empty in _fields(type(value)))
        return {
            n: non_defaults(v)
            for n, v, always, is_default in fields
            if n not in leave_out and (always or not is_default(v))
        }
    if isinstance(value, Mapping):
        return {str(k): non_defaults(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [non_defaults(v) for v in value]
    return value


@cache
def _fields(model: type[BaseModel]) -> tuple[tuple[str, bool, Callable[[Any], bool]], ...]:
    """Returns each field that is not excluded from dumps: its name, whether it is always included, and a function that
    returns whether dumps omit a value, such as the default."""
    return tuple(
        (name, _always(field), field.exclude_if or partial(eq, field.get_default(call_default_factory=True)))
        for name, field in model.model_fields.items()
        if not field.exclude
    )


def _always(field: FieldInfo) -> bool:
    distinguishes_types = get_origin(field.annotation) is Literal and len(get_args(field.annotation)) == 1
    return distinguishes_types or field.is_required()
