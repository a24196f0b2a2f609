"""Values that readers accept and gwray cannot have written are findings of `gwray verify`, with every hash and the seal
made anew."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gwray.errors import GwrayError
from gwray.pipelines import verify_stored
from gwray.store import RunDir, seal_run

RUN = Path(__file__).parents[1] / "fixtures" / "runs" / "format-2"


@pytest.fixture
def run(tmp_path) -> RunDir:
    return RunDir.open(shutil.copytree(RUN, tmp_path / "run"))


def rewritten(run: RunDir, name: str, *changes: tuple[str, str]) -> None:
    """Replaces texts in a file; `name` may have wildcards."""
    (file,) = run.local_path.glob(name)
    text = file.read_text()
    for pattern, new in changes:
        text, times = re.subn(pattern, lambda _, new=new: new, text, count=1)
        assert times, pattern
    file.write_text(text)


def against(run: RunDir, *, seal: bool = True) -> str:
    """What is said against the run, as one text; an error that refuses it counts, too. `seal`: writes run.json anew."""
    try:
        if seal:
            seal_run(run)
        return "; ".join(f"{f.key}: {f.detail}" for f in verify_stored(run) if not f.holds or f.detail)
    except GwrayError as e:
        return str(e)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_plan_in_another_encoding_is_refused(run, encoding):
    file = run.local_path / "run.json"
    file.write_text(file.read_text(), encoding=encoding)
    assert "is not JSON" in against(RunDir(run.url), seal=False)


def test_untouched_run_has_no_odd_value(run):
    assert [f.detail for f in verify_stored(run) if f.detail and "is not recorded" not in f.detail] == []


TWICE = "twice in one object"
ODD: dict[str, tuple[str, tuple[tuple[str, str], ...], str]] = {
    "name twice in run.json": ("run.json", ((r"\{", '{"name": "another", '),), TWICE),
    "cell's name twice": ("run.json", ((r'"interface":', '"interface": "computer_use", "interface":'),), TWICE),
    "address twice": ("run.json", ((r'"base_url":', '"base_url": "http://a", "base_url":'),), TWICE),
    "seal twice": ("run.json", ((r'"seal":', '"seal": "0", "seal":'),), TWICE),
    "score twice": ("results.jsonl", ((r'"score":', '"score":9999.0,"score":'),), TWICE),
    "key twice": ("results.jsonl", ((r'"key":', '"key":"other","key":'),), TWICE),
    "escaped name twice": ("results.jsonl", ((r'"score":', '"sc\\u006fre":9.0,"score":'),), TWICE),
    "reply's text twice": ("replies/*.jsonl", ((r'"text":', '"text":"wait","text":'),), TWICE),
    "time twice": ("replies/*.jsonl", ((r'"at":', '"at":"2001-01-01T00:00:00+00:00","at":'),), TWICE),
    "negative duration": ("results.jsonl", ((r'"wall_s":[^,]*', '"wall_s":-4.5'),), "wall_s"),
    "duration NaN": ("results.jsonl", ((r'"wall_s":[^,]*', '"wall_s":NaN'),), "it took nan s"),
    "duration infinite": ("results.jsonl", ((r'"wall_s":[^,]*', '"wall_s":Infinity'),), "it took inf s"),
    "fewer than 0 tries": ("results.jsonl", ((r'"tries":[^,]*', '"tries":-2'),), "tries is -2"),
    "fewer than 0 in flight": ("results.jsonl", ((r'"in_flight":[^,]*', '"in_flight":-1'),), "in_flight is -1"),
    "end is no time": ("results.jsonl", ((r'"finished_at":"[^"]*"', '"finished_at":"soon"'),), "no time of UTC"),
    "end without a zone": ("results.jsonl", ((r'"finished_at":"[^"]*"', '"finished_at":"2026-11-26"'),), "no time of"),
    "reply is no time": ("replies/*.jsonl", ((r'"at":"[^"]*"', '"at":"NaN"'),), "which is no time of UTC"),
    "reply's latency NaN": ("replies/*.jsonl", ((r'"latency_ms":[^,}]*', '"latency_ms":NaN'),), "latency"),
    "latency below 0": ("replies/*.jsonl", ((r'"latency_ms":[^,}]*', '"latency_ms":-1.0'),), "latency"),
    "a list as a result": ("results.jsonl", ((r"^\{", "[]\n{"),), "not a readable record"),
    "two values in a line": ("results.jsonl", ((r"\}\n$", "} {}\n"),), "not a readable record"),
    "number as key": ("results.jsonl", ((r'"key":"[^"]*"', '"key":7'),), "key"),
    "true as number": ("results.jsonl", ((r'"steps":[^,]*', '"steps":true'),), "steps"),
    "steps as text": ("results.jsonl", ((r'"steps":[^,]*', '"steps":"x"'),), "steps"),
    "reply of another role": ("replies/*.jsonl", ((r'"role":"[^"]*"', '"role":"nobody"'),), "no reply of"),
    "decision below 0": ("replies/*.jsonl", ((r'"decision":0', '"decision":-1'),), "reply"),
    "planned twice": ("run.json", ((r'"planned": 1', '"planned": 2'),), "planned"),
    "another game's hash": (
        "run.json",
        ((r'"19_minesweeper": "[0-9a-f]{8}', '"19_minesweeper": "00000000'),),
        "other files",
    ),
    "created in a list": ("run.json", ((r'"created": "[^"]*"', '"created": []'),), "created"),
    "format of the future": ("run.json", ((r'"format": \d+', '"format": 99'),), "format"),
    "protocol of the future": ("run.json", ((r'"protocol_version": \d+', '"protocol_version": 99'),), "protocol"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_value_is_found(run, name):
    file, changes, words = ODD[name]
    rewritten(run, file, *changes)
    assert words in against(run, seal=file != "run.json")


def test_there_are_thirty_forgeries_of_other_kinds():
    assert len(ODD) >= 30


def with_table(run: RunDir, change: Any) -> None:
    (file,) = (run.local_path / "episodes").iterdir()
    complete = pq.ParquetFile(file)
    table, notes = change(complete.read()), complete.metadata.metadata
    file.unlink()
    with pq.ParquetWriter(file, table.schema, write_page_checksum=True) as out:
        out.write_table(table)
        out.add_key_value_metadata({k: v for k, v in notes.items() if k != b"ARROW:schema"})


def test_unknown_column_marks_the_episode(run):
    with_table(run, lambda t: t.append_column("note", pa.array(["best"] * t.num_rows)))
    assert "columns that this gwray does not write: note" in against(run)


def test_column_twice_marks_the_episode(run):
    with_table(run, lambda t: t.append_column("step", t.column("step")))
    assert "columns that this gwray does not write: step" in against(run)


def test_pack_with_odd_values_has_no_badge_reason(run):
    """A finding of a file is one of the complete run: it has no cell of its own."""
    rewritten(run, "results.jsonl", (r'"wall_s":[^,]*', '"wall_s":-1.0'))
    assert {(f.key, f.cell) for f in verify_stored(run) if not f.holds} >= {("results.jsonl", "")}
    assert json.loads((run.local_path / "run.json").read_text())["cells"]
