"""Whether scores of games go with other benchmarks: Pearson's r over models (PokeGym, appendix G, figures 8 to 10)."""

from __future__ import annotations

from collections.abc import Mapping

from gwray.analysis.deadlocks import Correlation, correlation
from gwray.analysis.published import published

GAME_SCORES = ("visual_guided", "step_guided", "goal_only", "navigation", "interaction", "mixed")
"""Columns of `pokegym_external` that are success rates in the games; the others are other benchmarks."""

ModelScores = Mapping[str, Mapping[str, float | None]]
"""Model → name of a score → value."""


def external_scores() -> dict[str, dict[str, float]]:
    """Returns the published results of five models on eight other benchmarks: model → benchmark → value (a share, or
    Elo points)."""
    rows = published("pokegym_external").drop(GAME_SCORES).to_dicts()
    return {r.pop("model"): r for r in rows}


def external_correlations(ours: ModelScores, external: ModelScores) -> dict[tuple[str, str], Correlation | None]:
    """Returns (score, benchmark) → correlation over the models that have both.

    None for fewer than three such models, or if one of the two does not vary. With five models, as in the publication,
    r must exceed 0.88 to be significant at 5 %.
    """
    scores, benchmarks = (list(dict.fromkeys(k for r in table.values() for k in r)) for table in (ours, external))
    found = {}
    for s in scores:
        for b in benchmarks:
            pairs = [(ours[m].get(s), external[m].get(b)) for m in ours if m in external]
            known = [(x, y) for x, y in pairs if x is not None and y is not None]
            found[s, b] = correlation([x for x, _ in known], [y for _, y in known])
    return found
