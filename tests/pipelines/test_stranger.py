"""A stranger alters a finished run without having read the verifier: every value of every file, as its JSON and its
columns stand there, and seals it anew. Whatever neither `verify` nor `verify --stored` finds stands in `FREE`.

`test_forger.py` knows the models and makes hashes anew; this file knows only what a run directory shows.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import typer
import yaml
from shared_browser import run_async
from standin import Say, Standin

from gwray.cli import runs as commands
from gwray.errors import GwrayError
from gwray.pipelines import manifest_check, verify_run, verify_stored
from gwray.pipelines.manifest_check import FAILED, episode_specs
from gwray.pipelines.outcome import label, shown_hash
from gwray.places import CONF
from gwray.records import CIRCUMSTANCES, EpisodeRecord
from gwray.spec import CellSpec
from gwray.store import RunDir, read_seal, seal_gap, seal_run
from gwray.store.seal import seal_with
from pipelines.conftest import play

PROFILE = (
    "interfaces", "pictures", "base_url", "self_hosted", "prices", "max_in_flight",
    "requests_per_minute", "timeout_s", "retired", "source", "label",
)  # fmt: skip
ONLY_A_REPLAY = ("replies: by", "replies: module", "replies: batch")
CIRCUMSTANCE = ("id", "name", "gwray", "git_commit", "command", "created", "versions", "prices", "jobs")
FREE = {
    *(f"run.json: {name}" for name in CIRCUMSTANCE),
    *(f"run.json: cells.spec.model.{name}" for name in PROFILE),
    *("replies: at", "replies: in_flight", "replies: browser", *ONLY_A_REPLAY),
    *(f"failures: {name}" for name in EpisodeRecord.model_fields if name not in FAILED),
}
"""What `verify --stored` does not find when it is altered alone and the run is sealed anew: when, where and by which
command it was played; addresses, prices and limits of profiles; how an episode failed that has no score. Whose question
a reply answers, only a replay finds."""


def thinker(wire: str, body: dict[str, Any], session: str) -> Say:
    words = "".join(p["text"] for p in body["messages"][-1]["content"] if p["type"] == "text")
    if body.get("tools"):
        why = {"reasoning": "The gap is near."}
        return Say(text="So be it.", calls=[("flap", why), ("wait", why)][len(words) % 2 :])
    return Say(text=f"I have read {len(words)} letters.\nVerdict: worked")


@pytest.fixture(scope="module")
def honest(tmp_path_factory) -> RunDir:
    """An agent of modules that is nudged, in real time, with two actions a reply; a player at random; a failure."""
    agent = yaml.safe_load((CONF / "agent" / "reflection_planning.yaml").read_text())
    with Standin() as standin:
        standin.answer = thinker
        prices = {"input": 1.0, "output": 2.0, "as_of": "2026-01-01"}
        base = standin.base_url("openai_chat")
        model = {"name": "m", "provider": "openai_chat", "base_url": base, "model_id": "x", "prices": prices}
        jobs = [
            {"model": model, "agent": agent, "action": {"per_reply": 2}, "timing": {"mode": "realtime",
             "latency": "fixed:250"}, "nudge": {"when": "every", "count": 4, "say": "Again.", "force": ["flap"]}},
            {"game": "short-sums", "repeats": 2},
        ]  # fmt: skip
        run = run_async(play(tmp_path_factory.mktemp("honest"), *jobs)).run
    failed = next(r for r in run.results() if r.repeat == 1)
    (run.local_path / "episodes" / f"{failed.key}.parquet").unlink()
    (run.local_path / "replies" / f"{failed.key}.jsonl").unlink()
    run.rewrite_results(sorted((r for r in run.results() if r != failed), key=lambda r: r.game))
    blame = {"status": "failed", "error_class": "GameError", "error_message": "it stopped", "error_owner": "game"}
    run.append_failure(label(episode_specs(run)[failed.key]).model_copy(update=blame))
    seal_run(run)
    return run


@pytest.fixture
def copied(honest, tmp_path) -> Callable[[], Path]:
    """Another copy of the run each time; its files are links until they are written."""

    def copy() -> Path:
        folder = tmp_path / "run"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(honest.local_path, folder, copy_function=os.link)
        return folder

    return copy


def put(file: Path, data: bytes | str) -> None:
    file.unlink(missing_ok=True)
    file.write_bytes(data.encode() if isinstance(data, str) else data)


def plan(run: RunDir) -> dict[str, Any]:
    """`run.json` as it is written."""
    return json.loads((run.local_path / "run.json").read_text())


def put_lines(file: Path, lines: Sequence[Mapping[str, Any]]) -> None:
    put(file, "".join(json.dumps(line) + "\n" for line in lines))


def found(folder: Path, *, seal: bool = True) -> list[Any]:
    """What speaks against the run as it is stored; an error that refuses it is one too."""
    run = RunDir(folder)
    try:
        if seal:
            seal_run(run)
        against = [f for f in verify_stored(run) if not f.holds]
        return against or (["seal"] if read_seal(run).broken else [])
    except GwrayError as e:
        return [e]


def reads(folder: Path) -> Any:
    """Everything that gwray takes from a run: what this does not show was not altered."""
    run = RunDir(folder)
    manifest = run.manifest()
    cells = [{**c.stored(), "spec": CellSpec.model_validate(c.spec)} for c in manifest.cells]
    known = {name: value for name, value in manifest.stored().items() if value and name not in ("cells", "seal")}
    logs = [run.log(key).read() for key in run.logged_keys()]
    return known, cells, [*run.each_result()], run.failures(), logs, [run.read_episode(k) for k in run.episode_keys()]


def same(folder: Path, honest: RunDir) -> bool:
    try:
        return reads(folder) == reads(honest.local_path)
    except Exception:
        return False


GONE = object()


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    if isinstance(value, str):
        return f"{value[:-1]}{'1' if value[-1] == '0' else '0'}" if value else "x"
    if isinstance(value, list):
        return value[1:] if value else ["forged"]
    return 1 if value is None else dict([*value.items()][1:]) or {"forged": "x"}


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield (*at, name)
        if at[:1] != ("jobs",) and name != "jobs":
            yield from places(part, (*at, name))


def altered(value: Any, at: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    if not at:
        return change(value)
    new = altered(value[at[0]], at[1:], change)
    if isinstance(value, dict):
        return {k: new if k == at[0] else v for k, v in value.items() if k != at[0] or new is not GONE}
    return [*value[: at[0]], *([] if new is GONE else [new]), *value[at[0] + 1 :]]


def alterations(run: RunDir) -> Iterator[tuple[str, str, str]]:
    """Where, the file's name and what it says then: each value of each text, altered and taken out."""
    folder = run.local_path
    files = ["run.json", "results.jsonl", "failures.jsonl", *(f"replies/{key}.jsonl" for key in run.logged_keys())]
    for name in files:
        lines = [(folder / name).read_text()] if name == "run.json" else (folder / name).read_text().splitlines()
        for i in sorted({0, len(lines) - 1}):
            value = json.loads(lines[i])
            for at in places(value):
                names = [str(a) for a in at if isinstance(a, str)]
                where = f"{name.partition('/')[0].removesuffix('.jsonl')}: {'.'.join(names)}"
                for change in (other, lambda _: GONE):
                    text = json.dumps(altered(value, at, change))
                    yield where, name, "\n".join([*lines[:i], text, *lines[i + 1 :]])


