"""Replays run in this process or in many, with the same result."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from pipelines.conftest import make_executor, plan_of, play, quiet, run_plan, short_library
from pipelines.test_lost_actors import actors
from pipelines.test_run import own_library

from gwray.actors import RayReplays
from gwray.catalog import load_catalog
from gwray.catalog.catalog import _catalog
from gwray.cli.executors import make_replays
from gwray.environments import BrowserSource
from gwray.errors import BrowserDisconnected, BrowserError, UsageError
from gwray.pipelines import NodeRequirements, code_hash, node_problems, rules_of
from gwray.plugins.authoring.check import check_solutions
from gwray.ray_connection import connect, disconnect
from gwray.settings import CellSpec, EpisodeSpec, ExecutorSpec
from gwray.store import RunDir
from gwray.verification import InlineReplays, ReplayExecutor, replay_all, rescore_run, verify_run
from gwray.verification.verify import sample_episodes


@dataclass
class Doubles:
    """A job whose first tries at some items fail for the machine's sake."""

    failing: dict[int, int]
    tries: list[int] = field(default_factory=list)
    requirements: NodeRequirements = field(default_factory=lambda: NodeRequirements(""))

    @asynccontextmanager
    async def opened(self, browser: BrowserSource) -> AsyncIterator[Callable[[int], Awaitable[str]]]:
        yield self.double

    async def double(self, n: int) -> str:
        self.tries.append(n)
        await asyncio.sleep(0.001 * (5 - n))
        if self.tries.count(n) <= self.failing.get(n, 0):
            raise BrowserDisconnected("it went down")
        if n == 99:
            raise UsageError("there is no 99")
        return str(2 * n)

    def on_browser_error(self, item: int, error: BrowserError) -> str:
        return f"{item}: {error}"


async def test_results_keep_item_order_and_lost_items_are_retried():
    job, received = Doubles({1: 2, 3: 9}), []
    found = await replay_all(job, [0, 1, 2, 3, 4], InlineReplays(3), received.append)
    assert found == ["0", "2", "4", "3: it went down", "8"]
    assert sorted(received) == sorted(found)
    assert [job.tries.count(n) for n in range(5)] == [1, 3, 1, 3, 1]


async def test_fatal_error_ends_the_job_and_every_lane():
    job = Doubles({})
    with pytest.raises(UsageError, match="no 99"):
        await replay_all(job, [99, *range(50)], InlineReplays(2))
    assert len(job.tries) < 20
    assert await replay_all(job, [], InlineReplays(2)) == []


async def test_new_lanes_of_a_running_job_are_used(monkeypatch):
    monkeypatch.setattr("gwray.verification.replays.POLL_INTERVAL_S", 0.001)
    job, executor = Doubles({}), InlineReplays(1)
    replay, begun, go_on = executor.replay, [], asyncio.Event()

    async def held(item):
        begun.append(item)
        if len(begun) == 3:
            go_on.set()
        await go_on.wait()
        return await replay(item)

    monkeypatch.setattr(executor, "replay", held)
    asyncio.get_running_loop().call_later(0.05, setattr, executor, "slots", 3)
    async with asyncio.timeout(20):
        assert await replay_all(job, [0, 1, 2, 3], executor) == ["0", "2", "4", "6"]


def test_unknown_executor_lists_allowed_names():
    with pytest.raises(UsageError, match=r"--executor 'rya' does not exist. Did you mean ray\? Allowed: auto, inline"):
        make_replays("rya", None, 2)


def test_node_problems_are_listed(tmp_path, monkeypatch):
    library = own_library(tmp_path / "library")
    files = load_catalog([library]).game("own_flight").files_hash
    needs = NodeRequirements(code_hash(), (str(library),), {"own_flight": files})
    assert node_problems(needs) == []
    (other,) = node_problems(replace(needs, games={"own_flight": "0" * 16, "own_dream": "1"}))
    assert "own_flight (other files), own_dream (missing)" in other
    known = replace(needs, rules=rules_of(needs.libraries, needs.games))
    assert node_problems(known) == []
    (rules,) = node_problems(replace(known, rules={"own_flight": "with another target"}))
    assert "own_flight (other rules)" in rules
    (code,) = node_problems(replace(needs, code="of another commit"))
    assert "it runs a different gwray version" in code
    (run,) = node_problems(replace(needs, run_dir=str(tmp_path / "run")))
    assert "cannot read the run directory" in run
    monkeypatch.setenv("GWRAY_BROWSER", "/nowhere/chromium")
    (browser,) = node_problems(needs)
    assert "no browser: GWRAY_BROWSER is '/nowhere/chromium'" in browser
    assert node_problems(replace(needs, browser=False)) == []


