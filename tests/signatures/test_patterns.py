"""Bytes with wildcards: where they occur, what is common to several starts, and how few of them are enough."""

from __future__ import annotations

import random

import pytest
from pydantic import ValidationError

from gwray.catalog import MemoryField, Signature
from gwray.environments import Pattern, decode_value
from gwray.plugins.authoring.patterns import common_bytes, shortest_pattern


def test_it_is_found_wherever_its_longest_run_stands():
    for text in ("01 02 03 ?? 09", "09 ?? 01 02 03", "?? 01 02 03 ??"):
        pattern = Pattern.parse(text)
        needle = bytes(0x77 if v is None else v for v in pattern.values)
        assert list(pattern.places(b"\x01\x02" + needle + b"\x03")) == [2]


def test_the_search_finds_what_looking_everywhere_finds():
    draw = random.Random(3)
    for _ in range(200):
        data = bytes(draw.choices(b"ab", k=40))
        values = [draw.choice([97, 98, None]) for _ in range(4)]
        if any(values):
            slow = [i for i in range(37) if all(v in (None, data[i + n]) for n, v in enumerate(values))]
            assert list(Pattern(values).places(data)) == slow


@pytest.mark.parametrize(
    ("kind", "data", "value"),
    [
        ("f64", "0000000000003740", 23),
        ("f64", "0000000000000080", 0),
        ("f64", "3333333333b33040", 16.7),
        ("f64", "000000000000f87f", None),
        ("f32", "0000803f", 1),
        ("i32", "ffffffff", -1),
        ("u16", "ffff", 65535),
        ("bool", "02", True),
    ],
)
def test_a_value_is_what_the_json_of_a_page_would_say(kind, data, value):
    found = decode_value(MemoryField(offset=0, type=kind), bytes.fromhex(data))
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize("pattern", ["", "5", "5g", "51 ?", "?? ??", "51,52"])
def test_a_pattern_that_is_none_is_refused(pattern):
    with pytest.raises(ValidationError):
        Signature.model_validate({"pattern": pattern, "fields": {"x": {"offset": 0, "type": "f64"}}})


def test_what_differs_once_is_a_wildcard():
    assert common_bytes([b"QUAY1", b"QUAY2", b"QUBY1"]) == [0x51, 0x55, None, 0x59, None]


HEAD = b"\x51\x55\x41\x59\x0d\x0a\x1a\x0a"


def start(at: int, kind: int = 1) -> tuple[list[bytes], int, int]:
    """A memory with the value's block at an offset, and a copy of it of another kind."""
    data = bytearray(200)
    for place, k in ((at, kind), (at + 40, 2)):
        data[place : place + 20] = HEAD + bytes([k]) + b"\0\0\0" + b"\x03\0\0\0" + b"VVVV"
    return [b"", bytes(data)], 1, at + 16


def around(of: tuple[list[bytes], int, int]) -> bytes:
    memories, n, value = of
    return memories[n][value - 16 : value + 4]


def test_the_fewest_bytes_lead_to_the_value_and_to_no_copy():
    starts = [start(24), start(60)]
    found = shortest_pattern(common_bytes([around(s)[:16] + bytes([n] * 4) for n, s in enumerate(starts)]), 16, starts)
    assert found is not None
    pattern, offset = found
    assert str(pattern) == "51 55 41 59 0d 0a 1a 0a 01"
    assert offset == 16


def test_zero_bytes_are_used_if_necessary():
    one = bytearray(64)
    one[0:12], one[32:44] = b"\0\0MMMMMMMMVV", b"\0\x01MMMMMMMMVV"
    starts = [([bytes(one)], 0, 10)]
    found = shortest_pattern([0, 0, *b"MMMMMMMM"], 10, starts)
    assert found is not None
    assert str(found[0]) == "00 00 4d 4d 4d 4d 4d 4d 4d 4d"
