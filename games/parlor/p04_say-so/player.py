"""A scripted player for Say So: breaks the sentence that shuts it in, writes one that wins, and walks there.

It reads the board that `getState()` returns. Each of the three parts is a breadth-first search: over complete boards for
the first, over the player's and one word's place for the second, over the player's place for the third.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

Cell = tuple[int, int]
Tile = tuple[bool, str, int, int]
Board = tuple[int, int, tuple[Tile, ...]]

STEPS: dict[str, Cell] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
CAST = {1: ("MOTH", "WALL", "LAMP"), 2: ("CRAB", "HEDGE", "BELL")}
"""The names of the player, the barrier and the goal, by level."""

MOST = 40
"""Moves of a reply."""
_next: dict[Board, str] = {}
"""Moves of plans made so far, by the board at which they are due."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns the next moves of a plan that clears the level, each on its line."""
    game = state["game_state"]
    board = _read(game["board"])
    if board not in _next:
        planned = board
        for move in _plan(board, *CAST[game["level"]]):
            _next[planned] = move
            planned = _moved(planned, move)
    moves = []
    while board in _next and len(moves) < MOST:
        moves.append(_next[board])
        board = _moved(board, _next[board])
    return "\n".join(moves) or "up"


def _read(board: dict[str, Any]) -> Board:
    tiles = tuple(sorted((t["word"], t["name"], t["x"], t["y"]) for t in board["tiles"]))
    return board["width"], board["height"], tiles


def _plan(board: Board, you: str, barrier: str, goal: str) -> Iterator[str]:
    """Yields moves until the level is cleared, or until there is no way."""
    for move in _search(board, lambda b: (barrier, "STOP") not in _rules(b) and (you, "YOU") in _rules(b)):
        yield move
        board = _moved(board, move)
    if (goal, "WIN") not in _rules(board):
        for move in _write(board, you, [goal, "IS", "WIN"]):
            yield move
            board = _moved(board, move)
    yield from _walk(board, _place(board, you), {(x, y) for word, name, x, y in board[2] if not word and name == goal})


def _search(board: Board, done: Callable[[Board], bool]) -> list[str]:
    """Returns the shortest moves to a board that is done, pushing whatever is in the way."""
    seen, queue = {board}, deque([(board, ())])
    while queue:
        here, path = queue.popleft()
        if done(here):
            return list(path)
        for move in STEPS:
            after = _moved(here, move)
            if after not in seen and len(seen) < 60_000:
                seen.add(after)
                queue.append((after, (*path, move)))
    return []


def _write(board: Board, you: str, words: list[str]) -> list[str]:
    """Returns moves that put the words into a line, the cheapest line first; every word is pushed at most once."""
    width, height, tiles = board
    loose = {name: [(x, y) for word, n, x, y in tiles if word and n == name and not _in_rule(board, (x, y))]
             for name in words}  # fmt: skip
    start = [loose[name][0] for name in words]
    lines = []
    for dx, dy in ((1, 0), (0, 1)):
        for x in range(1, width - 1):
            for y in range(1, height - 1):
                cells = [(x + i * dx, y + i * dy) for i in range(3)]
                if all(1 <= cx < width - 1 and 1 <= cy < height - 1 for cx, cy in cells):
                    lines.append(
                        (sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in zip(start, cells, strict=True)), cells)
                    )
    for _, cells in sorted(lines)[:120]:
        for order in permutations(range(3)):
            moves, here, at = [], board, list(start)
            for i in order:
                part = _push(here, _place(here, you), at[i], cells[i])
                if part is None:
                    break
                for move in part:
                    here = _moved(here, move)
                moves += part
                at[i] = cells[i]
            else:
                return moves
    return []


