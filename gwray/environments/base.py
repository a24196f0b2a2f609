"""The contract between the episode loop and the world that is played in.

A browser page is one such world (`gwray.environments.browser`); others are classes with the same methods, named by
`kind:` in `game.yaml`. What happens in an environment depends on the game's files, the task, the seed and the actions
alone, never on who looks, how often, or how fast the machine is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from gwray.actions import Action
from gwray.catalog import Game, Task
from gwray.spec import EpisodeSpec, ObservationSpec
from gwray.views import Diagnostics, Reading, View

if TYPE_CHECKING:
    from gwray.sandbox import Browser, Clock

BrowserSource = Callable[[], Awaitable["Browser"]]
"""Gives a running browser, starting one if there is none: awaited only by environments that need one."""


@dataclass(frozen=True)
class RoleObservation:
    """What one role sees at one instant."""

    views: tuple[View, ...] = ()
    """In the order in which they were wanted, `front` first. `previous` is missing where there is nothing before."""
    text: str = ""
    """The screen in words, if that was wanted."""


@dataclass(frozen=True)
class Opening:
    """What an environment is opened with: everything that may decide how it behaves."""

    game: Game
    task: Task
    seed: int
    browser: BrowserSource
    clock: Clock = "stepped"
    """stepped: game time passes in `step` and `advance` only. native: it passes by itself, in real time."""
    observation: ObservationSpec = field(default_factory=ObservationSpec)
    """What roles will usually want to see, so that it can be taken ahead; it changes nothing that happens."""
    hold_scale: float = 1.0
    """Multiplies every duration of an action: `action.hold_scale` times `timing.speed`."""

    @classmethod
    def from_spec(cls, spec: EpisodeSpec, game: Game, task: Task, browser: BrowserSource) -> Opening:
        """What an episode's environment is opened with."""
        timing = spec.cell.timing
        clock = "native" if timing.mode == "wallclock" else "stepped"
        scale = spec.action.hold_scale * timing.speed
        return cls(game, task, spec.seed, browser, clock, spec.cell.observation, scale)


class Environment(Protocol):
    """One world at one instant: it is looked at, acted on and reset; between these calls it stands still.

    Example, one episode of a single role without any rules of scoring:

        environment = await open_environment(Opening(game, task, seed=42, browser=browser))
        try:
            reading = await environment.read()
            while not reading.state["terminal"]["isTerminal"]:
                (role,) = environment.to_act()
                seen = await environment.observe(role, ObservationSpec(text=True))
                reading = await environment.step({role: decide(seen)}, look=True)
        finally:
            await environment.close()

    Every method raises `GameError` when the game breaks its contract and `BrowserError` when the machine fails. What
    roles do is never an error: actions arrive here only after they were found legal.
    """

    def to_act(self) -> tuple[str, ...]:
        """The roles that decide now, in the order of `game.yaml`: all of them, unless they take turns."""
        ...

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        """What `role` sees at this instant. Looking changes nothing, so asking twice gives the same.

        Args:
            role: a role of the game.
            wanted: which pictures in which format, and whether text.

        Returns:
            The views that were wanted (none when `wanted.format` is `none`) and the text (empty unless wanted).

        Raises:
            GameError: a view or a text that is not what the game's contract says, or one that changed the world.
        """
        ...

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        """Play one action of each role over the same stretch of game time.

        Args:
            actions: by role. A role that is missing waits; without any action no game time passes.
            look: a picture of the instant after it will be asked for, so take it along.

        Returns:
            The state after the step, when everything that was held is released.

        Raises:
            GameError: a role that the game does not have, or a state that is not what the contract says.
        """
        ...

    async def read(self) -> Reading:
        """The state of this instant."""
        ...

    async def advance(self, ms: float) -> None:
        """Let `ms` of game time pass without input, as while a model thinks; nothing where there is no clock."""
        ...

    async def reset(self, seed: int) -> None:
        """Start the task again from the beginning. Game time goes on; there is nothing before this instant to see."""
        ...

    async def confirm(self) -> None:
        """Asked before an episode's end counts; nothing where a reading says all that there is to be said.

        Raises:
            GameError: what was read since the start or the last reset is not to be believed after all.
        """
        ...

    def diagnostics(self) -> Diagnostics:
        """What happened so far that a reader of the episode should know."""
        ...

    async def close(self) -> None:
        """Give everything back that opening took. Raises nothing, and does nothing the second time."""
        ...


class EnvironmentKind(Protocol):
    """What `kind:` names: usually the environment's class, with `open` as a class method."""

    async def open(self, opening: Opening) -> Environment:
        """The world of this game and task at its first instant.

        Raises:
            GameError: the game cannot be started.
        """
        ...
