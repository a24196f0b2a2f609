"""Opens the environment of a game, checks what can be observed in it, and joins the actions of several roles."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gwray.catalog import Game
from gwray.environments.base import Environment, EnvironmentKind, Opening
from gwray.errors import GameError, UsageError, boundary
from gwray.places import Registry
from gwray.records import Action, Event, events, merge
from gwray.settings import ObservationSpec, TimingSettings

KINDS = Registry("environment", {"browser": "gwray.environments.browser:BrowserEnvironment"}, "gwray.environments")
"""Environment classes by name."""
FRONT = "front"
"""The view of the screen."""
PREVIOUS = "previous"
"""The view of the screen that the role observed one decision before."""


async def open_environment(opening: Opening, *, trusted: Collection[str] | None = None) -> Environment:
    """Opens the environment of `opening.game`, at the first instant of the task.

    `kind:` in `game.yaml` chooses the class. A browser is started only for a kind that needs one. The caller closes the
    environment. `trusted` as in `Registry.get`.

    Raises:
        NotTrusted: a third-party kind that the user has not allowed to be imported.
        UsageError: no such kind.
        GameError: the game cannot be started.
        BrowserError: the browser or the machine failed.
    """
    game = opening.game
    kind: EnvironmentKind = KINDS.get(game.kind, trusted=trusted)
    with boundary(GameError, f"opening {game.id} (kind: {game.kind})"):
        return await kind.open(opening)


@dataclass(frozen=True)
class Observables:
    """The views of a game, and whether it describes its screen in words."""

    views: tuple[str, ...]
    text: bool


def observables(game: Game) -> Observables:
    """Returns what can be observed in a game: the views `front` and `previous`, and further views and text that
    `game.yaml` declares."""
    return Observables((FRONT, PREVIOUS, *game.views), game.text)


def check_observable(game: Game, wanted: ObservationSpec) -> None:
    """Raises `UsageError` with the available views if the game does not have a wanted view or text."""
    available = observables(game)
    views = ", ".join(available.views)
    for name in wanted.views if wanted.pictures else ():
        if name not in available.views:
            raise UsageError(
                f"{game.id} has no view '{name}'; it offers: {views}. Choose among them with observation.views=[…], or "
                "do not play this game."
            )
    if wanted.text and not available.text:
        raise UsageError(
            f"{game.id} does not describe its screen in words; it offers: {views}. Use observation=image, or do not "
            "play this game."
        )


def check_turns(game: Game, timing: TimingSettings) -> None:
    """Raises `UsageError` for a timing that a game with `turns: free` cannot have: one in which the game waits for all
    roles, or in which its clock cannot stop at the end of an action."""
    if game.turns == "free" and timing.mode in ("adaptive", "wallclock"):
        raise UsageError(
            f"timing={timing.mode}: the roles of {game.id} act independently (turns: free), but this timing makes all "
            "of them wait together. Use timing=paused or timing=realtime, or do not play this game."
        )


def joint_events(game: Game, actions: Mapping[str, Action], hold_scale: float = 1.0) -> list[Event]:
    """Returns one timeline of input for the actions of several roles, in ms of game time. All actions start together;
    simultaneous events are in the order of the game's roles. An action without a duration lasts its role's `hold_ms`;
    `hold_scale` multiplies every time. Raises `GameError` for a role that the game does not have."""
    for name in actions:
        game.role(name)
    merged = merge([events(actions[r.name], r.hold_ms, r.name) for r in game.roles if r.name in actions])
    if hold_scale == 1.0:
        return merged
    return [e.model_copy(update={"at_ms": e.at_ms * hold_scale}) for e in merged]
