"""The plan of a run as a product."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gwray.errors import UsageError
from gwray.pipelines.manifest import changed_since
from gwray.records import EpisodeRecord
from gwray.store import PlannedEpisode, PlannedEpisodes, RunDir, RunManifest, results_frame
from gwray.store.lines import StoredRecords

CELLS = [{"id": name, "name": name, "planned": 6, "spec": {"model": {"name": name}}} for name in ("a", "b")]


def entries(**more) -> list[dict]:
    """Two cells on two games: seeds of their own in the second one's, the first with a setting of its game."""
    return [
        {"key": f"{cell}-{game}-{repeat}", "cell": cell, "game": game, "task": "1", **(more if game == "g" else {}),
         "seed": 42 if game == "g" else 7 * repeat, "repeat": repeat}
        for cell in "ab" for game in "gh" for repeat in range(3)
    ]  # fmt: skip


def record(entry: dict, **more) -> EpisodeRecord:
    return EpisodeRecord(progress=0.5, **{**{k: v for k, v in entry.items() if k != "action"}, **more})


def manifest_of(planned) -> RunManifest:
    given = {"games": {"g": "1", "h": "2"}, "cells": CELLS}
    return RunManifest.model_validate(
        {**given, "episodes": PlannedEpisodes.group(PlannedEpisode(**e) for e in planned)}
    )


def run_of(folder, planned, *, done: int = 99) -> RunDir:
    run = RunDir.create(folder, manifest_of(planned))
    run.append_result(*(record(e) for e in planned[:done]))
    return run


def edit_manifest(run: RunDir, **values) -> None:
    (run.local_path / "run.json").write_text(json.dumps({**written(run), **values}))


def written(run: RunDir) -> dict:
    return json.loads((run.local_path / "run.json").read_text())


def test_episodes_of_one_cell_and_task_share_a_line(tmp_path):
    run = run_of(tmp_path / "run", entries(action={"per_reply": 2}))
    parts = written(run)["episodes"]
    assert parts[0] == {
        "cell": "a", "game": "g", "task": "1", "action": {"per_reply": 2}, "rounds": [[42, 0, 3]],
        "keys": "a-g-0 a-g-1 a-g-2",
    }  # fmt: skip
    assert [p["rounds"] for p in parts] == [[[42, 0, 3]], [[0, 0, 1], [7, 1, 1], [14, 2, 1]]] * 2
    lines = (tmp_path / "run" / "run.json").read_text().splitlines()
    assert [json.loads(line.strip(" ,")) for line in lines if '"rounds"' in line] == parts


ENTRIES = st.lists(
    st.fixed_dictionaries(
        {"cell": st.sampled_from("ab"), "game": st.just("g"), "task": st.sampled_from("12"),
         "seed": st.sampled_from([-1, 42]), "repeat": st.integers(0, 3)},
        optional={"action": st.just({"per_reply": 2}), "prefix": st.sampled_from(["", "ab"])},
    ),
    max_size=12,
)  # fmt: skip


@given(ENTRIES)
def test_any_plan_is_read_as_it_was_made_in_its_order(found):
    plan = [PlannedEpisode(f"k{n}", **entry) for n, entry in enumerate(found)]
    stored = json.dumps([part.stored() for part in PlannedEpisodes.group(plan).parts])
    read = PlannedEpisodes.model_validate(json.loads(stored))
    assert [*read] == plan and len(read) == len(plan)
    assert [*read.episode_keys()] == [e.key for e in plan]
    assert read.columns() == {
        k: [getattr(e, k) for e in plan] for k in ("key", "cell", "game", "task", "seed", "repeat")
    }
    assert read.per_cell() == {c: n for c in "ab" if (n := sum(e.cell == c for e in plan))}
    assert [*read.without_forks()] == [e for e in plan if not e.prefix]
    assert all(read[n] == e and read[n - len(plan)] == e for n, e in enumerate(plan))


def test_what_is_planned_later_comes_after_what_was_and_nothing_twice():
    planned = [PlannedEpisode(**e) for e in entries()]
    before, more = PlannedEpisodes.group(planned), [*planned[3:], planned[2]._replace(key="a-g-3", repeat=3)]
    both = before.merge(PlannedEpisodes.group(more))
    assert [*both] == [*planned, more[-1]]
    assert both.parts[-1].rounds == ((42, 3, 1),)
    assert before.merge(before) == before


def test_changed_episode_keys_name_their_game():
    same = manifest_of(entries())
    now = manifest_of([{**e, "key": "x"} if e["key"] == "b-h-1" else e for e in entries()])
    assert changed_since(same, now) == ["h"]
    assert changed_since(same, same) == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"keys": "a-g-0 a-g-1"}, "episodes.0: Value error, 3 episodes have 2 keys"),
        ({"rounds": [[42, 0, 10**15]]}, "episodes.0: Value error, 1000000000000000 episodes have 3 keys"),
        ({"rounds": [[42, 0, 0]]}, "episodes.0.rounds.0.2: "),
        ({"rounds": [[42, 0]]}, "episodes.0.rounds.0"),
        ({"rounds": [[42, "0", 3]]}, "episodes.0.rounds.0.1: "),
        ({"keys": "a-g-0  a-g-1"}, "episodes.0.keys: "),
        ({"keys": "a-g-0 a-g-1 ../x"}, "episodes.0.keys: "),
        ({"keys": "a-g-0 a-g-1 a-g-0"}, "episodes: 'a-g-0' is listed twice"),
        ({"cell": "c"}, "episodes: 'a-g-0' is of cell 'c', which is not listed"),
    ],
)
def test_a_part_that_is_no_product_is_refused_with_its_place(tmp_path, changed, words):
    run = run_of(tmp_path / "run", entries())
    manifest = written(run)
    manifest["episodes"][0].update(changed)
    (tmp_path / "run" / "run.json").write_text(json.dumps(manifest))
    with pytest.raises(UsageError, match="was damaged or changed") as refused:
        run.manifest()
    assert words in str(refused.value)


def test_records_are_read_lazily_and_the_last_of_a_key_wins(tmp_path):
    run = run_of(tmp_path / "run", entries())
    run.append_result(record(entries()[0], steps=7))
    found = run.recorded()
    assert isinstance(found, StoredRecords) and [*found] == [e["key"] for e in entries()]
    assert found["a-g-0"].steps == 7 and "x" not in found and {r.key: r for r in run.results()} == {**found}
    run.rewrite_results([])
    assert found["b-h-2"] == record(entries()[-1]) and [*run.recorded()] == []


def test_frame_keeps_the_last_record_at_the_first_place(tmp_path):
    run = run_of(tmp_path / "run", entries())
    run.append_result(record(entries()[1], steps=7))
    run.append_failure(record(entries()[2], status="failed"))
    assert results_frame(run)["key"].to_list() == [e["key"] for e in entries()]
    assert results_frame(run).filter(key="a-g-1")["steps"].to_list() == [7]
