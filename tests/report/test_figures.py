"""Figures have the shape of the paper's."""

from itertools import pairwise

from gwray.analysis import Rerun
from gwray.report.figures import PALETTE, axis_names, rerun_bars


def of_game(cell: str, game: str, mean: float | None) -> Rerun:
    return Rerun(cell, game, "pg", 3, 0, (0.1, 0.2, 0.3), mean, 0.05)


def test_rerun_figure_has_a_panel_per_cell():
    cells = [f"model {i} · named controls" for i in range(10)]
    games = {cell: ["13_flappy-bird", "01_2048"][: 1 + i % 2] for i, cell in enumerate(cells)}
    figure = rerun_bars([(c, [of_game(c, g, 0.2) for g in games[c]]) for c in cells], {})
    assert figure is not None and figure.paper == "Figure 4"
    axes = [trace["yaxis"] for trace in figure.plot.data]
    assert axes == ["y", *(f"y{i}" for i in range(2, 11))]
    assert [note["text"] for note in figure.plot.layout["annotations"]] == cells
    assert figure.plot.layout["xaxis"]["categoryarray"] == ("01_2048", "13_flappy-bird")
    assert figure.plot.layout["xaxis"]["anchor"] == "y10", "the names of the games stand under the last panel"
    domains = [figure.plot.layout[a.replace("y", "yaxis")]["domain"] for a in axes]
    assert all(low < high for low, high in domains)
    assert all(above[0] >= below[1] for above, below in pairwise(domains))
    assert figure.plot.data[9].visible is None, "no panel waits in a legend"
    assert figure.plot.data[8]["marker"]["color"] == PALETTE[0]


def test_cell_without_mean_has_no_panel():
    assert rerun_bars([("a", [of_game("a", "01_2048", None)])], {}) is None
    one = rerun_bars([("a", [of_game("a", "01_2048", None)]), ("b", [of_game("b", "01_2048", 0.2)])], {})
    assert one is not None and [t["name"] for t in one.plot.data] == ["b"] and one.plot.layout["xaxis"]["anchor"] == "y"


def test_long_names_keep_every_setting_on_two_lines():
    long = [f"claude-sonnet-4.6 · mouse and keyboard · realtime · memory rounds {n}" for n in (1, 2)]
    one, two = axis_names(long)
    assert one == "claude-sonnet-4.6 · mouse and keyboard ·<br>realtime · memory rounds 1" and one != two
    assert axis_names(["gpt-5.2 · named controls"]) == ["gpt-5.2 · named controls"]
