"""The real W&B client, offline: what it writes is read back from its file."""

import json
import sys
import time

import pytest
from episodes_to_track import cell, episode, play
from hypothesis import given
from hypothesis import strategies as st
from wandb_file import read_offline, wandb_table

from gwray.analysis import cell_summaries, episode_frame, main_table, plan_of, reruns
from gwray.catalog import load_catalog
from gwray.errors import UsageError
from gwray.records import EngineReading
from gwray.settings import TrackingSpec
from gwray.store import ManifestCell, PlannedEpisode, RunDir, RunManifest, results_frame
from gwray.store.manifest import PlannedEpisodes
from gwray.tracking import cells_of, make_tracker, run_facts, sync
from gwray.tracking.progress import MetricsSoFar, Table

OFFLINE = TrackingSpec(mode="offline")


@pytest.mark.slow
def test_each_cell_is_one_run_with_its_config_and_an_episode_a_row(run):
    reports: list[str] = []
    tracker = make_tracker(OFFLINE, run, reports.append)
    manifest = run.manifest().model_copy(update={"command": "gwray run -m model=random,scripted"})
    tracker.start(manifest.cells, "my sweep", run_facts(manifest))
    for i in range(6):
        tracker.episode(play(run, episode(i)))
        tracker.episode(play(run, episode(i, "scripted", success=True, progress=1.0)))
    tables = "offline-run-*/files/media/table/episodes_*.json"
    end = time.monotonic() + 60
    while len([*run.local_folder("wandb").glob(tables)]) < 2 and time.monotonic() < end:
        time.sleep(0.1)
    assert len([*run.local_folder("wandb").glob(tables)]) >= 2, "each cell has a table while the run goes on"
    links = tracker.finish({"id-random": {"sr/overall/low": 0.1}})

    runs = read_offline(run.local_folder("wandb"))
    assert reports == [] and sorted(links) == sorted(str(r.folder) for r in runs.values())
    one = runs["random"]
    assert one.group == "my sweep" and one.project == "gwray" and one.finished
    assert one.config["model"] == "random" and one.config["spec"]["timing"] == {"mode": "paused"}
    assert one.config["command"] == "gwray run -m model=random,scripted"
    assert one.config["cell"] == "id-random" and one.config["run"] == run.id
    assert one.keys == [f"random{i}" for i in range(6)]
    assert [row["_step"] for row in one.history] == list(range(6))

    assert one.job_type == "memory rounds 2 · fog 0.5" and runs["scripted"].job_type == "default"
    assert one.config["axes"] == {"memory_rounds": 2, "fog": 0.5}, "of whatever axis a cell says"

    third = one.history[2]
    assert third["episode/progress"] == 0.2 and third["episode/success"] == 0
    assert third["sr/overall"] == pytest.approx(1 / 3) and third["pg/overall"] == pytest.approx(0.1)
    assert third["pg/game/01_2048"] == pytest.approx(0.1) and "pg/game/13_flappy-bird" not in third

    s = one.summary
    assert s["sr/overall"] == pytest.approx(2 / 6) and s["pg/overall"] == pytest.approx(0.25)
    assert s["pg/genre/puzzle"] == pytest.approx(0.2) and s["pg/level/2"] == pytest.approx(0.3)
    assert s["iar/overall"] == pytest.approx(0.3) and s["iar/no_tool_call"] == pytest.approx(0.1)
    assert s["tokens/input"] == 6000 and s["cost/usd"] == pytest.approx(0.06)
    assert s["latency/mean_ms"] == pytest.approx(50) and s["sr/overall/low"] == 0.1
    assert (s["episodes/planned"], s["episodes/finished"], s["episodes/failed"]) == (6, 6, 0)
    assert not [name for name in s if name.startswith("episode/")], "the last episode is no summary of all"
    assert runs["scripted"].summary["sr/overall"] == 1


def test_the_table_has_all_episodes(run):
    for i in range(6):
        play(run, episode(i))
    play(run, episode(6, status="failed", success=False, progress=None, error_class="BrowserError"))
    sync(run, OFFLINE)
    one = read_offline(run.local_folder("wandb"))["random"]
    table = json.loads((one.folder / "files" / one.summary["episodes"]["path"]).read_text())
    rows = [dict(zip(table["columns"], r, strict=True)) for r in table["data"]]
    assert {r["key"] for r in rows} == {f"random{i}" for i in range(7)}
    assert {r["error_class"] for r in rows if r["status"] == "failed"} == {"BrowserError"}


