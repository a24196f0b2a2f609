"""Turns pydantic's validation errors into messages for users: the expected value, or the allowed names."""

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from gwray.errors import UsageError, choose
from gwray.places import yaml12

M = TypeVar("M", bound=BaseModel)
_LIST, _MAPPING, _NUMBER = "must be a list, as in [a, b]", "must be a mapping, as in {name: value}", "must be a number"
_INTEGER, _BOOLEAN = "must be a whole number", "must be true or false"
_MUST = {
    "missing": "is missing",
    "string_type": "must be text",
    **dict.fromkeys(("tuple_type", "list_type", "set_type", "frozen_set_type"), _LIST),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type", "dataclass_type"), _MAPPING),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), _INTEGER),
    **dict.fromkeys(("float_type", "float_parsing"), _NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), _BOOLEAN),
}


def read_model_file(file: Path, model: type[M], read: Callable[[Path], bytes] = Path.read_bytes) -> M:
    """Returns the contents of a YAML file. Raises `UsageError` with the file and every problem."""
    try:
        return model.model_validate(yaml12.load(read(file).decode()))
    except ValidationError as e:
        raise UsageError(f"{file}: {all_in_words(e, model)}") from e
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as e:
        raise UsageError(yaml12.describe_error(file, e)) from e


def all_in_words(error: ValidationError, model: type[BaseModel]) -> str:
    """Returns the messages for all errors of a `model`, each with its place."""
    places = (("".join(f"{part}." for part in p["loc"])[:-1], in_words(p, model)) for p in error.errors())
    return "; ".join(f"{place}: {words}" if place else words for place, words in places)


def in_words(problem: Mapping[str, Any], model: type[BaseModel]) -> str:
    """Returns the message for one of `ValidationError.errors()` of a `model`, without its field name."""
    loc, kind, facts = problem["loc"], problem["type"], problem.get("ctx", {})
    match kind:
        case "extra_forbidden":
            return str(choose("field", loc[-1], names_at(model, loc[:-1])))
        case "literal_error":
            return f"must be {facts['expected']}" + " or null" * (type(None) in _at(model, loc))
        case "union_tag_not_found":
            return f"needs the field {facts['discriminator']}"
        case "union_tag_invalid":
            return f"{facts['discriminator']} must be one of {facts['expected_tags']}, not '{facts['tag']}'"
        case "too_short" | "too_long":
            few = "least" if kind == "too_short" else "most"
            bound = facts["min_length" if kind == "too_short" else "max_length"]
            return f"must have at {few} {bound}, not {facts['actual_length']}"
    message = str(problem["msg"]).removeprefix("Value error, ")
    return _MUST.get(kind) or message.replace("Input should be", "must be").replace("String should", "must")


def names_at(model: type[BaseModel], loc: Sequence[Any]) -> list[str]:
    """Returns the field names that are allowed at a place in a model, as users write them. Fields that are excluded
    from dumps are not for users."""
    fields = [(n, f) for kind in _at(model, loc) if _is_model(kind) for n, f in kind.model_fields.items()]
    return list(dict.fromkeys(field.alias or name for name, field in fields if not field.exclude))


def _at(model: Any, loc: Sequence[Any]) -> list[Any]:
    """Returns the types allowed at a place; path segments that name a member of a union are skipped."""
    kinds = list(_kinds(model))
    for part in loc:
        kinds = [inner for kind in kinds for inner in _inside(kind, part)] or kinds
    return kinds


def _inside(kind: Any, part: Any) -> Iterator[Any]:
    if _is_model(kind):
        for name, field in kind.model_fields.items():
            if part in (name, field.alias):
                yield from _kinds(field.annotation)
    elif get_origin(kind) in (tuple, list) and isinstance(part, int):
        yield from _kinds(get_args(kind)[0])
    elif get_origin(kind) is dict:
        yield from _kinds(get_args(kind)[1])


def _kinds(annotation: Any) -> Iterator[Any]:
    """Yields the members of unions, without annotations."""
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _kinds(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from _kinds(member)
    else:
        yield getattr(annotation, "__value__", annotation)


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
