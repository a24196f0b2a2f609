"""Typed parameters of controls: what may be given for one, how it is told to a model, and what it stands for.

Each type is read, described, constrained and drawn in one place, here; what the values are bound to is the control's
business (`gwray.catalog.game`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from random import Random
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

MAX_TEXT = 64
"""Characters that one action may type."""
NUMBER_PATTERN = r"[-+]?\d+(?:\.\d+)?"
STEPS = 9
"""Values that stand for all of a number's where everything is tried."""


def parse_number(value: Any) -> float | None:
    """A finite number, also one written as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 24 or not re.fullmatch(NUMBER_PATTERN, text):
            return None
        value = float(text)
    if isinstance(value, int | float):
        try:
            found = float(value)
        except OverflowError:
            return None
        return found if math.isfinite(found) else None
    return None


class _Parameter(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    description: str = ""
    """What it does, in words; it is shown to the model."""

    def value(self, given: Any, of: str) -> Any:
        """What a model's argument stands for. `of` names the argument and its control.

        Raises `ValueError` with a sentence for the model.
        """
        raise NotImplementedError

    def samples(self) -> list[Any]:
        """Arguments that stand for all that are possible, with the outermost among them; empty if they are endless."""
        raise NotImplementedError

    @property
    def example(self) -> Any:
        """An argument for the example of a prompt."""
        raise NotImplementedError

    def draw(self, random: Random, letters: Sequence[str]) -> Any:
        """A random argument; `letters` are what the role can type."""
        return random.choice(self.samples())

    def sentence(self, name: str) -> str:
        """The sentence of the prompt about it; empty if there is nothing to add."""
        raise NotImplementedError

    def json_schema(self) -> dict[str, Any]:
        """JSON schema for a tool, strict enough for providers' strict modes."""
        raise NotImplementedError

    def constrained_schema(self, letters: str) -> dict[str, Any]:
        """JSON schema that admits legal arguments only; `letters` are what the role can type."""
        return {k: v for k, v in self.json_schema().items() if k != "description"}

    def _word(self, given: Any, of: str) -> str:
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            raise ValueError(f"{of} must be text")
        return str(given)

    def _sentence(self, text: str) -> str:
        about = self.description.strip().rstrip(".")
        return f"{text}: {about}." if text and about else f"{text or about}." if text or about else ""


N = TypeVar("N", int, float)


