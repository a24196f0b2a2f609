"""Reads the state at a memory signature, in a page that tries to mislead."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from gwray.catalog import Game, Signature, Solution, load_catalog, read_game, read_solutions
from gwray.environments import Environment, Opening, Pattern, Reading, open_environment
from gwray.environments.browser import BrowserEnvironment
from gwray.environments.memory_state import MemoryState
from gwray.errors import GameError, UsageError
from gwray.plugins.authoring import signatures as search
from gwray.plugins.authoring.check import replay_solution
from gwray.plugins.authoring.lab import joint_action
from gwray.plugins.authoring.signatures import ProbeControls, find_signature
from gwray.records import PressKey, events
from gwray.sandbox import Browser, BrowserOnDemand, Clock, GamePage, PageSource, Span, page_memory
from gwray.settings import ObservationSpec

TOWN = load_catalog().game("town")
UNSEEN = ObservationSpec(format="none")
TURNCOAT = read_game(Path(__file__).parent / "worlds" / "turncoat" / "game.yaml")
X = "game_state.player.x"
TRUTH = "async () => (await import(new URL('heap.js', location.href))).place()"
Z = 32
"""Bytes from the beginning of the town's block to the number that says how far north one stands."""
HEARTS = 56
NAMED = Signature.model_validate(
    {"pattern": "51 55 41 59", "fields": {"game_state.player.x": {"offset": 4, "type": "u8"}}}
)


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[BrowserOnDemand]:
    async with BrowserOnDemand() as browser:
        yield browser


async def opened(game: Game, task: str, browser: BrowserOnDemand) -> BrowserEnvironment:
    world = await open_environment(Opening(game, game.task(task), 42, browser, observation=UNSEEN))
    assert isinstance(world, BrowserEnvironment)
    return world


class Memories:
    """Memories that need no page."""

    def __init__(self, *memories: bytes):
        self.memories = [*memories]
        self.sizes: tuple[int, ...] = ()
        self.numbers: tuple[int, ...] = ()

    async def find(self) -> tuple[int, ...]:
        self.sizes = tuple(map(len, self.memories))
        self.numbers = tuple(range(len(self.memories)))
        return self.sizes

    async def find_bytes(self, wanted: Sequence[int | None]) -> list[Span]:
        pattern = Pattern(wanted)
        return [Span(n, at, len(wanted)) for n, data in enumerate(self.memories) for at in pattern.places(data)]

    async def read(self, spans: Sequence[Span]) -> list[bytes]:
        return [self.memories[s.memory][s.offset : s.offset + s.length] for s in spans]


def state_of(memories: Memories, *signatures: dict[str, Any]) -> MemoryState:
    return MemoryState(memories, "quay", [Signature.model_validate(s) for s in signatures])  # type: ignore[arg-type]


async def test_it_is_searched_for_once_a_start():
    held = Memories(b"........QUAY\x05")
    state = state_of(held, NAMED.model_dump())
    for _ in range(3):
        assert await state.read() == {X: 5}
    assert state.searches == 1
    state.forget()
    await state.read()
    assert state.searches == 2, "what a start left behind is not trusted, even where it still looks the same"


@pytest.mark.parametrize(
    ("later", "words"),
    [
        ((b"QUAY\x06........",), "at 0x8 of a memory of 13 bytes and is now at 0x0 of the same memory of 13 bytes"),
        ((b"." * 13, b"........QUAY\x06"), "at 0x8 of a memory of 13 bytes and is now at 0x8 of another memory of 13"),
        ((b"." * 13,), "at 0x8 of a memory of 13 bytes and is now nowhere"),
    ],
)
async def test_where_it_went_without_a_reset_it_is_not_read(later: tuple[bytes, ...], words: str):
    held = Memories(b"........QUAY\x05")
    state = state_of(held, NAMED.model_dump())
    await state.read()
    held.memories = [*later]
    with pytest.raises(GameError, match=rf"quay: the signature of {X} \(51 55 41 59\) was {words}"):
        await state.read()


async def test_confirm_requires_unmoved_unique_signature():
    held = Memories(b"QUAY\x05....")
    state = state_of(held, NAMED.model_dump())
    await state.confirm()
    assert state.searches == 0, "nothing was read that could be wrong"
    await state.read()
    held.memories = [b"QUAY\x05........."]
    await state.confirm()
    held.memories = [b"QUAY\x05....", b"..QUAY\x06"]
    assert await state.read() == {X: 5}, "the old bytes look as they did"
    with pytest.raises(GameError, match="and is now there and at 0x2 of another memory of 7 bytes"):
        await state.confirm()


async def test_a_signature_that_is_nowhere_or_twice_is_the_games_fault():
    with pytest.raises(GameError, match=r"signature of game_state.player.x \(51 55 41 59\) is in no memory.*13 bytes"):
        await state_of(Memories(b"QUAX........."), NAMED.model_dump()).read()
    with pytest.raises(GameError, match="is in 2 places of the page's memories, such as 0x0, 0x6; it needs more bytes"):
        await state_of(Memories(b"QUAY..QUAY.."), NAMED.model_dump()).read()


