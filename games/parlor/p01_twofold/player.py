"""A scripted player for Twofold: looks ahead over the tiles that may come, one move deeper where the board is crowded.

It reads the board that `getState()` returns. A board is one number of sixteen nibbles, each the power of two of a cell;
rows slide and are valued through caches, so a decision takes a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

MOVES = ("left", "up", "right", "down")
CROWDED = 6
"""Empty cells from which on the search goes one move deeper."""
LIKELY = 0.01
"""Sequences of tiles that are less likely are valued without a further move."""

_seen: dict[tuple[int, int], float] = {}
"""Values of boards before a move, by board and depth, of one decision."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns the move with the best expected value."""
    board = 0
    for i, value in enumerate(v for row in state["game_state"]["board"] for v in row):
        board |= max(0, value.bit_length() - 1) << 4 * i
    return best_move(board)


def best_move(board: int) -> str:
    _seen.clear()
    depth = 2 if _empty(board) <= CROWDED else 1
    worth = {move: _after(to, depth, 1.0) for move in MOVES if (to := moved(board, move)) != board}
    return max(worth, key=worth.__getitem__, default="left")


def _after(board: int, depth: int, chance: float) -> float:
    """The expected value of a board to which a tile is added."""
    if depth == 0 or chance < LIKELY:
        return _value(board)
    free = [i for i in range(0, 64, 4) if not board >> i & 15]
    each = chance / len(free)
    total = 0.0
    for i in free:
        total += 0.9 * _before(board | 1 << i, depth, 0.9 * each) + 0.1 * _before(board | 2 << i, depth, 0.1 * each)
    return total / len(free)


def _before(board: int, depth: int, chance: float) -> float:
    """The value of a board at which a move is due."""
    known = _seen.get((board, depth))
    if known is None:
        known = 0.0
        # A board and the same with rows and columns exchanged are worth the same: up is left on the other.
        for way in (board, _turned(board)):
            for to in (_slid(way, _left), _slid(way, _right)):
                if to != way:
                    known = max(known, _after(to, depth - 1, chance))
        _seen[board, depth] = known
    return known


def moved(board: int, move: str) -> int:
    """The board after a move, without a new tile."""
    slide = _left if move in ("left", "up") else _right
    return _slid(board, slide) if move in ("left", "right") else _turned(_slid(_turned(board), slide))


def _slid(board: int, slide: Callable[[int], int]) -> int:
    return (
        slide(board & 0xFFFF)
        | slide(board >> 16 & 0xFFFF) << 16
        | slide(board >> 32 & 0xFFFF) << 32
        | slide(board >> 48) << 48
    )


def _empty(board: int) -> int:
    return sum(not board >> i & 15 for i in range(0, 64, 4))


def _turned(board: int) -> int:
    """The board with rows and columns exchanged."""
    return (
        _column(board & 0xFFFF)
        | _column(board >> 16 & 0xFFFF) << 4
        | _column(board >> 32 & 0xFFFF) << 8
        | _column(board >> 48) << 12
    )


@cache
def _column(row: int) -> int:
    return sum((row >> 4 * i & 15) << 16 * i for i in range(4))


@cache
def _left(row: int) -> int:
    """A row slid to its front."""
    kept: list[int] = []
    open_end = False
    for cell in (row >> 4 * i & 15 for i in range(4)):
        if not cell:
            continue
        if open_end and kept[-1] == cell:
            kept[-1] += 1
            open_end = False
        else:
            kept.append(cell)
            open_end = True
    return sum(cell << 4 * i for i, cell in enumerate(kept))


@cache
def _right(row: int) -> int:
    return _mirrored(_left(_mirrored(row)))


def _mirrored(row: int) -> int:
    return sum((row >> 4 * i & 15) << 12 - 4 * i for i in range(4))


def _value(board: int) -> float:
    total = 0.0
    for way in (board, _turned(board)):
        total += _shape(way & 0xFFFF) + _shape(way >> 16 & 0xFFFF) + _shape(way >> 32 & 0xFFFF) + _shape(way >> 48)
    return total


@cache
def _shape(row: int) -> float:
    """How well a line is kept: empty cells, equal neighbours, powers that rise to one side, few large tiles."""
    cells = [row >> 4 * i & 15 for i in range(4)]
    rise = fall = 0.0
    merges = 0
    for a, b in pairwise(cells):
        rise += max(0.0, b**4 - a**4)
        fall += max(0.0, a**4 - b**4)
        merges += a == b != 0
    return 200_000 + 280 * cells.count(0) + 700 * merges - 45 * min(rise, fall) - 11 * sum(c**3.5 for c in cells)
