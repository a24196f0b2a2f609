"""The central property: neither lanes nor executors nor load change a score."""

import asyncio
import io
import json
import multiprocessing
import random
import shutil
import sys
import time
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from rich.console import Console

from gwray.catalog import load_catalog
from gwray.catalog.catalog import _catalog
from gwray.cli.terminal import game_health
from gwray.errors import UsageError
from gwray.pipelines.outcome import is_unmoved, totals_of
from gwray.pipelines.run import open_run, shown_wait
from gwray.pipelines.worker import Worker
from gwray.places import GAMES
from gwray.records import UNMOVED, EpisodeRecord, StepRecord
from gwray.sandbox import Browser
from gwray.store import RunDir, read_seal, seal_run
from gwray.verification.rescore import rescore_run
from gwray.verification.verify import first_difference, verify_run
from pipelines.conftest import gone, outcomes, plan_of, play, short_library

pytestmark = pytest.mark.slow

SWEEP = [
    {"game": "short-flight,short-sums", "task": "1", "model": "random", "interface": "computer_use"},
    {"game": "short-flight,short-pair", "task": "2", "model": "scripted",
     "timing": {"mode": "realtime", "latency": "lognormal:120,0.6"}},
    {"game": "short-field", "task": "4", "model": "random", "repeats": 2},
]  # fmt: skip


def with_executor(**executor) -> list[dict]:
    return [{**job, "executor": {"lanes": 1, **executor}} for job in SWEEP]


def burn() -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        sum(i * i for i in range(1000))


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    ended = asyncio.run(play(tmp_path_factory.mktemp("reference"), *with_executor(name="inline")))
    assert ended.complete
    return outcomes(ended, "frame_chain")


@pytest.mark.own_browser
async def test_eight_lanes_under_load_play_the_same_episodes(tmp_path, reference):
    burners = [multiprocessing.get_context("spawn").Process(target=burn, daemon=True) for _ in range(2)]
    for b in burners:
        b.start()
    try:
        ended = await play(tmp_path, *with_executor(name="inline", lanes=8))
    finally:
        for b in burners:
            b.kill()
            b.join()
    assert outcomes(ended, "frame_chain") == reference


async def test_ray_actors_play_the_same_episodes_and_leave_no_process(tmp_path, reference, marked):
    ended = await play(tmp_path, *with_executor(name="ray", lanes=2, actors=2))
    assert outcomes(ended, "frame_chain") == reference
    assert not await gone(marked)


@pytest.mark.parametrize(("terminal", "shown"), [(False, "starting Ray, 0 s\n"), (True, " starting Ray, 0 s")])
async def test_wait_is_shown_with_its_time(terminal, shown, monkeypatch):
    monkeypatch.setattr("gwray.pipelines.run.SILENT_S", 0.0)
    async with shown_wait(Console(file=(output := io.StringIO()), force_terminal=terminal), "starting Ray"):
        while shown not in output.getvalue():
            await asyncio.sleep(0.01)
    monkeypatch.setattr("gwray.pipelines.run.SILENT_S", 60.0)
    async with shown_wait(Console(file=(output := io.StringIO()), force_terminal=terminal), "starting Ray"):
        await asyncio.sleep(0.01)
    assert output.getvalue() == ""


async def test_verify_confirms_every_episode_and_its_pictures(tmp_path):
    ended = await play(tmp_path, *with_executor(name="inline", lanes=4))
    findings = await verify_run(ended.run)
    assert {f.verdict for f in findings} == {"identical"}
    assert all(f.pictures for f in findings)
    assert len(findings) == len(ended.run.results())


async def test_a_changed_game_is_found_at_the_first_step_it_changes(tmp_path):
    library = own_library(tmp_path / "library", "other_flight")
    job = {"game": "other_flight", "task": "1", "model": "noop", "libraries": str(library)}
    ended = await play(tmp_path, job)
    assert ended.complete, [f.error_message for f in ended.run.failures()]
    assert [f.verdict for f in await verify_run(ended.run)] == ["identical"]
    rules = library / "other_flight" / "rules.js"
    rules.write_text(rules.read_text().replace("const GRAVITY = 0.5", "const GRAVITY = 0.4"))
    (finding,) = await verify_run(ended.run)
    assert (finding.verdict, finding.step) == ("different", 0)


