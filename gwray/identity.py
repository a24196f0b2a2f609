"""Identity by what was said: the canonical form of a specification, and the hashes made of it.

Two specifications are the same if the same things were said in them. What was left at its default is not part of what
was said, so a field that is added later, with a default that changes nothing, leaves every key as it was. The price: a
*changed* default silently changes what a key means, and therefore needs a new `PROTOCOL_VERSION`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

NOT_OUTCOME = {
    "base_url", "api_key_env", "prices", "max_in_flight", "requests_per_minute", "timeout_s", "source",
    "self_hosted", "interfaces", "pictures", "retired", "thinking",
}  # fmt: skip
"""Fields of a model profile that cannot change what the model says, so they are no part of an episode's identity; of
how much it thinks, what it is sent is."""


def said(value: Any, leave_out: Collection[str] = ()) -> Any:
    """A specification as plain JSON values: of every model only the fields that differ from their default.

    A field that can have one value only tells kinds apart (`action: "click"`), so it is always kept. `leave_out` names
    fields of the outermost model that are no part of the identity.

    Example: `said(Sampling(temperature=0)) == {"temperature": 0.0}`
    """
    if isinstance(value, BaseModel):
        fields = ((name, getattr(value, name), always, default) for name, always, default in _fields(type(value)))
        return {n: said(v) for n, v, always, default in fields if n not in leave_out and (always or v != default)}
    if isinstance(value, Mapping):
        return {str(k): said(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [said(v) for v in value]
    return value


@cache
def _fields(model: type[BaseModel]) -> tuple[tuple[str, bool, Any], ...]:
    """Of each field that is ever said: its name, whether it always is, and its default."""
    return tuple(
        (name, _always(field), field.get_default(call_default_factory=True))
        for name, field in model.model_fields.items()
        if not field.exclude
    )


def _always(field: FieldInfo) -> bool:
    tells_kinds = get_origin(field.annotation) is Literal and len(get_args(field.annotation)) == 1
    return tells_kinds or field.is_required()