async def test_a_page_can_neither_notice_nor_show_other_bytes(browser: BrowserOnDemand):
    site = (("", Path(__file__).parent / "pages"),)
    source = PageSource(site=site, page="liar.html", query="", seed=42, viewport=(1280, 720), canvas=False)
    page = await (await browser()).open(source)
    state = MemoryState(page.memory, "liar", [NAMED])

    async def pressed(key: str) -> object:
        await page.perform(events(PressKey(key=key), 50))
        reading = await page.read()
        values = await state.read()
        assert (await page.read()).state["game_state"]["asked"] == reading.state["game_state"]["asked"]
        return values[X], state.searches, page.memory.sizes

    try:
        with pytest.raises(GameError, match="is in 2 places"):
            await pressed("ArrowRight")
        assert await pressed("ArrowLeft") == (7, 2, (65536,)), "what the page has dropped is no second place"
        assert await pressed("ArrowUp") == (7, 2, (65536,)), "a memory that has grown is the same memory"
        assert await pressed("ArrowDown") == (9, 2, (65536,))
        await state.confirm()
        assert page.memory.sizes == (131072,)
    finally:
        await page.close()


async def hidden(browser: BrowserOnDemand, how: str, clock: Clock = "stepped") -> GamePage:
    site = (("", Path(__file__).parent / "pages"),)
    query = f"?how={how}"
    source = PageSource(site=site, page="hidden.html", query=query, seed=42, viewport=(1280, 720), canvas=False)
    return await (await browser()).open(source, clock=clock)


WAYS = (
    "no_prototype", "exported", "frame_in_a_frame", "frame_that_is_gone",
    "plain", "another_prototype", "subclass", "from_the_constructor", "buffers", "instance", "frame", "frame_of_a_text",
    "frame_exported",
)  # fmt: skip


@pytest.mark.parametrize(
    ("how", "clock"),
    [
        *(pytest.param(how, "stepped", marks=[pytest.mark.slow] * (n > 3)) for n, how in enumerate(WAYS)),
        ("frame_exported", "native"),
    ],
)
async def test_no_prototype_and_no_frame_hides_a_memory(how: str, clock: Clock, browser: BrowserOnDemand):
    page = await hidden(browser, how, clock)
    try:
        assert await MemoryState(page.memory, "hidden", [NAMED]).read() == {X: 7}
    finally:
        await page.close()


async def test_a_frame_that_cannot_be_seen_into_is_refused(browser: BrowserOnDemand):
    page = await hidden(browser, "frame_of_another_origin")
    try:
        with pytest.raises(GameError, match="the page has a frame of another origin"):
            await MemoryState(page.memory, "hidden", [NAMED]).read()
    finally:
        await page.close()


async def test_a_page_that_is_asked_for_its_state_was_read_before(browser: BrowserOnDemand):
    world = await opened(TURNCOAT, "reach", browser)
    try:
        await world.advance(100)
        assert (await world.read()).state["game_state"]["player"]["x"] == 7
        for x, entry in ((8, "count"), (8, "stay"), (8, "grow")):
            reading = await world.step(joint_action(TURNCOAT, [entry]), look=False)
            assert reading.state["game_state"]["player"]["x"] == x, "and not the 200 that it writes then"
    finally:
        await world.close()


@pytest.mark.parametrize(
    ("entries", "where"),
    [
        (["stay", "leave_both", "stay"], "and is now there and at 0x64 of another memory of 131,072 bytes"),
        (["stay", "leave", "count"], "and is now at 0x64 of another memory of 131,072 bytes"),
        pytest.param(
            ["leave", "lose", "stay"], "and is now at 0x64 of another memory of 131,072 bytes", marks=pytest.mark.slow
        ),
        (["stay", "move"], "and is now at 0x1f40 of the same memory of 65,536 bytes"),
    ],
)
async def test_moved_signature_fails_episode_and_replay(entries: list[str], where: str, browser: BrowserOnDemand):
    solution = Solution(found="by hand", roles={"player": tuple(entries)})
    said = set()
    for _ in range(2):
        with pytest.raises(GameError) as e:
            await replay_solution(browser, TURNCOAT, TURNCOAT.task("reach"), solution)
        said.add(str(e.value))
    (one,) = said
    assert one.startswith(
        f"turncoat: the signature of {X} (51 55 41 59) was at 0xfa0 of a memory of 65,536 bytes {where}"
    )


