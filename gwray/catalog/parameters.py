"""Typed parameters of controls: allowed arguments, their prompt sentence and JSON schema, and their values.
`gwray.catalog.controls` binds the values to input."""

import math
import re
from collections.abc import Sequence
from random import Random
from string import ascii_lowercase
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from gwray.records import storable

MAX_TEXT = 64
"""Characters that one action may type."""
MAX_CODE = 10_000
"""Characters of one program."""
NUMBER_PATTERN = r"[-+]?\d+(?:\.\d+)?"
STEPS = 9
"""Samples of a number parameter, for searches that try every argument."""


def parse_number(value: Any) -> float | None:
    """Returns a finite number, also if it is given as text; None for anything else."""
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
    """What it does; shown to the model."""

    def value(self, given: Any, label: str) -> Any:
        """Returns the value of an argument of a model.

        Args:
            given: the argument as the model wrote it.
            label: names the argument and its control in messages.

        Raises:
            ValueError: the argument is not allowed; the message is sent to the model.
        """
        raise NotImplementedError

    def samples(self) -> list[Any]:
        """Returns representative arguments, including the extremes; empty for free text."""
        raise NotImplementedError

    @property
    def example(self) -> Any:
        """The argument in the example of a prompt."""
        raise NotImplementedError

    def draw(self, random: Random, letters: Sequence[str]) -> Any:
        """Returns a random argument. `letters`: the keys of the role that type something."""
        return random.choice(self.samples())

    def sentence(self, name: str) -> str:
        """Returns the prompt's sentence about the parameter; may be empty."""
        raise NotImplementedError

    def json_schema(self) -> dict[str, Any]:
        """Returns a JSON schema for a tool, valid in providers' strict modes."""
        raise NotImplementedError

    def constrained_schema(self, letters: str) -> dict[str, Any]:
        """Returns a JSON schema that only legal arguments satisfy. `letters` as in `draw`."""
        return {k: v for k, v in self.json_schema().items() if k != "description"}

    def pattern(self) -> str:
        """Returns a regular expression of its arguments, for servers that constrain a model."""
        return "|".join(map(re.escape, map(str, self.samples()))).join(("(?:", ")"))

    def _as_text(self, given: Any, label: str) -> str:
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            raise ValueError(f"{label} must be text")
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
    def range_text(self) -> str:
        """The allowed values in words."""
        kind = "a whole number" if isinstance(self, IntegerParameter) else "a number"
        return f"{kind} from {self.minimum:g} to {self.maximum:g}"

    @property
    def example(self) -> N:
        found = self.samples()
        return found[len(found) // 2]

    def pattern(self) -> str:
        digits = max(len(str(int(abs(bound)))) for bound in (self.minimum, self.maximum))
        sign = "-?" if self.minimum < 0 else ""
        return rf"{sign}\d{{1,{digits}}}" + ("" if isinstance(self, IntegerParameter) else r"(?:\.\d{1,3})?")

    def sentence(self, name: str) -> str:
        return self._sentence(f"{name} is {self.range_text}")

    def json_schema(self) -> dict[str, Any]:
        kind = "integer" if isinstance(self, IntegerParameter) else "number"
        bounds = self.model_dump(include={"minimum", "maximum"})
        return {"type": kind, **bounds, "description": self.description.strip()}

    def _parse_within(self, given: Any, label: str) -> float:
        found = parse_number(given)
        if found is None or not self.minimum <= found <= self.maximum:
            raise ValueError(f"{label} must be {self.range_text}, not {str(given)[:20]!r}")
        return found


class IntegerParameter(_Number[int]):
    """A whole number within bounds."""

    type: Literal["integer"]

    def value(self, given: Any, label: str) -> int:
        found = self._parse_within(given, label)
        if found != int(found):
            raise ValueError(f"{label} must be {self.range_text}, not {str(given)[:20]!r}")
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

    def value(self, given: Any, label: str) -> float:
        return self._parse_within(given, label)

    def samples(self) -> list[float]:
        span = self.maximum - self.minimum
        parts = STEPS - 1 if span else 0
        return [*(round(self.minimum + span * i / parts, 6) for i in range(parts)), self.maximum]

    def draw(self, random: Random, letters: Sequence[str]) -> float:
        return min(self.maximum, max(self.minimum, round(random.uniform(self.minimum, self.maximum), 3)))


class TextParameter(_Parameter):
    """Text to type."""

    type: Literal["text"]

    def value(self, given: Any, label: str) -> str:
        return self._as_text(given, label)

    def samples(self) -> list[str]:
        return []

    def pattern(self) -> str:
        return rf'"[^"\n#]{{1,{MAX_TEXT}}}"'

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


class ArgumentText(TextParameter):
    """Text for a command of the game: not typed, so the role needs no keys for it."""

    def value(self, given: Any, label: str) -> str:
        text = " ".join(storable(super().value(given, label)).split())
        if not 1 <= len(text) <= MAX_TEXT:
            raise ValueError(f"{label} must be a text of 1 to {MAX_TEXT} characters, not {len(text)}")
        return text

    def draw(self, random: Random, letters: Sequence[str]) -> str:
        return super().draw(random, ascii_lowercase)

    def sentence(self, name: str) -> str:
        return self._sentence(f"{name} is a text of at most {MAX_TEXT} characters")

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.description.strip() or "A text."}

    def constrained_schema(self, letters: str) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": MAX_TEXT}


