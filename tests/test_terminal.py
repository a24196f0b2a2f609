"""What a person reads in the terminal stands on whole cells."""

import io

import polars as pl
from report.runs_to_report import study_frame, write_run
from rich.console import Console

from gwray.terminal import show_results


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
