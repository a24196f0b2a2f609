"""Limits, retries, stops and budgets, with an executor whose episodes take no browser."""

import asyncio
import threading
from collections import defaultdict
from itertools import count

import pytest

import gwray.pipelines.schedule as schedule_module
from gwray import errors
from gwray.errors import StoreError
from gwray.pipelines.budget import Budget, Tally
from gwray.pipelines.plan import make_plan
from gwray.pipelines.product import Repeats
from gwray.pipelines.schedule import Schedule
from gwray.records import EpisodeRecord
from gwray.settings import AgentSpec, BudgetSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, RunSpec, TimingSpec


def episode(n: int, model: str = "m", limit: int = 8, game: str = "solo") -> EpisodeSpec:
    spec = ModelSpec(name=model, provider="openai_chat", max_in_flight=limit)
    cell = CellSpec(model=spec, agent=AgentSpec(), timing=TimingSpec(), observation=ObservationSpec())
    return EpisodeSpec(key=f"{model}{n}", cell_id=model, cell=cell, game=game, task="t", seed=42, repeat=n)


class Players:
    """An executor that answers from a table: key → list of error classes, one per try."""

    def __init__(self, slots: int = 8, trouble: dict | None = None, usd: float = 0.0):
        self.slots = slots
        self.wanted: list[int] = []
        self.trouble = trouble or {}
        self.usd = usd
        self.now: dict[str, int] = defaultdict(int)
        self.most: dict[str, int] = defaultdict(int)
        self.played: list[str] = []
        self.alone: list[str] = []
        """Keys of those that were to be played alone."""

    def want(self, lanes: int) -> None:
        self.wanted.append(lanes)

    async def play(self, spec: EpisodeSpec, trial: int, *, alone: bool = False) -> EpisodeRecord:
        name = spec.cell.model.name
        self.now[name] += 1
        self.now["all"] += 1
        for k in (name, "all"):
            self.most[k] = max(self.most[k], self.now[k])
        try:
            await asyncio.sleep(0.002)
        finally:
            self.now[name] -= 1
            self.now["all"] -= 1
        self.played.append(spec.key)
        self.alone += [spec.key] if alone else []
        troubles = self.trouble.get(spec.key, [])
        played = self.played.count(spec.key)
        error = troubles[played - 1] if played <= len(troubles) else None
        if error == "StoreError":
            raise StoreError("disk full")
        facts = {"key": spec.key, "cell": spec.cell_id, "game": spec.game, "task": "t", "cost_usd": self.usd}
        if error:
            received = getattr(errors, error)("why").error_fields()
            return EpisodeRecord(**facts, **received, status="failed", error_message="why", tries=trial)
        return EpisodeRecord(**facts, progress=0.5, input_tokens=100, tries=trial)


class EpisodeListener:
    def __init__(self):
        self.good: list[EpisodeRecord] = []
        self.bad: list[tuple[str, bool]] = []

    def finished(self, records):
        self.good += records

    def failed(self, record, final):
        self.bad.append((record.key, final))


def schedule(
    episodes, players, budget: BudgetSpec | None = None, roles=("player",), **more
) -> tuple[Schedule, EpisodeListener]:
    sink = EpisodeListener()
    return (
        Schedule(
            episodes, players, sink, Budget(budget or BudgetSpec(), lambda _: 1.0, lambda _: 100),
            tries=3, roles=lambda game: roles, tally=Tally(len(episodes)), **more,
        ),
        sink,
    )  # fmt: skip


async def test_model_limit_holds_and_lanes_stay_busy():
    players = Players(slots=8)
    plan = [episode(n, "slow", limit=2) for n in range(10)] + [episode(n, "quick", limit=20) for n in range(30)]
    it, sink = schedule(plan, players)
    await it.run()
    assert len(sink.good) == 40
    assert players.most["slow"] == 2
    assert players.most["all"] == 8


