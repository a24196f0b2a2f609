"""Case studies: key frames of an episode with step, action and progress, one row per interface."""

import csv

import polars as pl
from runs_to_report import sweep, write_run

from gwray.analysis import Cell, label_set
from gwray.report import build_report
from gwray.report.cases import judged_examples, key_steps, label_studies


def test_key_steps_prefer_progress_then_even_spread():
    assert key_steps([0.0] * 9, 5) == [0, 2, 4, 6, 8]
    assert key_steps([0, 0, 0.2, 0.2, 0.5, 0.5, 0.5, 0.7, 0.9], 5) == [0, 2, 4, 7, 8]
    assert key_steps([i / 100 for i in range(101)], 5) == [0, 25, 50, 75, 100]
    assert 3 in key_steps([0, 0, 0, 1, 1, 1, 1, 1, 1, 1], 4)
    assert key_steps([0.4], 5) == [0] and key_steps([], 5) == []


async def test_case_study_shows_both_interfaces(tmp_path, watched):
    frame = pl.concat([
        sweep({"a": 0.3, "b": 0.95}, n_games=2, tasks_per_game=1),
        sweep({"a": 0.4}, n_games=2, tasks_per_game=1, interface="computer_use"),
    ])  # fmt: skip
    run = write_run(tmp_path / "run", frame, replays=frame.height)
    index = build_report([run], tmp_path / "site")
    page = index.read_text()
    assert page.count('class="case"') == 2 and 'data-paper="Figure 6"' in page and 'data-paper="Figure 7"' in page
    with (tmp_path / "site/tables/case-1.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [r["cell"] for r in rows] == ["a · mouse and keyboard"] * 5 + ["a · named controls"] * 5
    assert [r["note"] for r in rows if r["step"] == "13"] == ["the end", "the end"]
    assert all((tmp_path / "site" / r["screenshot"]).exists() for r in rows)
    assert {"move_right → press key ArrowRight", "press keys ArrowRight + Space"} <= {r["control"] for r in rows}
    assert rows[0]["thought"]
    browser = watched.page.context.browser
    assert browser
    silent = await (await browser.new_context(java_script_enabled=False)).new_page()
    await silent.goto(index.as_uri())
    await silent.locator("#case-1").scroll_into_view_if_needed()
    wide = await silent.locator("#case-1 img").evaluate_all("i => i.map(x => x.naturalWidth)")
    assert len(wide) == 10 and wide[0] > 0, "shown without scripts"


def test_each_failure_label_has_a_case_study():
    frame = sweep({"a": 0.3}, n_games=3, tasks_per_game=1)
    failed = frame.filter(~pl.col("success")).sort("task", "key")
    first, second = failed["key"][0], failed.filter(pl.col("task") != failed["task"][0])["key"][0]
    given = {first: ["lost", "aware_deadlock"], second: ["aware_deadlock"]}
    labels = [label_set("failure", "judge", given, ["unaware_deadlock", "lost", "aware_deadlock"])]
    assert judged_examples(frame, labels) == {"lost": first, "aware_deadlock": second}, "each of another task"
    step = {"best": 0.0, "reset": False, "diff": [], "roles": [
        {"action": None, "control": "move_left", "validity": "valid", "reasoning": "I am stuck.", "text": ""}
    ]}  # fmt: skip
    replays = {key: {"steps": [step], "final": False, "frames": ["0.jpg"]} for key in (first, second)}
    cells = {c: Cell(c, c, "m", "semantic", {}) for c in frame["cell"].unique()}
    found = label_studies(frame, cells, replays, lambda task: f"Task {task}", labels)
    assert [(c.id, c.title.partition(":")[0]) for c in found] == [
        ("label-lost", "Lost"), ("label-aware-deadlock", "Aware deadlock"),
    ]  # fmt: skip
    assert found[0].rows[0].frames[0].thought == "I am stuck."
