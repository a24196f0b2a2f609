"""Identity by what was said: the canonical form of a specification, and the hashes made of it.

Two specifications are the same if the same things were said in them. What was left at its default is not part of what
was said, so a field that is added later, with a default that changes nothing, leaves every key as it was. The price: a
*changed* default silently changes what a key means, and therefore needs a new `PROTOCOL_VERSION`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo


def said(value: Any, leave_out: Collection[str] = ()) -> Any:
    """A specification as plain JSON values: of every model only the fields that differ from their default.

    A field that can have one value only tells kinds apart (`action: "click"`), so it is always kept. `leave_out` names
    fields of the outermost model that are no part of the identity.

    Example: `said(Sampling(temperature=0)) == {"temperature": 0.0}`
    """
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {
            name: said(getattr(value, name))
            for name, field in fields.items()
            if name not in leave_out and not field.exclude and _counts(field, getattr(value, name))
        }
    if isinstance(value, Mapping):
        return {str(k): said(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [said(v) for v in value]
    return value


def _counts(field: FieldInfo, value: Any) -> bool:
    tells_kinds = get_origin(field.annotation) is Literal and len(get_args(field.annotation)) == 1
    return tells_kinds or field.is_required() or value != field.get_default(call_default_factory=True)
