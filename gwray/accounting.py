"""What replies cost, summed in one place: tokens, USD and the time they took."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gwray.records import EpisodeRecord, Reply, StepRecord


@dataclass(frozen=True)
class Spent:
    """The cost of some replies; two of them add up."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: float | None = 0.0
    """None: the price of at least one reply is not known."""
    latency_ms: float = 0.0
    """Sum over replies of the wall time until each was there."""

    def __add__(self, other: Spent) -> Spent:
        known = self.cost_usd is not None and other.cost_usd is not None
        return Spent(
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            (self.cost_usd or 0) + (other.cost_usd or 0) if known else None,
            self.latency_ms + other.latency_ms,
        )

    @classmethod
    def of(cls, replies: Iterable[Reply]) -> Spent:
        """What these replies cost together."""
        return sum((cls._one(r) for r in replies), cls())

    @classmethod
    def of_step(cls, row: StepRecord | EpisodeRecord) -> Spent:
        """What a row or a record says; nothing where nobody was asked."""
        return cls(**{name: getattr(row, name) for name in cls.__dataclass_fields__}) if row.calls else cls()

    @classmethod
    def _one(cls, reply: Reply) -> Spent:
        u = reply.usage
        return cls(u.input, u.cached, u.output, u.reasoning, reply.cost_usd, reply.latency_ms)

    def fields(self) -> dict[str, Any]:
        """As rows and records name them, USD and ms rounded so that sums in another order are equal."""
        cost = None if self.cost_usd is None else round(self.cost_usd, 8)
        return {**vars(self), "cost_usd": cost, "latency_ms": round(self.latency_ms, 3)}
