"""The report's templates and assets, based on the shared ones."""

import json
from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any

from gwray.pages import rendering
from gwray.store import UNPROVABLE

PACKAGE = "gwray.report"
STATIC: Mapping[str, Any] = {
    "served": False, "policy": rendering.STATIC_POLICY, "home": "index.html",
    "pages": (("Results", "index.html"), ("Episodes", "episodes.html")),
}  # fmt: skip
"""Template values of every page of a static report. `home` and `pages` are relative to the root of its run."""
SERVED: Mapping[str, Any] = {
    "served": True, "policy": rendering.SERVED_POLICY, "home": "../../",
    "pages": (
        ("Runs", "../../"), ("Results", "index.html"), ("Episodes", "episodes.html"), ("Live", "live.html"),
    ),
}  # fmt: skip
"""The same for a run served by `gwray view`."""
ASSETS = (
    "style.css",
    "theme.js",
    "report.js",
    "filter.js",
    "episodes.js",
    "asides.js",
    "viewer.js",
    "live.js",
    "newer.js",
)

render = partial(rendering.render, PACKAGE, unprovable=UNPROVABLE)
"""Render a page, by the name of its template."""
stream = partial(rendering.stream, PACKAGE, unprovable=UNPROVABLE)
"""Render a page piece by piece."""


def asset(name: str) -> bytes:
    """Returns the content of a script or style sheet, by file name."""
    return rendering.asset(name) if name in ("style.css", "theme.js") else rendering.asset(name, PACKAGE)


@cache
def plotly_script() -> bytes:
    """Returns Plotly's own bundle, from the installed package."""
    return (files("plotly") / "package_data" / "plotly.min.js").read_bytes()


_ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def script_json(value: Any) -> str:
    """Returns JSON for a script element: ASCII only, without characters that could end the script or the string."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False, default=str)
    for char, escaped in _ESCAPED.items():
        text = text.replace(char, escaped)
    return text


def script_file(name: str, value: Any) -> str:
    """Returns a script that passes `value` to the page under `name`. Works from a file, where `fetch` does not."""
    return f"gwray.put({script_json(name)},{script_json(value)});\n"
