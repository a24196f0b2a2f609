"""The loop's own rules, on a world of a few lines: what happens when, who sees what, and what is written down.

The same loop on real pages is in `test_run`.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gwray.agents import Ask, Decision, Observation
from gwray.environments import Reading
from gwray.errors import ModelUnavailable
from gwray.pipelines.replies import LogEnded, ReplayMismatch
from gwray.records import LoggedReply, Reply, Type, canonical, digest
from gwray.sandbox.keys import find_key
from gwray.settings import AgentSpec, TimingSpec
from pipelines.small_world import HOLD_MS, STAND_IN, Player, World, run


async def test_screenshot_is_taken_before_the_action():
    player = Player(["a", "wait", "a"])
    played = await run(player, target=2)
    pictures = ["0@0", "1@200", "1@400"]
    assert [o.views[0].data.decode() for o in player.seen] == pictures
    assert [r.screenshot.decode() for r in played.steps if r.screenshot] == pictures
    assert [r.screenshot_hash for r in played.steps] == [digest(p.encode()) for p in pictures]
    assert played.final_view and played.final_view.data == b"2@600"


async def test_the_state_of_a_step_is_the_one_after_its_action():
    played = await run(Player(["a", "wait", "a"]), target=2)
    assert [(r.score, r.game_time_ms) for r in played.steps] == [(1, 200), (1, 400), (2, 600)]
    assert played.record.state_chain == digest(*(r.state_hash for r in played.steps))
    assert (played.record.success, played.record.ended_by, played.record.steps) == (True, "target", 3)


async def test_failure_resets_under_the_same_budget():
    world, player = World(STAND_IN), Player(["a", "a", "x", "a", "wait", "wait", "a", "a"])
    played = await run(player, world)
    assert "reset 7" in world.done and world.done.count("reset 7") == 1
    assert [r.attempt for r in played.steps] == [0, 0, 0, 1, 1, 1]
    assert [r.reset for r in played.steps] == [False, False, True, False, False, False]
    assert player.seen[3].views[0].data == b"0@600", "no picture of the lost game"
    assert [o.decision for o in player.seen] == list(range(6)), "a reset gives no step back"
    record = played.record
    assert (record.resets, record.ended_by, record.success) == (1, "budget", False)
    assert (record.progress, record.score) == (pytest.approx(2 / 3), 2), "the best of all attempts counts"


async def test_invalid_reply_costs_a_step():
    world, player = World(STAND_IN), Player(["", "fly", "", "fly", "fly", "a"])
    played = await run(player, world)
    assert world.done == ["nothing 0"] * 5 + [f"a {HOLD_MS}"]
    record = played.record
    assert (record.no_tool_call, record.out_of_space, record.steps, record.proposals) == (2, 3, 6, 6)
    assert record.ended_by == "budget"


async def test_roles_decide_concurrently_on_one_instant():
    world, both = World(STAND_IN), asyncio.Barrier(2)
    players = {"fire": Player(["a", "wait"], together=both), "water": Player(["a", "a"], together=both)}
    async with asyncio.timeout(20):  # neither answers before both are asked
        played = await run(players, world, target=9, max_steps=2)
    assert world.done == [f"a+a {HOLD_MS}", f"a {HOLD_MS}"]
    assert [o.views for o in players["fire"].seen] == [o.views for o in players["water"].seen]
    assert [(r.step, r.role) for r in played.steps] == [(0, "fire"), (0, "water"), (1, "fire"), (1, "water")]
    assert [bool(r.screenshot) for r in played.steps] == [True, False, True, False], "a picture is kept once"


async def test_invalid_reply_of_one_role_does_not_block_the_other():
    world = World(STAND_IN)
    await run({"fire": Player([""]), "water": Player(["a"])}, world, max_steps=1)
    assert world.done == [f"a {HOLD_MS}"]


async def test_arrived_reply_is_logged_if_other_role_fails():
    log: list[LoggedReply] = []
    with pytest.raises(ModelUnavailable):
        await run({"fire": Player(["down"]), "water": Player(["a"], pause_s=0.02)}, log=log)
    assert [(line.role, line.reply.text) for line in log] == [("water", "a")]


async def test_realtime_charges_the_slowest_role():
    for timing, thinks in ((TimingSpec(mode="realtime", latency="measured"), ["think 70"]), (TimingSpec(), [])):
        world = World(STAND_IN)
        players = {"fire": Player(["a"], latency_ms=70), "water": Player(["wait"], latency_ms=30)}
        played = await run(players, world, timing=timing, max_steps=1)
        assert world.done == [*thinks, f"a {HOLD_MS}"]
        assert played.record.charged_ms == (70 if thinks else 0)
        assert played.steps[0].game_time_ms == HOLD_MS + played.record.charged_ms
    # The picture is of the moment before the thinking: what a slow model acts on is old.
    assert played.steps[0].screenshot == b"0@0"


class Timed(World):
    """Its state tells the time too."""

    async def read(self) -> Reading:
        state = (await super().read()).state
        state["game_state"]["now"] = self.now
        return Reading(state, digest(canonical(state)), self.now)


DANGER = {"tags": {"danger": {"field": "game_state.now", "between": [250, 900]}}, "target": 9}
ADAPTIVE = TimingSpec(mode="adaptive", paused_in=("danger",), latency="measured")


async def test_adaptive_charges_until_a_tag_applies():
    world, log = Timed(STAND_IN), list[LoggedReply]()
    played = await run(Player(["wait"] * 5, latency_ms=180), world, timing=ADAPTIVE, log=log, max_steps=4, **DANGER)
    thinks = ["think 100", "think 80"]
    assert world.done == [*thinks, "nothing 200"] + ["nothing 200"] * 3, "at 380, 580 and 780 ms it waits"
    assert [r.charged_ms for r in played.steps] == [180, 0, 0, 0] and played.record.charged_ms == 180
    assert [r.latency_ms for r in played.steps] == [180] * 4, "what replies took is told whatever was charged"
    again = await run(Player([]), Timed(STAND_IN), timing=ADAPTIVE, logged=log, replay=True, max_steps=4, **DANGER)
    assert again.record.row_chain == played.record.row_chain
    world = Timed(STAND_IN)
    played = await run(Player(["wait"], latency_ms=600), world, timing=ADAPTIVE, max_steps=1, **DANGER)
    assert (played.record.charged_ms, played.record.latency) == (300, "measured"), "danger began at 250 ms"


class Typist(Player):
    """Types its words."""

    def decide(self, reply: Reply) -> Decision:
        return Decision("valid", (Type(text=reply.text),))


async def test_typed_text_is_pressed_as_keys():
    world = World(STAND_IN)
    await run(Typist(["a\nx\t "]), world, max_steps=1)
    assert world.done == ["a+Enter+x+Tab+  500"]
    assert all(find_key(key) for key in ("a", "Enter", "x", "Tab", " "))


async def test_logged_replies_are_used_first():
    whole: list[LoggedReply] = []
    first = await run(Player(["a", "", "wait", "a", "wait", "wait"]), log=whole)
    for kept in range(len(whole) + 1):
        player, more = Player(["a", "", "wait", "a", "wait", "wait"]), []
        went_on = await run(player, logged=whole[:kept], log=more)
        assert player.asked == len(whole) - kept
        assert [line.decision for line in more] == list(range(kept, 6)), "only new replies are written"
        assert went_on.record.state_chain == first.record.state_chain


async def test_retries_are_requests_beyond_the_first_and_waits_add_up():
    """Local players send no request: that is no retry, and takes none away."""
    log: list[LoggedReply] = []
    says = ["a", "wait", "wait", "wait", "wait", "wait"]
    await run(Player(says), log=log)
    sent = [line.model_copy(update={"reply": line.reply.model_copy(update={"requests": n}), "waited_s": n / 2})
            for line, n in zip(log, (0, 0, 0, 1, 3, 2), strict=True)]  # fmt: skip
    record = (await run(Player(says), logged=sent)).record
    assert (record.retries, record.waited_s) == (3, 3.0)


async def test_logged_reply_keeps_pace_on_wallclock(monkeypatch):
    whole: list[LoggedReply] = []
    timing = TimingSpec(mode="wallclock")
    await run(Player(["a", "wait"], latency_ms=150), log=whole, timing=timing, max_steps=2)
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await run(Player([]), logged=whole, replay=True, original_pace=True, timing=timing, max_steps=2)
    assert waited == [0.15, 0.15]
    await run(Player([]), logged=whole, replay=True, timing=timing, max_steps=2)
    assert waited == [0.15, 0.15], "a clock that stands still has nothing to wait for"


async def test_missing_reply_ends_replay_with_steps():
    whole: list[LoggedReply] = []
    await run(Player(["a", "wait"]), log=whole, max_steps=2)
    with pytest.raises(LogEnded, match="for decision 1") as e:
        await run(Player([]), logged=whole[:1], replay=True, max_steps=2)
    assert [s.step for s in e.value.steps] == [0]


async def test_changed_question_ends_the_episode():
    whole: list[LoggedReply] = []
    clean = await run(Player(["a", "wait"]), log=whole, max_steps=2)
    assert clean.record.reproducible
    other = [whole[0], whole[1].model_copy(update={"words_hash": "another"})]
    with pytest.raises(ReplayMismatch, match="decision 1, call 0: the question has another text") as e:
        await run(Player([]), logged=other, replay=True, max_steps=2)
    assert (e.value.decision, [s.step for s in e.value.steps]) == (1, [0])


async def test_other_screenshots_are_a_caveat():
    whole: list[LoggedReply] = []
    await run(Player(["a", "wait"]), log=whole, max_steps=2)
    other = [line.model_copy(update={"pictures_hash": "another"}) for line in whole]
    record = (await run(Player([]), logged=other, max_steps=2)).record
    assert record.caveats == ("decision 0, call 0 (player): other pictures than those that were answered",)
    named = [line.model_copy(update={"browser": "Chromium 1"}) for line in other[:1]]
    record = (await run(Player(["wait"]), logged=named, max_steps=2)).record
    assert record.caveats == (
        "decision 0, call 0 (player): other pictures than those that were answered, which another browser drew: "
        "Chromium 1",
    )


async def test_state_goes_to_responders_not_agents():
    blind, seeing = Player(["wait"]), Player(["wait"], sees_state=True)
    played = await run({"fire": blind, "water": seeing}, max_steps=1)
    assert not hasattr(blind.seen[0], "state")
    assert seeing.states[0]["game_state"] == {"score": 0}
    assert played.record.sees_state
    assert not (await run(Player(["wait"]), max_steps=1)).record.sees_state
    helped = await run(Player(["wait"]), agent=AgentSpec(models={"oracle": "scripted"}), max_steps=1)
    assert helped.record.sees_state, "a helper may tell what it has read"


async def test_agent_ask_has_no_state():
    class Curious(Player):
        async def act(self, seen: Observation, ask: Ask) -> Decision:
            self.found = [name for name in dir(ask) if not name.startswith("__")]
            return await super().act(seen, ask)

    await run(curious := Curious(["wait"]), max_steps=1)
    assert curious.found == []


# Several questions in one turn


async def test_the_actions_of_a_reply_are_played_in_order_and_each_costs_a_step():
    world, log = World(STAND_IN), []
    played = await run(Player(["a wait a", "wait"]), world, log=log, target=9, max_steps=4)
    assert world.done == ["a 200", "wait 200".replace("wait", "nothing"), "a 200", "nothing 200"]
    assert [(r.step, r.decision, r.index) for r in played.steps] == [(0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 1, 0)]
    assert [r.score for r in played.steps] == [1, 1, 2, 2]
    assert [r.text for r in played.steps] == ["a wait a", "", "", "wait"], "what was said stands once"
    assert [bool(r.screenshot) for r in played.steps] == [True, False, False, True]
    record = played.record
    assert (record.steps, record.decisions, record.proposals, record.cost_usd, len(log)) == (4, 2, 2, 0.5, 2)


async def test_actions_after_reset_are_dropped():
    world = World(STAND_IN)
    played = await run(Player(["a x a a", "a a a a"]), world, target=3, max_steps=9)
    assert world.done == ["a 200", "x 200", "reset 7", "a 200", "a 200", "a 200"]
    assert played.steps[1].reason == "2 further actions dropped: the attempt was over"
    assert (played.record.success, played.record.steps) == (True, 5)
    assert played.steps[-1].reason == "1 further action dropped: the attempt was over"


async def test_write_callback_receives_rows_with_screenshots():
    written: list[Any] = []
    whole = await run(Player(["a", "x", "a"]))
    streamed = await run(Player(["a", "x", "a"]), written=written)
    assert not any(r.screenshot for r in streamed.steps), "no picture is kept"
    assert [r for rows in written for r in rows] == whole.steps
    assert streamed.record.state_chain == whole.record.state_chain
