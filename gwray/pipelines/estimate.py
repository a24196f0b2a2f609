"""Estimates the cost of a plan before anything runs. An estimate, not a bound: it counts every step of the budget, but
replies may be longer, providers add tokens (tools, thinking), and requests may be retried. A true bound would be
hundreds of times the actual cost; set a limit with `budget`."""

from dataclasses import dataclass

from gwray.agents import calls_per_decision, cost_usd
from gwray.errors import UsageError
from gwray.pipelines.cells import PlannedCell
from gwray.pipelines.plan import Plan
from gwray.pipelines.product import Repeats
from gwray.records import Usage
from gwray.spec import LOCAL_PLAYERS, CellSpec, EpisodeSpec, ModelSpec, PlayerSpec

TEXT_TOKENS = 900
"""Tokens of prompt sections and tool descriptions per request."""
REPLY_TOKENS = 120
"""Tokens per reply; published means are between 15 and 1,000 (GameWorld, table 13)."""
PIXELS_PER_TOKEN = 784
"""28 × 28 pixels per token, as in Qwen models; Claude's 750 is close."""


@dataclass(frozen=True)
class CostEstimate:
    """Cost of one or several episodes."""

    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """None: a price is unknown."""

    def __add__(self, other: "CostEstimate") -> "CostEstimate":
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return CostEstimate(self.calls + other.calls, self.tokens + other.tokens, usd)

    def times(self, n: int) -> "CostEstimate":
        """Returns the cost of `n` of these."""
        return CostEstimate(n * self.calls, n * self.tokens, None if self.usd is None else n * self.usd)


def estimate_episode(episode: EpisodeSpec | Repeats, plan: Plan) -> CostEstimate:
    """Estimates one episode that uses its complete budget, with one turn per step."""
    game = plan.library.game(episode.game)
    turns = game.task(episode.task, episode.cell.limit.steps).budget
    total = CostEstimate()
    for role in game.roles:
        total = total + _turns(episode.cell.player(role.name), turns, episode.cell, game.viewport)
    return total


def estimate_cell(cell: PlannedCell, plan: Plan) -> CostEstimate:
    """Estimates all episodes of a cell."""
    mine = plan.episodes.of_cell(cell.id).parts
    return sum((estimate_episode(part, plan).times(len(part)) for part in mine), CostEstimate())


def require_prices(plan: Plan) -> None:
    """Raises `UsageError` if a budget in USD is set but the price of a model is unknown."""
    limit = plan.settings.budget.usd
    if limit is None:
        return
    unpriced = [m.name for m in plan.models() if _price(m, Usage(input=1)) is None]
    if unpriced:
        raise UsageError(
            f"budget.usd '{limit:g}' cannot be enforced: the price of {', '.join(unpriced)} is unknown. Set "
            "model.prices.input, model.prices.output (USD per million tokens) and model.prices.as_of, or limit "
            "budget.tokens instead."
        )


def _price(model: ModelSpec, usage: Usage) -> float | None:
    """Returns 0 for models without a provider, and None if the price is unknown."""
    return 0.0 if model.provider in LOCAL_PLAYERS or model.self_hosted else cost_usd(model, usage)


def _turns(player: PlayerSpec, turns: int, cell: CellSpec, viewport: tuple[int, int]) -> CostEstimate:
    """Estimates all turns of a role: the expected questions per turn, all answered by its most expensive model."""
    each = [_question(m, cell, viewport) for m in (player.model, *player.helpers.values())]
    most_expensive = max(each, key=lambda q: (q.calls, q.usd is None, q.usd or 0, q.tokens))
    return most_expensive.times(turns * calls_per_decision(player))


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
