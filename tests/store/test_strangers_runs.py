"""A run directory from an untrusted source: nothing outside of it is read or written, and nothing in it ends in a stack
trace, waits for ever or fills the memory."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gwray.cli import main as gwray
from gwray.errors import StoreError, UsageError
from gwray.places import allow_folders
from gwray.places import paths as places
from gwray.records import EpisodeRecord, LoggedReply, Reply, digest
from gwray.store import RunDir, RunManifest, episodes, pack_run
from gwray.store.episodes import MOST_ROWS

DEEP = "[" * 100_000 + "]" * 100_000


@pytest.fixture
def run(tmp_path) -> RunDir:
    run = RunDir.create(tmp_path / "run")
    run.append_result(EpisodeRecord(key="k", cell="c", game="g", task="t"))
    run.log("k").append(LoggedReply(decision=0, role="player", words_hash="w", reply=Reply(), at=""))
    return run


@pytest.fixture
def precious(tmp_path) -> Path:
    file = tmp_path / "precious"
    file.write_text("precious\n")
    return file


def linked(run: RunDir, name: str, to: Path) -> None:
    link = run.local_path / name
    link.unlink(missing_ok=True)
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(to)


@pytest.mark.parametrize("name", ["results.jsonl", "replies/k.jsonl", "episodes/k.parquet", "run.json"])
def test_nothing_is_read_through_a_link_that_leads_out(run, precious, name, tmp_path):
    linked(run, name, precious)
    readers = {
        "results.jsonl": run.results, "replies/k.jsonl": run.log("k").read, "run.json": run.manifest,
        "episodes/k.parquet": lambda: run.read_meta("k"),
    }  # fmt: skip
    with pytest.raises(StoreError, match=r"leads to .*precious, out of the run directory"):
        readers[name]()
    if "parquet" not in name:
        with pytest.raises(StoreError, match="out of the run directory"):
            pack_run(run, tmp_path / "x.gwray")


def test_no_lock_and_no_line_is_written_through_a_link(run, precious):
    linked(run, "driver.lock", precious)
    with pytest.raises(StoreError, match="out of the run directory"), run.lock():
        pass
    linked(run, "failures.jsonl", precious)
    with pytest.raises(StoreError, match="out of the run directory"):
        run.append_failure(EpisodeRecord(key="k", cell="c", game="g", task="t"))
    assert precious.read_text() == "precious\n"


@pytest.mark.parametrize("folder", ["episodes", "unfinished", "prefixes", "code", "wandb"])
def test_no_folder_is_a_way_out(run, tmp_path, folder):
    outside = tmp_path / "outside"
    outside.mkdir()
    (run.local_path / folder).symlink_to(outside)
    with pytest.raises(StoreError, match="out of the run directory"):
        if folder in ("episodes", "unfinished"):
            run.episode_writer("k").__enter__()
        elif folder == "prefixes":
            run.write_prefix(b"")
        elif folder == "code":
            run.write_code("module", b"")
        else:
            assert run.local_folder("wandb")
    assert not [*outside.iterdir()]


def test_a_run_directory_may_itself_be_a_link_and_have_links_inside(run, tmp_path):
    (tmp_path / "link").symlink_to(run.local_path)
    linked(run, "replies/same.jsonl", run.local_path / "replies" / "k.jsonl")
    moved = RunDir.open(tmp_path / "link")
    assert [r.key for r in moved.results()] == ["k"] and len(moved.log("same").read()) == 1
    with moved.lock():
        moved.append_failure(EpisodeRecord(key="f", cell="c", game="g", task="t"))


@pytest.mark.parametrize("name", ["run.json", "results.jsonl", "replies/k.jsonl", "annotations.csv"])
def test_file_without_end_is_refused(run, name):
    file = run.local_path / name
    with file.open("ab") as sparse:
        sparse.truncate(2**43)
    readers = {"run.json": run.manifest, "results.jsonl": run.results, "annotations.csv": run.read_annotations}
    with pytest.raises(StoreError, match=r"bytes; gwray reads at most|has more than .* bytes"):
        readers.get(name, run.log("k").read)()


def bad_folder(kind: str, folder: Path) -> str:
    """A library folder that must neither be opened for a stranger's run nor hang if the user names it."""
    game = folder / "lib" / "g"
    if kind in ("pipe", "device", "endless"):
        game.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(game / "game.yaml")
    elif kind == "device":
        (game / "game.yaml").symlink_to("/dev/zero")
    elif kind == "endless":
        with (game / "game.yaml").open("wb") as sparse:
            sparse.truncate(2**43)
    elif kind == "loop":
        (folder / "lib").symlink_to(folder / "lib")
    return {"unknown user": "~nobody-here/x", "long": "/" + "x" * 5000}.get(kind, str(folder / "lib"))


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("kind", ["pipe", "device", "endless", "loop", "unknown user", "long", "missing"])
def test_library_of_a_run_is_opened_only_if_the_user_named_it(kind, given, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(Path(__file__).parents[1] / "fixtures" / "runs" / "scripted", tmp_path / "run")
    file, folder = tmp_path / "run" / "run.json", bad_folder(kind, tmp_path)
    file.write_text(json.dumps({**json.loads(file.read_text()), "seal": "", "libraries": [folder]}))
    words = ["gwray", "verify", str(tmp_path / "run"), "--stored", *(["--library", folder] if given else [])]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        gwray()
    errors = capsys.readouterr().err
    if given:
        assert "cannot be read" in errors if kind in ("pipe", "device", "endless") else ended.value.code == 2
        assert "Traceback" not in errors
    else:
        assert ended.value.code == 0 and "not opened: " in errors and "--library" in errors


def test_library_that_the_user_played_is_opened_again(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = RunDir.create(tmp_path / "run", RunManifest(libraries=(str(tmp_path),)))
    assert run.libraries == ()
    allow_folders([tmp_path])
    monkeypatch.setattr(places, "_allowed", {})
    assert run.libraries == (str(tmp_path),), "remembered by another process"
    allow_folders([tmp_path])
    (tmp_path / "cache/gwray/folders.json").unlink()
    assert run.libraries == (str(tmp_path),), "allowed by this process, whatever is remembered"
    assert RunDir.open(run.url, [tmp_path / "cache"]).libraries == (str(tmp_path / "cache"),)


@pytest.mark.parametrize("name", ["results.jsonl", "replies/k.jsonl"])
def test_a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for(run, name):
    (run.local_path / name).unlink()
    os.mkfifo(run.local_path / name)
    with pytest.raises(StoreError, match="is neither a file nor a folder"):
        run.results() if name == "results.jsonl" else run.log("k").read()


def test_values_of_the_manifest_are_not_nested_without_limit(run):
    deep = "x"
    for _ in range(200):
        deep = [deep]
    path = run.local_path / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "jobs": [{"model": deep}]}))
    with pytest.raises(UsageError, match="nested more than 60 levels"):
        RunDir(run.url).manifest()


