"""The section about failures: labels from recorded facts, causes, the labels of judges, and how far sources agree."""

from collections.abc import Mapping, Sequence

import polars as pl

from gwray.analysis import (
    CAUSE_OF_FACT,
    CAUSES,
    PEOPLE,
    RULES,
    JudgeAgreement,
    LabelSet,
    causes_by_rule,
    compare_verdicts,
    find_labels,
    scored,
)
from gwray.pages import Column, Table, TableCell, counted, number_cell, percent_cell, text_cell
from gwray.places import Registry
from gwray.report.content import Section
from gwray.report.published_columns import published_cell
from gwray.report.results import Results

PUBLISHED_AGREEMENTS = Registry("published agreement of judges", {}, "gwray.published_agreements")
"""Functions without arguments that return a published `JudgeAgreement`, to show below ours of the same kind."""
UNLABELLED = "none_of_these"


def failure_section(s: Results) -> Section | None:
    """Returns None where no episode failed and no judge was compared with anything."""
    facts = find_labels(s.labels, "facts", RULES)
    missed = scored(s.frame).filter(~pl.col("success"))
    keys = {c: missed.filter(pl.col("cell") == c)["key"].to_list() for c in s.order}
    read = {c: found for c in s.order if (found := [k for k in keys[c] if k in facts.labels])}
    models = {c: keys for c, keys in read.items() if not s.cell(c).free}
    parts = [_causes(s, facts, models)] if models else []
    parts += [_facts(s, facts, keys, read)] if read else []
    parts += _judges(s)
    return Section("failures", "What went wrong", "", tuple(parts)) if parts else None


def _facts(
    s: Results, facts: LabelSet, missed: Mapping[str, Sequence[str]], read: Mapping[str, Sequence[str]]
) -> Table:
    """Returns a table of the labels that recorded facts show, with links to the first step of each."""
    rows = []
    played = dict(scored(s.frame).group_by("cell").len().iter_rows())
    for c, keys in read.items():
        counts = facts.count(keys)
        partly = f"{len(keys):,} of them read" if len(keys) < len(missed[c]) else f"of {played[c]:,} episodes"
        row = [text_cell(s.name(c)), number_cell(float(len(missed[c])), 0, sub=partly)]
        for label, n in counts.items():
            key = next((k for k in keys if k in s.replays and (label or None) in (facts.labels[k] or (None,))), None)
            href = f"{s.replays[key]}#step={(facts.labels[key].get(label) or 0) + 1}" if key else ""
            row.append(TableCell(f"{n:,}", float(n), href=href))
        rows.append(tuple(row))
    columns = (
        Column("cell", numeric=False), Column("missed their target"),
        *(Column(label.replace("_", " "), hint=text) for label, text in facts.vocabulary.items()),
        Column(UNLABELLED.replace("_", " "), hint="ran out of steps, or ended, without any of these"),
    )  # fmt: skip
    note = "Counts with a link lead to a replay, at the step where it first shows. Labels are not exclusive."
    return Table("failures-table", "Missed targets by what was recorded", columns, tuple(rows), note)


def _causes(s: Results, facts: LabelSet, read: Mapping[str, Sequence[str]]) -> Table:
    """Returns the four causes of the GameWorld paper by cell, and how far rules and people agree."""
    rules, people = causes_by_rule(facts), find_labels(s.labels, "cause", PEOPLE)
    decided = LabelSet("cause", "", {**{key: {} for key in facts.labels}, **rules.labels, **people.labels}, CAUSES)
    unjudged = set() if people.labels else CAUSES.keys() - {*CAUSE_OF_FACT.values()}
    rows = []
    for c, keys in read.items():
        counts, annotated = decided.count(keys), people.count(keys)
        row = [text_cell(s.name(c)), number_cell(float(len(keys)), 0)]
        for cause, n in counts.items():
            sub = f"{100 * n / len(keys):.0f} %" if n else ""
            sub += f", {annotated[cause]:,} annotated" if annotated[cause] else ""
            known = TableCell(f"{n:,}", float(n), sub, mark="" if cause and n else "dim")
            row.append(TableCell("not judged", mark="dim") if cause in unjudged else known)
        rows.append(tuple(row))
    columns = (
        Column("cell", numeric=False), Column("missed their target", hint="of the episodes that were read"),
        *(Column(_words(c), hint=text) for c, text in CAUSES.items()),
        Column("undecided", hint="no rule applies and there is no annotation"),
    )  # fmt: skip
    note = (
        "Rules over recorded facts decide three of the causes. Perception needs an annotation: an annotations.csv in "
        "the run directory (columns key, cause), which overrides the rules. An episode may have several causes."
    )
    if (both := compare_verdicts(rules.verdicts(), people.verdicts())).exact is not None:
        same = round(both.exact * both.episodes)
        note += f" Where both decided, they name the same causes in {same:,} of {counted(both.episodes, 'episode')}."
    title = "Why targets were missed: four causes"
    return Table("causes-table", title, columns, tuple(rows), note, paper="Section 4.5.4")


