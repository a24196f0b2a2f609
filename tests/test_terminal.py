"""What a person reads in the terminal stands on whole cells."""

import csv
import io
import json

import polars as pl
import pytest
from report.runs_to_report import asking_run, study_frame, write_run
from rich.console import Console
from rich.markup import escape

from gwray.cli import launch
from gwray.cli.console import Terminal, terminal
from gwray.cli.results import show_results
from gwray.cli.runs import results
from gwray.cli.terminal import print_json, print_table, show_ended, show_modules, show_plan
from gwray.errors import UsageError
from gwray.pipelines import RunOutcome, Tally, make_plan
from gwray.spec import ModelSpec, RunSpec
from gwray.tables import Column, Table, TableCell


def test_what_can_be_done_with_a_run_is_said_where_it_ends(tmp_path):
    run, console = write_run(tmp_path / "run", study_frame(repeats=1)), Console(file=io.StringIO(), width=140)
    show_ended(RunOutcome(run, Tally(planned=2, finished=1), interrupted=False), console)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    for command in ("view", "report", "verify"):
        assert f"gwray {command} {run.url}\n" in said
    console = Console(file=io.StringIO(), width=140)
    show_ended(RunOutcome(run, Tally(planned=1, finished=0, skipped={"no room": 1}), interrupted=False), console)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "1 episode not started: no room" in said and "gwray verify" not in said


async def test_what_is_about_to_be_played_is_said_before_anything_starts(monkeypatch):
    async def refuse(*_: object) -> None:
        raise UsageError("no cluster")

    monkeypatch.setattr(launch, "run_plan", refuse)
    model = ModelSpec(name="random", provider="random")
    plan = make_plan([RunSpec(model=model, game=("13_flappy-bird",), run_dir="runs/x", name="x")])
    console = Console(file=io.StringIO(), width=140)
    with pytest.raises(UsageError):
        await launch._play(plan, console)
    assert console.file.getvalue() == "x: 5 episodes in 1 cell, into runs/x\n"  # type: ignore[attr-defined]


def test_the_headline_of_an_incomplete_cell_is_left_out_unless_asked_for_and_then_marked(tmp_path):
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
        line = next(line for line in lines if head in line).replace("┃", "│")
        return [cell.strip() for cell in line.strip("│ ").split("│")]

    for head in ("all tasks", "success rate, 95 %", "progress, 95 %"):
        refused, marked = row(shown(), head), row(shown(allow_incomplete=True), head)
        assert refused[1] == marked[1] != "–"
        assert refused[2] == "–" != marked[2]
    for lines in (shown(), shown(allow_incomplete=True)):
        assert [h.endswith("(incomplete)") for h in row(lines, "game ")] == [False, False, True]
    assert any("--allow-incomplete" in line for line in shown())
    assert not any("--allow-incomplete" in line for line in shown(allow_incomplete=True))


def test_a_run_of_too_few_games_for_an_interval_says_why_it_has_none(tmp_path):
    frame = study_frame(repeats=1).filter(pl.col("status") == "finished")
    games = frame["game"].unique(maintain_order=True).to_list()

    def shown(n: int) -> str:
        run = write_run(tmp_path / str(n), frame.filter(pl.col("game").is_in(games[:n])))
        console = Console(file=io.StringIO(), width=200)
        show_results(run, console, allow_incomplete=True)
        return console.file.getvalue()  # type: ignore[attr-defined]

    assert "Confidence intervals need at least 4 games" in shown(3)
    assert "Confidence intervals" not in shown(4)


def test_with_many_players_each_is_a_row_and_single_games_are_asked_for(tmp_path):
    frame = study_frame(repeats=1).filter(pl.col("status") == "finished")
    games = frame["game"].unique(maintain_order=True).to_list()[:4]
    run = write_run(tmp_path / "run", frame.filter(pl.col("game").is_in(games)))
    names = [c.name for c in run.manifest().cells]
    assert len(names) > 6

    def shown(**how) -> str:
        console = Console(file=io.StringIO(), width=2000)
        show_results(run, console, allow_incomplete=True, **how)
        return console.file.getvalue()  # type: ignore[attr-defined]

    players, single = shown(), shown(by_game=True)
    rows = [line for line in players.splitlines() if any(name in line for name in names)]
    assert len(rows) == len(names) and "--by game" in players
    assert not any(game in players for game in games)
    assert all(game in single for game in games)


def _row(*texts: str) -> tuple[TableCell, ...]:
    return tuple(map(TableCell, texts))


TABLE = Table(
    "t", "a_b: SR %", (Column("game"), Column("x · {y}"), Column("z|1")), (_row("01_2048", "5 / 6", "–"),),
    unranked=(_row("all tasks", "100 %", "2 – 3"),),
)  # fmt: skip


def test_a_table_is_markdown_with_nothing_that_ends_a_cell():
    assert TABLE.to_markdown().splitlines() == [
        "| game | x · {y} | z&#124;1 |",
        "| --- | ---: | ---: |",
        "| 01_2048 | 5 / 6 | – |",
        "| all tasks | 100 % | 2 – 3 |",
    ]


