"""Sums the usage of replies: tokens, USD and seconds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gwray.records import EpisodeRecord, Reply, StepRecord


@dataclass(frozen=True)
class UsageTotals:
    """The usage of some replies. Two totals can be added."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: float | None = 0.0
    """None: the price of at least one reply is unknown."""
    latency_ms: float = 0.0
    """Sum of the replies' wall times."""

    def __add__(self, other: UsageTotals) -> UsageTotals:
        known = self.cost_usd is not None and other.cost_usd is not None
        return UsageTotals(
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            (self.cost_usd or 0) + (other.cost_usd or 0) if known else None,
            self.latency_ms + other.latency_ms,
        )

    @classmethod
    def from_replies(cls, replies: Iterable[Reply]) -> UsageTotals:
        return sum((cls._one(r) for r in replies), cls())

    @classmethod
    def from_record(cls, row: StepRecord | EpisodeRecord) -> UsageTotals:
        """Returns the totals of a row or a record; zero if it has no calls."""
        return cls(**{name: getattr(row, name) for name in cls.__dataclass_fields__}) if row.calls else cls()

    @classmethod
    def _one(cls, reply: Reply) -> UsageTotals:
        u = reply.usage
        return cls(u.input, u.cached, u.output, u.reasoning, reply.cost_usd, reply.latency_ms)

    def fields(self) -> dict[str, Any]:
        """Returns the fields of rows and records. USD and ms are rounded, so that sums in another order are equal."""
        cost = None if self.cost_usd is None else round(self.cost_usd, 8)
        return {**vars(self), "cost_usd": cost, "latency_ms": round(self.latency_ms, 3)}
