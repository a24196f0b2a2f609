"""Templates and assets of a room, over those that all rooms share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2

SHARED = "gwray.pages"


@cache
def _environment(room: str) -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(name) for name in dict.fromkeys((room, SHARED))]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["first_false"] = _first_false
    return env


def _first_false(values: Sequence[bool]) -> int:
    """Position of the first column of words: the one that names the row."""
    return next((i for i, numeric in enumerate(values) if not numeric), -1)


def render(room: str, template: str, **values: Any) -> str:
    """A page of a room, such as `render("gwray.report", "index", …)`."""
    return _environment(room).get_template(f"{template}.html.jinja").render(**values)


def stream(room: str, template: str, **values: Any) -> Iterator[str]:
    """The same piece by piece, as far as its values are there: of an iterator, as far as it has come."""
    return map(str, _environment(room).get_template(f"{template}.html.jinja").generate(**values))


@cache
def asset(name: str, room: str = SHARED) -> bytes:
    """A file of `assets/` of a room; without one `style.css` or `theme.js`. `FileNotFoundError` if there is none."""
    return (files(room) / "assets" / name).read_bytes()