def one_of_each(run: RunDir) -> Iterator[tuple[str, str, str]]:
    """The first alteration of each kind at each place, lists and files taken together."""
    seen = set()
    for i, (where, name, text) in enumerate(alterations(run)):
        if (where, i % 2, name.endswith(".json")) not in seen:
            seen.add((where, i % 2, name.endswith(".json")))
            yield where, name, text


def free(where: str) -> bool:
    return any(where == name or where.startswith(f"{name}.") for name in FREE)


def unfound(copied: Callable[[], Path], honest: RunDir, cases: list[tuple[str, str, str]]) -> set[str]:
    missed = set()
    for where, name, text in cases:
        folder = copied()
        put(folder / name, text)
        if not found(folder) and not same(folder, honest):
            missed.add(where)
    return missed


def test_an_honest_run_holds(copied):
    assert found(copied(), seal=False) == []


def test_random_changes_of_values_are_found(copied, honest):
    cases = [c for c in alterations(honest) if not free(c[0])]
    assert unfound(copied, honest, random.Random(11).sample(cases, 25)) == set()


@pytest.mark.slow
@pytest.mark.whole
def test_every_value_but_free_ones_is_protected(copied, honest):
    missed = unfound(copied, honest, [*one_of_each(honest)])
    assert {m for m in missed if not free(m)} == set()
    sealed = {name for name in FREE if not name.startswith("failures")}
    assert {name for name in sealed if not any(m == name or m.startswith(f"{name}.") for m in missed)} == set()


