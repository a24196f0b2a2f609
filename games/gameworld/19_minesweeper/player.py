"""A scripted player for Quiet Field: opens what must be safe, flags what must be a mine, otherwise the least risk.

It sees the visible board only, as a player on the screen does; hidden mines in the state are not read.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

MINES = 10
SIZE = 9
LARGEST = 14
"""Connected unknown cells up to this number are counted exactly; larger groups are estimated."""

Cell = tuple[int, int]


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`reveal_cell` or `flag_cell` with the best cell."""
    board = state["game_state"]["board"]
    flagging = "flag" in str(task.get("instruction", "")).lower()
    closed = [(r, c) for r in range(SIZE) for c in range(SIZE) if board[r][c] in ".F"]
    if len(closed) == SIZE * SIZE:
        return "reveal_cell e5"
    risk = _risks(board, closed)
    if flagging:
        for cell in closed:
            if risk[cell] >= 1 and board[cell[0]][cell[1]] == ".":
                return f"flag_cell {_name(cell)}"
    free = [cell for cell in closed if board[cell[0]][cell[1]] == "."]
    if not free:
        return "wait"
    return f"reveal_cell {_name(min(free, key=lambda cell: (risk[cell], cell)))}"


def _name(cell: Cell) -> str:
    return f"{chr(97 + cell[1])}{cell[0] + 1}"


def _near(cell: Cell) -> list[Cell]:
    r, c = cell
    return [
        (r + dr, c + dc)
        for dr in (-1, 0, 1)
        for dc in (-1, 0, 1)
        if (dr or dc) and 0 <= r + dr < SIZE and 0 <= c + dc < SIZE
    ]


def _risks(board: list[list[str]], closed: list[Cell]) -> dict[Cell, float]:
    """The probability of a mine in each closed cell; exactly 0 or 1 where logic decides."""
    rules: set[tuple[frozenset[Cell], int]] = set()
    for r in range(SIZE):
        for c in range(SIZE):
            if board[r][c].isdigit():
                unknown = frozenset(n for n in _near((r, c)) if board[n[0]][n[1]] in ".F")
                if unknown:
                    rules.add((unknown, int(board[r][c])))
    known = _deduce(rules)
    left = MINES - sum(known.values())
    rest = [cell for cell in closed if cell not in known]
    base = left / len(rest) if rest else 0.0
    risk: dict[Cell, float] = {cell: float(known.get(cell, base)) for cell in closed}
    open_rules = []
    for cells, n in rules:
        cells, n = _without(cells, n, known)
        if cells:
            open_rules.append((cells, n))
    for group in _groups(open_rules):
        cells = sorted(set().union(*(s for s, _ in group)))
        if len(cells) <= LARGEST:
            risk.update(_count(cells, group, left, len(rest)))
        else:
            for cell in cells:
                risk[cell] = max(n / len(s) for s, n in group if cell in s)
    return risk


def _without(cells: frozenset[Cell], n: int, known: dict[Cell, int]) -> tuple[frozenset[Cell], int]:
    return cells.difference(known), n - sum(known[c] for c in cells if c in known)


def _deduce(rules: set[tuple[frozenset[Cell], int]]) -> dict[Cell, int]:
    """Cells that must be safe (0) or mined (1), by counting and by one rule inside another."""
    known: dict[Cell, int] = {}
    now = set(rules)
    while True:
        now = {rule for rule in (_without(s, n, known) for s, n in now) if rule[0]}
        found = {c: int(n > 0) for s, n in now if n in (0, len(s)) for c in s}
        if found:
            known.update(found)
            continue
        inner = {(b - a, m - n) for a, n in now for b, m in now if a < b and (b - a, m - n) not in now}
        if not inner:
            return known
        now |= inner


def _groups(rules: list[tuple[frozenset[Cell], int]]) -> list[list[tuple[frozenset[Cell], int]]]:
    """Rules that share cells, directly or through others."""
    groups: list[tuple[set[Cell], list]] = []
    for rule in sorted(rules, key=lambda x: (sorted(x[0]), x[1])):
        cells, members = set(rule[0]), [rule]
        for other in [g for g in groups if g[0] & cells]:
            groups.remove(other)
            cells |= other[0]
            members += other[1]
        groups.append((cells, members))
    return [members for _, members in groups]


def _count(cells: list[Cell], rules: list[tuple[frozenset[Cell], int]], left: int, unknown: int) -> dict[Cell, float]:
    """Counts all fillings that fit, each weighted by the chance of its number of mines."""
    weight = {cell: 0.0 for cell in cells}
    total = 0.0
    density = min(0.9, max(0.05, left / max(1, unknown)))
    for size in range(min(left, len(cells)) + 1):
        w = (density / (1 - density)) ** size
        for mines in combinations(cells, size):
            chosen = frozenset(mines)
            if all(len(s & chosen) == n for s, n in rules):
                total += w
                for cell in mines:
                    weight[cell] += w
    return {cell: weight[cell] / total if total else 0.5 for cell in cells}
