"""Finds the signature of a value that a player moves: where it lies in memory, start after start, and what marks it.

Nobody has to know the game's code: scan for every number, filter by what was done (up, down, nothing), tell the value
from its copies by locking halves of what is left (a game that no longer follows has its value among the locked ones),
start again with another seed, and keep the bytes around it that were the same all the time. What is written into memory
here is written in a page of its own; no episode ever does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from gwray.actions import Action
from gwray.authoring.lab import joint_action
from gwray.catalog import Game, Task, read_solutions
from gwray.environments import BrowserSource, Opening, open_environment
from gwray.environments.browser import BrowserEnvironment
from gwray.errors import GameError, UsageError, choose
from gwray.sandbox import Span
from gwray.signatures import FORMATS, Candidates, Change, Pattern, common_bytes, fewest_bytes, size_of
from gwray.spec import ObservationSpec

ROUND: tuple[Change, ...] = ("up", "idle", "down", "idle")
MOST_ROUNDS = 12
IDLE_MS = 500
FRAMES_A_SECOND = 60
UNSEEN = ObservationSpec(format="none")
Say = Callable[[str], None]


@dataclass(frozen=True)
class ProbeControls:
    """How the value is moved: two controls of the game, entries such as `move_forward`."""

    up: str
    down: str


@dataclass(frozen=True)
class GameStart:
    """What one start of the game came to."""

    seed: int
    scanned: int
    """Numbers that it could have been at first."""
    filtered: int
    """Of these, what was left when filtering left the same as before: the value and its copies."""
    locks: int
    """How often half of them were locked."""
    place: Span


@dataclass(frozen=True)
class FoundSignature:
    """A signature, as `game.yaml` has it, and how it was found."""

    field: str
    type: str
    pattern: str
    offset: int
    boots: tuple[GameStart, ...]
    played: tuple[str, ...]
    """The tasks whose solutions were played to see which bytes change later on."""

    @property
    def yaml(self) -> str:
        """To be put into a `game.yaml`."""
        return (
            f'state: memory\nsignatures:\n  - pattern: "{self.pattern}"\n    fields:\n'
            f"      {self.field}: {{offset: {self.offset}, type: {self.type}}}"
        )


@dataclass(frozen=True)
class _Seen:
    """What lay around the value at many instants of one episode, and all memories at the last of them."""

    place: Span
    around: list[tuple[bytes, bytes]]
    """The bytes before where the value begins, and those from there on."""
    memories: list[bytes]


async def find_signature(
    game: Game,
    task: Task,
    moving: ProbeControls,
    browser: BrowserSource,
    *,
    field: str,
    kind: str = "f64",
    boots: int = 4,
    around: int = 64,
    seed: int = 42,
    say: Say = lambda _: None,
) -> FoundSignature:
    """Find the signature of one value over several starts of a task.

    The committed solutions of the game are played, too: what changes then is no mark of the value.

    Args:
        moving: what makes the value larger and smaller at the task's beginning; nothing may be in the way.
        field: the state field that it is, such as `game_state.player.x`: one that `getState()` tells, or that a task or
            a signature of the game names. One that is told has to follow `moving`.
        kind: `f64`, `f32`, `i32`, `u16`, `i16` or `u8`.
        boots: how many starts, with the seeds `seed`, `seed + 1`, …
        around: bytes on each side of the value that are looked at.
        say: is told how far it is.

    Raises:
        UsageError: no such control, type or field, a field that does not follow, a game that is no page or is played by
            several, less than two starts.
        GameError: no value does what was said, or nothing marks it.
    """
    if kind not in FORMATS:
        raise choose("type", kind, list(FORMATS))
    if boots < 2:
        raise UsageError(f"{boots} starts given; what changes from one to the next shows with 2 or more")
    if game.kind != "browser" or len(game.roles) != 1:
        raise UsageError(f"{game.id} is not a page that one role plays, and only in such is a signature looked for")
    search = _Search(game, browser, moving, field, kind, around)
    episodes: list[_Seen] = []
    done: list[GameStart] = []
    for n in range(boots):
        boot, seen = await search.boot(task, seed + n)
        done.append(boot)
        episodes.append(seen)
        say(
            f"start {n + 1} of {boots} (seed {boot.seed}): {boot.scanned:,} numbers, {boot.filtered} after filtering, "
            f"1 after {boot.locks} locks, at {boot.place.offset:#x} of memory {boot.place.memory}"
        )
    pattern, offset = _mark(episodes, field)
    played = []
    for other, solution in read_solutions(game).items():
        say(f"playing the solution of {other}")
        episodes.append(
            await search.watched(game.task(other), seed, solution.roles[game.roles[0].name], pattern, offset)
        )
        played.append(other)
    pattern, offset = _mark(episodes, field)
    return FoundSignature(field, kind, str(pattern), offset, tuple(done), tuple(played))


class _Search:
    """Starts of one game, without pictures."""

    def __init__(self, game: Game, browser: BrowserSource, moving: ProbeControls, field: str, kind: str, around: int):
        self._game = game.model_copy(update={"state": "page", "signatures": ()})
        self._browser = browser
        self._moving = moving
        self._field = field
        self._named = _named_fields(game)
        self._kind = kind
        self._around = around
        self._does: dict[Change, dict[str, Action]] = {
            "up": joint_action(game, [moving.up]),
            "down": joint_action(game, [moving.down]),
            "idle": {},
        }

    async def boot(self, task: Task, seed: int) -> tuple[GameStart, _Seen]:
        """Start the game, and find where the value lies this time."""
        async with self._opened(task, seed) as world:
            memory = world.page.memory
            told = _told_fields((await world.read()).state)
            if self._field not in (known := {*told, *self._named}):
                raise choose("field", self._field, sorted(known))
            if not await memory.find():
                raise GameError(f"{self._game.id} has no WebAssembly memory, so no value of it can be found in one")
            seen = [await memory.whole()]
            candidates = Candidates.scan(self._kind, seen[0])
            scanned = len(candidates)

            async def do(change: Change) -> list[bytes]:
                await self._do(world, change)
                seen.append(await memory.whole())
                return seen[-1]

            candidates = await self._filtered(world, candidates, do)
            filtered, locks = candidates, 0
            while len(candidates) > 1:
                candidates, locks = await self._half(world, candidates.seen(seen[-1]), do), locks + 1
            await self._confirm(world, candidates.seen(seen[-1]), filtered.seen(seen[-1]), do)
            (place,) = candidates.spans()
            around = [self._near(held[place.memory], place) for held in seen]
            return GameStart(seed, scanned, len(filtered), locks, place), _Seen(place, around, seen[-1])

    async def watched(self, task: Task, seed: int, entries: Sequence[str], pattern: Pattern, offset: int) -> _Seen:
        """Play an episode, and look around the value after every step."""
        async with self._opened(task, seed) as world:
            memory = world.page.memory
            await memory.find()
            held = await memory.whole()
            hits = [(n, at + offset) for n, data in enumerate(held) for at in pattern.places(data)]
            if len(hits) != 1:
                raise GameError(
                    f"at the start of {task.id} the bytes that all starts had in common are in {len(hits)} places "
                    f"({pattern}); look at more bytes (`--around`)"
                )
            place = Span(*hits[0], size_of(self._kind))
            begin = max(0, place.offset - self._around)
            end = min(memory.sizes[place.memory], place.offset + place.length + self._around)
            window = Span(place.memory, begin, end - begin)
            around = [self._near(held[place.memory], place)]
            for entry in entries:
                await world.step(joint_action(self._game, [entry]), look=False)
                (data,) = await memory.read([window])
                around.append((data[: place.offset - begin], data[place.offset - begin :]))
            return _Seen(place, around, await memory.whole())

    async def _filtered(
        self, world: BrowserEnvironment, candidates: Candidates, do: Callable[[Change], Awaitable[list[bytes]]]
    ) -> Candidates:
        """Up, nothing, down, nothing, until a round leaves as many as the one before."""
        for _ in range(MOST_ROUNDS):
            before = len(candidates)
            for change in ROUND:
                told = await self._told(world)
                memories = await do(change)
                self._check_follows(change, told, await self._told(world))
                candidates = candidates.filtered(change, memories)
                if not len(candidates):
                    raise GameError(
                        f"no {self._kind} in memory went up, down and stood still as it was told (the last left at "
                        f"'{change}'); is something in the way, or is it another type?"
                    )
            if len(candidates) == before:
                break
        return candidates

    async def _told(self, world: BrowserEnvironment) -> object:
        """What the page says that the field is; None: nothing."""
        return _told_fields((await world.read()).state).get(self._field)

    def _check_follows(self, change: Change, before: object, after: object) -> None:
        """`UsageError` where the page itself says that the field does not do what it was told to."""
        if change == "idle" or before is None or after is None:
            return
        control = self._moving.up if change == "up" else self._moving.down
        how = "larger" if change == "up" else "smaller"
        if before == after:
            raise UsageError(
                f"{self._field} stays {before} while '{control}' is done, which is to make it {how}; give controls "
                "that change it, at a task where nothing is in the way"
            )
        if isinstance(before, int | float) and isinstance(after, int | float) and (after > before) != (change == "up"):
            raise UsageError(
                f"{self._field} went from {before} to {after} while '{control}' was done, which is to make it {how}"
            )

    async def _half(
        self, world: BrowserEnvironment, candidates: Candidates, do: Callable[[Change], Awaitable[list[bytes]]]
    ) -> Candidates:
        """The half that has the value: with it locked the game stands still, and no copy moves either."""
        locked, free = candidates.halves()
        async with _held(world, locked):
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
        all_: Candidates,
        do: Callable[[Change], Awaitable[list[bytes]]],
    ) -> None:
        """With this one locked, none of the others follows what is done."""
        async with _held(world, one):
            after = await do("up")
        if n := len(all_.followed("up", after)):
            raise GameError(
                f"{n + 1} {self._kind} in memory follow the controls, and the game follows none of them; do these "
                "controls move the value, and is it of another type?"
            )

    async def _do(self, world: BrowserEnvironment, change: Change) -> None:
        if change == "idle":
            await world.advance(IDLE_MS)
        else:
            await world.step(self._does[change], look=False)

    def _near(self, data: bytes, place: Span) -> tuple[bytes, bytes]:
        begin = max(0, place.offset - self._around)
        return data[begin : place.offset], data[place.offset : place.offset + place.length + self._around]

    @asynccontextmanager
    async def _opened(self, task: Task, seed: int) -> AsyncIterator[BrowserEnvironment]:
        world = await open_environment(Opening(self._game, task, seed, self._browser, observation=UNSEEN))
        assert isinstance(world, BrowserEnvironment)
        try:
            yield world
        finally:
            await world.close()


@asynccontextmanager
async def _held(world: BrowserEnvironment, candidates: Candidates) -> AsyncIterator[None]:
    """Write their numbers back after every frame."""
    memory, spans = world.page.memory, candidates.spans()
    values = b"".join(await memory.read(spans))

    async def lock() -> None:
        await memory.write(spans, values)

    world.page.run_every(FRAMES_A_SECOND, lock)
    try:
        yield
    finally:
        world.page.run_every(FRAMES_A_SECOND, None)


def _told_fields(state: Mapping[str, object], path: str = "") -> dict[str, object]:
    """What a state tells that is no list, by its dotted path; status and ending are the page's own."""
    out: dict[str, object] = {}
    for name, value in state.items():
        if not path and name in ("status", "terminal"):
            continue
        if isinstance(value, Mapping):
            out |= _told_fields(value, f"{path}{name}.")
        elif not isinstance(value, list):
            out[path + name] = value
    return out


