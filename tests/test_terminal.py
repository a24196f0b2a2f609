"""Output of commands in the terminal, as Markdown and as LaTeX."""

import asyncio
import csv
import io
import json
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from pylatexenc.latexwalker import LatexCharsNode, LatexMathNode, LatexWalker
from report.runs_to_report import asking_run, study_frame, write_run
from rich.console import Console
from rich.markup import escape

from gwray.analysis import Interval
from gwray.analysis.verdict import points
from gwray.cli import launch, replaying
from gwray.cli.console import Terminal, terminal
from gwray.cli.progress import Bar
from gwray.cli.results import INTERVALS, _game_cell, show_results
from gwray.cli.runs import results
from gwray.cli.terminal import print_json, print_table, show_ended, show_modules, show_plan
from gwray.errors import UsageError
from gwray.pages import Column, Table, TableCell, number_cell, percent_cell
from gwray.pipelines import Plan, RunOutcome, Tally, make_plan
from gwray.records import EpisodeRecord
from gwray.report.published_columns import difference_cell
from gwray.settings import ExecutorSpec, ModelSpec, Prices, RunSpec, Sampling


@pytest.mark.slow
def test_finished_run_prints_next_commands(tmp_path):
    run, console = write_run(tmp_path / "run", study_frame(repeats=1)), Console(file=io.StringIO(), width=140)
    show_ended(RunOutcome(run, Tally(planned=2, finished=1), interrupted=False), console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    for command in ("view", "report", "verify"):
        assert f"gwray {command} {run.url}\n" in printed
    console = Console(file=io.StringIO(), width=140)
    show_ended(RunOutcome(run, Tally(planned=1, finished=0, skipped={"no room": 1}), interrupted=False), console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "1 episode not started: no room" in printed and "gwray verify" not in printed


async def test_plan_is_printed_before_the_start(monkeypatch):
    async def refuse(*_: object) -> None:
        raise UsageError("no cluster")

    monkeypatch.setattr(launch, "run_plan", refuse)
    model = ModelSpec(name="random", provider="random")
    plan = make_plan([RunSpec(model=model, game=("13_flappy-bird",), run_dir="runs/x", name="x")])
    console = Console(file=io.StringIO(), width=140)
    with pytest.raises(UsageError):
        await launch._play(plan, console)
    assert console.file.getvalue() == "x: 5 episodes in 1 cell, into runs/x\n"  # type: ignore[attr-defined]


@pytest.mark.slow
def test_incomplete_cells_have_no_headline_unless_allowed(tmp_path):
    frame = study_frame(repeats=1)
    cells = frame["cell"].unique(maintain_order=True).to_list()[:2]
    frame = frame.filter(pl.col("cell").is_in(cells) & (pl.col("status") == "finished"))
    run = write_run(tmp_path / "run", frame)
    lost = next(r for r in run.results() if r.cell == cells[1])
    run.rewrite_results([r for r in run.results() if r.key != lost.key])

    def shown(**how) -> list[str]:
        console = Console(file=io.StringIO(), width=200)
        show_results(run, console, **how)
        return console.file.getvalue().splitlines()  # type: ignore[attr-defined]

    def row(lines: list[str], head: str) -> list[str]:
        return re.split(" {2,}", next(line for line in lines if head in line).strip())

    for head in ("all tasks", "success rate, 95 %", "progress, 95 %"):
        refused, marked = row(shown(), head), row(shown(allow_incomplete=True), head)
        assert refused[1] == marked[1] != "–"
        assert refused[2] == "–" != marked[2]
    for lines in (shown(), shown(allow_incomplete=True)):
        assert [h.endswith("(incomplete)") for h in row(lines, "game ")] == [False, False, True]
    assert any("--allow-incomplete" in line for line in shown())
    assert not any("--allow-incomplete" in line for line in shown(allow_incomplete=True))


def test_constant_settings_are_below_the_table_once(tmp_path):
    """Headings of cells have the settings that tell them apart; the others are in the footnote."""
    frame = study_frame(repeats=1).filter(pl.col("status") == "finished")
    one = frame.filter(pl.col("cell") == frame.filter(pl.col("interface") == "semantic")["cell"][0])
    run = write_run(tmp_path / "run", one, axes={"limit.steps": 6})
    console = Console(file=io.StringIO(), width=200)
    show_results(run, console, allow_incomplete=True)
    head, _, below = console.file.getvalue().partition("all tasks")  # type: ignore[attr-defined]
    assert "step limit" not in head and "controls" not in head
    assert below.count("interface: named controls · step limit: 6") == 1


def test_many_cells_are_rows_of_settings_in_80_columns(tmp_path):
    frame = study_frame(repeats=1).filter(pl.col("status") == "finished")
    games = frame["game"].unique(maintain_order=True).to_list()[:4]
    run = write_run(tmp_path / "run", frame.filter(pl.col("game").is_in(games)))
    n = len(run.manifest().cells)
    assert n > 6

    def shown(width: int = 80, **how) -> str:
        console = Console(file=io.StringIO(), width=width)
        show_results(run, console, allow_incomplete=True, **how)
        return console.file.getvalue()  # type: ignore[attr-defined]

    cells, single = shown(), shown(2000, by="game")
    lines = cells.splitlines()
    rows = [line for line in lines if "]" in line]
    assert len(rows) == n + 1 and all(row.count("]") == 2 for row in rows[1:]), "no estimate is broken into lines"
    assert max(map(len, lines[1 : lines.index(INTERVALS)])) <= 80
    assert "planned: 20 · finished: 20 · failed: 0" in cells and "--by game" in cells
    assert cells.count(INTERVALS) == single.count(INTERVALS) == 1
    wide = [line.split() for line in shown(200).splitlines()[1:] if "]" in line]
    memory = [row[3] for row in wide if row[:2] == ["qwen3-vl-30b-a3b", "named"] and row[4] == "paused"]
    assert memory == ["0", "1", "2"], "each swept setting has a column, with its default"
    assert not any(game in cells for game in games)
    assert all(game in single for game in games)
    assert [str(_game_cell(game)) for game in ("01_2048", "other")] == ["Double Up", "other"]


def _row(*texts: str) -> tuple[TableCell, ...]:
    return tuple(map(TableCell, texts))


TABLE = Table(
    "t", "a_b: SR %", (Column("game"), Column("x · {y}"), Column("z|1")), (_row("01_2048", "5 / 6", "–"),),
    unranked=(_row("all tasks", "100 %", "2 – 3"),),
)  # fmt: skip


def test_markdown_escapes_cells():
    assert TABLE.to_markdown().splitlines() == [
        "| game | x · {y} | z&#124;1 |",
        "| --- | ---: | ---: |",
        "| 01_2048 | 5 / 6 | – |",
        "| all tasks | 100 % | 2 – 3 |",
    ]


def test_latex_escapes_special_characters():
    lines = [line.strip() for line in TABLE.to_latex().splitlines()]
    assert r"\caption{a\_b: SR \%.}" in lines and r"\begin{tabular}{rrr}" in lines and r"\label{tab:t}" in lines
    assert lines[lines.index(r"\toprule") + 1 : lines.index(r"\bottomrule")] == [
        r"game & x $\cdot$ \{y\} & z|1 \\", r"\midrule", r"01\_2048 & 5 / 6 & -- \\", r"\midrule",
        r"all tasks & 100 \% & 2 -- 3 \\",
    ]  # fmt: skip


def test_latex_estimates_have_errors():
    for (value, low, high), text in {
        (0.339, 0.296, 0.382): r"$33.9 \pm 4.3$",
        (0.339, 0.3, 0.382): "$33.9^{+4.3}_{-3.9}$",
        (0.34, 0.2, 0.6): "$34^{+26}_{-14}$",
    }.items():
        table = Table.build(
            "t", "t", (Column.percent("PG %", lambda e: e),), [Interval(value, low, high, None, 9, 4, "t")]
        )
        assert text in table.to_latex()


def test_tables_by_cell_game_and_model(tmp_path, capsys):
    frame = study_frame(repeats=1).filter(pl.col("status") == "finished")
    cells = frame["cell"].unique(maintain_order=True).to_list()[:2]
    games = frame["game"].unique(maintain_order=True).to_list()[:2]
    run = write_run(tmp_path / "run", frame.filter(pl.col("cell").is_in(cells) & pl.col("game").is_in(games)))
    heads = {
        "cell": ["cell", "name", "model", "interface", *(f"success %{end}" for end in ("", " low", " high"))],
        "game": ["game", *(f"{cells[0].removesuffix('-semantic')} SR %{end}" for end in ("", " low", " high"))],
    }
    for by, head in heads.items():
        results(run.url, format="csv", by=by)
        rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
        assert [h.replace("-semantic", "") for h in rows[0]][: len(head)] == head and len(rows) == (
            3 if by == "cell" else 4
        )
        assert by == "game" or {row[3] for row in rows[1:]} <= {"semantic", "computer_use"}, "as one types them"
    with pytest.raises(UsageError, match="no table of models"):
        results(run.url, by="model")


@pytest.mark.parametrize(
    ("format", "by", "says"),
    [
        ("latx", "", "Did you mean latex"),
        ("md", "module", "by module table, json, csv"),
        ("csv", "gam", "Did you mean game"),
        ("table", "modul", "Allowed: cell, game, model, module"),
        ("xml", "", "table, md, latex, json, csv"),
    ],
)
def test_unknown_format_or_table_lists_what_there_is(tmp_path, format, by, says):
    with pytest.raises(UsageError, match=says):
        results(str(tmp_path), format=format, by=by)


def test_dry_run_estimates_are_no_bounds():
    model = ModelSpec(name="random", provider="random")
    plan = make_plan([RunSpec.model_validate({"game": ("13_flappy-bird",), "model": model})])
    console = Console(file=io.StringIO(), width=200)
    show_plan(plan, console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "M tokens" in printed and "not bounds" in printed and "budget.tokens" in printed
    assert "≤" not in printed and "upper" not in printed.lower()


ASKED = [
    ("plain", "a", "", "", 4, 400, 40, 1.0, 0.75),
    ("thinks", "critic", "reflection", "reflection", 4, 4000, 400, 2.0, 3.0),
    ("thinks", "a", "", "planning", 4, 2000, 200, None, 2.0),
    ("thinks", "a", "", "", 4, 400, 40, 1.0, 0.75),
    ("team", "b", "", "", 4, 280, 28, 1.0, 0.4),
    ("team", "a", "", "", 4, 400, 40, 1.0, 0.75),
]
"""Cell, model, helper, module, calls, tokens in and out, USD, seconds a call of `asking_run`."""


def test_usage_by_model_and_module(tmp_path, capsys):
    run = asking_run(tmp_path / "run")
    results(run.url, by="module", format="json")
    rows = json.loads(capsys.readouterr().out)
    assert [tuple(r.values())[:-1] for r in rows] == ASKED
    assert [r["served_model"] for r in rows] == [f"served-{r['input_tokens'] // r['calls']}" for r in rows]
    results(run.url, by="module", format="csv")
    lines = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert lines[0] == list(rows[0])
    assert lines[3][:4] == ["thinks", "a", "", "planning"] and lines[3][7] == "", "a price that is not known is no 0"
    console = Console(file=io.StringIO(), width=200)
    show_modules(run, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "critic (as reflection)  served-1000  reflection" in shown and "price unknown" in shown
    assert re.search(r"4 +4,000 +400 +\$2.00 +3.00", shown)


def test_usage_counts_running_episodes(tmp_path, capsys):
    run = asking_run(tmp_path / "run")
    run.rewrite_results([])
    log = run.local_path / "replies" / "plain-0.jsonl"  # type: ignore[operator]
    log.write_bytes(log.read_bytes()[:-20])
    results(run.url, by="module", format="json")
    assert [r["calls"] for r in json.loads(capsys.readouterr().out)] == [3, 4, 4, 4, 4, 4]


HOSTILE = "\x1b]0;pwn\x07\x1b[2J\x9b31m\u202egame\ud800"


def test_control_sequences_in_texts_are_visible(capsys):
    out = terminal()
    out.print(f"failed: {escape(HOSTILE)}", highlight=False)
    print_table(["title"], [[HOSTILE]], out, title=escape(HOSTILE))
    printed = capsys.readouterr().out
    assert not [c for c in printed if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or ord(c) in (0x202E, 0xD800)]
    assert printed.count("⟦U+001B⟧") >= 5 and "game" in printed
    print_json({"title": HOSTILE})
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "\x9b" not in printed and json.loads(printed)["title"] == HOSTILE


def test_own_colours_and_progress_reach_the_terminal():
    out = Terminal(file=io.StringIO(), force_terminal=True, width=80)
    out.print("[bold red]failed[/]: \x1b[2J", highlight=False)
    assert out.file.getvalue() == "\x1b[1;31mfailed\x1b[0m: ⟦U+001B⟧[2J\n"  # type: ignore[attr-defined]


cli_console = sys.modules["gwray.cli.console"]  # `gwray.cli` has a console of this name
INLINE = ExecutorSpec(name="inline", lanes=4)


def test_dry_run_says_hours_disk_and_a_range_of_usd(tmp_path):
    model = ModelSpec(
        name="m", provider="openai_chat", model_id="m", max_in_flight=2,
        prices=Prices(input=1, output=4, as_of="2026-01-01"),
    )  # fmt: skip
    spec = {"game": ("13_flappy-bird",), "model": model, "executor": INLINE, "run_dir": str(tmp_path / "none")}
    plan = make_plan([RunSpec.model_validate(spec)])  # 5 tasks of 100 steps, with 500 replies
    console = Console(file=io.StringIO(), width=200)
    show_plan(plan, console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "time ≈ 10 – 27 min with 4 episodes at once, for replies of 2.4 to 6.4 s" in printed, "500 · 2.4 s / 2"
    assert "disk ≈ 30 MB" in printed
    least, most = map(float, re.search(r"USD ≈ ([\d.]+) – ([\d.]+) for replies of 15 to 1,000", printed).groups())
    assert most - least == pytest.approx(500 * 985 * 4 / 1e6, abs=0.02)


def test_dry_run_uses_finished_episodes_and_names_intervals(tmp_path):
    frame = study_frame(repeats=1).filter(pl.col("status") == "finished").with_columns(wall_s=36.0, steps=10)
    run = write_run(tmp_path / "run", frame)
    model = ModelSpec(name="random", provider="random")
    plan = make_plan([RunSpec(model=model, game=("13_flappy-bird",), run_dir=run.url, executor=INLINE)])
    console = Console(file=io.StringIO(), width=300)
    show_plan(plan, console)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert "intervals: on these tasks; whether a difference holds on games like these needs 6 games" in printed
    seen = f"as in the {frame.height:,} finished episodes"
    assert f"time ≈ 7.5 min with 4 episodes at once, {seen}" in printed, "500 · 3.6 s / 4"


def test_no_more_lanes_than_episodes():
    model = ModelSpec(name="random", provider="random")
    plan = make_plan([RunSpec(model=model, game=("13_flappy-bird",), task=("1",), run_dir="runs/x", executor=INLINE)])
    console = Console(file=io.StringIO(), width=300)
    show_plan(plan, console)
    assert "with 1 episode at once" in console.file.getvalue()  # type: ignore[attr-defined]


def test_long_work_is_never_silent(monkeypatch, capsys):
    """Where the output is no terminal, a line names the work, and another one follows while it lasts."""
    monkeypatch.setattr(cli_console, "SILENT_S", 0.05)
    monkeypatch.setattr(cli_console, "PLAIN_EVERY_S", 0.05)

    def slow() -> Plan:
        time.sleep(0.4)
        raise UsageError("no plan")

    assert launch.run_command(slow) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["planning"] * 2 and lines[-1] == "Cannot start: no plan"
    with replaying.replaying("verifying", 9) as bar:
        bar.advance(count=2)
        time.sleep(0.2)
    assert capsys.readouterr().err.splitlines()[0] == "verifying: 2 of 9"
    with cli_console.shown_work("quick"):
        pass
    assert capsys.readouterr().err == ""


def test_bar_shows_the_running_score_and_cost():
    tally = Tally(planned=9, finished=5, progress=2.0)
    bar = Bar(tally, lambda: asyncio.sleep(0), Console(file=io.StringIO()))
    assert "mean progress 40 % over all cells" in bar._line(0), "earlier episodes count"
    tally.finished, tally.progress, tally.usd = 8, 4.0, 0.25
    assert "mean progress 50 % over all cells · 0.25 USD" in bar._line(0)
    episode = EpisodeRecord(key="k", cell="c", game="g", task="t", input_tokens=9, retries=3)
    for status in ("failed", "finished"):  # a further try counts the requests of the first one, too
        tally.add(episode.model_copy(update={"status": status}), 0, 4)
    assert "8 tokens · 3 requests repeated · 0.25 USD at least" in bar._line(0)


def test_bar_names_models_that_load_and_does_not_count_their_time():
    tally = Tally(planned=9, loading=["big"])
    bar = Bar(tally, lambda: asyncio.sleep(0), Console(file=io.StringIO()))
    bar._began -= 1000
    assert "0 in flight · loading big" in bar._line(0)
    tally.finished, tally.loading = 1, ()
    line = "1 of 9 · 0 in flight · mean progress 0 % over all cells · 0:00, 0:04 left"
    assert bar._line(0) == line, "8 episodes of half a second"


def test_dry_run_warns_of_identical_repeats():
    model = ModelSpec(name="m", provider="openai_chat", model_id="m", sampling=Sampling(temperature=0))
    warm = model.model_copy(update={"sampling": Sampling(temperature=1)})
    for more, warned in (
        ({"repeats": 2}, True), ({}, False), ({"repeats": 2, "seed_policy": "per_repeat"}, False),
        ({"repeats": 2, "model": warm}, False),
    ):  # fmt: skip
        plan = make_plan([RunSpec.model_validate({"game": ("13_flappy-bird",), "model": model, **more})])
        console = Console(file=io.StringIO(), width=200)
        show_plan(plan, console)
        assert ("repeats may be identical" in console.file.getvalue()) == warned  # type: ignore[attr-defined]


def compile_article(folder: Path, tables: str, *, fits: bool = True) -> None:
    """Compiles an article with tables by a TeX that is installed; otherwise parses it strictly, columns included.
    `fits`: whether the tables must be no wider than the lines."""
    article = f"\\documentclass{{article}}\n\\usepackage{{booktabs}}\n\\begin{{document}}\n{tables}\\end{{document}}\n"
    (folder / "article.tex").write_text(article)
    if tex := shutil.which("pdflatex"):
        command = [tex, "-interaction=nonstopmode", "-halt-on-error", "article.tex"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, done.stdout[-2000:]
        assert "LaTeX Warning: Reference" not in done.stdout
        assert not fits or "Overfull" not in done.stdout
    nodes = LatexWalker(article, tolerant_parsing=False).get_latex_nodes()[0]
    texts = [n.chars for n in _nodes(nodes) if n.isNodeType(LatexCharsNode)]
    assert not {c for text in texts for c in text} & {*"_^#&%~"} - {"&", "~"}
    assert max(article) <= "ſ", "TeX knows no letters beyond Latin"
    for kinds, body in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", article, re.DOTALL):
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        rows = [re.sub(r"\\multicolumn\{(\d)\}", lambda m: "&" * (int(m[1]) - 1), row) for row in rows]
        assert rows and {len(re.findall(r"(?<!\\)&", row)) + 1 for row in rows} == {len(kinds)}


def _nodes(nodes):
    for node in nodes:
        if node is not None and not node.isNodeType(LatexMathNode):
            yield node
            yield from _nodes(getattr(node, "nodelist", None) or ())


@pytest.mark.slow
def test_latex_tables_compile_in_an_article(tmp_path, capsys):
    run = write_run(tmp_path / "run", study_frame(repeats=1))
    for by in ("", "game"):
        results(run.url, format="latex", by=by, allow_incomplete=True)
    tables = capsys.readouterr().out
    assert tables.count(r"\toprule") == 2
    assert max(map(len, re.findall(r"begin\{tabular\}\{(\w+)\}", tables))) <= 10, "14 cells are rows, not columns"
    compile_article(tmp_path, tables, fits=False)
    frame = study_frame(repeats=3)
    names = frame["cell"].unique().sort().to_list()
    for n in (2, 3):
        run = write_run(tmp_path / f"run-{n}", frame.filter(pl.col("cell").is_in(names[:n])))
        results(run.url, format="latex", by="game", allow_incomplete=True)
    few = capsys.readouterr().out
    assert few.count(r"\multicolumn{2}{c}") == 5
    compile_article(tmp_path, few)
    strange = "a_b & c% #1 {x} \\end $y ~ ^ \u202e ± → – ⟦ é 游戏"
    odd = replace(TABLE, title=strange, columns=tuple(map(Column, (strange, "x", "y"))))
    compile_article(tmp_path, odd.to_latex(), fits=False)


def test_dry_run_has_the_sum_first_and_a_column_for_each_swept_setting():
    """Prices are own GPUs, known, or missing; `at least` stands before a sum that lacks one."""
    prices = Prices(input=1, output=4, as_of="2026-01-01")
    models = [
        ModelSpec(name="a", provider="openai_chat", prices=prices, sampling=Sampling(temperature=0.7)),
        ModelSpec(name="b", provider="openai_chat"),
    ]
    jobs = [
        RunSpec(model=m, game=("13_flappy-bird",), name="x", interface=i)  # type: ignore[arg-type]
        for m in models for i in ("semantic", "computer_use")
    ]  # fmt: skip
    console = Console(file=io.StringIO(), width=80)
    show_plan(make_plan(jobs), console)
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert lines[0] == "x: 20 episodes in 4 cells" and lines[1].startswith("time ≈")
    assert any(line.startswith("USD at least ") for line in lines[:4])
    head = next(line for line in lines if "interface" in line)
    assert head.split() == ["model", "interface", "cost"], "what is equal in all rows is in the note"
    assert "All: episodes: 5 · calls: 500" in "\n".join(lines) and "price unknown" in "\n".join(lines)
    assert "requests of a: temperature 0.7, 2,048 tokens" in lines and max(map(len, lines[4:8])) <= 80


def test_rounded_zeros_have_no_minus():
    """No formatter of a table, a verdict or a figure prints -0.0 or -0."""
    small = Interval(-4e-6, -4e-6, 4e-6, 1e-6, 4, 4, "")
    cells = [number_cell(-4e-6), percent_cell(small), difference_cell(small, 0)]
    table = Table.build("t", "T", [Column("x", lambda c: c)], cells)
    buffer = io.StringIO()
    Console(file=buffer).print(table.to_rich())
    shown = [buffer.getvalue(), table.to_latex(), table.to_markdown(), points(-4e-6, small, signed=True)]
    assert not [text for text in shown if re.search(r"[-−]0(\.0)?\b", text)]
