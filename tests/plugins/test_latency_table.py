"""Real time that load cannot distort: how loaded a model was is recorded, and what it takes alone can be charged."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest
from pipelines.conftest import outcomes, play, short_library
from pipelines.conftest import plan_of as planned
from pipelines.test_storm import answer
from rich.console import Console
from standin import Standin

from gwray.analysis import episode_frame, load_caveat, main_table, plan_of, usage
from gwray.cli.results import show_results
from gwray.errors import UsageError
from gwray.pipelines.latency import LatencyTable, Level, MeasuredCell, read_table
from gwray.plugins.latency.measuring import _make_level
from gwray.plugins.latency.passes import measure_latency
from gwray.report import build_report
from gwray.store import RunDir, read_seal, results_frame
from gwray.verification.verify import verify_run


def model(standin: Standin, **more) -> dict:
    return {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x",
            "prices": {"input": 1, "output": 1, "as_of": "2026-01-01"}, **more}  # fmt: skip


def lines(ended) -> list:
    return [line for r in ended.run.results() for line in ended.run.log(r.key).read()]


@pytest.mark.slow
@pytest.mark.whole
async def test_in_flight_is_recorded_and_not_hashed(tmp_path):
    job = {"task": "1,2,3", "executor": {"name": "inline", "lanes": 3}}
    with Standin(keep_bodies=False) as standin:
        standin.answer = answer
        alone = await play(tmp_path / "alone", {**job, "model": model(standin, max_in_flight=1)})
        standin.together, standin.only_first = 3, True
        beside = await play(tmp_path / "beside", {**job, "model": model(standin, max_in_flight=3)})
    assert {line.in_flight for line in lines(alone)} == {1}
    assert {line.in_flight for line in lines(beside)} <= {1, 2, 3} and max(
        r.in_flight for r in beside.run.results()
    ) == 3
    for record in beside.run.results():
        logged = beside.run.log(record.key).read()
        assert record.in_flight == max(line.in_flight for line in logged)
        assert "in_flight" not in logged[0].reply.model_dump()
    assert outcomes(alone) == outcomes(beside)
    assert {r.served_model for r in alone.run.results()} == {lines(alone)[0].reply.served_model} != {""}
    text = io.StringIO()
    show_results(alone.run, Console(file=text, width=200))
    assert f"served as: {lines(alone)[0].reply.served_model}" in " ".join(text.getvalue().split())
    assert {f.verdict for f in await verify_run(beside.run)} == {"identical"}
    assert not read_seal(beside.run).broken
    crowded = next(r.key for r in beside.run.results() if r.in_flight == 3)
    path = tmp_path / "beside" / "run" / "replies" / f"{crowded}.jsonl"
    path.write_text(path.read_text().replace('"in_flight":3', '"in_flight":2'))
    assert read_seal(beside.run).broken, "what latencies were measured under is published too"


def test_a_level_keeps_the_mean_and_no_more_than_a_hundred_values():
    few = _make_level(2, [30.0, 10.0, 20.0])
    assert few == Level(in_flight=2, replies=3, mean_ms=20, latencies_ms=(10, 20, 30))
    many = _make_level(1, [float(i * i) for i in range(1000)])
    assert len(many.latencies_ms) == 100 and many.replies == 1000
    assert sum(many.latencies_ms) / 100 == pytest.approx(many.mean_ms)
    assert list(many.latencies_ms) == sorted(many.latencies_ms)


def words(standin: Standin, folder: Path) -> list[str]:
    return ["model=openai-compatible", f"model.base_url={standin.base_url('openai_chat')}", "tracking.mode=disabled",
            f"libraries=[{short_library()}]", "game=short-flight", "task=[1,2]", "executor=inline",
            f"run_dir={folder / 'run'}"]  # fmt: skip


def cell_of(standin: Standin, timing: dict) -> dict:
    from gwray.catalog import read_model

    profile = read_model("openai-compatible").model_dump() | {"base_url": standin.base_url("openai_chat")}
    return {"game": "short-flight", "task": "1,2", "model": profile, "timing": {"mode": "realtime", **timing}}


def table_of(folder: Path, standin: Standin) -> Path:
    """A table of the cell of `cell_of`, as the first pass writes it."""
    (paused,) = planned(folder, cell_of(standin, {"mode": "paused"})).cells
    levels = (_make_level(1, [100, 200, 300]), _make_level(2, [150, 250, 350]))
    cell = MeasuredCell(cell=paused.id, name=paused.name, model="m", date="2026-01-01", machine="x", levels=levels)
    (folder / "table.json").write_text(LatencyTable(cells=(cell,)).model_dump_json())
    return folder / "table.json"


@pytest.mark.slow
@pytest.mark.whole
async def test_measured_latency_is_charged_at_any_load(tmp_path):
    file, folder = tmp_path / "table.json", tmp_path
    with Standin(keep_bodies=False) as standin:
        standin.answer, standin.latency_s = answer, 0.03
        first_pass = words(standin, folder), "1,2", file, "a test's machine"
        assert await asyncio.to_thread(measure_latency, *first_pass) == 0
    (cell,) = read_table(file).cells
    assert (cell.model, cell.machine) == ("openai-compatible", "a test's machine")
    assert [(one.in_flight, one.replies > 0) for one in cell.levels] == [(1, True), (2, True)]
    for one in cell.levels:
        run = RunDir.open(str(folder / f"run-latency/openai-compatible-{one.in_flight}"))
        took = [
            x.reply.latency_ms for r in run.results() for x in run.log(r.key).read() if x.in_flight == one.in_flight
        ]
        assert one.replies == len(took) and one.mean_ms == pytest.approx(sum(took) / len(took), abs=0.01)

    ended = []
    with Standin(keep_bodies=False) as standin:
        standin.answer = answer
        for name, latency_s, lanes in (("calm", 0.0, 1), ("slow", 0.1, 3)):
            standin.latency_s = latency_s
            job = cell_of(standin, {"latency": f"table:{file}@2"}) | {"executor": {"name": "inline", "lanes": lanes}}
            ended.append(await play(tmp_path / name, job))
    calm, slow = ended
    assert outcomes(calm, "frame_chain") == outcomes(slow, "frame_chain")
    charged = {row.charged_ms for r in calm.run.results() for row in calm.run.iter_steps(r.key)}
    assert len(charged) > 5 and charged <= set(cell.levels[1].latencies_ms)
    file.unlink()  # the run itself knows what it drew from
    assert {f.verdict for f in await verify_run(slow.run)} == {"identical"}


def test_table_identity_is_its_values(tmp_path):
    with Standin() as standin:
        file = table_of(tmp_path, standin)
    (cell,) = read_table(file).cells
    copy, other = tmp_path / "copy.json", tmp_path / "other.json"
    copy.write_text(file.read_text())
    slower = tuple(ms + 1 for ms in cell.levels[0].latencies_ms)
    levels = (cell.levels[0].model_copy(update={"latencies_ms": slower}), *cell.levels[1:])
    other.write_text(LatencyTable(cells=(cell.model_copy(update={"levels": levels}),)).model_dump_json())
    with Standin() as standin:
        made = {f: planned(tmp_path, cell_of(standin, {"latency": f"table:{f}@1"})) for f in (file, copy, other)}
    keys = {f: [e.key for e in plan.episodes] for f, plan in made.items()}
    assert keys[file] == keys[copy] != keys[other]
    names = {f: plan.cells[0].name for f, plan in made.items()}
    assert names[file] == names[copy] != names[other] and "delay table:1:" in names[file]
    assert str(tmp_path) not in str(made[copy].manifest().cells)


def test_table_of_another_cell_is_refused(tmp_path):
    with Standin() as standin:
        file = table_of(tmp_path, standin)
        (tmp_path / "odd.json").write_text('{"cells": [{"cell": 1}]}')
        other = r"the cell must be exactly the same \(it has: openai-compatible · named controls\)"
        for table, more, message in (
            (file, {}, r"'5' requests in flight. Allowed: 1, 2\."),
            (file, {"memory_rounds": 2}, other),
            ("nowhere.json", {}, r"cannot read the latency table 'nowhere\.json'"),
            (tmp_path / "odd.json", {}, "is not a latency table"),
        ):
            with pytest.raises(UsageError, match=message):
                planned(tmp_path, cell_of(standin, {"latency": f"table:{table}"}) | more)


def test_unmeasurable_cells_are_refused(tmp_path):
    out = tmp_path / "t.json"
    with pytest.raises(UsageError, match="needs no model"):
        measure_latency(["model=random", "game=13_flappy-bird"], "1", out, "")
    with pytest.raises(UsageError, match="--in-flight '1,0'"):
        measure_latency(["model=random"], "1,0", out, "")


@pytest.mark.slow
async def test_latency_above_published_load_is_marked(tmp_path):
    ended = await play(tmp_path, {"timing": {"mode": "realtime", "latency": "fixed:250"}, "model": "random"})
    run, (record,) = ended.run, ended.run.results()
    manifest = run.manifest()
    for latency, in_flight, said in (
        ("measured", 5, ""),
        ("measured", 64, "latencies were measured with up to 64 requests in flight (published: at most 5)"),
        ("table:8:abcdef", 64, "latencies were measured with 8 requests in flight (published: at most 5)"),
        ("table:5:abcdef", 64, ""),
        ("fixed:250", 64, ""),
    ):
        run.rewrite_results([record.model_copy(update={"in_flight": in_flight, "latency": latency})])
        manifest.cells[0].axes["timing.latency"] = latency
        run.write_manifest(manifest)
        text = io.StringIO()
        show_results(run, Console(file=text, width=200))
        shown = " ".join(text.getvalue().split())
        assert (said in shown) and ("published: at most" in shown) == bool(said)
        frame = episode_frame(results_frame(run))
        (row,) = main_table(frame, [manifest])
        assert row.note == said == load_caveat(row.cell, usage(frame, plan_of(frame, [manifest]), row.cell.id))
        site = build_report([run], tmp_path / f"site-{latency[:7]}-{in_flight}", episodes="none")
        assert (said in site.read_text()) and ("published: at most" in site.read_text()) == bool(said)
