"""Calls to a model: rate limiting, retries and price around a client's single request. Connections and limits belong to
a `ClientPool`, which belongs to a worker: all roles of all its episodes share it, and closing it affects no other
worker."""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any

import stamina

from gwray.agents.clients import Client, make_client
from gwray.agents.cost import cost_usd
from gwray.agents.messages import Request
from gwray.agents.rate_limiter import BACK_OFF_S, MAX_BACK_OFF_S, LocalRateLimiter, Outage, Outcome, RateLimiter
from gwray.errors import AgentError, InternalError, ModelDown, ModelError, ModelUnavailable, RateLimited, boundary
from gwray.records import Reply, canonical
from gwray.settings import ModelSpec, model_label

SHOWN_S = 20.0
"""Shortest wait for a rate limit that the progress line shows."""
UNREAD_S = 1.0
"""Seconds after the time limit of a request in which a reply is read that has already arrived: after a stop of the
process (SIGSTOP, a closed lid) its time limit is over before the process looks at the connection."""

# stamina would print a line per retry between our progress bars; the reply counts retries.
stamina.instrumentation.set_on_retry_hooks([])


async def _finished_within(limit_s: float, sending: Coroutine[Any, Any, Reply]) -> Reply:
    """Returns the reply. Raises `TimeoutError` after the time limit; the SDKs have none of their own."""
    task = asyncio.ensure_future(sending)
    try:
        for wait_s in (limit_s, UNREAD_S):
            if (await asyncio.wait({task}, timeout=wait_s))[0]:
                return task.result()
        raise TimeoutError
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=UNREAD_S)


class ClientPool:
    """Connections by model profile, and the limiter that all requests pass. For one event loop.

    Args:
        limiter: admission shared with other processes; None: this pool has its own.
    """

    def __init__(self, limiter: RateLimiter | None = None):
        self.limiter: RateLimiter = limiter or LocalRateLimiter()
        self.endpoints: Mapping[str, str] = {}
        """Base URLs of the self-hosted models that are up, by profile name."""
        self.held_back: dict[str, float] = {}
        """Models whose requests wait, and until when their rate limit lasts (seconds since 1970; 0: the model does not
        answer)."""
        self.on_held_back: Callable[[], None] = lambda: None
        """Called when `held_back` changes."""
        self._clients: dict[str, Client] = {}

    def set_held_back(self, model: str, until: float | None) -> None:
        """Records until when requests to a model wait: see `held_back`; None: they do not."""
        before = self.held_back.pop(model, None)
        if until is not None:
            self.held_back[model] = until
        if (before is None) != (until is None):
            self.on_held_back()

    def caller(self, model: ModelSpec) -> "ModelCaller":
        """Returns a caller for a model. Opens no connection."""
        url = self.endpoints.get(model.name)
        return ModelCaller(model.model_copy(update={"base_url": url}) if url else model, self)

    def client(self, model: ModelSpec) -> Client:
        """Returns the client of a profile, created at first use. Raises `AuthError` for a missing key."""
        identity = canonical(model.model_dump(mode="json"))
        if identity not in self._clients:
            self._clients[identity] = make_client(model)
        return self._clients[identity]

    async def close(self) -> None:
        """Closes the connections."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.close()


class ModelCaller:
    """Asks one model. Opens no connection and reads no key before the first request."""

    def __init__(self, spec: ModelSpec, pool: ClientPool):
        self._spec = spec
        self._pool = pool
        self._count = 0

    async def ask(self, request: Request) -> Reply:
        """Returns the reply to a request, after as many attempts as the profile allows. Raises `ModelError`, and
        `AgentError` for a bug of a user-defined client."""
        client, limiter = self._pool.client(self._spec), self._pool.limiter
        await limiter.declare(self._spec.key, self._spec.max_in_flight, self._spec.requests_per_minute)
        state = RetryState(RetryPolicy.from_spec(self._spec))
        async for attempt in state.attempts():
            with attempt:
                reply = await self._once(client, limiter, request, state)
                price = cost_usd(self._spec, reply.usage, substitute_model(self._spec, request.model_id, reply))
                return reply.model_copy(update={"requests": state.requests, "cost_usd": price})
        raise AssertionError("the retry context ends with a reply or an error")

    async def _once(self, client: Client, limiter: RateLimiter, request: Request, state: "RetryState") -> Reply:
        """Sends a request once, within the limits of the model, and reports its outcome to the limiter."""
        self._count += 1
        request_id = f"{os.getpid()}-{id(self)}-{self._count}"
        asked = time.perf_counter()
        in_flight = await limiter.acquire(self._spec.key, request_id)
        state.waited_s += time.perf_counter() - asked
        outcome: Outcome = "failed"
        retry_after_s: float | None = None
        started = time.perf_counter()
        outage: Outage | None = None
        try:
            try:
                state.requests += 1
                reply = await _finished_within(self._spec.timeout_s, client.send(request))
                outcome = "ok"
                return reply.model_copy(update={"in_flight": in_flight, "waited_s": round(state.waited_s, 3)})
            except TimeoutError:
                outcome = "unavailable"
                raise ModelUnavailable(f"no reply within {self._spec.timeout_s:g} s") from None
            except RateLimited as e:
                outcome, retry_after_s = "limited", e.retry_after_s
                raise
            except ModelUnavailable as e:
                # A failed generation inside HTTP 200 is no outage of the provider.
                outcome = "failed" if e.status == 200 else "unavailable"
                raise
            except Exception:
                custom = "." in self._spec.provider
                with boundary(AgentError if custom else InternalError, f"client {self._spec.provider}"):
                    raise
            finally:
                state.spent_s += time.perf_counter() - started
                outage = await limiter.report(self._spec.key, request_id, outcome, retry_after_s)
                state.held_back = outage == "held"
                if state.held_back:
                    self._pool.set_held_back(model_label(self._spec), 0.0)
                elif outcome == "limited" and (pause := self._pause(state, retry_after_s)) >= SHOWN_S:
                    self._pool.set_held_back(model_label(self._spec), time.time() + pause)
                elif outage == "over" or outcome in ("ok", "limited"):
                    self._pool.set_held_back(model_label(self._spec), None)
        except ModelUnavailable as e:
            if outage != "over":
                raise
            raise ModelDown(
                f"{model_label(self._spec)} has not answered any request for a long time: {e}", status=e.status
            ) from e

    def _pause(self, state: "RetryState", retry_after_s: float | None) -> float:
        """Returns the seconds that a rate limit makes requests wait; without a stated wait, the limiter's back-off."""
        return min(BACK_OFF_S * 2**state.refusals, MAX_BACK_OFF_S) if retry_after_s is None else retry_after_s


