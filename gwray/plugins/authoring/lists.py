"""Makes the lists of actions of the blind search: they are known before the game is seen.

Actions are indices into the moves of a game. A list shorter than the budget repeats. Families, in the order in which
they are searched: cycles of up to four actions, A^m B^n, and drawn lists of the complete budget.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

FEW = 6
"""Cycles and runs are complete for at most this many actions; of more, they are drawn."""
RUNS = (1, 2, 3, 4, 5, 6, 8, 10)
"""Values of m and n in A^m B^n."""
STAYS = (0.0, 0.0, 0.5, 0.7, 0.8, 0.9)
"""Probabilities that a drawn list keeps its last action at the next step."""
_MOST_DRAWN = 2_000
"""Length of a drawn list in tasks with larger budgets; it then repeats."""


@dataclass(frozen=True)
class BlindList:
    """A list of actions, which repeats until the episode ends."""

    name: str
    actions: tuple[int, ...]


def cycles(names: Sequence[str]) -> Iterator[BlindList]:
    """Yields cycles of one to four actions, shorter ones first, and of equal ones a single rotation before the others.
    For more than `FEW` actions, cycles of two to four are drawn without end."""
    every = range(len(names))
    for length in (1, 2, 3, 4) if len(names) <= FEW else (1,):
        found = [p for p in itertools.product(every, repeat=length) if not _repeats(p)]
        first = [p for p in found if p == min(p[i:] + p[:i] for i in range(length))]
        yield from (_named(names, p) for p in dict.fromkeys(first + found))
    draw = Random(0)
    while len(names) > FEW:
        p = tuple(draw.choices(every, k=draw.randint(2, 4)))
        if not _repeats(p):
            yield _named(names, p)


def runs(names: Sequence[str]) -> Iterator[BlindList]:
    """Yields A^m B^n of all ordered pairs of actions, shorter ones first; for more than `FEW` actions, drawn ones
    without end. Pairs with m = n = 1 are cycles."""
    lengths = sorted(itertools.product(RUNS, repeat=2), key=lambda mn: (sum(mn), mn))[1:]
    pairs = itertools.product(lengths, itertools.permutations(range(len(names)), 2))
    draw = Random(0)
    drawn = ((draw.choice(lengths), draw.sample(range(len(names)), 2)) for _ in itertools.count())
    for (m, n), (a, b) in pairs if len(names) <= FEW else drawn:
        yield _named(names, (a,) * m + (b,) * n)


def drawn(names: Sequence[str], steps: int) -> Iterator[BlindList]:
    """Yields lists of the complete budget without end: actions drawn in proportions of two, three or all actions, where
    an action is kept with a probability (momentum). `steps`: budget. A list is determined by its number."""
    for number in itertools.count(1):
        draw = Random(number)
        some = draw.sample(range(len(names)), min(len(names), draw.choice((2, 3, len(names)))))
        weights = [draw.randint(1, 6) for _ in some] if len(some) <= 3 else [1] * len(some)
        stays, out = draw.choice(STAYS), draw.choices(some, weights)
        while len(out) < min(steps, _MOST_DRAWN):
            out.append(out[-1] if draw.random() < stays else draw.choices(some, weights)[0])
        parts = [f"{names[a]} {100 * w / sum(weights):.0f} %" for a, w in zip(some, weights, strict=True)]
        mix = ", ".join(parts) if len(some) <= 3 else "all actions"
        yield BlindList(f"drawn list {number}: {mix}; keeps an action with {100 * stays:.0f} %", tuple(out))


def _named(names: Sequence[str], actions: tuple[int, ...]) -> BlindList:
    parts = [(names[a], len(list(same))) for a, same in itertools.groupby(actions)]
    return BlindList(", ".join(name if n == 1 else f"{name} ×{n}" for name, n in parts), actions)


def _repeats(cycle: tuple[int, ...]) -> bool:
    """Returns whether a cycle is a shorter one, repeated."""
    n = len(cycle)
    return any(n % part == 0 and cycle == cycle[:part] * (n // part) for part in range(1, n))
