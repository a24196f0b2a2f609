"""Texts of a game that keep what is about keys and mouse in braces, for players that have them."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator


def _braces_fit(text: str) -> str:
    if not re.fullmatch(r"[^{}]*({[^{}]*}[^{}]*)*", text):
        raise ValueError("every { needs its }, and none may stand within another: braces hold what is about keys")
    return text


KeyedText = Annotated[str, AfterValidator(_braces_fit)]
"""What is about keys and mouse stands in braces: `You steer the worm{ with the arrow keys}.`"""


def told(text: str, *, keys: bool) -> str:
    """A `KeyedText` as a player gets it, without braces. `keys`: also what is about keys and mouse."""
    return (re.sub(r"[{}]", "", text) if keys else re.sub(r"{[^{}]*}", "", text)).strip()
