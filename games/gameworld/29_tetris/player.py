"""A scripted stacker: tries every resting place of this piece and the next, and walks to the best one."""

from itertools import pairwise

COLUMNS, ROWS = 8, 14
SHAPES = {
    "I": ("....", "XXXX", "....", "...."),
    "O": ("XX", "XX"),
    "T": (".X.", "XXX", "..."),
    "S": (".XX", "XX.", "..."),
    "Z": ("XX.", ".XX", "..."),
    "J": ("X..", "XXX", "..."),
    "L": ("..X", "XXX", "..."),
}
POINTS = (0, 60, 150, 270, 420)


def squares(kind, turns):
    rows, out = SHAPES[kind], []
    size = len(rows)
    for y, line in enumerate(rows):
        for x, c in enumerate(line):
            if c == "X":
                a, b = x, y
                for _ in range(turns % 4):
                    a, b = size - 1 - b, a
                out.append((a, b))
    return out


TURNED = {(k, t): squares(k, t) for k in SHAPES for t in range(4)}


def act(state, role, task):
    """The next control on the way to the best place."""
    game = state["game_state"]
    me = game["player"]
    board = [[c != "." for c in line] for line in game["board"]]
    best = None
    for turns, x, after, gained in places(board, me["piece"]):
        # A place costs its presses; points and a good board are worth them.
        presses = min(turns - me["turns"] & 3, me["turns"] - turns & 3) + abs(x - me["x"])
        follow = max((value(b) + 0.9 * g for _, _, b, g in places(after, me["next"])), default=-1000)
        worth = follow + gained - 6 * presses
        if best is None or worth > best[0]:
            best = (worth, turns, x)
    if best is None:
        return "hard_drop"
    _, turns, x = best
    if turns != me["turns"]:
        return "rotate_cw" if turns - me["turns"] & 3 <= 2 else "rotate_ccw"
    if x != me["x"]:
        return "move_left" if x < me["x"] else "move_right"
    return "hard_drop"


def places(board, kind):
    """(turns, x, board afterwards, points) for every straight drop; equal turns only once."""
    seen = set()
    for turns in range(4):
        parts = TURNED[kind, turns]
        for x in range(-2, COLUMNS):
            if any(not 0 <= x + dx < COLUMNS for dx, _ in parts):
                continue
            y = -2
            while all(y + 1 + dy < ROWS and (y + 1 + dy < 0 or not board[y + 1 + dy][x + dx]) for dx, dy in parts):
                y += 1
            cells = frozenset((x + dx, y + dy) for dx, dy in parts)
            if cells in seen or any(cy < 0 for _, cy in cells):
                continue
            seen.add(cells)
            after = [list(line) for line in board]
            for cx, cy in cells:
                after[cy][cx] = True
            kept = [line for line in after if not all(line)]
            full = ROWS - len(kept)
            yield turns, x, [[False] * COLUMNS for _ in range(full)] + kept, POINTS[full]


def value(board):
    """Low, flat and without holes is good."""
    heights, holes = [], 0
    for x in range(COLUMNS):
        top = next((y for y in range(ROWS) if board[y][x]), ROWS)
        heights.append(ROWS - top)
        holes += sum(not board[y][x] for y in range(top, ROWS))
    rough = sum(abs(a - b) for a, b in pairwise(heights))
    return -60 * holes - 9 * rough - 5 * sum(heights) - 30 * max(0, max(heights) - 9)