@pytest.mark.parametrize("version", [1, 2])
def test_seal_covers_every_value_of_the_plan(copied, honest, version):
    """A seal of version 1 does not, and says what it leaves out."""
    before, changed, unseen = seal_with(honest, honest.recorded(), version), 0, set()
    for where, name, text in one_of_each(honest):
        if name == "run.json" and where not in ("run.json: format", "run.json: seal"):
            folder = copied()
            put(folder / name, text)
            try:
                now = seal_with(RunDir(folder), honest.recorded(), version)
            except GwrayError:  # no run
                continue
            changed += 1
            if now == before:
                unseen.add(where)
    assert changed > 100
    if version == 2:
        assert unseen == set() and seal_gap(before) == ""
    else:
        assert {"run.json: cells.spec.model.base_url", "run.json: cells.spec.model.label"} < unseen
        assert "addresses, labels, prices" in seal_gap(before)


# Rows and files


def rewritten(folder: Path, key: str, change: Callable[[pa.Table], pa.Table], **notes: bytes) -> None:
    """An episode's file with other rows, its pages' checksums made anew, as any tool for Parquet does."""
    file = folder / "episodes" / f"{key}.parquet"
    complete = pq.ParquetFile(file)
    table = change(complete.read())
    kept = {k: v for k, v in complete.metadata.metadata.items() if k != b"ARROW:schema"}
    file.unlink()
    with pq.ParquetWriter(file, table.schema, write_page_checksum=True) as out:
        out.write_table(table)
        out.add_key_value_metadata({**kept, **{f"gwray.{name}".encode(): data for name, data in notes.items()}})


def with_cell(table: pa.Table, name: str, row: int, change: Callable[[Any], Any]) -> pa.Table:
    i = table.schema.get_field_index(name)
    field, values = table.schema.field(i), table.column(i).to_pylist()
    values[row] = change(values[row])
    return table.set_column(i, field, pa.array(values, field.type))


def anything(kind: pa.DataType) -> Callable[[Any], Any]:
    empty = {pa.string(): "x", pa.binary(): b"x", pa.bool_(): True}.get(kind, 1)
    return lambda value: empty if value is None else other(value)


def column_changes(field: pa.Field, rows: list[int]) -> Iterator[tuple[str, Callable[[pa.Table], pa.Table]]]:
    yield f"{field.name} dropped", lambda table: table.drop_columns([field.name])
    for row in rows:
        yield f"{field.name} altered", partial(with_cell, name=field.name, row=row, change=anything(field.type))
        yield f"{field.name} null", partial(with_cell, name=field.name, row=row, change=lambda _: None)


def missed_columns(copied: Callable[[], Path], honest: RunDir, key: str, rows: list[int], most: int) -> set[str]:
    fields = pq.read_schema(honest.local_path / "episodes" / f"{key}.parquet")
    changes = [c for field in fields for c in column_changes(field, rows)]
    missed = set()
    for name, change in random.Random(13).sample(changes, min(most, len(changes))):
        folder = copied()
        rewritten(folder, key, change)
        against = found(folder)
        if {f.key for f in against} != {key} and (against or not same(folder, honest)):
            missed.add(name)
    return missed


