"""Chooses the error class of a provider's failure: the HTTP status and the structured codes decide, then a few words.

A status has several meanings: 403 is a wrong key or a refused prompt, 429 a limit per minute or per day, and 200 may
hold an error. `MEANINGS` lists the codes and phrases that distinguish them. An error that no row describes has the
meaning of its status. Only what would fail every further request stops the model.
"""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from gwray.agents.clients.waits import wait_from
from gwray.errors import (
    AuthError,
    BadRequest,
    ContentFiltered,
    ModelError,
    ModelNotFound,
    ModelUnavailable,
    QuotaExhausted,
    RateLimited,
    cut,
)

MAX_MESSAGE = 500
"""Characters of a provider's error message that are stored."""
MAX_BODY = 300
"""Characters of a body without a message that are stored."""
LONG_WAIT_S = 900.0
"""A rate limit that lasts longer stops the model."""
MAX_WAIT_S = 600.0
"""Longest wait between two attempts."""

MEANINGS: tuple[tuple[type[ModelError], str, str], ...] = (
    # class, parts of codes, phrases of messages; of equal case, without white space at the ends
    (QuotaExhausted, "insufficient_quota", "insufficient balance"),  # OpenAI, DeepSeek
    (QuotaExhausted, "billing", "credit balance"),  # Anthropic
    (QuotaExhausted, "exceeded_current_quota", ""),  # Moonshot
    (QuotaExhausted, "arrearage", "overdue"),  # Alibaba, Ark
    (QuotaExhausted, "freetieronly", "insufficient credits"),  # Alibaba, OpenRouter
    (QuotaExhausted, "1113", "used all available credits"),  # z.ai, xAI
    (ContentFiltered, "content_filter", "content filter"),  # OpenAI, Azure, Anthropic
    (ContentFiltered, "content_policy", "content policy"),  # OpenAI
    (ContentFiltered, "invalid_prompt", "content management policy"),  # OpenAI, Azure
    (ContentFiltered, "data_inspection", "inappropriate content"),  # Alibaba
    (ContentFiltered, "sensitivecontent", "sensitive content"),  # Ark
    (ContentFiltered, "1301", "high risk"),  # z.ai, Moonshot
    (ContentFiltered, "prohibited_content", "was flagged"),  # Gemini, OpenRouter
    (ContentFiltered, "", "usage guidelines"),  # xAI
    (ModelNotFound, "model_not_found", "model not exist"),  # OpenAI, DeepSeek
    (ModelNotFound, "model_decommissioned", "has been decommissioned"),  # Groq
    (ModelNotFound, "endpointormodel", "no endpoints found"),  # Ark, OpenRouter
    (ModelNotFound, "1211", "not a valid model"),  # z.ai, OpenRouter
    (ModelNotFound, "not_found_error", ""),  # Anthropic
    (AuthError, "api_key", "api key"),  # OpenAI invalid_api_key, Gemini API_KEY_INVALID
    (AuthError, "authentication", "no auth"),
)  # fmt: skip
"""Codes and phrases that say more than a status. Each is searched in lower case, an empty one never."""
_STATUSES: dict[type[ModelError], tuple[int, ...]] = {
    QuotaExhausted: (400, 402, 403, 429),
    ContentFiltered: (400, 403, 404, 422, 451),
    ModelNotFound: (400, 403, 404, 410, 422),
    AuthError: (400, 401, 403),
}
"""Statuses with which a row of `MEANINGS` counts."""
_MARKUP = re.compile(r"<(script|style)\b.{0,20000}?</\1>|<[^<>]{0,2000}>", re.I | re.S)


def error_from_response(
    status: int | None,
    content: Any,
    headers: Mapping[str, str],
    secret: Any,
    *,
    accepted: bool = False,
    inside: bool = False,
) -> ModelError:
    """Returns the error for an HTTP response.

    Args:
        status: the HTTP status; None if there is none.
        content: the body: bytes, text, or parsed.
        headers: of the response.
        secret: removes the key from texts.
        accepted: whether the provider has answered a request with this key before. A 403 then refuses this request
            only, unless its words name the key.
        inside: the error was found inside the body of an HTTP 200, which has no status of its own.
    """
    body = _parsed(content)
    plain = " ".join(words_of(body).split())
    codes = codes_of(body)
    if inside:
        status = _status_inside(codes)
    text = cut(secret.scrub(plain), MAX_MESSAGE)
    described = f"HTTP {status}: {text}" if status else text
    if inside:
        described = f"error {secret.scrub(codes)[:80] or status} inside HTTP 200: {text}"
    wait = wait_from(headers, _delay(body))
    if status in (404, 405) and isinstance(body, str):  # not of an API: a proxy or another server answers
        kind = ModelUnavailable if accepted else ModelNotFound
        described += " (no API at this address: check model.base_url)"
    else:
        kind = _kind(status, codes.lower(), plain[:4000].lower(), wait, accepted)
    if status == 407:
        described += " (the proxy needs a user and a password)"
    if kind is QuotaExhausted and wait:
        described += time.strftime(" (the limit resets at %Y-%m-%d %H:%M UTC)", time.gmtime(time.time() + wait + 59))
    retry_after = min(wait, MAX_WAIT_S) if wait and kind in (RateLimited, ModelUnavailable) else None
    return kind(described, status=status, retry_after_s=retry_after)


