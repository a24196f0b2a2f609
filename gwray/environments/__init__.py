"""Environments that episodes are played in, behind one contract: observe, step, read, reset. `open_environment` opens
the environment that a game's `kind:` names. This package knows no agents, scores or runs. The environment of browser
games is `gwray.environments.browser`; it is imported when the first page is opened, because it imports Playwright."""

from gwray.environments.base import BrowserSource, Environment, EnvironmentKind, Opening, RoleObservation
from gwray.environments.opening import (
    KINDS,
    Observables,
    check_observable,
    check_turns,
    joint_events,
    observables,
    open_environment,
)
from gwray.environments.programs import ProgramCall, ProgramEnd
from gwray.environments.signature_patterns import Pattern, decode_value, size_of
from gwray.records import CommandAnswer, Diagnostics, Reading, View

__all__ = ["Diagnostics", "Environment", "ProgramEnd", "Reading", "RoleObservation", "View"]
