"""Keeps credentials out of what is written down: manifests, results, reports, W&B.

Keys belong into environment variables (`api_key_env` names them). This module covers keys that are typed into the
command line, a profile's options or an address all the same. It hides what looks like a secret by its name or by its
shape, and every value that the environment itself calls a secret. It encrypts nothing and finds no secret that looks
like ordinary text.
"""

import base64
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import quote

HIDDEN = "[redacted]"
LONG_ENOUGH = 12
"""Shorter values of the environment are not looked for: they would be found in ordinary words."""

_NAMES = {
    "key", "apikey", "token", "secret", "password", "passwd", "passphrase", "authorization", "bearer", "cookie",
    "credential", "credentials",
}  # fmt: skip
_HARMLESS_ENDS = {"env", "id", "file", "path"}
"""`api_key_env` names a variable; it is not the key."""
SPEECH = "actions"
"""What the `fixed` player is to say, where a `key` is one of the keyboard; changed text would be another player."""
_NOT_FOUND = "KeyError"
"""`KeyError: 'x'` says what a mapping does not have."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Possessive and anchored: a message may be a megabyte of one letter.
_NAMED = re.compile(r"""(?<![\w.-])([\w.-]++)["']?\s*+[=:]\s*+""")
_VALUE = re.compile(r"""["'][^"']*+["']|Bearer\s+[^\s,}\]&]+|[^\s,}\]&"']+""")
_PROSE = re.compile(r""":\s+[a-z]{1,15}[.:;]?|\s*[=:]\s*…[^\w]*""")
"""Prose after a name, not a value: `no key: the variable is not set`, `export NAME=…`."""
_USER = re.compile(r"://[^/@\s]++@")
_ESCAPE = re.compile("%[0-9A-F]{2}")
_SHAPES = re.compile(r"\bsk-[\w-]{12,}|\bAIza[\w-]{20,}|\bhf_[A-Za-z0-9]{20,}|\bBearer\s+[\w.~+/-]{8,}=*")


def is_secret(name: str) -> bool:
    """Whether a setting of this name (dots, underscores, hyphens, camel case) holds a secret."""
    last = name.rpartition(".")[2]
    words = [] if last == _NOT_FOUND else [w.lower() for w in _WORD.findall(last)]
    return bool(words) and words[-1] not in _HARMLESS_ENDS and any(w in _NAMES for w in words)


def redacted(value: Any) -> Any:
    """The same plain value (mappings, lists, texts, …) with secrets hidden; numbers are never secrets."""
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
    """One word of a command line: `name=value` by its name, and whatever secret stands inside the value."""
    name, sign, _ = argument.partition("=")
    if sign and is_secret(name.lstrip("+~-")):
        return f"{name}={HIDDEN}"
    return _text(argument, environment_secrets())


def redacted_text(text: str) -> str:
    """A message: what it says inside is hidden by name or shape, and its own sentences stay."""
    return _text(text, environment_secrets(), sentences=True)


def environment_secrets() -> list[str]:
    """Values of environment variables that look like credentials, in every spelling, longest first."""
    words = ("KEY", "TOKEN", "SECRET", "PASSWORD")
    # A key that was read from a file ends with a line's end, and is sent without it.
    found = {v.strip() for k, v in os.environ.items() if any(w in k.upper() for w in words)}
    spelt = {s for v in found if len(v) >= LONG_ENOUGH for s in spellings(v)}
    return sorted(spelt, key=len, reverse=True)


@lru_cache(maxsize=256)
def spellings(secret: str) -> frozenset[str]:
    """A secret as it is, as it stands in an address, and in base64: alone, or within a longer text (`user:KEY`)."""
    data = secret.encode(errors="surrogateescape")
    escaped = {quote(data), quote(data, safe="")}
    out = {secret, *escaped, *(_ESCAPE.sub(lambda m: m[0].lower(), text) for text in escaped)}
    if len(data) >= LONG_ENOUGH:
        # Base64 spells three bytes in four letters: what stands before a text decides which of three spellings it has.
        parts = [data, *(data[skip : skip + (len(data) - skip) // 3 * 3] for skip in range(3))]
        out |= {spell(part).decode() for part in parts for spell in (base64.b64encode, base64.urlsafe_b64encode)}
    return frozenset(out)


def names_user(address: str) -> bool:
    """Whether a user or a password stands in an address, before its host."""
    return "@" in address.rpartition("://")[2].partition("/")[0]


def _text(text: str, known: list[str], *, sentences: bool = False) -> str:
    for secret in known:
        text = text.replace(secret, HIDDEN)
    text = _USER.sub(f"://{HIDDEN}@", text)
    return _SHAPES.sub(HIDDEN, _without_named(text, sentences))


def _without_named(text: str, sentences: bool) -> str:
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
