"""What judges said of these runs, and how far they agree with what is known."""

from __future__ import annotations

from gwray.analysis import published
from gwray.report.beside import printed_number
from gwray.report.content import NOTHING, Column, Section, Table, Td, name, number
from gwray.report.study import Study


def judge_section(s: Study) -> Section | None:
    """None where nobody has judged, or nothing is known to hold it against."""
    if not s.judged:
        return None
    columns = (
        Column("judge", numeric=False), Column("model", numeric=False),
        Column("held against", numeric=False, hint="annotations.csv, the recorded states, or labels by rule"),
        Column("episodes"), Column("exact %", hint="share of episodes with the same labels, all of them"),
        Column("Micro-F1"), Column("Jaccard"), Column("Spearman"), Column("Pearson"),
    )  # fmt: skip
    rows = tuple(
        (
            name(j.judge), name(j.model), name(j.truth), number(float(j.agreement.episodes), 0),
            number(j.agreement.exact, scale=100), number(j.agreement.micro_f1, 3), number(j.agreement.jaccard, 3),
            number(j.agreement.spearman, 4), number(j.agreement.pearson, 4),
        )
        for j in s.judged
    )  # fmt: skip
    note = "Spearman and Pearson are of scores, from three different ones on. Judging changes no result."
    kinds = {j.kind for j in s.judged}
    printed = (*(_printed() if "milestones" in kinds else ()), *(_printed_labels() if "labels" in kinds else ()))
    table = Table("judges-table", "Judges against what is known", columns, rows, note, printed)
    return Section("judges", "Judges", "", (table, *_taken_for(s)))


def _printed() -> tuple[tuple[Td, ...], ...]:
    m = {r["measure"]: r for r in published("flashadventure_measures").to_dicts()}
    exact = m["judge_exact"]
    return (
        (
            name("judge of FlashAdventure (published)"), name("Claude-3.7 CU"), name("people"),
            printed_number(exact["n"], 0), printed_number(100 * exact["value"]), NOTHING, NOTHING,
            printed_number(m["judge_spearman"]["value"], 4), printed_number(m["judge_pearson"]["value"], 4),
        ),
    )  # fmt: skip


def _printed_labels() -> tuple[tuple[Td, ...], ...]:
    (m,) = published("pokegym_judge").to_dicts()
    return (
        (
            name("failure judge of PokeGym (published)"), name(m["model"]), name("people"),
            printed_number(m["episodes"], 0), NOTHING, printed_number(m["micro_f1"], 4),
            printed_number(m["jaccard"], 4), NOTHING, NOTHING,
        ),
    )  # fmt: skip


def _taken_for(s: Study) -> list[Table]:
    """Who was taken for whom."""
    columns = (Column("judge", numeric=False), Column("held against", numeric=False), Column("it was", numeric=False),
               Column("judged as", numeric=False), Column("episodes"))  # fmt: skip
    rows = [
        (name(j.judge), name(j.truth), name(truth), name(judged, mark="" if truth == judged else "warn"),
         number(float(n), 0))
        for j in s.judged if not j.truth.startswith("rules ")
        for (truth, judged), n in sorted(j.agreement.confusion.items(), key=_by_number)
    ]  # fmt: skip
    note = "Scores stand for milestones, as their share."
    return [Table("judges-confusion", "What was taken for what", columns, tuple(rows), note)] if rows else []


def _by_number(entry: tuple[tuple[str, str], int]) -> tuple[tuple[float, str], ...]:
    return tuple((_value(word), word) for word in entry[0])


def _value(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return 0.0
