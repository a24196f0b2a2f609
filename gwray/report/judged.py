"""What judges said of these runs, and how far they agree with what is known."""

from __future__ import annotations

from gwray.analysis import published
from gwray.report.content import Section
from gwray.report.published_columns import published_cell
from gwray.report.results import Results
from gwray.tables import NO_VALUE, Column, Table, TableCell, number_cell, text_cell


def judge_section(s: Results) -> Section | None:
    """None where nobody has judged, or nothing is known to hold it against."""
    if not s.judges.judged:
        return None
    columns = (
        Column("judge", numeric=False),
        Column("model", numeric=False),
        Column("held against", numeric=False, hint="annotations.csv, the recorded states, or labels by rule"),
        Column("episodes"),
        Column("exact %", hint="share of episodes with the same labels, all of them"),
        Column("Micro-F1"),
        Column("Jaccard"),
        Column("Spearman"),
        Column("Pearson"),
    )
    rows = tuple(
        (
            text_cell(j.judge),
            text_cell(j.model),
            text_cell(j.truth),
            number_cell(float(j.agreement.episodes), 0),
            number_cell(j.agreement.exact, scale=100),
            number_cell(j.agreement.micro_f1, 3),
            number_cell(j.agreement.jaccard, 3),
            number_cell(j.agreement.spearman, 4),
            number_cell(j.agreement.pearson, 4),
        )
        for j in s.judges.judged
    )
    note = "Spearman and Pearson are of scores, from three different ones on. Judging changes no result."
    kinds = {j.kind for j in s.judges.judged}
    printed = (*(_printed() if "milestones" in kinds else ()), *(_printed_labels() if "labels" in kinds else ()))
    table = Table("judges-table", "Judges against what is known", columns, rows, note, printed)
    return Section("judges", "Judges", "", (table, *_taken_for(s)))


def _printed() -> tuple[tuple[TableCell, ...], ...]:
    m = {r["measure"]: r for r in published("flashadventure_measures").to_dicts()}
    exact = m["judge_exact"]
    return (
        (
            text_cell("judge of FlashAdventure (published)"),
            text_cell("Claude-3.7 CU"),
            text_cell("people"),
            published_cell(exact["n"], 0),
            published_cell(100 * exact["value"]),
            NO_VALUE,
            NO_VALUE,
            published_cell(m["judge_spearman"]["value"], 4),
            published_cell(m["judge_pearson"]["value"], 4),
        ),
    )


def _printed_labels() -> tuple[tuple[TableCell, ...], ...]:
    (m,) = published("pokegym_judge").to_dicts()
    return (
        (
            text_cell("failure judge of PokeGym (published)"),
            text_cell(m["model"]),
            text_cell("people"),
            published_cell(m["episodes"], 0),
            NO_VALUE,
            published_cell(m["micro_f1"], 4),
            published_cell(m["jaccard"], 4),
            NO_VALUE,
            NO_VALUE,
        ),
    )


def _taken_for(s: Results) -> list[Table]:
    """Who was taken for whom."""
    columns = (
        Column("judge", numeric=False),
        Column("held against", numeric=False),
        Column("it was", numeric=False),
        Column("judged as", numeric=False),
        Column("episodes"),
    )
    rows = [
        (
            text_cell(j.judge),
            text_cell(j.truth),
            text_cell(truth),
            text_cell(judged, mark="" if truth == judged else "warn"),
            number_cell(float(n), 0),
        )
        for j in s.judges.judged
        if not j.truth.startswith("rules ")
        for (truth, judged), n in sorted(j.agreement.confusion.items(), key=_by_number)
    ]
    note = "Scores stand for milestones, as their share."
    return [Table("judges-confusion", "What was taken for what", columns, tuple(rows), note)] if rows else []


def _by_number(entry: tuple[tuple[str, str], int]) -> tuple[tuple[float, str], ...]:
    return tuple((_value(word), word) for word in entry[0])


def _value(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return 0.0
