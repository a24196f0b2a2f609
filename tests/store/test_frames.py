"""Results as a Polars frame."""

import time

import polars as pl
from polars.testing import assert_frame_equal

from gwray.records import EpisodeRecord
from gwray.store import RunDir, results_frame
from gwray.store.frames import SCHEMA


def record(key: str, **fields) -> EpisodeRecord:
    return EpisodeRecord(**{"key": key, "cell": "c", "game": "g", "task": "t", **fields})


def test_every_field_of_an_episode_is_a_column_of_its_type():
    assert SCHEMA.names() == ["run", *EpisodeRecord.model_fields]
    kinds = {"str": pl.String, "int": pl.Int64, "float": pl.Float64, "bool": pl.Boolean}
    for name, field in EpisodeRecord.model_fields.items():
        text = getattr(field.annotation, "__name__", "") or str(field.annotation)
        expected = next((kind for word, kind in kinds.items() if text.startswith(word)), None)
        if expected is None and "float" in text:
            expected = pl.Float64
        elif expected is None and "tuple" in text:
            expected = pl.List(pl.String)
        assert SCHEMA[name] == (expected or pl.String), name


def test_an_empty_run_has_the_same_columns_as_a_full_one(tmp_path):
    run = RunDir.create(tmp_path / "run", {})
    empty = results_frame(run)
    assert empty.height == 0 and empty.schema == SCHEMA
    run.append_result(record("a", progress=0.5, caveats=("x",)))
    run.append_failure(record("b", status="failed"))
    full = results_frame(run)
    assert full.schema == SCHEMA
    assert full.select("key", "status", "progress").rows() == [("a", "finished", 0.5), ("b", "failed", None)]
    assert full["caveats"].to_list() == [["x"], []]


def test_several_runs_stand_in_one_frame_with_their_names(tmp_path):
    runs = [RunDir.create(tmp_path / name, {}) for name in "ab"]
    for run in runs:
        run.append_result(record("k"))
    frame = results_frame(runs)
    assert frame["run"].to_list() == [r.url for r in runs]
    assert_frame_equal(frame, pl.concat([results_frame(r) for r in runs]))


def test_a_whole_main_experiment_loads_in_well_under_three_seconds(tmp_path):
    run = RunDir.create(tmp_path / "run", {})
    run.rewrite_results(
        record(f"{i:032d}", task=f"t{i % 170}", progress=0.5, state_chain="a" * 32, page_errors=("e" * 80,))
        for i in range(30_600)
    )
    start = time.process_time()
    assert results_frame(run).height == 30_600
    assert time.process_time() - start < 3
