"""Schema of predicates on a game's state: goals, endings, milestones and tags in `game.yaml`.

A predicate has a field and exactly one operator; `all`, `any` and `not` combine predicates:

```yaml
goal:
  all:
    - {field: items.newspaper, is: true}
    - {field: player.x, between: [3, 5]}
    - not: {field: status, one_of: [lost, asleep]}
```

The operator determines the class, so no operator has a default. `gwray.evaluation.holds` evaluates predicates.
"""

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
"""A dotted path in `getState()`, such as `game_state.score`."""
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]


def _not_empty(predicates: tuple[Any, ...]) -> tuple[Any, ...]:
    if not predicates:
        raise ValueError("the list of predicates must not be empty")
    return predicates


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
    """The field is a number between two bounds, both included."""

    field: StateField
    between: tuple[Number, Number]

    @model_validator(mode="after")
    def _ordered(self) -> "Between":
        if self.between[0] > self.between[1]:
            raise ValueError(f"between {list(self.between)} never holds: give the smaller bound first")
        return self


class AtLeast(_Predicate):
    """The field is a number of at least this."""

    field: StateField
    at_least: Number


class AtMost(_Predicate):
    """The field is a number of at most this."""

    field: StateField
    at_most: Number


class Contains(_Predicate):
    """The field is a list with this element, an object with this key, or a text with this substring."""

    field: StateField
    contains: JsonValue


class Exists(_Predicate):
    """Whether the state has the field. For all other operators a missing field is an error."""

    field: StateField
    exists: bool


class All(_Predicate):
    """All predicates hold. Evaluated in order, up to the first that does not."""

    all: "Annotated[tuple[Predicate, ...], AfterValidator(_not_empty)]"


class Any_(_Predicate):
    """At least one predicate holds. Evaluated in order, up to the first that does."""

    any: "Annotated[tuple[Predicate, ...], AfterValidator(_not_empty)]"


class Not(_Predicate):
    """The predicate does not hold."""

    not_: "Predicate" = Field(alias="not")


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
    """Returns the name of a predicate's class. No key of the file can have this name, so messages find the right
    line."""
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
