"""Failure causes in the report, from a run directory with and without annotations."""

from runs_to_report import rows_of, sweep, write_run

from gwray.report import build_report


def test_causes_have_counts_and_sources(tmp_path):
    run = write_run(tmp_path / "run", sweep({"a": 0.3}, n_games=4, tasks_per_game=1), replays=4, invalid_every=3)
    page = build_report([run], tmp_path / "site").read_text()
    assert 'data-paper="Section 4.5.4"' in page and "Where both decided" not in page
    (row,) = rows_of(tmp_path / "site", "causes-table")
    assert (row["missed their target"], row["instruction following"], row["perception"]) == ("4.0", "4", "not judged")
    assert row["undecided"] == "0"
    first, second = sorted(r.key for r in run.results())[:2]
    lines = f"key,cause\n{first},perception\n{second},instruction following\n{second},perception\n"
    (tmp_path / "run/annotations.csv").write_text(lines)
    page = build_report([run], tmp_path / "site").read_text()
    (row,) = rows_of(tmp_path / "site", "causes-table")
    assert (row["perception"], row["instruction following"]) == ("2", "3") and "2 annotated" in page
    assert "Where both decided, they name the same causes in 0 of 2 episodes." in page
