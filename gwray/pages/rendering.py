"""Templates and assets of a package, based on the shared ones."""

import base64
import hashlib
from collections.abc import Iterator
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
    # Position of the first text column, which names the row.
    env.filters["first_false"] = lambda values: next((i for i, numeric in enumerate(values) if not numeric), -1)
    return env


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


STATIC_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data: blob:; base-uri 'none'; form-action 'none'"
)
"""For files: no connections. Inline styles are allowed because plotly writes them."""

SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)


def inline_policy(*scripts: str) -> str:
    """For one self-contained file: only these scripts may run."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