def test_a_table_is_latex_with_every_special_character_escaped():
    lines = [line.strip() for line in TABLE.transposed("player").to_latex().splitlines()]
    assert r"\caption{a\_b: SR \%}" in lines and r"\begin{tabular}{lr}" in lines
    assert lines[lines.index(r"\toprule") + 1 : lines.index(r"\bottomrule")] == [
        r"player & all tasks \\", r"\midrule", r"x $\cdot$ \{y\} & 100 \% \\", r"z|1 & 2 -- 3 \\",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("format", "by", "says"),
    [
        ("latx", "", "Did you mean latex"),
        ("md", "module", "by module table, json, csv"),
        ("csv", "gam", "Did you mean game"),
    ],
)
def test_a_format_that_there_is_not_is_refused_with_those_there_are(tmp_path, format, by, says):
    with pytest.raises(UsageError, match=says):
        results(str(tmp_path), format=format, by=by)


def test_a_dry_run_claims_no_bounds():
    model = ModelSpec(name="random", provider="random")
    plan = make_plan([RunSpec.model_validate({"game": ("13_flappy-bird",), "model": model})])
    console = Console(file=io.StringIO(), width=200)
    show_plan(plan, console)
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "tokens ≈" in said and "not bounds" in said and "budget.tokens" in said
    assert "≤" not in said and "upper" not in said.lower()


ASKED = [
    ("plain", "a", "", "", 4, 400, 40, 1.0, 0.75),
    ("thinks", "critic", "reflection", "reflection", 4, 4000, 400, 2.0, 3.0),
    ("thinks", "a", "", "planning", 4, 2000, 200, None, 2.0),
    ("thinks", "a", "", "", 4, 400, 40, 1.0, 0.75),
    ("team", "b", "", "", 4, 280, 28, 1.0, 0.4),
    ("team", "a", "", "", 4, 400, 40, 1.0, 0.75),
]
"""Cell, model, helper, module, calls, tokens in and out, USD, seconds a call of `asking_run`."""


def test_tokens_cost_and_time_are_split_by_model_and_module(tmp_path, capsys):
    run = asking_run(tmp_path / "run")
    results(run.url, by="module", format="json", forks=False)
    rows = json.loads(capsys.readouterr().out)
    assert [tuple(r.values())[:-1] for r in rows] == ASKED
    assert [r["served_model"] for r in rows] == [f"served-{r['input_tokens'] // r['calls']}" for r in rows]
    results(run.url, by="module", format="csv", forks=False)
    lines = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert lines[0] == list(rows[0])
    assert lines[3][:4] == ["thinks", "a", "", "planning"] and lines[3][7] == "", "a price that is not known is no 0"
    console = Console(file=io.StringIO(), width=200)
    show_modules(run, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    table = [[c.strip() for c in line.split("│")[1:-1]] for line in shown.splitlines() if "│" in line]
    assert table[1][:4] == ["thinks", "critic (reflection)", "served-1000", "reflection"]
    assert table[1][4:] == ["4", "4,000", "400", "2.00", "3.00"]
    assert table[2][7] == "?"


def test_an_episode_that_goes_on_is_counted_as_far_as_its_log_is(tmp_path, capsys):
    run = asking_run(tmp_path / "run")
    run.rewrite_results([])
    log = run.local_path / "replies" / "plain-0.jsonl"  # type: ignore[operator]
    log.write_bytes(log.read_bytes()[:-20])
    results(run.url, by="module", format="json", forks=False)
    assert [r["calls"] for r in json.loads(capsys.readouterr().out)] == [3, 4, 4, 4, 4, 4]


@pytest.mark.parametrize(
    ("how", "says"), [({"by": "modul"}, "Allowed: game, module"), ({"format": "xml"}, "table, md, latex, json, csv")]
)
def test_a_table_that_does_not_exist_is_named(how, says, tmp_path):
    with pytest.raises(UsageError, match=says):
        results(str(tmp_path), **how)


HOSTILE = "\x1b]0;pwn\x07\x1b[2J\x9b31m\u202egame\ud800"


def test_what_a_provider_or_a_game_says_cannot_steer_the_terminal(capsys):
    out = terminal()
    out.print(f"failed: {escape(HOSTILE)}", highlight=False)
    print_table(["title"], [[HOSTILE]], out, title=escape(HOSTILE))
    said = capsys.readouterr().out
    assert not [c for c in said if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or ord(c) in (0x202E, 0xD800)]
    assert said.count("⟦U+001B⟧") >= 5 and "game" in said
    print_json({"title": HOSTILE})
    said = capsys.readouterr().out
    assert "\x1b" not in said and "\x9b" not in said and json.loads(said)["title"] == HOSTILE


def test_colours_and_progress_of_our_own_still_reach_a_terminal():
    out = Terminal(file=io.StringIO(), force_terminal=True, width=80)
    out.print("[bold red]failed[/]: \x1b[2J", highlight=False)
    assert out.file.getvalue() == "\x1b[1;31mfailed\x1b[0m: ⟦U+001B⟧[2J\n"  # type: ignore[attr-defined]
