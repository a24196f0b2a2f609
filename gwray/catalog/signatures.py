"""Where values lie in a page's memory, as a `game.yaml` says it: the schema and nothing else."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from gwray.catalog.controls import Frozen

WILDCARD = "??"
FAR = 2**16
"""Bytes from a pattern's beginning to a value, at most."""
FieldName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")]


class MemoryField(Frozen):
    """A value beside a signature."""

    offset: int = Field(ge=-FAR, le=FAR)
    """Bytes from where the pattern begins to where the value begins."""
    type: Literal["f32", "f64", "i8", "i16", "i32", "u8", "u16", "u32", "bool"]
    """Little-endian; `bool`: a byte that is not 0."""
    words: tuple[str, ...] = ()
    """What the numbers 0, 1, … stand for."""

    @model_validator(mode="after")
    def _words_of_whole_numbers(self) -> MemoryField:
        if self.words and self.type[0] not in "iu":
            raise ValueError(f"only whole numbers stand for words, not {self.type}")
        return self


class Signature(Frozen):
    """Bytes that are found in one place of all memories and nowhere else, from every start of the game to its end or
    the next reset; the values lie at fixed distances from them."""

    pattern: str
    """Bytes in hexadecimal, with `??` for any: `"51 55 ?? 59"`."""
    fields: dict[FieldName, MemoryField] = Field(min_length=1)
    """By the state field that the value is, such as `game_state.player.x`."""

    @field_validator("pattern")
    @classmethod
    def _bytes(cls, pattern: str) -> str:
        words = pattern.split()
        for word in words:
            if word != WILDCARD and not (len(word) == 2 and set(word) <= set("0123456789abcdefABCDEF")):
                raise ValueError(f"'{word}' is neither a byte such as 4f nor {WILDCARD}")
        if all(word == WILDCARD for word in words):
            raise ValueError("a pattern needs a byte that is fixed")
        return " ".join(words).lower()