def _words(cause: str) -> str:
    """Returns a cause as the paper writes it."""
    written = {"fine_grained_action": "fine-grained action", "long_horizon_memory": "long-horizon memory"}
    return written.get(cause, cause.replace("_", " "))


BY_RULE = "answers from the recorded states: agrees with them and with rules by construction"
"""Shown with the scripted judge, whose agreement says nothing about judges that are models."""


def _judges(s: Results) -> list[Table]:
    """Returns tables of how far judges agree with annotations, recorded states and rules, and what they confuse."""
    columns = (
        Column("judge", numeric=False), Column("model", numeric=False),
        Column("compared with", numeric=False, hint="annotations.csv, the recorded states, or labels by rule"),
        Column("episodes"), Column("exact %", hint="episodes with exactly the same labels, with the 95 % interval"),
        Column("Micro-F1"), Column("Jaccard"), Column("Spearman"), Column("Pearson"),
    )  # fmt: skip
    rows = tuple(
        (
            text_cell(j.judge), text_cell(j.model, sub=BY_RULE if j.model == "scripted" else ""),
            text_cell(j.reference),
            number_cell(float(j.agreement.episodes), 0), percent_cell(j.agreement.exact_interval),
            number_cell(j.agreement.micro_f1, 2), number_cell(j.agreement.jaccard, 2),
            number_cell(j.agreement.spearman, 2), number_cell(j.agreement.pearson, 2),
        )
        for j in s.judges.judged
    )  # fmt: skip
    if not rows:
        return []
    kinds = {j.kind for j in s.judges.judged}
    printed = tuple(_published_row(j) for j in _published_agreements() if j.kind in kinds)
    note = "Spearman and Pearson compare scores and need at least three different ones. Judging changes no result."
    table = Table("judges-table", "Agreement of judges", columns, rows, note, printed)
    confusion = tuple(
        (
            text_cell(j.judge), text_cell(j.reference), text_cell(reference),
            text_cell(judged, mark="" if reference == judged else "warn"), number_cell(float(n), 0),
        )
        for j in s.judges.judged if not j.reference.startswith("rules ")
        for (reference, judged), n in sorted(j.agreement.confusion.items(), key=_sort_key)
    )  # fmt: skip
    columns = (
        Column("judge", numeric=False), Column("compared with", numeric=False), Column("reference", numeric=False),
        Column("judged as", numeric=False), Column("episodes"),
    )  # fmt: skip
    note = "Scores are shares of milestones, or of the target score."
    confused = Table("judges-confusion", "What judges confuse", columns, confusion, note)
    return [table, *_judges_by_game(s), *([confused] if confusion else [])]


def _judges_by_game(s: Results) -> list[Table]:
    """Returns a table of the accuracy of judges that play on, by game, with the published games below."""
    playing = [j for j in s.judges.judged if j.kind in ("milestones", "score")]
    rows = [
        (text_cell(j.judge), text_cell(j.model), text_cell(j.reference), text_cell(game), *_right_of(right, n))
        for j in playing for game, (right, n) in j.agreement.by_game.items()
    ]  # fmt: skip
    if not rows:
        return []
    columns = (
        Column("judge", numeric=False), Column("model", numeric=False), Column("compared with", numeric=False),
        Column("game", numeric=False), Column("right"), Column("accuracy %"),
    )  # fmt: skip
    printed = tuple(
        (text_cell(j.judge), text_cell(j.model), text_cell(j.reference), text_cell(game), *_right_of(right, n))
        for j in _published_agreements() for game, (right, n) in j.agreement.by_game.items()
    )  # fmt: skip
    note = "Right: exactly the recorded milestones, or the recorded score within the task's tolerance."
    return [Table("judges-games", "Accuracy of judges by game", columns, tuple(rows), note, printed, paper="Table 12")]


def _right_of(right: int, n: int) -> tuple[TableCell, TableCell]:
    return TableCell(f"{right} / {n}", float(right), raw=right), number_cell(right / n, scale=100)


def _published_agreements() -> list[JudgeAgreement]:
    return [PUBLISHED_AGREEMENTS.get(name)() for name in PUBLISHED_AGREEMENTS.names()]


def _published_row(j: JudgeAgreement) -> tuple[TableCell, ...]:
    a = j.agreement
    return (
        text_cell(j.judge), text_cell(j.model), text_cell(j.reference), published_cell(a.episodes, 0),
        published_cell(None if a.exact is None else 100 * a.exact),
        *(published_cell(x, 4) for x in (a.micro_f1, a.jaccard, a.spearman, a.pearson)),
    )  # fmt: skip


def _sort_key(entry: tuple[tuple[str, str], int]) -> tuple[tuple[float, str], ...]:
    return tuple((_number(word), word) for word in entry[0])


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return 0.0
