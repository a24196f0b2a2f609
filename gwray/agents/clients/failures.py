"""Chooses the error class of a provider's failure from everything that the provider says, and keeps its words.

A status has several meanings: 403 is a wrong key or a refused prompt, 429 a limit per minute or per day, 200 may hold
an error. So words come first, then the status. Only what would fail every further request stops the model.
"""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

from gwray.agents.clients.waits import LONGEST_S, fields_of, wait_from
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
REDIRECT_LOOP = "the address redirects in a loop"
LONG_WAIT_S = 900.0
"""A rate limit that lasts longer stops the model."""
MAX_WAIT_S = 600.0
"""Longest wait between two attempts."""


def _any(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_NO_CREDIT = _any(
    r"insufficient[_ ](?:quota|balance|credits?|funds)",  # OpenAI, Moonshot, z.ai
    r"billing_error|billing[_ ]hard[_ ]limit",
    r"credit balance|(?:out of|not enough|no|any|all available|remaining) credits",  # Anthropic, OpenRouter, xAI
    r"exceeded_current_quota",  # Moonshot
    r"arrearage|account.?overdue|overdue balance",  # Alibaba, Ark
    r"freetieronly|free tier of the model has been exhausted",  # Alibaba
    r"spending limit|key limit exceeded|(?:specified|your) api usage limits",
)
"""Words in errors of providers for which waiting does not help."""
_PER_DAY = _any(
    r"per[-_ ]?(?:day|week|month)\b|perday|perweek|permonth",  # Gemini's quotas are named GenerateRequestsPerDay…
    r"\bdaily\b|(?:daily|weekly|monthly|\d[- ]hour)[-_ ]?(?:limit|quota|request|token|cap\b|allowance|usage)",
    r"\([RT]PD\)|\b[RT]PD\b|/ ?day\b",
    "每日|每天|当日|每周|每月",
)
_PER_MINUTE = _any(r"per[-_ ]?(?:min|sec)|\([RT]PM\)|\b[RT]PM\b")
_FILTERED = _any(
    r"content[-_ ]?(?:filter|polic|moderation|management|violat|restrict|safety|risk)",  # OpenAI, Azure, Moonshot
    r"data[-_ ]?inspection|inappropriate (?:content|input|image)",  # Alibaba
    r"sensitive[-_ ]?(?:content|information|words?|topics?|data)|risky? content",  # Ark, z.ai
    r"usage (?:guidelines|polic)|polic(?:y|ies)[-_ ]violat|violat\w* (?:\S+ ){0,4}polic",
    r"safety[-_ ](?:check|system|filter|polic|guideline|violat|block)|responsible.?ai|model armor",
    r"moderation|flagged|(?:considered|deemed) (?:to be )?high[- ]risk|unsafe (?:content|or)|harmful content",
    r"prohibited[-_ ]content|(?:prompt|input|output|request|response|image)\w* (?:was|were|is|has been) "
    r"(?:blocked|filtered)",
    r"nsfw|guardrail|censor|内容安全|敏感",
)
"""Words in errors of providers that refuse one prompt, or one reply."""
_ABOUT_PARAMETER = _any(
    r"(?:unknown|unrecognized|unexpected|unsupported|invalid|extra) (?:name|parameter|argument|field|keyword|input|"
    r"request argument)|(?:parameter|field|argument|option)\S* (?:\S+ )?(?:is|are) not (?:supported|permitted|allowed|"
    r"known)|(?:field|parameter|argument|inputs?)s? (?:are |is )?not (?:permitted|allowed|supported)|unknown field|"
    r"not permitted|unsupported_parameter|unknown_parameter"
)
"""The refusal of a field such as `safety_identifier` is not a content filter."""
_KEY = _any(
    r"(?:invalid|incorrect|wrong|missing|expired|revoked|no|bad|valid)[-_ ](?:authentication|auth|api)[-_ ]?"
    r"(?:key|token|credential)?",
    r"api[-_ ]?key\S* (?:is|was|has|not|does|provided|you)|api_key_invalid|unauthenticated|authentication|unauthorized",
    r"credentials?\b|access token|(?:token|key) (?:is |has |was )?(?:\w+ )?(?:invalid|expired|revoked|disabled)",
    r"permission_error",
)
_KEY_IN_400 = _any(r"api_key_invalid|api key not valid|(?:invalid|incorrect)[_ ]api[_ ]?key")
_MISSING_MODEL = (
    r"not[-_ ]found|(?:does|do)(?: not|n't) exist|not exist\b|is unknown|is not (?:a valid model|available|found)|"
    r"decommissioned|(?:been|is) (?:deprecated|retired|shut down|removed|discontinued)|no longer available"
)
_NO_MODEL = _any(
    r"model[-_ ]?(?:not[-_ ]?(?:found|exist)|decommissioned|deprecated)|unknown[-_ ]model|no such model",
    rf"\bmodels?\b(?:[^.!?]|\.(?=\S)){{0,100}}?(?:{_MISSING_MODEL})",
    r"not_found\S* .{0,20}\bmodel: |invalid model(?: name|_name| id|_id|:)|not a valid model|no endpoints found",
    r"(?:could not|cannot|can't) find[^.]{0,30}? models?\b|invalidendpointormodel",
)
_NO_API = _any(r"not found|404|405|not allowed|https port|cannot (?:get|post)")
"""Words of a server that has its API at another address, or none."""
_CODES: dict[str, type[ModelError]] = {
    # z.ai
    "1301": ContentFiltered,
    "1113": QuotaExhausted,
    "1304": QuotaExhausted,
    "1308": QuotaExhausted,
    "1309": QuotaExhausted,
    "1310": QuotaExhausted,
    "1211": ModelNotFound,
    # OpenAI
    "invalid_prompt": ContentFiltered,
}
"""Codes of providers whose words may not say it."""
_STATUS_WORDS: dict[int, re.Pattern[str]] = {
    429: _any(r"rate.?limit|too.?many|throttl|resource_exhausted|^130[235]\b|quota"),
    503: _any(r"overloaded|unavailable|server.?error|internal|time.?out|network|upstream|^1234\b|busy"),
    401: _any(r"authentication|unauthenticated|unauthorized|api.?key|^100[0-4]\b"),
    403: _any(r"permission|forbidden|access.?denied"),
    404: _any(r"not.?found"),
    402: _any(r"billing|payment"),
    400: _any(r"invalid|bad.?request|unsupported|too.?(?:long|large)|exceeds"),
}


def error_from_status(
    status: int | None,
    message: str,
    secret: Any,
    *,
    code: str = "",
    retry_after: str | None = None,
    fields: Iterable[tuple[str, Any]] = (),
    accepted: bool = False,
    inside: bool = False,
    page: bool = False,
) -> ModelError:
    """Returns the error for an HTTP status and the words of the provider.

    Args:
        status: the HTTP status; None if there is none.
        message: the provider's words.
        secret: removes the key from texts.
        code: the provider's own codes.
        retry_after: the header of this name.
        fields: headers and fields of the body, which may say how long to wait.
        accepted: whether the provider has answered a request with this key before. Then a 403 whose words do not name
            the key refuses this request only.
        inside: the status was found inside the body of an HTTP 200.
        page: the body is a web page, which no API sends: a proxy, a firewall, a sign-in page or another server answers.
    """
    plain = " ".join(message.split())
    text = cut(secret.scrub(plain), MAX_MESSAGE)
    described = f"HTTP {status}: {text}" if status else text
    if inside:
        described = f"error {secret.scrub(code)[:80] or status} inside HTTP 200: {text}"
    if page:
        described = f"HTTP {status}: a web page answers instead of the API: {text}"
    words = f"{code} {plain[:4000]}"
    known = next((_CODES[c] for c in code.split() if c in _CODES), None)
    wait = wait_from([*fields, *([("retry-after", retry_after)] if retry_after is not None else [])], plain[:4000])
    limited = status == 429
    if page and status in (400, 404, 405) and not accepted and _NO_API.search(plain):
        return ModelNotFound(f"{described} (no API at this address: check model.base_url)", status=status)
    if status == 407:
        return AuthError(f"{described} (the proxy needs a user and a password)", status=status)
    if page and status in (401, 403, 404, 405, 410):
        return ModelUnavailable(described, status=status)
    if status == 402 or known is QuotaExhausted or _NO_CREDIT.search(words) or (limited and _lasts(code, words, wait)):
        return QuotaExhausted(described + _reset(wait), status=status)
    if status == 401:
        return AuthError(described, status=status)
    if limited:
        return RateLimited(described, status=status, retry_after_s=None if wait is None else min(wait, MAX_WAIT_S))
    if known is ContentFiltered or ((status is None or status < 500) and _is_filter(code, words)):
        return ContentFiltered(described, status=status)
    if status in (400, 403, 404, 410, 422) and (known is ModelNotFound or _NO_MODEL.search(words)):
        return ModelNotFound(described, status=status)
    if status == 403:
        wrong_key = not accepted or _KEY.search(words)
        return (AuthError if wrong_key else BadRequest)(described, status=status)
    if status in (408, 409, 425) or status is None or status >= 500:
        return ModelUnavailable(described, status=status, retry_after_s=None if wait is None else min(wait, MAX_WAIT_S))
    if status == 451:
        return ContentFiltered(described, status=status)
    if status == 400 and _KEY_IN_400.search(words):
        return AuthError(described, status=status)
    return BadRequest(described, status=status)


def _lasts(code: str, words: str, wait: float | None) -> bool:
    """Whether a rate limit will not lift soon."""
    if wait is not None and LONG_WAIT_S < wait <= LONGEST_S:
        return True
    return bool(_PER_DAY.search(code) or (_PER_DAY.search(words) and not _PER_MINUTE.search(words)))


def _reset(wait: float | None) -> str:
    if not wait or wait > LONGEST_S:
        return ""
    return time.strftime(" (the limit resets at %Y-%m-%d %H:%M UTC)", time.gmtime(time.time() + wait + 59))


def _is_filter(code: str, words: str) -> bool:
    return bool(_FILTERED.search(code) or (_FILTERED.search(words) and not _ABOUT_PARAMETER.search(words)))


def error_from_response(
    status: int,
    content: Any,
    headers: Mapping[str, str],
    secret: Any,
    *,
    accepted: bool = False,
    message: str = "",
    code: str = "",
) -> ModelError:
    """Returns the error for an HTTP response.

    Args:
        content: the body: bytes, text, or parsed.
        message: shown instead of the body's own words.
        code: added to the body's own codes.
    """
    body = _parsed(content)
    return error_from_status(
        status,
        message or words_of(body),
        secret,
        code=f"{code} {codes_of(body)}".strip(),
        page=isinstance(body, str) and bool(_PAGE.match(body)),
        fields=[*fields_of(body), *headers.items()],
        accepted=accepted,
    )


def error_in_body(secret: Any, *holders: Any, accepted: bool = False) -> ModelError | None:
    """Returns the error that a part of an HTTP 200 reports in its field `error`; None if there is none."""
    for holder in holders:
        error = holder.get("error") if isinstance(holder, Mapping) else None
        if error and (isinstance(error, str) or (isinstance(error, Mapping) and any(error.values()))):
            return _error_inside(holder, secret, accepted)
    return None


_SAYS_ERROR = ("code", "status_code", "message", "msg", "detail", "error_msg", "errors", "base_resp")


def error_instead(secret: Any, body: Mapping[str, Any], *, accepted: bool = False) -> ModelError | None:
    """Returns the error of an HTTP 200 that holds no reply but an error's code or message; None if it has neither."""
    error = error_in_body(secret, body, accepted=accepted)
    if error is None and any(body.get(name) for name in _SAYS_ERROR):
        return _error_inside(body, secret, accepted)
    return error


def _error_inside(holder: Mapping[str, Any], secret: Any, accepted: bool) -> ModelError:
    """Returns the error of an HTTP 200 whose field `error` is `holder`."""
    codes = codes_of(holder)
    status = next((int(c) for c in codes.split() if re.fullmatch(r"[45]\d\d", c)), None)
    message = words_of(holder)
    if status is None:
        meant = (s for text in (codes, message) for s, words in _STATUS_WORDS.items() if words.search(text))
        status = 400 if _is_filter(codes, f"{codes} {message}") else next(meant, 500)
    return error_from_status(
        status, message, secret, code=codes, fields=fields_of(holder), accepted=accepted, inside=True
    )


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


_PAGE = re.compile(
    r"(?:\ufeff|\s|<!--.{0,2000}?-->|<\?xml[^>]{0,200}\?>){0,20}"
    r"(?:<(?:!doctype html|html|head|body|title|center)\b|404 page not found)",
    re.IGNORECASE | re.DOTALL,
)
"""The beginning of a web page."""
_TITLE = re.compile(r"<title[^>]{0,200}>(.{0,1000}?)</title>", re.IGNORECASE | re.DOTALL)
_MARKUP = re.compile(r"<(script|style)\b.{0,20000}?</\1>|<[^<>]{0,2000}>", re.IGNORECASE | re.DOTALL)


def words_of(body: Any) -> str:
    """Returns the words of an error's body: its message and what was wrapped into it, or the start of the body."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    error = body.get("error") if isinstance(body, Mapping) else None
    for holder in (error, body):
        message = holder.get("message") if isinstance(holder, Mapping) else None
        if isinstance(holder, Mapping) and isinstance(message, str) and message.strip():
            extras = {k: holder[k] for k in ("metadata", "innererror", "raw", "cause") if holder.get(k)}
            return message + (f" {_start(extras)}" if extras else "")
    if isinstance(error, str) and error.strip():
        return error
    return _start(body)


def _start(body: Any) -> str:
    """Returns the first characters of a body."""
    if not isinstance(body, str):
        try:
            body = json.dumps(body, ensure_ascii=False)
        except (ValueError, TypeError, RecursionError):
            body = str(type(body))
    elif "<" in body:
        page = body[:50_000]
        found = _TITLE.search(page) if _PAGE.match(page) else None
        title = html.unescape(found[1]).strip() if found else ""
        body = html.unescape(_MARKUP.sub(" ", _TITLE.sub(" ", page, count=1) if title else page))
        body = f"{title!r} {body}" if title else body
    return cut(" ".join(body.split()), MAX_BODY) if body.strip() else "(an empty body)"


def codes_of(body: Any) -> str:
    """Returns the codes of an error's body, separated by spaces."""
    error = body.get("error") if isinstance(body, Mapping) else None
    found = []
    for holder in (error, body):
        if isinstance(holder, Mapping):
            found += [holder.get(k) for k in ("code", "status_code", "type", "status", "error_code")]
    return " ".join(str(c) for c in found if isinstance(c, str | int) and not isinstance(c, bool))


def connection_problem(error: BaseException) -> str:
    """Returns what broke a connection, in words: the certificate, the host's name, the other end, or the proxy."""
    chain: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in chain and len(chain) < 12:
        chain.append(at)
        at = at.__cause__ or at.__context__
    names = " ".join(type(e).__name__ for e in chain)
    messages = " ".join(str(e) for e in chain)
    detail = cut(" ".join(str(chain[-1]).split()), 200)
    if re.search(r"CERTIFICATE_VERIFY_FAILED|certificate", f"{names} {messages}", re.IGNORECASE):
        return f"the server's certificate was not accepted ({detail})"
    if re.search(r"SSL", names):
        return f"no encrypted connection ({detail})"
    if re.search(r"gaierror|DNS", names) or re.search(r"getaddrinfo|name resolution|Name or service", messages):
        return "the host's name cannot be resolved (DNS)"
    if "TooManyRedirects" in names:
        return REDIRECT_LOOP
    if re.search(
        r"incomplete|ContentLength|ClientPayloadError|peer closed|not enough data", f"{names} {messages}", re.IGNORECASE
    ):
        sent = re.search(r"received (\d+) bytes(?:, expected (\d+))?", messages)
        if sent:
            return f"the connection was cut after {sent[1]} bytes" + (f" of {sent[2]}" if sent[2] else "")
        return f"the connection was cut within the response ({detail})"
    if "ProxyError" in names:
        return f"the proxy refused the connection ({detail})"
    if re.search(r"ConnectionReset|ReadError", names):
        return "the server cut the connection"
    if "refused" in messages or "ConnectionRefused" in names:
        return f"the connection{_target(chain)} was refused: no server listens there"
    return f"{type(chain[-1]).__name__}" + (f": {detail}" if detail else "")


def _target(chain: Iterable[BaseException]) -> str:
    """Returns where a connection led to, which after a redirect is another address than the model's."""
    for e in chain:
        at: Any = getattr(
            getattr(e, "_request", None), "url", e
        )  # an error of httpx has a request, one of aiohttp a host
        if host := getattr(at, "host", None):
            return f" to {host}:{at.port or {'http': 80}.get(at.scheme, 443)}"
    return ""
