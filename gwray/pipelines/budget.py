"""What a run has played and spent so far, and whether one more episode fits its budget."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gwray.records import EpisodeRecord, has_unknown_usage
from gwray.settings import BudgetSpec, EpisodeSpec


@dataclass
class Tally:
    """Progress of the run."""

    planned: int
    finished: int = 0
    failed: int = 0
    in_flight: int = 0
    retried: int = 0
    skipped: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # episodes not started, by reason
    usd: float = 0.0
    unpriced: bool = False  # a model without a known price answered: `usd` is a lower bound
    tokens: int = 0
    retries: int = 0  # of requests, after an error or a rate limit
    progress: float = 0.0  # sum over finished episodes, also of earlier commands
    loading: Sequence[str] = ()  # hosted models

    def add(self, record: EpisodeRecord, usd: float, tokens: int) -> None:
        """Adds an ended episode, with the part of its cost that is not counted yet."""
        self.usd += usd
        self.tokens += tokens
        self.retries += record.retries if record.status == "finished" else 0  # a failed one may be tried again
        self.unpriced |= record.cost_usd is None and tokens > 0
        self.progress += record.progress or 0.0


class Budget:
    """Decides whether one more episode fits the budget, from the costs of finished episodes."""

    def __init__(
        self, spec: BudgetSpec, guess_usd: Callable[[EpisodeSpec], float], guess_tokens: Callable[[EpisodeSpec], int]
    ):
        self._spec = spec
        self._guess = {"usd": guess_usd, "tokens": guess_tokens}
        self._spent = {"usd": 0.0, "tokens": 0.0}
        self._highest: dict[str, tuple[float, float]] = {}
        self._reserved: dict[str, tuple[float, float]] = {}
        self._charged: dict[str, tuple[float, int]] = {}

    def charge(self, record: EpisodeRecord, spec: EpisodeSpec | None = None) -> tuple[float, int]:
        """Counts an episode's cost, also of earlier invocations. Returns the new part as (USD, tokens): a retry reports
        the replies of earlier tries again. If the provider did not count the tokens, the estimate for `spec` counts."""
        usd, tokens = record.cost_usd or 0.0, record.input_tokens + record.output_tokens
        if spec is not None and has_unknown_usage(record):
            usd, tokens = max(usd, self._guess["usd"](spec)), max(tokens, int(self._guess["tokens"](spec)))
        before = self._charged.get(record.key, (0.0, 0))
        new = max(0.0, usd - before[0]), max(0, tokens - before[1])
        self._charged[record.key] = before[0] + new[0], before[1] + new[1]
        self._spent["usd"] += new[0]
        self._spent["tokens"] += new[1]
        self._reserved.pop(record.key, None)
        if record.status == "finished":
            most = self._highest.get(record.cell, (0.0, 0.0))
            self._highest[record.cell] = max(most[0], usd), max(most[1], tokens)
            del self._charged[record.key]  # it is not retried
        return new

    @property
    def has_reservations(self) -> bool:
        """Whether admitted episodes are still running. Once they end, there may be room again."""
        return bool(self._reserved)

    def reserve(self, spec: EpisodeSpec) -> str | None:
        """Reserves the episode's expected cost and returns None, or returns the reason why it may not start."""
        if self._spec.usd is None and self._spec.tokens is None:
            return None
        expected = self._highest.get(spec.cell_id) or (self._guess["usd"](spec), self._guess["tokens"](spec))
        for i, (unit, limit) in enumerate((("usd", self._spec.usd), ("tokens", self._spec.tokens))):
            reserved = sum(r[i] for r in self._reserved.values())
            if limit is not None and self._spent[unit] + reserved + expected[i] > limit:
                return f"budget.{unit}={limit:g} would be exceeded"
        self._reserved[spec.key] = expected
        return None