def _named_fields(game: Game) -> set[str]:
    """The fields that tasks and signatures of a game name."""
    found = {name for s in game.signatures for name in s.fields} | {*(game.motion.position if game.motion else ())}
    left: list[object] = [task.model_dump(mode="json", by_alias=True) for task in game.tasks]
    while left:
        said = left.pop()
        if isinstance(said, Mapping):
            found |= {said["field"]} if isinstance(said.get("field"), str) else set()
            left += said.values()
        elif isinstance(said, list):
            left += said
    return {name for name in found if name.partition(".")[0] not in ("status", "terminal")}


def _mark(episodes: Sequence[_Seen], field: str) -> tuple[Pattern, int]:
    """Few bytes that were around the value at all instants of all episodes, and nowhere else."""
    samples = [s for e in episodes for s in e.around]
    before, after = (min(len(s[side]) for s in samples) for side in (0, 1))
    common = common_bytes([s[0][len(s[0]) - before :] + s[1][:after] for s in samples])
    found = fewest_bytes(common, before, [(e.memories, e.place.memory, e.place.offset) for e in episodes])
    if found is None:
        raise GameError(
            f"nothing around {field} is the same at every start and only there: of {len(common)} bytes "
            f"{sum(v is not None for v in common)} were; look at more bytes (`--around`)"
        )
    return found