async def test_the_same_command_again_plays_nothing_twice(tmp_path):
    first = await play(tmp_path, {"task": "1"})
    written = (tmp_path / "run" / "results.jsonl").read_bytes()
    again = await play(tmp_path, {"task": "1"})
    assert (tmp_path / "run" / "results.jsonl").read_bytes() == written
    assert outcomes(again) == outcomes(first)
    more = await play(tmp_path, {"task": "1", "repeats": 2})
    assert len(more.run.results()) == 2
    assert more.run.manifest().cells[0].planned == 2


async def test_every_step_and_what_it_cost_is_in_the_run_directory(tmp_path):
    ended = await play(tmp_path, {"game": "short-pair", "task": "1", "model": "random"})
    (record,) = ended.run.results()
    episode = ended.run.read_episode(record.key)
    assert [(r.step, r.role) for r in episode.steps[:2]] == [(0, "watergirl"), (0, "fireboy")]
    assert len(episode.steps) == record.proposals == 2 * record.steps
    assert episode.steps[0].screenshot and not episode.steps[1].screenshot
    assert json.loads(episode.steps[-1].state)["game_state"]
    assert len(ended.run.log(record.key).read()) == record.proposals


async def test_rescoring_corrects_only_wrong_results(tmp_path):
    ended = await play(tmp_path, {"task": "1", "model": "random"})
    (true,) = ended.run.results()
    (done,) = await rescore_run(ended.run)
    assert not done.changed and not done.note and ended.run.results() == [true]
    wrong = true.model_copy(update={"progress": 1.0, "success": True, "ended_by": "target"})
    episode = ended.run.read_episode(true.key)
    steps = [s.model_copy(update={"progress": 1.0, "score": 99.0}) for s in episode.steps]
    ended.run.write_episode(true.key, steps, episode.meta.model_copy(update={"record": wrong}))
    ended.run.rewrite_results([wrong])
    assert [d.changed for d in await rescore_run(ended.run, write=False)] == [True]
    assert ended.run.results() == [wrong], "a look changes nothing"
    await rescore_run(ended.run)
    assert ended.run.results() == [true]
    assert ended.run.read_episode(true.key).steps == episode.steps
    assert ended.run.read_meta(true.key).record == true


async def test_rescored_to_earlier_end_verifies(tmp_path, monkeypatch):
    ended = await play(tmp_path, {"task": "2", "model": "scripted"})
    (before,) = ended.run.results()
    steps = ended.run.read_steps(before.key)
    library, game = load_catalog([str(short_library())]), "short-flight"
    task = library.game(game).task(before.task)
    first = next(s for s in steps if s.score and s.score > task.start)
    assert first.step + 1 < before.steps
    easier = task.model_copy(update={"target": first.score})
    tasks = [easier if t.id == task.id else t for t in library.game(game).tasks]
    monkeypatch.setitem(library.games, game, library.game(game).model_copy(update={"tasks": tuple(tasks)}))
    (done,) = await rescore_run(ended.run)
    (after,) = ended.run.results()
    assert done.changed and not done.note
    assert (after.success, after.ended_by, after.steps, after.proposals) == (True, "target", *[first.step + 1] * 2)
    (finding,) = await verify_run(ended.run)
    assert finding.verdict == "identical" and "it was rescored with other rules" in finding.detail
    assert "replies and screenshots after the end that rescoring set were not replayed" in finding.detail
    assert not read_seal(ended.run).broken, "sealed anew"
    next_picture = steps[first.step + 1].screenshot
    assert ended.run.read_meta(before.key).final_frame == next_picture


async def test_rescoring_notes_rules_that_would_continue(tmp_path, monkeypatch):
    ended = await play(tmp_path, {"task": "1", "model": "scripted"})
    (before,) = ended.run.results()
    assert before.ended_by == "target"
    library, game = load_catalog([str(short_library())]), "short-flight"
    tasks = [t.model_copy(update={"target": t.target * 9}) for t in library.game(game).tasks]
    monkeypatch.setitem(library.games, game, library.game(game).model_copy(update={"tasks": tuple(tasks)}))
    await rescore_run(ended.run)
    (after,) = ended.run.results()
    assert (after.success, after.ended_by) == (False, None)
    assert after.caveats == (
        "rescored: the new rules would have gone on after the last recorded step",
        "rescored: by other rules than those that it was played with",
    )
    monkeypatch.undo()
    await rescore_run(ended.run)
    assert ended.run.results() == [before]


