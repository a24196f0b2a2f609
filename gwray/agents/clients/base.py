"""What every provider client shares: the key and its protection, bounds on what is kept, and who is to blame.

A client sends one request once. It never retries (`retry`), never waits for its turn (`limits`) and knows no prices
(`cost`). Whatever goes wrong leaves it as one of the `ModelError` classes, with a message free of the key.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

from gwray.agents.messages import Request
from gwray.errors import (
    AuthError,
    BadRequest,
    ContentFiltered,
    MalformedResponse,
    ModelError,
    ModelUnavailable,
    QuotaExhausted,
    RateLimited,
    UsageError,
    cut,
)
from gwray.records import Reply, ToolCall, storable
from gwray.redaction import names_user, spellings
from gwray.spec import ModelSpec

MAX_KEPT = 64_000
"""Characters of text, and of reasoning, that are kept of one reply; the rest is cut off, and parsed by nobody."""
MAX_DEPTH = 100
"""Objects and lists within each other that are kept of a call's arguments: who reads the log stands deeper in Python's
own stack than who writes it."""
MAX_MESSAGE = 500
"""Characters of a provider's error message that are kept."""


class Client(Protocol):
    """One provider's wire, over its official SDK."""

    async def send(self, request: Request) -> Reply:
        """Send once. The latency is that of the request alone; `requests` and `cost_usd` are the caller's."""
        ...

    async def list_models(self) -> list[str]:
        """The names of the models that the provider has now. Raises `ModelError`."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Secret:
    """A key that does not print itself, and removes itself from texts."""

    value: str

    @classmethod
    def from_env(cls, spec: ModelSpec) -> Secret:
        """The key that the profile's environment variable holds."""
        if spec.api_key_env is None:
            return cls("")
        value = os.environ.get(spec.api_key_env, "").strip()
        if not value:
            raise AuthError(
                f"{spec.name} needs a key: the environment variable {spec.api_key_env} is not set "
                f"(export {spec.api_key_env}=…, or choose a model without a key such as model=random)"
            )
        return cls(value)

    def __repr__(self) -> str:
        return "Secret(…)"

    def scrub(self, text: str) -> str:
        """The text without the key, in whatever spelling."""
        forms = spellings(self.value) if len(self.value) >= 4 else ()
        for form in sorted(forms, key=len, reverse=True):
            text = text.replace(form, "***")
        return text


def endpoint(spec: ModelSpec, default: str | None) -> str | None:
    """The profile's endpoint, or the provider's own; a self-hosted model has no default. `UsageError` for an address
    with a user or password."""
    if spec.base_url and names_user(spec.base_url):
        raise UsageError(
            f"model.base_url of {spec.name} has a user or password before its host. Write the address without, and put "
            "the key into an environment variable that model.api_key_env names"
        )
    if spec.base_url:
        return spec.base_url
    if spec.self_hosted:
        raise UsageError(
            f"{spec.name} is self-hosted and has no endpoint: host it (`gwray serve {spec.name}`), "
            f"or name a server with model.base_url=http://host:port/v1"
        )
    return default


class BaseClient(ABC):
    """The steps that are the same with every SDK: write the body, send it once, blame somebody, read the answer."""

    def __init__(self, spec: ModelSpec):
        self._secret = Secret.from_env(spec)

    async def send(self, request: Request) -> Reply:
        body = await asyncio.to_thread(self._body, request)  # resizing and encoding pictures takes a while
        started = time.perf_counter()
        try:
            answer = await self._post(body, request)
        except Exception as e:
            # Not chained: the original holds the request with its headers.
            raise self._translate(e) from None
        return self._reply(answer, since(started))

    async def list_models(self) -> list[str]:
        try:
            return await self._list()
        except Exception as e:
            raise self._translate(e) from None

    @abstractmethod
    async def _list(self) -> list[str]:
        """Names of models. Raises whatever the SDK raises."""

    @abstractmethod
    def _body(self, request: Request) -> Any:
        """The request as the SDK takes it."""

    @abstractmethod
    async def _post(self, body: Any, request: Request) -> Any:
        """Send it. Raises whatever the SDK raises."""

    @abstractmethod
    def _translate(self, error: Exception) -> ModelError:
        """Whom to blame for what the SDK raised."""

    @abstractmethod
    def _reply(self, answer: Any, latency_ms: float) -> Reply:
        """Read what `_post` returned. Raises `ModelError`."""

    @abstractmethod
    async def close(self) -> None: ...


