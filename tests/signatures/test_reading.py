"""A state out of memory: what stands where the signature leads, in a page that would rather show something else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from gwray.actions import PressKey, events
from gwray.authoring import Moving, find_signature
from gwray.authoring import signatures as search
from gwray.authoring.lab import joint_action
from gwray.catalog import Game, Signature, Solution, load_catalog, read_solutions
from gwray.environments import Environment, Opening, Reading, open_environment
from gwray.environments.browser import BrowserEnvironment
from gwray.errors import GameError, UsageError
from gwray.sandbox import Browser, BrowserOnDemand, PageSource, Span
from gwray.signatures import MemoryState
from gwray.spec import ObservationSpec

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUAY = load_catalog().game("quay")
TOWN = load_catalog().game("town")
UNSEEN = ObservationSpec(format="none")
TRUTH = "async () => (await import(new URL('heap.js', location.href))).place()"
Z = 32
"""Bytes from the beginning of quay's block to the number that says how far north one stands."""
HEARTS = 56
NAMED = Signature.model_validate(
    {"pattern": "51 55 41 59", "fields": {"game_state.player.x": {"offset": 4, "type": "u8"}}}
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
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

    async def find(self) -> tuple[int, ...]:
        self.sizes = tuple(map(len, self.memories))
        return self.sizes

    async def whole(self) -> list[bytes]:
        return self.memories

    async def read(self, spans: Sequence[Span]) -> list[bytes]:
        return [self.memories[s.memory][s.offset : s.offset + s.length] for s in spans]


def state_of(memories: Memories, *signatures: dict[str, Any]) -> MemoryState:
    return MemoryState(memories, [Signature.model_validate(s) for s in signatures])  # type: ignore[arg-type]


async def test_values_are_put_where_the_state_has_them_and_what_was_read_stays_as_it_was():
    before = {"game_state": {"player": {"x": 1, "name": "Ada"}}}
    where = {"pattern": "51 55", "fields": {"game_state.player.x": {"offset": -1, "type": "u8"},
                                            "metrics.hearts": {"offset": 2, "type": "u8"}}}  # fmt: skip
    after = await state_of(Memories(b"....", b"\x00\x07\x51\x55\x03"), where).completed(before)
    assert after == {"game_state": {"player": {"x": 7, "name": "Ada"}}, "metrics": {"hearts": 3}}
    assert before == {"game_state": {"player": {"x": 1, "name": "Ada"}}}


async def test_it_is_searched_for_once_and_again_when_it_has_gone():
    held = Memories(b"........QUAY\x05")
    state = state_of(held, NAMED.model_dump())
    for _ in range(3):
        assert (await state.completed({}))["game_state"]["player"]["x"] == 5
    assert state.searches == 1
    held.memories = [b"QUAY\x06........"]
    assert (await state.completed({}))["game_state"]["player"]["x"] == 6
    assert state.searches == 2
    state.forget()
    await state.completed({})
    assert state.searches == 3, "what a start left behind is not trusted, even where it still looks the same"


async def test_a_signature_that_is_nowhere_or_twice_is_the_games_fault():
    with pytest.raises(GameError, match=r"signature of game_state.player.x \(51 55 41 59\) is in no memory.*13 bytes"):
        await state_of(Memories(b"QUAX........."), NAMED.model_dump()).completed({})
    with pytest.raises(GameError, match="is in 2 places of the page's memories, such as 0x0, 0x6; it needs more bytes"):
        await state_of(Memories(b"QUAY..QUAY.."), NAMED.model_dump()).completed({})


async def test_a_field_that_cannot_be_put_into_the_state_is_named():
    with pytest.raises(GameError, match="read from memory: the page's 'player' is no object"):
        await state_of(Memories(b"QUAY\x05"), NAMED.model_dump()).completed({"game_state": {"player": "Ada"}})


async def test_a_page_can_neither_notice_nor_show_other_bytes(browser: BrowserOnDemand):
    site = (("", Path(__file__).parent / "pages"),)
    source = PageSource(site=site, page="liar.html", query="", seed=42, viewport=(1280, 720), canvas=False)
    page = await (await browser()).open(source)
    state = MemoryState(page.memory, [NAMED])

    async def pressed(key: str) -> object:
        await page.perform(events(PressKey(key=key), 50))
        reading = await page.read()
        after = await state.completed(reading.state)
        assert (await page.read()).state["game_state"]["asked"] == reading.state["game_state"]["asked"]
        return after["game_state"]["player"]["x"], state.searches, page.memory.sizes

    try:
        with pytest.raises(GameError, match="is in 2 places"):
            await pressed("ArrowRight")
        assert await pressed("ArrowLeft") == (7, 2, (65536,)), "what the page has dropped is no second place"
        assert await pressed("ArrowUp") == (7, 2, (65536,)), "a memory that has grown is the same memory"
        assert await pressed("ArrowDown") == (9, 2, (65536,))
    finally:
        await page.close()


@pytest.mark.parametrize(
    ("game", "changed", "words"),
    [
        ("quay", {"kind": "f16"}, "type 'f16' does not exist"),
        ("quay", {"boots": 1}, "1 starts given"),
        ("quay", {"moving": Moving("fly", "move_right")}, "unknown control 'fly'"),
        ("12_fireboy-and-watergirl", {}, "is not a page that one role plays"),
    ],
)
async def test_what_cannot_be_searched_is_refused_before_a_browser_starts(
    game: str, changed: dict[str, Any], words: str
):
    async def none() -> Browser:
        raise AssertionError("a browser was started")

    chosen = load_catalog().game(game)
    given = {"moving": Moving("move_left", "move_right"), "field": "x"} | changed
    with pytest.raises(UsageError, match=words):
        await find_signature(chosen, chosen.tasks[0], given.pop("moving"), none, **given)


async def test_the_true_address_is_found_among_its_copies_over_four_starts(
    browser: BrowserOnDemand, monkeypatch: pytest.MonkeyPatch
):
    true: list[int] = []

    async def watched(opening: Opening) -> Environment:
        world = await open_environment(opening)
        assert isinstance(world, BrowserEnvironment)
        true.append(await world.page.page.evaluate(TRUTH) + Z)
        return world

    monkeypatch.setattr(search, "open_environment", watched)
    played = Solution(found="by hand", roles={"player": ("rotate_left", "move_forward", "press_a")})
    monkeypatch.setattr(search, "read_solutions", lambda _: {"quay_i3": played})
    found = await find_signature(
        QUAY, QUAY.task("quay_m2"), Moving("move_left", "move_right"), browser, field="game_state.player.z"
    )
    *starts, _ = true
    assert [b.place.offset for b in found.boots] == starts
    assert len({*starts}) == 4
    assert all(b.filtered > 1 for b in found.boots), "copies follow the value until it is locked"
    assert (found.pattern, found.offset) == (QUAY.signatures[0].pattern[: len(found.pattern)], Z)


async def test_controls_that_are_the_wrong_way_round_find_nothing_and_say_so(browser: BrowserOnDemand):
    wrong = Moving("move_right", "move_left")
    with pytest.raises(GameError, match=r"is something in the way|do these controls move the value"):
        await find_signature(QUAY, QUAY.task("quay_m2"), wrong, browser, field="game_state.player.z")


async def test_memory_says_what_get_state_says_at_every_step_and_after_a_reset(browser: BrowserOnDemand):
    quay = await opened(QUAY, "quay_i3", browser)
    town = await opened(TOWN, "i3_goal", browser)
    assert quay.memory is not None
    try:
        places = set()
        for seed in (42, 42, 43):
            await quay.reset(seed)
            assert not quay.memory.places, "known only once it has been looked for"
            await town.reset(seed)
            await same(quay, await quay.read(), town)
            places.add((quay.memory.places[0], await quay.page.page.evaluate(TRUTH)))
        assert len(places) == 3
        assert all(span.offset == truth for span, truth in places)
        for entry in read_solutions(QUAY)["quay_i3"].roles["player"]:
            action = joint_action(QUAY, [entry])
            reading = await quay.step(action, look=False)
            await town.step(action, look=False)
            state = await same(quay, reading, town)
        assert state["game_state"]["flags"]["gate_open"] is True
        assert quay.memory.searches == 3, "one search a start, and none while it is played"
        (block,) = quay.memory.places
        await quay.page.memory.write([Span(block.memory, block.offset + HEARTS, 4)], b"\x02\0\0\0")
        said, read = await quay.page.read(), await quay.read()
        assert (said.state["game_state"]["hearts"], read.state["game_state"]["hearts"]) == (3, 2)
        assert read.state_hash != said.state_hash, "memory counts, not what the page says"
    finally:
        await quay.close()
        await town.close()


async def same(quay: BrowserEnvironment, reading: Reading, town: BrowserEnvironment) -> dict[str, Any]:
    """What was read from memory is what the page says, and what the town says where nothing is in memory."""
    page, there = await quay.page.read(), await town.read()
    assert reading.state == page.state
    assert reading.state_hash == page.state_hash
    assert {**reading.state, "gameId": "town"} == there.state
    return reading.state
