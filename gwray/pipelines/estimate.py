"""What a plan will cost, before anything runs. Upper bounds by simple arithmetic, labelled as estimates."""

from __future__ import annotations

from dataclasses import dataclass

from gwray.agents import cost_usd
from gwray.errors import UsageError
from gwray.pipelines.plan import Cell, Plan
from gwray.records import Usage
from gwray.spec import EpisodeSpec, ModelSpec

TEXT_TOKENS = 900
"""Prompt sections and tool descriptions of a request."""
REPLY_TOKENS = 120
"""Of a reply; published means lie between 15 and 1,000 (GameWorld, table 13)."""
PIXELS_PER_TOKEN = 784
"""28 × 28 pixels a token: Qwen's rule; Claude's 750 is close."""
FREE_PROVIDERS = {"random", "noop", "scripted", "fixed", "human"}


@dataclass(frozen=True)
class Estimate:
    """Of one episode, or a sum of them."""

    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """None: no price is known."""

    def __add__(self, other: Estimate) -> Estimate:
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return Estimate(self.calls + other.calls, self.tokens + other.tokens, usd)


def estimate_episode(episode: EpisodeSpec, plan: Plan) -> Estimate:
    """An episode that uses its whole step budget."""
    game = plan.library.game(episode.game)
    steps = game.task(episode.task).max_steps
    total = Estimate()
    for role in game.roles:
        model = episode.cell.roles.get(role.name, episode.cell.model)
        total = total + _requests(model, steps, episode, game.viewport)
    return total


def estimate_cell(cell: Cell, plan: Plan) -> Estimate:
    """All episodes of a cell."""
    return sum((estimate_episode(e, plan) for e in plan.episodes if e.cell_id == cell.id), Estimate())


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
    return 0.0 if model.provider in FREE_PROVIDERS or model.self_hosted else cost_usd(model, usage)


def _requests(model: ModelSpec, steps: int, episode: EpisodeSpec, viewport: tuple[int, int]) -> Estimate:
    if model.provider in FREE_PROVIDERS:
        return Estimate(calls=0, tokens=0, usd=0.0)
    pixels = viewport[0] * viewport[1]
    image = min(pixels, model.image.max_pixels or pixels) // PIXELS_PER_TOKEN
    agent = episode.cell.agent
    per_round = (image if agent.memory_format != "text" else 0) + REPLY_TOKENS
    sent = TEXT_TOKENS + image + agent.memory_rounds * per_round
    usage = Usage(input=sent, output=REPLY_TOKENS)
    each = _price(model, usage)
    return Estimate(calls=steps, tokens=steps * (sent + REPLY_TOKENS), usd=None if each is None else steps * each)