def test_json_that_is_nested_too_deep_is_named_with_its_file(run):
    results = run.local_path / "results.jsonl"
    results.write_text(results.read_text() + f'{{"key": {DEEP}}}\n')
    with pytest.raises(StoreError, match=r"results\.jsonl, line 2: .*nested too deep"):
        run.results()
    results.write_text(results.read_text().splitlines()[0] + f'\n{{"key": {DEEP}}}')
    assert len(run.results()) == 1, "a last line that is no whole object was cut off"
    (run.local_path / "run.json").write_text(f'{{"format": 1, "id": "a", "cells": {DEEP}}}')
    with pytest.raises(UsageError, match=r"run\.json is not JSON"):
        run.manifest()


@pytest.mark.parametrize("field", ["steps", "seed", "input_tokens", "forked_at"])
def test_a_number_that_no_table_holds_is_named(run, field):
    line = {**run.results()[0].model_dump(), field: 2**63}
    (run.local_path / "results.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(StoreError, match=f"line 1: not a readable record .{field}: "):
        run.results()


GROUP = {"cell": "c", "game": "g", "task": "1", "rounds": [[42, 0, 1]], "keys": "k"}


@pytest.mark.parametrize(
    ("forged", "words"),
    [
        ({"cells": 5}, "cells: "),
        ({"cells": [5]}, "cells.0: "),
        ({"cells": [{"id": "a"}, {"id": "a"}]}, "cells: 'a' is listed twice"),
        ({"cells": [{"id": "a", "planned": 1e400}]}, "cells.0.planned: "),
        ({"episodes": None}, "episodes: "),
        ({"episodes": [{}]}, "episodes.0.cell: "),
        ({"episodes": [{**GROUP, "keys": "../../x"}]}, "episodes.0.keys: "),
        ({"episodes": [GROUP, GROUP]}, "episodes: 'k' is listed twice"),
        ({"episodes": [GROUP]}, "episodes: 'k' is of cell 'c', which is not listed"),
        ({"episodes": [{**GROUP, "prefix": "../x"}]}, "episodes.0.prefix: "),
        ({"episodes": [{**GROUP, "rounds": [[42, 10**400, 1]]}]}, "episodes.0.rounds.0.1: "),
        ({"jobs": 5}, "jobs: "),
        ({"games": ["g"]}, "games: "),
        ({"libraries": "x"}, "libraries: "),
        ({"id": None}, "id: "),
    ],
)
def test_a_manifest_of_another_shape_is_refused_with_the_place(run, forged: dict[str, Any], words):
    file = run.local_path / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **forged}))
    with pytest.raises(UsageError, match=f"run.json was damaged or changed: {words}"):
        RunDir.open(run.url)


def test_a_small_file_that_claims_millions_of_rows_is_not_read(run):
    file = run.local_path / "episodes" / "k.parquet"
    file.parent.mkdir()
    rows = MOST_ROWS * 3
    table = pa.table({"step": pa.nulls(rows, pa.int64()), "state": pa.nulls(rows, pa.string())})
    pq.write_table(table, file, row_group_size=rows)
    assert file.stat().st_size < 20_000
    with pytest.raises(StoreError, match=r"is not a readable episode: .*it claims 3,000,000 rows"):
        run.read_steps("k")


def test_repeated_parquet_value_does_not_fill_memory(run, monkeypatch):
    monkeypatch.setattr(episodes, "PLAIN_BYTES", 2**22)
    file = run.local_path / "episodes" / "k.parquet"
    file.parent.mkdir()
    rows = 5_000
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["A" * 100_000]))
    table = pa.table({"step": pa.nulls(rows, pa.int64()), "text": text})
    pq.write_table(table, file, compression="zstd", store_schema=False)
    assert file.stat().st_size < 10_000
    before = pa.total_allocated_bytes()
    for read in (lambda: run.read_meta("k", check_pages=True), lambda: run.read_steps("k")):
        with pytest.raises(StoreError, match=r"not a readable episode: .*(decompresses to more than|validation error)"):
            read()
    assert pa.total_allocated_bytes() - before < 10 * 2**20


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b"\xff",
        b'{"decision": 0, "state_hash": "", "charged_ms": 1e15}',
        b'{"decision": 0, "actions": ' + b"[",
    ],
)
def test_steps_to_go_on_from_that_are_none_are_named(run, line):
    folder = run.local_path / "prefixes"
    folder.mkdir()
    (folder / f"{digest(line)}.jsonl").write_bytes(line)
    with pytest.raises(StoreError, match="has lines that are not recorded steps"):
        run.read_prefix(digest(line))
