"""The contract between the episode loop and an environment.

A browser page is one kind of environment (`gwray.environments.browser`); others are classes with the same methods,
chosen by `kind:` in `game.yaml`. An environment's behavior depends only on the game's files, the task, the seed and the
actions, never on observations or on the speed of the machine.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from gwray.catalog import Game, Task
from gwray.records import Action, Diagnostics, Reading, View
from gwray.settings import EpisodeSpec, ObservationSpec

if TYPE_CHECKING:
    from gwray.sandbox import Browser, Clock

BrowserSource = Callable[[], Awaitable["Browser"]]
"""Returns a running browser and starts one if necessary. Only environments that need a browser await it."""


@dataclass(frozen=True)
class RoleObservation:
    """Observation of a role at one instant."""

    views: tuple[View, ...] = ()
    """The requested views in order, `front` first. `previous` is missing at the first observation."""
    text: str = ""
    """The screen described in words, if requested."""


@dataclass(frozen=True)
class Opening:
    """The arguments that an environment is opened with: everything that can determine its behavior."""

    game: Game
    task: Task
    seed: int
    browser: BrowserSource
    clock: Clock = "stepped"
    """stepped: game time passes only in `step` and `advance`. native: game time is real time."""
    observation: ObservationSpec = field(default_factory=ObservationSpec)
    """The usual observation, so that screenshots can be taken in advance. It does not affect the game."""
    hold_scale: float = 1.0
    """Multiplies every duration of an action: `action.hold_scale` times `timing.speed`."""

    @classmethod
    def from_spec(cls, spec: EpisodeSpec, game: Game, task: Task, browser: BrowserSource) -> Opening:
        """Returns the arguments for the environment of an episode."""
        timing = spec.cell.timing
        clock = "native" if timing.mode == "wallclock" else "stepped"
        scale = spec.action.hold_scale * timing.speed
        return cls(game, task, spec.seed, browser, clock, spec.cell.observation, scale)


class Environment(Protocol):
    """An environment at one instant of game time. Between calls nothing happens in it.

    Example, an episode of a single role without scoring:

        environment = await open_environment(Opening(game, task, seed=42, browser=browser))
        try:
            reading = await environment.read()
            while not reading.state["terminal"]["isTerminal"]:
                (role,) = environment.to_act()
                seen = await environment.observe(role, ObservationSpec(text=True))
                reading = await environment.step({role: decide(seen)}, look=True)
        finally:
            await environment.close()

    Every method raises `GameError` if the game violates its contract, and `BrowserError` if the browser or the machine
    fails. Actions of a role are never an error: only legal actions arrive here.
    """

    def to_act(self) -> tuple[str, ...]:
        """Returns the roles that act next, in the order of `game.yaml`: all roles, unless they take turns or the game
        has `turns: free`. Then it returns the roles without an action that is under way."""
        ...

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        """Returns the observation of `role` at this instant. Does not change the game: a second call returns the same.

        Args:
            role: a role of the game.
            wanted: views, image format, and whether text is requested.

        Returns:
            The requested views (none if `wanted.format` is `none`) and the text (empty unless requested).

        Raises:
            GameError: a view or a text violates the game's contract, or producing it changed the game.
        """
        ...

    async def step(
        self, actions: Mapping[str, Action], *, look: bool, after_ms: Mapping[str, float] | None = None
    ) -> Reading:
        """Plays one action of each role over the same period of game time. In a game with `turns: free` it starts the
        actions of the roles that `to_act` returns, and ends at the first instant at which any role's action has ended.

        Args:
            actions: by role. A missing role waits; without any action no game time passes. With `turns: free`, a
                missing role waits for its default `hold_ms`.
            look: whether a screenshot after the step will be requested, so that it can be taken along.
            after_ms: by role, game time in ms before its action begins, as while its model thinks. Only passed in games
                with `turns: free`.

        Returns:
            The state after the step, and the answers to the commands that ended in it. All keys and buttons are
            released, except those of actions that are still under way.

        Raises:
            GameError: the game does not have a role, or the state violates the contract.
        """
        ...

    async def read(self) -> Reading:
        """Returns the state at this instant."""
        ...

    async def advance(self, ms: float) -> None:
        """Advances game time by `ms` without input, as while a model thinks. Does nothing without a clock."""
        ...

    async def reset(self, seed: int) -> None:
        """Restarts the task. Game time continues; the next observation has no `previous` view."""
        ...

    async def confirm(self) -> None:
        """Confirms the readings since the start or last reset; called before the end of an attempt counts.

        Raises:
            GameError: the readings were not reliable.
        """
        ...

    def diagnostics(self) -> Diagnostics:
        """Returns console output, errors and caveats so far."""
        ...

    async def close(self) -> None:
        """Releases all resources. Raises nothing; a second call does nothing."""
        ...


class EnvironmentKind(Protocol):
    """The target of `kind:`: usually the environment's class, with `open` as a class method."""

    async def open(self, opening: Opening) -> Environment:
        """Opens the environment at the first instant of the task.

        Raises:
            GameError: the game cannot be started.
        """
        ...
