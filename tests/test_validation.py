"""Validation errors name the setting, its value and what is allowed."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gwray.places.validation import in_words, names_at


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["whole"]
    least: int = 0


class Word(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["word"]
    letters: str = ""


class Thing(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = "thing"
    target: str = Field(default="", alias="_target_")
    parts: tuple[Annotated[Outer | Word, Field(discriminator="kind")], ...] = ()
    by_name: dict[str, Outer] = Field(default_factory=dict)
    share: float = Field(default=1, gt=0)
    on: bool = True
    cap: Literal[1] | None = 1
    names: tuple[str, ...] = Field(default=("a",), min_length=1)
    folder: str = Field(default="", exclude=True)


@pytest.mark.parametrize(("given", "message"), [
    ({"name": 3}, "must be text"),
    ({"names": "a"}, "must be a list, as in [a, b]"),
    ({"names": []}, "must have at least 1, not 0"),
    ({"by_name": ["a"]}, "must be a mapping, as in {name: value}"),
    ({"share": "much"}, "must be a number"),
    ({"share": -1}, "must be greater than 0"),
    ({"on": "perhaps"}, "must be true or false"),
    ({"cap": 2}, "must be 1 or null"),
    ({"by_name": {"x": {}}}, "is missing"),
    ({"by_name": {"x": {"kind": "whole", "least": 1.5}}}, "must be a whole number"),
    ({"parts": [{"kind": "hole"}]}, "'kind' must be one of 'whole', 'word', not 'hole'"),
    ({"parts": [{}]}, "needs the field 'kind'"),
    ({"targt": "x"}, "field 'targt' does not exist. Did you mean _target_ or parts? "
                     "Allowed: name, _target_, parts, by_name, share, on, cap, names."),
    ({"by_name": {"x": {"kind": "whole", "last": 1}}}, "field 'last' does not exist. Did you mean least? "
                                                       "Allowed: kind, least."),
])  # fmt: skip
def test_messages_name_the_allowed_values(given, message):
    with pytest.raises(ValidationError) as wrong:
        Thing.model_validate(given)
    (problem,) = wrong.value.errors()
    assert in_words(problem, Thing) == message


def test_names_at_unions_lists_and_mappings():
    assert names_at(Thing, ("parts", 0)) == ["kind", "least", "letters"]
    assert names_at(Thing, ("parts", 0, "whole")) == ["kind", "least", "letters"]
    assert names_at(Thing, ("name",)) == []
