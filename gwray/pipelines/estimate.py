"""Estimates the cost of a plan before anything runs. An estimate, not a bound: it counts every step of the budget, but
replies may be longer, providers add tokens (tools, thinking), and requests may be retried. A true bound would be
hundreds of times the actual cost; set a limit with `budget`."""

import math
import os
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from gwray.agents import calls_per_decision, cost_usd
from gwray.errors import UsageError
from gwray.pipelines.cells import PlannedCell
from gwray.pipelines.plan import Plan
from gwray.pipelines.product import Repeats
from gwray.records import Usage
from gwray.settings import LOCAL_PLAYERS, MAX_PER_REPLY, CellSpec, EpisodeSpec, ModelSpec, PlayerSpec

TEXT_TOKENS = 900
"""Tokens of prompt sections and tool descriptions per request."""
REPLY_TOKENS = 120
"""Tokens per reply."""
REPLY_RANGE = (15, 1000)
"""Least and most published mean of tokens per reply (GameWorld, table 13)."""
REPLY_S = (2.4, 6.4)
"""Least and most published seconds per step (GameWorld, table 8), nearly all of which are the reply."""
STEP_S = 0.02
"""Seconds that a core needs for an environment step, browser included (measured; bench/README.md)."""
STEP_BYTES = 60_000
"""Bytes of a step in a run directory, mostly the screenshot (measured; bench/README.md)."""
PIXELS_PER_TOKEN = 784
"""28 × 28 pixels per token, as in Qwen models; Claude's 750 is close."""


@dataclass(frozen=True)
class CostEstimate:
    """Cost of one or several episodes."""

    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """None: a price is unknown."""
    usd_low: float = 0.0
    """With the shortest published replies (`REPLY_RANGE`); without meaning if `usd` is None."""
    usd_high: float = 0.0
    """With the longest."""
    steps: int = 0
    """Environment steps."""

    def __add__(self, other: "CostEstimate") -> "CostEstimate":
        usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        return CostEstimate(
            self.calls + other.calls, self.tokens + other.tokens, usd, self.usd_low + other.usd_low,
            self.usd_high + other.usd_high, self.steps + other.steps,
        )  # fmt: skip

    def times(self, n: int) -> "CostEstimate":
        """Returns the cost of `n` of these."""
        usd = None if self.usd is None else n * self.usd
        return CostEstimate(
            n * self.calls, n * self.tokens, usd, n * self.usd_low, n * self.usd_high, n * self.steps
        )  # fmt: skip


def estimate_episode(episode: EpisodeSpec | Repeats, plan: Plan) -> CostEstimate:
    """Estimates one episode that uses its complete budget, with as many actions per turn as a reply may have."""
    game = plan.library.game(episode.game)
    task = game.task(episode.task, episode.cell.limit.steps)
    per_reply = episode.action.per_reply or 1
    # A budget in decisions has a turn for each; a list of any length is usually short.
    alone = task.max_decisions is not None or per_reply == MAX_PER_REPLY
    turns = task.budget if alone else math.ceil(task.budget / per_reply)
    total = CostEstimate(steps=task.budget)
    for role in game.roles:
        total = total + _turns_cost(episode.cell.player(role.name), turns, episode.cell, game.viewport)
    return total


def estimate_cell(cell: PlannedCell, plan: Plan) -> CostEstimate:
    """Estimates all episodes of a cell."""
    mine = plan.episodes.of_cell(cell.id).parts
    return sum((estimate_episode(part, plan).times(len(part)) for part in mine), CostEstimate())


def lanes_of(plan: Plan) -> int:
    """Returns how many episodes run at once, if the cluster has as many CPUs as this computer."""
    spec = plan.settings.executor
    actors = 1
    if spec.name == "ray":
        actors = spec.actors or max(1, int((os.cpu_count() or 1) / spec.cpus_per_actor))
    return min(spec.lanes * actors, spec.max_lanes or spec.lanes * actors, len(plan.episodes))


def estimate_hours(costs: Mapping[str, CostEstimate], plan: Plan) -> tuple[float, float]:
    """Returns the hours of some cells with the shortest and the longest published reply times (`REPLY_S`).

    Episodes share the lanes, and the requests to a model share what its profile allows: the later of both ends counts.
    `costs`: estimate of each cell, by id.
    """
    cores = min(os.cpu_count() or 1, lanes_of(plan))
    ends = []
    for reply_s in REPLY_S:
        waits: dict[str, float] = defaultdict(float)
        for cell in (c for c in plan.cells if c.id in costs):
            model = next((m for m in cell.spec.models() if m.provider not in LOCAL_PLAYERS), None)
            if model is not None:
                waits[model.name] += costs[cell.id].calls * reply_s / model.max_in_flight
        replies = sum(c.calls for c in costs.values()) * reply_s / lanes_of(plan)
        steps = sum(c.steps for c in costs.values()) * STEP_S / cores
        ends.append(max(replies + steps, *waits.values()) if waits else replies + steps)
    return ends[0] / 3600, ends[1] / 3600


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


def _turns_cost(player: PlayerSpec, turns: int, cell: CellSpec, viewport: tuple[int, int]) -> CostEstimate:
    """Estimates all turns of a role: the expected questions per turn, all answered by its most expensive model."""
    each = [_question_cost(m, cell, viewport) for m in (player.model, *player.helpers.values())]
    most_expensive = max(each, key=lambda q: (q.calls, q.usd is None, q.usd or 0, q.tokens))
    return most_expensive.times(turns * calls_per_decision(player))


def text_tokens(rounds: int) -> int:
    """Estimates the tokens of a prompt's text: sections, tool descriptions, and the replies of past rounds."""
    return TEXT_TOKENS + rounds * REPLY_TOKENS


def _question_cost(model: ModelSpec, cell: CellSpec, viewport: tuple[int, int]) -> CostEstimate:
    """Estimates one question to a model. `viewport`: width and height in pixels."""
    if model.provider in LOCAL_PLAYERS:
        return CostEstimate()
    pixels = viewport[0] * viewport[1]
    seen = cell.observation
    pictures = len(seen.views) if seen.pictures else 0
    image = pictures * (min(pixels, model.image.max_pixels or pixels) // PIXELS_PER_TOKEN)
    agent = cell.agent
    per_round = image if agent.memory_format != "text" else 0
    sent = text_tokens(agent.memory_rounds) + image + agent.memory_rounds * per_round
    usd, low, high = (_price(model, Usage(input=sent, output=n)) for n in (REPLY_TOKENS, *REPLY_RANGE))
    return CostEstimate(1, sent + REPLY_TOKENS, usd, low or 0.0, high or 0.0)
