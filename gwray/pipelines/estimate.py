"""About what a plan will cost, before anything runs.

Simple arithmetic, and no bound: every step of the budget is counted, but replies may be longer than assumed, providers
add tokens of their own (tools, thinking), and a request may be tried again. A true bound, every reply as long as it may
be and every request failing as often as it may, would be hundreds of times what is spent; what must not be passed is
said with `budget`.
"""

from __future__ import annotations

from dataclasses import dataclass

from gwray.agents import calls_per_decision, cost_usd
from gwray.errors import UsageError
from gwray.local_players import LOCAL_PLAYERS
from gwray.pipelines.cells import PlannedCell
from gwray.pipelines.plan import Plan
from gwray.pipelines.product import Repeats
from gwray.records import Usage
from gwray.spec import CellSpec, EpisodeSpec, ModelSpec, PlayerSpec

TEXT_TOKENS = 900
"""Prompt sections and tool descriptions of a request."""
REPLY_TOKENS = 120
"""Of a reply; published means lie between 15 and 1,000 (GameWorld, table 13)."""
PIXELS_PER_TOKEN = 784
"""28 × 28 pixels a token: Qwen's rule; Claude's 750 is close."""


@dataclass(frozen=True)
class CostEstimate:
    """Of one episode, or a sum of them."""

    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """None: no price is known."""

    def __add__(self, other: CostEstimate) -> CostEstimate:
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return CostEstimate(self.calls + other.calls, self.tokens + other.tokens, usd)

    def times(self, n: int) -> CostEstimate:
        """`n` of them."""
        return CostEstimate(n * self.calls, n * self.tokens, None if self.usd is None else n * self.usd)


def estimate_episode(episode: EpisodeSpec | Repeats, plan: Plan) -> CostEstimate:
    """An episode that uses its whole budget, a turn for each step of it; of repeats, one of them."""
    game = plan.library.game(episode.game)
    turns = game.task(episode.task, episode.cell.limit.steps).budget
    total = CostEstimate()
    for role in game.roles:
        total = total + _turns(episode.cell.player(role.name), turns, episode.cell, game.viewport)
    return total


def estimate_cell(cell: PlannedCell, plan: Plan) -> CostEstimate:
    """All episodes of a cell: those of one task cost the same."""
    mine = plan.episodes.of_cell(cell.id).parts
    return sum((estimate_episode(part, plan).times(len(part)) for part in mine), CostEstimate())


def require_prices(plan: Plan) -> None:
    """`UsageError` if a budget in USD is set that could never be reached, because nobody knows what a model costs."""
    limit = plan.settings.budget.usd
    if limit is None:
        return
    unpriced = [m.name for m in plan.models() if _price(m, Usage(input=1)) is None]
    if unpriced:
        raise UsageError(
            f"budget.usd '{limit:g}' cannot be kept: no price is known of {', '.join(unpriced)}. Give "
            "model.prices.input, model.prices.output (USD per million tokens) and model.prices.as_of, or limit "
            "budget.tokens instead."
        )


def _price(model: ModelSpec, usage: Usage) -> float | None:
    """0 for who asks no provider; None if no price is known."""
    return 0.0 if model.provider in LOCAL_PLAYERS or model.self_hosted else cost_usd(model, usage)


def _turns(player: PlayerSpec, turns: int, cell: CellSpec, viewport: tuple[int, int]) -> CostEstimate:
    """All turns of a role, with as many questions each as its agent expects to ask; whichever of its models would cost
    most is taken to answer them all."""
    each = [_question(m, cell, viewport) for m in (player.model, *player.helpers.values())]
    dearest = max(each, key=lambda q: (q.calls, q.usd is None, q.usd or 0, q.tokens))
    return dearest.times(turns * calls_per_decision(player))


def _question(model: ModelSpec, cell: CellSpec, viewport: tuple[int, int]) -> CostEstimate:
    if model.provider in LOCAL_PLAYERS:
        return CostEstimate()
    pixels = viewport[0] * viewport[1]
    seen = cell.observation
    pictures = len(seen.views) if seen.pictures else 0
    image = pictures * (min(pixels, model.image.max_pixels or pixels) // PIXELS_PER_TOKEN)
    agent = cell.agent
    per_round = (image if agent.memory_format != "text" else 0) + REPLY_TOKENS
    sent = TEXT_TOKENS + image + agent.memory_rounds * per_round
    usage = Usage(input=sent, output=REPLY_TOKENS)
    return CostEstimate(calls=1, tokens=sent + REPLY_TOKENS, usd=_price(model, usage))
