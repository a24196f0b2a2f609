"""Decodes bytes to JSON values."""

import math
import struct

from gwray.catalog import MemoryField

CODES = {"f32": "f", "f64": "d", "i8": "b", "i16": "h", "i32": "i", "u8": "B", "u16": "H", "u32": "I", "bool": "?"}


def size_of(kind: str) -> int:
    """Size of a type in bytes."""
    return struct.calcsize("<" + CODES[kind])


def decode_value(field: MemoryField, data: bytes) -> object:
    """Decodes a value as the page's JSON would have it: 23 for 23.0, None for NaN. Raises `ValueError` for a number
    that has no word."""
    (value,) = struct.unpack("<" + CODES[field.type], data)
    if field.words:
        if not 0 <= value < len(field.words):
            raise ValueError(f"{value} has no word; there are {len(field.words)}: {', '.join(field.words)}")
        return field.words[value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        if value.is_integer() and abs(value) < 2**53:
            return int(value)
    return value
