"""Plays the first steps of each game twice, once under load: a page that depends on real time shows here. The sandbox
controls or marks the platform features it knows (`sandbox/page/platform.js`). This check needs to know none: two plays
of the same actions must give the same states, or the page must be marked."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Literal

from gwray.catalog import Game
from gwray.environments import BrowserSource, Opening, open_environment
from gwray.errors import GwrayError
from gwray.plugins.authoring.check import SEED, GamesJob, play_steps
from gwray.records import BLANK, UNMOVED, EpisodeRecord, digest
from gwray.settings import ModelSpec, ObservationSpec
from gwray.verification import InlineReplays, replay_all

SEED_WAIT_MS = 2000.0
"""Game time without input within which two seeds must differ."""
_PLAYER = ModelSpec(name="random", provider="random")


@dataclass(frozen=True)
class FirstSteps:
    """The first steps of a game, played once."""

    game: str
    record: EpisodeRecord | None = None
    marks: tuple[str, ...] = ()
    """Reasons why the sandbox calls the game not reproducible."""
    seeds_differ: bool = False
    """Whether another seed gives another state or picture within `SEED_WAIT_MS`."""
    error: str = ""


@dataclass(frozen=True)
class Repeatability:
    """Report card of a game: the result of playing its first steps twice, the second time under load."""

    game: str
    verdict: Literal["repeatable", "marked", "different", "no effect", "error"]
    detail: str = ""
    first: FirstSteps | None = None
    second: FirstSteps | None = None

    @property
    def ok(self) -> bool:
        return self.verdict in ("repeatable", "marked")

    def rows(self, game: Game) -> list[tuple[str, str]]:
        """Returns the lines of the card: what was examined, and the result."""
        if self.first is None or self.second is None or self.first.record is None or self.second.record is None:
            return [("opens", f"no: {self.detail}")]
        one, two = self.first.record, self.second.record
        missing = [h.removeprefix("missing file: ") for h in one.health if h not in (BLANK, UNMOVED)]
        controls = ", ".join(c.id for r in game.roles for c in r.controls if not c.wait)
        rows = [
            ("verdict", f"{self.verdict}{f': {self.detail}' if self.detail else ''}"),
            ("opens", "yes"),
            ("reacts to", controls or "nothing that was tried"),
            ("seeds", "differ" if self.first.seeds_differ else f"equal for {SEED_WAIT_MS / 1e3:g} s without input"),
            ("states", _equal(one.state_chain == two.state_chain)),
            ("pictures", _equal(one.frame_chain == two.frame_chain)),
            ("blocked", f"{one.blocked_requests} requests to other sites" if one.blocked_requests else "none"),
            ("missing", ", ".join(missing) or "none"),
            ("errors", "; ".join(e.splitlines()[0][:120] for e in one.page_errors[:3] if e) or "none"),
        ]
        rows += [("notes", note) for note in one.caveats if note not in self.first.marks]
        return [*rows, ("steps/s", f"{one.steps / one.wall_s:.1f}" if one.wall_s else "?")]


def _equal(same: bool) -> str:
    return f"two plays, one under load: {'equal' if same else 'DIFFERENT'}"


async def _first_steps(steps: int, browser: BrowserSource, game: Game) -> FirstSteps:
    """Plays the first environment steps of a game's first task with random actions of a fixed seed."""
    pictures = game.kind == "browser"
    record = (await play_steps(browser, game, game.tasks[0], _PLAYER, steps, pictures)).record
    states = [await _unattended(browser, game, seed) for seed in (SEED, SEED + 1)]
    return FirstSteps(game.id, record, () if record.reproducible else record.caveats, states[0] != states[1])


async def _unattended(browser: BrowserSource, game: Game, seed: int) -> list[str]:
    """Returns the hashes of the states and pictures of a game that is left alone."""
    wanted = ObservationSpec(format="png" if game.kind == "browser" else "none")
    environment = await open_environment(Opening(game, game.tasks[0], seed, browser, observation=wanted))
    found: list[str] = []
    try:
        for wait_ms in (0, SEED_WAIT_MS):
            await environment.advance(wait_ms)
            views = (await environment.observe(game.roles[0].name, wanted)).views
            found += [(await environment.read()).state_hash, *(digest(view.data) for view in views)]
        return found
    finally:
        await environment.close()


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
        for game, a, b in zip(batch, alone, loaded, strict=True):
            results.append(_compare(game, a, b))
            if on_checked:
                on_checked(results[-1])
    return results


def _compare(game: Game, first: FirstSteps, second: FirstSteps) -> Repeatability:
    """Compares the first steps of two plays of the same actions."""
    if error := first.error or second.error:
        return Repeatability(first.game, "error", error)
    one, two = first.record, second.record
    assert one and two
    states, pictures = one.state_chain == two.state_chain, one.frame_chain == two.frame_chain
    differ = " and ".join(what for what, same in (("states", states), ("pictures", pictures)) if not same)
    if marks := first.marks or second.marks:
        found = f"differed in {differ}" if differ else "were equal"
        return Repeatability(first.game, "marked", f"{'; '.join(marks)}. Two plays {found}", first, second)
    if differ:
        detail = f"two plays of the same actions gave different {differ}: the page depends on real time or the machine"
        return Repeatability(first.game, "different", detail, first, second)
    if BLANK in one.health:
        return Repeatability(first.game, "no effect", BLANK, first, second)
    if UNMOVED in one.health or all(c.wait for r in game.roles for c in r.controls):
        return Repeatability(first.game, "no effect", UNMOVED, first, second)
    return Repeatability(first.game, "repeatable", "", first, second)


@contextmanager
def _busy_processors() -> Iterator[None]:
    """Keeps all processors busy during the block."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
        for process in busy:
            process.wait()