def test_verification_compares_every_column():
    same = StepRecord(step=3, attempt=0, role="player", observed="A field.")
    seen = set()
    for name in StepRecord.model_fields:
        other = same.model_copy(update={name: "different"})
        if first_difference([same], [other], pictures=True):
            seen.add(name)
        if name in ("screenshot", "screenshot_hash", "pictures_hash"):
            assert first_difference([same], [other], pictures=False) is None
    assert seen == set(StepRecord.model_fields)
    assert first_difference([same], [same, same], pictures=True) == (3, "recorded 1 rows, replayed 2")


async def test_refused_command_changes_nothing(tmp_path):
    with RunDir(tmp_path / "run").lock(), pytest.raises(UsageError, match="is being played by process"):
        await play(tmp_path)
    assert not RunDir.is_run(tmp_path / "run")
    run = open_run(plan_of(tmp_path))
    before = run.manifest()
    with run.lock(), pytest.raises(UsageError, match="is being played by process"):
        await play(tmp_path, {"task": "2"})
    assert run.manifest() == before and not (tmp_path / "run" / "replies").exists()


def test_finished_command_given_again_keeps_plan_and_seal(tmp_path, monkeypatch):
    """run.json keeps the settings that played the episodes."""
    remote = {"name": "m", "provider": "openai_chat", "model_id": "a", "base_url": "http://a/v1"}
    plan = plan_of(tmp_path, {"model": remote})
    run, keys = open_run(plan), [e.key for e in plan.episodes]
    seal = seal_run(run)
    before = run.manifest()
    monkeypatch.setattr(sys, "argv", ["gwray", "another"])
    moved = plan_of(tmp_path, {"model": {**remote, "base_url": "http://b/v1"}})
    open_run(moved, finished=keys)
    assert run.manifest() == before and seal == before.seal
    open_run(moved)
    assert run.manifest().seal == "", "one write removes the seal and changes the plan"
    assert run.manifest().cells[0].spec["model"]["base_url"] == "http://b/v1"


def own_library(folder: Path, name: str = "own_flight") -> Path:
    shutil.copytree(GAMES / "gameworld" / "13_flappy-bird", folder / name)
    shutil.copytree(GAMES / "kit", folder / "kit")
    yaml = folder / name / "game.yaml"
    yaml.write_text(yaml.read_text().replace("id: 13_flappy-bird", f"id: {name}"))
    return folder


def test_changed_game_needs_another_run(tmp_path):
    job = {"game": "own_flight", "libraries": str(own_library(tmp_path / "library")), "name": None}
    before = plan_of(tmp_path, job)
    run = open_run(before)
    with (tmp_path / "library" / "own_flight" / "rules.js").open("a") as rules:
        rules.write("// another line\n")
    _catalog.cache_clear()
    after = plan_of(tmp_path, job)
    with pytest.raises(UsageError, match=r"has episodes of own_flight from before .*Choose another name"):
        open_run(after)
    assert run.manifest().episodes[0].key == before.episodes[0].key
    assert after.name != before.name, "the same command without a name of its own has another directory"


async def test_node_with_other_game_files_plays_no_episode(tmp_path):
    plan = plan_of(tmp_path)
    run = open_run(plan)
    run.write_manifest(run.manifest().model_copy(update={"games": {"short-flight": "of another commit"}}))
    worker = Worker(plan.run_dir, [str(short_library())])
    record = await worker.play(plan.episodes[0])
    assert (record.status, record.error_class, record.progress) == ("failed", "GameError", None)
    assert "differ from those of the run's plan" in record.error_message


HOSTILE = ['{"action": "\\ud83d"}', '{"action": "press_key", "key": "Space"}', '{"action": "type", "text": "\\ud83d"}']


async def test_hostile_replies_are_stored_and_verify(tmp_path):
    model = {"name": "says", "provider": "fixed", "options": {"actions": HOSTILE}}
    ended = await play(tmp_path, {"model": model, "interface": "computer_use"})
    assert ended.complete
    (record,) = ended.run.results()
    assert (record.out_of_space, record.no_tool_call) == (2, 0)
    assert [(f.verdict, f.detail) for f in await verify_run(ended.run)] == [("identical", "")]


