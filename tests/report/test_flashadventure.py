"""The FlashAdventure section: milestones, gaps, diversity, failure codes, judges."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import polars as pl
import pytest

from gwray.analysis import JudgeAgreement, Verdict, compare_verdicts, read_annotations
from gwray.pages import Table
from gwray.places import CONF
from gwray.report.content import Figure, Section
from gwray.report.failures import BY_RULE, failure_section
from gwray.report.results import JudgeResults, make_results
from gwray.store import PlannedEpisode, PlannedEpisodes, RunManifest
from gwray.studies.flashadventure.adventures import Level, ProbeResult
from gwray.studies.flashadventure.clues import known_table
from gwray.studies.flashadventure.report import PRINTED, adventure_section

GENRES = {"c01": "mystery", "c05": "hidden-object", "c06": "room-escape", "c12": "management"}


def episode(cell: str, game: str, progress: float, steps: int = 100, repeat: int = 0, **more: Any) -> dict[str, Any]:
    row = {
        "key": f"{cell}-{game}-{repeat}", "cell": cell, "model": cell, "interface": "semantic", "game": game,
        "task": f"{game}_01", "genre": GENRES.get(game, "arcade"), "repeat": repeat, "status": "finished",
        "success": progress >= 1, "progress": progress, "steps": steps, "seed": 42, "proposals": steps,
        "input_tokens": 10, "output_tokens": 1, "no_tool_call": 0, "out_of_space": 0, "cost_usd": 0.0,
        "latency_ms": 1.0,
    }  # fmt: skip
    return {**row, **more}


def section(*rows: dict[str, Any], agents: dict[str, str] | None = None, missing: int = 0, **more: Any) -> Section:
    """The adventures of a study with these episodes; `missing` of the first cell were planned and not played."""
    cells = list(dict.fromkeys(r["cell"] for r in rows))
    listed_cells = [
        {
            "id": c,
            "model": c,
            "interface": "semantic",
            "axes": {"agent": agents[c]} if agents and c in agents else {},
            "spec": {"helpers": {"grounder": {"name": "g"}}} if c.endswith("-grounded") else {},
        }
        for c in cells
    ]
    listed = [{k: r[k] for k in ("key", "cell", "game", "task", "repeat")} for r in rows]
    listed += [{**listed[0], "key": f"missing-{n}", "repeat": 9 + n} for n in range(missing)]
    planned = PlannedEpisodes.group(PlannedEpisode(**e) for e in listed)
    manifest = RunManifest.model_validate({"cells": listed_cells, "episodes": planned})
    found = adventure_section(make_results(pl.DataFrame(rows), [manifest], **more))
    assert found is not None
    return found


def part(made: Section, id: str) -> Any:
    return next(p for p in made.parts if p.id == id)


def texts(table: Table) -> dict[str, list[str]]:
    """Rows by the text of their first cell."""
    return {row[0].text: [td.text for td in row[1:]] for row in (*table.rows, *table.unranked)}


def test_games_weigh_the_same_and_uncapped_scores_count():
    made = section(
        episode("a", "c01", 0.5, 1000), episode("a", "c05", 1, 40), episode("a", "c12", 1.6, 60), episode("a", "01", 1)
    )
    assert texts(part(made, "adventures"))["a"][:3] == ["67", "103", "366.7"]
    genres = texts(part(made, "adventure-genres"))["a"]
    assert genres == ["0", "50", "1,000.0", "100", "100", "40.0", "100", "160", "60.0"]


def test_published_values_have_the_same_units():
    made = section(episode("a", "c05", 0.5))
    shown = texts(part(made, "adventures"))
    assert shown["Claude-3.7 CU + COAST (published)"][:3] == ["5.9", "19.9", "966.8"]
    assert shown["people, without a limit (published)"][:2] == ["97.1", "100.0"]
    # Both hidden object games as they are printed: 100 % in 139 and 299 steps.
    assert texts(part(made, "adventure-genres"))["OpenAI CUA (published)"] == ["100.0", "100.0", "219.0"]
    lines = part(made, "adventures").to_csv().splitlines()
    assert lines[1].startswith("a,") and ",50.0," in lines[1]
    assert any(line.startswith("OpenAI CUA (published),5.9") for line in lines)


def test_incomplete_cell_has_values_on_request_only():
    rows = [episode("a", "c01", 0.5), episode("b", "c01", 1)]
    refused = texts(part(section(*rows, missing=1), "adventures"))
    assert refused["a"][:3] == ["–", "–", "–"] and refused["b"][0] == "100"
    shown = texts(part(section(*rows, missing=1, allow_incomplete=True), "adventures"))
    assert shown["a (incomplete)"][1] == "50"


def test_studies_have_published_values():
    agents = {"s": "coast_seek", "ss": "coast_seek_solve", "sms": "coast", "m": "coast_merged"}
    made = section(
        *(episode(c, "c06", p) for c, p in (("s", 0.1), ("ss", 0.3), ("sms", 0.6), ("m", 0.2))), agents=agents
    )
    shown = texts(part(made, "adventure-ablation"))
    assert {c: row[3:5] for c, row in shown.items()} == {
        next(k for k in shown if k.startswith(f"{c} ")): [ours, printed]
        for c, ours, printed in (("s", "10", "42.4"), ("ss", "30", "57.9"), ("sms", "60", "65.6"))
    }
    by_game = part(made, "adventure-ablation-games")
    assert [[td.text for td in row[2:]] for row in by_game.rows] == [
        [f"agent={agent}", "Camping Room Escape", "0", "0.0", ours, printed, "100.0", "1,000.0"]
        for agent, ours, printed in (
            ("coast_seek", "10", "22.2"), ("coast_seek_solve", "30", "33.3"), ("coast", "60", "44.4")
        )
    ]  # fmt: skip
    assert [row[4] for row in texts(part(made, "adventure-prompt-control")).values()] == ["46.6", "65.6"]
    assert {p.id for p in made.parts}.isdisjoint({"adventure-multi-run", "adventure-hints"})


def test_repeats_have_their_spread():
    rows = [episode("a", g, p, repeat=n) for g in ("c01", "c06") for n, p in enumerate((0.2, 0.4, 0.6))]
    (row,) = part(section(*rows), "adventure-multi-run").rows
    assert (row[4].text, row[4].sub, row[5].text, row[5].sub) == ("40.0", "± 20.0", "62.0", "± 4.4")


def test_repeats_of_cradle_have_published_values_by_grounder():
    cells = ("a-grounded", "b")
    rows = [episode(c, "c06", p, repeat=n) for c in cells for n, p in enumerate((0.2, 0.4))]
    made = section(*rows, agents=dict.fromkeys(cells, "cradle"))
    assert [(r[5].text, r[5].sub) for r in part(made, "adventure-multi-run").rows] == [
        ("16.2", "± 2.0"), ("32.6", "± 4.4")
    ]  # fmt: skip
    by_game = part(made, "adventure-multi-run-games").rows
    assert [(r[3].text, r[7].text, r[7].sub) for r in by_game] == [
        ("Camping Room Escape", "3.7", "± 6.4"), ("Camping Room Escape", "7.4", "± 12.8")
    ]  # fmt: skip


def test_gaps_by_game_and_figure_of_every_episode():
    def clues(seen: int, used: int, gap: float | None) -> dict[str, Any]:
        return {"metrics.clues.seen": seen, "metrics.clues.used": used, "metrics.clues.gap": gap}

    made = section(
        episode("a", "c01", 1, **clues(4, 3, 150)), episode("a", "c05", 1, **clues(2, 2, 10)),
        episode("b", "c01", 0, **clues(4, 0, None)),
    )  # fmt: skip
    table, figure = (next(p for p in made.parts if p.id == "clue-gaps" and isinstance(p, k)) for k in (Table, Figure))
    shown = texts(table)
    assert shown["a"] == ["6", "5", "83.3", "80.0", "2"] and shown["b"] == ["4", "0", "0.0", "–", "0"]
    assert shown["people (published)"][3:] == ["251.1", "7"]
    assert figure.lines == [["a", "c01", 150.0], ["a", "c05", 10.0]]
    assert figure.plot.layout.shapes[0].y0 == pytest.approx(109) and not figure.plot.data[1].x
    assert not [p for p in section(episode("a", "c01", 1)).parts if p.id == "clue-gaps"]


def test_diversity_compares_steps_on_the_same_games():
    rows = [
        episode(c, g, 1, n)
        for g, counts in (("c01", (100, 300)), ("c05", (50, 40)))
        for c, n in zip("ab", counts, strict=True)
    ]
    shown = texts(part(section(*rows), "adventure-diversity"))
    assert shown["a"] == ["1.50", "74.2", "-100", "+5"] and shown["b"][2:] == ["+100", "-5"]
    assert not [p for p in section(episode("a", "c01", 1)).parts if p.id == "adventure-diversity"]


def test_failure_codes_by_name_or_number():
    keys = ["a-c01-0", "a-c05-0", "a-c06-0"]
    labels = read_annotations("key,code\na-c01,2\na-c01,lateral thinking\na-c05,planning\na-c06,\n", keys)
    made = section(*(episode("a", g, 0) for g in ("c01", "c05", "c06")), labels=labels)
    assert texts(part(made, "adventure-codes"))["a"] == ["2", "1", "1", "1", "0"]


def test_prior_knowledge_by_model():
    def known(game: str, right: int, level: Level = "solution", published: bool = True, asked: int = 5) -> ProbeResult:
        return ProbeResult("probe-m", "m", game, level, published, right, asked)

    found = [known("c01", 4), known("c06", 5), known("c06", 1, published=False),
             known("c01", 0, published=False, asked=15),
             known("c01", 1, "conclusion", asked=1), known("c01", 1, "behavior", asked=2)]  # fmt: skip
    table = known_table(found, PRINTED)
    assert table is not None
    shown = texts(table)
    assert shown["m"][:2] == ["90.0", "5.0"] and float(shown["m"][2]) < 0.001 and shown["m"][3:] == ["100.0", "50.0"]
    assert shown["GPT-4o (published)"] == ["30.0", "–", "–", "10.0", "71.4"]
    assert [shown["Claude-3.7 (published)"][n] for n in (0, 3, 4)] == ["0.0", "0.0", "57.1"]
    assert not [p for p in section(episode("a", "c01", 1)).parts if p.id.startswith("adventure-known")]


def test_no_adventure_section_without_adventures():
    assert adventure_section(make_results(pl.DataFrame([episode("a", "01", 1)]))) is None


def test_judges_have_the_published_judge():
    truth = {k: Verdict(frozenset("abc"[:n]), n / 3) for k, n in (("w", 0), ("x", 1), ("y", 2), ("z", 3))}
    judged = {**truth, "z": Verdict(frozenset("ab"), 2 / 3)}
    by = JudgeAgreement("milestones", "milestones", "m", "state", compare_verdicts(truth, judged))
    frame = pl.DataFrame([episode("a", "c01", 1)])
    scripted = JudgeAgreement("milestones", "milestones", "scripted", "state", by.agreement)
    made = failure_section(make_results(frame, judges=JudgeResults([by, scripted])))
    assert made is not None and failure_section(make_results(frame)) is None
    table, confusion = made.parts
    assert isinstance(table, Table) and isinstance(confusion, Table)
    assert [td.text for td in table.rows[0][3:5]] == ["4", "75"]
    assert [td.text for td in table.unranked[0][3:5]] == ["300", "94.0"]
    assert [row[1].sub for row in table.rows] == ["", BY_RULE], "a rule that agrees with itself is no result"
    wrong = [(row[2].text, row[3].text) for row in confusion.rows if row[3].mark]
    assert wrong == [("1", "0.667")] * 2
    labels = failure_section(
        make_results(frame, judges=JudgeResults([JudgeAgreement("failure", "deadlocks", "m", "rules", by.agreement)]))
    )
    assert labels is not None and isinstance(labels.parts[0], Table)
    (pokegym,) = labels.parts[0].unranked
    assert [td.text for td in pokegym[1:7]] == ["GPT-5.2", "people", "100", "–", "0.7368", "0.6425"]


@pytest.mark.slow
@pytest.mark.whole
def test_ablation_smoke_run_is_judged_and_reported(tmp_path):
    def called(*words: str) -> str:
        done = subprocess.run([sys.executable, *words], cwd=CONF.parent, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    run, games = str(tmp_path / "run"), "game=[c05_flea-market,c12_small-throne]"
    called("launch.py", "experiment=flashadventure/ablation", "smoke=true", games, f"run_dir={run}", "executor=inline")
    output = called("-m", "gwray", "judge", run, "--judge", "milestones", "judge.model=scripted")
    assert "skipped 3 episodes of tasks without milestones" in output and "state: 0.333 judged as 0.333: 1" in output
    called("-m", "gwray", "report", run, "-o", str(tmp_path / "site"), "--episodes", "none")
    tables = {f.stem: f.read_text() for f in (tmp_path / "site/tables").glob("*.csv")}
    assert {"adventures", "adventure-genres", "adventure-ablation", "clue-gaps", "judges-table"} <= {*tables}
    assert "milestones,scripted,state,3.0,100.0" in tables["judges-table"]
    assert "SR %" in (tmp_path / "site/index.html").read_text()
