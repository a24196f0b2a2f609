"""Terminal, CSV, notebook, report, W&B and leaderboard have the same main table."""

import csv
import io
from pathlib import Path

import pytest
from rich.console import Console

import gwray
from gwray.analysis import MainRow, cell_summaries, main_table
from gwray.catalog import load_catalog
from gwray.cli.compose import job_specs
from gwray.cli.results import show_results
from gwray.cli.runs import results
from gwray.pipelines.plan import make_plan
from gwray.plugins.leaderboard.page import PackEntry, build_leaderboard, leaderboard_folder
from gwray.plugins.leaderboard.proof import Proof
from gwray.records import EpisodeRecord
from gwray.report.main_results import main_section
from gwray.report.results import make_results
from gwray.store import RunDir, results_frame
from gwray.tracking.progress import MetricsSoFar

GAMES = "game=[01_2048,12_fireboy-and-watergirl,13_flappy-bird,19_minesweeper]"
PROOF = {"at": "2026-11-28", "gwray": "1", "code": "c", "protocol": 1, "browsers": (), "drawn_anew": 0, "games": {}}


def played(folder: Path) -> RunDir:
    """Two models in four games of two tasks, two repeats each, with results between 0 and 1."""
    words = [GAMES, "task=[1,2]", "repeats=2", "name=study"]
    specs = [spec for model in ("gpt-4o", "gpt-4o-mini") for spec in job_specs([*words, f"model={model}"])]
    manifest = make_plan(specs).manifest()
    run = RunDir.create(folder, manifest)
    models = {c.id: c.model for c in manifest.cells}
    run.append_result(*(
        EpisodeRecord(
            key=e.key, cell=e.cell, game=e.game, task=e.task, seed=e.seed, repeat=e.repeat, status="finished",
            model=models[e.cell], interface="semantic", genre="puzzle", level=1, success=n % 3 == 0, steps=9,
            progress=(7 * n % 11) / 11 if models[e.cell] == "gpt-4o" else (3 * n % 5) / 10, proposals=9,
            no_tool_call=n % 2, state_chain=e.key,
        )
        for n, e in enumerate(manifest.episodes)
    ))  # fmt: skip
    return run


def numbers(row: MainRow) -> tuple:
    """Success and progress in percent with their ends, rank and invalid replies, unrounded."""
    ends = (100 * v for e in (row.sr, row.pg) for v in (e.value, e.low, e.high))
    return (*ends, 100 * row.iar, row.rank_text)


def read(line: dict) -> tuple:
    """The same of a line of a table."""
    names = [f"{metric}{end}" for metric in ("success %", "progress %") for end in ("", " low", " high")]
    return (*(float(line[name]) for name in (*names, "invalid %")), line["rank"])


def test_all_outputs_have_the_same_numbers(tmp_path, capsys):
    run = played(tmp_path / "run")
    frame, manifest = results_frame(run), run.manifest()
    rows = main_table(frame, [manifest])
    names = {r.cell.model: r.cell.name for r in rows}
    expected = {r.cell.name: pytest.approx(numbers(r)[:-1]) for r in rows}
    ranks = {r.cell.name: r.rank_text for r in rows}
    assert len(rows) == 2 and {*ranks.values()} <= {"1", "2", "1–2"}

    def same(found: dict[str, tuple]) -> None:
        assert {name: line[:-1] for name, line in found.items()} == expected
        assert {name: line[-1] for name, line in found.items()} == ranks

    same({line["name"]: read(line) for line in gwray.load_run(run.url).table().to_dicts()})
    results(run.url, format="csv", by="cell")
    same({line["name"]: read(line) for line in csv.DictReader(io.StringIO(capsys.readouterr().out))})
    section = main_section(make_results(frame, [manifest]))
    of_report = next(p for p in section.parts if p.id == "main")
    same({names[line["model"]]: read(line) for line in of_report.records()})

    cells = {c.id: "" for c in manifest.cells}
    pack = PackEntry("p", frame, manifest, Proof(pack="p", cells=cells, **PROOF))
    index = build_leaderboard([pack], leaderboard_folder(tmp_path / "board"), load_catalog())
    lines = csv.DictReader(io.StringIO((index.parent / "leaderboard.csv").read_text()))
    same({names[line["player"]]: read(line) for line in lines})

    console = Console(file=io.StringIO(), width=200)
    show_results(run, console, by="cell")
    printed = console.file.getvalue()
    page = index.read_text()
    for r in rows:
        success, progress = (f"{100 * e.value:.0f} [{100 * e.low:.0f}–{100 * e.high:.0f}]" for e in (r.sr, r.pg))
        assert any(r.cell.model in line and success in line and progress in line for line in printed.splitlines())
        assert f"{100 * r.pg.low:.0f} – {100 * r.pg.high:.0f}" in page

    summaries = cell_summaries(frame, manifest)
    for r in rows:
        live = MetricsSoFar()
        for record in (record for record in run.results() if record.cell == r.cell.id):
            live.add(record)
        tracked = {**live.summary(), **summaries[r.cell.id]}
        shown = [tracked[f"{metric}/overall{end}"] for metric in ("sr", "pg") for end in ("", "/low", "/high")]
        assert [100 * v for v in (*shown, tracked["iar/overall"])] == expected[r.cell.name]
