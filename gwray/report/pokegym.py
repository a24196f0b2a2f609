"""The harbour town's study: success by category and text, what pictures, actions, pushes and reflection change, how
often players get stuck and whether that explains failing, and what an episode costs.

After PokeGym, whose printed values stand beside ours: other games and models. Shown where the town was played.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import polars as pl

from gwray.analysis import (
    CATEGORIES,
    STUDIES,
    TEXTS,
    TREE_STEPS,
    Arm,
    Averages,
    CategoryRate,
    Counts,
    Interval,
    PlannedTasks,
    action_choices,
    action_complexity,
    arms,
    averages,
    bounded_mean,
    category_rates,
    counts,
    published,
    quests,
    town_states,
)
from gwray.report.content import (
    COUNTS,
    NO_VALUE,
    Column,
    Section,
    Table,
    TableCell,
    counts_cell,
    money_cell,
    number_cell,
    percent_cell,
    text_cell,
)
from gwray.report.movement import PRINTED, PRINTED_TEXTS, behaviour_table, correlation_parts
from gwray.report.published_columns import published_cell
from gwray.report.results import Results
from gwray.report.why_failed import why_failed

PRINTED_AS = {
    "claude-sonnet-4.6": "Claude-Sonnet-4.6",
    "glm-4.6v": "GLM-4.6V",
    "gpt-5.2": "GPT-5.2",
    "gpt-5.4-mini": "GPT-5.4-mini",
    "qwen3-vl-30b-a3b": "Qwen3-VL-30B",
}
"""Our profiles of models that are printed, and their printed names."""
RANDOM_OVERALL = 2.22
"""Printed SR % of the random player."""
PRINTED_STATES = "67,320 – 870,840"

STUDY_TITLES = {
    "images": "How many pictures",
    "actions": "Moves or sticks, one or three a reply",
    "interventions": "A word or a push for who is stuck",
    "self_reflection": "With rules that are learned on the way",
}
ARM_WORDS = {
    "front": "front",
    "front+previous": "front and the one before",
    "front+left+right": "front and both sides",
    "front+previous+left+right": "all four",
    "none": "nothing",
    "tell": "told so",
    "back": "three steps back",
    "back_rotate": "two steps back, a turn",
    "direct": "without",
    "self_reflection": "with",
}
ACTION_WORDS = {"semantic": "moves", "parametric": "sticks"}

MEAN_OF_CATEGORIES = Column(
    "SR %, categories", hint="unweighted mean of the three categories: what the paper's tables average"
)
MEAN_OF_EPISODES = Column(
    "SR %, episodes",
    hint="every episode weighs the same, with a 95 % interval that respects quests: what the paper correlates with "
    "other benchmarks",
)


@dataclass(frozen=True)
class Town:
    """What of a study was played in the town."""

    study: Results
    frame: pl.DataFrame
    plan: PlannedTasks
    cells: tuple[str, ...]

    def of(self, cell: str, **where: str) -> pl.DataFrame:
        rows = self.frame.filter(pl.col("cell") == cell)
        return rows.filter(*(pl.col(k) == v for k, v in where.items()))

    def counts(self, cell: str, **where: str) -> Counts:
        return counts(self.frame, self.plan, cell, **where)

    def whole(self, n: Counts) -> bool:
        """Whether a figure over these episodes may be shown."""
        return n.finished > 0 and (n.complete or self.study.allow_incomplete)

    def rates(self, cell: str, **where: str) -> dict[str, CategoryRate]:
        """Category → rate; without those that lack planned episodes, unless that was asked for."""
        found = category_rates(self.of(cell, **where), "category").get(cell, {})
        return {x: r for x, r in found.items() if self.whole(self.counts(cell, category=x, **where))}

    def mean(self, cell: str, **where: str) -> Interval | None:
        """Success of all episodes, whatever their category. None where it is refused."""
        if not self.whole(self.counts(cell, **where)):
            return None
        done = self.of(cell, **where).filter(pl.col("status") == "finished")
        return bounded_mean(done["success"].cast(pl.Float64).to_list(), done["quest"].to_list())

    def shared(self, cells: Iterable[str]) -> Town:
        """Of the episodes those that all of these cells planned."""
        plan, same = self.plan.episodes, ["task", "seed", "repeat"]
        found = plan.select(same).unique()
        for cell in cells:
            found = found.join(plan.filter(pl.col("cell") == cell), on=same, how="semi", nulls_equal=True)
        frame, planned = (x.join(found, on=same, how="semi", nulls_equal=True) for x in (self.frame, plan))
        return replace(self, frame=frame, plan=replace(self.plan, episodes=planned))


def town_section(s: Results) -> Section | None:
    """All tables and figures for which there is data, without their empty columns; None where nobody played the
    town."""
    t = _town(s)
    if t is None:
        return None
    parts = (
        _by_category(t),
        _by_text(t),
        *(_arms_table(t, study) for study in STUDIES),
        behaviour_table(t.frame, _complete(t), s, PRINTED_AS),
        *correlation_parts(t.frame, _ranked(t)),
        *why_failed(t.frame, {c: s.name(c) for c in _complete(t)}, s.labelled),
        _cost(t),
        _complexity(t),
        _printed(),
    )
    intro = (
        "After PokeGym: ten quests in three texts each; four are about finding the way, three about using things, "
        f"three about both. What is marked “{PRINTED}” is the paper's (arXiv 2604.08340): it shows what was found "
        "there, and is no target."
    )
    return Section(
        "town",
        "The harbour town",
        intro,
        tuple(x.filled() if isinstance(x, Table) else x for x in parts if x is not None),
    )


def _town(s: Results) -> Town | None:
    frame = quests(s.frame)
    if not frame.height:
        return None
    episodes = quests(s.plan.episodes)
    there = set(episodes["cell"])
    cells = {c: replace(cell, planned=None) for c, cell in s.plan.cells.items() if c in there}
    return Town(s, frame, PlannedTasks(cells, episodes), tuple(c for c in s.order if c in there))


def _complete(t: Town) -> list[str]:
    return [c for c in t.cells if t.whole(t.counts(c))]


def _ranked(t: Town) -> list[str]:
    return [c for c in _complete(t) if t.plan.cells[c].ranked]


def _player(t: Town, c: str) -> TableCell:
    cell = t.study.plan.cells[c]
    return text_cell(cell.name, sub="" if cell.ranked else "sees the game's state, or is a person: not ranked")


def _rate_columns() -> list[Column]:
    columns = []
    for x in CATEGORIES.values():
        steps = f"{x}: mean environment steps of successful episodes"
        columns += [Column(f"{x} SR %"), Column(f"{x} Stp", hint=steps)]
    return [
        *columns,
        MEAN_OF_CATEGORIES,
        Column("Stp, categories", hint="unweighted mean of the categories'"),
        MEAN_OF_EPISODES,
    ]


def _rates(t: Town, c: str, **where: str) -> tuple[TableCell, ...]:
    """Under `_rate_columns`, and the counts."""
    found, n = t.rates(c, **where), t.counts(c, **where)
    tds: list[TableCell] = []
    for x in CATEGORIES.values():
        r = found.get(x)
        tds += [
            number_cell(r.rate, scale=100) if r else _refused(t.counts(c, category=x, **where)),
            number_cell(r and r.steps),
        ]
    both = _averages(found)
    tds += [
        number_cell(both and both.by_category, scale=100),
        number_cell(both and both.steps),
        percent_cell(t.mean(c, **where)),
    ]
    return (*tds, counts_cell(n))


def _averages(found: Mapping[str, CategoryRate]) -> Averages | None:
    """None unless all three categories are there: a mean of fewer is another thing."""
    return averages(found) if len(found) == len(CATEGORIES) else None


def _refused(n: Counts) -> TableCell:
    return replace(NO_VALUE, mark="refused", sub=f"{n.finished} / {n.planned}") if n.planned else NO_VALUE


def _table(t: Town, id: str, title: str, columns: Sequence[Column], row: Any, note: str = "") -> Table:
    ranked = [c for c in t.cells if t.plan.cells[c].ranked]
    apart = tuple(row(c) for c in t.cells if c not in ranked)
    return Table(id, title, tuple(columns), tuple(map(row, ranked)), note, apart, tuple(map(t.study.block, ranked)))


def _by_category(t: Town) -> Table:
    printed = published("pokegym_success").group_by("model").agg(pl.col("avg_sr").mean(), pl.len()).to_dicts()
    overall = {r["model"]: round(r["avg_sr"], 2) for r in printed if r["len"] == len(TEXTS)}

    def row(c: str) -> tuple[TableCell, ...]:
        model = t.plan.cells[c].model
        beside = RANDOM_OVERALL if model == "random" else overall.get(PRINTED_AS.get(model, ""))
        return (_player(t, c), *_rates(t, c), published_cell(beside, 2))

    columns = (
        Column("player", numeric=False),
        *_rate_columns(),
        COUNTS,
        Column(f"SR %, overall ({PRINTED})", hint="mean of three categories in three texts"),
    )
    note = "SR: successes per 100 episodes. Both averages are published under one word, so both are named here."
    return _table(t, "town-categories", "Success by category", columns, row, note)


def _by_text(t: Town) -> Table | None:
    texts = [x for x in TEXTS if x in set(quests(t.plan.episodes)["text"])]
    if len(texts) < 2:
        return None
    printed = {(r["model"], r["granularity"]): r for r in published("pokegym_success").to_dicts()}
    rows = []
    for c in t.cells:
        planned = set(t.plan.episodes.filter(pl.col("cell") == c)["text"])
        for text in (x for x in texts if x in planned):
            beside = printed.get((PRINTED_AS.get(t.plan.cells[c].model, ""), PRINTED_TEXTS[text]), {})
            more = (published_cell(beside.get("avg_sr"), 2), published_cell(beside.get("avg_stp"), 2))
            rows.append((text_cell(t.study.name(c)), text_cell(TEXTS[text]), *_rates(t, c, text=text), *more))
    columns = (
        Column("player", numeric=False),
        Column("text", numeric=False),
        *_rate_columns(),
        COUNTS,
        Column(f"SR %, categories ({PRINTED})"),
        Column(f"Stp ({PRINTED})"),
    )
    note = "The texts of a quest share start, goal and budget; they differ in how much they say."
    return Table("town-texts", "Success by text", columns, tuple(rows), note)


def _arms_table(t: Town, study: str) -> Table | None:
    printed = published("pokegym_studies").filter(pl.col("study") == study)
    order = {arm: n for n, arm in enumerate(printed["arm"].unique(maintain_order=True))}
    rows = []
    for group in arms(t.plan, study):
        there = sorted((a for a in group if a.cell in t.cells), key=lambda a: order.get(a.name, len(order)))
        alike = t.shared(a.cell for a in there)
        rows += [_arm_row(alike, a, there[0]) for a in there if alike.plan.episodes.height]
    if not rows:
        return None
    columns = (
        Column("player", numeric=False),
        Column("arm", numeric=False),
        *(Column(f"{x} SR %") for x in CATEGORIES.values()),
        MEAN_OF_CATEGORIES,
        MEAN_OF_EPISODES,
        Column("against first, points", hint="of all episodes, against the player's first arm"),
        Column("IM %", hint="moves that moved nothing, of all moves"),
        COUNTS,
    )
    rest = len(columns) - 6
    apart = tuple(
        (
            _printed_name(r["model"]),
            text_cell(_arm_words(r["arm"])),
            *(published_cell(r[k], 2) for k in ("nav_sr", "int_sr", "mix_sr", "avg_sr")),
            *(NO_VALUE,) * rest,
        )
        for r in printed.to_dicts()
    )
    note = ALIKE if study == "self_reflection" else f"{ALIKE} {CAUTION}"
    return Table(f"town-{study.replace('_', '-')}", STUDY_TITLES[study], columns, tuple(rows), note, apart)


ALIKE = "The arms of a player are compared over the episodes that all of them planned, with the first that is named."
CAUTION = (
    "The printed ones fit 50 episodes each, but their baseline is the mean of all 150: do not read their differences "
    "too closely."
)


def _arm_row(t: Town, a: Arm, first: Arm) -> tuple[TableCell, ...]:
    found, mean, base = t.rates(a.cell), t.mean(a.cell), t.mean(first.cell)
    both, n = _averages(found), t.counts(a.cell)
    whole = n.complete and t.counts(first.cell).complete  # the same episodes of both
    change = None if mean is None or base is None or a is first or not whole else 100 * (mean.value - base.value)
    moves = t.of(a.cell).filter(pl.col("status") == "finished") if t.whole(n) else None
    return (
        text_cell(a.player),
        text_cell(_arm_words(a.name)),
        *(
            number_cell(found[x].rate, scale=100) if x in found else _refused(t.counts(a.cell, category=x))
            for x in CATEGORIES.values()
        ),
        number_cell(both and both.by_category, scale=100),
        percent_cell(mean),
        NO_VALUE if change is None else TableCell(f"{change:+.1f}", change, raw=change),
        number_cell(_mean(moves, "metrics.movement.ineffective_share"), scale=100),
        counts_cell(n),
    )


def _arm_words(arm: str) -> str:
    kind, _, per_reply = arm.partition(" ")
    if kind in ACTION_WORDS:
        return f"{ACTION_WORDS[kind]}, {per_reply} a reply"
    return ARM_WORDS.get(arm, arm.replace("+", ", "))


def _mean(frame: pl.DataFrame | None, column: str) -> float | None:
    if frame is None or column not in frame.columns:
        return None
    values = frame[column].drop_nulls().to_list()
    return fmean(values) if values else None


def _cost(t: Town) -> Table | None:
    printed = {r["model"]: r for r in published("pokegym_cost").to_dicts()}
    asked = [c for c in _complete(t) if t.study.usages[c].input_tokens]
    if not asked:
        return None

    def row(c: str) -> tuple[TableCell, ...]:
        done = t.of(c).filter(pl.col("status") == "finished")
        tokens = [_mean(done, f"{k}_tokens") for k in ("input", "output")]
        visual = done.filter(pl.col("text") == "visual")
        unpriced = done["cost_usd"].null_count() or not done.height
        beside = printed.get(PRINTED_AS.get(t.plan.cells[c].model, ""), {})
        guided = [_mean(visual, f"{k}_tokens") for k in ("input", "output")]
        return (
            _player(t, c),
            number_cell(_mean(done, "decisions")),
            *(number_cell(x, 0) for x in tokens),
            number_cell(_sum(tokens), 0),
            NO_VALUE if unpriced else money_cell(_mean(done, "cost_usd")),
            number_cell(_sum(guided), 0),
            published_cell(beside.get("tokens"), 0),
            published_cell(beside.get("usd"), 3),
        )

    columns = (
        Column("player", numeric=False),
        Column("decisions"),
        Column("input tokens"),
        Column("output tokens"),
        Column("tokens"),
        Column("USD"),
        Column("tokens, visual-guided"),
        Column(f"tokens ({PRINTED})", hint="visual-guided"),
        Column(f"USD ({PRINTED})", hint="visual-guided"),
    )
    rows = tuple(row(c) for c in asked)
    return Table("town-cost", "What an episode costs", columns, rows, "Means over finished episodes.")


def _sum(parts: Iterable[float | None]) -> float | None:
    there = [x for x in parts if x is not None]
    return sum(there) if there else None


def _complexity(t: Town) -> Table:
    """How many replies there are, which is a matter of the settings alone."""
    kinds = dict.fromkeys(
        (c.interface, int(c.setting("action.per_reply") or 1))
        for c in t.plan.cells.values()
        if c.interface in ACTION_WORDS
    )

    def row(interface: str, per_reply: int) -> tuple[TableCell, ...]:
        choices = action_choices(interface)
        digits = int(TREE_STEPS * math.log10(choices))
        return (
            text_cell(f"{ACTION_WORDS[interface]}, {per_reply} a reply"),
            number_cell(float(choices), 0),
            _power(action_complexity(choices, per_reply)),
            TableCell(f"10^{digits}", digits),
        )

    columns = (
        Column("actions", numeric=False),
        Column("choices"),
        Column("replies", hint="choices to the power of actions a reply"),
        Column(f"ways through {TREE_STEPS} steps"),
    )
    printed = ((3, 7, 304), (3, 18543, 1536))
    apart = tuple(
        (
            _printed_name(f"{words}, {n} a reply"),
            published_cell(float(k), 0),
            replace(_power(action_complexity(k, n)), mark="published"),
            TableCell(f"10^{tree}", tree, mark="published"),
        )
        for words, (n, k, tree) in zip(ACTION_WORDS.values(), printed, strict=True)
    )
    note = (
        f"States: {town_states():,.0f} places and directions, a move and a degree apart, in each quest, since the "
        f"whole town is open; {PRINTED_STATES} by quest ({PRINTED}). Sticks are counted at 21 levels of each axis and "
        "of the duration."
    )
    return Table(
        "town-complexity", "How much there is to choose from", columns, tuple(row(*k) for k in kinds), note, apart
    )


def _printed_name(of: str) -> TableCell:
    """In the CSV, which has no small print, it says so in the same field."""
    return text_cell(of, sub=PRINTED, raw=f"{of} ({PRINTED})")


def _power(n: int) -> TableCell:
    return TableCell(f"{n:,}" if n < 10**7 else f"{n:.2e}", math.log10(n), raw=n)


def _printed() -> Table:
    """Tables 2 and 9 of the paper."""
    rows = published("pokegym_success").to_dicts()
    columns = [Column("model", numeric=False), Column("text", numeric=False)]
    keys = [k for k in rows[0] if k not in ("model", "granularity")]
    names = {"nav": "navigation", "int": "interaction", "mix": "mixed", "avg": "mean"}
    columns += [Column(f"{names[k[:3]]} {'SR %' if k.endswith('sr') else 'Stp'}") for k in keys]
    texts = {v: TEXTS[k] for k, v in PRINTED_TEXTS.items()}
    tds = tuple(
        (text_cell(r["model"]), text_cell(texts[r["granularity"]]), *(published_cell(r[k], 2) for k in keys))
        for r in rows
    )
    return Table("town-published", f"PokeGym's tables 2 and 9 ({PRINTED})", tuple(columns), tds)
