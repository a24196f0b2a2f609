"""The one small language in which a `game.yaml` says what holds in a state: goals, endings, milestones and tags.

A predicate about one field names it and has exactly one operator; `all`, `any` and `not` put predicates together:

```yaml
goal:
  all:
    - {field: items.newspaper, is: true}
    - {field: player.x, between: [3, 5]}
    - not: {field: status, one_of: [lost, asleep]}
```

Which operator is there tells the kinds apart, so none has a default and no two of them are said alike. This is the
schema and nothing else; `gwray.evaluation.holds` evaluates.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    model_validator,
)

StateField = Annotated[str, Field(pattern=r"^[^.\s]+(\.[^.\s]+)*$")]
"""A dotted path into `getState()`, such as `game_state.score`."""
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


def _not_empty(several: tuple[Any, ...]) -> tuple[Any, ...]:
    if not several:
        raise ValueError("a list of predicates is expected, this one is empty")
    return several


class _Predicate(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, serialize_by_alias=True)


class Is(_Predicate):
    """The field has this value, as JSON: `1` is `1.0` and is not `true`."""

    field: StateField
    is_: JsonValue = Field(alias="is")


class OneOf(_Predicate):
    """The field has one of these values."""

    field: StateField
    one_of: tuple[JsonValue, ...] = Field(min_length=1)


class Between(_Predicate):
    """The field is a number from the first to the second bound, both included."""

    field: StateField
    between: tuple[Number, Number]

    @model_validator(mode="after")
    def _ordered(self) -> Between:
        if self.between[0] > self.between[1]:
            raise ValueError(f"between {list(self.between)} holds nowhere: the smaller bound comes first")
        return self


class AtLeast(_Predicate):
    """The field is a number, this or more."""

    field: StateField
    at_least: Number


class AtMost(_Predicate):
    """The field is a number, this or less."""

    field: StateField
    at_most: Number


class Contains(_Predicate):
    """The field is a list with this element, an object with this key, or a text with this part."""

    field: StateField
    contains: JsonValue


class Exists(_Predicate):
    """Whether the state has the field. Every other operator takes a missing field for a mistake."""

    field: StateField
    exists: bool


class All(_Predicate):
    """All of them hold. Judged in order, up to the first that does not."""

    all: Annotated[tuple[Predicate, ...], AfterValidator(_not_empty)]


class Any_(_Predicate):
    """One of them holds. Judged in order, up to the first that does."""

    any: Annotated[tuple[Predicate, ...], AfterValidator(_not_empty)]


class Not(_Predicate):
    """It does not hold."""

    not_: Predicate = Field(alias="not")


_KINDS: dict[str, type[_Predicate]] = {
    "is": Is, "one_of": OneOf, "between": Between, "at_least": AtLeast, "at_most": AtMost, "contains": Contains,
    "exists": Exists, "all": All, "any": Any_, "not": Not,
}  # fmt: skip


def _one_operator(value: Any) -> Any:
    if isinstance(value, _Predicate):
        return value
    listed = ", ".join(_KINDS)
    if not isinstance(value, dict):
        raise ValueError(
            f"a predicate is a mapping such as {{field: game_state.score, at_least: 3}}, this is {value!r}"
        )
    given = [k for k in _KINDS if k in value]
    if len(given) != 1:
        found = " and ".join(given) if given else f"none among {', '.join(map(str, value)) or 'no keys'}"
        raise ValueError(f"a predicate has exactly one of {listed}; found {found}")
    return value


def _kind(value: Any) -> str:
    """A class name: unlike an operator, it can be no key of the file, which matters for the lines of messages."""
    if isinstance(value, _Predicate):
        return type(value).__name__
    return next(kind.__name__ for operator, kind in _KINDS.items() if operator in value)


Predicate = Annotated[
    Annotated[Is, Tag("Is")]
    | Annotated[OneOf, Tag("OneOf")]
    | Annotated[Between, Tag("Between")]
    | Annotated[AtLeast, Tag("AtLeast")]
    | Annotated[AtMost, Tag("AtMost")]
    | Annotated[Contains, Tag("Contains")]
    | Annotated[Exists, Tag("Exists")]
    | Annotated[All, Tag("All")]
    | Annotated[Any_, Tag("Any_")]
    | Annotated[Not, Tag("Not")],
    Discriminator(_kind),
    BeforeValidator(_one_operator),
]

for _model in (All, Any_, Not):
    _model.model_rebuild()
