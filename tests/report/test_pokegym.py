"""The PokeGym section: tables from rows with known contents, and refused values."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from town_runs import ARMS, BOARD, town_run

from gwray.analysis.cells import Cell, PlannedTasks
from gwray.analysis.labels import label_set
from gwray.pages import Table
from gwray.report.content import Figure, Section
from gwray.report.results import JudgeResults, make_results
from gwray.store import RunDir, results_frame
from gwray.studies.pokegym.quests import arms as arms_of
from gwray.studies.pokegym.report import town_section


def section(run: RunDir, **more) -> Section:
    made = town_section(make_results(results_frame([run]), [run.manifest()], **more))
    assert made is not None
    return made


def rows(part: Table | Figure) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(part.to_csv())))


def parts(section: Section) -> dict[str, Table | Figure]:
    return {p.id: p for p in section.parts if isinstance(p, Table | Figure)}


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table | Figure]:
    return parts(section(town_run(tmp_path_factory.mktemp("town") / "board", BOARD)))


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Table | Figure]:
    return parts(section(town_run(tmp_path_factory.mktemp("town") / "arms", ARMS, repeats=2)))


def test_category_and_episode_averages_differ(board):
    mine = {r["player"]: r for r in rows(board["town-categories"])}["gpt-5.2"]
    # Four quests of navigation, three of each other category: the mean of categories weighs the latter more.
    each = [float(mine[f"{x} SR %"]) for x in ("navigation", "interaction", "mixed")]
    assert float(mine["SR %, categories"]) == pytest.approx(sum(each) / 3)
    assert float(mine["SR %, episodes"]) == pytest.approx((4 * each[0] + 3 * each[1] + 3 * each[2]) / 10)
    assert float(mine["SR %, episodes low"]) < float(mine["SR %, episodes"]) < float(mine["SR %, episodes high"])


def test_csv_columns_are_unique_and_in_named_units(board, compared):
    for part in (*board.values(), *compared.values()):
        header = next(csv.reader(io.StringIO(part.to_csv())))
        assert len(set(header)) == len(header), part.id
    mine = {r["player"]: r for r in rows(board["town-categories"])}["gpt-5.2"]
    table = board["town-categories"]
    assert isinstance(table, Table)
    (row,) = (r for r in table.rows if r[0].text == "gpt-5.2")
    shown = {c.name: td.text for c, td in zip(table.columns, row, strict=True)}
    for column in ("navigation SR %", "SR %, categories", "SR %, episodes"):
        assert abs(float(mine[column]) - float(shown[column])) <= 0.5
    assert max(float(r["IM %"]) for r in rows(board["town-stuck"])) > 1


def test_published_overall_matches_its_model(board):
    printed = {
        r["player"]: r["SR %, overall (published, other games and models)"] for r in rows(board["town-categories"])
    }
    assert {m: float(x) for m, x in printed.items()} == {
        "gpt-5.2": 58.70, "claude-sonnet-4.6": 53.15, "glm-4.6v": 42.41, "random": 2.22,
    }  # fmt: skip


def test_texts_have_published_values(board):
    found = {(r["player"], r["text"]): r for r in rows(board["town-texts"])}
    assert len(found) == 3 * len(BOARD)
    assert found["gpt-5.2", "goal only"]["SR %, categories (published, other games and models)"] == "60.0"
    assert found["random", "goal only"]["SR %, categories (published, other games and models)"] == ""


def test_incomplete_category_is_refused_with_its_count(tmp_path):
    run = town_run(tmp_path / "run", BOARD, lost=2)
    found = parts(section(run))
    table = found["town-categories"]
    assert isinstance(table, Table)
    mine = next(r for r in table.rows if r[0].text == "gpt-5.2")
    at = [c.name for c in table.columns]
    assert mine[at.index("mixed SR %")].mark == "refused" and mine[at.index("mixed SR %")].sub == "43 / 45"
    assert mine[at.index("navigation SR %")].text != "–"
    assert [mine[at.index(x)].text for x in ("SR %, categories", "SR %, episodes")] == ["–", "–"]
    assert "gpt-5.2" not in {r["player"] for r in rows(found["town-behaviour"])}
    asked_for = parts(section(run, allow_incomplete=True))["town-categories"]
    shown = {r["player"]: r for r in rows(asked_for)}
    assert float(shown["gpt-5.2 (incomplete)"]["mixed SR %"]) > 0


def test_correlation_by_text_with_published_r(board):
    found = {r["text"]: r for r in rows(board["town-correlation"])}
    assert list(found) == ["visual-guided", "step-guided", "goal only", "all"]
    assert all(float(r["r"]) < -0.5 and float(r["p"]) < 0.001 for r in found.values())
    assert [found[x]["r (published, other games and models)"] for x in list(found)[:3]] == ["-0.57", "-0.65", "-0.52"]
    figure = board["town-stuck"]
    assert isinstance(figure, Figure)
    assert len(figure.lines) == 4 * 30 and len(figure.plot.data) == 3 * 3, "points, band and line of each text"


def test_measures_by_category_and_outcome(board):
    found = {(r["player"], r["category"], r["outcome"]): r for r in rows(board["town-behaviour"])}
    mine = found["gpt-5.2", "mixed", "failures"]
    assert float(mine["IM %"]) > float(found["gpt-5.2", "mixed", "successes"]["IM %"])
    assert mine["IM % (published, other games and models)"] == "9.33"
    assert not {p for p in board if p.startswith(("town-images", "town-interventions"))}, "no arms, no table"


@pytest.mark.parametrize(
    ("study_id", "arms"),
    [
        ("images", ["front", "front and the one before", "front and both sides", "all four"]),
        ("actions", ["moves, 1 a reply", "moves, 3 a reply", "sticks, 1 a reply", "sticks, 3 a reply"]),
        ("interventions", ["nothing", "told so", "three steps back", "two steps back, a turn"]),
        ("self-reflection", ["without", "with"]),
    ],
)
def test_arms_are_found_by_cell_settings(compared, study_id, arms):
    found = rows(compared[f"town-{study_id}"])
    ours = [r for r in found if r["player"] == "gpt-5.2"]
    assert [r["arm"] for r in ours] == arms
    assert ours[0]["against first, points"] == ""
    assert float(ours[1]["against first, points"]) == pytest.approx(
        float(ours[1]["SR %, episodes"]) - float(ours[0]["SR %, episodes"])
    )
    assert {r["arm"] for r in found if r["player"] == "GPT-5.2 (published, other games and models)"} == set(arms), (
        "the printed ones, below"
    )


def test_arms_show_the_columns_of_the_papers_tables(compared):
    mine, *_ = rows(compared["town-actions"])
    assert all(float(mine[f"{x} {y} %"]) >= 0 for x in ("navigation", "interaction", "mixed") for y in ("IM", "Rec"))
    printed = next(
        r for r in rows(compared["town-actions"]) if "published" in r["player"] and r["arm"].endswith("3 a reply")
    )
    assert (printed["navigation IM %"], printed["mixed Rec %"]) == ("7.74", "43.55")
    back = next(r for r in rows(compared["town-interventions"]) if "published" in r["player"] and "three" in r["arm"])
    assert (back["navigation Stp"], back["Stp, categories"]) == ("61.88", "85.38")
    assert float(rows(compared["town-interventions"])[0]["navigation Stp"]) > 0


def test_arms_are_compared_over_shared_episodes(tmp_path):
    all_of_it = town_run(tmp_path / "board", {"one": ARMS["one"]}, repeats=2)
    part = town_run(tmp_path / "arms", {"sticks-1": ARMS["sticks-1"]}, texts=("goal",), repeats=1)

    def compared(*runs) -> list[dict[str, str]]:
        made = town_section(make_results(results_frame(runs), [run.manifest() for run in runs]))
        assert made is not None
        return [r for r in rows(parts(made)["town-actions"]) if r["player"] == "gpt-5.2"]

    found = compared(all_of_it, part)
    assert [(r["arm"], r["finished / planned"].partition(" finished")[0]) for r in found] == [
        ("moves, 1 a reply", "10 of 10"), ("sticks, 1 a reply", "10 of 10"),
    ]  # fmt: skip
    mine = [r for r in all_of_it.results() if r.task.endswith("_goal") and r.repeat == 0]
    assert float(found[0]["SR %, episodes"]) == pytest.approx(10 * sum(bool(r.success) for r in mine))
    assert compared(part, all_of_it) == found


def test_models_with_other_options_are_no_arms():
    def cell(n: int, **axes) -> Cell:
        spec = {"model": {"name": "fixed", "provider": "fixed", "options": {"actions": [f"script {n}"]}}}
        return Cell(f"c{n}", f"cell {n}", "fixed", "semantic", axes, spec=spec)

    def groups(*cells: Cell) -> list[list[str]]:
        found = arms_of(PlannedTasks({c.id: c for c in cells}, pl.DataFrame()), "actions")
        return [[a.cell for a in group] for group in found]

    one, three, other = (
        cell(1),
        replace(cell(1, **{"action.per_reply": 3}), id="c3"),
        cell(2, **{"action.per_reply": 3}),
    )
    assert groups(one, three) == [["c1", "c3"]]
    assert groups(one, other) == []


def test_reply_counts_match_the_paper(compared):
    found = {(r["actions"], r["replies"]) for r in rows(compared["town-complexity"])}
    assert {("moves, 3 a reply", "343"), ("sticks, 3 a reply", str(18_543**3))} <= found


def test_no_town_section_without_the_town(built):
    assert town_section(make_results(results_frame([built.run]), [built.run.manifest()])) is None
    assert 'id="town-section"' not in (built.site / "index.html").read_text()


def test_report_page_has_the_town_section(tmp_path: Path):
    from gwray.report import build_report

    run = town_run(tmp_path / "run", ARMS, repeats=1)
    page = build_report([run], tmp_path / "site").read_text()
    assert 'id="town-section"' in page and "town-interventions" in page
    assert (tmp_path / "site/tables/town-categories.csv").is_file()
    assert (tmp_path / "site/figures/town-stuck.csv").is_file()


def test_label_shares_are_of_judged_failures(tmp_path):
    run = town_run(tmp_path / "run", BOARD)
    lost = sorted(r.key for r in run.results() if r.cell == "gpt-5.2" and not r.success)[:8]
    won = next(r.key for r in run.results() if r.cell == "gpt-5.2" and r.success)
    two, none = frozenset({"lost", "aware_deadlock"}), frozenset[str]()
    labels_by_key = dict(zip(lost, [two, two, frozenset({"lost"}), none, none, none, none, none], strict=True))
    labels = ("unaware_deadlock", "aware_deadlock", "lost")
    judged = label_set("failure", "judge-1", {**labels_by_key, won: two}, labels)
    people = label_set("failure", "people", {lost[0]: ["unaware_deadlock"]}, labels)
    table = parts(section(run, judges=JudgeResults(labels=[judged, people])))["town-failure"]
    mine, theirs = rows(table)
    assert (mine["player"], mine["by"], theirs["by"]) == ("gpt-5.2", "judge-1", "people")
    wanted = {"unaware deadlock %": 0, "aware deadlock %": 2, "lost %": 3, "none of these %": 5}
    assert {k: 8 * float(mine[k]) / 100 for k in wanted} == wanted, "what was judged of a success is no failure"
    assert [float(theirs[k]) for k in wanted] == [100, 0, 0, 0]
    failures = sum(not r.success for r in run.results() if r.cell == "gpt-5.2")
    assert isinstance(table, Table) and table.rows[0][-1].text == f"8 / {failures}"
    assert "town-failure" not in parts(
        section(run, judges=JudgeResults(labels=[label_set("failure", "judge-1", {won: two}, labels)]))
    )


def test_success_is_compared_with_other_benchmarks(tmp_path, board):
    skills = {"gpt-5.2": 0.6, "qwen3.5-35b-a3b": 0.4, "qwen3-vl-30b-a3b": 0.2}
    cells = {m: (m, "semantic", {}, skill) for m, skill in skills.items()}
    found = parts(section(town_run(tmp_path / "run", cells, repeats=1)))
    ours, theirs = (
        {
            r["success, by text or category"]: r
            for r in rows(found["town-external"])
            if ("published" in next(iter(r.values()))) is p
        }
        for p in (False, True)
    )
    assert float(ours["step guided"]["swe bench verified"]) > 0.8, "skill rises with it"
    printed = theirs["interaction (published, other games and models)"]["screenspot pro"]
    assert float(printed) == pytest.approx(0.89, abs=0.005)
    assert "town-external" not in board, "one of its models has published results elsewhere"
