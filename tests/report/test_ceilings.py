"""Planning ceilings and people are shown below the players and never ranked."""

from collections.abc import Mapping
from pathlib import Path

import polars as pl
import pytest
from runs_to_report import rows_of, sweep, write_run

from gwray.catalog import load_catalog, published_protocol, task_identity
from gwray.catalog.difficulty import Difficulty, read_difficulties, write_difficulties
from gwray.report import build_report
from gwray.report.ceilings import Ceilings, measured_ceilings, measured_floors
from gwray.store import ManifestCell, PlannedEpisode, PlannedEpisodes, RunManifest

GAME = load_catalog().game("19_minesweeper")


def measured(file: Path, **progress: float | None) -> Path:
    """Search results of tasks `t1`, `t2`, … of one real game."""
    rows = {}
    for word, reached in progress.items():
        task = GAME.tasks[int(word[1:]) - 1]
        rows[task.id] = Difficulty(
            task=task.id, identity=task_identity(GAME, task), random_progress=(0.1,), random_success=(False,),
            noop_progress=0.0, search_progress=reached, search_expansions=20_000,
        )  # fmt: skip
    write_difficulties(rows, file)
    return file


def manifest(files_hash: str = GAME.files_hash, limit: Mapping[str, object] = {}) -> RunManifest:
    episodes = PlannedEpisodes.group(PlannedEpisode(t.id, "c", GAME.id, t.id) for t in GAME.tasks)
    cells = (ManifestCell(id="c", spec={"limit": dict(limit)}),)
    return RunManifest(games={GAME.id: files_hash}, cells=cells, episodes=episodes)


def test_measured_ceilings_cover_unchanged_tasks(tmp_path):
    file = measured(tmp_path / "library.json", t1=1.0, t2=0.4, t3=None)
    found = measured_ceilings([manifest()], file)
    assert found.label == "search: a program that tried 20,000 steps per task"
    assert found.tasks == {GAME.tasks[0].id: (True, 1.0), GAME.tasks[1].id: (False, 0.4)}
    reach = found.average_over([t.id for t in GAME.tasks])
    assert reach and (reach.sr, reach.pg, str(reach)) == (0.5, 0.7, "2 of 5 tasks")
    assert measured_ceilings([manifest("other files")], file).tasks == {}
    changed = file.read_text().replace(task_identity(GAME, GAME.tasks[0]), "0" * 32)
    file.write_text(changed)
    assert list(measured_ceilings([manifest()], file).tasks) == [GAME.tasks[1].id]
    assert measured_ceilings([manifest()], tmp_path / "none.json").tasks == {}


def test_blind_floor_is_the_best_of_the_blind_players(tmp_path):
    file = measured(tmp_path / "library.json", t1=None, t2=None)
    rows = read_difficulties(file)
    first, second = (t.id for t in GAME.tasks[:2])
    rows[first] = rows[first].model_copy(
        update={"blind_pattern": "go", "blind_progress": (1.0, 0.5), "blind_success": (True, False)}
    )
    rows[second] = rows[second].model_copy(
        update={"blind_pattern": "go", "blind_progress": (0.05, 0.05), "blind_success": (False, False)}
    )
    write_difficulties(rows, file)
    found = measured_floors([manifest()], file)
    assert found.label.startswith("blind floor")
    assert found.tasks == {first: (0.5, 0.75), second: (0.0, 0.1)}


def test_smaller_budgets_have_neither_ceiling_nor_floor(tmp_path):
    """A search or a blind player with the whole budget says nothing of episodes that were shorter or unlimited."""
    file = measured(tmp_path / "library.json", t1=1.0)
    budget = GAME.tasks[0].budget
    for limit, known in (
        ({"steps": budget - 1}, 0),
        ({"steps": budget}, 1),
        ({"unlimited": True}, 0),
        ({"steps": "x"}, 1),
    ):
        shortened = [manifest(limit=limit)]
        assert len(measured_ceilings(shortened, file).tasks) == known
        assert len(measured_ceilings([manifest(), *shortened], file).tasks) == known
        assert len(measured_floors(shortened).tasks) in ((0,) if not known else (len(GAME.tasks),))


def test_results_above_the_floor(tmp_path, monkeypatch):
    """A report has the floor as an unranked row, and columns of points above it where it covers a cell's tasks."""
    floors = Ceilings("blind floor", {"01_01": (0.0, 0.25), "01_02": (0.0, 0.25)})
    monkeypatch.setattr("gwray.report.site.measured_floors", lambda manifests: floors)
    run = write_run(tmp_path / "run", sweep({"a": 0.4}, n_games=1, tasks_per_game=2))
    site = build_report([run], tmp_path / "site", episodes="none").parent
    player, last = rows_of(site)
    assert (last["model"], float(last["progress %"])) == ("blind floor", 25) and "rank" not in last
    assert " Above floor: points above the last row" in (site / "index.html").read_text()
    assert float(player["progress above floor"]) == pytest.approx(float(player["progress %"]) - 25)
    assert float(player["success above floor"]) == pytest.approx(float(player["success %"]))


def test_ceiling_is_unranked_in_every_table(tmp_path, monkeypatch):
    run = write_run(tmp_path / "run", sweep({"a": 0.4, "b": 0.5}, n_games=2, tasks_per_game=2))
    monkeypatch.setattr("gwray.report.site.measured_ceilings", lambda _: Ceilings("search", {"01_01": (1.0, 1.0)}))
    site = build_report([run], tmp_path / "site", episodes="none").parent
    assert "1 of 4 tasks" in (site / "index.html").read_text()
    *players, last = rows_of(site)
    assert last["model"] == "search" and last["rank"] == "" and float(last["progress %"]) == 100
    assert all(p["rank"] for p in players)
    assert rows_of(site, "levels-table")[-1]["cell"] == "search"


def test_ceiling_over_all_tasks_and_without_ceiling(tmp_path, monkeypatch):
    cells = (("a", "semantic"), ("b", "semantic"), ("b", "computer_use"))
    parts = [sweep({m: 0.4}, interface=i, n_games=1, tasks_per_game=2, sees_state=m == "b") for m, i in cells]
    run = write_run(tmp_path / "run", pl.concat(parts))
    assert "best found" not in build_report([run], tmp_path / "other", episodes="none").read_text()
    every = Ceilings("best found", {t: (0.0, 0.5) for t in ("01_01", "01_02")})
    monkeypatch.setattr("gwray.report.site.measured_ceilings", lambda _: every)
    page = build_report([run], tmp_path / "site", episodes="none").read_text()
    assert "all 2 tasks" in page and "best found" in page
    names = [row["model"] for row in rows_of(tmp_path / "site")[1:-1]]
    assert names == ["b · named controls", "b · mouse and keyboard"]


def test_people_are_unranked_and_published_ones_labelled(tmp_path):
    frame = pl.concat([
        sweep({"gpt-5.2": 0.5}, n_games=3, tasks_per_game=2),
        sweep({"human": 0.7}, n_games=1, tasks_per_game=1, cost_usd=None),
    ])  # fmt: skip
    run = write_run(tmp_path / "run", frame, axes=published_protocol().axes("semantic"))
    site = build_report([run], tmp_path / "site", episodes="none").parent
    page = (site / "index.html").read_text()
    assert "a person: no rank; 1 of 6 tasks" in page
    names = [r["model"] for r in rows_of(site)]
    assert names == ["gpt-5.2", "human", "human-novice", "human-expert"]
    expert = rows_of(site)[-1]
    assert "rank" not in expert and expert["PG % (published, original games)"] == "82.6"