def _push(board: Board, start: Cell, tile: Cell, target: Cell) -> list[str] | None:
    """Returns moves that push one word to a cell and touch nothing else."""
    width, height, _ = board
    solid = _solid(board) - {tile}
    seen, queue = {(start, tile)}, deque([(start, tile, ())])
    while queue:
        you, word, path = queue.popleft()
        if word == target:
            return list(path)
        for move, (dx, dy) in STEPS.items():
            to = (you[0] + dx, you[1] + dy)
            pushed = (word[0] + dx, word[1] + dy) if to == word else word
            if not all(0 <= x < width and 0 <= y < height and (x, y) not in solid for x, y in (to, pushed)):
                continue
            if (to, pushed) not in seen:
                seen.add((to, pushed))
                queue.append((to, pushed, (*path, move)))
    return None


def _walk(board: Board, start: Cell, targets: set[Cell]) -> list[str]:
    """Returns the shortest moves to one of the targets that push nothing."""
    width, height, _ = board
    solid = _solid(board) - targets
    seen, queue = {start}, deque([(start, ())])
    while queue:
        (x, y), path = queue.popleft()
        if (x, y) in targets:
            return list(path)
        for move, (dx, dy) in STEPS.items():
            to = (x + dx, y + dy)
            if to not in seen and to not in solid and 0 <= to[0] < width and 0 <= to[1] < height:
                seen.add(to)
                queue.append((to, (*path, move)))
    return []


def _place(board: Board, name: str) -> Cell:
    return next((x, y) for word, n, x, y in board[2] if not word and n == name)


def _solid(board: Board) -> set[Cell]:
    """Returns the cells that a careful player does not enter: words, and things that stop, move or sink."""
    rules = _rules(board)
    return {(x, y) for word, name, x, y in board[2]
            if word or any((name, is_) in rules for is_ in ("STOP", "PUSH", "SINK"))}  # fmt: skip


def _in_rule(board: Board, cell: Cell) -> bool:
    return any(cell in cells for cells in _sentences(board).values())


def _rules(board: Board) -> set[tuple[str, str]]:
    return set(_sentences(board))


def _sentences(board: Board) -> dict[tuple[str, str], list[Cell]]:
    words = {(x, y): name for word, name, x, y in board[2] if word}
    found = {}
    for (x, y), noun in words.items():
        for dx, dy in ((1, 0), (0, 1)):
            cells = [(x + i * dx, y + i * dy) for i in range(3)]
            if noun in ("IS", "YOU", "STOP", "PUSH", "WIN", "SINK") or words.get(cells[1]) != "IS":
                continue
            if words.get(cells[2], "IS") != "IS":
                found[noun, words[cells[2]]] = cells
    return found


def _moved(board: Board, move: str) -> Board:
    """Returns the board after a move, by the rules of `board.js` as far as this player meets them."""
    width, height, tiles = board
    dx, dy = STEPS[move]
    rules = _rules(board)
    you = {name for name, is_ in rules if is_ == "YOU"}
    now = list(tiles)
    for index, (word, name, x, y) in enumerate(tiles):
        if word or name not in you:
            continue
        along, at = [index], (x + dx, y + dy)
        while True:
            if not (0 <= at[0] < width and 0 <= at[1] < height):
                return board
            here = [i for i, t in enumerate(now) if (t[2], t[3]) == at and i != index]
            loose = [i for i in here if now[i][0] or (now[i][1], "PUSH") in rules]
            if any(not now[i][0] and (now[i][1], "STOP") in rules and i not in loose for i in here):
                return board
            if not loose:
                break
            along += loose
            at = (at[0] + dx, at[1] + dy)
        for i in along:
            w, n, a, b = now[i]
            now[i] = (w, n, a + dx, b + dy)
    board = width, height, tuple(sorted(now))
    after = _rules(board)
    drains = {(x, y) for word, name, x, y in board[2] if not word and (name, "SINK") in after}
    lost = {c for c in drains if sum((x, y) == c for _, _, x, y in board[2]) > 1}
    return width, height, tuple(t for t in board[2] if (t[2], t[3]) not in lost)