def test_an_episode_that_failed_and_then_finished_is_one_row(run):
    tracker = make_tracker(OFFLINE, run)
    tracker.start(run.manifest().cells, "s")
    failed = {"status": "failed", "success": False, "progress": None}
    tracker.episode(play(run, episode(0, **failed)))
    tracker.episode(play(run, episode(1, **failed)))
    tracker.episode(play(run, episode(0)))
    tracker.episode(episode(0))
    tracker.finish()
    one = read_offline(run.local_folder("wandb"))["random"]
    assert one.keys == ["random0"]
    assert one.summary["episodes/finished"] == 1 and one.summary["episodes/failed"] == 1


def reading(second: int, running: float) -> EngineReading:
    at = f"2026-01-01T00:00:{second:02}.500+00:00"
    return EngineReading(model="random", at=at, replicas=1, running=running, waiting=0, kv_usage=0.1)


@pytest.mark.slow
def test_rows_carry_engine_metrics_also_after_sync(run):
    tracker = make_tracker(OFFLINE, run)
    tracker.start(run.manifest().cells, "s")
    for i in range(3):
        run.append_engines([reading(10 * i, running=i + 1), reading(10 * i + 2, running=8)])
        tracker.engine(reading(10 * i, running=i + 1))
        tracker.engine(reading(10 * i + 2, running=8))
        tracker.episode(play(run, episode(i, finished_at=f"2026-01-01T00:00:{10 * i:02}+00:00")))
    tracker.finish()
    live = read_offline(run.local_folder("wandb"))["random"]
    assert [row["engine/running"] for row in live.history] == [1, 2, 3]
    assert "engine/generation_tokens_per_s" not in live.history[0], "what was not measured is no number"

    sync(run, OFFLINE)
    assert [row["engine/running"] for row in read_offline(run.local_folder("wandb"))["random"].history] == [1, 2, 3]


def test_sync_is_refused_while_a_driver_works_on_the_run(run):
    with run.lock(), pytest.raises(UsageError, match="is being played by process"):
        sync(run, OFFLINE)


@pytest.mark.slow
def test_a_remote_run_directory_is_tracked_too():
    run = RunDir.create("memory://tracked/run", RunManifest(name="far", cells=(cell("random", 1),)))
    play(run, episode(0))
    (link,) = sync(run, OFFLINE)
    assert link.startswith("/") and "offline-run-" in link


def test_the_order_of_episodes_leaves_no_trace_in_the_averages():
    records = [episode(i, progress=(i * 37 % 100) / 100) for i in range(60)]
    forward, backward = MetricsSoFar(), MetricsSoFar()
    for r in records:
        forward.add(r)
    for r in reversed(records):
        backward.add(r)
    assert forward.summary() == pytest.approx(backward.summary())


def test_tasks_weigh_equally_however_often_they_were_repeated():
    progress = MetricsSoFar()
    for repeat in range(9):
        progress.add(episode(0, repeat=repeat, success=True, progress=1.0))
    progress.add(episode(1, success=False, progress=0.0))
    assert progress.summary()["sr/overall"] == 0.5 and progress.summary()["pg/overall"] == 0.5


def test_a_finished_episode_without_a_score_enters_no_average():
    progress = MetricsSoFar()
    progress.add(episode(0, success=True, progress=1.0))
    assert "episode/progress" not in progress.add(episode(1, success=False, progress=None))
    progress.add(episode(1, success=False, progress=float("nan")))
    assert progress.summary()["pg/overall"] == 1.0 and progress.finished == 3


def test_tasks_of_one_name_in_two_games_are_two_tasks():
    progress = MetricsSoFar()
    for game, won, repeats in (("a", True, 3), ("b", False, 1)):
        for r in range(repeats):
            progress.add(episode(0, game=game, task="1", repeat=r, success=won, progress=float(won)))
    assert progress.summary()["sr/overall"] == 0.5


def test_a_huge_error_message_is_cut_in_the_table():
    from gwray.tracking.progress import COLUMNS, table_row

    row = table_row(episode(0, status="failed", error_message="x" * 1_000_000))
    assert len(row[COLUMNS.index("error_message")]) == 2000


