"""Examples of invalid actions: from the run itself, of different cells, at their step."""

from runs_to_report import steps, sweep, write_run

from gwray.report import build_report
from gwray.report.cases import find_examples


def test_examples_come_from_different_cells_replays_first():
    frame = sweep({"a": 0.4, "b": 0.5, "c": 0.6}, n_games=2, tasks_per_game=1)
    bad = {"no_tool_call": "Hm.", "out_of_space": "fly"}
    rows = [
        s.model_copy(update={"validity": kind, "text": text, "reason": f"no {text}"})
        for s, (kind, text) in zip(steps(2, 0.1), bad.items(), strict=True)
    ]
    replayed = next(k for k, c in frame.select("key", "cell").iter_rows() if c == "c-semantic")
    found = find_examples(frame, ["a-semantic", "b-semantic", "c-semantic"], lambda key: rows, {replayed: "x"})
    assert [(e.kind, e.cell, e.step, e.reply) for e in found] == [
        ("no_tool_call", "c-semantic", 0, "Hm."), ("no_tool_call", "a-semantic", 0, "Hm."),
        ("out_of_space", "c-semantic", 1, "fly"), ("out_of_space", "a-semantic", 1, "fly"),
    ]  # fmt: skip
    alone = find_examples(frame.filter(cell="a-semantic"), ["a-semantic"], lambda key: rows, {})
    assert len({e.key for e in alone}) == 2, "one cell gives both, of two episodes"
    assert find_examples(frame, ["a-semantic"], lambda key: None, {}) == []


def test_example_replies_are_text_and_link_to_their_step(tmp_path):
    run = write_run(tmp_path / "run", sweep({"a": 0.4}, n_games=2, tasks_per_game=1), replays=1)
    page = build_report([run], tmp_path / "site").read_text()
    table = page[page.index('id="examples-table"') :]
    assert 'data-paper="Table 10"' in table and "Hm." in table and "the reply names no control" in table
    assert ".html#step=9" in table[: table.index("</figure>")]
