"""The loop's own rules, on a stage of a few lines: what happens when, who sees what, and what is written down.

The same loop on real pages is in `test_run`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from gwray.actions import Event, PressKey, Type, Wait
from gwray.agents.base import Decision, Observation, Prompt
from gwray.catalog.game import Game
from gwray.errors import GameError, ModelUnavailable
from gwray.pipelines.episode import LogEnded, Played, Replies, play
from gwray.records import LoggedReply, Reply, canonical, digest
from gwray.sandbox import Diagnostics, Frame, Reading
from gwray.sandbox.keys import find_key
from gwray.spec import AgentSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, TimingSpec

HOLD_MS = 200


def game(*roles: str, **task: Any) -> Game:
    """A game whose score is the number of presses; the key `x` loses it."""
    press = {"id": "press", "description": "Press.", "press": "a"}
    seat = {"description": "You press.", "keys": ["a", "x"], "hold_ms": HOLD_MS, "controls": [press]}
    seats = [{"name": r, **seat} for r in roles or ("player",)]
    facts = {"id": "t", "instruction": "press", "score": "game_state.score", "target": 3, "max_steps": 6, **task}
    return Game.model_validate(
        {"id": "99_press", "title": "P", "genre": "puzzle", "level": 1, "summary": "s", "rules": "r", "roles": seats,
         "tasks": [facts]}
    )  # fmt: skip


@dataclass
class Stage:
    """Counts presses, keeps time, and writes down what is asked of it."""

    score: int = 0
    lost: bool = False
    now: float = 0.0
    done: list[str] = field(default_factory=list)
    diagnostics_: Diagnostics = field(default_factory=Diagnostics)

    @property
    def picture(self) -> str:
        return f"{self.score}{'!' if self.lost else ''}@{self.now:g}"

    async def observe(self) -> Frame:
        return Frame(self.picture.encode(), "image/png", 1280, 720)

    async def read(self) -> Reading:
        terminal = {"isTerminal": self.lost, "outcome": "fail" if self.lost else None, "reason": None}
        state = {"status": "playing", "terminal": terminal, "game_state": {"score": self.score}}
        return Reading(state, digest(canonical(state)), self.now)

    async def advance(self, ms: float) -> None:
        self.done.append(f"think {ms:g}")
        self.now += ms

    async def step(self, events: list[Event], *, observe: bool) -> tuple[Reading, Frame | None]:
        keys = [e.key for e in events if e.kind == "key_down"]
        lasts = max((e.at_ms for e in events), default=0)
        self.done.append(f"{'+'.join(map(str, keys)) or 'nothing'} {lasts:g}")
        self.score += keys.count("a")
        self.lost = "x" in keys
        self.now += lasts
        return await self.read(), await self.observe() if observe else None

    async def reset(self, seed: int) -> None:
        self.done.append(f"reset {seed}")
        self.score, self.lost = 0, False

    def diagnostics(self) -> Diagnostics:
        return self.diagnostics_


@dataclass
class Player:
    """Says its list, one word a step: a key, `wait`, `fly` (which no role can), or nothing at all."""

    says: list[str]
    sees_state: bool = False
    instructions: str = ""
    latency_ms: float = 0.0
    cost_usd: float | None = 0.25
    pause_s: float = 0.0
    together: asyncio.Barrier | None = None
    seen: list[Observation] = field(default_factory=list)
    remembered: list[tuple[int, str, str]] = field(default_factory=list)
    asked: int = 0

    def prepare(self, observation: Observation) -> Prompt:
        self.seen.append(observation)
        return Prompt(f"request {observation.step}", observation)

    async def ask(self, prompt: Prompt) -> Reply:
        self.asked += 1
        await asyncio.sleep(self.pause_s)
        if self.together:
            await self.together.wait()
        word = self.says[prompt.body.step] if prompt.body.step < len(self.says) else "wait"
        if word == "down":
            raise ModelUnavailable("nobody there")
        return Reply(text=word, latency_ms=self.latency_ms, cost_usd=self.cost_usd)

    def interpret(self, reply: Reply, observation: Observation) -> Decision:
        match reply.text:
            case "":
                return Decision("no_tool_call", reason="empty")
            case "fly":
                return Decision("out_of_space", action=PressKey(key="a"), reason="cannot")
            case "wait":
                return Decision("valid", Wait())
        return Decision("valid", PressKey(key=reply.text))

    def remember(self, observation: Observation, reply: Reply, decision: Decision) -> None:
        self.remembered.append((observation.step, reply.text, decision.validity))

    async def close(self) -> None:
        pass


async def run(
    players: Player | dict[str, Player],
    stage: Stage | None = None,
    *,
    logged: list[LoggedReply] | None = None,
    log: list[LoggedReply] | None = None,
    timing: TimingSpec | None = None,
    hold_scale: float = 1.0,
    pictures: bool = True,
    replay: bool = False,
    **task: Any,
) -> Played:
    agents = players if isinstance(players, dict) else {"player": players}
    made = game(*agents, **task)
    seen = ObservationSpec(hold_scale=hold_scale, format="png" if pictures else "none")
    model = ModelSpec(name="m", provider="fixed")
    cell = CellSpec(model=model, agent=AgentSpec(), timing=timing or TimingSpec(), observation=seen)
    spec = EpisodeSpec(key="k", cell_id="c", cell=cell, game=made.id, task="t", seed=7, repeat=0)
    append = None if replay else (log if log is not None else []).append
    return await play(spec, made, made.tasks[0], stage or Stage(), agents, Replies(logged or [], append))


async def test_a_role_decides_on_the_picture_before_its_action_and_that_picture_is_kept():
    player = Player(["a", "wait", "a"])
    played = await run(player, target=2)
    pictures = ["0@0", "1@200", "1@400"]
    assert [o.image.decode() for o in player.seen] == pictures
    assert [r.screenshot.decode() for r in played.steps if r.screenshot] == pictures
    assert [r.screenshot_hash for r in played.steps] == [digest(p.encode()) for p in pictures]
    assert played.final_frame and played.final_frame.data == b"2@600"


async def test_the_state_of_a_step_is_the_one_after_its_action():
    played = await run(Player(["a", "wait", "a"]), target=2)
    assert [(r.score, r.game_time_ms) for r in played.steps] == [(1, 200), (1, 400), (2, 600)]
    assert played.record.state_chain == digest(*(r.state_hash for r in played.steps))
    assert (played.record.success, played.record.ended_by, played.record.steps) == (True, "target", 3)


async def test_a_fail_resets_the_game_under_the_same_budget_and_the_next_decision_sees_the_new_start():
    stage, player = Stage(), Player(["a", "a", "x", "a", "wait", "wait", "a", "a"])
    played = await run(player, stage)
    assert "reset 7" in stage.done and stage.done.count("reset 7") == 1
    assert [r.attempt for r in played.steps] == [0, 0, 0, 1, 1, 1]
    assert [r.reset for r in played.steps] == [False, False, True, False, False, False]
    assert player.seen[3].image == b"0@600", "no picture of the lost game"
    assert [o.step for o in player.seen] == list(range(6)), "a reset gives no step back"
    record = played.record
    assert (record.resets, record.ended_by, record.success) == (1, "budget", False)
    assert (record.progress, record.score) == (pytest.approx(2 / 3), 2), "the best of all attempts counts"


async def test_an_invalid_reply_costs_its_step_and_does_nothing_however_often():
    stage, player = Stage(), Player(["", "fly", "", "fly", "fly", "a"])
    played = await run(player, stage)
    assert stage.done == ["nothing 0"] * 5 + [f"a {HOLD_MS}"]
    record = played.record
    assert (record.no_tool_call, record.out_of_space, record.steps, record.proposals) == (2, 3, 6, 6)
    assert record.ended_by == "budget"
    assert [m[2] for m in player.remembered[:3]] == ["no_tool_call", "out_of_space", "no_tool_call"]


async def test_all_rounds_are_remembered_in_order_also_when_they_come_from_the_log():
    player, log = Player(["a", "wait", "", "a"]), []
    await run(player, log=log, max_steps=4)
    again = Player([])
    await run(again, logged=log, max_steps=4)
    assert player.remembered == again.remembered
    assert player.remembered[:2] == [(0, "a", "valid"), (1, "wait", "valid")]


async def test_roles_decide_on_the_same_picture_at_once_and_act_over_the_same_frames():
    stage, both = Stage(), asyncio.Barrier(2)
    players = {"fire": Player(["a", "wait"], together=both), "water": Player(["a", "a"], together=both)}
    async with asyncio.timeout(20):  # neither answers before both are asked
        played = await run(players, stage, target=9, max_steps=2)
    assert stage.done == [f"a+a {HOLD_MS}", f"a {HOLD_MS}"]
    assert [o.image for o in players["fire"].seen] == [o.image for o in players["water"].seen]
    assert [(r.step, r.role) for r in played.steps] == [(0, "fire"), (0, "water"), (1, "fire"), (1, "water")]
    assert [bool(r.screenshot) for r in played.steps] == [True, False, True, False], "a picture is kept once"


async def test_one_roles_invalid_reply_does_not_hold_up_the_other():
    stage = Stage()
    await run({"fire": Player([""]), "water": Player(["a"])}, stage, max_steps=1)
    assert stage.done == [f"a {HOLD_MS}"]


async def test_a_reply_that_has_arrived_is_kept_when_the_other_role_fails():
    log: list[LoggedReply] = []
    with pytest.raises(ModelUnavailable):
        await run({"fire": Player(["down"]), "water": Player(["a"], pause_s=0.02)}, log=log)
    assert [(line.role, line.reply.text) for line in log] == [("water", "a")]


async def test_realtime_charges_the_slowest_role_before_the_action_and_paused_nothing():
    for timing, thinks in ((TimingSpec(mode="realtime", latency="measured"), ["think 70"]), (TimingSpec(), [])):
        stage = Stage()
        players = {"fire": Player(["a"], latency_ms=70), "water": Player(["wait"], latency_ms=30)}
        played = await run(players, stage, timing=timing, max_steps=1)
        assert stage.done == [*thinks, f"a {HOLD_MS}"]
        assert played.record.charged_ms == (70 if thinks else 0)
        assert played.steps[0].game_time_ms == HOLD_MS + played.record.charged_ms
    # The picture is of the moment before the thinking: what a slow model acts on is old.
    assert played.steps[0].screenshot == b"0@0"


async def test_the_hold_is_multiplied():
    stage = Stage()
    await run(Player(["a"]), stage, hold_scale=0.5, max_steps=1)
    assert stage.done == [f"a {HOLD_MS // 2}"]


class Typist(Player):
    """Types its words."""

    def interpret(self, reply: Reply, observation: Observation) -> Decision:
        return Decision("valid", Type(text=reply.text))


async def test_what_is_typed_is_pressed_on_keys_that_a_keyboard_has():
    stage = Stage()
    await run(Typist(["a\nx\t "]), stage, max_steps=1)
    assert stage.done == ["a+Enter+x+Tab+  500"]
    assert all(find_key(key) for key in ("a", "Enter", "x", "Tab", " "))


async def test_the_budget_is_all_steps_and_not_one_more():
    stage = Stage()
    played = await run(Player([]), stage, max_steps=4)
    assert len(stage.done) == played.record.steps == 4
    assert played.record.ended_by == "budget"


async def test_a_log_is_played_first_and_nobody_is_asked_twice():
    whole: list[LoggedReply] = []
    first = await run(Player(["a", "", "wait", "a", "wait", "wait"]), log=whole)
    for kept in range(len(whole) + 1):
        player, more = Player(["a", "", "wait", "a", "wait", "wait"]), []
        went_on = await run(player, logged=whole[:kept], log=more)
        assert player.asked == len(whole) - kept
        assert [line.step for line in more] == list(range(kept, 6)), "only new replies are written"
        assert went_on.record.state_chain == first.record.state_chain


async def test_where_the_clock_cannot_be_stopped_a_logged_reply_takes_its_time_again(monkeypatch):
    whole: list[LoggedReply] = []
    made, timing = game("player"), TimingSpec(mode="wallclock")
    await run(Player(["a", "wait"], latency_ms=150), log=whole, timing=timing, max_steps=2)
    model = ModelSpec(name="m", provider="fixed")
    cell = CellSpec(model=model, agent=AgentSpec(), timing=timing, observation=ObservationSpec())
    spec = EpisodeSpec(key="k", cell_id="c", cell=cell, game=made.id, task="t", seed=7, repeat=0)
    task = made.tasks[0].model_copy(update={"max_steps": 2})
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await play(spec, made, task, Stage(), {"player": Player([])}, Replies(whole, None, at_their_pace=True))
    assert waited == [0.15, 0.15]
    await play(spec, made, task, Stage(), {"player": Player([])}, Replies(whole, None))
    assert waited == [0.15, 0.15], "a clock that stands still has nothing to wait for"


async def test_a_replay_without_its_reply_ends_and_says_how_far_it_came():
    whole: list[LoggedReply] = []
    await run(Player(["a", "wait"]), log=whole, max_steps=2)
    with pytest.raises(LogEnded, match="for step 1") as e:
        await run(Player([]), logged=whole[:1], replay=True, max_steps=2)
    assert [s.step for s in e.value.steps] == [0]


async def test_a_reply_to_another_request_is_a_caveat():
    whole: list[LoggedReply] = []
    clean = await run(Player(["a", "wait"]), log=whole, max_steps=2)
    assert clean.record.reproducible
    other = [line.model_copy(update={"request_hash": "another"}) for line in whole]
    record = (await run(Player([]), logged=other, max_steps=2)).record
    assert not record.reproducible
    assert record.caveats == ("the request of step 0 (player) is not the one that was answered",)


async def test_only_a_player_that_may_sees_the_state():
    blind, seeing = Player(["wait"]), Player(["wait"], sees_state=True)
    played = await run({"fire": blind, "water": seeing}, max_steps=1)
    assert blind.seen[0].state is None
    assert seeing.seen[0].state and seeing.seen[0].state["game_state"] == {"score": 0}
    assert played.record.sees_state


async def test_costs_add_up_and_one_unknown_makes_the_sum_unknown():
    assert (await run(Player(["wait"] * 2), max_steps=2)).record.cost_usd == 0.5
    priceless = {"fire": Player(["wait"]), "water": Player(["wait"], cost_usd=None)}
    assert (await run(priceless, max_steps=1)).record.cost_usd is None


async def test_a_task_that_is_solved_before_it_begins_is_the_games_fault():
    with pytest.raises(GameError, match="already solved"):
        await run(Player([]), Stage(score=3))


async def test_without_pictures_nobody_looks_and_all_else_is_the_same():
    says = ["a", "x", "a", "", "a"]
    with_, without = await run(Player(says)), await run(Player(says), pictures=False)
    assert without.record.state_chain == with_.record.state_chain
    assert without.final_frame is None and not any(r.screenshot for r in without.steps)


async def test_what_the_page_could_not_keep_to_is_said():
    seen = replace(Diagnostics(), irreproducible=("Worker",), caveats=("AudioContext",), blocked_requests=2)
    record = (await run(Player([]), Stage(diagnostics_=seen), max_steps=1)).record
    assert (record.reproducible, record.caveats, record.blocked_requests) == (False, ("Worker", "AudioContext"), 2)
