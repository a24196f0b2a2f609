"""Removes credentials from manifests, results, reports and W&B.

Keys belong in environment variables (`api_key_env` names them). This module covers keys that users type into the
command line, a profile's options or an address anyway. It hides values that look like a secret by their name or shape,
and the values of environment variables that look like credentials, plain, URL-encoded or in base64. It encrypts
nothing, and misses secrets that look like ordinary text or are encoded in another way.
"""

import base64
import os
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus, unquote

HIDDEN = "[redacted]"
LONG_ENOUGH = 12
"""Minimum length of an environment variable's value to be hidden; shorter ones occur in ordinary words."""
SHORTEST_INSIDE = 8
"""Shorter passwords inside a value are not hidden. The limit is lower because these are known to be passwords."""

_NAMES = {
    "key", "apikey", "token", "secret", "password", "passwd", "passphrase", "authorization", "bearer", "cookie",
    "credential", "credentials", "pass", "pwd",
}  # fmt: skip
_HARMLESS_ENDS = {"env", "id", "file", "path"}
"""`api_key_env` names a variable; it is not the key."""
SPEECH = "actions"
"""Option of the `fixed` player that is never redacted: a `key` in it is a key of the keyboard, and changed actions
would be another player."""
_NOT_FOUND = "KeyError"
"""`KeyError: 'x'` names the missing entry of a mapping, not a secret."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Possessive and anchored: a message may be a megabyte of one letter.
_NAMED = re.compile(r"""(?<![\w.-])([\w.-]++)["']?\s*+[=:]\s*+""")
_VALUE = re.compile(r"""["'][^"']*+["']|Bearer\s+[^\s,}\]&]+|[^\s,}\]&"']+""")
_PROSE = re.compile(r""":\s+[a-z]{1,15}[.:;]?|\s*[=:]\s*…[^\w]*""")
"""Prose after a name, not a value: `no key: the variable is not set`, `export NAME=…`."""
_USER = re.compile(r"://[^/@\s]++@")
_SHAPES = re.compile(
    r"\bsk-[\w-]{12,}|\bAIza[\w-]{20,}|\bhf_[A-Za-z0-9]{20,}|\bBearer\s+[\w.~+/-]{8,}=*|\bgh[pousr]_[A-Za-z0-9]{20,}"
    r"|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}|\bA[KS]IA[A-Z0-9]{16}\b"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*"
)
_NAMED_VALUE = re.compile(r"([\w.-]+)\s*=\s*('[^']*'|\"[^\"]*\"|[^\s;&,]+)")


def hide(text: str, secrets: Sequence[str], mark: str) -> str:
    """Returns the text with every secret replaced by `mark`: plain, URL-encoded, or inside base64."""
    for form in _forms(tuple(secrets)):
        text = text.replace(form, mark)
    return text


@lru_cache(maxsize=64)
def _forms(secrets: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the texts that stand for secrets, the longest first."""
    found: set[str] = set()
    for secret in filter(None, secrets):
        data = secret.encode(errors="surrogateescape")
        quoted = {quote(data, safe=""), quote(data), quote_plus(data)}
        found |= {secret, *quoted, *(re.sub("%..", lambda m: m[0].lower(), q) for q in quoted)}
        if len(data) >= SHORTEST_INSIDE:
            # Text before the secret shifts it by 0, 1 or 2 bytes. Digits that it shares with that text are left out.
            for skip, shared in ((0, 0), (1, 2), (2, 3)):
                digits = base64.b64encode(bytes(skip) + data)[shared : (skip + len(data)) * 8 // 6].decode()
                found |= {digits, digits.replace("+", "-").replace("/", "_")}
    return tuple(sorted(found, key=len, reverse=True))


def is_secret(name: str) -> bool:
    """Whether a setting of this name (dots, underscores, hyphens, camel case) holds a secret."""
    last = name.rpartition(".")[2]
    words = [] if last == _NOT_FOUND else [w.lower() for w in _WORD.findall(last)]
    return bool(words) and words[-1] not in _HARMLESS_ENDS and any(w in _NAMES for w in words)


def redacted(value: Any) -> Any:
    """Returns a plain value (mappings, lists, texts, …) with secrets hidden; numbers are never secrets."""
    known = environment_secrets()

    def walk(v: Any, name: str = "") -> Any:
        if isinstance(v, Mapping):
            return {k: walk(x, str(k)) for k, x in v.items()}
        if isinstance(v, list | tuple):
            return [walk(x, name) for x in v]
        if not isinstance(v, str) or not v or name == SPEECH:
            return v
        return HIDDEN if is_secret(name) else _text(v, known)

    return walk(value)


def redacted_override(argument: str) -> str:
    """Returns one word of a command line with secrets hidden: `name=value` by its name, and any secret inside the
    value."""
    name, sign, _ = argument.partition("=")
    if sign and is_secret(name.lstrip("+~-")):
        return f"{name}={HIDDEN}"
    return _text(argument, environment_secrets())


def redacted_text(text: str) -> str:
    """Returns a message with secrets hidden, by name or shape. Ordinary sentences are unchanged."""
    return _text(text, environment_secrets(), sentences=True)


def environment_secrets() -> list[str]:
    """Returns the values of environment variables that look like credentials: by the variable's name, by their shape,
    or inside an address or a list of settings (`postgres://user:PASSWORD@host`, `host=db password=PASSWORD`)."""
    return [*_secrets_of(tuple(os.environ.items()))]


@lru_cache(maxsize=8)
def _secrets_of(environment: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Returns the secrets among environment variables, the longest first."""
    found: set[str] = set()
    for name, value in environment:
        value = value.strip()  # a key that was read from a file ends with a line's end, and is sent without it
        named = any(w in name.upper() for w in ("KEY", "TOKEN", "SECRET", "PASSWORD")) or is_secret(name)
        if named and len(value) >= LONG_ENOUGH and not (value.startswith("/") and os.path.exists(value)):  # noqa: PTH110
            found.add(value)
        inside = [m[0] for m in _SHAPES.finditer(value)]
        for m in _USER.finditer(value):
            user, _, password = m[0][3:-1].partition(":")
            inside += [password, unquote(password)] if password else [user]
        inside += [v.strip("\"'") for name, v in _NAMED_VALUE.findall(value) if is_secret(name)]
        found |= {v for v in inside if len(v) >= SHORTEST_INSIDE}
    return tuple(sorted(found, key=len, reverse=True))


def names_user(address: str) -> bool:
    """Whether a user or a password stands in an address, before its host."""
    return "@" in address.rpartition("://")[2].partition("/")[0]


def _text(text: str, known: list[str], *, sentences: bool = False) -> str:
    text = hide(text, known, HIDDEN)
    text = _USER.sub(f"://{HIDDEN}@", text)
    return _SHAPES.sub(HIDDEN, _without_named(text, sentences))


def _without_named(text: str, sentences: bool) -> str:
    """Hides values that follow a secret's name. `sentences`: keep ordinary words after a name."""
    out, at = [], 0
    while m := _NAMED.search(text, at):
        out.append(text[at : m.end()])
        at = m.end()
        value = _VALUE.match(text, at) if is_secret(m[1]) else None
        is_prose = value and sentences and _PROSE.fullmatch(text[m.end(1) : value.end()])
        if value and not value[0].isdigit() and not is_prose:
            out.append(HIDDEN)
            at = value.end()
    return "".join([*out, text[at:]])
