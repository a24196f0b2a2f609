"""Finds the memory signature of a value that controls can change.

No knowledge of the game's code is necessary. In each of several starts, with different seeds: scan memory for all
numbers, filter them by how they change after an action (up, down, idle), and tell the value from its copies by locking
halves of the remaining candidates (if the game no longer reacts, the value is among the locked ones). The signature is
made of the bytes around the value that are the same at all times. Memory is only written in pages opened for this
search, never in an episode.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from gwray.catalog import Game, Task, read_solutions
from gwray.environments import BrowserSource, Opening, Pattern, open_environment, size_of
from gwray.environments.browser import BrowserEnvironment
from gwray.errors import GameError, UsageError, choose
from gwray.plugins.authoring.candidates import FORMATS, Candidates, Change
from gwray.plugins.authoring.lab import joint_action
from gwray.plugins.authoring.patterns import common_bytes, shortest_pattern
from gwray.records import Action
from gwray.sandbox import Span
from gwray.settings import ObservationSpec

ROUND: tuple[Change, ...] = ("up", "idle", "down", "idle")
MAX_ROUNDS = 12
IDLE_MS = 500
FRAMES_PER_SECOND = 60
NO_SCREENSHOTS = ObservationSpec(format="none")


@dataclass(frozen=True)
class ProbeControls:
    """The controls that increase and decrease the value, as entries such as `move_forward`."""

    up: str
    down: str


@dataclass(frozen=True)
class GameStart:
    """Result of one start of the game."""

    seed: int
    scanned: int
    """Number of candidates of the scan."""
    filtered: int
    """Number of candidates after filtering: the value and its copies."""
    locks: int
    """Number of times that half of the candidates were locked."""
    place: Span


@dataclass(frozen=True)
class FoundSignature:
    """A signature in the terms of `game.yaml`, and how it was found."""

    field: str
    type: str
    pattern: str
    offset: int
    starts: tuple[GameStart, ...]
    played: tuple[str, ...]
    """Tasks whose solutions were played to find bytes that change later."""

    @property
    def yaml(self) -> str:
        """The lines for `game.yaml`."""
        return (
            f'state: memory\nsignatures:\n  - pattern: "{self.pattern}"\n    fields:\n'
            f"      {self.field}: {{offset: {self.offset}, type: {self.type}}}"
        )


@dataclass(frozen=True)
class _Samples:
    """The bytes around the value at many instants of an episode, and all memories at the last instant."""

    place: Span
    around: list[tuple[bytes, bytes]]
    """For each instant: the bytes before the value, and the bytes from its start on."""
    memories: list[bytes]


async def find_signature(
    game: Game,
    task: Task,
    controls: ProbeControls,
    browser: BrowserSource,
    *,
    field: str,
    kind: str = "f64",
    starts: int = 4,
    around: int = 64,
    seed: int = 42,
    report: Callable[[str], None] = lambda _: None,
) -> FoundSignature:
    """Finds the signature of a value over several starts of a task.

    The committed solutions of the game are played as well: bytes that change then are not used.

    Args:
        controls: controls that increase and decrease the value at the start of the task, without an obstacle.
        field: name of the value in the state, such as `game_state.player.x`.
        kind: `f64`, `f32`, `i32`, `u16`, `i16` or `u8`.
        starts: number of starts, with the seeds `seed`, `seed + 1`, …
        around: number of bytes to use on each side of the value.
        report: receives progress messages.

    Raises:
        UsageError: unknown control or type; a game that is not a page or has several roles; fewer than two starts.
        GameError: no value follows the controls, or no bytes identify it.
    """
    if kind not in FORMATS:
        raise choose("type", kind, list(FORMATS))
    if starts < 2:
        raise UsageError(f"{starts} starts given; at least 2 are required to compare them")
    if game.kind != "browser" or len(game.roles) != 1:
        raise UsageError(f"{game.id} is not a browser game with one role; signatures can only be found in such games")
    search = _Search(game, browser, controls, kind, around)
    episodes: list[_Samples] = []
    done: list[GameStart] = []
    for n in range(starts):
        start, samples = await search.start(task, seed + n)
        done.append(start)
        episodes.append(samples)
        report(
            f"start {n + 1} of {starts} (seed {start.seed}): {start.scanned:,} numbers, {start.filtered} after "
            f"filtering, 1 after {start.locks} locks, at {start.place.offset:#x} of memory {start.place.memory}"
        )
    pattern, offset = _find_pattern(episodes, field)
    played = []
    distinct = {(game.task(t).options, found.roles[game.roles[0].name]): t for t, found in read_solutions(game).items()}
    for (_, actions), other in distinct.items():
        report(f"playing the solution of {other}")
        episodes.append(await search.play_solution(game.task(other), seed, actions, pattern, offset))
        played.append(other)
    pattern, offset = _find_pattern(episodes, field)
    return FoundSignature(field, kind, str(pattern), offset, tuple(done), tuple(played))


class _Search:
    """Starts of a game without screenshots."""

    def __init__(self, game: Game, browser: BrowserSource, controls: ProbeControls, kind: str, around: int):
        self._game = game.model_copy(update={"state": "page", "signatures": ()})
        self._browser = browser
        self._kind = kind
        self._around = around
        self._actions: dict[Change, dict[str, Action]] = {
            "up": joint_action(game, [controls.up]),
            "down": joint_action(game, [controls.down]),
            "idle": {},
        }

    async def start(self, task: Task, seed: int) -> tuple[GameStart, _Samples]:
        """Starts the game and finds the position of the value."""
        async with self._opened(task, seed) as world:
            memory = world.page.memory
            if not await memory.find():
                raise GameError(f"{self._game.id} has no WebAssembly memory, so no value of it can be found in one")
            snapshots = [await memory.read_all()]
            candidates = Candidates.scan(self._kind, snapshots[0])
            scanned = len(candidates)

            async def do(change: Change) -> list[bytes]:
                if change == "idle":
                    await world.advance(IDLE_MS)
                else:
                    await world.step(self._actions[change], look=False)
                snapshots.append(await memory.read_all())
                return snapshots[-1]

            candidates = await self._filtered(candidates, do)
            filtered, locks = candidates, 0
            while len(candidates) > 1:
                candidates, locks = await self._lock_half(world, candidates.refreshed(snapshots[-1]), do), locks + 1
            await self._confirm(world, candidates.refreshed(snapshots[-1]), filtered.refreshed(snapshots[-1]), do)
            (place,) = candidates.spans()
            around = [self._near(memories[place.memory], place) for memories in snapshots]
            return GameStart(seed, scanned, len(filtered), locks, place), _Samples(place, around, snapshots[-1])

    async def play_solution(
        self, task: Task, seed: int, entries: Sequence[str], pattern: Pattern, offset: int
    ) -> _Samples:
        """Plays an episode and reads the bytes around the value after every step."""
        async with self._opened(task, seed) as world:
            memory = world.page.memory
            await memory.find()
            memories = await memory.read_all()
            hits = [(n, at + offset) for n, data in enumerate(memories) for at in pattern.places(data)]
            if len(hits) != 1:
                raise GameError(
                    f"at the start of {task.id} the common bytes of all starts are in {len(hits)} places "
                    f"({pattern}); use more bytes (`--around`)"
                )
            place = Span(*hits[0], size_of(self._kind))
            begin = max(0, place.offset - self._around)
            end = min(memory.sizes[place.memory], place.offset + place.length + self._around)
            window = Span(place.memory, begin, end - begin)
            around = [self._near(memories[place.memory], place)]
            for entry in entries:
                await world.step(joint_action(self._game, [entry]), look=False)
                (data,) = await memory.read([window])
                around.append((data[: place.offset - begin], data[place.offset - begin :]))
            return _Samples(place, around, await memory.read_all())

    async def _filtered(self, candidates: Candidates, do: Callable[[Change], Awaitable[list[bytes]]]) -> Candidates:
        """Repeats up, idle, down, idle until a round removes no candidate."""
        for _ in range(MAX_ROUNDS):
            before = len(candidates)
            for change in ROUND:
                candidates = candidates.filtered(change, await do(change))
                if not len(candidates):
                    raise GameError(
                        f"no {self._kind} in memory follows the controls (the last candidates failed at "
                        f"'{change}'); check that nothing is in the way, or try another type"
                    )
            if len(candidates) == before:
                break
        return candidates

    async def _lock_half(
        self, world: BrowserEnvironment, candidates: Candidates, do: Callable[[Change], Awaitable[list[bytes]]]
    ) -> Candidates:
        """Returns the half of the candidates that contains the value: while it is locked, neither the game nor the
        copies move."""
        locked, free = candidates.halves()
        async with _locked(world, locked):
            after = await do("up")
        moved = free.followed("up", after)
        if not len(moved):
            return locked
        await do("down")
        return moved

    async def _confirm(
        self,
        world: BrowserEnvironment,
        one: Candidates,
        others: Candidates,
        do: Callable[[Change], Awaitable[list[bytes]]],
    ) -> None:
        """Checks that no other candidate follows the controls while this one is locked."""
        async with _locked(world, one):
            after = await do("up")
        if n := len(others.followed("up", after)):
            raise GameError(
                f"{n + 1} {self._kind} in memory follow the controls, but the game follows none of them; check that "
                "the controls change the value, or try another type"
            )

    def _near(self, data: bytes, place: Span) -> tuple[bytes, bytes]:
        begin = max(0, place.offset - self._around)
        return data[begin : place.offset], data[place.offset : place.offset + place.length + self._around]

    @asynccontextmanager
    async def _opened(self, task: Task, seed: int) -> AsyncIterator[BrowserEnvironment]:
        world = await open_environment(Opening(self._game, task, seed, self._browser, observation=NO_SCREENSHOTS))
        assert isinstance(world, BrowserEnvironment)
        try:
            yield world
        finally:
            await world.close()


@asynccontextmanager
async def _locked(world: BrowserEnvironment, candidates: Candidates) -> AsyncIterator[None]:
    """Writes the current values of the candidates back after every frame."""
    memory, spans = world.page.memory, candidates.spans()
    values = b"".join(await memory.read(spans))

    async def lock() -> None:
        await memory.write(spans, values)

    world.page.run_every(FRAMES_PER_SECOND, lock)
    try:
        yield
    finally:
        world.page.run_every(FRAMES_PER_SECOND, None)


def _find_pattern(episodes: Sequence[_Samples], field: str) -> tuple[Pattern, int]:
    """Returns a short pattern of bytes that occur around the value at all instants, and nowhere else."""
    samples = [s for e in episodes for s in e.around]
    before, after = (min(len(s[side]) for s in samples) for side in (0, 1))
    common = common_bytes([s[0][len(s[0]) - before :] + s[1][:after] for s in samples])
    found = shortest_pattern(common, before, [(e.memories, e.place.memory, e.place.offset) for e in episodes])
    if found is None:
        raise GameError(
            f"no bytes around {field} identify it: {sum(v is not None for v in common)} of {len(common)} bytes are the "
            "same at every start, but they occur elsewhere, too; use more bytes (`--around`)"
        )
    return found
