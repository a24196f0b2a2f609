"""The section about failures: labels from recorded facts, causes, the labels of judges, and how far sources agree."""

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from gwray.analysis import (
    CAUSE_OF_FACT,
    CAUSES,
    PEOPLE,
    RULES,
    VOCABULARIES,
    Agreement,
    LabelSet,
    causes_by_rule,
    compare_verdicts,
    find_labels,
    published,
    scored,
)
from gwray.report.content import Section
from gwray.report.published_columns import published_cell
from gwray.report.results import Results
from gwray.tables import NO_VALUE, Column, Table, TableCell, number_cell, text_cell

UNLABELLED = "none_of_these"


def failure_section(s: Results) -> Section | None:
    """Returns None where no episode failed and no judge was compared with anything."""
    facts = find_labels(s.labels, "facts", RULES)
    missed = scored(s.frame).filter(~pl.col("success"))
    keys = {c: missed.filter(pl.col("cell") == c)["key"].to_list() for c in s.order}
    read = {c: found for c in s.order if (found := [k for k in keys[c] if k in facts.labels])}
    parts = [*_causes(s, facts, read), *_facts(s, facts, keys, read)] if read else []
    parts += _judges(s)
    return Section("failures", "What went wrong", "", tuple(parts)) if parts else None


def _facts(
    s: Results, facts: LabelSet, missed: Mapping[str, Sequence[str]], read: Mapping[str, Sequence[str]]
) -> list[Table]:
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
            row.append(TableCell(f"{n:,}", float(n), f"{100 * n / len(keys):.0f} %" if n else "", href=href))
        rows.append(tuple(row))
    columns = (
        Column("cell", numeric=False), Column("missed their target"),
        *(Column(label.replace("_", " "), hint=text) for label, text in facts.vocabulary.items()),
        Column(UNLABELLED.replace("_", " "), hint="ran out of steps, or ended, without any of these"),
    )  # fmt: skip
    note = "Counts with a link lead to a replay, at the step where it first shows. Labels are not exclusive."
    return [Table("failures-table", "Unsuccessful episodes by what was recorded", columns, tuple(rows), note)]


def _causes(s: Results, facts: LabelSet, read: Mapping[str, Sequence[str]]) -> list[Table]:
    """Returns tables of the four causes of the GameWorld paper, who decided them, and how far rules and
    people agree."""
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
        Column("cell", numeric=False), Column("unsuccessful", hint="episodes that missed their target and were read"),
        *(Column(_words(c), hint=text) for c, text in CAUSES.items()),
        Column("undecided", hint="no rule applies and there is no annotation"),
    )  # fmt: skip
    note = (
        "Rules over recorded facts decide three of the causes. Perception needs an annotation: an annotations.csv in "
        "the run directory (columns key, cause), which overrides the rules. An episode may have several causes."
    )
    table = Table("causes-table", "Why they failed: four causes", columns, tuple(rows), note, paper="Section 4.5.4")
    agreement = compare_verdicts(
        rules.verdicts(), people.verdicts(), [c for c in CAUSES if c in CAUSE_OF_FACT.values()]
    )
    more = [_rule_agreement(agreement)] if agreement.episodes else []
    return [table, *more]


def _rule_agreement(found: Agreement) -> Table:
    columns = (
        Column("cause", numeric=False), Column("episodes", hint="in which rules and annotations both decided"),
        Column("agreed"), Column("rules only"), Column("annotation only"),
        Column("Cohen's kappa", hint="1: they always agree; 0: as often as by chance"),
    )  # fmt: skip
    rows = tuple(
        (
            text_cell(_words(a.label)), number_cell(float(a.episodes), 0),
            number_cell(float(a.agreed), 0, sub=f"{100 * a.agreed / a.episodes:.0f} %"),
            number_cell(float(a.first_only), 0), number_cell(float(a.second_only), 0), number_cell(a.kappa, 2),
        )
        for a in found.by_label
    )  # fmt: skip
    return Table("agreement-table", "Rules against annotations", columns, rows)


def _words(cause: str) -> str:
    """Returns a cause as the paper writes it."""
    written = {"fine_grained_action": "fine-grained action", "long_horizon_memory": "long-horizon memory"}
    return written.get(cause, cause.replace("_", " "))


