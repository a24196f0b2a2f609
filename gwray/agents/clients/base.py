"""The contract of a provider client, and what the built-in clients share: keys, size limits, error classes.

A client sends one request once. Retries, rate limits and prices belong to `gwray.agents.model_caller`. Every failure
leaves a client as a `ModelError` whose message is free of the key.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from gwray.agents.calls import MAX_CALLS
from gwray.agents.clients.bounded import bound_passed
from gwray.agents.clients.failures import MAX_BODY, MAX_MESSAGE, connection_problem, error_from_response, error_in_body
from gwray.agents.finish_reasons import finish_kind
from gwray.agents.messages import Request
from gwray.errors import AuthError, ContentFiltered, MalformedResponse, ModelError, ModelUnavailable, UsageError, cut
from gwray.records import Reply, ToolCall, Usage, hide, names_user, storable
from gwray.settings import ModelSpec, Sampling

MAX_TEXT = 64_000
"""Characters of text, and of reasoning, that are stored of one reply; the rest is dropped before parsing."""
_ERROR_TEXT = re.compile(
    r"""\s*(<!doctype\b|<html\b|\{\s*"(error|detail|code)"|(internal server |upstream )?error\b|(bad|504|502) gateway
    |(the\ )?(server|service|model|upstream)\ (is|was)\ (currently\ |temporarily\ )?(overloaded|unavailable|busy)
    |(service|temporarily)\ unavailable|too\ many\ requests|upstream\ )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Beginnings of messages that servers and proxies send in place of a reply, without output tokens."""
MAX_DEPTH = 100
"""Nesting levels that are stored of a call's arguments. Readers of the log may have less stack left than its writer."""


class Client(Protocol):
    """Sends requests to one provider. Created as `Class(spec)` with the `ModelSpec` of a profile.

    Your own client is a class in one file, chosen in a model profile with `provider: my_client.MyClient`, or a name in
    the entry-point group `gwray.clients` of an installed package. Derive it from `BaseClient` to share the handling of
    keys and errors. Raise a `gwray.errors.ModelError` for each failure of the provider: any other exception is a bug of
    the client and fails the episode without a retry. Neither a replay nor `gwray verify` creates a client.

    Example:

        import httpx
        from gwray.errors import ModelUnavailable
        from gwray.records import Reply

        class Echo:
            def __init__(self, spec):
                self.url = spec.base_url

            async def send(self, request):
                async with httpx.AsyncClient(timeout=60) as http:
                    try:
                        response = await http.post(self.url, json={"system": request.system})
                    except httpx.HTTPError as e:
                        raise ModelUnavailable(f"no connection: {e}") from None
                return Reply(text=response.json()["text"], latency_ms=response.elapsed.total_seconds() * 1000)

            async def close(self):
                pass
    """

    async def send(self, request: Request) -> Reply:
        """Sends a request once.

        Args:
            request: static text (`system`), `turns` of text and images, tools and sampling. Resize each image to its
                `size` before sending it (`gwray.agents.coordinates.resized`).

        Returns:
            The reply: text, reasoning, tool calls, finish reason, token usage, the model that answered, and the latency
            of this request in ms. The caller adds `requests` and `cost_usd`.

        Raises:
            ModelError: the subclass says whether a retry can succeed (`RateLimited`, `ModelUnavailable`), or must not
                be tried (`AuthError`, `QuotaExhausted`, `BadRequest`, `ContentFiltered`).
        """
        ...

    async def close(self) -> None:
        """Closes the connections."""
        ...


@dataclass(frozen=True)
class Secret:
    """An API key that is never printed and can be removed from texts."""

    value: str

    @classmethod
    def from_env(cls, spec: ModelSpec) -> Secret:
        """Returns the key from the profile's environment variable. Raises `AuthError` if it is not set."""
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
        """Returns the text with the key replaced, in plain text, URL-encoded or base64."""
        return hide(text, [self.value], "***") if len(self.value) >= 4 else text


def endpoint(spec: ModelSpec, default: str | None) -> str | None:
    """Returns the profile's endpoint, or the provider's default.

    Raises `UsageError` for a URL with a user or password, and for a self-hosted model without an endpoint.
    """
    if spec.base_url and names_user(spec.base_url):
        raise UsageError(
            f"model.base_url of {spec.name} has a user or password before its host. Remove it, and put the key into an "
            "environment variable that model.api_key_env names"
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
    """Base class of clients over an SDK: build the body, send it once, translate errors, read the response.

    Subclasses implement `_body(request)`, `_post(body, request)` (send it), `_reply(answer, latency_ms)` (read what
    `_post` returned), `_translate(error)` (a `ModelError` for an error of the SDK) and `close()`.

    Args:
        spec: the model profile.

    Raises:
        AuthError: the environment variable with the key is not set.
    """

    def __init__(self, spec: ModelSpec):
        self._secret = Secret.from_env(spec)
        self._accepted = False
        """Whether the provider has answered a request, so that the key is right."""

    async def send(self, request: Request) -> Reply:
        body = await asyncio.to_thread(self._body, request)  # resizing and encoding images is slow
        started = time.perf_counter()
        try:
            answer = await self._post(body, request)
        except Exception as e:
            # Not chained: the original holds the request with its headers.
            raise bound_passed(e) or self._translate(e) from None
        reply = self._reply(answer, (time.perf_counter() - started) * 1000)
        self._accepted = True
        return reply

    @abstractmethod
    def _body(self, request: Request) -> Any:
        """Returns the request in the form of the SDK."""

    @abstractmethod
    async def _post(self, body: Any, request: Request) -> Any:
        """Sends the body. Raises the errors of the SDK."""

    @abstractmethod
    def _translate(self, error: Exception) -> ModelError:
        """Returns the error class for an error of the SDK."""

    @abstractmethod
    def _reply(self, answer: Any, latency_ms: float) -> Reply:
        """Reads the result of `_post`. Raises `ModelError`."""

    @abstractmethod
    async def close(self) -> None: ...

    def _raise_errors(self, *holders: Any) -> None:
        """Raises the error that a part of a response reports in its field `error`."""
        if error := error_in_body(self._secret, *holders, accepted=self._accepted):
            raise error

    def _no_reply(self, body: dict[str, Any], missing: str) -> ModelError:
        """Returns the error for a response without a reply."""
        error = error_in_body(self._secret, body, accepted=self._accepted, bare=True)
        start = self._secret.scrub(json.dumps(body, ensure_ascii=False)[:2000])
        return error or MalformedResponse(f"the response has no {missing}: {cut(start, MAX_BODY)}")

    def _make_reply(
        self,
        latency_ms: float,
        *,
        text: Any,
        reasoning: Any,
        calls: list[ToolCall],
        finish: Any,
        usage: Usage,
        model: Any,
        message: Any = "",
    ) -> Reply:
        """Returns a reply with all texts limited and free of the key.

        Raises:
            ModelError: the finish reason says that the service failed or filtered the reply, or the reply is empty
                and nothing shows that the model wrote it. `message`: what the provider says about it.
        """
        if not usage.input or ((text or calls) and not usage.output):
            usage = usage.model_copy(update={"known": False})
        reply = Reply(
            latency_ms=latency_ms,
            text=stored_text(text, self._secret),
            reasoning=stored_text(reasoning, self._secret),
            tool_calls=tuple(calls[:MAX_CALLS]),
            finish_reason=stored_text(finish, self._secret)[:40],
            usage=usage,
            served_model=stored_text(model, self._secret)[:200],
        )
        kind, empty = finish_kind(reply.finish_reason), not reply.text.strip() and not reply.tool_calls
        why = f"finish reason {reply.finish_reason}"
        if words := cut(stored_text(message, self._secret), MAX_BODY):
            why += f": {words}"
        if kind in ("failed", "refused", "filtered"):
            if kind == "filtered":  # a part of a reply is none: what the model wrote is gone
                raise ContentFiltered(f"the provider's content filter removed the reply ({why})")
            # A refused generation is no outage: other requests are answered.
            raise ModelUnavailable(f"the generation failed ({why})", status=200 if kind == "refused" else None)
        if not reply.tool_calls and not usage.output and _ERROR_TEXT.match(reply.text):
            raise ModelUnavailable(f"the reply is the text of an error: {cut(reply.text, MAX_BODY)}")
        # A server that counts input and no output has not generated anything, whatever it sends as reasoning.
        thought = reply.reasoning.strip() and (usage.reasoning or not usage.input)
        if empty and (kind == "unknown" or not (usage.output or thought or kind == "models_fault")):
            raise MalformedResponse(f"the reply is empty, and nothing shows that the model wrote it ({why})")
        return reply


def sampling_fields(sampling: Sampling) -> dict[str, Any]:
    """Returns temperature and top_p where the profile sets them: newer models refuse one or both."""
    fields = {"temperature": sampling.temperature, "top_p": sampling.top_p}
    return {name: value for name, value in fields.items() if value is not None}


def sdk_error(sdk: Any, error: Exception, secret: Secret, *, accepted: bool = False) -> ModelError:
    """Returns the error class for an error of the `openai` or `anthropic` SDK, which name their errors alike."""
    match error:
        case sdk.APITimeoutError():
            return ModelUnavailable("the request timed out")
        case sdk.APIConnectionError():
            return connection_error(error, secret)
        case sdk.APIStatusError():
            answer = error.response
            return error_from_response(error.status_code, answer.content, answer.headers, secret, accepted=accepted)
        case sdk.APIError():
            return MalformedResponse(cut(secret.scrub(str(error)), MAX_MESSAGE))
        case _:
            return connection_error(error, secret)


def connection_error(error: Exception, secret: Secret) -> ModelError:
    """Returns the error for a connection that broke."""
    return ModelUnavailable(f"no connection: {cut(secret.scrub(connection_problem(error)), MAX_MESSAGE)}")


def connection(spec: ModelSpec, secret: Secret, default: str) -> dict[str, Any]:
    """Returns the arguments of an HTTP SDK: the profile's endpoint, key and headers, without retries and time limit."""
    return {
        "api_key": secret.value or "none",
        "base_url": endpoint(spec, default),
        "max_retries": 0,
        "timeout": None,  # `ModelCaller` limits the time
        "default_headers": spec.options.get("headers"),
    }


def session_header(request: Request) -> dict[str, str]:
    """Returns the header that keeps an episode on one replica, where its history is cached."""
    return {"x-session-id": request.session}


def stored_text(text: Any, secret: Secret) -> str:
    """Returns text of a reply for storing: limited, encodable, without the key; empty if it is not a string."""
    if not isinstance(text, str):
        return ""
    return storable(secret.scrub(text[: 2 * MAX_TEXT])[:MAX_TEXT])


def tool_call(name: Any, arguments: Any, secret: Secret) -> ToolCall:
    """Returns a tool call for storing. Arguments beyond `MAX_TEXT` become text that is cut off; values below
    `MAX_DEPTH` are replaced."""
    if isinstance(arguments, Mapping):
        arguments = _pruned(dict(arguments), MAX_DEPTH)
        text = json.dumps(arguments, ensure_ascii=False, default=str)
        # Values that JSON cannot hold (NaN, lone surrogates) are stored as text: the log must give the same reply.
        plain = stored_text(text, secret) == text and "NaN" not in text and "Infinity" not in text
        if plain:
            return ToolCall(name=stored_text(name, secret)[:200], arguments=json.loads(text))
        arguments = text
    return ToolCall(name=stored_text(name, secret)[:200], arguments=stored_text(arguments, secret))


def _pruned(value: Any, levels: int) -> Any:
    """Replaces objects and lists below that many levels with "…"."""
    if not isinstance(value, dict | list):
        return value
    if not levels:
        return "…"
    if isinstance(value, dict):
        return {name: _pruned(inner, levels - 1) for name, inner in value.items()}
    return [_pruned(inner, levels - 1) for inner in value]


def parse_object(content: bytes | str, secret: Secret) -> dict[str, Any]:
    """Returns the JSON object of a response body. Raises `MalformedResponse`, which quotes the start of the body
    without `secret`, if it is not one."""
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        start = secret.scrub(
            content[:10_000] if isinstance(content, str) else content[:10_000].decode("utf-8", "replace")
        )
        raise MalformedResponse(f"the response is not a JSON object; it begins with {start[:MAX_BODY]!r}")
    return body


def child(value: Any, *path: str | int) -> Any:
    """Returns `value[path…]`, or None if a part of the path does not exist."""
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and len(value) > step else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def count(value: Any, *path: str | int) -> int:
    """Returns the token count at a path; 0 if there is none."""
    found = child(value, *path)
    return int(found) if isinstance(found, int | float) and found == found and 0 <= found < 1e12 else 0


def as_text(value: Any) -> str:
    """Returns a string unchanged, anything else as an empty string."""
    return value if isinstance(value, str) else ""
