"""The PokeGym section: success by category and instruction text, ablations of views, actions, nudges and reflection,
how often players get stuck and whether that explains failures, and the cost of an episode. Shown if the harbor library
was played. The paper's values are next to ours: they are of other games and models."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from gwray.analysis import VOCABULARIES, LabelSet, find_labels
from gwray.pages import NO_VALUE, Column, Table, TableCell, number_cell, text_cell
from gwray.report import Results, Section, counts_column, join, published_cell, published_column
from gwray.studies.pokegym.deadlocks import action_complexity
from gwray.studies.pokegym.movement import (
    PRINTED,
    PRINTED_AS,
    PRINTED_TEXTS,
    behaviour_table,
    correlation_parts,
    external_table,
)
from gwray.studies.pokegym.published import published
from gwray.studies.pokegym.quests import (
    CATEGORIES,
    STUDIES,
    TEXTS,
    TREE_STEPS,
    action_choices,
    arms,
    quests,
    town_states,
)
from gwray.studies.pokegym.stuck_map import read_stuck_places, stuck_parts
from gwray.studies.pokegym.town import Town, TownScore, read_town

RANDOM_OVERALL = 2.22
"""Published SR % of the random player."""
PRINTED_STATES = "67,320 – 870,840"

STUDY_TITLES = {
    "images": "Number of images",
    "actions": "Moves or sticks, one or three per reply",
    "interventions": "Nudges for stuck players",
    "self_reflection": "With rules learned during play",
}
ARM_WORDS = {
    "front": "front", "front+previous": "front and the one before", "front+left+right": "front and both sides",
    "front+previous+left+right": "all four",
    "none": "nothing", "tell": "told so", "back": "three steps back", "back_rotate": "two steps back, a turn",
}  # fmt: skip
ACTION_WORDS = {"semantic": "moves", "parametric": "sticks"}
SAME_EPISODES = (
    "The arms of a player are compared over the episodes that all of them planned, with the first one listed."
)
INEFFECTIVE = "moves that changed the position by at most 0.05 m, of all moves"
RECOVERED = "ineffective moves that the next decision made good"
CAUTION = (
    "The published ones fit 50 episodes each, but their baseline is the mean of all 150: do not read their differences "
    "too closely."
)


def town_section(results: Results) -> Section | None:
    """Returns all tables and figures that have data, without their empty columns; None if no episode of the
    study was played."""
    t = read_town(results)
    if t is None:
        return None
    names = {c: results.name(c) for c in t.complete}
    failures = [s for s in results.judges.labels if s.source == "failure"]
    parts = (
        _by_category(t), _by_text(t), *(_arms_table(t, study) for study in STUDIES),
        behaviour_table(t.frame, t.complete, results, PRINTED_AS),
        *correlation_parts(t.frame, [c for c in t.complete if results.ranked(c)]),
        external_table(t), *judge_label_tables(t.frame, names, results.judges.labels),
        *stuck_parts(t, failures, read_stuck_places(results.frame, results.saved)),
        _cost(t), _complexity(t),
    )  # fmt: skip
    intro = (
        "After PokeGym: ten quests in three texts each; four are about finding the way, three about using things, "
        f"three about both. Values marked “{PRINTED}” are the paper's (arXiv 2604.08340): they show its findings, and "
        "are no target."
    )
    shown = (x.without_empty_columns() if isinstance(x, Table) else x for x in parts)
    return Section.build("town", "The harbor town", *shown, intro=intro)


def _player_column(t: Town) -> Column:
    def player(row: TownScore) -> TableCell:
        cell = t.results.cell(row.cell)
        return text_cell(cell.name, sub="" if cell.ranked else "sees the game's state, or is a person: not ranked")

    return Column("player", player, numeric=False)


def _published_name(name: str) -> TableCell:
    """Returns the name of a published row. The CSV has no small print, so its field names the source."""
    return text_cell(name, sub=PRINTED, raw=f"{name} ({PRINTED})")


def _published_footer(key: str) -> Any:
    return lambda row: published_cell(row[key], 2)


def _category_means(footer: Any = lambda row: NO_VALUE) -> Column:
    hint = "unweighted mean of the three categories: what the paper's tables average"
    return Column.number("SR %, categories", lambda s: s.averages and s.averages.by_category, scale=100, hint=hint,
                         footer=footer)  # fmt: skip


def _episode_means() -> Column:
    hint = (
        "every episode weighs the same, with a 95 % interval that respects quests: what the paper correlates with "
        "other benchmarks"
    )
    return Column.percent("SR %, episodes", "mean", hint=hint)


def _rate_columns() -> list[Column]:
    """Returns the columns of SR and steps, of rows of `TownScore`."""
    columns = []
    for x in CATEGORIES.values():
        columns += [Column(f"{x} SR %", lambda s, x=x: s.rate(x)), _steps(x)]
    return [*columns, _category_means(), _mean_steps(), _episode_means(), counts_column()]


def _steps(category: str, footer: Any = lambda row: NO_VALUE) -> Column:
    hint = f"{category}: mean environment steps of successful episodes"
    return Column.number(f"{category} Stp", lambda s: s.steps(category), hint=hint, footer=footer)


def _mean_steps(footer: Any = lambda row: NO_VALUE) -> Column:
    hint = "unweighted mean of the categories'"
    return Column.number("Stp, categories", lambda s: s.averages and s.averages.steps, hint=hint, footer=footer)


def _table(t: Town, id: str, title: str, columns: Iterable[Column], rows: Sequence[Any], note: str = "") -> Table:
    """Returns a table of ranked cells in their groups, and the others below."""
    ranked, others = ([r for r in rows if t.results.ranked(r.cell) is x] for x in (True, False))
    return Table.build(id, title, columns, ranked, unranked=others, group=lambda r: t.results.block(r.cell), note=note)


def _by_category(t: Town) -> Table:
    printed = published("success").group_by("model").agg(pl.col("avg_sr").mean(), pl.len()).to_dicts()
    overall = {r["model"]: round(r["avg_sr"], 2) for r in printed if r["len"] == len(TEXTS)}

    def published_overall(s: TownScore) -> float | None:
        model = t.results.cell(s.cell).model
        return RANDOM_OVERALL if model == "random" else overall.get(PRINTED_AS.get(model, ""))

    columns = join(
        _player_column(t), _rate_columns(),
        published_column(f"SR %, overall ({PRINTED})", published_overall, 2,
                         hint="mean of three categories in three texts"),
    )  # fmt: skip
    note = "SR: successes per 100 episodes. The paper publishes both averages under one word, so both are named here."
    return _table(t, "town-categories", "Success by category", columns, [t.score(c) for c in t.cells], note)


def _by_text(t: Town) -> Table | None:
    texts = [x for x in TEXTS if x in set(quests(t.plan.episodes)["text"])]
    if len(texts) < 2:
        return None
    printed = {(r["model"], r["granularity"]): r for r in published("success").to_dicts()}
    rows = []
    for c in t.cells:
        planned = set(t.plan.episodes.filter(pl.col("cell") == c)["text"])
        for text in (x for x in texts if x in planned):
            printed_row = printed.get((PRINTED_AS.get(t.results.cell(c).model, ""), PRINTED_TEXTS[text]))
            rows.append(t.score(c, printed_row, TEXTS[text], text=text))
    columns = join(
        Column.text("player", lambda s: t.results.name(s.cell)), Column.text("text", "label"), _rate_columns(),
        published_column(f"SR %, categories ({PRINTED})", lambda s: s.published.get("avg_sr"), 2),
        published_column(f"Stp ({PRINTED})", lambda s: s.published.get("avg_stp"), 2),
    )  # fmt: skip
    note = "The texts of a quest share start, goal and budget; they differ in how much they say."
    return Table.build("town-texts", "Success by text", columns, rows, note=note)


def _arms_table(t: Town, study: str) -> Table | None:
    printed = published("studies").filter(pl.col("study") == study)
    order = {arm: n for n, arm in enumerate(printed["arm"].unique(maintain_order=True))}
    rows = []
    for group in arms(t.plan, study):
        played = sorted((a for a in group if a.cell in t.cells), key=lambda a: order.get(a.name, len(order)))
        same = t.shared(a.cell for a in played)
        if not same.plan.episodes.height:
            continue
        scores = [same.score(a.cell, label=_arm_words(a.name)) for a in played]
        for a, s in zip(played, scores, strict=True):
            rows.append(replace(s, player=a.player, change=_change(s, scores[0]), movement=_movement(same, s)))
    if not rows:
        return None

    def signed(s: TownScore) -> TableCell:
        return NO_VALUE if s.change is None else TableCell(f"{s.change:+z.1f}", s.change, raw=s.change)

    columns = (
        Column.text("player", "player", footer=lambda r: _published_name(r["model"])),
        Column.text("arm", "label", footer=lambda r: text_cell(_arm_words(r["arm"]))),
        *(column for x, k in zip(CATEGORIES.values(), ("nav", "int", "mix"), strict=True)
          for column in _arm_columns(x, k, moves=study == "actions")),
        _category_means(_published_footer("avg_sr")), _mean_steps(_published_footer("avg_stp")), _episode_means(),
        Column("against first, points", signed, hint="of all episodes, against the player's first arm"),
        *_move_columns("", ""),
        counts_column(),
    )  # fmt: skip
    note = SAME_EPISODES if study == "self_reflection" else f"{SAME_EPISODES} {CAUTION}"
    id = f"town-{study.replace('_', '-')}"
    return Table.build(id, STUDY_TITLES[study], columns, rows, footer=printed.to_dicts(), note=note)


def _arm_columns(category: str, key: str, *, moves: bool) -> list[Column]:
    """Returns the columns of one category, with the published values under `key`: SR, and as the paper's tables do,
    either steps or how often players were stuck."""
    rate = Column(f"{category} SR %", lambda s: s.rate(category), footer=_published_footer(f"{key}_sr"))
    return [rate, *(_move_columns(category, key) if moves else [_steps(category, _published_footer(f"{key}_stp"))])]


def _move_columns(category: str, key: str) -> list[Column]:
    def column(name: str, share: str, hint: str) -> Column:
        footer = _published_footer(f"{key}_{name.lower()}") if key else lambda row: NO_VALUE
        return Column.number(f"{category} {name} %".strip(), lambda s: s.movement.get((category, share)), scale=100,
                             hint=hint, footer=footer)  # fmt: skip

    return [column("IM", "ineffective_share", INEFFECTIVE), column("Rec", "recovered_share", RECOVERED)]


def _movement(t: Town, s: TownScore) -> dict[tuple[str, str], float | None]:
    done = t.episodes(s.cell).filter(pl.col("status") == "finished")
    episodes = {"": (done, s.counts)} | {x: (done.filter(category=x), n) for x, n in s.planned.items()}
    return {
        (category, share): _mean(rows, f"metrics.movement.{share}") if t.has_headline(n) else None
        for category, (rows, n) in episodes.items()
        for share in ("ineffective_share", "recovered_share")
    }


def _change(s: TownScore, first: TownScore) -> float | None:
    both_complete = s.counts.complete and first.counts.complete  # the same episodes of both
    if s is first or not both_complete or s.mean is None or first.mean is None:
        return None
    return 100 * (s.mean.value - first.mean.value)


def _arm_words(arm: str) -> str:
    kind, _, per_reply = arm.partition(" ")
    if kind in ACTION_WORDS:
        return f"{ACTION_WORDS[kind]}, {per_reply} a reply"
    return ARM_WORDS.get(arm, arm.replace("+", ", "))


def _mean(frame: pl.DataFrame, column: str) -> Any:
    return frame[column].mean() if column in frame.columns else None


def _cost(t: Town) -> Table | None:
    printed = {r["model"]: r for r in published("tokens").filter(granularity="visual_guided").to_dicts()}
    cells = [c for c in t.complete if t.results.usages[c].input_tokens]
    rows = [t.score(c, printed.get(PRINTED_AS.get(t.results.cell(c).model, ""))) for c in cells]
    if not rows:
        return None
    done = {c: t.episodes(c).filter(pl.col("status") == "finished") for c in cells}
    visual = {c: episodes.filter(pl.col("text") == "visual") for c, episodes in done.items()}

    def mean(*names: str, among: Mapping[str, pl.DataFrame] = done) -> Callable[[TownScore], float | None]:
        return lambda s: _sum(*(_mean(among[s.cell], name) for name in names))

    def usd(s: TownScore) -> Any:
        costs = done[s.cell]["cost_usd"]
        return costs.mean() if costs.len() and not costs.null_count() else NO_VALUE

    columns = (
        _player_column(t), Column.number("decisions", mean("decisions")),
        Column.number("input tokens", mean("input_tokens"), 0),
        Column.number("output tokens", mean("output_tokens"), 0),
        Column.number("tokens", mean("input_tokens", "output_tokens"), 0), Column.money("USD", usd),
        Column.number("tokens, visual-guided", mean("input_tokens", "output_tokens", among=visual), 0),
        published_column(f"tokens ({PRINTED})", lambda s: s.published.get("tokens"), 0, hint="visual-guided"),
        published_column(f"USD ({PRINTED})", lambda s: s.published.get("usd"), 3, hint="visual-guided"),
    )  # fmt: skip
    note = "Means over finished episodes."
    return Table.build("town-cost", "Cost of an episode", columns, rows, note=note)


def _sum(*parts: float | None) -> float | None:
    known = [x for x in parts if x is not None]
    return sum(known) if known else None


def _complexity(t: Town) -> Table:
    """Returns the number of possible replies, which depends on the settings alone."""

    def power(n: int, mark: str = "") -> TableCell:
        return TableCell(f"{n:,}" if n < 10**7 else f"{n:.2e}", math.log10(n), mark=mark, raw=n)

    def ways(digits: int, mark: str = "") -> TableCell:
        return TableCell(f"10^{digits}", digits, mark=mark)

    kinds = {
        (c.interface, int(c.setting("action.per_reply") or 1)): action_choices(c.interface)
        for c in t.plan.cells.values() if c.interface in ACTION_WORDS
    }  # fmt: skip
    rows = [(f"{ACTION_WORDS[i]}, {n} a reply", k, action_complexity(k, n)) for (i, n), k in kinds.items()]
    printed = [
        (f"{words}, {n} a reply", k, action_complexity(k, n), tree)
        for words, (n, k, tree) in zip(ACTION_WORDS.values(), ((3, 7, 304), (3, 18543, 1536)), strict=True)
    ]
    columns = (
        Column.text("actions", lambda r: r[0], footer=lambda r: _published_name(r[0])),
        Column.number("choices", lambda r: float(r[1]), 0, footer=lambda r: published_cell(float(r[1]), 0)),
        Column("replies", lambda r: power(r[2]), hint="choices to the power of actions per reply",
               footer=lambda r: power(r[2], "published")),
        Column(f"ways through {TREE_STEPS} steps", lambda r: ways(int(TREE_STEPS * math.log10(r[1]))),
               footer=lambda r: ways(r[3], "published")),
    )  # fmt: skip
    note = (
        f"States: {town_states():,.0f} places and directions, a move and a degree apart, in each quest, since the "
        f"complete town is open; {PRINTED_STATES} by quest ({PRINTED}). Sticks are counted at 21 levels of each axis "
        "and of the duration."
    )
    return Table.build("town-complexity", "Number of possible actions", columns, rows, footer=printed, note=note)


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