def judge_label_tables(frame: pl.DataFrame, cells: Mapping[str, str], labels: Iterable[LabelSet]) -> list[Table]:
    """Returns a table for each judge: the shares of its labels, and of people's in its place, among the failures.

    Args:
        frame: Episodes.
        cells: Cell id → name, in the order of the rows.
        labels: Label sets; those that are not a judge's are ignored.
    """
    sources: dict[str, dict[str, None]] = {}
    for given in (x for x in labels if x.source not in VOCABULARIES):
        sources.setdefault(given.source, {})[given.by] = None
    missed = frame.filter((pl.col("status") == "finished") & ~pl.col("success"))
    failures = {c: missed.filter(pl.col("cell") == c)["key"].to_list() for c in cells}
    tables = []
    for judge, by in sources.items():
        given = [find_labels(labels, judge, x) for x in by]
        rows = [
            (text_cell(cells[c]), text_cell(one.by), *_shares(one, keys))
            for c, keys in failures.items() for one in given if not one.labels.keys().isdisjoint(keys)
        ]  # fmt: skip
        columns = (
            Column("player", numeric=False),
            Column("by", numeric=False, hint="the model that judged; people: annotations.csv"),
            *(Column(f"{label.replace('_', ' ')} %") for one in given[:1] for label in one.vocabulary),
            Column("none of these %", hint="no label was given, or the answer could not be read"),
            Column("judged", hint="failures that were judged, of all"),
        )
        note = (
            "Shares of the failures that were judged; one may have several labels. The paper's own shares are not "
            "among the bundled tables; how far its judge agreed with people is in the table of judges."
        )
        title = f"Why episodes failed (judge “{judge}”)"
        tables += [Table(f"town-{judge}", title, columns, tuple(rows), note)] if rows else []
    return tables


def _shares(given: LabelSet, keys: Sequence[str]) -> tuple[TableCell, ...]:
    n = sum(k in given.labels for k in keys)
    judged = TableCell(f"{n} / {len(keys)}", float(n), mark="" if n == len(keys) else "warn", raw=n)
    return (*(number_cell(count / n, scale=100) for count in given.count(keys).values()), judged)


BY_RULE = "answers from the recorded states: agrees with them and with rules by construction"
"""Shown with the scripted judge, whose agreement says nothing about judges that are models."""


def _judges(s: Results) -> list[Table]:
    """Returns tables of how far judges agree with annotations, recorded states and rules, and what they confuse."""
    columns = (
        Column("judge", numeric=False), Column("model", numeric=False),
        Column("compared with", numeric=False, hint="annotations.csv, the recorded states, or labels by rule"),
        Column("episodes"), Column("exact %", hint="share of episodes with exactly the same labels"),
        Column("Micro-F1"), Column("Jaccard"), Column("Spearman"), Column("Pearson"),
    )  # fmt: skip
    rows = tuple(
        (
            text_cell(j.judge), text_cell(j.model, sub=BY_RULE if j.model == "scripted" else ""),
            text_cell(j.reference),
            number_cell(float(j.agreement.episodes), 0), number_cell(j.agreement.exact, scale=100),
            number_cell(j.agreement.micro_f1, 3), number_cell(j.agreement.jaccard, 3),
            number_cell(j.agreement.spearman, 4), number_cell(j.agreement.pearson, 4),
        )
        for j in s.judges.judged
    )  # fmt: skip
    if not rows:
        return []
    kinds = {j.kind for j in s.judges.judged}
    printed = tuple(row() for kind, row in _PUBLISHED.items() if kind in kinds)
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
        (text_cell("judge of FlashAdventure (published)"), text_cell("Claude-3.7 CU"), text_cell("people"),
         text_cell(r["game"]), *_right_of(r["right"], r["judged"]))
        for r in published("flashadventure_judge").to_dicts()
    )  # fmt: skip
    note = "Right: exactly the recorded milestones, or the recorded score within the task's tolerance."
    return [Table("judges-games", "Accuracy of judges by game", columns, tuple(rows), note, printed, paper="Table 12")]


def _right_of(right: int, n: int) -> tuple[TableCell, TableCell]:
    return TableCell(f"{right} / {n}", float(right), raw=right), number_cell(right / n, scale=100)


def _published_milestones() -> tuple[TableCell, ...]:
    m = {r["measure"]: r for r in published("flashadventure_measures").to_dicts()}
    exact = m["judge_exact"]
    return (
        text_cell("judge of FlashAdventure (published)"), text_cell("Claude-3.7 CU"), text_cell("people"),
        published_cell(exact["n"], 0), published_cell(100 * exact["value"]), NO_VALUE, NO_VALUE,
        published_cell(m["judge_spearman"]["value"], 4), published_cell(m["judge_pearson"]["value"], 4),
    )  # fmt: skip


def _published_labels() -> tuple[TableCell, ...]:
    (m,) = published("pokegym_judge").to_dicts()
    return (
        text_cell("failure judge of PokeGym (published)"), text_cell(m["model"]), text_cell("people"),
        published_cell(m["episodes"], 0), NO_VALUE, published_cell(m["micro_f1"], 4), published_cell(m["jaccard"], 4),
        NO_VALUE, NO_VALUE,
    )  # fmt: skip


_PUBLISHED = {"milestones": _published_milestones, "labels": _published_labels}
"""Kind of judge → the published row to compare with."""


def _sort_key(entry: tuple[tuple[str, str], int]) -> tuple[tuple[float, str], ...]:
    return tuple((_number(word), word) for word in entry[0])


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return 0.0
