"""Templates, assets and the policy that keeps pages quiet: they may load what lies beside them, and nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2

STATIC_POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' file: 'unsafe-inline'; "
    "img-src 'self' file: data: blob:; base-uri 'none'; form-action 'none'"
)
"""For files: no connection can be opened at all. Styles may be inline because plotly writes its own."""

SERVED_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)

STATIC_PAGES = (("Results", "index.html"), ("Episodes", "episodes.html"))
SERVED_PAGES = (("Live", "live"), ("Episodes", "episodes.html"))
"""Links at the top of every page, from the root of the site."""


@cache
def environment() -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.PackageLoader("gwray.report"),
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


def render(template: str, **values: Any) -> str:
    return environment().get_template(f"{template}.html.jinja").render(**values)


@cache
def asset(name: str) -> bytes:
    return (files("gwray.report") / "assets" / name).read_bytes()


@cache
def plotly_script() -> bytes:
    """Plotly's own bundle, from the installed package."""
    return (files("plotly") / "package_data" / "plotly.min.js").read_bytes()


def inline_policy(*scripts: str) -> str:
    """For one self-contained file: exactly these scripts may run."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