async def test_hosted_model_follows_engine_capacity(monkeypatch):
    monkeypatch.setattr(schedule_module, "POLL_INTERVAL_S", 0.001)
    takes, open_ = {"hosted": 2}, asyncio.Event()
    players = Players(slots=20)
    play = players.play

    async def when_open(*args, **more):
        players.now["begun"] += 1
        await open_.wait()
        return await play(*args, **more)

    players.play = when_open
    plan = [episode(n, "hosted", limit=12) for n in range(30)] + [episode(n, "other", limit=3) for n in range(9)]
    it, sink = schedule(plan, players, capacity=takes.get)
    running = asyncio.create_task(it.run())
    while players.now["begun"] < 5:
        await asyncio.sleep(0)
    assert it.load("hosted") == (2, 2, 15) and it.load("other") == (3, 3, 6), "playing, and lanes that wait for it"
    takes["hosted"] = 8  # nobody has ended, and yet more begin
    async with asyncio.timeout(20):
        while players.now["begun"] < 11:
            await asyncio.sleep(0.001)
    assert it.load("hosted").lanes == 8
    takes["hosted"] = 99
    open_.set()
    await running
    assert len(sink.good) == 39 and players.most["hosted"] <= 12


async def test_new_lanes_are_used_before_an_episode_ends(monkeypatch):
    monkeypatch.setattr(schedule_module, "POLL_INTERVAL_S", 0.001)
    players, begun = Players(slots=1), []

    async def play(spec, trial, *, alone=False):
        begun.append(spec.key)
        await asyncio.Event().wait()

    players.play = play
    it, _ = schedule([episode(n, limit=99) for n in range(9)], players)
    running = asyncio.create_task(it.run())
    while not begun:
        await asyncio.sleep(0)
    players.slots = 3
    async with asyncio.timeout(20):
        while len(begun) < 3:
            await asyncio.sleep(0.001)
    it.stop()
    await running


async def test_hosted_episodes_go_first_beside_all_others():
    players = Players(slots=2)
    it, sink = schedule([episode(n, "api", limit=20) for n in range(20)], players, more_come=True)
    running = asyncio.create_task(it.run())
    await asyncio.sleep(0)
    for model in ("one", "two"):
        it.add([episode(n, model) for n in range(4)])
        await it.without([model])
        hosted = [k for k in players.played if k.startswith(model)]
        assert len(hosted) == 4 and len(players.played) < 16, "the wave ends while others still wait"
    assert not running.done()
    it.close()
    await running
    assert len(sink.good) == 28


