"""Records as tables: derives column types from the annotations of a pydantic model. Parquet files of steps, frames of
episodes and the statistics all use these types, so a field that is added to a record becomes a column everywhere."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import polars as pl
import pyarrow as pa
from pydantic import BaseModel

_PLAIN = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64(), bytes: pa.binary()}


def arrow_schema(model: type[BaseModel]) -> pa.Schema:
    """Returns the Arrow schema of a model, one column per field: plain types, `tuple[T, ...]` as a list, `dict[str, T]`
    as a map; all may be null. Raises `TypeError` for a field of any other kind."""
    return pa.schema([pa.field(name, _arrow_type(f.annotation, name)) for name, f in model.model_fields.items()])


def polars_schema(model: type[BaseModel]) -> pl.Schema:
    """Returns the columns of `table`, without those of dictionaries, which depend on the rows."""
    kept = [f for f in arrow_schema(model) if not pa.types.is_map(f.type)]
    return pl.Schema(pa.schema(kept))  # not by an empty table, for which Arrow would import pandas


def table(
    rows: Iterable[BaseModel | Mapping[str, Any]], model: type[BaseModel], only: Collection[str] | None = None
) -> pl.DataFrame:
    """Returns rows as a frame. A field that holds numbers by name (`metrics`) is a column for each name that occurs,
    called `metrics.<name>` and null where a row does not have it; what a mapping lacks is null too. `only`: fields;
    None: all.
    """
    listed = [r if isinstance(r, Mapping) else r.__dict__ for r in rows]
    fields = pa.schema([f for f in arrow_schema(model) if only is None or f.name in only])
    schema = pl.Schema({name: kind for name, kind in polars_schema(model).items() if only is None or name in only})
    columns = {name: _column([r.get(name) for r in listed], fields.field(name)) for name in schema}
    frame = pl.DataFrame(columns, schema=schema, strict=False)
    for field in fields:
        if pa.types.is_map(field.type):
            values = [r.get(field.name) or {} for r in listed]
            for name in sorted({name for v in values for name in v}):
                column = [v.get(name) for v in values]
                frame = frame.with_columns(pl.Series(f"{field.name}.{name}", column, pl.Float64))
    return frame


def _column(values: list[Any], field: pa.Field) -> Any:
    """Values for a frame. Lists take a tenth of the time as Arrow; what Arrow refuses, Polars may take."""
    if pa.types.is_list(field.type):
        with suppress(pa.ArrowException, TypeError, ValueError, pl.exceptions.PolarsError):
            return pl.Series(_Exported(_arrow_array(values, field.type)))
    return values


class _Exported:
    """An array as Arrow's C interface has it. Polars imports `pyarrow.compute` for the arrays themselves (0.03 s)."""

    def __init__(self, array: pa.Array):
        self.__arrow_c_array__ = array.__arrow_c_array__


def _arrow_array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """Returns values as an Arrow array. Lists are one array of all elements and their offsets, because `pa.array` of
    Python values imports pandas, which takes longer than a table."""
    if not pa.types.is_list(kind):
        return pl.Series(values, dtype=pl.Schema(pa.schema([("", kind)]))[""]).to_arrow()
    lengths = [0 if v is None else len(v) for v in values]
    starts = list(accumulate(lengths, initial=0))
    offsets = [None if v is None else start for v, start in zip(values, starts, strict=False)] + starts[-1:]
    elements = _arrow_array([x for v in values if v is not None for x in v], kind.value_type)
    return pa.LargeListArray.from_arrays(pl.Series(offsets, dtype=pl.Int64).to_arrow(), elements)


def leaves(field: pa.Field, path: str = "") -> dict[str, pa.DataType]:
    """Returns the columns that Parquet stores for a field: path and type of each."""
    path, kind = path or field.name, field.type
    if pa.types.is_map(kind):
        return {f"{path}.key_value.key": kind.key_type, **leaves(kind.item_field, f"{path}.key_value.value")}
    if pa.types.is_list(kind):
        return leaves(kind.value_field, f"{path}.list.element")
    return {path: kind}


def _arrow_type(annotation: Any, name: str) -> pa.DataType:
    """Returns the Arrow type of a field's annotation."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if origin is Literal:
        return _common_type({type(v) for v in arguments}, name, annotation)
    if origin in (Union, UnionType):
        return _common_type({a for a in arguments if a is not NoneType}, name, annotation)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return pa.list_(_arrow_type(arguments[0], name))
    if origin is dict and arguments[0] is str:
        return pa.map_(pa.string(), _arrow_type(arguments[1], name))
    raise TypeError(f"field '{name}' is {annotation}: a column has a plain type, tuple[T, ...] or dict[str, T]")


def _common_type(kinds: set[Any], name: str, annotation: Any) -> pa.DataType:
    """Returns the one Arrow type of several annotations. Raises `TypeError` if they have different types."""
    found: Sequence[pa.DataType] = list({_arrow_type(k, name) for k in kinds})
    if len(found) != 1:
        raise TypeError(f"field '{name}' is {annotation}: a column has values of one kind")
    return found[0]
