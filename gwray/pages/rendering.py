"""Templates and assets of a package, based on the shared ones."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2

SHARED = "gwray.pages"


@cache
def _environment(package: str) -> jinja2.Environment:
    """Returns the Jinja environment for templates of a package, which can extend the shared ones. A template fails on
    an undefined value and escapes all values."""
    env = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(name) for name in dict.fromkeys((package, SHARED))]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Position of the first text column, which names the row.
    env.filters["first_false"] = lambda values: next((i for i, numeric in enumerate(values) if not numeric), -1)
    return env


def render(package: str, template: str, **values: Any) -> str:
    """Returns a page as HTML, such as `render("gwray.report", "index", …)` from `templates/index.html.jinja`."""
    return _environment(package).get_template(f"{template}.html.jinja").render(**values)


def stream(package: str, template: str, **values: Any) -> Iterator[str]:
    """Yields the HTML of a page in pieces, so that values that are iterators need not be complete."""
    return map(str, _environment(package).get_template(f"{template}.html.jinja").generate(**values))


@cache
def asset(name: str, package: str = SHARED) -> bytes:
    """Returns a file of the folder `assets/` of a package; without `package`, a shared one such as `style.css`. Raises
    `FileNotFoundError`."""
    return (files(package) / "assets" / name).read_bytes()


STATIC_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data: blob:; base-uri 'none'; form-action 'none'"
)
"""Content security policy of pages opened as files: no connections. Plotly needs inline styles."""

SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'"
)
