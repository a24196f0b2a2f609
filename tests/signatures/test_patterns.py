"""Bytes with wildcards: where they occur, what is common to several starts, and how few of them are enough."""

from __future__ import annotations

import random

import pytest
from pydantic import ValidationError

from gwray.catalog import MemoryField, Signature
from gwray.signatures import Pattern, common_bytes, decode_value, shortest_pattern

QUAY = Pattern.parse("51 ?? 41 59")


def test_a_wildcard_stands_for_any_byte():
    assert list(QUAY.places(b"..Q.AY.QUAYQ\nAY")) == [2, 7, 11]
    assert QUAY.fits(b"QUAY!") and not QUAY.fits(b"QUAX") and not QUAY.fits(b"QU")


def test_places_that_overlap_are_all_found():
    assert list(Pattern.parse("61 61").places(b"aaaa")) == [0, 1, 2]
    assert list(Pattern.parse("61 ?? 61").places(b"ababa")) == [0, 2]


def test_regex_characters_are_escaped():
    assert list(Pattern.parse("2e 2a 28 ??").places(b"abc.*(x")) == [3]


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


def test_a_pattern_is_written_as_it_is_read():
    assert str(Pattern.parse("51 ?? 0a")) == "51 ?? 0a"


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


def test_a_number_may_stand_for_a_word():
    mode = MemoryField(offset=0, type="u8", words=("asleep", "pace"))
    assert decode_value(mode, b"\x01") == "pace"
    with pytest.raises(ValueError, match="7 has no word; there are 2: asleep, pace"):
        decode_value(mode, b"\x07")


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


def test_bytes_that_a_copy_has_too_lead_nowhere():
    starts = [start(24, kind=2), start(60, kind=2)]
    assert shortest_pattern(common_bytes([around(s) for s in starts]), 16, starts) is None


def test_zero_bytes_are_used_if_necessary():
    one = bytearray(64)
    one[0:12], one[32:44] = b"\0\0MMMMMMMMVV", b"\0\x01MMMMMMMMVV"
    starts = [([bytes(one)], 0, 10)]
    found = shortest_pattern([0, 0, *b"MMMMMMMM"], 10, starts)
    assert found is not None
    assert str(found[0]) == "00 00 4d 4d 4d 4d 4d 4d 4d 4d"
