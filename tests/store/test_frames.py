"""Results as a Polars frame."""

from typing import Literal

import polars as pl
import polars.selectors as cs
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

from gwray.analysis import episode_frame
from gwray.records import EpisodeRecord
from gwray.records.columns import arrow_schema, table
from gwray.store import RunDir, results_frame
from gwray.store.frames import SCHEMA


def record(key: str, **fields) -> EpisodeRecord:
    return EpisodeRecord(**{"key": key, "cell": "c", "game": "g", "task": "t", **fields})


def test_every_field_of_an_episode_is_a_column_of_its_type():
    assert SCHEMA.names() == ["run", *(n for n in EpisodeRecord.model_fields if n != "metrics")]
    kinds = {"str": pl.String, "int": pl.Int64, "float": pl.Float64, "bool": pl.Boolean}
    for name in SCHEMA.names()[1:]:
        field = EpisodeRecord.model_fields[name]
        text = getattr(field.annotation, "__name__", "") or str(field.annotation)
        expected = next((kind for word, kind in kinds.items() if text.startswith(word)), None)
        if expected is None and "float" in text:
            expected = pl.Float64
        elif expected is None and "tuple" in text:
            expected = pl.List(pl.String)
        assert SCHEMA[name] == (expected or pl.String), name


def test_each_metric_is_a_nullable_column(tmp_path):
    runs = [RunDir.create(tmp_path / name) for name in "ab"]
    runs[0].append_result(record("a", metrics={"movement.moves": 3, "shots.fired": 1.5}))
    runs[1].append_result(record("b", metrics={"movement.moves": 4}))
    runs[1].append_failure(record("c", status="failed"))
    frame = results_frame(runs)
    assert frame.columns == [*SCHEMA.names(), "metrics.movement.moves", "metrics.shots.fired"]
    assert frame["metrics.movement.moves"].to_list() == [3.0, 4.0, None]
    assert frame["metrics.shots.fired"].to_list() == [1.5, None, None]
    assert_frame_equal(
        episode_frame(frame).select(cs.starts_with("metrics.")), frame.select(cs.starts_with("metrics."))
    )
    assert episode_frame(r.results()[0] for r in runs).filter(pl.col("metrics.movement.moves") > 3)["key"].item() == "b"


def test_a_record_that_grows_is_a_wider_table_without_another_line_of_code():
    class Grown(EpisodeRecord):
        ends: tuple[float, ...] = ()
        how: Literal["a", "b"] | None = None

    grown = table([Grown(**dict(record("k")), ends=(1, 2), how="b")], Grown)
    assert grown.select("ends", "how").rows() == [([1.0, 2.0], "b")]
    assert arrow_schema(Grown).field("metrics").type == pa.map_(pa.string(), pa.float64())


def test_a_field_that_no_column_can_hold_is_refused_by_name():
    class Odd(EpisodeRecord):
        either: int | str = 0

    with pytest.raises(TypeError, match=r"field 'either' is int \| str: a column has values of one kind"):
        arrow_schema(Odd)


def test_an_empty_run_has_the_same_columns_as_a_full_one(tmp_path):
    run = RunDir.create(tmp_path / "run")
    empty = results_frame(run)
    assert empty.height == 0 and empty.schema == SCHEMA
    run.append_result(record("a", progress=0.5, caveats=("x",)))
    run.append_failure(record("b", status="failed"))
    full = results_frame(run)
    assert full.schema == SCHEMA
    assert full.select("key", "status", "progress").rows() == [("a", "finished", 0.5), ("b", "failed", None)]
    assert full["caveats"].to_list() == [["x"], []]


def test_only_fields_that_are_asked_for_become_columns(tmp_path):
    run = RunDir.create(tmp_path / "run")
    assert results_frame(run, only={"key", "steps"}).schema == {"key": pl.String, "steps": pl.Int64}
    run.append_result(record("a", steps=3, metrics={"shots.fired": 1}), record("b", steps=4), record("a", steps=5))
    for key in "cb":
        run.append_failure(record(key, status="failed"))
    some = results_frame(run, only={"steps", "key"})
    assert some.columns == ["key", "steps"] and some.rows() == [("a", 5), ("b", 4), ("c", 0)]
    assert_frame_equal(some, results_frame(run).select("key", "steps"))


def test_several_runs_stand_in_one_frame_with_their_names(tmp_path):
    runs = [RunDir.create(tmp_path / name) for name in "ab"]
    for run in runs:
        run.append_result(record("k"))
    frame = results_frame(runs)
    assert frame["run"].to_list() == [r.url for r in runs]
    assert_frame_equal(frame, pl.concat([results_frame(r) for r in runs]))


def test_results_file_is_read_once(tmp_path, monkeypatch):
    run = RunDir.create(tmp_path / "run")
    run.rewrite_results(record(f"{i:032d}", task=f"t{i % 17}", progress=0.5) for i in range(500))
    read = 0
    each_result = RunDir.each_result

    def counted(self):
        nonlocal read
        for result in each_result(self):
            read += 1
            yield result

    monkeypatch.setattr(RunDir, "each_result", counted)
    assert results_frame(run).height == read == 500