def connection(spec: ModelSpec, secret: Secret, default: str) -> dict[str, Any]:
    """How an HTTP SDK is set up: the profile's endpoint, key, time limit and headers, and no retries of its own."""
    return {
        "api_key": secret.value or "none",
        "base_url": endpoint(spec, default),
        "max_retries": 0,
        "timeout": spec.timeout_s,
        "default_headers": spec.options.get("headers"),
    }


def session_header(request: Request) -> dict[str, str]:
    """Keeps an episode on one replica, where its history is cached."""
    return {"x-session-id": request.session}


_NO_CREDIT = (
    "insufficient_quota",  # OpenAI
    "billing_error",  # Anthropic
    "credit balance",
    "perday",  # Gemini's daily quotas; its message speaks of billing at every ordinary 429, too
    "exceeded_current_quota",  # Moonshot
    "arrearage",  # Alibaba
    "insufficient balance",
)
"""Words by which providers say that waiting will not help."""


def blame(
    status: int | None, message: str, secret: Secret, *, code: str = "", retry_after: str | None = None
) -> ModelError:
    """The error class of an HTTP status and a provider's own code."""
    text = cut(secret.scrub(" ".join(message.split())), MAX_MESSAGE)
    told = f"HTTP {status}: {text}" if status else text
    words = f"{code} {text}".lower()
    if status == 402 or any(w in words for w in _NO_CREDIT):
        return QuotaExhausted(told, status=status)
    if status in (401, 403):
        return AuthError(told, status=status)
    if status == 429:
        return RateLimited(told, status=status, retry_after_s=_seconds(retry_after))
    if status in (408, 409, 425) or (status is not None and status >= 500) or status is None:
        return ModelUnavailable(told, status=status, retry_after_s=_seconds(retry_after))
    if any(w in words for w in ("content_filter", "content_policy", "content management policy", "safety")):
        return ContentFiltered(told, status=status)
    if status == 400 and ("api_key_invalid" in words or "api key not valid" in words):
        return AuthError(told, status=status)
    return BadRequest(told, status=status)


def _seconds(retry_after: str | None) -> float | None:
    """Seconds or a date, as HTTP has it; None for anything else: the shared back-off serves as well."""
    if retry_after is None:
        return None
    try:
        found = float(retry_after)
    except ValueError:
        try:
            found = (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):  # no date, or one without a zone
            return None
    return min(max(found, 0.0), 600.0) if found == found else None


def kept(text: Any, secret: Secret) -> str:
    """A reply's text as it is stored: bounded, encodable, without the key."""
    if not isinstance(text, str):
        return ""
    return storable(secret.scrub(text)[:MAX_KEPT])


def tool_call(name: Any, arguments: Any, secret: Secret) -> ToolCall:
    """A tool call as it is stored; arguments beyond the bound are kept as cut-off text, and without what is nested
    too deep."""
    if isinstance(arguments, Mapping):
        arguments = _pruned(dict(arguments), MAX_DEPTH)
        text = json.dumps(arguments, ensure_ascii=False, default=str)
        # What JSON cannot carry (NaN, lone surrogates) is kept as text: a reply must read the same from the log.
        plain = kept(text, secret) == text and not any(word in text for word in ("NaN", "Infinity"))
        if plain:
            return ToolCall(name=kept(name, secret)[:200], arguments=json.loads(text))
        arguments = text
    return ToolCall(name=kept(name, secret)[:200], arguments=kept(arguments, secret))


def _pruned(value: Any, levels: int) -> Any:
    """The value with "…" in place of objects and lists below so many others."""
    if not isinstance(value, dict | list):
        return value
    if not levels:
        return "…"
    if isinstance(value, dict):
        return {name: _pruned(inner, levels - 1) for name, inner in value.items()}
    return [_pruned(inner, levels - 1) for inner in value]


def parsed(content: bytes | str, secret: Secret) -> dict[str, Any]:
    """A response body, which must be a JSON object."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        start = content[:10_000] if isinstance(content, str) else content[:10_000].decode("utf-8", "replace")
        raise MalformedResponse(f"the response is not a JSON object; it begins with {secret.scrub(start)[:80]!r}")
    return body


def child(value: Any, *path: str | int) -> Any:
    """`value[path…]`, or None where the shape is another."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and len(value) > step else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def count(value: Any, *path: str | int) -> int:
    """A token count at a path; 0 where there is none."""
    found = child(value, *path)
    return int(found) if isinstance(found, int | float) and found == found and 0 <= found < 1e12 else 0


def since(started: float) -> float:
    """Milliseconds since a `perf_counter` reading."""
    return (time.perf_counter() - started) * 1000


def text_of(value: Any) -> str:
    """A string, or nothing."""
    return value if isinstance(value, str) else ""