class CodeParameter(TextParameter):
    """A program that acts through the game's commands; see `gwray.studies.orak.programs`."""

    type: Literal["code"]  # pyright: ignore[reportIncompatibleVariableOverride]
    api: str
    """File in the game's folder with the functions that a program can call."""
    commands: tuple[str, ...] = Field(min_length=1)
    """Commands of the game that these functions can give."""
    examples: tuple[str, ...] = Field(min_length=1)
    """Complete programs: the first one is the example of a prompt, and random players draw among all."""

    def value(self, given: Any, label: str) -> str:
        text = storable(self._as_text(given, label)).replace("\r\n", "\n").strip()
        if not 1 <= len(text) <= MAX_CODE:
            raise ValueError(f"{label} must be a program of 1 to {MAX_CODE} characters, not {len(text)}")
        return text

    def pattern(self) -> str:
        return rf'"[^"]{{1,{MAX_CODE}}}"'

    @property
    def example(self) -> str:
        return self.examples[0].strip()

    def draw(self, random: Random, letters: Sequence[str]) -> str:
        return random.choice(self.examples).strip()

    def sentence(self, name: str) -> str:
        return self._sentence(f"{name} is a program of at most {MAX_CODE} characters")

    def json_schema(self) -> dict[str, Any]:
        return {"type": "string", "description": self.description.strip() or "A program."}

    def constrained_schema(self, letters: str) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": MAX_CODE}


Choice = int | float | str | tuple[float, float] | tuple[str, ...]


class ChoiceParameter(_Parameter):
    """One of a few words."""

    type: Literal["choice"]
    choices: dict[str, Choice] = Field(min_length=1)
    """The value of each word: a number, one or more keys, or a point. In a list of words each word is its own value."""

    @field_validator("choices", mode="before")
    @classmethod
    def _list_to_mapping(cls, v: Any) -> Any:
        return {str(c): c for c in v} if isinstance(v, (list, tuple)) else v

    def value(self, given: Any, label: str) -> Choice:
        wanted = self._as_text(given, label).strip().lower()
        for name, value in self.choices.items():
            if name.lower() == wanted:
                return value
        raise ValueError(f"{label} must be one of {', '.join(self.choices)}, not {str(given)[:20]!r}")

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
    """Named cells of a board, in viewport pixels: `a1` is the top left cell, letters are columns, numbers are rows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    origin: tuple[float, float]
    """Centre of a1."""
    pitch: tuple[float, float]
    """Distance between neighbouring centres."""
    columns: int = Field(ge=1, le=26)
    rows: int = Field(ge=1, le=99)

    def names(self) -> list[str]:
        """Returns all cell names, row by row."""
        return [f"{chr(97 + c)}{r + 1}" for r in range(self.rows) for c in range(self.columns)]

    def centre(self, cell: str) -> tuple[float, float] | None:
        """Returns the viewport point of a cell, or None if there is no such cell."""
        name = cell.strip().lower()
        if len(name) < 2 or not name[1:].isdecimal():
            return None
        c, r = ord(name[0]) - 97, int(name[1:]) - 1
        if not (0 <= c < self.columns and 0 <= r < self.rows):
            return None
        return self.origin[0] + c * self.pitch[0], self.origin[1] + r * self.pitch[1]


class CellParameter(_Parameter, CellGrid):
    """A cell of a board; its value is the cell's centre."""

    type: Literal["cell"]

    def value(self, given: Any, label: str) -> tuple[float, float]:
        word = self._as_text(given, label)
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
        naming = f"Cells are named by column letter and row number, {names[0]} to {names[-1]}; a1 is at the top left."
        return f"{naming} {self._sentence('')}".strip()

    def json_schema(self) -> dict[str, Any]:
        last = self.names()[-1]
        naming = f"Cell name: column letter, then row number; a1 is the top left, {last} the bottom right."
        return {"type": "string", "description": f"{naming} {self._sentence('')}".strip()}

    def constrained_schema(self, letters: str) -> dict[str, Any]:
        return {"type": "string", "enum": self.names()}


Parameter = Annotated[
    IntegerParameter | NumberParameter | TextParameter | CodeParameter | ChoiceParameter | CellParameter,
    Field(discriminator="type"),
]
