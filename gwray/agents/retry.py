"""The one retry layer: which errors are tried again, how often, and how long it may take.

It retries what is marked `transient` (rate limits, 5xx, timeouts, lost connections, responses that are not the
provider's own format). It does not retry bad requests, wrong keys, an empty account or a content filter, and it knows
nothing of what a model says: nonsense is a reply.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import stamina

from gwray.errors import ModelError, RateLimited
from gwray.spec import ModelSpec

# stamina's own report would print a line per retry between our progress bars; retries are counted in the reply.
stamina.instrumentation.set_on_retry_hooks([])


@dataclass(frozen=True)
class Policy:
    """Bounds of one request's tries."""

    attempts: int = 5
    """Tries when the provider fails."""
    rate_limit_attempts: int = 30
    """Tries when it refuses for being asked too often; the shared limiter makes these rare."""
    give_up_s: float = 900
    """No further try once sending and failing has taken this long in all; waiting for the turn does not count."""

    @classmethod
    def from_spec(cls, spec: ModelSpec) -> Policy:
        """The profile's `options.attempts`, `options.rate_limit_attempts` and `options.give_up_s`."""
        given = {k: spec.options[k] for k in cls.__dataclass_fields__ if k in spec.options}
        if spec.self_hosted:
            # An engine that died is started again by the cluster, which takes a minute or two: wait for it.
            given.setdefault("attempts", 25)
        return cls(**given)


class Tries:
    """Counts the tries of one request and decides whether there is another."""

    def __init__(self, policy: Policy):
        self._policy = policy
        self.requests = 0
        self.spent_s = 0.0
        self.held = False
        """The last failure was one of an outage, which the limiter waits for on behalf of all requests."""
        self._failures = 0
        self._refusals = 0

    def again(self, error: Exception) -> bool | float:
        """False: no. True: after the usual back-off. Seconds: after the provider's wish."""
        if not isinstance(error, ModelError):
            return False  # cancellation and KeyboardInterrupt, above all, end the wait
        if self.held:
            return 0.0
        if not error.transient or self.spent_s >= self._policy.give_up_s:
            return False
        if isinstance(error, RateLimited):
            self._refusals += 1
            # The limiter holds everybody back for as long as the provider asked, this request too.
            return 0.0 if self._refusals < self._policy.rate_limit_attempts else False
        self._failures += 1
        if self._failures >= self._policy.attempts:
            return False
        return True if error.retry_after_s is None else error.retry_after_s

    def context(self) -> AsyncIterator[stamina.Attempt]:
        """One context manager per try."""
        return stamina.retry_context(
            on=self.again, attempts=None, timeout=None, wait_initial=0.5, wait_max=30.0, wait_jitter=0.5
        ).__aiter__()
