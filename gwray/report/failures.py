"""What went wrong: the labels that recorded facts give, and the paper's four causes with who decided them."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from gwray.analysis import CAUSES, LABELS, agreement, causes_of, count_causes, count_labels, scored
from gwray.report import figures
from gwray.report.content import Figure, Section
from gwray.report.results import Results
from gwray.tables import Column, Table, TableCell, number_cell, text_cell

UNLABELLED = "none_of_these"


def failure_section(s: Results) -> Section | None:
    if not s.diagnoses:
        return None
    rows, shares = [], []
    for c in s.order:
        episodes = scored(s.frame.filter(pl.col("cell") == c))
        keys, missed = episodes["key"].to_list(), episodes.filter(~pl.col("success")).height
        lost = {k: s.diagnoses[k] for k in keys if k in s.diagnoses and not s.diagnoses[k].success}
        if not lost:
            continue
        labels = {k: d.labels or (UNLABELLED,) for k, d in lost.items()}
        n = count_labels(lost.values()) | {UNLABELLED: sum(x == (UNLABELLED,) for x in labels.values())}
        shares.append((s.name(c), n, len(lost)))
        partly = f"{len(lost):,} of them read" if len(lost) < missed else f"of {len(keys):,} episodes"
        row = [text_cell(s.name(c)), number_cell(float(missed), 0, sub=partly)]
        for label, n_label in n.items():
            key = next((k for k, x in labels.items() if label in x and k in s.replays), None)
            href = f"{s.replays[key]}#step={lost[key].at.get(label, 0) + 1}" if key else ""
            share = f"{100 * n_label / len(lost):.0f} %" if n_label else ""
            row.append(TableCell(f"{n_label:,}", float(n_label), share, href=href))
        rows.append(tuple(row))
    if not rows:
        return None
    columns = (
        Column("cell", numeric=False), Column("missed their target"),
        *(Column(label.replace("_", " "), hint=text) for label, text in LABELS.items()),
        Column(UNLABELLED.replace("_", " "), hint="ran out of steps, or ended, without any of these"),
    )  # fmt: skip
    note = "Numbers with a link lead to a replay, at the step where it first shows. Labels are not exclusive."
    figure = figures.failure_map("failures", "What went wrong", shares)
    table = Table("failures-table", "Unsuccessful episodes by what was recorded", columns, tuple(rows), note)
    return Section("failures", "What went wrong", "", (*_causes(s), table, *((figure,) if figure else ())))


def _causes(s: Results) -> list[Table | Figure]:
    """The four causes of the paper, with who decided them, and how far rules and people agree."""
    causes = causes_of(s.diagnoses, s.annotations)
    rows, shares = [], []
    for c in s.order:
        keys = scored(s.frame.filter(pl.col("cell") == c))["key"]
        mine = [causes[k] for k in keys if k in causes]
        if not mine:
            continue
        n = count_causes(mine)
        seen = count_causes(x for x in mine if x.source == "annotation")
        shares.append((s.name(c), n, len(mine)))
        row = [text_cell(s.name(c)), number_cell(float(len(mine)), 0)]
        for cause, count_of in n.items():
            sub = f"{100 * count_of / len(mine):.0f} %" if count_of else ""
            sub += f", {seen[cause]:,} annotated" if seen[cause] else ""
            mark = "dim" if cause == "undecided" or not count_of else ""
            row.append(TableCell(f"{count_of:,}", float(count_of), sub, mark=mark))
        rows.append(tuple(row))
    if not rows:
        return []
    columns = (
        Column("cell", numeric=False), Column("unsuccessful", hint="episodes that missed their target and were read"),
        *(Column(_words(c), hint=text) for c, text in CAUSES.items()),
        Column("undecided", hint="no rule applies and nobody has looked"),
    )  # fmt: skip
    note = (
        "Rules over recorded facts decide three of the causes; perception only somebody who looks, in an "
        "annotations.csv in the run directory (columns key, cause), which is believed over the rules. An episode may "
        "have several causes."
    )
    table = Table("causes-table", "Why they failed: four causes", columns, tuple(rows), note, paper="Section 4.5.4")
    figure = figures.failure_map("causes", "Why they failed: four causes", shares)
    return [table, *([replace(figure, paper="Section 4.5.4")] if figure else ()), *_agreement(s)]


def _agreement(s: Results) -> list[Table]:
    found = agreement(s.diagnoses, s.annotations)
    if not found:
        return []
    columns = (
        Column("cause", numeric=False), Column("episodes", hint="in which rules and annotations both decided"),
        Column("agreed"), Column("rules only"), Column("annotation only"),
        Column("Cohen's kappa", hint="1: they always agree; 0: as often as by chance"),
    )  # fmt: skip
    rows = tuple(
        (
            text_cell(_words(a.cause)), number_cell(float(a.episodes), 0),
            number_cell(float(a.agreed), 0, sub=f"{100 * a.agreed / a.episodes:.0f} %"),
            number_cell(float(a.rules_only), 0), number_cell(float(a.annotation_only), 0), number_cell(a.kappa, 2),
        )
        for a in found
    )  # fmt: skip
    return [Table("agreement-table", "Rules against annotations", columns, rows)]


def _words(cause: str) -> str:
    """As the paper writes it."""
    return {"fine_grained_action": "fine-grained action", "long_horizon_memory": "long-horizon memory"}.get(
        cause, cause.replace("_", " ")
    )