def test_random_changes_of_columns_are_found(copied, honest):
    assert missed_columns(copied, honest, honest.results()[1].key, [7], most=20) == set()


@pytest.mark.slow
def test_first_and_last_row_of_every_column_are_protected(copied, honest):
    assert missed_columns(copied, honest, honest.results()[0].key, [0, 15], most=1000) == set()


def test_removed_doubled_or_reordered_rows_are_found(copied, honest):
    key = honest.results()[0].key
    n = pq.read_metadata(honest.local_path / "episodes" / f"{key}.parquet").num_rows
    for order in ([*range(1, n)], [*range(n - 1)], [0, *range(n)], [1, 0, *range(2, n)], []):
        folder = copied()
        rewritten(folder, key, lambda t, o=order: t.take(pa.array(o, pa.int64())))
        assert [f.key for f in found(folder)] == [key], order


def test_missing_cut_or_swapped_files_are_found(copied, honest):
    chance, keys = random.Random(5), [r.key for r in honest.results()]
    for name in ["results.jsonl", *(f"replies/{k}.jsonl" for k in keys), *(f"episodes/{k}.parquet" for k in keys)]:
        complete = (honest.local_path / name).read_bytes()
        another = next((name.replace(k, keys[i - 1]) for i, k in enumerate(keys) if k in name), "failures.jsonl")
        for how, data in (
            ("gone", None), ("empty", b""), ("cut", complete[: len(complete) // 2]),
            ("another's", (honest.local_path / another).read_bytes()),
        ):  # fmt: skip
            folder = copied()
            (folder / name).unlink()
            if data is not None:
                put(folder / name, data)
            assert found(folder), (name, how)
        free = [complete.find(field) for field in (b"in_flight", b"browser") if name.startswith("replies")]
        circumstance = [at for at in free if at >= 0]
        for at in [*circumstance, *chance.sample(range(len(complete)), 4)]:
            folder = copied()
            put(folder / name, complete[:at] + bytes([complete[at] ^ 1 << chance.randrange(7)]) + complete[at + 1 :])
            assert found(folder, seal=False) or same(folder, honest), (name, at)


def replayed(folder: Path) -> list[Any]:
    run = RunDir(folder)
    seal_run(run)
    return [f for f in run_async(verify_run(run)) if not f.holds]


def test_a_claim_of_another_browser_covers_no_other_prompts(copied, honest):
    key, folder = honest.results()[1].key, copied()
    meta = honest.read_meta(key)
    said = {"player": "Play well."}
    shown = shown_hash(said, meta.console, meta.final_frame)
    record = {**meta.record.model_dump(), "browser": "1.2.3", "shown_hash": shown}
    forged = {**meta.model_dump(exclude={"final_frame"}), "prompts": said, "record": record}
    rewritten(folder, key, lambda table: table, meta=json.dumps(forged).encode())
    put_lines(folder / "results.jsonl", [r.model_dump() if r.key != key else record for r in honest.results()])
    assert found(folder) == []
    (finding,) = replayed(folder)
    assert (finding.key, finding.verdict) == (key, "different") and finding.detail.startswith("prompts")


def test_times_and_unknown_fields_are_free(copied, honest):
    key, folder = honest.results()[1].key, copied()
    meta = honest.read_meta(key)
    record = meta.record.model_dump()
    record |= {name: other(record[name]) for name in CIRCUMSTANCES} | {"human_score": 1}
    forged = {**meta.model_dump(exclude={"final_frame"}), "record": record}
    rewritten(folder, key, lambda table: table, meta=json.dumps(forged).encode(), more=b"1")
    put_lines(folder / "results.jsonl", [r.model_dump() if r.key != key else record for r in honest.results()])
    put(folder / "annotations.csv", "key,cause\n")
    assert found(folder, seal=False) == []
    record["score"] = 1e9
    put_lines(folder / "results.jsonl", [r.model_dump() if r.key != key else record for r in honest.results()])
    assert [f.key for f in found(folder)] == [key]


def test_removed_hashes_of_a_result_are_missed(copied, honest):
    for name in ("row_chain", "shown_hash", "served_model"):
        folder, lines = copied(), [r.model_dump() for r in honest.results()]
        lines[0][name] = ""
        put_lines(folder / "results.jsonl", lines)
        (finding,) = found(folder)
        assert finding.key == lines[0]["key"] and finding.detail.startswith(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n.removeprefix("replies: ") for n in ONLY_A_REPLAY])
def test_reassigned_reply_is_found_by_replay(copied, honest, name):
    key, folder = honest.results()[0].key, copied()
    log = folder / "replies" / f"{key}.jsonl"
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    lines[5][name] = other(lines[5][name])
    put_lines(log, lines)
    assert found(folder) == []
    (finding,) = replayed(folder)
    assert (finding.key, finding.verdict) == (key, "different") and finding.step is not None


def test_forged_failures_are_found(copied, honest):
    line = json.loads((honest.local_path / "failures.jsonl").read_text())
    another = next(c.id for c in honest.manifest().cells if c.id != line["cell"])
    for forged in ({"cell": another}, {"key": "0" * 20}, {"progress": 1.0}, {"success": True}, {"model": "other"}):
        folder = copied()
        put_lines(folder / "failures.jsonl", [line, {**line, **forged}])
        (finding,) = [f for f in found(folder)]
        assert finding.key == forged.get("key", line["key"]) and "failures.jsonl" in finding.detail


def test_unused_games_and_unknown_commands_are_found(copied, honest):
    manifest = plan(honest)
    for forged, words in (
        ({"games": {**manifest["games"], "chess": "0" * 32}}, "games.chess: no episode of the run uses it"),
        ({"kinds": {"my_world.World": "0" * 32}}, "kinds.my_world.World: no episode of the run uses it"),
        ({"jobs": [{**manifest["jobs"][0], "game": ["chess"]}]}, "plans games or tasks that are missing here"),
        ({"jobs": [{**manifest["jobs"][0], "repeats": 10**300}]}, "repeats is not valid, so it is unknown which"),
        ({"protocol_version": 4}, "under protocol version 4"),
    ):
        folder = copied()
        put(folder / "run.json", json.dumps({**manifest, **forged}))
        (finding,) = found(folder)
        assert words in str(finding)


def test_huge_plan_check_is_bounded(copied, honest, monkeypatch):
    monkeypatch.setattr(manifest_check, "MOST_PLANNED", 1_000)
    manifest, folder = plan(honest), copied()
    put(folder / "run.json", json.dumps({**manifest, "jobs": [{**manifest["jobs"][0], "repeats": 100_000}] * 3}))
    (finding,) = found(folder)
    assert (finding.key, finding.verdict) == ("run.json", "error") and "more than 1,000 episodes" in finding.detail


MARKUP = "[/red][bold]2 identical[/]"


@pytest.mark.parametrize("name", ["task", "key", "game", "seal"])
def test_markup_in_names_is_escaped(copied, honest, name, capsys):
    manifest, folder = plan(honest), copied()
    line = honest.results()[0].model_dump()
    if name == "task":
        manifest["episodes"][0]["task"] = MARKUP
    elif name == "game":
        manifest["games"][MARKUP] = "0" * 32
    elif name == "key":
        put_lines(folder / "results.jsonl", [line, {**line, "key": MARKUP}])
    else:
        manifest["seal"] = MARKUP
    put(folder / "run.json", json.dumps(manifest))
    with pytest.raises(typer.Exit):
        commands.verify(str(folder), stored=True)
    assert MARKUP in " ".join(capsys.readouterr().out.split())
    commands.results(str(folder))
    if name == "key":
        with pytest.raises(typer.Exit):
            commands.rescore(str(folder), dry_run=True, executor="inline")
        assert MARKUP in " ".join(capsys.readouterr().out.split())