def on_ray(lanes: int = 1, actors: int = 2) -> RayReplays:
    return RayReplays(ExecutorSpec(name="ray", lanes=lanes, actors=actors))


@pytest.fixture
def one_ray() -> Iterator[None]:
    """A Ray that several commands join one after the other."""
    connect(None)
    yield
    disconnect()


@pytest.mark.slow
@pytest.mark.own_browser
async def test_ray_replay_equals_inline_despite_killed_actor(tmp_path, one_ray):
    ended = await play(tmp_path, {"game": "short-sums", "task": "1,2,3,4", "model": "noop"})
    results = ended.run.results()
    forged = results[3].model_copy(update={"score": 77.0})
    ended.run.rewrite_results([*results[:3], forged])
    here = await verify_run(ended.run)
    killed = []

    def kill_one(_: object) -> None:
        if not killed:
            killed.append(actors("ray::ReplayActor")[0])
            killed[0].kill()

    assert await verify_run(ended.run, executor=on_ray(), on_finding=kill_one) == here
    assert killed and [f.verdict for f in here].count("different") == 1
    would = await rescore_run(ended.run, write=False)
    assert await rescore_run(ended.run, executor=on_ray()) == would
    assert ended.run.results() == results
    game = load_catalog([short_library()]).game("short-sums")
    executors: list[ReplayExecutor] = [InlineReplays(), on_ray()]
    one, other = [await check_solutions([game], tasks={t.id for t in game.tasks[:2]}, executor=e) for e in executors]
    assert one == other and len(one) == 2


@pytest.mark.slow
async def test_run_does_not_start_with_mismatching_node(tmp_path, one_ray):
    """Here every actor is on the one machine, whose files are changed after the plan was made."""
    library = own_library(tmp_path / "library")
    job = {"game": "own_flight", "libraries": str(library), "executor": {"name": "ray", "actors": 1, "lanes": 1}}
    plan = plan_of(tmp_path, job)
    with (library / "own_flight" / "rules.js").open("a") as rules:
        rules.write("// another line\n")
    with pytest.raises(UsageError, match=r"no node can run this command.*own_flight \(other files\)"):
        await run_plan(plan, quiet(), make_executor)
    assert RunDir.open(plan.run_dir).failures() == []
    _catalog.cache_clear()


@pytest.mark.parametrize(
    ("browser", "items", "cores", "chosen"),
    [(True, 31, 8, "inline"), (True, 32, 8, "ray"), (True, 500, 4, "inline"), (False, 1999, 8, "inline"),
     (False, 2000, 2, "ray")],
)  # fmt: skip
async def test_ray_starts_only_if_faster(monkeypatch, browser, items, cores, chosen):
    monkeypatch.setattr("gwray.actors.RayReplays", lambda spec: InlineReplays(7))
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)))
    replays = make_replays("auto", None, 3)
    assert replays.slots == 3
    await replays.start(Doubles({}, requirements=NodeRequirements("", browser=browser)), items)
    assert (replays.slots, await replays.replay(2)) == (7 if chosen == "ray" else 3, "4")
    await replays.close()
    assert make_replays("auto", None, None).slots == {2: 4, 4: 8, 8: 8}[cores]


def test_sample_covers_cells_and_games_and_keeps_what_was_replayed():
    games = ["01_2048", "13_flappy-bird", "19_minesweeper"]
    specs = [
        EpisodeSpec(f"{c}{g[:2]}{r}", c, CellSpec.model_construct(), g, "1", 0, r)
        for c in "abcd"
        for g in games
        for r in range(9)
    ]
    of = {s.key: s for s in specs}
    three, twelve, all_ = (sample_episodes(specs, n) for n in (3, 12, 200))
    assert sorted({of[key].game for key in three}) == games and len({of[key].cell_id for key in three}) == 3
    assert len({(of[key].cell_id, of[key].game) for key in twelve}) == 12
    assert sorted(all_) == sorted(of)
    assert sample_episodes(specs, 12) != twelve, "an author could know which episodes are not replayed"
    assert {*sample_episodes(specs, 12, first=twelve[:5])} >= {*twelve[:5]}