@dataclass(frozen=True)
class RetryPolicy:
    """Limits on the attempts of one request. Only errors marked `transient` are retried: rate limits, HTTP 5xx,
    timeouts, lost connections, responses that are not the provider's own format. Bad requests, wrong keys, an empty
    account and content filters are not. The text of a reply never causes a retry."""

    attempts: int = 5
    """Attempts when the provider fails."""
    rate_limit_attempts: int = 30
    """Attempts when it refuses because of a rate limit; the shared limiter makes these rare."""
    give_up_s: float = 900
    """No retry after this many seconds of failed attempts in total; waiting for the limiter does not count."""

    @classmethod
    def from_spec(cls, spec: ModelSpec) -> "RetryPolicy":
        """Returns the profile's `options.attempts`, `options.rate_limit_attempts` and `options.give_up_s`."""
        given = {k: spec.options[k] for k in cls.__dataclass_fields__ if k in spec.options}
        if spec.self_hosted:
            given.setdefault("attempts", 25)  # the cluster restarts a dead engine within a minute or two
        return cls(**given)


class RetryState:
    """Counts the attempts of one request and decides whether there is another one."""

    def __init__(self, policy: RetryPolicy):
        self._policy = policy
        self.requests = 0
        self.spent_s = self.waited_s = 0.0
        self.held_back = False
        """Whether the last failure was part of an outage, for which the limiter makes all requests wait."""
        self._failures = 0
        self.refusals = 0

    def should_retry(self, error: Exception) -> bool | float:
        """Returns False, True (after the usual back-off), or the seconds that the provider asked to wait."""
        if not isinstance(error, ModelError):
            return False  # in particular, cancellation and KeyboardInterrupt end the wait
        if self.held_back:
            return 0.0
        if not error.transient or self.spent_s >= self._policy.give_up_s:
            return False
        if isinstance(error, RateLimited):
            self.refusals += 1
            # The limiter makes all requests wait as long as the provider asked, including this one.
            return 0.0 if self.refusals < self._policy.rate_limit_attempts else False
        self._failures += 1
        if self._failures >= self._policy.attempts:
            return False
        return True if error.retry_after_s is None else error.retry_after_s

    def attempts(self) -> AsyncIterator[stamina.Attempt]:
        """Yields one context manager per attempt."""
        return stamina.retry_context(
            on=self.should_retry, attempts=None, timeout=None, wait_initial=0.5, wait_max=30.0, wait_jitter=0.5
        ).__aiter__()


def substitute_model(model: ModelSpec, asked: str, reply: Reply) -> str:
    """Returns the name of the model that answered if it is not the requested one, which only the reply shows. Returns
    an empty string if it is that model, dated or with a provider prefix, if the reply names no model, and for
    self-hosted servers, whose names mean nothing."""
    if model.self_hosted or not model.api_key_env or not asked or not reply.served_model:
        return ""
    return "" if is_same_model(asked, reply.served_model) else _plain(reply.served_model)


def is_same_model(asked: str, name: str) -> bool:
    """Whether `name` is the requested model, possibly dated or with a provider prefix. A number of one or two digits is
    not a date: `gpt-5.2` is not `gpt-5`, and `claude-sonnet-4-6` is not `claude-sonnet-4`."""
    dated = rf"{re.escape(_plain(asked))}([-@:.](\d{{3}}[\d-]*|\d\d-\d\d(-\d+)?|latest))?"
    return re.fullmatch(dated, _plain(name)) is not None


def _plain(name: str) -> str:
    return name.strip().lower().rpartition("/")[2]
