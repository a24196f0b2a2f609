"""Schema of memory signatures in `game.yaml`. `gwray.signatures` evaluates them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from gwray.catalog.controls import Frozen

WILDCARD = "??"
MAX_OFFSET = 2**16
"""Maximum distance in bytes between a pattern and a value."""
FieldName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")]


class MemoryField(Frozen):
    """A value at a fixed distance from a signature."""

    offset: int = Field(ge=-MAX_OFFSET, le=MAX_OFFSET)
    """Bytes from the start of the pattern to the start of the value."""
    type: Literal["f32", "f64", "i8", "i16", "i32", "u8", "u16", "u32", "bool"]
    """Little-endian; `bool`: a byte that is not 0."""
    words: tuple[str, ...] = ()
    """Names of the values 0, 1, …"""

    @model_validator(mode="after")
    def _check_words(self) -> MemoryField:
        if self.words and self.type[0] not in "iu":
            raise ValueError(f"`words` requires an integer type, not {self.type}")
        return self


class Signature(Frozen):
    """Bytes that occur exactly once in all memories, from each start of the game to its end or the next reset. The
    values are at fixed distances from them."""

    pattern: str
    """Bytes in hexadecimal, with `??` for any: `"51 55 ?? 59"`."""
    fields: dict[FieldName, MemoryField] = Field(min_length=1)
    """Values by state field, such as `game_state.player.x`."""

    @field_validator("pattern")
    @classmethod
    def _bytes(cls, pattern: str) -> str:
        words = pattern.split()
        for word in words:
            if word != WILDCARD and not (len(word) == 2 and set(word) <= set("0123456789abcdefABCDEF")):
                raise ValueError(f"'{word}' is neither a byte such as 4f nor {WILDCARD}")
        if all(word == WILDCARD for word in words):
            raise ValueError("a pattern needs at least one byte that is not ??")
        return " ".join(words).lower()