def _kind(status: int | None, codes: str, words: str, wait: float | None, accepted: bool) -> type[ModelError]:
    """Returns the class of an error, from its status, codes and words in lower case."""
    if status is not None and status >= 500:
        return ModelUnavailable
    by_code = (kind for kind, code, _ in MEANINGS if code and code in codes and status in _STATUSES[kind])
    by_words = (kind for kind, _, phrase in MEANINGS if phrase and phrase in words and status in _STATUSES[kind])
    if meant := next(by_code, None) or next(by_words, None):
        return meant
    if status == 404 and "model" in words and ("not found" in words or "not exist" in words):
        return ModelNotFound
    if status == 429:
        daily = "perday" in codes or (wait is None and ("per day" in words or "per-day" in words or "daily" in words))
        return QuotaExhausted if daily or (wait or 0) > LONG_WAIT_S else RateLimited
    if status in (401, 407) or (status == 403 and not accepted):
        return AuthError
    if status in (None, 408, 409, 425):
        return ModelUnavailable
    return {402: QuotaExhausted, 451: ContentFiltered}.get(status, BadRequest)


def _status_inside(codes: str) -> int:
    """Returns the status of an error inside HTTP 200: a number among its codes, 400 for a known one, else 500."""
    if number := re.search(r"\b[45]\d\d\b", codes):
        return int(number[0])
    plain = codes.lower()
    if any(code in plain for code in ("rate_limit", "resource_exhausted", "1302", "1305")):  # the last two of z.ai
        return 429
    return 400 if any(code and code in plain for code in ("invalid", *(m[1] for m in MEANINGS))) else 500


def error_in_body(secret: Any, *holders: Any, accepted: bool = False, bare: bool = False) -> ModelError | None:
    """Returns the first error in parts of an HTTP 200: a field `error` that has a value; in a `bare` response, without
    a reply, also a code or message alone. None if there is none. `accepted`: see `error_from_response`."""
    for holder in holders:
        error = holder.get("error") if isinstance(holder, Mapping) else None
        reported = error and (isinstance(error, str) or (isinstance(error, Mapping) and any(error.values())))
        if reported or (bare and any(holder.get(n) for n in ("code", "message", "msg", "detail", "errors"))):
            return error_from_response(None, holder, {}, secret, accepted=accepted, inside=True)
    return None


def _parsed(content: Any) -> Any:
    """Returns parsed JSON, or the content itself if it is not JSON."""
    if isinstance(content, bytes):
        content = content[:100_000].decode("utf-8", "replace")
    if not isinstance(content, str):
        return content
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content


def words_of(body: Any) -> str:
    """Returns the message of an error's body with the details around it, or the start of the body."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    error = body.get("error") if isinstance(body, Mapping) else None
    for holder in (error, body):
        message = holder.get("message") if isinstance(holder, Mapping) else None
        if isinstance(holder, Mapping) and isinstance(message, str) and message.strip():
            return f"{message} {_start(holder['metadata'])}" if holder.get("metadata") else message  # OpenRouter
    return error if isinstance(error, str) and error.strip() else _start(body)


def _start(body: Any) -> str:
    """Returns the first characters of a body, without markup."""
    if not isinstance(body, str):
        try:
            body = json.dumps(body, ensure_ascii=False)
        except (ValueError, TypeError, RecursionError):
            body = str(type(body))
    elif "<" in body:
        body = html.unescape(_MARKUP.sub(" ", body[:50_000]))
    return cut(" ".join(body.split()), MAX_BODY) if body.strip() else "(an empty body)"


def codes_of(body: Any) -> str:
    """Returns code, type and status of a body and its `error`, and Gemini's reasons and quotas, for `MEANINGS`."""
    error = body.get("error") if isinstance(body, Mapping) else None
    found = [h.get(k) for h in (error, body) if isinstance(h, Mapping) for k in ("code", "type", "status")]
    for detail in _details(error):
        violations = detail.get("violations")
        quotas = violations if isinstance(violations, list) else []
        found += [detail.get("reason"), *(v.get("quotaId") for v in quotas if isinstance(v, Mapping))]
    return " ".join(str(c) for c in found if isinstance(c, str | int) and not isinstance(c, bool))


def _details(error: Any) -> list[Mapping[str, Any]]:
    details = error.get("details") if isinstance(error, Mapping) else None
    return [d for d in details if isinstance(d, Mapping)] if isinstance(details, list) else []


def _delay(body: Any) -> str:
    """Returns Gemini's `retryDelay`; empty if there is none."""
    error = body.get("error") if isinstance(body, Mapping) else None
    return next((str(d["retryDelay"]) for d in _details(error) if "retryDelay" in d), "")


def connection_problem(error: BaseException) -> str:
    """Returns what broke a connection: the cause at the end of the chain of exceptions, with its class."""
    chain = [error]
    while (inner := chain[-1].__cause__ or chain[-1].__context__) and inner not in chain:
        chain.append(inner)
    return cut(" ".join(f"{type(chain[-1]).__name__}: {chain[-1]}".split()), 200).removesuffix(": ")