class _Number(_Parameter, Generic[N]):
    minimum: N
    maximum: N

    @model_validator(mode="after")
    def _ordered(self) -> Any:
        if self.minimum > self.maximum:
            raise ValueError(f"minimum {self.minimum:g} is greater than maximum {self.maximum:g}")
        return self

    @property
    def what(self) -> str:
        """The values in words."""
        kind = "a whole number" if isinstance(self, IntegerParameter) else "a number"
        return f"{kind} from {self.minimum:g} to {self.maximum:g}"

    @property
    def example(self) -> N:
        found = self.samples()
        return found[len(found) // 2]

    def sentence(self, name: str) -> str:
        return self._sentence(f"{name} is {self.what}")

    def json_schema(self) -> dict[str, Any]:
        kind = "integer" if isinstance(self, IntegerParameter) else "number"
        bounds = self.model_dump(include={"minimum", "maximum"})
        return {"type": kind, **bounds, "description": self.description.strip()}

    def _within(self, given: Any, of: str) -> float:
        found = parse_number(given)
        if found is None or not self.minimum <= found <= self.maximum:
            raise ValueError(f"{of} must be {self.what}, not {str(given)[:20]!r}")
        return found


class IntegerParameter(_Number[int]):
    """A whole number within bounds."""

    type: Literal["integer"]

    def value(self, given: Any, of: str) -> int:
        found = self._within(given, of)
        if found != int(found):
            raise ValueError(f"{of} must be {self.what}, not {str(given)[:20]!r}")
        return int(found)

    def samples(self) -> list[int]:
        span = self.maximum - self.minimum
        parts = min(STEPS - 1, span)
        return [*(self.minimum + span * i // parts for i in range(parts)), self.maximum]

    def draw(self, random: Random, letters: Sequence[str]) -> int:
        return random.randint(self.minimum, self.maximum)


class NumberParameter(_Number[float]):
    """A number within bounds."""

    type: Literal["number"]

    def value(self, given: Any, of: str) -> float:
        return self._within(given, of)

    def samples(self) -> list[float]:
        span = self.maximum - self.minimum
        parts = STEPS - 1 if span else 0
        return [*(round(self.minimum + span * i / parts, 6) for i in range(parts)), self.maximum]

    def draw(self, random: Random, letters: Sequence[str]) -> float:
        return min(self.maximum, max(self.minimum, round(random.uniform(self.minimum, self.maximum), 3)))


class TextParameter(_Parameter):
    """Text that is typed."""

    type: Literal["text"]

    def value(self, given: Any, of: str) -> str:
        return self._word(given, of)

    def samples(self) -> list[str]:
        return []

    @property
    def example(self) -> str:
        return "a"

    def draw(self, random: Random, letters: Sequence[str]) -> str:
        return "".join(random.choices(letters, k=random.randint(1, 5)))

    def sentence(self, name: str) -> str:
        return self._sentence(f"{name} is what to type") if self.description else ""

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.description.strip() or "The text to type."}

    def constrained_schema(self, letters: str) -> dict[str, Any]:
        return {"type": "string", **({"pattern": f"^[{letters}]{{1,{MAX_TEXT}}}$"} if letters else {})}


Choice = int | float | str | tuple[float, float] | tuple[str, ...]


class ChoiceParameter(_Parameter):
    """One of a few words."""

    type: Literal["choice"]
    choices: dict[str, Choice] = Field(min_length=1)
    """What each word stands for: a number, a key or several, a point, or, in a list of words, itself."""

    @field_validator("choices", mode="before")
    @classmethod
    def _themselves(cls, v: Any) -> Any:
        return {str(c): c for c in v} if isinstance(v, (list, tuple)) else v

    def value(self, given: Any, of: str) -> Choice:
        wanted = self._word(given, of).strip().lower()
        for name, value in self.choices.items():
            if name.lower() == wanted:
                return value
        raise ValueError(f"{of} must be one of {', '.join(self.choices)}, not {str(given)[:20]!r}")

    def samples(self) -> list[str]:
        return list(self.choices)

    @property
    def example(self) -> str:
        return next(iter(self.choices))

    def sentence(self, name: str) -> str:
        return self._sentence(f"{name} is one of {', '.join(self.choices)}")

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.choices), "description": self.description.strip()}


class CellGrid(BaseModel):
    """Named cells of a board in viewport pixels: `a1` is the top left cell, letters are columns, numbers rows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    origin: tuple[float, float]
    """Centre of a1."""
    pitch: tuple[float, float]
    """Distance between neighbouring centres."""
    columns: int = Field(ge=1, le=26)
    rows: int = Field(ge=1, le=99)

    def names(self) -> list[str]:
        """All cell names, row by row."""
        return [f"{chr(97 + c)}{r + 1}" for r in range(self.rows) for c in range(self.columns)]

    def centre(self, cell: str) -> tuple[float, float] | None:
        """Viewport point of a cell, or None if there is no such cell."""
        name = cell.strip().lower()
        if len(name) < 2 or not name[1:].isdecimal():
            return None
        c, r = ord(name[0]) - 97, int(name[1:]) - 1
        if not (0 <= c < self.columns and 0 <= r < self.rows):
            return None
        return self.origin[0] + c * self.pitch[0], self.origin[1] + r * self.pitch[1]


class CellParameter(_Parameter, CellGrid):
    """A cell of a board; it stands for the cell's centre."""

    type: Literal["cell"]

    def value(self, given: Any, of: str) -> tuple[float, float]:
        word = self._word(given, of)
        point = self.centre(word) if len(word) <= 16 else None
        if point is None:
            raise ValueError(f"there is no cell '{word[:20]}'")
        return point

    def samples(self) -> list[str]:
        return self.names()

    @property
    def example(self) -> str:
        names = self.names()
        return names[len(names) // 2]

    def sentence(self, name: str) -> str:
        names = self.names()
        what = f"Cells are named by column letter and row number, {names[0]} to {names[-1]}; a1 is at the top left."
        return f"{what} {self._sentence('')}".strip()

    def json_schema(self) -> dict[str, Any]:
        last = self.names()[-1]
        what = f"Cell name: column letter, then row number; a1 is the top left, {last} the bottom right."
        return {"type": "string", "description": f"{what} {self._sentence('')}".strip()}

    def constrained_schema(self, letters: str) -> dict[str, Any]:
        return {"type": "string", "enum": self.names()}


Parameter = Annotated[
    IntegerParameter | NumberParameter | TextParameter | ChoiceParameter | CellParameter, Field(discriminator="type")
]
