"""Finds candidate values in memory: scan, filter by actions, bisect."""

from __future__ import annotations

import struct

import pytest

from gwray.errors import GameError
from gwray.plugins.authoring.candidates import Candidates


def memory(*numbers: float) -> list[bytes]:
    return [struct.pack(f"<{len(numbers)}d", *numbers)]


def left(candidates: Candidates) -> list[int]:
    return [s.offset for s in candidates.spans() if s.offset % 8 == 0]


def test_scan_finds_all_plausible_numbers():
    assert left(Candidates.scan("f64", memory(1.5, float("nan"), float("inf"), 1e300, -2.0))) == [0, 32]


def test_scan_checks_every_fourth_byte():
    data = b"\0\0\0\0" + struct.pack("<d", 3.5)
    assert [(s.memory, s.offset) for s in Candidates.scan("f64", [b"", data]).spans()] == [(1, 0), (1, 4)]
    assert len(Candidates.scan("f64", [b"1234567"])) == 0


def test_filter_keeps_expected_changes():
    scanned = Candidates.scan("f64", memory(1, 1, 1, 5))
    up = scanned.filtered("up", memory(2, 1, 2, 4))
    assert left(up) == [0, 16]
    idle = up.filtered("idle", memory(2, 1, 2.1, 4))
    assert left(idle) == [0]
    assert left(idle.filtered("down", memory(1, 1, 1, 1))) == [0]
    assert left(idle.filtered("down", memory(3, 1, 1, 1))) == []


def test_changed_number_of_memories_is_an_error():
    with pytest.raises(GameError, match="made or dropped a memory"):
        Candidates.scan("f64", memory(1)).filtered("up", [*memory(2), b""])


def test_halves_are_all_of_them_and_each_once_across_memories():
    three = Candidates.scan("f32", [b"\0" * 8, b"\0" * 4])
    first, rest = three.halves()
    assert [(s.memory, s.offset) for s in first.spans()] == [(0, 0), (0, 4)]
    assert [(s.memory, s.offset) for s in rest.spans()] == [(1, 0)]


def test_followed_requires_half_of_last_change():
    moved = Candidates.scan("f64", memory(1, 1)).filtered("up", memory(2, 2))
    assert left(moved.followed("up", memory(3, 2.1))) == [0]
    back = moved.filtered("down", memory(1, 1))
    assert left(back.followed("down", memory(0, 0.95))) == [0]
    assert left(back.followed("up", memory(0, 2))) == [8]
