"""State and screenshot after n updates depend only on options, seed and input."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gwray.records import Click, ClickHold, Drag, Event, PressKey, PressKeys, Scroll, Type, Wait, events, merge

OpenGame = Callable[..., Awaitable[Any]]
"""The fixture of this folder: opens a page, `Lab` in conftest.py."""

HOLD = 200.0


def without_date(state: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in state.items() if k != "timestampMs"}


ACTIONS = {
    "a held key": [PressKey(key="ArrowLeft")],
    "keys held together": [PressKeys(keys=("ArrowLeft", "Space"))],
    "a key between two waits": [Wait(), PressKey(key="a", duration_ms=50), Wait(duration_ms=130)],
    "a key shorter than a frame": [PressKey(key="a", duration_ms=5), PressKey(key="a", duration_ms=5)],
    "typed text": [Type(text="aA 1")],
    "a digit while Shift is held": [PressKeys(keys=("Shift", "1"))],
    "clicks": [Click(x=100.6, y=200.4), Click(x=300, y=20, button="right"), Click(x=5, y=5, count=2)],
    "a held click": [ClickHold(x=640.5, y=360.5, duration_ms=333)],
    "a drag": [Drag(x=100, y=100, to_x=437, to_y=251)],
    "the wheel": [Scroll(x=200, y=200, dy=120), Wait()],
    "parts of a frame": [Wait(duration_ms=7), PressKey(key="a", duration_ms=123.4), Wait(duration_ms=61.7)],
}


@pytest.mark.parametrize("name", ACTIONS)
@pytest.mark.slow
async def test_the_lab_gives_the_same_states_as_real_input(open_game: OpenGame, name: str) -> None:
    real, lab = await open_game("recorder"), await open_game("recorder")
    for action in ACTIONS[name]:
        timeline = events(action, HOLD)
        assert without_date(await real.play(timeline)) == without_date(await lab.run(timeline))


async def test_lab_releases_shared_keys_like_the_browser(open_game: OpenGame) -> None:
    real, lab = await open_game("recorder"), await open_game("recorder")
    both = merge([events(PressKey(key="a", duration_ms=100), HOLD), events(PressKey(key="a", duration_ms=200), HOLD)])
    cut = [Event(at_ms=0, kind="key_down", key="Space"), Event(at_ms=50, kind="end")]
    for timeline in (both, cut, events(Wait(), HOLD)):
        assert without_date(await real.play(timeline)) == without_date(await lab.run(timeline))


async def test_hold_of_200_ms_is_twelve_updates(open_game: OpenGame) -> None:
    page = await open_game("recorder")
    state = await page.play(events(PressKey(key="a"), HOLD))
    assert (state["game_state"]["score"], state["gameTimeMs"]) == (12, 200)
    assert (await page.play(events(PressKey(key="a"), HOLD)))["gameTimeMs"] == 400


async def test_short_press_counts_as_pressed(open_game: OpenGame) -> None:
    page = await open_game("recorder")
    tap = [Event(at_ms=0, kind=kind, key="a") for kind in ("key_down", "key_up")] + [Event(at_ms=50, kind="end")]
    first = (await page.play(tap))["raw"]["log"][0]
    assert first["at"] == 1
    assert first["heard"]["keys"] == ["a"] and first["heard"]["held"] == ["a"] and first["heard"]["released"] == ["a"]


async def test_snapshot_restores_state_keys_and_random(open_game: OpenGame) -> None:
    page = await open_game("recorder")
    await page.run(events(PressKey(key="a"), HOLD))
    await page.ask("() => { window.kept = gameAPI.lab.snapshot() }")
    futures = []
    for _ in range(2):
        states = [await page.run(events(PressKey(key=k), 170)) for k in ("a", "ArrowLeft", "a")]
        futures.append([without_date(s) for s in states])
        await page.ask("() => gameAPI.lab.restore(window.kept)")
    assert futures[0] == futures[1]


async def test_nothing_is_drawn_before_it_is_asked_for(open_game: OpenGame) -> None:
    page = await open_game("recorder")
    look = "() => document.querySelector('canvas').toDataURL()"
    before = await page.ask(look)
    await page.play(events(Wait(), HOLD))
    assert await page.ask(look) == before
    await page.lane.observe()
    assert await page.ask(look) != before


async def test_on_the_real_clock_the_game_runs_and_draws_by_itself(open_game: OpenGame) -> None:
    page = await open_game("recorder", clock="native")
    look = "() => document.querySelector('canvas').toDataURL()"
    before, first = await page.state(), await page.ask(look)
    state = await page.play(events(PressKey(key="a", duration_ms=300), HOLD))
    assert 5 <= state["game_state"]["score"] - before["game_state"]["score"] <= 60
    assert any("a" in entry["heard"]["held"] for entry in state["raw"]["log"])
    assert await page.ask(look) != first


async def test_lab_keeps_clock_phase_after_reset(open_game: OpenGame) -> None:
    real, lab = await open_game("recorder"), await open_game("recorder")
    for page in (real, lab):
        await page.lane.advance(10)
        await page.lane.reset(42)
    for ms in (9, 30, 61.7):
        timeline = events(PressKey(key="a", duration_ms=ms), HOLD)
        assert without_date(await real.play(timeline)) == without_date(await lab.run(timeline))
