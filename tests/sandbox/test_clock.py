"""Game time: what a page sees of it, and that nothing else moves it."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from gwray.sandbox import GamePage


async def log_of(lane: GamePage) -> list:
    return (await lane.read()).state["log"]


async def test_callbacks_run_in_browser_order(opened):
    lane = await opened("clock/order.html")
    await lane.advance(100)
    assert await log_of(lane) == [
        "timer 0 @0.00",
        "its promise @0.00",
        "timer 0 b @0.00",
        "timer 10 @10.00",
        "frame a 16.67 @16.67",
        "microtask @16.67",
        "500 promises @16.67",
        "frame b @16.67",
        "idle false true @16.67",
        "timer 20 a @20.00",
        "timer 20 b @20.00",
        "arguments 1 two @30.00",
        "from text @31.00",
        "next frame @33.33",
    ]


async def test_game_time_is_independent_of_real_time(opened):
    lane = await opened("clock/order.html")
    await asyncio.sleep(0.3)
    assert await log_of(lane) == []
    assert (await lane.read()).game_time_ms == 0


async def test_all_clocks_agree_and_show_game_time_only(opened):
    lane = await opened("clock/clocks.html")
    await lane.advance(150)
    start, later = await log_of(lane)
    for seen, ms in ((start, 0), (later, 123)):
        moving = ("now", "stamp", "timeline", "inner", "mark")
        assert {k: seen[k] for k in moving} == dict.fromkeys(moving, ms)
        absolute = ("date", "made", "temporal", "innerDate", "subclass", "file")
        assert {k: seen[k] - start["origin"] for k in absolute} == dict.fromkeys(absolute, ms)
        assert seen["iso"] == f"2025-01-01T00:00:00.{ms:03}Z"
        assert seen["text"].startswith("Wed Jan 01 2025 00:00:00 GMT+0000")
        assert seen["intl"] == "00:00:00"
        assert seen["entries"] == 0, "what the browser measured in real time must not be visible"
        assert (seen["json"], seen["started"], seen["visit"]) == (start["origin"], start["origin"], 2)
        assert (seen["old"], seen["kind"]) == (7, "text/plain")
        assert (seen["instance"], seen["name"], seen["zone"]) == (True, "Date", 0)
        assert (seen["fixed"], seen["parsed"], seen["utc"]) == (
            "2020-02-29T12:00:00.000Z",
            1577836800000,
            1577836800000,
        )


@pytest.mark.parametrize(
    ("parts", "frames"),
    [
        ([200], 12),
        ([16.667] * 12, 12),
        ([1000 / 60] * 240, 240),
        ([16.6], 0),
        ([250, 123], 22),
        ([0.1] * 500, 3),
        ([33.333333333, 33.333333333, 33.333333334], 6),
        ([5000, 5000], 600),
    ],
)
async def test_sixty_frames_are_one_second_however_time_is_cut(opened, parts, frames):
    lane = await opened("clock/intervals.html")
    for ms in parts:
        await lane.advance(ms)
    assert (await log_of(lane))[0]["frames"] == frames if frames else True
    assert (await lane.read()).game_time_ms == pytest.approx(sum(parts), abs=1e-6)


async def test_long_run_is_split_into_calls(opened, monkeypatch):
    lane = await opened("clock/intervals.html")
    targets, send = [0.0], lane._cdp.send

    async def noted(method, params=None, **options):
        to = (params or {}).get("arguments", [{}])[0].get("value")
        if isinstance(to, (int, float)):
            targets.append(to)
        return await send(method, params, **options)

    monkeypatch.setattr(lane._cdp, "send", noted)
    await lane.advance(2000)
    assert targets[-1] == 2000
    assert max(b - a for a, b in pairwise(targets)) <= 250


async def test_intervals_do_not_drift_and_are_clamped(opened):
    lane = await opened("clock/intervals.html")
    await lane.advance(1000)
    log = (await log_of(lane))[0]
    assert log["a"] == [7 * i for i in range(1, 143)]
    assert log["zero"] == [1, 2, 3, 4, 5, 9, 13, 17, 21, 25]
    assert log["nested"] == [0, 0, 0, 0, 0, 0, 4, 8, 12, 16]


async def test_callback_error_is_reported_and_isolated(opened):
    lane = await opened("clock/errors.html")
    await lane.advance(100)
    assert await log_of(lane) == [
        "seen: Uncaught Error: timer broke",
        "the next timer ran",
        "seen: Uncaught Error: frame broke",
        "the next frame callback ran",
    ]
    said = lane.diagnostics()
    assert [e for e in said.page_errors if "broke" in e] == ["timer broke", "frame broke", "promise broke"]
    assert said.console[0] == "log: hello"
    assert len(said.console[1]) < 600, "a long line is cut"


async def test_a_page_that_waits_in_a_loop_gets_out_of_it(opened):
    lane = await opened("clock/busy.html")
    await lane.advance(50)
    assert await log_of(lane) == ["out of the loop"]


async def test_random_numbers_come_from_the_seed(opened):
    first, second = await opened("clock/chance.html", seed=7), await opened("clock/chance.html", seed=7)
    other = await opened("clock/chance.html", seed=8)
    a, b, c = await log_of(first), await log_of(second), await log_of(other)
    assert a == b
    assert a[0][0] != c[0][0] and a[0][1:] != c[0][1:]
    assert a[0][0] != a[0][1], "a frame inside the page has its own numbers"
    mean, low, high = a[1:]
    assert abs(mean - 0.5) < 0.02 and 0 <= low < 0.01 and 0.99 < high < 1
    assert a[0][3][14] == "4" and a[0][3][19] in "89ab", "a version 4 UUID"


async def test_reset_restarts_random_numbers(opened):
    lane = await opened("clock/chance.html", seed=7)
    await lane.reset(7)
    first = await log_of(lane)
    await lane.advance(40)
    await lane.reset(7)
    assert await log_of(lane) == first
    await lane.reset(8)
    assert await log_of(lane) != first
    assert (await lane.read()).state["started"] == {"seed": 8, "resets": 3}


async def test_iframes_share_the_clock(opened):
    lane = await opened("clock/frames.html")
    await lane.advance(500)
    assert await log_of(lane) == [
        "inner timer 10",
        "outer timer 15",
        "outer frame 16.67",
        "inner frame 16.67",
        "inner interval 40",
        "inner interval 80",
        "removed",
    ]
    assert lane.diagnostics().irreproducible == ()


async def test_game_time_waits_for_what_the_page_loads(opened):
    lane = await opened("clock/loading.html")
    await lane.advance(200)
    log = await log_of(lane)
    assert log[0] == "asked @50"
    assert sorted(log[1:-2]) == [
        "blob true @50",
        "database x @50",
        "fetch forty-two @50",
        "image 3 @50",
        "missing 404 @50",
        "refused @50",
        "script @50",
        "xhr forty-two @50",
    ]
    assert log[-2:] == ["frame 5 @67", "frame 10 @150"]
    said = lane.diagnostics()
    assert said.blocked_requests == 1
    assert "missing file: http://gwray.localhost/clock/nothing.txt" in said.console


async def test_animations_and_their_events_follow_game_time(opened):
    lane = await opened("clock/animations.html")
    seen = []
    for _ in range(4):
        await lane.advance(200)
        await asyncio.sleep(0.05)
        seen.append((await lane.read()).state["at"])
    css, change, script = zip(*seen, strict=True)
    assert css == pytest.approx([25, 85, 145, 205], abs=0.5)  # starts with the first frame, waits 100 ms
    assert script == pytest.approx([76.39, 159.72, 243.06, 250], abs=0.5)
    assert change[0] == 0 and change[1] < change[2] < change[3] == 200
    await lane.advance(2000)
    assert await log_of(lane) == [
        "animationstart @117",
        "finished @617",
        "transitionend @700",
        "animationiteration @1117",
        "animationend @2117",
    ]


async def test_observers_and_messages_follow_game_frames(opened):
    lane = await opened("clock/observers.html")
    await asyncio.sleep(0.1)
    assert await log_of(lane) == [], "nothing is reported while the clock stands still"
    await lane.advance(400)
    assert await log_of(lane) == [
        "size 10 @17",
        "visible true @17",
        "size 50 @100",
        "visible false @200",
        "posted @300",
        "port 1 @300",
        "message self @300",
        "same instant @300",
    ]


async def test_a_chain_of_messages_takes_no_game_time(opened):
    lane = await opened("clock/messages.html")
    await lane.advance(100)
    assert await log_of(lane) == ["300 messages @10", *(f"timer @{10 + i}" for i in range(1, 6))]


async def test_uncontrolled_features_are_reported(opened):
    lane = await opened("clock/reach.html")
    await lane.advance(500)
    assert await log_of(lane) == [4, 0.5]
    said = lane.diagnostics()
    assert {r.split(" ")[0] for r in said.irreproducible} == {
        "Worker", "WebSocket", "EventSource", ":hover",
    }  # fmt: skip
    assert {c.split(":")[0] for c in said.caveats} == {"AudioContext", "URL.createObjectURL"}


async def test_the_native_clock_lets_real_time_pass(opened):
    lane = await opened("clock/order.html", clock="native")
    began = asyncio.get_running_loop().time()
    await lane.advance(300)
    assert asyncio.get_running_loop().time() - began >= 0.3
    reading = await lane.read()
    assert reading.game_time_ms >= 300
    for _ in range(1000):  # a page that was kept waiting has not done everything yet
        if len((await lane.read()).state["log"]) >= 14:
            break
        await lane.advance(50)
    assert len((await lane.read()).state["log"]) == 14


async def test_the_same_input_gives_the_same_animation_pixels(opened):
    pictures = []
    for pause in (0, 0.05):
        lane = await opened("clock/animations.html", image="png")
        shots = []
        for _ in range(3):
            await lane.advance(117)
            await asyncio.sleep(pause)
            shots.append((await lane.observe()).data)
        pictures.append(shots)
    assert pictures[0] == pictures[1]
    assert all(a != b for a, b in pairwise(pictures[0]))
    assert "SVG animation elements stand still" in lane.diagnostics().caveats