async def test_specs_are_built_lazily(monkeypatch):
    random = ModelSpec(name="random", provider="random")
    plan = make_plan([RunSpec(game=("13_flappy-bird",), task=("1", "2"), model=random, repeats=100_000)])
    made = []
    monkeypatch.setattr(Repeats, "_episode", lambda part, of, make=Repeats._episode: made.append(of) or make(part, of))
    players = Players(slots=4)
    it, sink = schedule(plan.episodes, players)
    players.play = stopping_after(9, players.play, it)
    await it.run()
    assert len(plan.episodes) == 200_000 and sink.good and len(made) < 40
    assert [repeat for _, repeat in made[2:11]] == [n // 2 for n in range(9)], "after a look at what each part needs"


async def test_every_prefix_is_a_fair_sample():
    """Repeat 0 of every task comes first, games take turns, cells play the same tasks; a resumed run continues so."""
    models = [ModelSpec(name=name, provider="random") for name in "ab"]
    games = ("13_flappy-bird", "01_2048", "19_minesweeper")
    plan = make_plan([RunSpec(game=games, model=m, repeats=3) for m in models])
    assert len(plan.episodes) == 3 * 5 * 2 * 3
    for episodes in (plan.episodes, plan.episodes.without({e.key for e in plan.episodes if e.game == games[1]})):
        players = Players(slots=1)
        it, _ = schedule(episodes, players)
        await it.run()
        by_key = {e.key: e for e in episodes}
        played = [by_key[key] for key in players.played]
        assert [e.repeat for e in played] == sorted(e.repeat for e in played)
        n = len(episodes.games())
        for start in range(0, len(played), 2 * n):
            assert {(e.game, e.cell.model.name) for e in played[start : start + 2 * n]} == {
                (game, m.name) for game in episodes.games() for m in models
            }
        tasks = [e.task for e in played[: 10 * n] if e.game == games[0]]
        assert len(set(tasks)) == 5 and tasks != sorted(tasks), "not in the order of difficulty"


def stopping_after(n: int, play, it: Schedule):
    begun = count(1)

    async def stopping(*args, **more):
        if next(begun) == n:
            it.stop()
        return await play(*args, **more)

    return stopping


async def test_node_failures_are_retried_model_failures_are_not():
    trouble = {"m0": ["BrowserError"], "m1": ["BrowserError"] * 3, "m2": ["ModelUnavailable"], "m3": ["GameError"]}
    it, sink = schedule([episode(n) for n in range(5)], Players(trouble=trouble))
    await it.run()
    assert {r.key: r.tries for r in sink.good} == {"m0": 2, "m4": 1}
    assert sorted(k for k, final in sink.bad if final and k != "m1") == ["m2", "m3"]
    assert [final for k, final in sink.bad if k == "m1"] == [False, False, True]
    assert (it.tally.finished, it.tally.failed, it.tally.retried) == (2, 3, 3)


async def test_shared_failure_costs_no_retry():
    lost = {f"m{n}": ["BrowserDisconnected"] for n in range(4)}
    lost["m0"] += ["BrowserError"] * 3
    players = Players(trouble=lost)
    it, sink = schedule([episode(n) for n in range(6)], players)
    await it.run()
    assert {r.key: r.tries for r in sink.good} == {f"m{n}": 1 for n in (1, 2, 3, 4, 5)}
    assert [final for k, final in sink.bad if k == "m0"] == [False, False, False, True]
    assert sorted(players.alone) == ["m0", "m0", "m0", "m1", "m2", "m3"]


@pytest.mark.parametrize("error", ["AuthError", "QuotaExhausted"])
async def test_auth_error_disables_only_its_model(error):
    trouble = {f"bad{n}": [error] for n in range(1000)}
    plan = [episode(n, "bad", limit=4) for n in range(1000)] + [episode(n, "good") for n in range(5)]
    players = Players(trouble=trouble)
    it, sink = schedule(plan, players)
    await it.run()
    assert len([k for k in players.played if k.startswith("bad")]) <= 4
    assert len(sink.good) == 5
    assert sum(it.tally.skipped.values()) + it.tally.failed == 1000
    assert error in next(iter(it.tally.skipped))


async def test_the_budget_is_never_passed():
    players = Players(usd=0.30)
    it, sink = schedule([episode(n) for n in range(50)], players, BudgetSpec(usd=2.0))
    await it.run()
    spent = sum(r.cost_usd or 0 for r in sink.good)
    assert 1.0 <= spent <= 2.0
    assert "budget.usd=2" in next(iter(it.tally.skipped))


async def test_stop_lets_go_and_starts_nothing_more():
    players = Players(slots=2)
    it, sink = schedule([episode(n) for n in range(500)], players)
    running = asyncio.create_task(it.run())
    while len(sink.good) < 10:
        await asyncio.sleep(0)
    it.stop()
    await asyncio.wait_for(running, 60)
    assert 10 <= len(sink.good) < 100
    assert it.tally.in_flight == 0
    assert players.now["all"] == 0


async def test_slow_store_does_not_block_episodes():
    writing, others = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    class Other(Players):
        async def play(self, spec: EpisodeSpec, trial: int, *, alone: bool = False) -> EpisodeRecord:
            record = await super().play(spec, trial, alone=alone)
            if spec.key == "m1":
                await writing.wait()
                others.set()
            return record

    class SlowStore(EpisodeListener):
        def finished(self, records):
            super().finished(records)
            loop.call_soon_threadsafe(writing.set)
            late = records[0].key == "m0" and not others.wait(60)
            assert not late, "the other one stood still while this one was written"

    it, _ = schedule([episode(n) for n in range(2)], Other())
    it._listener = sink = SlowStore()
    await it.run()
    assert [r.key for r in sink.good] == ["m0", "m1"]


async def test_next_episode_is_found_without_scanning_the_queue(monkeypatch):
    looked = []
    asks = schedule_module.requests_in_flight
    monkeypatch.setattr(schedule_module, "requests_in_flight", lambda *a: looked.append(a) or asks(*a))
    waiting = [episode(n, model, limit=1) for model in ("slow", "slower") for n in range(150)]
    it, sink = schedule([*waiting, *(episode(n, "quick", limit=20) for n in range(50))], Players())
    await it.run()
    assert len(sink.good) == 350
    assert len(looked) == 3, "what an episode needs is the same for all of its cell and game"
    assert sink.good[0].key in ("slow0", "slower0", *(f"quick{n}" for n in range(8)))


async def test_records_are_stored_before_a_fatal_error():
    it, sink = schedule([episode(n) for n in range(4)], Players(trouble={"m2": ["StoreError"]}))
    with pytest.raises(StoreError):
        await it.run()
    assert {r.key for r in sink.good} >= {"m0", "m1"}
