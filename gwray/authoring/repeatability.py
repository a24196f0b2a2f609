"""Plays the first steps of each game twice, once under load: a page that depends on real time shows here. The sandbox
controls or marks the platform features it knows (`sandbox/page/platform.js`). This check needs to know none: two plays
of the same actions must give the same states, or the page must be marked."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Literal

from gwray.authoring.check import GamesJob, play_without_images
from gwray.catalog import Game
from gwray.environments import BrowserSource
from gwray.errors import GwrayError
from gwray.pipelines import InlineReplays, replay_all
from gwray.spec import ModelSpec

BUSY_PROCESSES = 2
"""Processes that only use the processor during the second play."""
_PLAYER = ModelSpec(name="random", provider="random")


@dataclass(frozen=True)
class FirstSteps:
    """The first steps of a game, played once."""

    game: str
    state_chain: str = ""
    """Digest over the states after every step."""
    marks: tuple[str, ...] = ()
    """Reasons why the sandbox calls the game not reproducible."""
    error: str = ""


@dataclass(frozen=True)
class Repeatability:
    """Result of playing a game twice."""

    game: str
    verdict: Literal["repeatable", "marked", "different", "error"]
    detail: str = ""

    @property
    def ok(self) -> bool:
        return self.verdict in ("repeatable", "marked")


async def _first_steps(steps: int, browser: BrowserSource, game: Game) -> FirstSteps:
    """Plays the first environment steps of a game's first task with random actions of a fixed seed."""
    record = (await play_without_images(browser, game, game.tasks[0], _PLAYER, steps)).record
    return FirstSteps(game.id, record.state_chain, () if record.reproducible else record.caveats)


def _error(game: Game, error: GwrayError) -> FirstSteps:
    return FirstSteps(game.id, error=f"{type(error).__name__}: {error}")


async def check_repeatability(
    games: Sequence[Game],
    *,
    steps: int,
    lanes: int = 2,
    on_played: Callable[[FirstSteps], None] | None = None,
    on_checked: Callable[[Repeatability], None] | None = None,
) -> list[Repeatability]:
    """Plays each game twice: alone, and beside other games while the processors are busy.

    Args:
        games: the games to check, a few of them at a time.
        steps: environment steps per play.
        lanes: concurrent games in the second play.
        on_played: called after each play, so twice per game.
        on_checked: called with each result, in the order of the games.
    """
    job = GamesJob(tuple(games), partial(_first_steps, steps), _error)
    lanes = max(2, lanes)
    results: list[Repeatability] = []
    for start in range(0, len(games), 2 * lanes):
        batch = games[start : start + 2 * lanes]
        alone = await replay_all(job, batch, InlineReplays(1), on_played)
        with _busy_processors():
            loaded = await replay_all(job, batch, InlineReplays(lanes), on_played)
        for a, b in zip(alone, loaded, strict=True):
            results.append(_compare(a, b))
            if on_checked:
                on_checked(results[-1])
    return results


def _compare(first: FirstSteps, second: FirstSteps) -> Repeatability:
    """Compares the first steps of two plays of the same actions."""
    if error := first.error or second.error:
        return Repeatability(first.game, "error", error)
    if marks := first.marks or second.marks:
        return Repeatability(first.game, "marked", "; ".join(marks))
    if first.state_chain != second.state_chain:
        detail = "two plays of the same actions gave different states: the page depends on real time or on the machine"
        return Repeatability(first.game, "different", detail)
    return Repeatability(first.game, "repeatable")


@contextmanager
def _busy_processors() -> Iterator[None]:
    """Keeps all processors busy during the block."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_PROCESSES)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
        for process in busy:
            process.wait()
