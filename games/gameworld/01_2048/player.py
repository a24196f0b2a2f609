"""A scripted player for Double Up: looks two moves ahead over all places where the next tile may come.

It reads the board that `getState()` gives. Rows slide through a cache, so a decision takes a few milliseconds.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

Row = tuple[int, ...]
Board = tuple[Row, ...]

MOVES = ("move_down", "move_left", "move_right", "move_up")
"""In the order of preference when two are worth the same."""
MOST_CELLS = 6
"""New tiles are tried in at most so many of the empty cells, spread over the board."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """The move with the best expected board after the next tile and one more move; `wait` when none is left."""
    board = tuple(tuple(row) for row in state["game_state"]["board"])
    best, choice = float("-inf"), "wait"
    for move in MOVES:
        after, gain = _move(board, move)
        if after != board:
            value = gain + _expected(after)
            if value > best:
                best, choice = value, move
    return choice


def _expected(board: Board) -> float:
    free = [(r, c) for r, row in enumerate(board) for c, v in enumerate(row) if not v]
    if len(free) > MOST_CELLS:
        free = free[:: -(-len(free) // MOST_CELLS)]
    total = 0.0
    for r, c in free:
        row = board[r]
        grown = (*board[:r], (*row[:c], 2, *row[c + 1 :]), *board[r + 1 :])
        total += max(_worth(grown, move) for move in MOVES)
    return total / max(1, len(free))


def _worth(board: Board, move: str) -> float:
    after, gain = _move(board, move)
    if after == board:
        return -200.0
    columns = tuple(zip(*after, strict=True))
    return gain + sum(_shape(line) for line in after) + sum(_shape(line) for line in columns)


@cache
def _shape(line: Row) -> float:
    """How well a row or column is kept: empty cells, equal neighbours, values that rise to one side."""
    value = 3.0 * line.count(0)
    rise = fall = 0.0
    for a, b in pairwise(line):
        if a and a == b:
            value += 0.8 * a
        rise += max(0, a - b)
        fall += max(0, b - a)
    return value - 0.5 * min(rise, fall) + 0.3 * max(line[0], line[-1])


def _move(board: Board, move: str) -> tuple[Board, int]:
    """The board after a move and the points it brings."""
    lines = board if move in ("move_left", "move_right") else tuple(zip(*board, strict=True))
    back = move in ("move_right", "move_down")
    slid = [_slide(line[::-1] if back else line) for line in lines]
    out = tuple(line[::-1] if back else line for line, _ in slid)
    gain = sum(g for _, g in slid)
    return (out if move in ("move_left", "move_right") else tuple(zip(*out, strict=True))), gain


@cache
def _slide(line: Row) -> tuple[Row, int]:
    """One row slid to its front."""
    kept: list[int] = []
    gain, open_end = 0, False
    for v in line:
        if not v:
            continue
        if open_end and kept[-1] == v:
            kept[-1] = 2 * v
            gain += 2 * v
            open_end = False
        else:
            kept.append(v)
            open_end = True
    return (*kept, *(0,) * (len(line) - len(kept))), gain
