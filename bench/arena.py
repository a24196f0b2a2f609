"""Coverage of the intervals of arena ratings, in simulated arenas, beside those of a parametric bootstrap.

python bench/arena.py --worlds 200
"""

from __future__ import annotations

import argparse
from itertools import permutations

import numpy as np

from gwray.analysis import Match, rate

RESAMPLES = 200


def simulate(players: int, spread: float, games: int, worlds: int) -> tuple[float, float, float, float]:
    """Returns the coverage and mean width of the intervals, and both of the bootstrap's."""
    rng = np.random.default_rng(0)
    names = [str(i) for i in range(players)]
    pairs = [pair for n, pair in enumerate(permutations(range(players), 2)) for _ in range(games)]
    covered, widths, covered_by_bootstrap, bootstrap_widths = [], [], [], []

    def play(ratings: np.ndarray) -> list[Match]:
        chance = [1 / (1 + 10 ** ((ratings[j] - ratings[i]) / 400)) for i, j in pairs]
        won = rng.random(len(pairs)) < chance
        return [Match(str(i), str(j), 1 if w else -1) for (i, j), w in zip(pairs, won, strict=True)]

    for _ in range(worlds):
        true = rng.normal(0, spread, players)
        true += 1500 - true.mean()
        found = sorted(rate(play(true), names).ratings, key=lambda r: int(r.player))
        covered += [r.low <= x <= r.high for r, x in zip(found, true, strict=True)]
        widths += [r.high - r.low for r in found]
        fitted = np.array([r.elo for r in found])
        again = []
        for _ in range(RESAMPLES):
            resampled = {r.player: r.elo for r in rate(play(fitted), names).ratings}
            again.append([resampled[name] for name in names])
        low, high = np.percentile(again, (2.5, 97.5), axis=0)
        covered_by_bootstrap += list((low <= true) & (true <= high))
        bootstrap_widths += list(high - low)
    return tuple(float(np.mean(x)) for x in (covered, widths, covered_by_bootstrap, bootstrap_widths))  # pyright: ignore[reportReturnType]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=100, help="simulated arenas for each row")
    worlds = parser.parse_args().worlds
    print("| players | SD of ratings | games a pair | coverage | width | bootstrap | width |")
    print("|---|---|---|---|---|---|---|")
    for players in (4, 8):
        for spread in (0, 200, 400):
            for games in (1, 3):
                c, w, b, v = simulate(players, spread, games, worlds)
                print(f"| {players} | {spread} | {2 * games} | {c:.1%} | {w:.0f} | {b:.1%} | {v:.0f} |", flush=True)


if __name__ == "__main__":
    main()
