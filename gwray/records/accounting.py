"""Sums the usage of replies: tokens, USD and seconds; and counts those that ended for an unknown reason."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gwray.records.episode import EpisodeRecord, Reply, StepRecord


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

    def __add__(self, other: "UsageTotals") -> "UsageTotals":
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
    def from_replies(cls, replies: Iterable[Reply]) -> "UsageTotals":
        return sum((cls._one(r) for r in replies), cls())

    @classmethod
    def from_record(cls, row: StepRecord | EpisodeRecord) -> "UsageTotals":
        """Returns the totals of a row or a record; zero if it has no calls."""
        return cls(**{name: getattr(row, name) for name in cls.__dataclass_fields__}) if row.calls else cls()

    @classmethod
    def _one(cls, reply: Reply) -> "UsageTotals":
        u = reply.usage
        return cls(u.input, u.cached, u.output, u.reasoning, reply.cost_usd, reply.latency_ms)

    def fields(self) -> dict[str, Any]:
        """Returns the fields of rows and records. USD and ms are rounded, so that sums in another order are equal."""
        cost = None if self.cost_usd is None else round(self.cost_usd, 8)
        return {**vars(self), "cost_usd": cost, "latency_ms": round(self.latency_ms, 3)}


UNKNOWN_USAGE = "usage unknown"
"""Start of the caveat of an episode with replies whose tokens the provider did not count."""
_UNKNOWN = re.compile(rf"(unknown finish reason '.*'|{UNKNOWN_USAGE}): (\d{{1,9}}) repl(?:y|ies)")


def reply_unknowns(reply: Reply, unknown_finish: bool) -> Iterator[str]:
    """Yields what is not known of a reply."""
    if unknown_finish:
        yield f"unknown finish reason '{reply.finish_reason}'"
    if not reply.usage.known:
        yield UNKNOWN_USAGE


def unknown_caveats(replies: Mapping[str, int]) -> tuple[str, ...]:
    """Returns the caveats of an episode's record, from the number of replies of which something is not known."""
    return tuple(f"{what}: {n} repl{'y' if n == 1 else 'ies'}" for what, n in sorted(replies.items()))


def unknown_notes(caveats: Iterable[Iterable[str]]) -> list[str]:
    """Returns one sentence for each unknown finish reason, and for unknown usage, in the caveats of some episodes."""
    replies: Counter[str] = Counter()
    episodes: Counter[str] = Counter()
    for of_episode in caveats:
        for found in filter(None, map(_UNKNOWN.fullmatch, of_episode)):
            replies[found[1]] += int(found[2])
            episodes[found[1]] += 1
    return [
        f"{n} repl{'y' if n == 1 else 'ies'} in {episodes[what]} episode{'s' * (episodes[what] > 1)} "
        + (
            "came without token counts: the tokens and the cost of these episodes are not known"
            if what == UNKNOWN_USAGE
            else f"ended with the {what}, which may be a failure of the provider"
        )
        for what, n in sorted(replies.items())
    ]


def has_unknown_usage(record: EpisodeRecord) -> bool:
    """Returns whether the provider did not count the tokens of all replies."""
    return any(caveat.startswith(UNKNOWN_USAGE) for caveat in record.caveats)
