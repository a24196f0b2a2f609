"""One browser whose time, chance and network are ours: launch it, open a game, step, look, read.

Knows nothing of tasks, models or Ray. An episode played here depends on its files, seed and input alone; what cannot be
kept to that is named in `Diagnostics.irreproducible`.
"""

from gwray.sandbox.browser import Browser
from gwray.sandbox.contract import Diagnostics, Frame, PageSource, Reading
from gwray.sandbox.find import BrowserChoice, find_browser
from gwray.sandbox.lane import Lane

__all__ = [
    "Browser",
    "BrowserChoice",
    "Diagnostics",
    "Frame",
    "Lane",
    "PageSource",
    "Reading",
    "find_browser",
]
