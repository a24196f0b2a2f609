"""Worlds that episodes are played in, behind one contract: look, act, read, reset.

`open_environment` opens the one that a game's `kind:` names. Knows no agents, scores or runs. The browser's environment
is in `gwray.environments.browser`, which is imported when the first page is opened, because it brings Playwright.
"""

from gwray.environments.base import BrowserSource, Environment, EnvironmentKind, Opening, Seen
from gwray.environments.filmed import Filmed, Take
from gwray.environments.joint import joint_events
from gwray.environments.offers import Offer, offered, refuse_unoffered
from gwray.environments.opening import KINDS, open_environment
from gwray.views import Diagnostics, Reading, View

__all__ = [
    "KINDS",
    "BrowserSource",
    "Diagnostics",
    "Environment",
    "EnvironmentKind",
    "Filmed",
    "Offer",
    "Opening",
    "Reading",
    "Seen",
    "Take",
    "View",
    "joint_events",
    "offered",
    "open_environment",
    "refuse_unoffered",
]