@pytest.mark.own_browser
async def test_browser_is_replaced_after_n_episodes(tmp_path, monkeypatch):
    launched, launch = [], Browser.launch

    async def counted(**options):
        launched.append(await launch(**options))
        return launched[-1]

    monkeypatch.setattr("gwray.pipelines.worker.Browser.launch", counted)
    executor = {"name": "inline", "lanes": 1, "episodes_per_browser": 2}
    ended = await play(tmp_path, {"task": "1", "repeats": 3, "model": "noop", "executor": executor})
    assert ended.complete
    assert len(launched) == 2


async def test_wallclock_is_not_reproducible(tmp_path):
    ended = await play(tmp_path, {"model": "noop", "timing": {"mode": "wallclock"}})
    (record,) = ended.run.results()
    assert not record.reproducible
    assert "wallclock" in record.caveats[0]
    assert [f.verdict for f in await verify_run(ended.run)] == ["skipped"]


async def test_half_speed_episode_verifies(tmp_path):
    timing = {"mode": "realtime", "latency": "fixed:100"}
    ended = await play(tmp_path, *({"model": "noop", "timing": {**timing, "speed": s}} for s in (1, 0.5)))
    whole, half = sorted(ended.run.results(), key=lambda r: -r.charged_ms / r.steps)
    assert (whole.charged_ms / whole.steps, half.charged_ms / half.steps) == (100, 50)
    first = [ended.run.read_steps(r.key, images=False)[0].game_time_ms for r in (whole, half)]
    assert first == [100 + 200, (100 + 200) / 2]
    assert [c.axes.get("timing.speed") for c in ended.run.manifest().cells] == [None, 0.5]
    assert {f.verdict for f in await verify_run(ended.run)} == {"identical"}


class JumpingClock(datetime):
    """A wall clock that jumps by up to a year at each reading."""

    draw = random.Random(5)

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return datetime.now(tz) + timedelta(days=cls.draw.uniform(-365, 365))


@pytest.mark.own_browser
async def test_a_wall_clock_that_jumps_changes_no_episode(tmp_path, monkeypatch):
    job = {"game": "short-sums,short-flight", "task": "1", "executor": {"name": "inline", "lanes": 2, "live": True}}
    calm = await play(tmp_path / "calm", job)
    real = time.time
    monkeypatch.setattr("time.time", lambda: real() + JumpingClock.draw.uniform(-3e7, 3e7))
    looked = 0
    for module in [m for name, m in sys.modules.items() if name.startswith("gwray.") and hasattr(m, "datetime")]:
        if module.datetime is datetime:
            monkeypatch.setattr(module, "datetime", JumpingClock)
            looked += 1
    assert looked >= 5
    jumpy = await play(tmp_path / "jumpy", job)
    assert jumpy.complete and not jumpy.run.failures()
    assert outcomes(jumpy, "frame_chain") == outcomes(calm, "frame_chain")
    assert {f.verdict for f in await verify_run(jumpy.run)} == {"identical"}


def test_repaired_decisions_are_counted():
    strict = ("", "no_tool_call", "out_of_space")
    rows = [StepRecord(step=i, attempt=0, role="player", repaired_from=kind) for i, kind in enumerate(strict)]
    assert totals_of(rows).fields()["repaired"] == 2


PRESS = '{"action":"press_key","key":"a"}'


@pytest.mark.parametrize(
    ("actions", "pictures", "states", "unmoved"),
    [
        ([PRESS] * 6, ["p"] * 6, ["s", "t"] * 3, True),  # a clock in the state is no effect of an action
        ([PRESS] * 6, ["p", "q"] * 3, ["s"] * 6, False),
        ([PRESS] * 6, [""] * 6, ["s"] * 6, True),
        ([PRESS] * 6, [""] * 6, ["s", "t"] * 3, False),
        ([PRESS] * 4, ["p"] * 4, ["s"] * 4, False),  # too few to judge
        (['{"action":"wait"}'] * 6, ["p"] * 6, ["s"] * 6, False),
    ],
)
def test_unmoved_episode_is_one_whose_actions_show_nothing(actions, pictures, states, unmoved):
    rows = [
        StepRecord(step=i, attempt=0, role="player", action=a, screenshot_hash=p, state_hash=s)
        for i, (a, p, s) in enumerate(zip(actions, pictures, states, strict=True))
    ]
    assert is_unmoved(rows) == unmoved
    assert game_health([EpisodeRecord.model_construct(game="g", health=(UNMOVED,) * unmoved, page_errors=())]) == (
        {"g": [UNMOVED]} if unmoved else {}
    )
