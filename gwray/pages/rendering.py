"""Templates and assets of a package, based on the shared ones."""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2

SHARED = "gwray.pages"


@cache
def _environment(package: str) -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(name) for name in dict.fromkeys((package, SHARED))]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters["first_false"] = _first_false
    return env


def _first_false(values: Sequence[bool]) -> int:
    """Position of the first text column, which names the row."""
    return next((i for i, numeric in enumerate(values) if not numeric), -1)


def render(package: str, template: str, **values: Any) -> str:
    """A page of a package, such as `render("gwray.report", "index", …)`."""
    return _environment(package).get_template(f"{template}.html.jinja").render(**values)


def stream(package: str, template: str, **values: Any) -> Iterator[str]:
    """The same piece by piece, as its values (such as iterators) become available."""
    return map(str, _environment(package).get_template(f"{template}.html.jinja").generate(**values))


@cache
def asset(name: str, package: str = SHARED) -> bytes:
    """A file of `assets/` of a package; without one `style.css` or `theme.js`. `FileNotFoundError` if there is none."""
    return (files(package) / "assets" / name).read_bytes()
