"""Orak's twelve games and average ranks: which of our games has the mechanics of a published one, its default agent,
whether its picture shows the complete state, and the capabilities that it requires."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gwray.studies.orak.published import published

CAPABILITIES = {
    "rf": "rule following", "lr": "logical reasoning", "sr": "spatial reasoning", "ltu": "long-text understanding",
    "lp": "long-term planning", "eh": "error handling", "oh": "odds handling",
}  # fmt: skip
HIGH = 3
"""The level at which a game essentially requires a capability; levels are 1 to 3."""
STRATEGIES = {
    "direct": "zero-shot", "orak_reflection": "reflection", "orak_planning": "planning",
    "orak_reflection_planning": "reflection-planning", "orak_skills": "skill management",
    "orak_memory": "reflection with memory", "orak_history": "reflection-planning with history",
}  # fmt: skip
"""Our agents, and what the paper calls them."""


@dataclass(frozen=True)
class OrakGame:
    """A game of the paper."""

    name: str
    """Name of the game in the paper."""
    prefix: str
    """Prefix of the id of our game with its mechanics; empty: there is none."""
    agent: str
    """The paper's default strategy for it."""
    group: int | None
    """1: the picture shows the complete state; 2: it does not; None: not in the modality study."""
    levels: Mapping[str, int]
    """Capability → level, by our reading of the paper's criteria: its figure 3 prints no numbers."""


def orak_games() -> list[OrakGame]:
    """Returns the twelve games in the paper's order."""
    return [
        OrakGame(r["game"], r["ours"] or "", r["agent"], r["group"], {c: r[c] for c in CAPABILITIES})
        for r in published("games").to_dicts()
    ]


def probes() -> list[OrakGame]:
    """Returns our stand-ins for what the paper asks models besides games."""
    return [OrakGame(name, ours, "direct", None, {}) for name, ours in (("Math500", "sums"), ("WebShop-E", "shop"))]


def average_ranks(scores: Sequence[Mapping[str, float]]) -> list[tuple[dict[str, float], float | None]]:
    """Ranks players by game and averages the ranks, as the paper does.

    Args:
        scores: game → score of each player; a player may lack games.

    Returns:
        For each player game → rank, where 1 is the best and equal scores share the mean of their ranks, and the mean
        of its ranks; None for a player that lacks a game that another one has.
    """
    games = list(dict.fromkeys(g for s in scores for g in s))
    found = []
    for own in scores:
        ranks = {}
        for game in own:
            others = [s[game] for s in scores if game in s]
            ranks[game] = sum(x > own[game] for x in others) + (others.count(own[game]) + 1) / 2
        found.append((ranks, sum(ranks.values()) / len(games) if ranks and len(ranks) == len(games) else None))
    return found
