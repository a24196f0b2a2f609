"""The sign-flip test over games: exact for exchangeable models, whatever the spread between games."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

EXACT_GAMES = 34
"""Up to this many games with a difference, all choices of signs are counted: in two halves of 2¹⁷ sums."""
DRAWS = 100_000
"""With more games, this many choices of signs are drawn."""
EQUAL = 1e-9
"""Sums closer than this share of the largest are ties, which differ only by rounding."""
BATCH = 10_000


def sign_flip(sums: ArrayLike) -> float:
    """Returns the two-sided p of the sign-flip test. `sums`: for each game, the sum of its tasks' differences A − B.

    If A and B are exchangeable (each game's difference is as likely to be +s as −s), all 2^G choices of signs are
    equally likely: p is the share of them whose |Σ ± s_g| reaches the observed |Σ s_g|. The test does not treat tasks
    of one game as independent, and is exact for any symmetric spread between games. Source: Fisher, The Design of
    Experiments (1935), section 21; Pitman, Suppl. J. R. Statist. Soc. 4 (1937) 119–130.

    It is not exact for models that are only equal on average. If A is much better in a few games and slightly worse in
    all others, p ≤ 0.05 occurs in up to 17 % of studies ("specialist" in `bench/coverage.py`).

    Exact up to `EXACT_GAMES` games with a difference (a game without one has no effect); beyond that
    (1 + hits) / (1 + `DRAWS`) over draws with a fixed seed (Phipson & Smyth, Stat. Appl. Genet. Mol. Biol. 9 (2010)
    39). With fewer than 6 games no p is below 0.05: the smallest is 2^(1−G).
    """
    s = np.asarray(sums, float)
    if not np.isfinite(s).all():
        raise ValueError("a sum of a game is not a finite number")
    largest = float(np.abs(s).sum())
    s = s[np.abs(s) > EQUAL * largest]
    if not s.size:
        return 1.0
    seen = abs(float(s.sum())) - EQUAL * largest
    if seen <= 0:
        return 1.0
    if s.size > EXACT_GAMES:
        return _sampled_p(s, seen)
    # Flipping all signs does not change |Σ|, so the first sign is fixed.
    half = (s.size + 1) // 2
    first, second = np.sort(s[0] + _sums(s[1:half])), np.sort(_sums(s[half:]))
    above = second.size - np.searchsorted(second, seen - first, side="left")
    below = np.searchsorted(second, -seen - first, side="right")
    return float((above + below).sum()) / (first.size * second.size)


def _sums(values: NDArray) -> NDArray:
    """Returns Σ ± v for every choice of signs."""
    out = np.zeros(1)
    for v in values:
        out = np.concatenate([out + v, out - v])
    return out


def _sampled_p(s: NDArray, seen: float) -> float:
    """Returns p from `DRAWS` random choices of signs, with a fixed seed."""
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(DRAWS // BATCH):
        signs = rng.integers(0, 2, (BATCH, s.size), dtype=np.int8) * 2.0 - 1.0
        hits += int((np.abs(signs @ s) >= seen).sum())
    return (1 + hits) / (1 + DRAWS)