@given(st.lists(st.tuples(st.integers(0, 40), st.booleans()), max_size=120), st.integers(1, 12))
def test_table_is_bounded_and_counts_all_episodes(logged, most):
    table, last = Table(most), {}
    for n, finished in logged:
        one = episode(0, key=f"k{n}", repeat=n, status="finished" if finished else "failed")
        new = last.get(one.key, one).status != "finished" or one.key not in last
        assert table.take(one) is new
        last |= {one.key: one} if new else {}
        assert len(table._records) <= 2 * most
    assert table.rows() == sorted(last.values(), key=lambda r: r.repeat)[:most]
    assert table.failed == {r.key for r in last.values() if r.status == "failed"}


def test_custom_metrics_are_averaged_by_task(run):
    progress = MetricsSoFar(["my_package.calm"])
    for number, shares in enumerate(((0.2, 0.4), (0.9,), (float("nan"),))):
        for share in shares:
            row = progress.add(episode(number, metrics={"calm.share": share, "fields.score.last": 9.0}, game="a"))
    assert "metrics/a/calm.share" not in row and progress.summary()["metrics/a/calm.share"] == pytest.approx(0.6)
    other = progress.add(episode(0, metrics={"calm.share": 7.0}, game="b"))
    assert other["metrics/b/calm.share"] == 7.0 and "metrics/a/calm.share" not in other
    assert not [name for name in {**row, **progress.summary()} if "fields" in name], "they were not asked for"


def test_a_row_of_all_games_has_few_keys():
    """W&B draws a chart for each key."""
    games, progress = load_catalog(()).selected("all"), MetricsSoFar()
    for game in games:
        fields = {f"fields.{name}.last": 1.0 for name in "ab"}
        facts = {"game": game.id, "genre": game.genre, "level": game.level, "metrics": fields}
        assert len(progress.add(episode(0, **facts))) <= 40
    beside = 13  # counts, table, intervals on games like these, and of all tasks
    assert len(games) == 34 and len(progress.summary()) + beside <= 80


def test_table_of_results_can_be_printed_from_wandb_files(tmp_path, capsys, monkeypatch):
    """Two models with two interfaces and three repeats: same scores, intervals and SDs as the results table."""
    names = [(model, interface) for model in ("random", "scripted") for interface in ("semantic", "computer_use")]
    cells = [
        ManifestCell(
            id=f"{m}-{i}",
            name=f"{m} · {i}",
            planned=12,
            model=m,
            interface=i,
            axes={},
            spec={"agent": {"interface": i}},
        )
        for m, i in names
    ]
    records = [
        episode(n, key=f"{c.id}{n}{r}", model=c.model, cell=c.id, repeat=r, interface=c.interface,
                success=(n + r + k) % 3 == 0, progress=((7 * n + 3 * r + 5 * k) % 11) / 11)
        for k, c in enumerate(cells) for n in range(4) for r in range(3)
    ]  # fmt: skip
    planned = [
        PlannedEpisode(key=r.key, cell=r.cell, game=r.game, task=r.task, seed=r.seed, repeat=r.repeat) for r in records
    ]
    run = RunDir.create(
        tmp_path, RunManifest(name="table", cells=tuple(cells), episodes=PlannedEpisodes.group(planned))
    )
    tracker = make_tracker(OFFLINE, run)
    tracker.start(cells_of(run.manifest()), "table")
    for record in records:
        tracker.episode(play(run, record))
    frame, manifest = results_frame(run), run.manifest()
    tracker.finish(cell_summaries(frame, manifest))
    for one in read_offline(run.local_folder("wandb")).values():
        assert one.tags == [one.config["label"], one.config["interface"]]
        assert {n: one.config[n] for n in ("n_games", "n_tasks", "n_repeats", "seeds")} == {
            "n_games": one.summary["n_games"], "n_tasks": one.summary["n_tasks"],
            "n_repeats": one.summary["n_repeats"], "seeds": sorted({r.seed for r in records}),
        }  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["wandb_table.py", str(run.local_folder("wandb"))])
    assert wandb_table.main() == 0
    printed = {line.split("|")[1].strip(): line for line in capsys.readouterr().out.splitlines()[2:]}
    frame = episode_frame(frame)
    plan = plan_of(frame, [manifest])
    assert len(printed) == 4
    for row in main_table(frame, plan):
        line = printed[f"{row.cell.model} · {row.cell.interface}"]
        for score in ("sr", "pg"):
            shown = getattr(row, score)
            again = reruns(frame, plan, row.cell.id, score)
            assert f"{100 * shown.value:.0f} [{100 * shown.low:.0f}–{100 * shown.high:.0f}]" in line
            assert f"{100 * again.mean:.1f} ± {100 * again.sd:.1f}" in line