async def test_search_in_page_equals_search_in_bytes(browser: BrowserOnDemand, monkeypatch: pytest.MonkeyPatch):
    world = await opened(TOWN, "m2_goal", browser)
    try:
        memory = world.page.memory
        (size,) = await memory.find()
        await memory.write([Span(0, 0, 6), Span(0, size - 7, 7)], b"abaa.bzzababa")
        (data,) = await memory.read_all()
        for part in (2**26, 65531):
            monkeypatch.setattr(page_memory, "SEARCH_BYTES", part)
            for text in ("61", "61 ?? 61", "?? 62 61", "7a 7a 61 62 61 62 61", "00 00", data[65525:65541].hex(" ")):
                pattern = Pattern.parse(text)
                places = [Span(0, at, len(pattern)) for at in pattern.places(data)]
                assert await memory.find_bytes(pattern.values) == places[: page_memory.MAX_MATCHES]
                assert places or text == "00 00"
    finally:
        await world.close()


@pytest.mark.parametrize(
    ("game", "changed", "words"),
    [
        ("town", {"kind": "f16"}, "type 'f16' does not exist"),
        ("town", {"starts": 1}, "1 starts given"),
        ("town", {"controls": ProbeControls("fly", "move_right")}, "unknown control 'fly'"),
        ("12_fireboy-and-watergirl", {}, "is not a browser game with one role"),
    ],
)
async def test_invalid_searches_start_no_browser(game: str, changed: dict[str, Any], words: str):
    async def none() -> Browser:
        raise AssertionError("a browser was started")

    chosen = load_catalog().game(game)
    given = {"controls": ProbeControls("move_left", "move_right"), "field": "x"} | changed
    with pytest.raises(UsageError, match=words):
        await find_signature(chosen, chosen.tasks[0], given.pop("controls"), none, **given)


@pytest.mark.slow
async def test_find_signature_over_four_starts(browser: BrowserOnDemand, monkeypatch: pytest.MonkeyPatch):
    true: list[int] = []

    async def watched(opening: Opening) -> Environment:
        world = await open_environment(opening)
        assert isinstance(world, BrowserEnvironment)
        true.append(await world.page.page.evaluate(TRUTH) + Z)
        return world

    monkeypatch.setattr(search, "open_environment", watched)
    played = Solution(found="by hand", roles={"player": ("rotate_left", "move_forward", "press_a")})
    monkeypatch.setattr(search, "read_solutions", lambda _: {"i3_goal": played})
    found = await find_signature(
        TOWN, TOWN.task("m2_goal"), ProbeControls("move_left", "move_right"), browser, field="game_state.player.z"
    )
    *starts, _ = true
    assert [b.place.offset for b in found.starts] == starts
    assert len({*starts}) == 4
    assert all(b.filtered > 1 for b in found.starts), "copies follow the value until it is locked"
    assert (found.pattern, found.offset) == (TOWN.signatures[0].pattern[: len(found.pattern)], Z)


@pytest.mark.slow
async def test_swapped_controls_are_reported(browser: BrowserOnDemand):
    wrong = ProbeControls("move_right", "move_left")
    with pytest.raises(GameError, match=r"check that nothing is in the way|check that the controls change the value"):
        await find_signature(TOWN, TOWN.task("m2_goal"), wrong, browser, field="game_state.player.z")


@pytest.mark.slow
async def test_memory_equals_get_state_at_every_step(browser: BrowserOnDemand):
    town = await opened(TOWN, "i3_goal", browser)
    assert town.memory is not None
    try:
        places = set()
        for seed in (42, 42, 43):
            await town.reset(seed)
            assert not town.memory.places, "known only once it has been looked for"
            await same(town, await town.read())
            places.add((town.memory.places[0], await town.page.page.evaluate(TRUTH)))
        assert len(places) == 3
        assert all(span.offset == truth for span, truth in places)
        for entry in read_solutions(TOWN)["i3_goal"].roles["player"]:
            reading = await town.step(joint_action(TOWN, [entry]), look=False)
            state = await same(town, reading)
        assert state["game_state"]["flags"]["gate_open"] is True
        assert town.memory.searches == 5, "one search a start, one before each reset, and none while it is played"
        (block,) = town.memory.places
        await town.page.memory.write([Span(block.memory, block.offset + HEARTS, 4)], b"\x02\0\0\0")
        said, read = await town.page.read(), await town.read()
        assert (said.state["game_state"]["hearts"], read.state["game_state"]["hearts"]) == (3, 2)
        assert read.state_hash != said.state_hash, "memory counts, not what the page says"
    finally:
        await town.close()


async def same(town: BrowserEnvironment, reading: Reading) -> dict[str, Any]:
    """Returns the state read from memory, which is what the page reports."""
    page = await town.page.read()
    assert reading.state == page.state
    assert reading.state_hash == page.state_hash
    return reading.state


def test_every_field_that_decides_a_quest_is_in_memory():
    """Goals, milestones, tags and the motion of the measured town are read by signature."""
    fields = {name for signature in TOWN.signatures for name in signature.fields}
    for task in TOWN.tasks:
        decides = str([task.goal, task.milestones, task.tags])
        assert {*re.findall(r"game_state[.\w]+", decides)} <= fields, task.id
    assert TOWN.motion and {*TOWN.motion.position} <= fields
