"""The report's templates and assets, over those that all pages share."""

from __future__ import annotations

from functools import cache, partial
from importlib.resources import files

from gwray import pages

ROOM = "gwray.report"
STATIC_PAGES = (("Results", "index.html"), ("Episodes", "episodes.html"))
SERVED_PAGES = (("Live", "live"), ("Episodes", "episodes.html"))
"""Links at the top of every page, from the root of the site."""

render = partial(pages.render, ROOM)
"""A page, by the name of its template."""


def asset(name: str) -> bytes:
    """A script or style sheet, by its file's name."""
    return pages.asset(name) if name in ("style.css", "theme.js") else pages.asset(name, ROOM)


@cache
def plotly_script() -> bytes:
    """Plotly's own bundle, from the installed package."""
    return (files("plotly") / "package_data" / "plotly.min.js").read_bytes()
